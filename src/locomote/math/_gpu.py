"""The GPU of this machine."""

from __future__ import annotations

from typing import Any

from locomote.errors import LocomoteError


def cupy() -> Any:
    """CuPy, with a GPU that answers."""
    try:
        import cupy
    except ImportError as error:
        raise LocomoteError("device 'cuda': needs CuPy: pip install \"locomote[cuda]\"") from error
    try:
        cupy.cuda.Device().use()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise LocomoteError(f"device 'cuda': no GPU answers ({error})") from error
    return cupy
