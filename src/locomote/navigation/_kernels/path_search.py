"""The way of a body to a place: the cheapest over the cells of a survey, drawn taut to a few places."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline, kernel, maker, part
from locomote.math.vector import Floats, Ints
from locomote.navigation._kernels.path_layout import (
    BEYOND,
    CLOSED,
    FOUND,
    MATTER,
    NARROW,
    NEARBY,
    Bounds,
    Survey,
)
from locomote.navigation._kernels.traversability import DIAGONAL, NEARNESS, passes
from locomote.world._kernels.map_outline import Bytes

CLIMB = 2.0  # metres of way that a metre up or down is worth
NEAR = 1.0  # share by which ways close to what is in the way are dearer
STRIDE = 0.5  # share by which ways over what must be stepped over are dearer
CROWDED = 8.0  # share by which ways through someone who stands are dearer
LONGEST = 160  # cells that are drawn taut at once
STRAIGHT = 1.02  # times its length that a straight way may cost to be taken without a search

Ints32 = npt.NDArray[np.int32]


class Heap(NamedTuple):
    """Cells by what the ways over them cost at least, the cheapest first."""

    cells: Ints32
    at: Ints32  # (cells,) where a cell is in the heap; -1 not yet, -2 done
    keys: Floats  # (cells,)


@kernel
def plan_way(
    found: Survey,
    bounds: Bounds,
    start: Floats,
    goals: Floats,
    loose: bool,
    strict: bool,
    standing: Floats,
    points: Floats,
    passed: Ints,
) -> tuple[int, int, int]:
    """Fill ``points (W, 2)`` with a way from ``start`` over all ``goals (K, 2)``; (points, goals passed, what came).

    ``passed (W,)`` is how many goals are passed at each point. A goal within something is taken as the nearest place
    beside it; a ``loose`` last goal may be anywhere near. A ``strict`` way keeps to the straight lines between goals
    where they are open. Around ``standing (S, 3)``, places and radii of those who stand, ways are dearer.
    """
    dearness = _dearness(found, bounds, standing)
    points[0, 0], points[0, 1] = start[0], start[1]
    passed[0] = 0
    count, came = 1, FOUND
    for k in range(goals.shape[0]):
        last = k == goals.shape[0] - 1
        count, section = _section(found, bounds, goals[k], loose and last, strict, dearness, points, passed, count, k)
        came = max(came, section)
        if section > NEARBY:
            return (1, 0, section) if count == 1 else (count, k, FOUND)
        passed[count - 1] = k + 1
        if count == points.shape[0]:
            return count, k, came
    return count, goals.shape[0], came


@part
def _section(
    found: Survey,
    bounds: Bounds,
    goal: Floats,
    loose: bool,
    strict: bool,
    dearness: Floats,
    points: Floats,
    passed: Ints,
    count: int,
    k: int,
) -> tuple[int, int]:
    """Append the way from the last of the points to a goal."""
    side, columns = found.frame[2], found.kind.shape[1]
    u, v = points[count - 1, 0] / side - found.frame[1], points[count - 1, 1] / side - found.frame[0]
    goal_u, goal_v = goal[0] / side - found.frame[1], goal[1] / side - found.frame[0]
    if not _inside(math.floor(goal_v), math.floor(goal_u), found.kind) or not _inside(
        math.floor(v), math.floor(u), found.kind
    ):
        return count, BEYOND
    straight = line_cost(u, v, goal_u, goal_v, found, bounds, dearness)
    if (
        straight <= (math.inf if strict else STRAIGHT * side * math.hypot(goal_u - u, goal_v - v))
        and straight < math.inf
    ):
        points[count, 0], points[count, 1] = goal[0], goal[1]
        passed[count] = k
        return count + 1, FOUND
    here, there = math.floor(v) * columns + math.floor(u), math.floor(goal_v) * columns + math.floor(goal_u)
    first = _nearest_open(here, found, bounds)
    if first < 0:
        return count, CLOSED
    area = found.area[first // columns, first % columns]
    end = -1
    if not loose and found.kind[there // columns, there % columns] != MATTER:
        end = _nearest_open(there, found, bounds)
    if end < 0:
        end = _nearest_of(area, there, found)
    beyond = found.area[end // columns, end % columns]
    if area != beyond:
        return count, BEYOND if found.outward[area] != 0 and found.outward[beyond] != 0 else CLOSED
    trail, costs = _search(first, end, found, bounds, dearness)
    if first != here:
        _append(first, found, points, passed, count, k)
        u, v, count = first % columns + 0.5, first // columns + 0.5, count + 1
    came = FOUND if end == there else NEARBY
    if came == NEARBY:
        goal_u, goal_v = end % columns + 0.5, end // columns + 0.5
    count = _draw_taut(trail, costs, u, v, goal_u, goal_v, found, bounds, dearness, points, passed, count, k)
    return count, came


@inline
def _inside(r: int, c: int, cells: Bytes) -> bool:
    """Whether a cell belongs to the survey."""
    return bool(0 <= r < cells.shape[0] and 0 <= c < cells.shape[1])


@inline
def _passes(r: int, c: int, i: int, j: int, distance: float, bounds: Bounds, level: Floats, thing: Bytes) -> bool:
    return passes(level[r, c], thing[r, c], level[i, j], thing[i, j], distance, bounds)


@inline
def _append(cell: int, found: Survey, points: Floats, passed: Ints, count: int, k: int) -> None:
    columns = found.kind.shape[1]
    points[count, 0] = (cell % columns + 0.5 + found.frame[1]) * found.frame[2]
    points[count, 1] = (cell // columns + 0.5 + found.frame[0]) * found.frame[2]
    passed[count] = k


@maker
def _dearness(found: Survey, bounds: Bounds, standing: Floats) -> Floats:
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


@part
def line_cost(u0: float, v0: float, u1: float, v1: float, found: Survey, bounds: Bounds, dearness: Floats) -> float:
    """What a straight way between places in cells costs; infinite where a body may not pass.

    It goes over all cells that the line touches; where it passes a corner, over one of those beside it.
    """
    side, opened, level, thing = found.frame[2], found.open, found.level, found.thing
    c, r, last_c, last_r = math.floor(u0), math.floor(v0), math.floor(u1), math.floor(v1)
    du, dv = u1 - u0, v1 - v0
    length = side * math.hypot(du, dv)
    turn_c, turn_r = (1 if du > 0.0 else -1), (1 if dv > 0.0 else -1)
    at_u = ((c + (1 if du > 0.0 else 0)) - u0) / du if c != last_c else math.inf
    at_v = ((r + (1 if dv > 0.0 else 0)) - v0) / dv if r != last_r else math.inf
    enter = 0.0
    cost: float = 0.0
    while True:
        if not _inside(r, c, opened) or opened[r, c] == 0:
            return math.inf
        leave = min(at_u, at_v, 1.0)
        cost += (leave - enter) * length * dearness[r, c]
        if c == last_c and r == last_r:
            return cost
        enter = leave
        r1, c1 = r, c
        if at_u < at_v:
            c1 = c + turn_c
            at_u = at_u + abs(1.0 / du) if c1 != last_c else math.inf
        else:
            r1 = r + turn_r
            at_v = at_v + abs(1.0 / dv) if r1 != last_r else math.inf
        if not _inside(r1, c1, opened) or not _passes(r, c, r1, c1, side, bounds, level, thing):
            return math.inf
        cost += CLIMB * abs(level[r1, c1] - level[r, c])
        r, c = r1, c1


@maker
def _nearest_open(start: int, found: Survey, bounds: Bounds) -> int:
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
            if not _inside(i, j, kind) or seen[i * columns + j] != 0:
                continue
            # Whoever stands in matter, which came after it, gets out of it anyhow.
            if not stuck and (kind[i, j] == MATTER or not _passes(r, c, i, j, side, bounds, level, thing)):
                continue
            seen[i * columns + j] = 1
            queue[tail] = i * columns + j
            tail += 1
    return -1


@part
def _nearest_of(area: int, to: int, found: Survey) -> int:
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
def _search(first: int, end: int, found: Survey, bounds: Bounds, dearness: Floats) -> tuple[Ints32, Floats]:
    """The cells of the cheapest way, and what it costs to each; both cells must be of one area."""
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
            if not _inside(i, j, opened) or opened[i, j] == 0 or heap.at[i * columns + j] == -2:
                continue
            if turn >= 4 and (opened[r, j] == 0 or opened[i, c] == 0):
                continue
            distance = side * (DIAGONAL if turn >= 4 else 1.0)
            if not _passes(r, c, i, j, distance, bounds, level, thing):
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


@part
def _draw_taut(
    trail: Ints32,
    costs: Floats,
    u: float,
    v: float,
    goal_u: float,
    goal_v: float,
    found: Survey,
    bounds: Bounds,
    dearness: Floats,
    points: Floats,
    passed: Ints,
    count: int,
    k: int,
) -> int:
    """Append places to the points so that straight lines between them are open and no dearer than the cells."""
    columns, room = found.kind.shape[1], points.shape[0]
    slack = 2.0 * found.frame[2]  # the ends of the way are not the middles of their cells
    here, last = 0, trail.shape[0] - 1
    while here < last and count < room:
        reach = here + 1
        for m in range(here + 2, min(here + LONGEST, last) + 1):
            m_u, m_v = trail[m] % columns + 0.5, trail[m] // columns + 0.5
            if m == last:
                m_u, m_v = goal_u, goal_v
            more = slack if here == 0 or m == last else 1e-9
            if line_cost(u, v, m_u, m_v, found, bounds, dearness) > costs[m] - costs[here] + more:
                break
            reach = m
        here = reach
        u, v = trail[here] % columns + 0.5, trail[here] // columns + 0.5
        if here == last:
            u, v = goal_u, goal_v
        points[count, 0], points[count, 1] = (
            (u + found.frame[1]) * found.frame[2],
            (v + found.frame[0]) * found.frame[2],
        )
        passed[count] = k
        count += 1
    if last == 0 and count < room:
        points[count, 0] = (goal_u + found.frame[1]) * found.frame[2]
        points[count, 1] = (goal_v + found.frame[0]) * found.frame[2]
        passed[count] = k
        count += 1
    return count
