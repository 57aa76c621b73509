"""The way of a body to a place: the cheapest over the cells of a survey, drawn taut to a few places."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.math._compile import inline, kernel, maker, part
from locomote.math.vector import Floats, Ints
from locomote.navigation._kernels.path_cells import (
    CLIMB,
    Ints32,
    SearchField,
    cheapest,
    dearness_of,
    inside,
    may_pass,
    nearest_of,
    nearest_open,
)
from locomote.navigation._kernels.path_state import BEYOND, CLOSED, FOUND, MATTER, NEARBY, Bounds, Survey

LONGEST = 160  # cells that are drawn taut at once
STRAIGHT = 1.02  # times its length that a straight way may cost to be taken without a search


class WayPoints(NamedTuple):
    """A way in the making; room for W places."""

    places: Floats  # (W, 2) as (x, z)
    passed: Ints  # (W,) how many goals are passed at each


class CellLine(NamedTuple):
    """A straight line over a survey, cells."""

    u0: float
    v0: float
    u1: float
    v1: float


@kernel
def plan_way(
    found: Survey,
    bounds: Bounds,
    start: Floats,
    goals: Floats,
    loose: bool,
    strict: bool,
    standing: Floats,
    way: WayPoints,
) -> tuple[int, int, int]:
    """Fill a way from ``start`` over all ``goals (K, 2)``; (points, goals passed, what came of it).

    A goal within something is taken as the nearest place beside it; a ``loose`` last goal may be anywhere near. A
    ``strict`` way keeps to the straight lines between goals where they are open. Around ``standing (S, 3)``, places and
    radii of those who stand, ways are dearer.
    """
    field = SearchField(found, bounds, dearness_of(found, bounds, standing))
    way.places[0, 0], way.places[0, 1] = start[0], start[1]
    way.passed[0] = 0
    count, came = 1, FOUND
    for k in range(goals.shape[0]):
        last = k == goals.shape[0] - 1
        count, section = _section(field, goals[k], loose and last, strict, way, count, k)
        came = max(came, section)
        if section > NEARBY:
            return (1, 0, section) if count == 1 else (count, k, FOUND)
        way.passed[count - 1] = k + 1
        if count == way.places.shape[0]:
            return count, k, came
    return count, goals.shape[0], came


# A maker, though it makes nothing itself: a part would never let go of the trail that it is given.
@maker
def _section(
    field: SearchField, goal: Floats, loose: bool, strict: bool, way: WayPoints, count: int, k: int
) -> tuple[int, int]:
    """Append the way from the last of the points to a goal."""
    found, bounds, points = field.found, field.bounds, way.places
    side, columns = found.frame[2], found.kind.shape[1]
    u, v = points[count - 1, 0] / side - found.frame[1], points[count - 1, 1] / side - found.frame[0]
    goal_u, goal_v = goal[0] / side - found.frame[1], goal[1] / side - found.frame[0]
    if not inside(math.floor(goal_v), math.floor(goal_u), found.kind) or not inside(
        math.floor(v), math.floor(u), found.kind
    ):
        return count, BEYOND
    straight = line_cost(CellLine(u, v, goal_u, goal_v), field)
    if (
        straight <= (math.inf if strict else STRAIGHT * side * math.hypot(goal_u - u, goal_v - v))
        and straight < math.inf
    ):
        return _append(goal[0], goal[1], way, count, k), FOUND
    here, there = math.floor(v) * columns + math.floor(u), math.floor(goal_v) * columns + math.floor(goal_u)
    first = nearest_open(here, found, bounds)
    if first < 0:
        return count, CLOSED
    area = found.area[first // columns, first % columns]
    end = -1
    if not loose and found.kind[there // columns, there % columns] != MATTER:
        end = nearest_open(there, found, bounds)
    if end < 0:
        end = nearest_of(area, there, found)
    beyond = found.area[end // columns, end % columns]
    if area != beyond:
        return count, BEYOND if found.outward[area] != 0 and found.outward[beyond] != 0 else CLOSED
    trail, costs = cheapest(first, end, field)
    if first != here:
        u, v = first % columns + 0.5, first // columns + 0.5
        count = _append_cell(u, v, found, way, count, k)
    came = FOUND if end == there else NEARBY
    if came == NEARBY:
        goal_u, goal_v = end % columns + 0.5, end // columns + 0.5
    return _draw_taut(trail, costs, CellLine(u, v, goal_u, goal_v), field, way, count, k), came


@inline
def _append(x: float, z: float, way: WayPoints, count: int, k: int) -> int:
    """Append a place, at which ``k`` goals are passed; the new count."""
    way.places[count, 0], way.places[count, 1] = x, z
    way.passed[count] = k
    return count + 1


@inline
def _append_cell(u: float, v: float, found: Survey, way: WayPoints, count: int, k: int) -> int:
    """Append a place in cells."""
    return _append((u + found.frame[1]) * found.frame[2], (v + found.frame[0]) * found.frame[2], way, count, k)


@part
def line_cost(line: CellLine, field: SearchField) -> float:
    """What a straight way costs; infinite where a body may not pass.

    It goes over all cells that the line touches; where it passes a corner, over one of those beside it.
    """
    (u0, v0, u1, v1), (found, bounds, dearness) = line, field
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
        if not inside(r, c, opened) or opened[r, c] == 0:
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
        if not inside(r1, c1, opened) or not may_pass(r, c, r1, c1, side, bounds, level, thing):
            return math.inf
        cost += CLIMB * abs(level[r1, c1] - level[r, c])
        r, c = r1, c1


@part
def _draw_taut(
    trail: Ints32, costs: Floats, ends: CellLine, field: SearchField, way: WayPoints, count: int, k: int
) -> int:
    """Append places to the points so that straight lines between them are open and no dearer than the cells."""
    found = field.found
    u, v, goal_u, goal_v = ends
    columns, room = found.kind.shape[1], way.places.shape[0]
    slack = 2.0 * found.frame[2]  # the ends of the way are not the middles of their cells
    here, last = 0, trail.shape[0] - 1
    while here < last and count < room:
        reach = here + 1
        for m in range(here + 2, min(here + LONGEST, last) + 1):
            m_u, m_v = trail[m] % columns + 0.5, trail[m] // columns + 0.5
            if m == last:
                m_u, m_v = goal_u, goal_v
            more = slack if here == 0 or m == last else 1e-9
            if line_cost(CellLine(u, v, m_u, m_v), field) > costs[m] - costs[here] + more:
                break
            reach = m
        here = reach
        u, v = trail[here] % columns + 0.5, trail[here] // columns + 0.5
        if here == last:
            u, v = goal_u, goal_v
        count = _append_cell(u, v, found, way, count, k)
    if last == 0 and count < room:
        count = _append_cell(goal_u, goal_v, found, way, count, k)
    return count
