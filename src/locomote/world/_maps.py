"""Grid maps of the world, for who plans where feet go: what stands in every cell, and how high."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.world import _checks as checks
from locomote.world._ground import Ground
from locomote.world._kernels.map_layout import (
    AT_CORNER,
    AT_EDGE,
    BASE,
    CORNER,
    EDGE,
    FIRST_COLUMN,
    FIRST_ROW,
    GROUND,
    GROWN,
    INSIDE,
    INTERIOR,
    SIZE_INCREASE,
    TILE,
    MapArrays,
)
from locomote.world._map_sheet import MOST_CELLS, Sheet
from locomote.world._obstacles import Obstacles
from locomote.world._slots import Slots
from locomote.world._surface import places_of

ByteArray = npt.NDArray[np.uint8]

CELL = 0.07  # m, the side of a cell
AROUND = 70  # cells along a side of the window about a place
LEAST_CELL, MOST_CELL = 0.005, 1.0  # m


class Window(NamedTuple):
    """A part of the maps as one foot sees it."""

    x_low: float  # m, of the low corner of the first cell
    z_low: float
    heights: FloatArray  # (rows along z, columns along x) metres
    flags: ByteArray  # bits of `locomote.world._kernels.map_layout`


class Maps:
    """A ground and its obstacles in square cells; `update` brings them up to date.

    >>> obstacles = Obstacles()
    >>> crate = obstacles.add_box((0.0, 1.0), (0.5, 0.5), height=0.3, safe=True)
    >>> maps = Maps(Ground(), obstacles)
    >>> maps.surface([(0.0, 1.0), (0.0, 2.0)])[0].tolist()
    [0.3, 0.0]

    Parameters
    ----------
    ground, obstacles : what is drawn
    cell : m
    """

    def __init__(self, ground: Ground | None = None, obstacles: Obstacles | None = None, cell: float = CELL) -> None:
        self.ground = Ground() if ground is None else ground
        self.obstacles = Obstacles() if obstacles is None else obstacles
        self.cell = checks.positive("cell", cell)
        if not LEAST_CELL <= self.cell <= MOST_CELL:
            raise LocomoteError(f"cell: expected {LEAST_CELL:g} to {MOST_CELL:g} m, got {cell!r}")
        self._slots = Slots()
        self._seen_pieces: FloatArray = np.empty((0, 0))
        self._seen: tuple[Obstacles, int] | None = None  # and their version
        self._moving: IntArray = np.zeros(0, dtype=np.int64)  # rows of those that move by themselves
        self._sheet = Sheet(self.cell, self.ground)
        self.update()

    def __repr__(self) -> str:
        x, z, far_x, far_z = self.area
        return f"<Maps: cells of {self.cell:g} m, {far_x - x:.1f} m x {far_z - z:.1f} m>"

    @property
    def arrays(self) -> MapArrays:
        """The maps for `locomote.world._kernels.map_reading`; ask again after every `update`."""
        return self._sheet.arrays

    def update(self) -> None:
        """Bring the maps up to date with the ground and the obstacles as they are now."""
        from locomote.world._kernels.map_things import ThingRows, place_obstacles, place_pieces

        slots, terrain = self._slots, self.ground.arrays
        pieces = terrain.pieces
        ids, table, corners = self.obstacles.rows
        now = self.obstacles, self.obstacles.version
        known = self._seen is not None and self._seen[0] is now[0] and self._seen[1] == now[1]
        gone = slots.match(ids, len(pieces))
        bounds = np.array([np.inf, np.inf, -np.inf, -np.inf])
        ground_moved = not np.array_equal(pieces, self._seen_pieces)
        changed = gone
        rows = ThingRows(slots.things, slots.corners, slots.footings, slots.changed)
        if ground_moved:
            self._seen_pieces = pieces.copy()
            changed |= place_pieces(pieces, slots.of_pieces, rows, bounds)
        # While nobody touches them, only those change that move by themselves: few of many, as a rule.
        which = self._moving if known and not ground_moved else np.arange(len(ids))
        changed |= place_obstacles(table, corners, slots.of_obstacles, which, ground_moved, terrain, rows, bounds)
        if not known:
            self._seen, self._moving = None, np.flatnonzero(self.obstacles.moving)
        self._sheet.update(slots, pieces, bounds, changed)  # may refuse: then all are looked at again
        self._seen = now

    def rebuild(self) -> None:
        """Draw everything anew; the maps stay as they are, bit for bit, as `update` leaves nothing undone."""
        self.update()
        self._sheet.bake(self._slots)

    def surface(self, points: npt.ArrayLike) -> tuple[FloatArray, IntArray]:
        """The exact height under points ``(..., 3)`` or places ``(..., 2)``, and the slot of what gives it."""
        from locomote.world._kernels.map_reading import surfaces

        places = places_of(points)
        flat = np.ascontiguousarray(places.reshape(-1, 2))
        heights, slots = np.empty(len(flat)), np.empty(len(flat), dtype=np.int64)
        surfaces(flat, self.arrays, heights, slots)
        return heights.reshape(places.shape[:-1]), slots.reshape(places.shape[:-1])

    def window(
        self,
        row: int,
        column: int,
        rows: int,
        columns: int,
        foot_box: Sequence[float] = (0.0, 0.0),
        foot_yaw: float = 0.0,
    ) -> Window:
        """So many rows and columns of cells from a first one on, as a foot sees them.

        Parameters
        ----------
        row, column : of the first cell, along z and x
        rows, columns : how many
        foot_box, foot_yaw : (2,) m, half width and half length of the foot, and rad
        """
        from locomote.world._kernels.map_growth import FootBox
        from locomote.world._kernels.map_reading import window

        half_width, half_length = checks.vector("foot_box", foot_box, 2)
        checks.not_negative("foot_box", min(half_width, half_length))
        heights, flags = np.empty((rows, columns)), np.empty((rows, columns), dtype=np.uint8)
        x_low, z_low = column * self.cell, row * self.cell
        foot = FootBox(float(half_width), float(half_length), checks.number("foot_yaw", foot_yaw))
        window(self.arrays, x_low, z_low, foot, heights, flags)
        return Window(x_low, z_low, heights, flags)

    def around(
        self,
        place: npt.ArrayLike,
        foot_box: Sequence[float] = (0.0, 0.0),
        foot_yaw: float = 0.0,
        cells: int = AROUND,
    ) -> Window:
        """A square window about the cell of a place.

        Parameters
        ----------
        place : (2,) m, as (x, z)
        foot_box, foot_yaw : (2,) m, half width and half length of the foot, and rad
        cells : along a side
        """
        x, z = checks.vector("place", place, 2)
        half = checks.whole("cells", cells, 1, 4096) // 2
        row, column = int(np.floor(z / self.cell)) - half, int(np.floor(x / self.cell)) - half
        return self.window(row, column, cells, cells, foot_box, foot_yaw)

    def heights(self) -> FloatArray:
        """The highest surface in every cell ``(R, C)`` of the area that things cover; `area` tells where it lies."""
        from locomote.world._kernels.map_reading import peaks

        row, column, rows, columns = self._extent()
        out = np.empty((rows, columns))
        peaks(self.arrays, row, column, out)
        return out

    def classes(self, foot_box: Sequence[float] = (0.0, 0.0), foot_yaw: float = 0.0) -> ByteArray:
        """What every cell ``(R, C)`` of that area is to a foot: 0 ground, 1 on a thing, 2 edge, 3 corner, 4 grown.

        Parameters
        ----------
        foot_box, foot_yaw : (2,) m, half width and half length of the foot, and rad
        """
        return classes_of(self.window(*self._extent(), foot_box, foot_yaw).flags)

    @property
    def area(self) -> tuple[float, float, float, float]:
        """The lowest x and z and the highest x and z of the area that the maps cover, metres."""
        rows, columns = self.arrays.versions.shape
        x, z = (float(each) for each in self.arrays.frame[:2])
        return x, z, x + columns * TILE * self.cell, z + rows * TILE * self.cell

    def _extent(self) -> tuple[int, int, int, int]:
        """First row and column of that area, and how many rows and columns it has."""
        rows, columns = (TILE * each for each in self.arrays.versions.shape)
        if rows * columns > MOST_CELLS:
            raise LocomoteError(f"maps: {rows} x {columns} cells are too many for one array; ask for a `window`")
        return int(self.arrays.frame[FIRST_ROW]), int(self.arrays.frame[FIRST_COLUMN]), rows, columns

    def slot_of_obstacle(self, obstacle: int) -> int:
        """The slot of an obstacle in `arrays.things`."""
        return self._slots.of_obstacle(obstacle)

    def slot_of_piece(self, piece: int) -> int:
        """The slot of a piece of the ground in `arrays.things`."""
        return self._slots.of_piece(piece)

    def obstacle_of_slot(self, slot: int) -> int | None:
        """The id of the obstacle in a slot; None for the base and pieces of the ground."""
        return None if slot == BASE else self._slots.obstacle_in(slot)


def classes_of(flags: ByteArray) -> ByteArray:
    """The one class of each cell: what it is on top of a thing, else whether it is too near to one."""
    out = np.full(flags.shape, GROUND, dtype=np.uint8)
    out[(flags & INSIDE) != 0] = INTERIOR
    out[(flags & EDGE) != 0] = AT_EDGE
    out[(flags & CORNER) != 0] = AT_CORNER
    out[(flags & GROWN) != 0] = SIZE_INCREASE
    return out
