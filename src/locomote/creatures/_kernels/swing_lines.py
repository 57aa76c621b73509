"""Lines over the cells of a window: what they cross, and the few places between which one sees straight on."""

from __future__ import annotations

import math
from typing import NamedTuple, cast

import numpy as np

from locomote.creatures._kernels.swing_scratch import CrossedCell, Ints32, PathPoint, WayPlace
from locomote.creatures._kernels.swing_window import GridWindow, passable
from locomote.math._compile import inline, part
from locomote.math.records import Records

PULLS = 4  # times that a bend is pulled tight

NONE = cast(int, np.int64(0))  # a plain 0 would be a type of its own in compiled code


class GridLine(NamedTuple):
    """A straight line in a window, cells."""

    u0: float
    v0: float
    u1: float
    v1: float


@inline
def cross_cells(
    line: GridLine, s0: float, s1: float, level: float, window: GridWindow, crossed: Records, count: int
) -> int:
    """Append all cells that a line touches to ``crossed``; the new count, or -1 where it may not pass.

    The line begins at the way ``s0`` and ends at ``s1``. Where it passes a corner both cells beside it count.
    """
    elev, flags, start = window.elev, window.flags, window.start
    u0, v0, u1, v1 = line
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
        here: CrossedCell = crossed[count]
        here.enter, here.leave = s0 + enter * (s1 - s0), s0 + leave * (s1 - s0)
        here.height, here.number = elev[row, column], row * columns + column
        count += 1
        if column == last_column and row == last_row:
            return count
        enter = leave
        both = abs(at_u - at_v) < 1e-9
        if both:
            for r, c in ((row, column + turn_column), (row + turn_row, column)):
                if not passable(r, c, level, elev, flags, start):
                    return -1
                beside: CrossedCell = crossed[count]
                beside.enter = beside.leave = s0 + enter * (s1 - s0)
                beside.height, beside.number = elev[r, c], r * columns + c
                count += 1
        across = both or at_u < at_v
        if both or not across:
            row += turn_row
            at_v = at_v + abs(1.0 / dv) if row != last_row else math.inf
        if across:
            column += turn_column
            at_u = at_u + abs(1.0 / du) if column != last_column else math.inf


@part
def cross_path(points: Records, count: int, level: float, window: GridWindow, crossed: Records) -> tuple[int, int]:
    """(cells that lines from point to point touch, -1 where they may not pass; the last point that was looked at)."""
    cells = 0
    for k in range(1, count):
        a: PathPoint = points[k - 1]
        b: PathPoint = points[k]
        cells = cross_cells(GridLine(a.u, a.v, b.u, b.v), a.way, b.way, level, window, crossed, cells)
        if cells < 0:
            return cells, k
    return cells, count - 1


@inline
def _sees(line: GridLine, level: float, window: GridWindow, crossed: Records) -> bool:
    """Whether a line may pass."""
    return bool(cross_cells(line, 0.0, 0.0, level, window, crossed, NONE) >= 0)


@part
def reduce_trail(
    trail: Ints32, count: int, ends: GridLine, level: float, window: GridWindow, crossed: Records, ways: Records
) -> int:
    """Fill ``ways`` with the few places of a trail between which one sees straight on; their count, 0: too many."""
    wide = window.elev.shape[1] + 2
    ways[0].u, ways[0].v = ends.u0, ends.v0
    kept, at = 1, count - 1
    while at > 0:
        last: WayPlace = ways[kept - 1]
        if kept == ways.shape[0]:
            return 0
        for j in range(at):
            row = trail[j] // wide
            next_u, next_v = trail[j] - row * wide - 0.5, row - 0.5
            if j == 0:
                next_u, next_v = ends.u1, ends.v1
            # One move is always free.
            if j == at - 1 or _sees(GridLine(last.u, last.v, next_u, next_v), level, window, crossed):
                ways[kept].u, ways[kept].v = next_u, next_v
                kept, at = kept + 1, j
                break
    # A wave keeps to the middles of cells and to eight directions: pull the line tight.
    for k in range(1, kept - 1):
        before: WayPlace = ways[k - 1]
        place: WayPlace = ways[k]
        after: WayPlace = ways[k + 1]
        pull_u = 0.5 * (before.u + after.u) - place.u
        pull_v = 0.5 * (before.v + after.v) - place.v
        share = 0.5
        for _ in range(PULLS):
            u, v = place.u + share * pull_u, place.v + share * pull_v
            free = True
            for end in (k - 1, k + 1):
                free = free and _sees(GridLine(ways[end].u, ways[end].v, u, v), level, window, crossed)
            if free:
                place.u, place.v = u, v
                pull_u, pull_v = (1.0 - share) * pull_u, (1.0 - share) * pull_v
            else:
                share *= 0.5
    return kept
