"""Drawing things into the grid maps: only what changed is cleared and drawn again.

What a cell holds in the end does not depend on the order in which things are drawn, nor on how often: the highest
counts, of equal ones that which must not be stepped on, and then that of the lowest slot. So maps that were brought up
to date a thousand times are the same, bit for bit, as maps that were drawn at once.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints
from locomote.world._kernels.map_layout import (
    ALIVE,
    BASE,
    CELL,
    CORNER,
    CORNERS,
    EDGE,
    FIRST_COLUMN,
    FIRST_ROW,
    FLAT,
    INSIDE,
    LOW,
    MOVES,
    NO_STAND,
    PEAK,
    SAFE,
    SLOPE_X,
    SLOPE_Z,
    TILE_BITS,
    YAW,
    MapArrays,
)
from locomote.world._kernels.map_outline import TOUCH, Bytes, line_span, strip_span, top_at
from locomote.world._kernels.map_reading import base_peak

Ints32 = npt.NDArray[np.int32]

CORNER_REACH = 1.25  # cells from a corner of an outline within which a cell on its edge is at a corner
NOT_DRAWN, IN_STATIC, IN_MOVING = 0, 1, 2  # where a thing is drawn


@kernel
def bake_base(maps: MapArrays) -> None:
    """Draw the base of the ground alone."""
    rows, columns = maps.static_top.shape
    _clear_static(0, rows - 1, 0, columns - 1, maps)
    maps.moving_top[:], maps.moving_peak[:] = -math.inf, -math.inf
    maps.moving_owner[:], maps.moving_class[:] = BASE, 0


@kernel
def erase(maps: MapArrays, count: int, changed: Bytes, drawn: Bytes, cells: Ints, dirty: Bytes) -> bool:
    """Clear the cells of things that changed, and find those which they touch now; whether any are in other tiles.

    Of the first ``count`` slots: where each was ``drawn (S,)`` and its ``cells (S, 4)`` are brought up to date;
    ``dirty (TR, TC)`` gets a bit for either layer that was cleared.
    """
    moved = False
    maps.clock[0] += 1
    for s in range(count):
        if not changed[s]:
            continue
        if drawn[s] != NOT_DRAWN:
            if drawn[s] == IN_STATIC:
                _clear_static(cells[s, 0], cells[s, 1], cells[s, 2], cells[s, 3], maps)
            else:
                _clear_moving(cells[s, 0], cells[s, 1], cells[s, 2], cells[s, 3], maps)
            _mark(s, drawn[s], maps, dirty)
        alive = maps.things[s, ALIVE] != 0.0
        drawn[s] = (IN_MOVING if maps.things[s, MOVES] != 0.0 else IN_STATIC) if alive else NOT_DRAWN
        moved = _find_cells(s, alive, maps, cells) or moved
        if alive:
            _mark(s, 0, maps, dirty)
    return moved


@kernel
def sort_into_tiles(count: int, thing_tiles: Ints, tile_rows: int, tile_columns: int) -> tuple[Ints, Ints]:
    """The slots that touch each tile, in order: where each tile begins, ``(TR * TC + 1,)``, and the slots."""
    starts = np.zeros(tile_rows * tile_columns + 1, dtype=np.int64)
    for s in range(count):
        for r in range(thing_tiles[s, 0], thing_tiles[s, 1] + 1):
            for c in range(thing_tiles[s, 2], thing_tiles[s, 3] + 1):
                starts[r * tile_columns + c + 1] += 1
    for tile in range(tile_rows * tile_columns):
        starts[tile + 1] += starts[tile]
    members = np.empty(starts[-1], dtype=np.int64)
    filled = starts[:-1].copy()
    for s in range(count):
        for r in range(thing_tiles[s, 0], thing_tiles[s, 1] + 1):
            for c in range(thing_tiles[s, 2], thing_tiles[s, 3] + 1):
                members[filled[r * tile_columns + c]] = s
                filled[r * tile_columns + c] += 1
    return starts, members


@kernel
def draw(maps: MapArrays, count: int, changed: Bytes, drawn: Bytes, dirty: Bytes) -> None:
    """Draw things that changed, and those whose cells were cleared with them; nothing is changed or dirty then."""
    for tile_row in range(dirty.shape[0]):
        for tile_column in range(dirty.shape[1]):
            if not dirty[tile_row, tile_column]:
                continue
            tile = tile_row * dirty.shape[1] + tile_column
            for m in range(maps.tile_starts[tile], maps.tile_starts[tile + 1]):
                s = maps.tile_members[m]
                if drawn[s] & dirty[tile_row, tile_column]:
                    changed[s] = 1
            dirty[tile_row, tile_column] = 0
    for s in range(count):
        if changed[s]:
            changed[s] = 0
            if drawn[s] == IN_STATIC:
                _draw(
                    s, maps.static_top, maps.static_peak, maps.static_owner, maps.static_class,
                    maps.things, maps.thing_corners, maps.frame, maps.grid, maps.ground_frame,
                )  # fmt: skip
            elif drawn[s] == IN_MOVING:
                _draw(
                    s, maps.moving_top, maps.moving_peak, maps.moving_owner, maps.moving_class,
                    maps.things, maps.thing_corners, maps.frame, maps.grid, maps.ground_frame,
                )  # fmt: skip


@inline
def _clear_static(first: int, last: int, left: int, right: int, maps: MapArrays) -> None:
    cell, first_row, first_column = (
        maps.frame[CELL],
        int(maps.frame[FIRST_ROW]),
        int(maps.frame[FIRST_COLUMN]),
    )
    for i in range(first, last + 1):
        for j in range(left, right + 1):
            height = base_peak(first_row + i, first_column + j, cell, maps.grid, maps.ground_frame)
            maps.static_top[i, j], maps.static_peak[i, j] = height, height
            maps.static_owner[i, j], maps.static_class[i, j] = BASE, 0


@inline
def _clear_moving(first: int, last: int, left: int, right: int, maps: MapArrays) -> None:
    for i in range(first, last + 1):
        for j in range(left, right + 1):
            maps.moving_top[i, j], maps.moving_peak[i, j] = -math.inf, -math.inf
            maps.moving_owner[i, j], maps.moving_class[i, j] = BASE, 0


@inline
def _mark(slot: int, layer: int, maps: MapArrays, dirty: Bytes) -> None:
    """Give the tiles of a thing the reading of the clock, and the bit of a layer that was cleared in them."""
    tiles = maps.thing_tiles[slot]
    for r in range(tiles[0], tiles[1] + 1):
        for c in range(tiles[2], tiles[3] + 1):
            maps.versions[r, c] = maps.clock[0]
            dirty[r, c] |= layer


@inline
def _find_cells(slot: int, alive: bool, maps: MapArrays, cells: Ints) -> bool:
    """Find the rows and columns of the window that a thing touches, and its tiles; whether these are others."""
    first, last, left, right = 0, -1, 0, -1
    if alive:
        x_low, z_low, x_high, z_high = math.inf, math.inf, -math.inf, -math.inf
        for k in range(int(maps.things[slot, CORNERS])):
            x, z = maps.thing_corners[slot, k, 0], maps.thing_corners[slot, k, 1]
            x_low, z_low, x_high, z_high = min(x, x_low), min(z, z_low), max(x, x_high), max(z, z_high)
        cell = maps.frame[CELL]
        first_row, first_column = int(maps.frame[FIRST_ROW]), int(maps.frame[FIRST_COLUMN])
        first = math.floor((z_low + TOUCH) / cell) - first_row
        last = math.floor((z_high - TOUCH) / cell) - first_row
        left = math.floor((x_low + TOUCH) / cell) - first_column
        right = math.floor((x_high - TOUCH) / cell) - first_column
    cells[slot, 0], cells[slot, 1], cells[slot, 2], cells[slot, 3] = first, last, left, right
    tiles = maps.thing_tiles[slot]
    same = tiles[0] == first >> TILE_BITS and tiles[1] == last >> TILE_BITS
    same = same and tiles[2] == left >> TILE_BITS and tiles[3] == right >> TILE_BITS
    tiles[0], tiles[1] = first >> TILE_BITS, last >> TILE_BITS
    tiles[2], tiles[3] = left >> TILE_BITS, right >> TILE_BITS
    return not same


@part
def _draw(
    slot: int,
    tops: Floats,
    peaks: Floats,
    owners: Ints32,
    classes: Bytes,
    things: Floats,
    thing_corners: Floats,
    frame: Floats,
    grid: Floats,
    ground_frame: Floats,
) -> None:
    """Draw one thing into a layer."""
    cell, peak = frame[CELL], things[slot, PEAK]
    first_row, first_column = int(frame[FIRST_ROW]), int(frame[FIRST_COLUMN])
    count, outline = int(things[slot, CORNERS]), thing_corners[slot]
    sine, cosine = math.sin(things[slot, YAW]), math.cos(things[slot, YAW])
    across, along = things[slot, SLOPE_X], things[slot, SLOPE_Z]
    # By how much the top may be higher elsewhere in a cell than at its middle.
    slack = 0.5 * cell * (abs(cosine * across + sine * along) + abs(cosine * along - sine * across))
    sloping, flat = slack > 0.0, things[slot, FLAT] != 0.0
    near = CORNER_REACH * cell
    bits = INSIDE | (NO_STAND if things[slot, SAFE] == 0.0 else 0)
    z_low, z_high = math.inf, -math.inf
    for k in range(count):
        z_low, z_high = min(z_low, outline[k, 1]), max(z_high, outline[k, 1])
    first, last = math.floor((z_low + TOUCH) / cell), math.floor((z_high - TOUCH) / cell)
    below = math.inf, -math.inf  # the middles within the outline, as (from, to) along x, of the row before
    here = line_span((first + 0.5) * cell, count, outline)
    for r in range(first, last + 1):
        above = line_span((r + 1.5) * cell, count, outline)
        from_x, to_x = strip_span(r * cell + TOUCH, (r + 1) * cell - TOUCH, count, outline)
        left, right = math.floor((from_x + TOUCH) / cell), math.floor((to_x - TOUCH) / cell)
        i, z = r - first_row, (r + 0.5) * cell
        # From where to where the middles of all four neighbours lie within the outline too.
        inner_low = max(here[0] + cell, below[0], above[0])
        inner_high = min(here[1] - cell, below[1], above[1])
        for c in range(left, right + 1):
            j, x = c - first_column, (c + 0.5) * cell
            top = peak
            if sloping:
                top = min(max(top_at(x, z, slot, things) + slack, things[slot, LOW]), peak)
            if flat:
                top = max(top, base_peak(r, c, cell, grid, ground_frame))
            if top > peaks[i, j]:
                peaks[i, j] = top
            if not here[0] <= x <= here[1] or top < tops[i, j]:
                continue
            if top == tops[i, j] and not _first(slot, owners[i, j], things):
                continue
            side = 0
            if not inner_low <= x <= inner_high:
                side = EDGE
                for k in range(count):
                    if abs(outline[k, 0] - x) < near and abs(outline[k, 1] - z) < near:
                        side = CORNER
            tops[i, j], owners[i, j], classes[i, j] = top, slot, bits | side
        below, here = here, above


@inline
def _first(slot: int, other: int, things: Floats) -> bool:
    """Whether a thing counts before another that is as high."""
    if other == BASE or things[slot, SAFE] != things[other, SAFE]:
        return other == BASE or things[slot, SAFE] < things[other, SAFE]
    return slot <= other
