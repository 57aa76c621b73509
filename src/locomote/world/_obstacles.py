"""Obstacles: puddles, boxes, walls and the like, which appear, move, grow and vanish at any time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from os import PathLike
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.world import _checks as checks
from locomote.world import _shapes as shapes
from locomote.world._kernels.obstacle_layout import (
    COLUMNS,
    CORNERS,
    HEIGHT,
    HORIZON,
    LIFT,
    MOST_CORNERS,
    RADIUS,
    RISE,
    SAFE,
    TURN,
    VX,
    VZ,
    YAW,
    X,
    Z,
)
from locomote.world._surface import places_of

FARTHEST = 1e6  # m from the origin, for every part of an obstacle
SHORTEST = 1e-6  # m, of an edge
FASTEST = 1e3  # m/s, or rad/s
LONGEST = 1e9  # s at once
_ROOM = 16  # obstacles for which there is room at first
_SORTED_FOR = 1.0  # s after which obstacles that move are sorted anew, beyond the horizon

_PLACE, _VELOCITY = slice(X, Z + 1), slice(VX, VZ + 1)
_MOTION = [VX, VZ, TURN, RISE]
_MOVED = [X, Z, YAW, LIFT]  # by the motion


class ObstacleArrays(NamedTuple):
    """Obstacles for `locomote.world._kernels.obstacles` and `obstacle_buckets`; rows are in no particular order."""

    table: FloatArray  # (M, 12), columns of `locomote.world._kernels.obstacle_layout`
    corners: FloatArray  # (M, 16, 2) as (x, z) in the world, counter-clockwise as seen from above
    starts: IntArray  # buckets of rows that are near one another
    members: IntArray
    ids: IntArray  # (M,) the id of every row


class Obstacles:
    """Convex outlines in the plan, each with a height, which move evenly; a puddle has the height 0.

    >>> obstacles = Obstacles()
    >>> puddle = obstacles.add_puddle((0.0, 3.0), length=1.2, width=2.0)
    >>> obstacles.inside([(0.0, 3.0), (0.0, 1.0)]).tolist()
    [True, False]
    >>> obstacles.grow(puddle, 2.0)
    >>> round(float(obstacles.distances((0.0, 1.0))), 3)
    0.8
    """

    def __init__(self) -> None:
        self.time = 0.0  # s on the obstacles' own clock
        self.version = 0  # grows with every change but even motion
        self._rows: dict[int, int] = {}  # id to row
        self._next = 0
        self._ids: IntArray = np.zeros(_ROOM, dtype=np.int64)
        self._table: FloatArray = np.zeros((_ROOM, COLUMNS))
        self._outlines: FloatArray = np.zeros((_ROOM, MOST_CORNERS, 2))  # about the middle, at a yaw of 0
        self._corners: FloatArray = np.zeros((_ROOM, MOST_CORNERS, 2))  # in the world
        self._buckets: tuple[IntArray, IntArray] | None = None
        self._arrays: ObstacleArrays | None = None
        self._sorted_at = 0.0  # s

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Obstacles:
        """The obstacles of a TOML file, which may describe a ground as well."""
        from locomote.world._reading import read_obstacles

        return read_obstacles(path)

    def add_puddle(self, centre: Sequence[float], length: float, width: float, yaw: float = 0.0) -> int:
        """Something flat to jump over or go round; gives back its id.

        Parameters
        ----------
        centre : (2,) m, as (x, z)
        length, width : m, along the yaw and across
        yaw : rad
        """
        size = checks.positive("width", width), checks.positive("length", length)
        return self._add(shapes.rectangle(*size), checks.vector("centre", centre, 2), 0.0, yaw)

    def add_box(
        self,
        centre: Sequence[float],
        size: Sequence[float],
        height: float,
        yaw: float = 0.0,
        velocity: Sequence[float] = (0.0, 0.0),
        turn_rate: float = 0.0,
        safe: bool = False,
        lift: float = 0.0,
        rise: float = 0.0,
    ) -> int:
        """A block that moves and turns evenly; gives back its id.

        Parameters
        ----------
        centre, size : (2,) m, as (x, z), and (2,) m, across and along
        height, yaw : m and rad
        velocity, turn_rate : (2,) m/s and rad/s
        safe : creatures step on it
        lift, rise : m, of its underside above the ground at its middle, and m/s at which that grows
        """
        across, along = checks.sizes("size", size)
        middle = checks.vector("centre", centre, 2)
        outline = shapes.rectangle(across, along)
        return self._add(outline, middle, height, yaw, velocity, turn_rate, safe, lift, rise)

    def add_disk(
        self,
        centre: Sequence[float],
        radius: float,
        height: float = 1.0,
        velocity: Sequence[float] = (0.0, 0.0),
        safe: bool = False,
        lift: float = 0.0,
        rise: float = 0.0,
    ) -> int:
        """A round block; its outline has 16 corners and reaches at most 2 % beyond it.

        Parameters
        ----------
        centre : (2,) m, as (x, z)
        radius, height : m
        velocity : (2,) m/s
        safe : creatures step on it
        lift, rise : m and m/s, as for `add_box`
        """
        outline = shapes.disk(checks.positive("radius", radius))
        middle = checks.vector("centre", centre, 2)
        return self._add(outline, middle, height, velocity=velocity, safe=safe, lift=lift, rise=rise)

    def add_wall(
        self,
        start: Sequence[float],
        end: Sequence[float],
        height: float = 2.0,
        thickness: float = 0.2,
        safe: bool = False,
        lift: float = 0.0,
        rise: float = 0.0,
    ) -> int:
        """An upright slab, half of its thickness on either side of a line.

        Parameters
        ----------
        start, end : (2,) m, as (x, z)
        height, thickness : m
        safe : creatures step on it
        lift, rise : m and m/s, as for `add_box`
        """
        a, b = checks.vector("start", start, 2), checks.vector("end", end, 2)
        across, along = b - a
        length = math.hypot(across, along)
        if not length > 0.0:
            raise LocomoteError(f"end: expected another place than the start, got {end!r}")
        outline = shapes.rectangle(checks.positive("thickness", thickness), length)
        yaw = math.atan2(across, along)
        return self._add(outline, 0.5 * (a + b), height, yaw, safe=safe, lift=lift, rise=rise)

    def add_polygon(
        self,
        points: npt.ArrayLike,
        height: float = 0.0,
        safe: bool = False,
        lift: float = 0.0,
        rise: float = 0.0,
    ) -> int:
        """A convex outline, either way round; it turns about its centroid.

        Parameters
        ----------
        points : (V, 2) m as (x, z), 3 to 16 corners
        height : m
        safe : creatures step on it
        lift, rise : m and m/s, as for `add_box`
        """
        outline = shapes.convex(points)
        middle = shapes.centroid(outline)
        return self._add(outline - middle, middle, height, safe=safe, lift=lift, rise=rise)

    def move(
        self,
        obstacle: int,
        centre: npt.ArrayLike | None = None,
        yaw: float | None = None,
        velocity: npt.ArrayLike | None = None,
        turn_rate: float | None = None,
        lift: float | None = None,
        rise: float | None = None,
    ) -> None:
        """Put an obstacle elsewhere, and say how it moves from there; what is left out stays.

        Parameters
        ----------
        obstacle : its id
        centre : (2,) m as (x, z), of its middle
        yaw : rad
        velocity, turn_rate : (2,) m/s and rad/s
        lift, rise : m and m/s
        """
        at = self._row(obstacle)
        row = self._table[at].copy()
        if centre is not None:
            row[_PLACE] = checks.vector("centre", centre, 2)
        if yaw is not None:
            row[YAW] = checks.number("yaw", yaw)
        if velocity is not None:
            row[_VELOCITY] = checks.vector("velocity", velocity, 2)
        if turn_rate is not None:
            row[TURN] = checks.number("turn_rate", turn_rate)
        if lift is not None:
            row[LIFT] = checks.number("lift", lift)
        if rise is not None:
            row[RISE] = checks.number("rise", rise)
        self._write(at, row, self._outlines[at])

    def grow(self, obstacle: int, factor: float) -> None:
        """Make the plan of an obstacle longer and wider about its middle; its height stays.

        Parameters
        ----------
        obstacle : its id
        factor : so many times
        """
        at = self._row(obstacle)
        factor = checks.positive("factor", factor)
        row = self._table[at].copy()
        row[RADIUS] *= factor
        self._write(at, row, factor * self._outlines[at])

    def remove(self, obstacle: int) -> None:
        """Take an obstacle away; its id is not used again."""
        at, last = self._row(obstacle), len(self._rows) - 1
        for array in (self._ids, self._table, self._outlines, self._corners):
            array[at] = array[last]
        self._rows[int(self._ids[at])] = at
        del self._rows[obstacle]
        self._changed()

    def clear(self) -> None:
        """Take all obstacles away."""
        self._rows.clear()
        self._changed()

    def advance(self, dt: float) -> None:
        """Let ``dt`` seconds pass: every obstacle goes on as it moves."""
        dt = checks.number("dt", dt)
        if abs(dt) > LONGEST:
            raise LocomoteError(f"dt: expected at most {LONGEST:g} s, got {dt:g}")
        moving = np.flatnonzero(self.moving)
        if len(moving):
            rows = self._table[moving]
            rows[:, _MOVED] += dt * rows[:, _MOTION]
            far = np.abs(rows[:, [X, Z, LIFT]]).max(axis=1) > FARTHEST
            if np.any(far):
                which = int(self._ids[moving[far][0]])
                raise LocomoteError(f"dt: obstacle {which} would be more than {FARTHEST:g} m away; remove it first")
            self._table[moving] = rows
            self._corners[moving] = _in_world(rows, self._outlines[moving])
        self.time += dt

    def at(self, time: float) -> Self:
        """The obstacles as they are at a time of their own clock, if they go on as they move."""
        other = self.copy()
        other.advance(checks.number("time", time) - self.time)
        return other

    def copy(self) -> Self:
        """The same obstacles with the same ids, which may then go their own way."""
        other = type(self)()
        other.time, other.version = self.time, self.version
        other._rows, other._next = dict(self._rows), self._next
        other._ids, other._table = self._ids.copy(), self._table.copy()
        other._outlines, other._corners = self._outlines.copy(), self._corners.copy()
        other._buckets, other._sorted_at = self._buckets, self._sorted_at  # never written to
        return other

    def distances(self, points: npt.ArrayLike, ahead: float = 0.0) -> FloatArray:
        """How far points are from the nearest obstacle, m: negative inside, infinite without any obstacle.

        Parameters
        ----------
        points : (..., 2) m as (x, z), or (..., 3), taken at their place in the plan
        ahead : s, from now
        """
        from locomote.world._kernels.obstacles import distances

        places = places_of(points)
        flat = np.ascontiguousarray(places.reshape(-1, 2))
        out = np.empty(len(flat))
        distances(flat, checks.number("ahead", ahead), self._table[: len(self)], self._corners[: len(self)], out)
        return out.reshape(places.shape[:-1])

    def inside(self, points: npt.ArrayLike, ahead: float = 0.0) -> npt.NDArray[np.bool_]:
        """Whether points lie in an obstacle or on its edge.

        Parameters
        ----------
        points, ahead : (..., 2) m as (x, z), or (..., 3), and s from now
        """
        out: npt.NDArray[np.bool_] = self.distances(points, ahead) <= 0.0
        return out

    @property
    def arrays(self) -> ObstacleArrays:
        """All obstacles as they are now; even motion is written into them, after other changes ask again."""
        from locomote.world._kernels.obstacle_buckets import sort_into_buckets

        count = len(self)
        table, corners = self._table[:count], self._corners[:count]
        if self._buckets is None or not 0.0 <= self.time - self._sorted_at <= _SORTED_FOR:
            self._buckets = sort_into_buckets(table, corners, HORIZON + _SORTED_FOR)
            self._sorted_at, self._arrays = self.time, None
        if self._arrays is None:
            self._arrays = ObstacleArrays(table, corners, *self._buckets, self._ids[:count])
        return self._arrays

    @property
    def rows(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """The ids ``(M,)``, table ``(M, 12)`` and corners ``(M, 16, 2)`` as they are now, without any sorting."""
        count = len(self)
        return self._ids[:count], self._table[:count], self._corners[:count]

    @property
    def moving(self) -> npt.NDArray[np.bool_]:
        """Which obstacles move, turn or rise by themselves ``(M,)``."""
        return np.asarray((self._table[: len(self), _MOTION] != 0.0).any(axis=1))

    @property
    def moves(self) -> bool:
        """Whether any obstacle moves or turns by itself."""
        return bool(self.moving.any())

    def outline(self, obstacle: int) -> FloatArray:
        """The corners ``(V, 2)`` of an obstacle as (x, z), counter-clockwise as seen from above."""
        at = self._row(obstacle)
        return self._corners[at, : int(self._table[at, CORNERS])].copy()

    def height(self, obstacle: int) -> float:
        """How high an obstacle stands, metres."""
        return float(self._table[self._row(obstacle), HEIGHT])

    def safe(self, obstacle: int) -> bool:
        """Whether creatures may step on an obstacle."""
        return bool(self._table[self._row(obstacle), SAFE])

    def lift(self, obstacle: int) -> float:
        """How far the underside of an obstacle is above the ground at its middle, metres."""
        return float(self._table[self._row(obstacle), LIFT])

    def __repr__(self) -> str:
        return f"<Obstacles: {len(self)}>"

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[int]:
        return iter(tuple(self._rows))

    def __contains__(self, obstacle: object) -> bool:
        return obstacle in self._rows

    def _row(self, obstacle: int) -> int:
        if obstacle not in self._rows:
            raise LocomoteError(f"obstacle {obstacle!r}: there is none with this id; there are {len(self)}")
        return self._rows[obstacle]

    def _add(
        self,
        outline: FloatArray,
        centre: FloatArray,
        height: float,
        yaw: float = 0.0,
        velocity: Sequence[float] = (0.0, 0.0),
        turn_rate: float = 0.0,
        safe: bool = False,
        lift: float = 0.0,
        rise: float = 0.0,
    ) -> int:
        row = np.zeros(COLUMNS)
        row[_PLACE], row[YAW] = centre, checks.number("yaw", yaw)
        row[_VELOCITY] = checks.vector("velocity", velocity, 2)
        row[TURN], row[HEIGHT] = checks.number("turn_rate", turn_rate), checks.not_negative("height", height)
        row[CORNERS], row[RADIUS] = len(outline), np.hypot(*outline.T).max()
        row[LIFT], row[RISE] = checks.number("lift", lift), checks.number("rise", rise)
        row[SAFE] = 1.0 if safe else 0.0
        padded = np.zeros((MOST_CORNERS, 2))
        padded[: len(outline)] = outline
        at, new = len(self), self._next
        if at == len(self._table):
            self._make_room()
        self._write(at, row, padded)
        self._ids[at], self._rows[new] = new, at
        self._next += 1
        return new

    def _write(self, at: int, row: FloatArray, outline: FloatArray) -> None:
        _check(row, outline[: int(row[CORNERS])])
        self._table[at], self._outlines[at] = row, outline
        self._corners[at] = _in_world(row, outline)
        self._changed()

    def _changed(self) -> None:
        self.version += 1
        self._buckets = None

    def _make_room(self) -> None:
        self._ids, self._table, self._outlines, self._corners = (
            np.concatenate([array, np.zeros_like(array)])
            for array in (self._ids, self._table, self._outlines, self._corners)
        )


def _in_world(rows: FloatArray, outlines: FloatArray) -> FloatArray:
    """The corners ``(..., 16, 2)`` of rows ``(..., 12)`` where they stand."""
    out: FloatArray = rows[..., None, _PLACE] + shapes.turned(outlines, rows[..., YAW])
    return out


def _check(row: FloatArray, outline: FloatArray) -> None:
    """Refuse an obstacle that is too far, too large, too small or too fast for sums to stay exact."""
    reach = max(float(np.abs(row[_PLACE]).max()) + float(row[RADIUS]), float(row[HEIGHT] + abs(row[LIFT])))
    if not reach <= FARTHEST:
        raise LocomoteError(f"obstacle: expected to lie within {FARTHEST:g} m of the origin, it reaches to {reach:g}")
    shortest = float(np.hypot(*(outline - np.roll(outline, 1, axis=0)).T).min())
    if not shortest >= SHORTEST:
        raise LocomoteError(f"obstacle: expected edges of at least {SHORTEST:g} m, one would have {shortest:g}")
    if not np.abs(row[_MOTION]).max() <= FASTEST:
        raise LocomoteError(f"obstacle: expected at most {FASTEST:g} m/s and rad/s, got {row[_MOTION].tolist()}")
