"""The arrays of the grid maps: a window of tiles that grows with what leaves it, and pages for those in use."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.world._ground import Ground
from locomote.world._kernels.map_layout import MOST_CORNERS, NO_PAGE, TILE, Dirty, Ints32, Layer, MapArrays, Things
from locomote.world._slots import Slots

MARGIN = 2.0  # m about things that are there at first
HEADROOM = 0.25  # of the window, or of the pages, by which they grow at least
MOST_HEADROOM = 1024  # cells by which a window grows beyond what is needed
MOST_TILES = 8_000_000  # of the window, some 200 MB; 3.1 km x 3.1 km with cells of 7 cm
MOST_CELLS = 12_000_000  # in pages, some 290 MB; 240 m x 240 m of 7 cm
_LEAST_MORE = 64  # pages or entries of lists
# What belongs to one cell lies side by side: things are small, and most of the time goes into fetching memory.
_CELL = np.dtype([("top", np.float64), ("peak", np.float64), ("owner", np.int32), ("bits", np.uint8)], align=True)


class Sheet:
    """The arrays of the maps."""

    def __init__(self, cell: float, ground: Ground) -> None:
        self.cell = cell
        self._ground = ground
        _, grid, frame = ground.arrays
        tiles = self._raster_tiles(grid, frame)
        self._base_tiles = tiles  # where a rastered base is looked up and not worked out
        self._tiles = np.array([0, 0, 1, 1]) if tiles is None else tiles  # first and last + 1, as (row, column)
        self._empty = tiles is None  # until something is put on it there is no place that it should cover
        self._dirty = _clean((0, 0))
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
            self._grow(bounds, slots)
        self._redraw(slots)

    def bake(self, slots: Slots) -> None:
        """Draw everything on a new sheet."""
        self.arrays = self._blank(slots, int(self.arrays.clock[0]))
        slots.drawn[:], slots.changed[: slots.count] = 0, 1
        slots.tiles[:] = slots.cells[:] = 0, -1, 0, -1
        self._redraw(slots)

    def _redraw(self, slots: Slots) -> None:
        from locomote.world._kernels.map_drawing import redraw
        from locomote.world._kernels.map_tiles import locate

        rows = Things(slots.changed, slots.drawn, slots.cells, slots.goal)
        self._make_room(*locate(self.arrays, slots.count, rows))
        redraw(self.arrays, slots.count, rows, self._dirty)

    def _blank(self, slots: Slots, clock: int) -> MapArrays:
        from locomote.world._kernels.map_tiles import keep_base

        first_row, first_column, last_row, last_column = self._tiles.tolist()
        tiles = last_row - first_row, last_column - first_column
        self._dirty = _clean(tiles)
        arrays = MapArrays(
            frame=self._frame(),
            static=_no_pages(tiles),
            moving=_no_pages(tiles),
            versions=np.full(tiles, clock + 1, dtype=np.int64),
            clock=np.array([clock], dtype=np.int64),
            heads=np.full(tiles, NO_PAGE, dtype=np.int32),
            links=np.zeros((1, 2), dtype=np.int32),
            thing_tiles=slots.tiles,
            things=slots.things,
            thing_corners=slots.corners,
            pieces=self._ground.arrays[0],
            grid=self._ground.arrays[1],
            ground_frame=self._ground.arrays[2],
        )
        if self._base_tiles is not None:
            rows, columns = (self._base_tiles[2:] - self._base_tiles[:2]).tolist()
            arrays = arrays._replace(static=_with_pages(arrays.static, rows * columns))
            row, column = (self._base_tiles[:2] - self._tiles[:2]).tolist()
            keep_base(row, column, rows, columns, arrays)
        return arrays

    def _make_room(self, still: int, moving: int) -> None:
        """See that there are so many free pages in the layers, and entries for the lists of tiles."""
        kept = self.arrays
        more = [
            max(needed - int(layer.spare[0]), 0) and _more(needed - int(layer.spare[0]), len(layer.users))
            for needed, layer in ((still, kept.static), (moving, kept.moving))
        ]
        pages = len(kept.static.users) + len(kept.moving.users) + sum(more)
        if sum(more) and pages * TILE * TILE > MOST_CELLS:
            raise LocomoteError(
                f"maps: things cover too many cells ({pages * TILE * TILE}, at most {MOST_CELLS}); "
                "choose a larger cell, or remove what is far away"
            )
        if sum(more):
            kept = kept._replace(static=_with_pages(kept.static, more[0]), moving=_with_pages(kept.moving, more[1]))
        free = int(kept.links[0, 0])
        if still + moving > free:
            kept = kept._replace(links=_with_links(kept.links, _more(still + moving - free, len(kept.links))))
        self.arrays = kept

    def _covers(self, bounds: FloatArray) -> bool:
        cells = self._cells_of(bounds)
        inside = cells[:2] >= TILE * self._tiles[:2], cells[2:] <= TILE * self._tiles[2:]
        return not self._empty and bool(np.all(inside))

    def _grow(self, bounds: FloatArray, slots: Slots) -> None:
        """Cover bounds as well, with a margin; on a side where something leaves the window it grows by a share."""
        had, kept = self._tiles, self.arrays
        old = TILE * had
        needed = self._cells_of(bounds + np.array([-MARGIN, -MARGIN, MARGIN, MARGIN]))
        if not self._empty:
            more = np.minimum((HEADROOM * (old[2:] - old[:2])).astype(np.int64), MOST_HEADROOM)
            tight = self._cells_of(bounds)
            needed[:2] = np.where(tight[:2] < old[:2], np.minimum(needed[:2], old[:2] - more), old[:2])
            needed[2:] = np.where(tight[2:] > old[2:], np.maximum(needed[2:], old[2:] + more), old[2:])
        tiles = _whole_tiles(needed)
        count = int((tiles[2] - tiles[0]) * (tiles[3] - tiles[1]))
        if count > MOST_TILES:
            wide, long = (bounds[2:] - bounds[:2]).tolist()
            raise LocomoteError(
                f"maps: things spread over too many cells ({count * TILE * TILE}; what moved or came reaches over "
                f"{wide:.0f} m x {long:.0f} m); choose a larger cell, or remove what is far away"
            )
        empty, self._tiles, self._empty = self._empty, tiles, False
        if empty:
            self.arrays = self._blank(slots, int(kept.clock[0]))
            return
        row, column = (had[:2] - tiles[:2]).tolist()
        there = slice(row, row + kept.versions.shape[0]), slice(column, column + kept.versions.shape[1])
        shape = int(tiles[2] - tiles[0]), int(tiles[3] - tiles[1])
        tables = []
        for table, blank in (
            (kept.static.pages, NO_PAGE), (kept.moving.pages, NO_PAGE), (kept.heads, NO_PAGE), (kept.versions, 0)
        ):  # fmt: skip
            grown = np.full(shape, blank, dtype=table.dtype)
            grown[there] = table
            tables.append(grown)
        drawn = slots.drawn != 0
        slots.tiles[drawn] += (row, row, column, column)
        slots.cells[drawn] += (TILE * row, TILE * row, TILE * column, TILE * column)
        self._dirty = _clean(shape)
        self.arrays = kept._replace(
            frame=self._frame(),
            static=kept.static._replace(pages=tables[0]),
            moving=kept.moving._replace(pages=tables[1]),
            heads=tables[2],
            versions=tables[3],
        )

    def _frame(self) -> FloatArray:
        first_row, first_column = (TILE * self._tiles[:2]).tolist()
        return np.array([first_column * self.cell, first_row * self.cell, self.cell, first_row, first_column])

    def _raster_tiles(self, grid: FloatArray, frame: FloatArray) -> IntArray | None:
        """The tiles of a rastered base, so that its cells are looked up and not worked out; none if too many."""
        if grid.size == 1:
            return None
        far = frame[:2] + frame[2] * (np.array(grid.shape[::-1]) - 1)
        tiles = _whole_tiles(self._cells_of(np.array([*frame[:2], *far])))
        cells = int((tiles[2] - tiles[0]) * (tiles[3] - tiles[1])) * TILE * TILE
        return tiles if cells <= MOST_CELLS // 2 else None

    def _cells_of(self, bounds: FloatArray) -> IntArray:
        """First row and column, and those after the last, of a rectangle of the plan."""
        x_low, z_low, x_high, z_high = bounds / self.cell
        return np.array([np.floor(z_low), np.floor(x_low), np.floor(z_high) + 1, np.floor(x_high) + 1], dtype=np.int64)


def _whole_tiles(cells: IntArray) -> IntArray:
    return np.concatenate([cells[:2] // TILE, -(-cells[2:] // TILE)])


def _more(missing: int, count: int) -> int:
    """By how many pages or entries there should be more."""
    return max(missing, _LEAST_MORE, int(HEADROOM * count))


def _clean(tiles: tuple[int, int]) -> Dirty:
    queue = np.zeros(tiles[0] * tiles[1] + 1, dtype=np.int32)
    spans = np.zeros((TILE * tiles[0] + 2, 4))
    return Dirty(np.zeros(tiles, dtype=np.uint8), queue, spans, np.zeros(MOST_CORNERS))


def _no_pages(tiles: tuple[int, int]) -> Layer:
    """A layer with one free page: columns of none would be contiguous, another kind of array to compiled code."""
    cells = np.empty((0, TILE), dtype=_CELL)
    none = _layer(np.full(tiles, NO_PAGE, dtype=np.int32), cells, np.zeros(0, np.int32), np.zeros(1, np.int32))
    return _with_pages(none, 1)


def _with_pages(layer: Layer, more: int) -> Layer:
    """A layer with so many more pages, which are free."""
    count = len(layer.users)
    cells = np.empty(((count + more) * TILE, TILE), dtype=_CELL)
    if count:
        cells[: count * TILE] = layer.top.base
    spare = np.zeros(count + more + 1, dtype=np.int32)
    free = int(layer.spare[0])
    spare[: free + 1] = layer.spare[: free + 1]
    spare[free + 1 : free + 1 + more] = np.arange(count + more - 1, count - 1, -1)
    spare[0] = free + more
    users = np.concatenate([layer.users, np.zeros(more, dtype=np.int32)])
    return _layer(layer.pages, cells, users, spare)


def _layer(pages: Ints32, cells: npt.NDArray[np.void], users: Ints32, spare: Ints32) -> Layer:
    return Layer(pages, cells["top"], cells["peak"], cells["owner"], cells["bits"], users, spare)


def _with_links(links: Ints32, more: int) -> Ints32:
    """The lists of tiles with so many more free entries, in front of those that were free."""
    count = len(links)
    out: Ints32 = np.concatenate([links, np.zeros((more, 2), dtype=np.int32)])
    out[count:, 1] = np.arange(count + 1, count + more + 1)
    out[-1, 1] = links[0, 1]
    out[0] = links[0, 0] + more, count
    return out
