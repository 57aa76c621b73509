"""The sheet of cells on which the grid maps are drawn: it covers all things, and grows when one leaves it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.world._ground import Ground
from locomote.world._kernels.map_layout import TILE, MapArrays
from locomote.world._slots import Slots

MARGIN = 2.0  # m about things that are there at first
HEADROOM = 0.25  # of the sheet, by which it grows at least where a thing leaves it
MOST_CELLS = 12_000_000  # some 500 MB; 240 m x 240 m of 7 cm
# What belongs to one cell lies side by side: things are small, and most of the time goes into fetching memory.
_CELL = np.dtype([("top", np.float64), ("peak", np.float64), ("owner", np.int32), ("class", np.uint8)], align=True)


class Sheet:
    """The arrays of the maps, whole tiles of cells."""

    def __init__(self, cell: float, ground: Ground) -> None:
        self.cell = cell
        _, grid, frame = ground.arrays
        tiles = self._raster_tiles(grid, frame)
        self._tiles = np.array([0, 0, 1, 1]) if tiles is None else tiles  # first and last + 1, as (row, column)
        self._empty = tiles is None  # until something is put on it there is no place that it should cover
        self._ground = ground
        self._dirty: npt.NDArray[np.uint8] = np.zeros((1, 1), dtype=np.uint8)
        self.arrays = self._blank(Slots(), 0)

    def update(self, slots: Slots, pieces: FloatArray, bounds: FloatArray, changed: bool) -> None:
        """Draw what changed, whose ``bounds`` are the lowest x and z and the highest x and z."""
        kept = self.arrays
        if slots.things is not kept.things or pieces is not kept.pieces:
            self.arrays = kept._replace(
                things=slots.things, thing_corners=slots.corners, thing_tiles=slots.tiles, pieces=pieces
            )
        if not changed:
            return
        if bounds[0] <= bounds[2] and not self._covers(bounds):
            self._grow(bounds)
            self.bake(slots)
        else:
            self._redraw(slots)

    def bake(self, slots: Slots) -> None:
        """Draw everything on a new sheet."""
        self.arrays = self._blank(slots, int(self.arrays.clock[0]) + 1)
        slots.drawn[:], slots.changed[: slots.count] = 0, 1
        self._redraw(slots)

    def _redraw(self, slots: Slots) -> None:
        from locomote.world._kernels.map_drawing import draw, erase, sort_into_tiles

        moved = erase(self.arrays, slots.count, slots.changed, slots.drawn, slots.cells, self._dirty)
        if moved:
            starts, members = sort_into_tiles(slots.count, slots.tiles, *self._dirty.shape)
            self.arrays = self.arrays._replace(tile_starts=starts, tile_members=members)
        draw(self.arrays, slots.count, slots.changed, slots.drawn, self._dirty)

    def _blank(self, slots: Slots, clock: int) -> MapArrays:
        from locomote.world._kernels.map_drawing import bake_base

        first_row, first_column, last_row, last_column = (TILE * self._tiles).tolist()
        shape = last_row - first_row, last_column - first_column
        tiles = shape[0] // TILE, shape[1] // TILE
        self._dirty = np.zeros(tiles, dtype=np.uint8)
        slots.tiles[:] = 0, -1, 0, -1
        static, moving = np.empty(shape, dtype=_CELL), np.empty(shape, dtype=_CELL)
        corner = first_column * self.cell, first_row * self.cell
        arrays = MapArrays(
            frame=np.array([*corner, self.cell, first_row, first_column]),
            static_top=static["top"],
            static_peak=static["peak"],
            static_owner=static["owner"],
            static_class=static["class"],
            moving_top=moving["top"],
            moving_peak=moving["peak"],
            moving_owner=moving["owner"],
            moving_class=moving["class"],
            versions=np.full(tiles, clock, dtype=np.int64),
            clock=np.array([clock], dtype=np.int64),
            tile_starts=np.zeros(tiles[0] * tiles[1] + 1, dtype=np.int64),
            tile_members=np.zeros(0, dtype=np.int64),
            thing_tiles=slots.tiles,
            things=slots.things,
            thing_corners=slots.corners,
            pieces=self._ground.arrays[0],
            grid=self._ground.arrays[1],
            ground_frame=self._ground.arrays[2],
        )
        bake_base(arrays)
        return arrays

    def _covers(self, bounds: FloatArray) -> bool:
        cells = self._cells_of(bounds)
        inside = cells[:2] >= TILE * self._tiles[:2], cells[2:] <= TILE * self._tiles[2:]
        return not self._empty and bool(np.all(inside))

    def _grow(self, bounds: FloatArray) -> None:
        """Cover bounds as well, with a margin; on a side where something leaves the sheet it grows by a share."""
        old = TILE * self._tiles
        needed = self._cells_of(bounds + np.array([-MARGIN, -MARGIN, MARGIN, MARGIN]))
        if not self._empty:
            more = (HEADROOM * (old[2:] - old[:2])).astype(np.int64)
            tight = self._cells_of(bounds)
            needed[:2] = np.where(tight[:2] < old[:2], np.minimum(needed[:2], old[:2] - more), old[:2])
            needed[2:] = np.where(tight[2:] > old[2:], np.maximum(needed[2:], old[2:] + more), old[2:])
        tiles = _whole_tiles(needed)
        if _size(tiles) > MOST_CELLS:
            wide, long = (bounds[2:] - bounds[:2]).tolist()
            raise LocomoteError(
                f"maps: things spread over too many cells ({_size(tiles)}; what moved or came reaches over "
                f"{wide:.0f} m x {long:.0f} m); choose a larger cell, or remove what is far away"
            )
        self._tiles, self._empty = tiles, False

    def _raster_tiles(self, grid: FloatArray, frame: FloatArray) -> npt.NDArray[np.int64] | None:
        """The tiles of a rastered base, so that its cells are looked up and not worked out; none if too many."""
        if grid.size == 1:
            return None
        far = frame[:2] + frame[2] * (np.array(grid.shape[::-1]) - 1)
        tiles = _whole_tiles(self._cells_of(np.array([*frame[:2], *far])))
        return tiles if _size(tiles) <= MOST_CELLS // 2 else None

    def _cells_of(self, bounds: FloatArray) -> npt.NDArray[np.int64]:
        """First row and column, and those after the last, of a rectangle of the plan."""
        x_low, z_low, x_high, z_high = bounds / self.cell
        return np.array([np.floor(z_low), np.floor(x_low), np.floor(z_high) + 1, np.floor(x_high) + 1], dtype=np.int64)


def _whole_tiles(cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.concatenate([cells[:2] // TILE, -(-cells[2:] // TILE)])


def _size(tiles: npt.NDArray[np.int64]) -> int:
    return int((tiles[2] - tiles[0]) * (tiles[3] - tiles[1])) * TILE * TILE
