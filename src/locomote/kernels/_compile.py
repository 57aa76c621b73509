"""How a kernel is compiled: once, cached on disk, without the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a loop over arrays; it is called from Python."""
    return cast(F, njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})(function))


def inline(function: F) -> F:
    """Compile a small function for use inside kernels; it is melted into them.

    It is compiled as part of every kernel that calls it and has no cache of its own. Numba renews the cache
    of a kernel when the kernel's own file changes, not when a function it takes from another file does.
    """
    # Without force, LLVM leaves calls that hand over whole structures of arrays, which cost more than the work.
    melted = njit(nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
    return cast(F, melted(function))


def part(function: F) -> F:
    """Compile a large function for use inside kernels, for work that is done seldom; it stays a call."""
    return cast(F, njit(nogil=True, error_model="numpy", fastmath={"contract"})(function))
