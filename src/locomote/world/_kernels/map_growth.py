"""The window of a planner with things grown by the foot: where it would meet the side of one it must not stand.

What moves is grown by its way as well: it is everywhere that it will be until the foot stands, and where it will be
while the foot stands is marked.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, maker, part
from locomote.math.vector import Floats
from locomote.world._kernels.ground import base_height
from locomote.world._kernels.map_cells import read_cell, tiles_within
from locomote.world._kernels.map_layout import (
    BASE,
    CELL,
    CORNERS,
    FLAT,
    FLUSH,
    GROWN,
    LIP,
    LOW,
    MET,
    MOST_CORNERS,
    MOVES,
    NO_PAGE,
    PEAK,
    PIECE,
    RADIUS,
    SAFE,
    SLOPE_X,
    SLOPE_Z,
    SWEPT,
    TURN,
    VX,
    VY,
    VZ,
    MapArrays,
    X,
    Z,
)
from locomote.world._kernels.map_outline import (
    TOUCH,
    Bytes,
    convex_hull,
    foot_box,
    grow_outline,
    line_span,
    strip_span,
    top_at,
)

_ROUND = 0.6  # m round the window from where things that move may come into it
_MOMENTS = 3  # at which a thing that moves is looked at: now, half-way and at the end; it is taken to be all between


class FootBox(NamedTuple):
    """A foot that is to be set down, about its middle, and when."""

    half_width: float  # m, to either side
    half_length: float  # m, to the front and the back
    yaw: float  # rad
    passes: float = 0.0  # s for which what moves is passed over wherever it will be
    lands: float = 0.0  # s until it stands; with 0 things are taken as they are
    leaves: float = 0.0  # s until it lifts again


class _Growth(NamedTuple):
    """A thing that is grown, and the window that it is drawn in."""

    slot: int
    row: int  # of the first cell of the window
    column: int
    reach: float  # m, from the middle of the foot to a corner
    rises: float  # m by which the thing will have risen
    high: bool  # it must be passed over
    elev: Floats
    flags: Bytes


@maker
def grow_window(maps: MapArrays, row: int, column: int, foot: FootBox, elev: Floats, flags: Bytes) -> None:
    """Mark the cells GROWN in which a foot would meet a thing, for `map_reading.fill_window`.

    Every place in a cell counts, not only its middle. The outcome does not depend on the order of things.
    """
    cell, things, (rows, columns) = maps.frame[CELL], maps.things, elev.shape
    box, grown = np.empty((4, 2)), np.empty((_MOMENTS * MOST_CORNERS + 4, 2))
    points, way = np.empty((_MOMENTS * MOST_CORNERS, 2)), np.empty((_MOMENTS * MOST_CORNERS + 1, 2))
    foot_box(foot.half_width, foot.half_length, foot.yaw, box)
    reach = math.sqrt(foot.half_width * foot.half_width + foot.half_length * foot.half_length)
    wider = int((reach + (_ROUND if foot.lands > 0.0 else 0.0)) / cell) + 1
    low, high, left, right = tiles_within(
        row - wider, column - wider, row + rows + wider, column + columns + wider, maps
    )
    x_low, x_high = column * cell - reach, (column + columns) * cell + reach
    z_low, z_high = row * cell - reach, (row + rows) * cell + reach
    for tile_row in range(low, high + 1):
        for tile_column in range(left, right + 1):
            entry = maps.heads[tile_row, tile_column]
            while entry != NO_PAGE:
                s = int(maps.links[entry, 0])
                entry = maps.links[entry, 1]
                # A thing that lies in several of these tiles is looked at in the first of them only.
                tiles = maps.thing_tiles[s]
                if tile_row != max(tiles[0], low) or tile_column != max(tiles[2], left):
                    continue
                x, z, radius = things[s, X], things[s, Z], things[s, RADIUS]
                goes = foot.lands > 0.0 and things[s, MOVES] != 0.0
                if goes:
                    radius += foot.leaves * math.sqrt(things[s, VX] ** 2 + things[s, VZ] ** 2)
                if x + radius < x_low or x - radius > x_high or z + radius < z_low or z - radius > z_high:
                    continue
                count = int(things[s, CORNERS])
                if not goes:
                    corners = grow_outline(count, maps.thing_corners[s], box, grown)
                    _mark(_Growth(s, row, column, reach, 0.0, True, elev, flags), GROWN, corners, grown, maps)
                    continue
                before = -1.0
                for k in range(3):
                    until = foot.passes if k == 0 else foot.lands if k == 1 else foot.leaves
                    if until <= before:
                        continue
                    before = until
                    corners = grow_outline(_swept(s, until, maps, points, way), way, box, grown)
                    rises = max(rise_within(until, s, maps), 0.0)
                    growth = _Growth(s, row, column, reach, rises, k == 0, elev, flags)
                    _mark(growth, SWEPT if k == 2 else GROWN, corners, grown, maps)


@part
def _swept(s: int, seconds: float, maps: MapArrays, points: Floats, way: Floats) -> int:
    """Fill ``way`` with the outline of all places that a thing takes within a time; its corners' number."""
    thing, outline = maps.things[s], maps.thing_corners[s]
    count, n = int(thing[CORNERS]), 0
    for moment in range(_MOMENTS):
        t = seconds * moment / (_MOMENTS - 1)
        sine, cosine = math.sin(t * thing[TURN]), math.cos(t * thing[TURN])
        for k in range(count):
            x, z = outline[k, 0] - thing[X], outline[k, 1] - thing[Z]
            points[n, 0] = thing[X] + t * thing[VX] + cosine * x + sine * z
            points[n, 1] = thing[Z] + t * thing[VZ] + cosine * z - sine * x
            n += 1
    return convex_hull(n, points, way)


