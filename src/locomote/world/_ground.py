"""The ground: a level or rastered base, and flat pieces on it, some of which move."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from os import PathLike

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.world import _checks as checks
from locomote.world import _pieces as pieces
from locomote.world._noise import hills
from locomote.world._surface import Shuttle, Surface

STEEPEST = math.radians(60.0)  # of a slope
MOST_STEPS = 1000  # of one flight of stairs
MOST_CELLS = 25_000_000  # of a raster


class Ground(Surface):
    """Heights for every place; the highest of the base and of the pieces that cover the place counts.

    >>> ground = Ground()
    >>> steps = ground.add_stairs((0.0, 1.0), count=3, rise=0.2, tread=0.3)
    >>> float(ground.heights((0.0, 1.4)))
    0.4
    """

    def __repr__(self) -> str:
        pieces, grid, _ = self.arrays
        base = "level" if grid.size == 1 else f"heights {grid.shape[0]} x {grid.shape[1]}"
        return f"<Ground: {base}, {len(pieces)} pieces>"

    @classmethod
    def from_heights(cls, heights: npt.ArrayLike, cell: float, corner: Sequence[float] = (0.0, 0.0)) -> Ground:
        """A raster of heights.

        Parameters
        ----------
        heights : (R, C) m, rows along z and columns along x
        cell : m, between them
        corner : (2,) m, (x, z) of the first
        """
        try:
            grid = np.array(heights, dtype=np.float64)
        except (TypeError, ValueError):
            grid = np.empty(0)
        if grid.ndim != 2 or min(grid.shape) < 2 or grid.size > MOST_CELLS:
            raise LocomoteError(
                f"heights: expected rows and columns of numbers, at least 2 x 2, got shape {grid.shape}"
            )
        if not np.all(np.isfinite(grid)):
            row, column = np.argwhere(~np.isfinite(grid))[0]
            raise LocomoteError(f"heights: row {row}, column {column} is not finite")
        ground = cls()
        ground._grid = grid
        ground._frame = np.array([*checks.vector("corner", corner, 2), checks.positive("cell", cell)])
        return ground

    @classmethod
    def from_function(
        cls,
        heights: Callable[[FloatArray, FloatArray], npt.ArrayLike],
        size: Sequence[float],
        cell: float = 0.1,
        corner: Sequence[float] | None = None,
    ) -> Ground:
        """The heights that a function gives; beyond its edges they are held.

        Parameters
        ----------
        heights : from arrays of x and z to heights, m
        size, cell : (2,) m, across and along, and m
        corner : (2,) m, the lowest (x, z); about the origin without it
        """
        across, along = checks.sizes("size", size)
        cell = checks.positive("cell", cell)
        columns, rows = (math.ceil(side / cell - 1e-9) + 1 for side in (across, along))
        if rows * columns > MOST_CELLS:
            raise LocomoteError(f"size: {rows} x {columns} cells; choose a larger cell")
        middle = -0.5 * cell * (columns - 1), -0.5 * cell * (rows - 1)
        low = checks.vector("corner", middle if corner is None else corner, 2)
        x, z = np.meshgrid(low[0] + cell * np.arange(columns), low[1] + cell * np.arange(rows))
        try:
            grid = np.broadcast_to(np.asarray(heights(x, z), dtype=np.float64), x.shape)
        except (TypeError, ValueError):
            raise LocomoteError(
                f"heights: expected a function of arrays x and z that gives one number for each of {x.shape}"
            ) from None
        return cls.from_heights(grid, cell, low.tolist())

    @classmethod
    def from_image(
        cls,
        path: str | PathLike[str],
        cell: float,
        height: float,
        corner: Sequence[float] | None = None,
    ) -> Ground:
        """A grey picture: black is 0, up in the picture is +z and right is +x.

        Parameters
        ----------
        path : of the picture
        cell : m, between pixels
        height : m, of white
        corner : (2,) m, (x, z) of the lower left pixel; about the origin without it
        """
        from locomote.world._images import read_grey

        grey = read_grey(path)[::-1]
        cell = checks.positive("cell", cell)
        rows, columns = grey.shape
        middle = -0.5 * cell * (columns - 1), -0.5 * cell * (rows - 1)
        return cls.from_heights(checks.number("height", height) * grey, cell, middle if corner is None else corner)

    @classmethod
    def rough(
        cls,
        seed: int = 0,
        size: Sequence[float] = (20.0, 20.0),
        amplitude: float = 0.15,
        feature: float = 2.0,
        cell: float = 0.1,
    ) -> Ground:
        """Random hills about the origin; level outside.

        Parameters
        ----------
        seed : of the hills
        size : (2,) m, across and along
        amplitude, feature : m, how high and how far apart hills are
        cell : m
        """
        width, length = checks.sizes("size", size)
        cell, feature = checks.positive("cell", cell), checks.positive("feature", feature)
        if feature < 2.0 * cell or min(width, length) < 2.0 * feature:
            raise LocomoteError(
                f"feature: expected two cells or more ({2.0 * cell:g} m) and at most half of the size "
                f"({0.5 * min(width, length):g} m), got {feature:g}"
            )
        columns, rows = (int(checks.number("size", side) / cell) + 1 for side in (width, length))
        if rows * columns > MOST_CELLS:
            raise LocomoteError(f"size: {rows} x {columns} cells; choose a larger cell")
        heights = checks.not_negative("amplitude", amplitude) * hills(
            checks.whole("seed", seed, 0, 2**63), rows, columns, feature / cell
        )
        return cls.from_heights(heights, cell, (-0.5 * cell * (columns - 1), -0.5 * cell * (rows - 1)))

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Ground:
        """The ground that a TOML file describes."""
        from locomote.world._reading import read_ground

        return read_ground(path)

    def add_box(self, centre: Sequence[float], size: Sequence[float], top: float, yaw: float = 0.0) -> int:
        """A level block; gives back its index.

        Parameters
        ----------
        centre, size : (2,) m, as (x, z), and (2,) m, across and along
        top, yaw : m and rad
        """
        row = pieces.level(
            checks.vector("centre", centre, 2),
            checks.sizes("size", size),
            checks.number("top", top),
            checks.number("yaw", yaw),
        )
        return self._add([row])[0]

    def add_ramp(
        self,
        start: Sequence[float],
        length: float,
        low: float,
        high: float,
        yaw: float = 0.0,
        width: float = 2.0,
    ) -> int:
        """A plane from one height to another.

        Parameters
        ----------
        start : (2,) m as (x, z), the middle of its edge
        length : m, along the yaw
        low, high : m, at the start and at the end
        yaw, width : rad and m
        """
        place, yaw, width = self._footing(start, yaw, width)
        length = checks.positive("length", length)
        low, high = checks.number("low", low), checks.number("high", high)
        if abs(high - low) > math.tan(STEEPEST) * length:
            raise LocomoteError(f"ramp: steeper than {math.degrees(STEEPEST):.0f} degrees")
        return self._add([pieces.sloping(place, yaw, width, length, low, high)])[0]

    def add_slope(
        self,
        start: Sequence[float],
        length: float,
        angle: float,
        yaw: float = 0.0,
        width: float = 2.0,
        landing: float = 2.0,
        base: float | None = None,
    ) -> tuple[int, ...]:
        """A plane at an angle with a level landing at its high end; gives back the indices of both.

        Parameters
        ----------
        start : (2,) m, as (x, z)
        length : m, in the plan
        angle : rad, up or down along the yaw; downhill the landing comes first
        yaw, width : rad and m
        landing : m
        base : m, of the low end; the ground that is there unless given
        """
        place, yaw, width = self._footing(start, yaw, width)
        length, landing = checks.positive("length", length), checks.not_negative("landing", landing)
        if abs(checks.number("angle", angle)) > STEEPEST:
            raise LocomoteError(f"angle: expected at most {STEEPEST:.3f} rad (60 degrees), got {angle!r}")
        rise = length * math.tan(abs(angle))
        down = angle < 0.0
        low_end = pieces.ahead(place, yaw, landing + length) if down else place
        low = self._height_there(low_end, base)
        plane_start = pieces.ahead(place, yaw, landing if down else 0.0)
        ends = (low + rise, low) if down else (low, low + rise)
        rows = [pieces.sloping(plane_start, yaw, width, length, *ends)]
        if landing > 0.0:
            middle = pieces.ahead(place, yaw, 0.5 * landing if down else length + 0.5 * landing)
            rows.append(pieces.level(middle, np.array([width, landing]), low + rise, yaw))
        return self._add(rows)

    def add_stairs(
        self,
        start: Sequence[float],
        count: int,
        rise: float = 0.17,
        tread: float = 0.29,
        yaw: float = 0.0,
        width: float = 2.0,
        down: bool = False,
        landing: float | None = None,
        base: float | None = None,
    ) -> tuple[int, ...]:
        """Rises along a yaw, up to a landing or down from it; gives back the indices of the steps along the way.

        Parameters
        ----------
        start : (2,) m as (x, z), of the first riser; downstairs of the landing
        count : of rises
        rise, tread : m
        yaw, width : rad and m
        down : the landing comes first
        landing : m, length of the highest step; a tread unless given
        base : m, of the lower end; the ground that is there unless given
        """
        place, yaw, width = self._footing(start, yaw, width)
        count = checks.whole("count", count, 1, MOST_STEPS)
        rise, tread = checks.positive("rise", rise), checks.positive("tread", tread)
        landing = tread if landing is None else checks.positive("landing", landing)
        far = pieces.ahead(place, yaw, landing + tread * (count - 1))
        low = self._height_there(far if down else place, base)
        return self._add(pieces.stairs(place, yaw, width, count, rise, tread, landing, low, bool(down)))

    def add_kerb(
        self,
        start: Sequence[float],
        length: float = 2.0,
        rise: float = 0.12,
        yaw: float = 0.0,
        width: float = 4.0,
    ) -> int:
        """A pavement, one rise above the ground at its edge.

        Parameters
        ----------
        start : (2,) m as (x, z), the middle of the edge
        length, rise : m, along the yaw and up
        yaw, width : rad and m
        """
        (index,) = self.add_stairs(start, 1, rise, checks.positive("length", length), yaw, width)
        return index

    def add_platform(
        self,
        centre: Sequence[float],
        size: Sequence[float],
        top: float,
        yaw: float = 0.0,
        velocity: Sequence[float] = (0.0, 0.0, 0.0),
        turn_rate: float = 0.0,
        thickness: float = 0.1,
    ) -> int:
        """A slab that moves and turns evenly; `advance` moves it.

        Parameters
        ----------
        centre, size : (2,) m, as (x, z), and (2,) m, across and along
        top, yaw : m and rad
        velocity, turn_rate : (3,) m/s and rad/s, about its middle
        thickness : m
        """
        moving, turning = checks.vector("velocity", velocity, 3), checks.number("turn_rate", turn_rate)
        thickness = checks.positive("thickness", thickness)
        index = self.add_box(centre, size, top, yaw)
        self._thickness[index] = thickness
        self.move(index, velocity=moving, turn_rate=turning)
        return index

    def add_shuttle(
        self,
        centre: Sequence[float],
        size: Sequence[float],
        top: float,
        travel: Sequence[float],
        period: float,
        phase: float = 0.0,
        yaw: float = 0.0,
        turn_rate: float = 0.0,
        thickness: float = 0.1,
    ) -> int:
        """A slab that goes smoothly to and fro: ``centre + travel * sin(2 pi (time / period + phase))``.

        Parameters
        ----------
        centre, size : (2,) m, as (x, z), and (2,) m, across and along
        top : m
        travel : (3,) m, from the middle to one end
        period : s
        phase : periods; with 0.25 it begins at one end, at rest
        yaw, turn_rate, thickness : rad, rad/s and m
        """
        far, period = checks.vector("travel", travel, 3), checks.positive("period", period)
        phase = checks.number("phase", phase)
        index = self.add_platform(centre, size, top, yaw, turn_rate=turn_rate, thickness=thickness)
        self._shuttles[index] = Shuttle(self._pieces[index, pieces.PLACE].copy(), far, period, phase)
        self._run_shuttles()
        return index

    def mesh(self) -> tuple[FloatArray, IntArray]:
        """Vertices ``(V, 3)`` and triangles ``(T, 3)``, counter-clockwise from outside."""
        from locomote.world._mesh import base_mesh, piece_mesh

        parts = [base_mesh(self._grid, self._frame, self._pieces)]
        for row, depth, slab in zip(self._pieces, self.thickness, self.floating, strict=True):
            top = pieces.corners(row)[:, 1]
            parts.append(piece_mesh(row, (top if slab else np.full(4, top.max())) - depth))
        shifts = np.cumsum([0, *(len(vertices) for vertices, _ in parts[:-1])])
        vertices = np.concatenate([v for v, _ in parts])
        return vertices, np.concatenate([t + s for (_, t), s in zip(parts, shifts, strict=True)])

    def _footing(self, start: Sequence[float], yaw: float, width: float) -> tuple[FloatArray, float, float]:
        return checks.vector("start", start, 2), checks.number("yaw", yaw), checks.positive("width", width)

    def _height_there(self, place: FloatArray, base: float | None) -> float:
        return float(self.heights(place)) if base is None else checks.number("base", base)

    def _add(self, rows: list[FloatArray]) -> tuple[int, ...]:
        first = len(self._pieces)
        self._pieces = np.concatenate([self._pieces, rows])
        self._thickness += [math.inf] * len(rows)
        return tuple(range(first, len(self._pieces)))
