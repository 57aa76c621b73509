"""Which things touch which tiles of the grid maps, and which tiles have pages for their cells."""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Ints
from locomote.world._kernels.map_cells import base_peak
from locomote.world._kernels.map_layout import (
    ALIVE,
    BASE,
    CELL,
    CORNERS,
    FIRST_COLUMN,
    FIRST_ROW,
    MOVES,
    NO_PAGE,
    TILE_BITS,
    TILE_MASK,
    Dirty,
    Layer,
    MapArrays,
    Things,
)
from locomote.world._kernels.map_outline import TOUCH

NOT_DRAWN, IN_STATIC, IN_MOVING = 0, 1, 2  # where a thing is drawn
REDRAWN, LISTED_ANEW = 1, 2  # what has to be done for a thing that changed


@kernel
def locate(maps: MapArrays, count: int, rows: Things) -> tuple[int, int]:
    """Find the cells which things touch that changed; how many tiles the still and the moving layer may need more."""
    still, moving = 0, 0
    for s in range(count):
        if not rows.changed[s]:
            continue
        layer, goal = _layer_of(s, maps), rows.goal[s]
        goal[0], goal[1], goal[2], goal[3] = _touched(s, maps) if layer != NOT_DRAWN else (0, -1, 0, -1)
        if layer == rows.drawn[s] and _same_tiles(maps.thing_tiles[s], goal):
            rows.changed[s] = REDRAWN
            continue
        rows.changed[s] = LISTED_ANEW
        tiles = ((goal[1] >> TILE_BITS) - (goal[0] >> TILE_BITS) + 1) * (
            (goal[3] >> TILE_BITS) - (goal[2] >> TILE_BITS) + 1
        )
        still += tiles if layer == IN_STATIC else 0
        moving += tiles if layer == IN_MOVING else 0
    return still, moving


@part
def erase(layer: Layer, which: int, maps: MapArrays, count: int, rows: Things, dirty: Dirty) -> None:
    """Clear the cells of things of a layer that changed, and take from the lists what leaves tiles."""
    for s in range(count):
        if rows.changed[s] and rows.drawn[s] == which:
            _clear(s, rows.cells, layer, which == IN_STATIC, maps)
            _mark(s, which, maps, dirty)
            if rows.changed[s] == LISTED_ANEW:
                _leave(s, layer, maps)


@part
def settle(layer: Layer, which: int, maps: MapArrays, count: int, rows: Things) -> None:
    """List what comes to tiles, and give these pages; all is erased by then that changed."""
    for s in range(count):
        if not rows.changed[s] or _layer_of(s, maps) != which:
            continue
        tiles = maps.thing_tiles[s]
        for k in range(4):
            rows.cells[s, k] = rows.goal[s, k]
            tiles[k] = rows.goal[s, k] >> TILE_BITS
        rows.drawn[s] = which
        if rows.changed[s] == LISTED_ANEW and which != NOT_DRAWN:
            _enter(s, layer, which == IN_STATIC, maps)
        for r in range(tiles[0], tiles[1] + 1):
            for c in range(tiles[2], tiles[3] + 1):
                maps.versions[r, c] = maps.clock[0]


@kernel
def keep_base(row: int, column: int, rows: int, columns: int, maps: MapArrays) -> None:
    """Give tiles pages of the still layer that stay: there the base is known and need not be worked out again."""
    for r in range(row, row + rows):
        for c in range(column, column + columns):
            maps.static.users[_take_page(r, c, maps.static, True, maps)] += 1


@inline
def _layer_of(slot: int, maps: MapArrays) -> int:
    """Where a thing has to be drawn."""
    if maps.things[slot, ALIVE] == 0.0:
        return NOT_DRAWN
    return IN_MOVING if maps.things[slot, MOVES] != 0.0 else IN_STATIC


@inline
def _same_tiles(tiles: Ints, cells: Ints) -> bool:
    same = True
    for k in range(4):
        same = same and tiles[k] == cells[k] >> TILE_BITS
    return same


@inline
def _mark(slot: int, layer: int, maps: MapArrays, dirty: Dirty) -> None:
    """Give the tiles of a thing that is cleared the reading of the clock, and the bit of its layer."""
    tiles = maps.thing_tiles[slot]
    for r in range(tiles[0], tiles[1] + 1):
        for c in range(tiles[2], tiles[3] + 1):
            maps.versions[r, c] = maps.clock[0]
            if dirty.bits[r, c] == 0:
                dirty.tiles[0] += 1
                dirty.tiles[dirty.tiles[0]] = r * maps.versions.shape[1] + c
            dirty.bits[r, c] |= layer


