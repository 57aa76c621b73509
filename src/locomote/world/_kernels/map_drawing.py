"""Drawing things into the grid maps: only what changed is cleared and drawn again.

What a cell holds in the end does not depend on the order in which things are drawn, nor on how often: the highest
counts, of equal ones that which must not be stepped on, and then that of the lowest slot. So maps that were brought up
to date a thousand times are the same, bit for bit, as maps that were drawn at once.
"""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel, part
from locomote.world._kernels.map_cells import base_peak, comes_first
from locomote.world._kernels.map_layout import (
    CELL,
    CORNER,
    CORNERS,
    EDGE,
    FIRST_COLUMN,
    FIRST_ROW,
    FLAT,
    INSIDE,
    LOW,
    NO_PAGE,
    NO_STAND,
    PEAK,
    SAFE,
    SLOPE_X,
    SLOPE_Z,
    TILE_BITS,
    TILE_MASK,
    YAW,
    Dirty,
    Layer,
    MapArrays,
    Things,
)
from locomote.world._kernels.map_outline import TOUCH, row_spans, top_at
from locomote.world._kernels.map_tiles import IN_MOVING, IN_STATIC, NOT_DRAWN, erase, settle

CORNER_REACH = 1.25  # cells from a corner of an outline within which a cell on its edge is at a corner


@kernel
def redraw(maps: MapArrays, count: int, rows: Things, dirty: Dirty) -> None:
    """Bring the cells of things that changed up to date, and of those whose cells were cleared with them.

    Of the first ``count`` slots; `locate` comes first, and room for what it found. Nothing is changed or dirty then.
    """
    maps.clock[0] += 1
    erase(maps.static, IN_STATIC, maps, count, rows, dirty)
    erase(maps.moving, IN_MOVING, maps, count, rows, dirty)
    settle(maps.static, NOT_DRAWN, maps, count, rows)
    settle(maps.static, IN_STATIC, maps, count, rows)
    settle(maps.moving, IN_MOVING, maps, count, rows)
    for n in range(1, dirty.tiles[0] + 1):
        r, c = divmod(dirty.tiles[n], maps.versions.shape[1])
        entry = maps.heads[r, c]
        while entry != NO_PAGE:
            s = maps.links[entry, 0]
            if rows.drawn[s] & dirty.bits[r, c]:
                rows.changed[s] = 1
            entry = maps.links[entry, 1]
        dirty.bits[r, c] = 0
    dirty.tiles[0] = 0
    _draw_all(maps.static, IN_STATIC, maps, count, rows, dirty)
    _draw_all(maps.moving, IN_MOVING, maps, count, rows, dirty)
    rows.changed[:count] = 0


@part
def _draw_all(layer: Layer, which: int, maps: MapArrays, count: int, rows: Things, dirty: Dirty) -> None:
    for s in range(count):
        if rows.changed[s] and rows.drawn[s] == which:
            _draw(s, layer, maps, dirty)


@inline
def _draw(slot: int, layer: Layer, maps: MapArrays, scratch: Dirty) -> None:
    """Draw one thing into a layer."""
    things, cell = maps.things, maps.frame[CELL]
    first_row, first_column = int(maps.frame[FIRST_ROW]), int(maps.frame[FIRST_COLUMN])
    peak = things[slot, PEAK]
    count, outline = int(things[slot, CORNERS]), maps.thing_corners[slot]
    across, along = things[slot, SLOPE_X], things[slot, SLOPE_Z]
    slack = 0.0  # by how much the top may be higher elsewhere in a cell than at its middle
    if across != 0.0 or along != 0.0:
        sine, cosine = math.sin(things[slot, YAW]), math.cos(things[slot, YAW])
        slack = 0.5 * cell * (abs(cosine * across + sine * along) + abs(cosine * along - sine * across))
    sloping, flat = slack > 0.0, things[slot, FLAT] != 0.0
    near = CORNER_REACH * cell
    bits = INSIDE | (NO_STAND if things[slot, SAFE] == 0.0 else 0)
    z_low, z_high = math.inf, -math.inf
    for k in range(count):
        z_low, z_high = min(z_low, outline[k, 1]), max(z_high, outline[k, 1])
    first, last = math.floor((z_low + TOUCH) / cell), math.floor((z_high - TOUCH) / cell)
    spans = scratch.spans
    row_spans(first, last, cell, count, outline, spans)
    for r in range(first, last + 1):
        n = r - first + 1
        from_x, to_x = spans[n, 0], spans[n, 1]  # of the middles within the outline
        left, right = math.floor((spans[n, 2] + TOUCH) / cell), math.floor((spans[n, 3] - TOUCH) / cell)
        i, z = r - first_row, (r + 0.5) * cell
        # From where to where the middles of all four neighbours lie within the outline too.
        inner_low = max(from_x + cell, spans[n - 1, 0], spans[n + 1, 0])
        inner_high = min(to_x - cell, spans[n - 1, 1], spans[n + 1, 1])
        corners = 0  # how many are near the row, whose x are in scratch.corners
        for k in range(count):
            scratch.corners[corners] = outline[k, 0]
            corners += 1 if abs(outline[k, 1] - z) < near else 0
        c = left
        while c <= right:
            # As many cells as lie side by side in a tile.
            j = c - first_column
            line = (int(layer.pages[i >> TILE_BITS, j >> TILE_BITS]) << TILE_BITS) + (i & TILE_MASK)
            end = min(right, c + TILE_MASK - (j & TILE_MASK))
            for b in range(j & TILE_MASK, (j & TILE_MASK) + end - c + 1):
                x = (c + 0.5) * cell
                top = peak
                if sloping:
                    top = min(max(top_at(x, z, slot, things) + slack, things[slot, LOW]), peak)
                if flat:
                    top = max(top, base_peak(r, c, cell, maps.grid, maps.ground_frame))
                c += 1
                if top > layer.peak[line, b]:
                    layer.peak[line, b] = top
                if not from_x <= x <= to_x or top < layer.top[line, b]:
                    continue
                if top == layer.top[line, b] and not comes_first(slot, int(layer.owner[line, b]), things):
                    continue
                side = 0
                if not inner_low <= x <= inner_high:
                    side = EDGE
                    for k in range(corners):
                        side = CORNER if abs(scratch.corners[k] - x) < near else side
                layer.top[line, b], layer.owner[line, b], layer.bits[line, b] = top, slot, bits | side
