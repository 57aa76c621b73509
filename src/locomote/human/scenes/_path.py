"""Walking along a line of points: where to face and how fast to go, from where the walker is now."""

from __future__ import annotations

import math
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np

from locomote.errors import FormatError, LocomoteError
from locomote.formats._files import read_bytes
from locomote.rotations import FloatArray

LOOK_AHEAD = 0.55  # s of travel: the walker heads for the point of the path this far in front
LEAST_AHEAD = 0.45  # m
BRAKING = 0.9  # m/s², with which a walker comes to rest on the last point
SHARP = 0.35  # rad off the heading, up to which a walker keeps its speed
SLOWEST_SHARE = 0.35  # of the wanted speed, kept when the path turns back
STOPPED = 0.02  # m/s; a walker as slow as this at the end of a path has arrived


class Steering(NamedTuple):
    """What a walker is to do now."""

    heading: float  # rad, world
    speed: float  # m/s
    progress: float  # m along the path
    stop_within: float | None  # s; when it is time to come to rest at the end of the path


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

    def at(self, arc: float) -> FloatArray:
        """The point ``(x, z)`` at a distance along the path, on its last stretch's line beyond the end."""
        spot = np.array([np.interp(arc, self.arcs, self.points[:, i]) for i in (0, 1)])
        if arc > self.length:
            last = (self.points[-1] - self.points[-2]) / (self.arcs[-1] - self.arcs[-2])
            spot += (arc - self.length) * last
        return spot

    def nearest(self, spot: FloatArray, first: float = 0.0, last: float = math.inf) -> float:
        """The distance along the path of its point nearest to a spot, m.

        Parameters
        ----------
        spot : (2,) m, as (x, z)
        first, last : m along the path, between which it is sought
        """
        start, way = self.points[:-1], np.diff(self.points, axis=0)
        lengths = np.diff(self.arcs)
        along = np.einsum("pi,pi->p", spot - start, way) / lengths
        low = np.clip(first - self.arcs[:-1], 0.0, lengths)
        high = np.clip(last - self.arcs[:-1], 0.0, lengths)
        along = np.clip(along, low, high)
        gaps = np.hypot(*(start + way * (along / lengths)[:, None] - spot).T)
        reached = (self.arcs[1:] >= first) & (self.arcs[:-1] <= last)
        best = int(np.argmin(np.where(reached, gaps, np.inf)))
        return float(self.arcs[best] + along[best])

    def distance(self, spot: FloatArray) -> float:
        """Metres from a point ``(x, z)`` to the path."""
        return float(np.hypot(*(self.at(self.nearest(spot)) - spot)))


def steer(route: Route, spot: FloatArray, heading: float, speed: float, progress: float, wanted: float) -> Steering:
    """Head for a point in front on the path; slow down in sharp turns and for the end.

    ``progress`` is what the last call returned: the walker never goes back to a stretch it has passed, so that a
    path may cross itself. ``speed`` is what it has now, ``wanted`` what it is to go at on straight stretches.
    """
    ahead = max(LEAST_AHEAD, LOOK_AHEAD * speed)
    progress = route.nearest(spot, progress, progress + 2.0 * ahead)
    goal = route.at(progress + ahead) - spot
    towards = math.atan2(goal[0], goal[1])
    sharp = max(0.0, abs(math.remainder(towards - heading, math.tau)) - SHARP)
    share = max(SLOWEST_SHARE, math.cos(min(sharp, 0.5 * math.pi)))
    left = route.length - progress
    if left > 0.5 * speed**2 / BRAKING:
        return Steering(towards, share * wanted, progress, None)
    # Slowing down evenly from v to 0 in t seconds takes v t / 2 metres.
    return Steering(towards, 0.0, progress, 2.0 * left / max(speed, STOPPED))


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
