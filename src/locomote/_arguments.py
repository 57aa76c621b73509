"""What many characters are told: who is meant, and a checked value for each of them."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

Values = float | npt.ArrayLike
Who = int | slice | npt.ArrayLike | None
Rows = npt.NDArray[np.int64]
Paths = npt.ArrayLike | Sequence[npt.ArrayLike]  # one (P, 2), or one for each

_log = logging.getLogger("locomote")


class Notices:
    """Says once for each field that a command was out of range, or is odd."""

    def __init__(self) -> None:
        self.said: set[str] = set()

    def clamp(
        self, name: str, values: FloatArray, least: float | FloatArray, most: float | FloatArray, unit: str
    ) -> FloatArray:
        """The values brought into range."""
        out: FloatArray = np.minimum(np.maximum(values, least), most)
        if name not in self.said and np.count_nonzero(np.abs(out - values) > 1e-9):
            self.said.add(name)
            n = int(np.argmax(np.abs(out - values)))
            _log.warning("%s %g: out of range, %g %s is taken; said once", name, values[n], out[n], unit)
        return out

    def once(self, name: str, text: str) -> None:
        """Warn of something, if there is anything to say and it was not said before."""
        if text and name not in self.said:
            self.said.add(name)
            _log.warning("%s; said once", text)


def rows_of(who: Who, count: int) -> Rows:
    """The characters meant: all, one, a slice, indices, or a mask."""
    if who is None:
        return np.arange(count)
    if type(who) is int and -count <= who < count:  # one of many that are told something one by one
        return np.array([who % count])
    chosen = np.asarray(np.arange(count)[who] if isinstance(who, slice) else who)
    if chosen.dtype == np.bool_:
        if chosen.shape != (count,):
            raise LocomoteError(f"who: a mask of shape {chosen.shape}, expected ({count},)")
        return np.flatnonzero(chosen)
    chosen = np.atleast_1d(chosen)
    if chosen.size == 0:
        return np.zeros(0, dtype=np.int64)
    if not np.issubdtype(chosen.dtype, np.integer) or chosen.ndim != 1:
        raise LocomoteError("who: expected indices, a mask, a slice or None")
    if chosen.min() < -count or chosen.max() >= count:
        raise LocomoteError(f"who: the crowd has characters 0 to {count - 1}")
    return chosen.astype(np.int64) % count


def spread(name: str, value: Values, count: int) -> FloatArray:
    """A finite number for each character, from one or from ``count``."""
    if type(value) is float and math.isfinite(value):
        return np.full(count, value)
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise LocomoteError(f"{name} {value!r}: expected a number or an array of numbers") from None
    if array.shape not in ((), (1,), (count,)):
        raise LocomoteError(f"{name}: shape {array.shape}, expected one number or ({count},)")
    if not np.isfinite(array).all():
        raise LocomoteError(f"{name}: {array[~np.isfinite(array)][0]} is not a finite number")
    return np.full(count, array) if array.size == 1 else array


def paths_of(path: Paths, count: int) -> tuple[FloatArray, Rows]:
    """Finite places ``(P, 2)`` as (x, z), path after path, and how many each has: of one for all, or ``count``."""
    many = _are_many(path)
    each: Any = path
    paths = [_places_of(f"path {k}", own) for k, own in enumerate(each)] if many else [_places_of("path", path)]
    if many and len(paths) != count:
        raise LocomoteError(f"path: {len(paths)} paths, expected one for all, or one for each of {count}")
    points, counts = np.concatenate(paths), np.array([len(each) for each in paths])
    finite = np.isfinite(points).all(axis=1)
    if not finite.all():
        at = int(np.argmin(finite))
        k = int(np.searchsorted(np.cumsum(counts), at, side="right"))
        raise LocomoteError(f"path{f' {k}' if many else ''}: place {at - int(counts[:k].sum())} is not finite")
    return points, counts


def _are_many(path: Any) -> bool:
    """Whether paths are given, one for each, and not one for all."""
    try:
        return len(path) > 0 and np.ndim(path[0]) == 2
    except (TypeError, ValueError, KeyError):
        return False


def _places_of(name: str, path: Any) -> FloatArray:
    """Two or more places ``(P, 2)`` as (x, z)."""
    try:
        points = np.asarray(path, dtype=np.float64)
    except (TypeError, ValueError):
        points = np.empty(0)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
        raise LocomoteError(f"{name}: shape {points.shape}, expected two or more places (x, z)")
    return points


def others_of(places: npt.ArrayLike, velocities: npt.ArrayLike, radii: npt.ArrayLike) -> FloatArray:
    """Who else is about: rows ``(K, 5)`` of place (x, z), velocity (x, z) and radius, metres and seconds."""
    at = np.asarray(places, dtype=np.float64).reshape(-1, 2)
    others = np.empty((len(at), 5))
    try:
        others[:, :2], others[:, 2:4], others[:, 4] = at, velocities, radii
    except ValueError:
        raise LocomoteError(
            f"others: expected velocities and radii for {len(at)} places, "
            f"got shapes {np.shape(velocities)} and {np.shape(radii)}"
        ) from None
    if not np.isfinite(others).all() or (others[:, 4] < 0.0).any():
        raise LocomoteError("others: expected finite places and velocities, and radii of 0 or more")
    return others