@part
def _mark(growth: _Growth, bit: int, corners: int, grown: Floats, maps: MapArrays) -> None:
    """Mark the cells that a grown outline touches, those of the thing itself left out."""
    s, row, column, elev, flags = growth.slot, growth.row, growth.column, growth.elev, growth.flags
    things, cell = maps.things, maps.frame[CELL]
    rows, columns = elev.shape
    count = int(things[s, CORNERS])
    steep = math.sqrt(things[s, SLOPE_X] ** 2 + things[s, SLOPE_Z] ** 2)
    margin = lip_of(s, things) if things[s, SAFE] != 0.0 else -FLUSH
    bottom, top = math.inf, -math.inf
    for k in range(corners):
        bottom, top = min(bottom, grown[k, 1]), max(top, grown[k, 1])
    begin = max(math.floor((bottom + TOUCH) / cell), row)
    end = min(math.floor((top - TOUCH) / cell), row + rows - 1)
    for r in range(begin, end + 1):
        from_x, to_x = strip_span(r * cell + TOUCH, (r + 1) * cell - TOUCH, corners, grown)
        if from_x + TOUCH >= to_x:
            continue
        centre_z = (r + 0.5) * cell
        own_from, own_to = line_span(centre_z, count, maps.thing_corners[s])
        met_from, met_to = line_span(centre_z, corners, grown)
        c_low = max(math.floor((from_x + TOUCH) / cell), column)
        c_high = min(math.floor((to_x - TOUCH) / cell), column + columns - 1)
        for c in range(c_low, c_high + 1):
            centre_x = (c + 0.5) * cell
            if own_from <= centre_x <= own_to:
                continue
            # What the cell is without any growth, so that other things do not hide this one.
            here, owner, _, _ = read_cell(r, c, maps)
            bare = owner == BASE
            height = _top_beside(centre_x, centre_z, here, steep, s, things) + growth.rises
            if bare and margin > 0.0 and here - cell < height <= here + margin:
                here = _lowest(r, c, maps)  # it counts as high as anywhere in the cell; the foot may stand lower
            if height <= here + margin:
                continue
            flags[r - row, c - column] |= bit
            if bit == GROWN and met_from <= centre_x <= met_to:
                flags[r - row, c - column] |= MET
            if growth.high:
                height = min(height + steep * (growth.reach + cell), things[s, PEAK] + growth.rises)
                elev[r - row, c - column] = max(elev[r - row, c - column], height)


@inline
def rise_within(seconds: float, s: int, maps: MapArrays) -> float:
    """How far (m) a thing rises within a time, by itself and with the ground that it drives over."""
    if s == BASE or maps.things[s, MOVES] == 0.0:
        return 0.0
    thing = maps.things[s]
    here = base_height(thing[X], thing[Z], maps.grid, maps.ground_frame)
    x, z = thing[X] + seconds * thing[VX], thing[Z] + seconds * thing[VZ]
    rise: float = seconds * thing[VY] + base_height(x, z, maps.grid, maps.ground_frame) - here
    return rise


@part
def _lowest(row: int, column: int, maps: MapArrays) -> float:
    """The lowest corner of the base of the ground in a cell."""
    low, cell = math.inf, maps.frame[CELL]
    for k in range(4):
        x, z = (column + k % 2) * cell, (row + k // 2) * cell
        low = min(low, base_height(x, z, maps.grid, maps.ground_frame))
    return low


@inline
def lip_of(s: int, things: Floats) -> float:
    """By how much (m) a thing may stand out beside a foot."""
    return FLUSH if things[s, PIECE] != 0.0 else LIP


@inline
def _top_beside(x: float, z: float, here: float, steep: float, s: int, things: Floats) -> float:
    """How high a thing is next to a place that is ``here`` high."""
    height: float = things[s, PEAK]
    if steep > 0.0:
        height = max(min(top_at(x, z, s, things), height), things[s, LOW])
    if things[s, FLAT] != 0.0:
        height = max(height, here)
    return height
