"""The part of the map in which a foot steps: what lies in it, and which of its cells are searched.

A window of the map has rows along z and columns along x. Places within it are (u, v) in cells, u along x; the cell of a
place is [floor(v), floor(u)]. A *level* is the height (m) up to which things are passed over instead of round.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.creatures._kernels.swing_scratch import MOST_SIDE
from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Vector
from locomote.world._kernels.map_layout import LEG
from locomote.world._kernels.map_outline import Bytes

MOST_PASSED = 62  # legs that have a bit
MARGIN, HALF_WIDTH = 0.25, 0.5  # of the room: searched beyond either end of a step, and to either side of it
FEWEST = 3.0  # cells searched to either side at least


class MapWindow(NamedTuple):
    """A part of the map."""

    elev: Floats  # (rows, columns) m, the height to be passed over a cell
    flags: Bytes  # (rows, columns) what `map_layout` marks on it
    x_low: float  # m, the low corner of cell [0, 0]
    z_low: float
    cell: float  # m


class GridWindow(NamedTuple):
    """A part of the map as one step sees it; the rectangle that is searched is given in cells."""

    elev: Floats
    flags: Bytes
    x_low: float
    z_low: float
    cell: float
    start: int  # flat number of the cell of the start, which is always free
    middle_u: float
    middle_v: float
    along_u: float
    along_v: float
    long: float  # half of its length
    half: float  # half of its width


@inline
def rectangle(start: Vector, preferred: Vector, room: float, cell: float) -> tuple[float, float, float, float]:
    """(direction in x and z, half length, half width) of the rectangle about a step that is searched (m)."""
    dx, dz = preferred[0] - start[0], preferred[2] - start[2]
    distance = math.sqrt(dx * dx + dz * dz)
    long = 0.5 * distance + max(MARGIN * room, FEWEST * cell)
    half = max(HALF_WIDTH * room, FEWEST * cell)
    if distance > 1e-9:
        return dx / distance, dz / distance, long, half
    return 0.0, 1.0, long, half


@inline
def search_window(start: Vector, preferred: Vector, room: float, cell: float) -> tuple[float, float, int, int]:
    """(x_low, z_low, rows, columns) of the window of whole cells that holds the rectangle searched for a step."""
    dx, dz, long, half = rectangle(start, preferred, room, cell)
    middle_x, middle_z = 0.5 * (start[0] + preferred[0]), 0.5 * (start[2] + preferred[2])
    wide_x, wide_z = abs(dx) * long + abs(dz) * half, abs(dz) * long + abs(dx) * half
    column, columns = _cells(middle_x - wide_x, middle_x + wide_x, cell)
    row, rows = _cells(middle_z - wide_z, middle_z + wide_z, cell)
    return column * cell, row * cell, rows, columns


@inline
def _cells(low: float, high: float, cell: float) -> tuple[int, int]:
    first = math.floor(low / cell)
    count = math.floor(high / cell) - first + 1
    if count > MOST_SIDE:
        first += (count - MOST_SIDE) // 2
        count = MOST_SIDE
    return int(first), int(count)


@inline
def look(start: Vector, preferred: Vector, room: float, seen: MapWindow) -> GridWindow:
    """The window of a step from what is drawn in it."""
    elev, flags, x_low, z_low, cell = seen.elev, seen.flags, seen.x_low, seen.z_low, seen.cell
    dx, dz, long, half = rectangle(start, preferred, room, cell)
    u, v = (start[0] - x_low) / cell, (start[2] - z_low) / cell
    middle_u = 0.5 * (u + (preferred[0] - x_low) / cell)
    middle_v = 0.5 * (v + (preferred[2] - z_low) / cell)
    number = math.floor(v) * elev.shape[1] + math.floor(u)
    return GridWindow(elev, flags, x_low, z_low, cell, number, middle_u, middle_v, dx, dz, long / cell, half / cell)


@inline
def inside(row: int, column: int, window: GridWindow) -> bool:
    """Whether the middle of a cell lies in the rectangle that is searched."""
    du, dv = column + 0.5 - window.middle_u, row + 0.5 - window.middle_v
    along = du * window.along_u + dv * window.along_v
    aside = du * window.along_v - dv * window.along_u
    return abs(along) <= window.long and abs(aside) <= window.half


@inline
def passable(row: int, column: int, level: float, elev: Floats, flags: Bytes, start: int) -> bool:
    """Whether a foot may pass a cell; that of the start is always free."""
    if not (0 <= row < elev.shape[0] and 0 <= column < elev.shape[1]):
        return False
    if row * elev.shape[1] + column == start:
        return True
    return bool(flags[row, column] & LEG == 0 and elev[row, column] <= level)


@part
def paint_legs(legs: Floats, own: int, passed: int, window: GridWindow) -> None:
    """Mark the cells of all legs but the own and those whose bits are set in ``passed``; NaN leaves one out."""
    cell = window.cell
    for leg in range(legs.shape[0]):
        if leg == own or math.isnan(legs[leg, 0, 0]) or (leg < MOST_PASSED and passed >> leg & 1):
            continue
        for joint in range(1, legs.shape[1]):
            u0 = (legs[leg, joint - 1, 0] - window.x_low) / cell
            v0 = (legs[leg, joint - 1, 1] - window.z_low) / cell
            u1, v1 = (legs[leg, joint, 0] - window.x_low) / cell, (legs[leg, joint, 1] - window.z_low) / cell
            _paint(u0, v0, u1, v1, window)


@inline
def _paint(u0: float, v0: float, u1: float, v1: float, window: GridWindow) -> None:
    flags = window.flags
    rows, columns = flags.shape
    if max(u0, u1) < 0.0 or max(v0, v1) < 0.0 or min(u0, u1) >= columns or min(v0, v1) >= rows:
        return
    # Points closer than half a cell leave no gap that a path could slip through: slantwise moves need both sides.
    count = int(2.0 * max(abs(u1 - u0), abs(v1 - v0))) + 1
    for k in range(count + 1):
        share = k / count
        column = math.floor(u0 + share * (u1 - u0))
        row = math.floor(v0 + share * (v1 - v0))
        if 0 <= row < rows and 0 <= column < columns:
            flags[row, column] |= LEG
