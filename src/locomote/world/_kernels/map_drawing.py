"""Drawing things into the grid maps: only what changed is cleared and drawn again.

What a cell holds in the end does not depend on the order in which things are drawn, nor on how often: the highest
counts, of equal ones that which must not be stepped on, and then that of the lowest slot. So maps that were brought up
to date a thousand times are the same, bit for bit, as maps that were drawn at once.
"""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats
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
from locomote.world._kernels.map_outline import TOUCH, edge_paces, line_within, strip_within, top_at
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
            _draw(s, layer, maps, dirty.paces)


@inline
def _draw(slot: int, layer: Layer, maps: MapArrays, paces: Floats) -> None:
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
    below = math.inf, -math.inf  # the middles within the outline, as (from, to) along x, of the row before
    edge_paces(count, outline, paces)
    here = line_within((first + 0.5) * cell, count, outline, paces)
    for r in range(first, last + 1):
        above = line_within((r + 1.5) * cell, count, outline, paces)
        from_x, to_x = strip_within(r * cell + TOUCH, (r + 1) * cell - TOUCH, count, outline, paces)
        left, right = math.floor((from_x + TOUCH) / cell), math.floor((to_x - TOUCH) / cell)
        i, z = r - first_row, (r + 0.5) * cell
        # From where to where the middles of all four neighbours lie within the outline too.
        inner_low = max(here[0] + cell, below[0], above[0])
        inner_high = min(here[1] - cell, below[1], above[1])
        corners = 0  # bits of those near the row
        for k in range(count):
            corners |= (1 << k) if abs(outline[k, 1] - z) < near else 0
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
                if not here[0] <= x <= here[1] or top < layer.top[line, b]:
                    continue
                if top == layer.top[line, b] and not comes_first(slot, int(layer.owner[line, b]), things):
                    continue
                side = 0
                if not inner_low <= x <= inner_high:
                    side, k, rest = EDGE, 0, corners
                    while rest != 0:
                        if rest & 1 and abs(outline[k, 0] - x) < near:
                            side, rest = CORNER, 0
                        k, rest = k + 1, rest >> 1
                layer.top[line, b], layer.owner[line, b], layer.bits[line, b] = top, slot, bits | side
        below, here = here, above
