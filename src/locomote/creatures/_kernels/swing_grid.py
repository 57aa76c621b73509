"""Paths of feet in the plan: what may be passed, the cells a line touches, the wave from the start, the way back.

A window of the map has rows along z and columns along x. Places within it are (u, v) in cells, u along x; the cell of a
place is [floor(v), floor(u)]. A *level* is the height (m) up to which things are passed over instead of round.
"""

from __future__ import annotations

import math
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Vector
from locomote.world._kernels.map_layout import LEG

MOST_SIDE = 128  # cells of the sides of a window
MOST_PASSED = 62  # legs that have a bit
MOST_CELLS = (MOST_SIDE + 2) * (MOST_SIDE + 2)  # of a window with a border
MARGIN, HALF_WIDTH = 0.25, 0.5  # of the room: searched beyond either end of a step, and to either side of it
PULLS = 4  # times that a bend is pulled tight
FEWEST = 3.0  # cells searched to either side at least

NONE = cast(int, np.int64(0))  # a plain 0 would be a type of its own in compiled code

# Of the records of cells that a path crosses: the way (m) where it enters and leaves, the height, the flat number.
ENTER, LEAVE, HEIGHT, NUMBER = range(4)

Bytes = npt.NDArray[np.uint8]
Ints32 = npt.NDArray[np.int32]


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
def look(
    start: Vector,
    preferred: Vector,
    room: float,
    elev: Floats,
    flags: Bytes,
    x_low: float,
    z_low: float,
    cell: float,
) -> GridWindow:
    """The window of a step from what is drawn in it."""
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


@inline
def cross_cells(
    u0: float,
    v0: float,
    u1: float,
    v1: float,
    s0: float,
    s1: float,
    level: float,
    elev: Floats,
    flags: Bytes,
    start: int,
    crossed: Floats,
    count: int,
) -> int:
    """Append all cells that a line touches to ``crossed``; the new count, or -1 where it may not pass.

    The line begins at the way ``s0`` and ends at ``s1``. Where it passes a corner both cells beside it count.
    """
    column, row = math.floor(u0), math.floor(v0)
    last_column, last_row = math.floor(u1), math.floor(v1)
    du, dv = u1 - u0, v1 - v0
    turn_column, turn_row = (1 if du > 0.0 else -1), (1 if dv > 0.0 else -1)
    # Shares of the line at which it crosses the next line of the grid; infinite once the last cell is reached.
    at_u = ((column + (1 if du > 0.0 else 0)) - u0) / du if column != last_column else math.inf
    at_v = ((row + (1 if dv > 0.0 else 0)) - v0) / dv if row != last_row else math.inf
    enter, columns = 0.0, elev.shape[1]
    while True:
        leave = min(at_u, at_v, 1.0)
        if count >= crossed.shape[0] - 2 or not passable(row, column, level, elev, flags, start):
            return -1
        crossed[count, ENTER], crossed[count, LEAVE] = s0 + enter * (s1 - s0), s0 + leave * (s1 - s0)
        crossed[count, HEIGHT], crossed[count, NUMBER] = elev[row, column], row * columns + column
        count += 1
        if column == last_column and row == last_row:
            return count
        enter = leave
        both = abs(at_u - at_v) < 1e-9
        if both:
            for r, c in ((row, column + turn_column), (row + turn_row, column)):
                if not passable(r, c, level, elev, flags, start):
                    return -1
                crossed[count, ENTER] = crossed[count, LEAVE] = s0 + enter * (s1 - s0)
                crossed[count, HEIGHT], crossed[count, NUMBER] = elev[r, c], r * columns + c
                count += 1
        across = both or at_u < at_v
        if both or not across:
            row += turn_row
            at_v = at_v + abs(1.0 / dv) if row != last_row else math.inf
        if across:
            column += turn_column
            at_u = at_u + abs(1.0 / du) if column != last_column else math.inf


@part
def cross_path(points: Floats, count: int, level: float, window: GridWindow, crossed: Floats) -> tuple[int, int]:
    """(cells that lines from point to point touch, -1 where they may not pass; the last point that was looked at).

    The rows of ``points`` are (u, anything, v, way).
    """
    elev, flags = window.elev, window.flags  # taken out once: each look into a tuple of arrays costs
    cells = 0
    for k in range(1, count):
        cells = cross_cells(
            points[k - 1, 0],
            points[k - 1, 2],
            points[k, 0],
            points[k, 2],
            points[k - 1, 3],
            points[k, 3],
            level,
            elev,
            flags,
            window.start,
            crossed,
            cells,
        )
        if cells < 0:
            return cells, k
    return cells, count - 1


@inline
def padded(number: int, columns: int) -> int:
    """The number of a cell in a wave, which has a border of one cell around the window."""
    row = number // columns
    return (row + 1) * (columns + 2) + number - row * columns + 1


