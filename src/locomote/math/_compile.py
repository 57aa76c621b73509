"""How a kernel is compiled: once, cached on disk, without the interpreter's lock."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

from numba import config, njit, typeof

INTERPRETED = bool(getattr(config, "DISABLE_JIT", False))  # NUMBA_DISABLE_JIT=1: kernels run as plain Python

F = TypeVar("F", bound=Callable[..., object])

# Functions that make no arrays are compiled without Numba's counting of references (``_nrt``): where structures of many
# arrays are handed on, the counting took ten times as long as the work.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}}
_LEAN: dict[str, Any] = {**_OPTIONS, "_nrt": False}
_COUNTING: dict[str, Any] = {**_OPTIONS, "_nrt": True}  # said aloud: it would be taken over from who calls


def _compiled(function: F, **options: Any) -> F:
    return cast(F, njit(**options)(function))


def kernel(function: F) -> F:
    """Compile a loop over arrays; it is called from Python."""
    compiled = _compiled(function, cache=True, **_COUNTING)
    # Numba renews what it kept when the kernel's own file changes, not when one does from which it takes functions.
    kept: Any = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if hasattr(kept, "_source_stamp") and hasattr(kept, "_version"):
        kept._source_stamp = stamp_of(function.__module__)
        # It reads a whole index before it compares stamps, which fails if that names a class that is gone by now.
        kept._version = f"{kept._version} {kept._source_stamp}"
    return compiled


def stamp_of(module: str) -> tuple[float, int]:
    """When the newest of a module's file and those that it takes from was changed, and how long they are together."""
    package = module.partition(".")[0] + "."  # of the kernel, whichever room it is in
    found: set[str] = set()
    waiting = {module}
    while waiting:
        name = waiting.pop()
        found.add(name)
        for thing in vars(sys.modules[name]).values():
            other = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None)
            if isinstance(other, str) and other.startswith(package) and other not in found:
                waiting.add(other)
    files = [Path(str(sys.modules[name].__file__)).stat() for name in found]
    return max(file.st_mtime for file in files), sum(file.st_size for file in files)


def prepared(function: F, *arguments: Any) -> F:
    """A kernel for arguments of the same kinds as these, which it no longer looks at.

    Numba looks at the kind of every argument at every call; for tuples of many arrays that takes longer than a step of
    one person. Whoever calls must prepare it anew for arrays of another type, number of axes or memory layout.
    """
    if INTERPRETED:
        return function
    kinds = tuple(typeof(each) for each in arguments)  # type: ignore[no-untyped-call]
    kernel: Any = function
    kernel.compile(kinds)
    return cast(F, kernel.overloads[kinds].entry_point)


def inline(function: F) -> F:
    """Compile a small function for use inside kernels; it is melted into them and makes no arrays.

    It is compiled as part of every kernel that calls it and has no cache of its own.
    """
    # Without force, LLVM leaves calls that hand over whole structures of arrays, which cost more than the work.
    return _compiled(function, forceinline=True, **_LEAN)


def part(function: F) -> F:
    """Compile a large function for use inside kernels; it stays a call and makes no arrays."""
    return _compiled(function, **_LEAN)


def maker(function: F) -> F:
    """Compile a function for use inside kernels that makes arrays; it stays a call."""
    return _compiled(function, **_COUNTING)


def strict(function: F) -> F:
    """Compile a small function for use inside kernels as `inline` does, every operation rounded by itself.

    Where a compiler may round products and sums at once, it chooses anew for each copy of a loop that it rolls out:
    lanes side by side would differ by the last bit. Takes plain functions and those that are `inline`.
    """
    plain = cast(F, getattr(function, "py_func", function))
    return _compiled(plain, forceinline=True, **{**_LEAN, "fastmath": False})
