"""How a kernel is compiled: once, cached on disk, without the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from numba import njit

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a loop over arrays; it is called from Python or from other kernels."""
    compiled: F = njit(cache=True, nogil=True, error_model="numpy")(function)
    return compiled


def inline(function: F) -> F:
    """Compile a small scalar helper that is melted into the kernels that call it."""
    compiled: F = njit(cache=True, nogil=True, error_model="numpy", inline="never")(function)
    return compiled
