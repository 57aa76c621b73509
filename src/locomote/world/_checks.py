"""Numbers that come from outside: checked, and refused in one line that names them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray


def number(name: str, value: float) -> float:
    """A finite number."""
    if not _is_number(value) or not math.isfinite(value):
        raise LocomoteError(f"{name}: expected a finite number, got {value!r}")
    return float(value)


def positive(name: str, value: float) -> float:
    """A finite number above 0."""
    if number(name, value) <= 0.0:
        raise LocomoteError(f"{name}: expected a number above 0, got {value!r}")
    return float(value)


def not_negative(name: str, value: float) -> float:
    """A finite number of at least 0."""
    if number(name, value) < 0.0:
        raise LocomoteError(f"{name}: expected a number of at least 0, got {value!r}")
    return float(value)


def whole(name: str, value: int, low: int, high: int) -> int:
    """A whole number within a range."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise LocomoteError(f"{name}: expected a whole number from {low} to {high}, got {value!r}")
    return int(value)


def vector(name: str, value: npt.ArrayLike, length: int) -> FloatArray:
    """So many finite numbers."""
    try:
        out = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        out = np.empty(0)
    if out.shape != (length,) or not np.all(np.isfinite(out)):
        raise LocomoteError(f"{name}: expected {length} finite numbers, got {value!r}")
    return out


def sizes(name: str, value: npt.ArrayLike) -> FloatArray:
    """Two lengths above 0."""
    out = vector(name, value, 2)
    if np.any(out <= 0.0):
        raise LocomoteError(f"{name}: expected two lengths above 0, got {value!r}")
    return out


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
