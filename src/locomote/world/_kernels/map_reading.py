"""Reading the grid maps of the world: tops of cells, exact heights, things that carry feet, windows for planners."""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints, Pair, Vector
from locomote.world._kernels.ground import base_height
from locomote.world._kernels.map_cells import (
    base_peak,
    comes_first,
    pages_of,
    place_in_page,
    read_cell,
    some_things,
    tile_of,
    tiles_within,
)
from locomote.world._kernels.map_growth import FootBox, grow_window
from locomote.world._kernels.map_layout import (
    ALIVE,
    BASE,
    CELL,
    FLAT,
    FLUSH,
    GROWN,
    NO_PAGE,
    RADIUS,
    TILE,
    TILE_BITS,
    TURN,
    VX,
    VZ,
    YAW,
    MapArrays,
    X,
    Y,
    Z,
)
from locomote.world._kernels.map_outline import Bytes, holds, top_at


@inline
def cell_of(x: float, z: float, maps: MapArrays) -> tuple[int, int]:
    """The row and column of the cell of a place."""
    return math.floor(z / maps.frame[CELL]), math.floor(x / maps.frame[CELL])


@inline
def cell_top(row: int, column: int, maps: MapArrays) -> tuple[float, int, int]:
    """The highest surface anywhere in a cell, the slot on top at its middle (-1: the base) and the bits of the cell.

    A cell whose middle lies beside a thing that reaches into it is GROWN.
    """
    top, owner, bits, peak = read_cell(row, column, maps)
    return peak, owner, bits | (GROWN if peak > top + FLUSH else 0)


@part
def surface(x: float, z: float, maps: MapArrays) -> tuple[float, int]:
    """The exact height at a place, and the slot of the thing that gives it (-1: the base of the ground)."""
    base = base_height(x, z, maps.grid, maps.ground_frame)
    best, slot = base, BASE
    row, column = cell_of(x, z, maps)
    tile_row, tile_column = tile_of(row, column, maps)
    if not (0 <= tile_row < maps.versions.shape[0] and 0 <= tile_column < maps.versions.shape[1]):
        return best, slot
    entry = maps.heads[tile_row, tile_column]
    while entry != NO_PAGE:
        s = int(maps.links[entry, 0])
        entry = maps.links[entry, 1]
        dx, dz = x - maps.things[s, X], z - maps.things[s, Z]
        if dx * dx + dz * dz > maps.things[s, RADIUS] * maps.things[s, RADIUS]:
            continue
        if not holds(x, z, s, maps.things, maps.thing_corners):
            continue
        top = top_at(x, z, s, maps.things)
        if maps.things[s, FLAT] != 0.0:
            top = max(top, base)
        if top > best or (top == best and comes_first(s, slot, maps.things)):
            best, slot = top, s
    return best, slot


@inline
def anchored(slot: int, local_x: float, local_y: float, local_z: float, maps: MapArrays) -> tuple[float, float, float]:
    """Where a point of a thing is now; of the base (-1) it is where it was."""
    if slot == BASE:
        return local_x, local_y, local_z
    row = maps.things[slot]
    sine, cosine = math.sin(row[YAW]), math.cos(row[YAW])
    x = row[X] + cosine * local_x + sine * local_z
    return x, row[Y] + local_y, row[Z] + cosine * local_z - sine * local_x


@inline
def velocity_at(slot: int, x: float, z: float, maps: MapArrays) -> Pair:
    """The velocity (m/s in x and z) that a thing has at a place; the base (-1) has none."""
    if slot == BASE:
        return 0.0, 0.0
    row = maps.things[slot]
    return row[VX] + row[TURN] * (z - row[Z]), row[VZ] - row[TURN] * (x - row[X])


@inline
def local_of(slot: int, x: float, y: float, z: float, maps: MapArrays) -> Vector:
    """A point of the world as a thing sees it, for `anchored`; remember `generation` beside it."""
    if slot == BASE:
        return x, y, z
    row = maps.things[slot]
    sine, cosine = math.sin(row[YAW]), math.cos(row[YAW])
    dx, dz = x - row[X], z - row[Z]
    return cosine * dx - sine * dz, y - row[Y], sine * dx + cosine * dz


@inline
def generation(slot: int, maps: MapArrays) -> int:
    """A number that stays as long as the thing of a slot exists, 0 where there is none; -1 for the base."""
    return -1 if slot == BASE else int(maps.things[slot, ALIVE])


@inline
def changed_since(moment: int, x_low: float, z_low: float, x_high: float, z_high: float, maps: MapArrays) -> bool:
    """Whether anything changed near a rectangle of the plan since ``maps.clock[0]`` stood at a moment."""
    if maps.clock[0] <= moment:
        return False
    row, column = cell_of(x_low, z_low, maps)
    last_row, last_column = cell_of(x_high, z_high, maps)
    low, high, left, right = tiles_within(row, column, last_row, last_column, maps)
    for tile_row in range(low, high + 1):
        for tile_column in range(left, right + 1):
            if maps.versions[tile_row, tile_column] > moment:
                return True
    return False


@part
def fill_window(
    maps: MapArrays,
    x_low: float,
    z_low: float,
    rows: int,
    columns: int,
    foot: FootBox,
    elev: Floats,
    flags: Bytes,
) -> None:
    """Fill ``elev`` and ``flags (rows, columns)``, the window of a planner whose low corner is a corner of a cell.

    Cells in which the foot would meet the side of a thing are GROWN and as high as that thing.
    """
    cell = maps.frame[CELL]
    row, column = round(z_low / cell), round(x_low / cell)
    for i in range(rows):
        j = 0
        while j < columns:
            # As many cells as lie side by side in a tile.
            static, moving = pages_of(row + i, column + j, maps)
            a, b = place_in_page(row + i, column + j, maps)
            run = min(TILE - b, columns - j)
            if static != NO_PAGE:
                r = (static << TILE_BITS) + a
                for k in range(run):
                    elev[i, j + k], flags[i, j + k] = maps.static.top[r, b + k], maps.static.bits[r, b + k]
            else:
                for k in range(run):
                    elev[i, j + k] = base_peak(row + i, column + j + k, cell, maps.grid, maps.ground_frame)
                    flags[i, j + k] = 0
            if moving != NO_PAGE:
                r = (moving << TILE_BITS) + a
                for k in range(run):
                    if maps.moving.top[r, b + k] >= elev[i, j + k]:
                        elev[i, j + k], flags[i, j + k] = maps.moving.top[r, b + k], maps.moving.bits[r, b + k]
            j += run
    if some_things(maps):
        grow_window(maps, row, column, foot, elev, flags)


@kernel
def window(
    maps: MapArrays,
    x_low: float,
    z_low: float,
    foot: FootBox,
    elev: Floats,
    flags: Bytes,
) -> None:
    """`fill_window` for callers outside of kernels."""
    fill_window(maps, x_low, z_low, elev.shape[0], elev.shape[1], foot, elev, flags)


@kernel
def peaks(maps: MapArrays, row: int, column: int, out: Floats) -> None:
    """Fill ``out`` with the highest of all that touches each cell from a row and column on."""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            _, _, _, out[i, j] = read_cell(row + i, column + j, maps)


@kernel
def surfaces(points: Floats, maps: MapArrays, heights: Floats, slots: Ints) -> None:
    """Fill ``heights (N,)`` and ``slots (N,)`` with the `surface` at ``points (N, 2)`` as (x, z)."""
    for n in range(points.shape[0]):
        heights[n], slots[n] = surface(points[n, 0], points[n, 1], maps)
