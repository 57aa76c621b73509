"""A surface that can be asked for heights and whose pieces can move."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.world import _checks as checks
from locomote.world import _pieces as pieces
from locomote.world._kernels.ground_layout import BASE, COLUMNS, TURN, YAW, Terrain, X, Z

_BURIED = 0.01  # m that solid pieces reach into the lowest base, so that no gap shows


@dataclass(frozen=True, eq=False)
class Shuttle:
    """A piece goes to and fro about a place as a sine of the time."""

    centre: FloatArray  # (3,) metres
    travel: FloatArray  # (3,) metres from the centre to the far end
    period: float  # s
    phase: float  # of a period, at time 0


class Surface:
    """A level or rastered base and flat pieces on it; the highest that covers a place counts."""

    def __init__(self, height: float = 0.0) -> None:
        self.time = 0.0  # s on the ground's own clock
        self._grid: FloatArray = np.full((1, 1), checks.number("height", height))
        self._frame: FloatArray = np.array([0.0, 0.0, 1.0])
        self._pieces: FloatArray = np.zeros((0, COLUMNS))
        self._arrays: Terrain | None = None
        self._thickness: list[float] = []  # metres; infinite where a piece stands on the base
        self._shuttles: dict[int, Shuttle] = {}

    @property
    def arrays(self) -> Terrain:
        """``(pieces, grid, frame)`` for `_kernels.ground`; moved in place, new after a piece is added."""
        known = self._arrays
        if known is None or known.pieces is not self._pieces or known.grid is not self._grid:
            self._arrays = known = Terrain(self._pieces, self._grid, self._frame)
        return known

    @property
    def thickness(self) -> FloatArray:
        """How far each piece reaches below its top, ``(P,)`` metres; solid ones reach into the base."""
        lowest = float(self._grid.min()) - _BURIED
        highest = [float(pieces.corners(row)[:, 1].max()) for row in self._pieces]
        thick = [
            max(top - lowest, 0.0) if math.isinf(each) else each
            for top, each in zip(highest, self._thickness, strict=True)
        ]
        return np.array(thick, dtype=np.float64)

    @property
    def floating(self) -> npt.NDArray[np.bool_]:
        """Which pieces are slabs of their own thickness instead of solids that stand on the base, ``(P,)``."""
        return np.isfinite(np.array(self._thickness, dtype=np.float64))

    @property
    def moves(self) -> bool:
        """Whether any piece moves or turns by itself."""
        return bool(self._shuttles) or bool(np.any(self._pieces[:, pieces.MOTION]))

    @property
    def corners(self) -> FloatArray:
        """The corners of every piece, ``(P, 8, 3)``: four of its top, and those below them."""
        out = np.empty((len(self._pieces), 8, 3))
        for row, thick, corners in zip(self._pieces, self.thickness, out, strict=True):
            corners[:4] = corners[4:] = pieces.corners(row)
            corners[4:, 1] -= thick
        return out

    def move(
        self,
        piece: int,
        position: npt.ArrayLike | None = None,
        yaw: float | None = None,
        velocity: npt.ArrayLike | None = None,
        turn_rate: float | None = None,
    ) -> None:
        """Put a piece elsewhere, and say how it moves from there; what is left out stays.

        A shuttle that is given a position or a velocity leaves its way for good.

        Parameters
        ----------
        piece : its index
        position : (3,) m, the middle of its top
        yaw : rad
        velocity, turn_rate : (3,) m/s and rad/s
        """
        if not 0 <= piece < len(self._pieces):
            raise LocomoteError(f"piece {piece}: the ground has {len(self._pieces)} pieces, counted from 0")
        row = self._pieces[piece]
        if position is not None:
            row[pieces.PLACE] = checks.vector("position", position, 3)
        if velocity is not None:
            row[pieces.VELOCITY] = checks.vector("velocity", velocity, 3)
        if position is not None or velocity is not None:
            self._shuttles.pop(piece, None)
        if yaw is not None:
            row[YAW] = checks.number("yaw", yaw)
        if turn_rate is not None:
            row[TURN] = checks.number("turn_rate", turn_rate)

    def advance(self, dt: float) -> None:
        """Let ``dt`` seconds pass: every piece goes on as it moves."""
        dt = checks.number("dt", dt)
        self.time += dt
        self._pieces[:, pieces.PLACE] += dt * self._pieces[:, pieces.VELOCITY]
        self._pieces[:, YAW] += dt * self._pieces[:, TURN]
        self._run_shuttles()

    def at(self, time: float) -> Self:
        """The ground as it is at a time of its own clock, in arrays of its own, if its pieces go on as they move."""
        other = self.copy()
        other.advance(checks.number("time", time) - self.time)
        return other

    def copy(self) -> Self:
        """The same ground, which may then go its own way."""
        other = type(self)()
        other.time = self.time
        other._grid, other._frame = self._grid, self._frame  # never written to
        other._pieces = self._pieces.copy()
        other._thickness, other._shuttles = list(self._thickness), dict(self._shuttles)
        return other

    def heights(self, points: npt.ArrayLike, ahead: float = 0.0) -> FloatArray:
        """The height under points, m.

        Parameters
        ----------
        points, ahead : (..., 3) m, or (..., 2) as (x, z), and s from now
        """
        return self._ask(points, ahead)[0]

    def pieces_at(self, points: npt.ArrayLike, ahead: float = 0.0) -> IntArray:
        """The index of the piece that gives the height under points, -1 for the base.

        Parameters
        ----------
        points, ahead : (..., 3) m, or (..., 2) as (x, z), and s from now
        """
        return self._ask(points, ahead)[1]

    def height_above(self, points: npt.ArrayLike, ahead: float = 0.0) -> FloatArray:
        """How high points are over the ground, m, measured along Y.

        Parameters
        ----------
        points, ahead : (..., 3) m, and s from now
        """
        p = np.asarray(points, dtype=np.float64)
        if p.shape[-1:] != (3,):
            raise LocomoteError(f"points: expected (..., 3), got shape {p.shape}")
        out: FloatArray = p[..., 1] - self.heights(p, ahead)
        return out

    def normal(self, points: npt.ArrayLike, ahead: float = 0.0) -> FloatArray:
        """The direction ``(..., 3)`` that is square to the ground under points.

        Parameters
        ----------
        points, ahead : (..., 3) m, or (..., 2) as (x, z), and s from now
        """
        from locomote.world._kernels.ground import slopes

        places = places_of(points)
        flat = np.ascontiguousarray(places.reshape(-1, 2))
        slope = np.empty((len(flat), 2))
        slopes(flat, float(ahead), self.arrays, slope)
        up = np.stack([-slope[:, 0], np.ones(len(flat)), -slope[:, 1]], axis=1)
        up /= np.linalg.norm(up, axis=1, keepdims=True)
        return up.reshape(*places.shape[:-1], 3)

    def velocity(self, points: npt.ArrayLike) -> FloatArray:
        """The velocity ``(..., 3)`` of the ground under points, m/s."""
        places = places_of(points)
        which = self.pieces_at(places)
        if not len(self._pieces):
            return np.zeros((*which.shape, 3))
        rows = self._pieces[np.maximum(which, 0)]
        out: FloatArray = rows[..., pieces.VELOCITY].copy()
        out[..., 0] += rows[..., TURN] * (places[..., 1] - rows[..., Z])
        out[..., 2] -= rows[..., TURN] * (places[..., 0] - rows[..., X])
        return np.where((which == BASE)[..., None], 0.0, out)

    def _run_shuttles(self) -> None:
        for index, way in self._shuttles.items():
            angle = 2.0 * math.pi * (self.time / way.period + way.phase)
            row = self._pieces[index]
            row[pieces.PLACE] = way.centre + math.sin(angle) * way.travel
            row[pieces.VELOCITY] = 2.0 * math.pi / way.period * math.cos(angle) * way.travel

    def _ask(self, points: npt.ArrayLike, ahead: float) -> tuple[FloatArray, IntArray]:
        from locomote.world._kernels.ground import heights

        places = places_of(points)
        flat = np.ascontiguousarray(places.reshape(-1, 2))
        out, which = np.empty(len(flat)), np.empty(len(flat), dtype=np.int64)
        heights(flat, float(ahead), self.arrays, out, which)
        return out.reshape(places.shape[:-1]), which.reshape(places.shape[:-1])


def places_of(points: npt.ArrayLike) -> FloatArray:
    """The (x, z) of points ``(..., 3)``, or the places ``(..., 2)`` themselves."""
    p = np.asarray(points, dtype=np.float64)
    if p.shape[-1:] not in ((2,), (3,)):
        raise LocomoteError(f"points: expected (..., 3), or (..., 2) as (x, z), got shape {p.shape}")
    if not np.all(np.isfinite(p)):
        raise LocomoteError("points: expected finite numbers")
    return p if p.shape[-1] == 2 else p[..., [0, 2]]
