"""The cells of a survey that a way is sought over: what they cost, the nearest open ones, the cheapest way."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline, maker, part
from locomote.math.vector import Floats
from locomote.navigation._kernels.path_state import MATTER, NARROW, Bounds, Survey
from locomote.navigation._kernels.traversability import DIAGONAL, NEARNESS, passes
from locomote.world._kernels.map_outline import Bytes

CLIMB = 2.0  # metres of way that a metre up or down is worth
NEAR = 1.0  # share by which ways close to what is in the way are dearer
STRIDE = 0.5  # share by which ways over what must be stepped over are dearer
CROWDED = 8.0  # share by which ways through someone who stands are dearer

Ints32 = npt.NDArray[np.int32]


class SearchField(NamedTuple):
    """What a way is sought over, by whom."""

    found: Survey
    bounds: Bounds
    dearness: Floats  # (R, C) what a metre of way costs in every cell, at least 1


class Heap(NamedTuple):
    """Cells by what the ways over them cost at least, the cheapest first."""

    cells: Ints32
    at: Ints32  # (cells,) where a cell is in the heap; -1 not yet, -2 done
    keys: Floats  # (cells,)


@inline
def inside(r: int, c: int, cells: Bytes) -> bool:
    """Whether a cell belongs to the survey."""
    return bool(0 <= r < cells.shape[0] and 0 <= c < cells.shape[1])


@inline
def may_pass(r: int, c: int, i: int, j: int, distance: float, bounds: Bounds, level: Floats, thing: Bytes) -> bool:
    return passes(level[r, c], thing[r, c], level[i, j], thing[i, j], distance, bounds)


@maker
def dearness_of(found: Survey, bounds: Bounds, standing: Floats) -> Floats:
    """What a metre of way costs in every cell, at least 1."""
    rows, columns = found.kind.shape
    side, far = found.frame[2], NEARNESS * bounds.half_width
    dear = np.empty((rows, columns))
    for r in range(rows):
        for c in range(columns):
            near = min(max((far - found.clear[r, c]) / (far - bounds.half_width), 0.0), 1.0)
            dear[r, c] = 1.0 + NEAR * near + (STRIDE if found.kind[r, c] == NARROW else 0.0)
    for s in range(standing.shape[0]):
        radius = standing[s, 2] + bounds.half_width
        u, v = standing[s, 0] / side - found.frame[1], standing[s, 1] / side - found.frame[0]
        reach = radius / side
        for r in range(max(math.floor(v - reach), 0), min(math.ceil(v + reach), rows)):
            for c in range(max(math.floor(u - reach), 0), min(math.ceil(u + reach), columns)):
                if math.hypot(c + 0.5 - u, r + 0.5 - v) < reach:
                    dear[r, c] += CROWDED
    return dear


@maker
def nearest_open(start: int, found: Survey, bounds: Bounds) -> int:
    """The open cell that is fewest moves away, not through matter nor over steps that are too high; -1 for none."""
    kind, opened, level, thing, side = found.kind, found.open, found.level, found.thing, found.frame[2]
    rows, columns = kind.shape
    if opened[start // columns, start % columns] != 0:
        return start
    seen = np.zeros(rows * columns, np.uint8)
    queue = np.empty(rows * columns, np.int32)
    queue[0], seen[start] = start, 1
    head, tail = 0, 1
    stuck = kind[start // columns, start % columns] == MATTER
    while head < tail:
        n = queue[head]
        r, c = n // columns, n % columns
        head += 1
        if opened[r, c] != 0:
            return int(n)
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            i, j = r + dr, c + dc
            if not inside(i, j, kind) or seen[i * columns + j] != 0:
                continue
            # Whoever stands in matter, which came after it, gets out of it anyhow.
            if not stuck and (kind[i, j] == MATTER or not may_pass(r, c, i, j, side, bounds, level, thing)):
                continue
            seen[i * columns + j] = 1
            queue[tail] = i * columns + j
            tail += 1
    return -1


@part
def nearest_of(area: int, to: int, found: Survey) -> int:
    """The cell of an area that is nearest to a cell."""
    rows, columns = found.kind.shape
    row, column = to // columns, to % columns
    best, nearest = math.inf, -1
    for r in range(rows):
        for c in range(columns):
            far = float((r - row) * (r - row) + (c - column) * (c - column))
            if far < best and found.area[r, c] == area:
                best, nearest = far, r * columns + c
    return nearest


@maker
def cheapest(first: int, end: int, field: SearchField) -> tuple[Ints32, Floats]:
    """The cells of the cheapest way, and what it costs to each; both cells must be of one area."""
    found, bounds, dearness = field
    opened, level, thing, side = found.open, found.level, found.thing, found.frame[2]
    rows, columns = opened.shape
    costs = np.full(rows * columns, math.inf)
    back = np.full(rows * columns, -1, np.int32)
    heap = Heap(np.empty(rows * columns, np.int32), np.full(rows * columns, -1, np.int32), np.empty(rows * columns))
    costs[first] = 0.0
    end_r, end_c = end // columns, end % columns
    heap.keys[first] = 0.0
    size = _lift(heap, 0, first)
    while size > 0:
        n = heap.cells[0]
        size = _take(heap, size)
        if n == end:
            break
        r, c = n // columns, n % columns
        for turn in range(8):
            # The four sides first, then the four slanting moves.
            dr = (0, 1, 0, -1, 1, 1, -1, -1)[turn]
            dc = (1, 0, -1, 0, 1, -1, 1, -1)[turn]
            i, j = r + dr, c + dc
            if not inside(i, j, opened) or opened[i, j] == 0 or heap.at[i * columns + j] == -2:
                continue
            if turn >= 4 and (opened[r, j] == 0 or opened[i, c] == 0):
                continue
            distance = side * (DIAGONAL if turn >= 4 else 1.0)
            if not may_pass(r, c, i, j, distance, bounds, level, thing):
                continue
            cost = costs[n] + 0.5 * distance * (dearness[r, c] + dearness[i, j])
            cost += CLIMB * abs(level[i, j] - level[r, c])
            m = i * columns + j
            if cost < costs[m]:
                costs[m], back[m] = cost, n
                across, along = abs(j - end_c), abs(i - end_r)
                heap.keys[m] = cost + side * (max(across, along) + (DIAGONAL - 1.0) * min(across, along))
                if heap.at[m] >= 0:
                    _lift(heap, heap.at[m], m)
                else:
                    size = max(size + 1, _lift(heap, size, m))
    length, n = 1, end
    while back[n] >= 0:
        n = back[n]
        length += 1
    trail, spent = np.empty(length, np.int32), np.empty(length)
    n = end
    for m in range(length - 1, -1, -1):
        trail[m], spent[m] = n, costs[n]
        n = back[n]
    return trail, spent


@inline
def _lift(heap: Heap, at: int, cell: int) -> int:
    """Put a cell at a place of the heap, or further up; the least size of the heap then."""
    size = at + 1
    while at > 0:
        above = (at - 1) // 2
        if heap.keys[heap.cells[above]] <= heap.keys[cell]:
            break
        heap.cells[at] = heap.cells[above]
        heap.at[heap.cells[at]] = at
        at = above
    heap.cells[at], heap.at[cell] = cell, at
    return size


@inline
def _take(heap: Heap, size: int) -> int:
    """Take the first cell away; the new size."""
    heap.at[heap.cells[0]] = -2
    size -= 1
    if size == 0:
        return 0
    cell, at = heap.cells[size], 0
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and heap.keys[heap.cells[below + 1]] < heap.keys[heap.cells[below]]:
            below += 1
        if heap.keys[cell] <= heap.keys[heap.cells[below]]:
            break
        heap.cells[at] = heap.cells[below]
        heap.at[heap.cells[at]] = at
        at = below
    heap.cells[at], heap.at[cell] = cell, at
    return size