@inline
def _touched(slot: int, maps: MapArrays) -> tuple[int, int, int, int]:
    """First and last row, first and last column of the window that a thing touches."""
    x_low, z_low, x_high, z_high = math.inf, math.inf, -math.inf, -math.inf
    for k in range(int(maps.things[slot, CORNERS])):
        x, z = maps.thing_corners[slot, k, 0], maps.thing_corners[slot, k, 1]
        x_low, z_low, x_high, z_high = min(x, x_low), min(z, z_low), max(x, x_high), max(z, z_high)
    cell, row, column = maps.frame[CELL], int(maps.frame[FIRST_ROW]), int(maps.frame[FIRST_COLUMN])
    return (
        math.floor((z_low + TOUCH) / cell) - row,
        math.floor((z_high - TOUCH) / cell) - row,
        math.floor((x_low + TOUCH) / cell) - column,
        math.floor((x_high - TOUCH) / cell) - column,
    )


@inline
def _clear(slot: int, cells: Ints, layer: Layer, still: bool, maps: MapArrays) -> None:
    """Clear all cells of a layer that a thing touches."""
    first, last, left, right = cells[slot, 0], cells[slot, 1], cells[slot, 2], cells[slot, 3]
    tiles = maps.thing_tiles[slot]
    for r in range(tiles[0], tiles[1] + 1):
        for c in range(tiles[2], tiles[3] + 1):
            low, west = r << TILE_BITS, c << TILE_BITS
            rows = max(first - low, 0), min(last - low, TILE_MASK)
            columns = max(left - west, 0), min(right - west, TILE_MASK)
            _blank(int(layer.pages[r, c]), r, c, rows, columns, layer, still, maps)


@inline
def _blank(
    page: int,
    tile_row: int,
    tile_column: int,
    rows: tuple[int, int],
    columns: tuple[int, int],
    layer: Layer,
    still: bool,
    maps: MapArrays,
) -> None:
    """Clear the first to the last row and column of a page."""
    height = -math.inf
    row = int(maps.frame[FIRST_ROW]) + (tile_row << TILE_BITS)
    column = int(maps.frame[FIRST_COLUMN]) + (tile_column << TILE_BITS)
    for a in range(rows[0], rows[1] + 1):
        r = (page << TILE_BITS) + a
        for b in range(columns[0], columns[1] + 1):
            if still:
                height = base_peak(row + a, column + b, maps.frame[CELL], maps.grid, maps.ground_frame)
            layer.top[r, b], layer.peak[r, b] = height, height
            layer.owner[r, b], layer.bits[r, b] = BASE, 0


@inline
def _leave(slot: int, layer: Layer, maps: MapArrays) -> None:
    """Take a thing from the lists of its tiles, and their pages from those that no other needs."""
    tiles, links = maps.thing_tiles[slot], maps.links
    for r in range(tiles[0], tiles[1] + 1):
        for c in range(tiles[2], tiles[3] + 1):
            before, entry = NO_PAGE, int(maps.heads[r, c])
            while links[entry, 0] != slot:
                before, entry = entry, int(links[entry, 1])
            if before == NO_PAGE:
                maps.heads[r, c] = links[entry, 1]
            else:
                links[before, 1] = links[entry, 1]
            links[entry, 1], links[0, 1] = links[0, 1], entry
            links[0, 0] += 1
            page = layer.pages[r, c]
            layer.users[page] -= 1
            if layer.users[page] == 0:
                layer.pages[r, c] = NO_PAGE
                layer.spare[0] += 1
                layer.spare[layer.spare[0]] = page


@inline
def _enter(slot: int, layer: Layer, still: bool, maps: MapArrays) -> None:
    """List a thing in its tiles, which have pages of its layer then."""
    tiles, links = maps.thing_tiles[slot], maps.links
    for r in range(tiles[0], tiles[1] + 1):
        for c in range(tiles[2], tiles[3] + 1):
            entry = links[0, 1]
            links[0, 0], links[0, 1] = links[0, 0] - 1, links[entry, 1]
            links[entry, 0], links[entry, 1] = slot, maps.heads[r, c]
            maps.heads[r, c] = entry
            layer.users[_take_page(r, c, layer, still, maps)] += 1


@inline
def _take_page(r: int, c: int, layer: Layer, still: bool, maps: MapArrays) -> int:
    """The page of a tile, a blank one where it had none."""
    page = int(layer.pages[r, c])
    if page == NO_PAGE:
        page = int(layer.spare[layer.spare[0]])
        layer.spare[0] -= 1
        layer.pages[r, c] = page
        _blank(page, r, c, (0, TILE_MASK), (0, TILE_MASK), layer, still, maps)
    return page
