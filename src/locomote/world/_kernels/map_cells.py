"""One cell of the grid maps, and the base of the ground in it."""

from __future__ import annotations

import math

from locomote.math._compile import inline, part
from locomote.math.vector import Floats
from locomote.world._kernels.ground import base_height
from locomote.world._kernels.map_layout import (
    BASE,
    CELL,
    FIRST_COLUMN,
    FIRST_ROW,
    NO_PAGE,
    SAFE,
    TILE_BITS,
    TILE_MASK,
    MapArrays,
)


@inline
def tile_of(row: int, column: int, maps: MapArrays) -> tuple[int, int]:
    """The tile in which a cell lies; beyond the maps it is none of theirs."""
    return (row - int(maps.frame[FIRST_ROW])) >> TILE_BITS, (column - int(maps.frame[FIRST_COLUMN])) >> TILE_BITS


@inline
def tiles_within(row: int, column: int, last_row: int, last_column: int, maps: MapArrays) -> tuple[int, int, int, int]:
    """First and last row, first and last column of the tiles of the maps that cells lie in."""
    low, left = tile_of(row, column, maps)
    high, right = tile_of(last_row, last_column, maps)
    rows, columns = maps.versions.shape
    return max(low, 0), min(high, rows - 1), max(left, 0), min(right, columns - 1)


@inline
def pages_of(row: int, column: int, maps: MapArrays) -> tuple[int, int]:
    """The pages of the still and of the moving layer that have a cell; NO_PAGE where there is none."""
    r, c = tile_of(row, column, maps)
    if not (0 <= r < maps.versions.shape[0] and 0 <= c < maps.versions.shape[1]):
        return NO_PAGE, NO_PAGE
    return int(maps.static.pages[r, c]), int(maps.moving.pages[r, c])


@inline
def is_bare(row: int, column: int, maps: MapArrays) -> bool:
    """Whether no thing is near a cell, and its base is not kept either."""
    static, moving = pages_of(row, column, maps)
    return static == NO_PAGE and moving == NO_PAGE


@inline
def some_things(maps: MapArrays) -> bool:
    """Whether there is any thing."""
    return bool(maps.links[0, 0] < maps.links.shape[0] - 1)


@inline
def comes_first(slot: int, other: int, things: Floats) -> bool:
    """Whether a thing counts before another that is as high: that which must not be stepped on, then the first."""
    if other == BASE or things[slot, SAFE] != things[other, SAFE]:
        return other == BASE or bool(things[slot, SAFE] < things[other, SAFE])
    return slot <= other


@inline
def place_in_page(row: int, column: int, maps: MapArrays) -> tuple[int, int]:
    """Row and column of a cell within its page."""
    return (row - int(maps.frame[FIRST_ROW])) & TILE_MASK, (column - int(maps.frame[FIRST_COLUMN])) & TILE_MASK


@inline
def read_cell(row: int, column: int, maps: MapArrays) -> tuple[float, int, int, float]:
    """The top at the middle of a cell, its slot (-1: the base), its bits, and the highest of all that touches it."""
    static, moving = pages_of(row, column, maps)
    a, b = place_in_page(row, column, maps)
    if static != NO_PAGE:
        r = (static << TILE_BITS) + a
        top, owner, bits = maps.static.top[r, b], int(maps.static.owner[r, b]), int(maps.static.bits[r, b])
        peak = maps.static.peak[r, b]
    else:
        top = base_peak(row, column, maps.frame[CELL], maps.grid, maps.ground_frame)
        owner, bits, peak = BASE, 0, top
    if moving != NO_PAGE:
        r = (moving << TILE_BITS) + a
        if maps.moving.top[r, b] >= top:
            top, owner, bits = maps.moving.top[r, b], int(maps.moving.owner[r, b]), int(maps.moving.bits[r, b])
        peak = max(peak, maps.moving.peak[r, b])
    return top, owner, bits, peak


@part
def base_peak(row: int, column: int, cell: float, grid: Floats, frame: Floats) -> float:
    """The highest place of the base of the ground in a cell.

    The base is bilinear between the lines of its raster: it is highest at a corner of the cell, or where such lines
    meet one another or the sides of the cell.
    """
    if grid.shape[0] == 1 and grid.shape[1] == 1:
        level: float = grid[0, 0]
        return level
    first_z, count_z = _lines(row * cell, cell, frame[1], frame[2], grid.shape[0])
    first_x, count_x = _lines(column * cell, cell, frame[0], frame[2], grid.shape[1])
    best = -math.inf
    for i in range(-2, count_z):
        z = frame[1] + (first_z + i) * frame[2] if i >= 0 else (row + 2 + i) * cell
        for j in range(-2, count_x):
            x = frame[0] + (first_x + j) * frame[2] if j >= 0 else (column + 2 + j) * cell
            best = max(best, base_height(x, z, grid, frame))
    return best


@inline
def _lines(low: float, side: float, start: float, spacing: float, count: int) -> tuple[int, int]:
    """The first line of a raster that runs through a cell, and how many do."""
    first = max(math.ceil((low - start) / spacing), 0)
    last = min(math.floor((low + side - start) / spacing), count - 1)
    return first, max(last - first + 1, 0)
