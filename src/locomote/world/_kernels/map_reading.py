"""Reading the grid maps of the world: tops of cells, exact heights, things that carry feet, windows for planners."""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints, Pair, Vector
from locomote.world._kernels.ground import base_height
from locomote.world._kernels.map_growth import FootBox, grow_window
from locomote.world._kernels.map_layout import (
    ALIVE,
    BASE,
    CELL,
    FIRST_COLUMN,
    FIRST_ROW,
    FLAT,
    FLUSH,
    GROWN,
    RADIUS,
    SAFE,
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
    r, c = row - int(maps.frame[FIRST_ROW]), column - int(maps.frame[FIRST_COLUMN])
    if not (0 <= r < maps.static_top.shape[0] and 0 <= c < maps.static_top.shape[1]):
        return base_peak(row, column, maps.frame[CELL], maps.grid, maps.ground_frame), BASE, 0
    top, owner, bits = maps.static_top[r, c], maps.static_owner[r, c], maps.static_class[r, c]
    if maps.moving_top[r, c] >= top:
        top, owner, bits = maps.moving_top[r, c], maps.moving_owner[r, c], maps.moving_class[r, c]
    peak = max(maps.static_peak[r, c], maps.moving_peak[r, c])
    return peak, int(owner), int(bits) | (GROWN if peak > top + FLUSH else 0)


@part
def surface(x: float, z: float, maps: MapArrays) -> tuple[float, int]:
    """The exact height at a place, and the slot of the thing that gives it (-1: the base of the ground)."""
    base = base_height(x, z, maps.grid, maps.ground_frame)
    best, slot = base, BASE
    row, column = cell_of(x, z, maps)
    tile_row, tile_column = (
        (row - int(maps.frame[FIRST_ROW])) >> TILE_BITS,
        (column - int(maps.frame[FIRST_COLUMN])) >> TILE_BITS,
    )
    if not (0 <= tile_row < maps.versions.shape[0] and 0 <= tile_column < maps.versions.shape[1]):
        return best, slot
    tile = tile_row * maps.versions.shape[1] + tile_column
    for m in range(maps.tile_starts[tile], maps.tile_starts[tile + 1]):
        s = maps.tile_members[m]
        dx, dz = x - maps.things[s, X], z - maps.things[s, Z]
        if dx * dx + dz * dz > maps.things[s, RADIUS] * maps.things[s, RADIUS]:
            continue
        if not holds(x, z, s, maps.things, maps.thing_corners):
            continue
        top = top_at(x, z, s, maps.things)
        if maps.things[s, FLAT] != 0.0:
            top = max(top, base)
        # Of equal tops that which must not be stepped on counts, and then the first.
        if top > best or (top == best and (slot == BASE or maps.things[s, SAFE] < maps.things[slot, SAFE])):
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
    first_row, first_column = int(maps.frame[FIRST_ROW]), int(maps.frame[FIRST_COLUMN])
    row, column = cell_of(x_low, z_low, maps)
    last_row, last_column = cell_of(x_high, z_high, maps)
    low = max((row - first_row) >> TILE_BITS, 0)
    high = min((last_row - first_row) >> TILE_BITS, maps.versions.shape[0] - 1)
    left = max((column - first_column) >> TILE_BITS, 0)
    right = min((last_column - first_column) >> TILE_BITS, maps.versions.shape[1] - 1)
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
    first_row, first_column = row - int(maps.frame[FIRST_ROW]), column - int(maps.frame[FIRST_COLUMN])
    high, wide = maps.static_top.shape
    for i in range(rows):
        r = first_row + i
        for j in range(columns):
            c = first_column + j
            if not (0 <= r < high and 0 <= c < wide):
                elev[i, j] = base_peak(row + i, column + j, cell, maps.grid, maps.ground_frame)
                flags[i, j] = 0
                continue
            top, moving = maps.static_top[r, c], maps.moving_top[r, c]
            if moving >= top:
                elev[i, j], flags[i, j] = moving, maps.moving_class[r, c]
            else:
                elev[i, j], flags[i, j] = top, maps.static_class[r, c]
    if maps.tile_members.shape[0] > 0:
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
def surfaces(points: Floats, maps: MapArrays, heights: Floats, slots: Ints) -> None:
    """Fill ``heights (N,)`` and ``slots (N,)`` with the `surface` at ``points (N, 2)`` as (x, z)."""
    for n in range(points.shape[0]):
        heights[n], slots[n] = surface(points[n, 0], points[n, 1], maps)


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
