"""With which options Numba compiles kernels and the functions inside them."""

from __future__ import annotations

from typing import Any

_ALL: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}}

KERNEL: dict[str, Any] = {**_ALL, "_nrt": True}  # said aloud: it would be taken over from who calls

# Functions inside kernels are never called from Python, so they get no way in from there.
_INNER: dict[str, Any] = {**_ALL, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
MAKER: dict[str, Any] = {**_INNER, "_nrt": True}
# Functions that make no arrays are compiled without Numba's counting of references (``_nrt``): where structures of many
# arrays are handed on, the counting took ten times as long as the work.
PART: dict[str, Any] = {**_INNER, "_nrt": False}
# Without force, LLVM leaves calls that hand over whole structures of arrays, which cost more than the work.
INLINE: dict[str, Any] = {**PART, "forceinline": True}
STRICT: dict[str, Any] = {**INLINE, "fastmath": False}
