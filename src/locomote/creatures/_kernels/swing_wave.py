"""Waves from the start of a step over the free cells of its window, and the way back along them."""

from __future__ import annotations

from locomote.creatures._kernels.swing_scratch import Ints32
from locomote.creatures._kernels.swing_window import GridWindow, inside
from locomote.math._compile import inline, part
from locomote.world._kernels.map_layout import LEG


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
