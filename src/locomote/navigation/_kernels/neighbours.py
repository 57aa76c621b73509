"""Who is near whom: the nearest of many agents within a radius, by a grid that is filled anew every time.

The grid repeats itself: cell (i, j) of the plane is cell (i mod W, j mod W) of the table, so that agents may be
anywhere without the table growing; those that only seem near because of that fail the test of their distance.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints

RINGS = 4  # of cells round an agent's own that the radius reaches
LEAST_SIDE = 16  # cells of the table: a power of two, and a search must not meet the same cell twice
MANY = 2.5  # times as many agents as are wanted: then a smaller circle is tried next
FEW = 64  # agents that are sorted by counting for each how many are nearer, which needs no branches
LANES = 16  # their number is filled up to a multiple of this


class Grid(NamedTuple):
    """Room for the search among N agents, to be used again and again."""

    starts: Ints  # (W * W + 1,) where the agents of a cell begin
    order: Ints  # (N,) agents, cell by cell
    cells: Ints  # (N,) the cell of every agent
    sorted_places: Floats  # (2, N) places in that order
    squares: Floats  # (N + LANES,) squared distances of those that may be near
    who: Ints  # (N + LANES,) and their numbers


def grid_for(count: int) -> Grid:
    """Room for ``count`` agents, with at least a cell for each."""
    side = LEAST_SIDE
    while side * side < count:
        side *= 2
    starts, order, cells, who = (np.zeros(n, np.int64) for n in (side * side + 1, count, count, count + LANES))
    return Grid(starts, order, cells, np.zeros((2, count)), np.zeros(count + LANES), who)


@kernel
def find_neighbours(places: Floats, radius: float, grid: Grid, near: Ints, counts: Ints) -> None:
    """Fill ``near (N, K)`` with the agents nearer than ``radius``, nearest first, and ``counts`` with how many.

    ``places`` is (N, 2). Of agents equally far the one with the smaller number comes first; beyond K the farthest
    are left out.
    """
    side = round(math.sqrt(grid.starts.shape[0] - 1))
    _sort_into_cells(places, RINGS / radius, side, grid)
    rings, room = 1, near.shape[1]
    for k in range(places.shape[0]):
        me = grid.order[k]
        # One after the other the agents are neighbours: what was enough for the last is a good guess.
        found, rings = _gather(me, places[me, 0], places[me, 1], radius, rings, side, room, grid)
        counts[me] = min(found, room)
        if found > FEW or not _rank(found, grid, near[me]):
            _insert(found, grid, near[me])
        if found > MANY * room:
            rings = max(1, rings - 1)


@inline
def _sort_into_cells(places: Floats, scale: float, side: int, grid: Grid) -> None:
    """Sort the agents by their cells (counting sort; within a cell by number)."""
    starts, cells = grid.starts, grid.cells
    starts[:] = 0
    for i in range(places.shape[0]):
        column = math.floor(places[i, 0] * scale) & (side - 1)
        row = math.floor(places[i, 1] * scale) & (side - 1)
        cells[i] = row * side + column
        starts[cells[i]] += 1
    total = 0
    for c in range(side * side + 1):
        total += starts[c]
        starts[c] = total
    # From the last agent to the first, each at the end of what is left of its cell: the ends become the starts.
    for k in range(places.shape[0]):
        i = places.shape[0] - 1 - k
        at = starts[cells[i]] - 1
        starts[cells[i]] = at
        grid.order[at] = i
        grid.sorted_places[0, at], grid.sorted_places[1, at] = places[i, 0], places[i, 1]


@inline
def _gather(
    me: int, x: float, z: float, radius: float, rings: int, side: int, wanted: int, grid: Grid
) -> tuple[int, int]:
    """Collect all agents within a circle that holds at least those ``wanted``, or all within the radius.

    Returns how many, and for how many rings of cells that took; ``rings`` is a guess.
    """
    scale, width = RINGS / radius, radius / RINGS
    column, row = math.floor(x * scale), math.floor(z * scale)
    inner = min(x - column * width, (column + 1) * width - x, z - row * width, (row + 1) * width - z)
    while True:
        reach = radius if rings == RINGS else rings * width + inner
        found = _within(me, x, z, column, row, rings, reach * reach, side, grid)
        if rings == RINGS or found >= wanted:
            return found, rings
        rings += 1


@inline
def _within(me: int, x: float, z: float, column: int, row: int, rings: int, limit: float, side: int, grid: Grid) -> int:
    """Collect the agents but ``me`` of a block of cells whose squared distance is below the limit."""
    squares, who, order = grid.squares, grid.who, grid.order
    xs, zs = grid.sorted_places[0], grid.sorted_places[1]
    found = 0
    first, last = (column - rings) & (side - 1), (column + rings) & (side - 1)
    for j in range(row - rings, row + rings + 1):
        base = (j & (side - 1)) * side
        # The cells of a row follow each other in the table; where the row wraps they are two runs.
        for run in range(2 if last < first else 1):
            start = base + (first if run == 0 else 0)
            stop = base + (side if run == 0 and last < first else last + 1)
            for at in range(grid.starts[start], grid.starts[stop]):
                dx, dz = xs[at] - x, zs[at] - z
                square = dx * dx + dz * dz
                other = order[at]
                # Always written, but kept only by counting: a branch here would be a coin toss.
                squares[found], who[found] = square, other
                found += int(square < limit) & int(other != me)
    return found


@inline
def _rank(found: int, grid: Grid, near: Ints) -> bool:
    """Put every collected agent at its place among them; returns False when some are equally far."""
    squares, who = grid.squares, grid.who
    total = 0
    lanes = (found + LANES - 1) // LANES * LANES
    for i in range(found, lanes):
        squares[i] = math.inf
    for i in range(found):
        nearer = 0
        for j in range(lanes):
            nearer += int(squares[j] < squares[i])
        total += nearer
        if nearer < near.shape[0]:
            near[nearer] = who[i]
    return 2 * total == found * (found - 1)


@part
def _insert(found: int, grid: Grid, near: Ints) -> None:
    """The same by insertion, for many agents or such that are equally far."""
    squares, who = grid.squares, grid.who
    room = near.shape[0]
    for i in range(found):
        square, other = squares[i], who[i]
        slot = min(i, room)
        while slot > 0 and (squares[slot - 1] > square or (squares[slot - 1] == square and near[slot - 1] > other)):
            if slot < room:
                squares[slot], near[slot] = squares[slot - 1], near[slot - 1]
            slot -= 1
        if slot < room:
            squares[slot], near[slot] = square, other
