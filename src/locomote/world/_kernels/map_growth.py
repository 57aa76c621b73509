"""The window of a planner with things grown by the foot: where it would meet the side of one it must not stand."""

from __future__ import annotations

import math

import numpy as np

from locomote.math._compile import maker
from locomote.math.vector import Floats
from locomote.world._kernels.map_layout import (
    CELL,
    CORNERS,
    FIRST_COLUMN,
    FIRST_ROW,
    FLAT,
    FLUSH,
    GROWN,
    LOW,
    MOST_CORNERS,
    PEAK,
    RADIUS,
    SAFE,
    SLOPE_X,
    SLOPE_Z,
    TILE_BITS,
    MapArrays,
    X,
    Z,
)
from locomote.world._kernels.map_outline import (
    TOUCH,
    Bytes,
    foot_box,
    grow_outline,
    line_span,
    strip_span,
    top_at,
)


@maker
def grow_window(
    maps: MapArrays,
    row: int,
    column: int,
    rows: int,
    columns: int,
    foot_a: float,
    foot_b: float,
    foot_yaw: float,
    elev: Floats,
    flags: Bytes,
) -> None:
    """Mark the cells GROWN in which a foot would meet a thing, for `map_reading.fill_window`.

    Every place in a cell counts, not only its middle. The outcome does not depend on the order of things.
    """
    cell, things = maps.frame[CELL], maps.things
    box, grown = np.empty((4, 2)), np.empty((MOST_CORNERS + 4, 2))
    foot_box(foot_a, foot_b, foot_yaw, box)
    reach = math.sqrt(foot_a * foot_a + foot_b * foot_b)
    first_row, first_column = int(maps.frame[FIRST_ROW]), int(maps.frame[FIRST_COLUMN])
    wider = int(reach / cell) + 1
    low = max((row - wider - first_row) >> TILE_BITS, 0)
    high = min((row + rows + wider - first_row) >> TILE_BITS, maps.versions.shape[0] - 1)
    left = max((column - wider - first_column) >> TILE_BITS, 0)
    right = min((column + columns + wider - first_column) >> TILE_BITS, maps.versions.shape[1] - 1)
    x_low, x_high = column * cell - reach, (column + columns) * cell + reach
    z_low, z_high = row * cell - reach, (row + rows) * cell + reach
    for tile_row in range(low, high + 1):
        for tile_column in range(left, right + 1):
            tile = tile_row * maps.versions.shape[1] + tile_column
            for m in range(maps.tile_starts[tile], maps.tile_starts[tile + 1]):
                s = maps.tile_members[m]
                # A thing that lies in several of these tiles is looked at in the first of them only.
                tiles = maps.thing_tiles[s]
                if tile_row != max(tiles[0], low) or tile_column != max(tiles[2], left):
                    continue
                x, z, radius = things[s, X], things[s, Z], things[s, RADIUS]
                if x + radius < x_low or x - radius > x_high or z + radius < z_low or z - radius > z_high:
                    continue
                count = int(things[s, CORNERS])
                corners = grow_outline(count, maps.thing_corners[s], box, grown)
                steep = math.sqrt(things[s, SLOPE_X] ** 2 + things[s, SLOPE_Z] ** 2)
                margin = FLUSH if things[s, SAFE] != 0.0 else -FLUSH
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
                    c_low = max(math.floor((from_x + TOUCH) / cell), column)
                    c_high = min(math.floor((to_x - TOUCH) / cell), column + columns - 1)
                    for c in range(c_low, c_high + 1):
                        centre_x = (c + 0.5) * cell
                        if own_from <= centre_x <= own_to:
                            continue
                        # What the cell is without any growth, so that other things do not hide this one.
                        i, j = r - first_row, c - first_column
                        here = elev[r - row, c - column]
                        if 0 <= i < maps.static_top.shape[0] and 0 <= j < maps.static_top.shape[1]:
                            here = max(maps.static_top[i, j], maps.moving_top[i, j])
                        height = things[s, PEAK]
                        if steep > 0.0:
                            height = max(min(top_at(centre_x, centre_z, s, things), height), things[s, LOW])
                        if things[s, FLAT] != 0.0:
                            height = max(height, here)
                        if height > here + margin:
                            flags[r - row, c - column] |= GROWN
                            height = min(height + steep * (reach + cell), things[s, PEAK])
                            elev[r - row, c - column] = max(elev[r - row, c - column], height)