@part
def open_cells(window: GridWindow, free: Ints32) -> None:
    """Mark the cells that a wave may visit whatever the level: 1 in the rectangle and no leg, else 0."""
    elev, flags = window.elev, window.flags
    rows, columns = elev.shape
    for n in range((rows + 2) * (columns + 2)):
        free[n] = 0
    for row in range(rows):
        first = (row + 1) * (columns + 2) + 1
        for column in range(columns):
            if inside(row, column, window) and flags[row, column] & LEG == 0:
                free[first + column] = 1
    free[padded(window.start, columns)] = 1


@part
def flood(level: float, window: GridWindow, free: Ints32, moves: Ints32, queue: Ints32) -> tuple[int, int]:
    """Number the free cells by moves from the start; (cells too high, cells reached).

    ``moves``: -1 not free, 0 never reached, 1 the start. A move goes to any of the eight cells around; slantwise only
    where both cells beside the move are free.
    """
    elev = window.elev
    rows, columns = elev.shape
    wide = columns + 2
    high = 0
    for n in range(wide):
        moves[n] = moves[(rows + 1) * wide + n] = -1
    for row in range(rows):
        first = (row + 1) * wide + 1
        moves[first - 1] = moves[first + columns] = -1
        for column in range(columns):
            value = free[first + column] - 1
            if value == 0 and elev[row, column] > level:
                value = -1
                high += 1
            moves[first + column] = value
    n = padded(window.start, columns)
    moves[n] = 1
    queue[0] = n
    head, tail = 0, 1
    while head < tail:
        n = queue[head]
        head += 1
        step = moves[n] + 1
        for around in range(4):
            # Straight to one side, then slantwise between it and the next.
            side = (1, wide, -1, -wide)[around]
            following = (wide, -1, -wide, 1)[around]
            if moves[n + side] < 0:
                continue
            if moves[n + side] == 0:
                moves[n + side] = step
                queue[tail] = n + side
                tail += 1
            if moves[n + side + following] == 0 and moves[n + following] >= 0:
                moves[n + side + following] = step
                queue[tail] = n + side + following
                tail += 1
    return high, tail


@part
def way_back(target: int, columns: int, moves: Ints32, trail: Ints32) -> int:
    """Fill ``trail`` with the cells from the target back to the start, as straight as may be; their count."""
    wide = columns + 2
    n = padded(target, columns)
    count = 0
    last_row, last_column = 0, 0
    while True:
        trail[count] = n
        count += 1
        if moves[n] <= 1:
            return count
        best, best_row, best_column = -3, 0, 0
        for turn_row in range(-1, 2):
            for turn_column in range(-1, 2):
                if moves[n + turn_row * wide + turn_column] != moves[n] - 1:
                    continue
                if moves[n + turn_row * wide] < 0 or moves[n + turn_column] < 0:
                    continue
                straight = turn_row * last_row + turn_column * last_column
                if straight > best:
                    best, best_row, best_column = straight, turn_row, turn_column
        last_row, last_column = best_row, best_column
        n += best_row * wide + best_column


@part
def reduce_trail(
    trail: Ints32,
    count: int,
    u0: float,
    v0: float,
    u1: float,
    v1: float,
    level: float,
    window: GridWindow,
    crossed: Floats,
    ways: Floats,
) -> int:
    """Fill ``ways`` with the few places of a trail between which one sees straight on; their count, 0: too many."""
    elev, flags = window.elev, window.flags
    wide = elev.shape[1] + 2
    ways[0, 0], ways[0, 1] = u0, v0
    kept, at = 1, count - 1
    while at > 0:
        u, v = ways[kept - 1, 0], ways[kept - 1, 1]
        if kept == ways.shape[0]:
            return 0
        for j in range(at):
            row = trail[j] // wide
            next_u, next_v = trail[j] - row * wide - 0.5, row - 0.5
            if j == 0:
                next_u, next_v = u1, v1
            reached = 0
            if j < at - 1:  # one move is always free
                reached = cross_cells(u, v, next_u, next_v, 0.0, 0.0, level, elev, flags, window.start, crossed, NONE)
            if reached >= 0:
                ways[kept, 0], ways[kept, 1] = next_u, next_v
                kept, at = kept + 1, j
                break
    # A wave keeps to the middles of cells and to eight directions: pull the line tight.
    for k in range(1, kept - 1):
        pull_u = 0.5 * (ways[k - 1, 0] + ways[k + 1, 0]) - ways[k, 0]
        pull_v = 0.5 * (ways[k - 1, 1] + ways[k + 1, 1]) - ways[k, 1]
        share = 0.5
        for _ in range(PULLS):
            u, v = ways[k, 0] + share * pull_u, ways[k, 1] + share * pull_v
            free = True
            for end in (k - 1, k + 1):
                end_u, end_v = ways[end, 0], ways[end, 1]
                free = (
                    free
                    and cross_cells(end_u, end_v, u, v, 0.0, 0.0, level, elev, flags, window.start, crossed, NONE) >= 0
                )
            if free:
                ways[k, 0], ways[k, 1] = u, v
                pull_u, pull_v = (1.0 - share) * pull_u, (1.0 - share) * pull_v
            else:
                share *= 0.5
    return kept


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
