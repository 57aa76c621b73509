"""Lines of points to walk along, and files of them."""

from __future__ import annotations

import math
from os import PathLike
from pathlib import Path

import numpy as np

from locomote.errors import FormatError, LocomoteError
from locomote.formats._files import read_bytes
from locomote.rotations import FloatArray


class Route:
    """A polyline on the floor, ``(P, 2)`` points (x, z) in metres."""

    def __init__(self, points: FloatArray) -> None:
        points = np.asarray(points, dtype=np.float64)
        if points.ndim != 2 or points.shape[1:] != (2,) or len(points) < 2:
            raise LocomoteError(f"a path needs at least two points (x, z), got an array of shape {points.shape}")
        if not np.all(np.isfinite(points)):
            raise LocomoteError("a path holds a number that is not finite")
        steps = np.hypot(*np.diff(points, axis=0).T)
        if np.any(steps == 0.0):
            where = int(np.flatnonzero(steps == 0.0)[0])
            raise LocomoteError(f"points {where + 1} and {where + 2} of a path are the same")
        self.points = points
        self.arcs: FloatArray = np.concatenate([[0.0], np.cumsum(steps)])  # m along the path, at each point

    @property
    def length(self) -> float:
        """Metres from the first point to the last."""
        return float(self.arcs[-1])

    @property
    def first_heading(self) -> float:
        """The heading of the first stretch."""
        dx, dz = self.points[1] - self.points[0]
        return math.atan2(dx, dz)


def read_points(path: str | PathLike[str]) -> Route:
    """A path from a text file: x, z in metres on each line, with or without a header."""
    path = Path(path)
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError(path, "not a text file") from None
    points: list[tuple[float, float]] = []
    header_allowed = True
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in line.split(",")]
        if not any(cells) or line.lstrip().startswith("#"):
            continue
        point = _point(cells)
        if point is None and (not header_allowed or any(_is_number(cell) for cell in cells)):
            raise FormatError(path, f"expected x,z in metres instead of {line.strip()!r}", number)
        header_allowed = False
        if point is None:
            continue
        if points and point == points[-1]:
            raise FormatError(path, "the same point as before it", number)
        points.append(point)
    if len(points) < 2:
        raise FormatError(path, f"a path needs at least two points, got {len(points)}")
    return Route(np.array(points))


def _point(cells: list[str]) -> tuple[float, float] | None:
    if len(cells) != 2 or not all(_is_number(cell) for cell in cells):
        return None
    return float(cells[0]), float(cells[1])


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
