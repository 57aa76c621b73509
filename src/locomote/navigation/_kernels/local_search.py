"""A way out of a thicket: those who come no nearer to their goals search for one on a small grid round them.

Every cell has a cost, 0 where the body has no room: obstacles that move are taken where they will be when the walker
could be there; where people stand about a way is longer. The way to every cell is found by relaxing a queue of cells;
the cells of the best one are then cut down to the few places between which a walker can go straight.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, part
from locomote.math.records import Records, zeros
from locomote.math.vector import Floats, Ints, Pair
from locomote.navigation._kernels.course import Course
from locomote.navigation._kernels.trail import COVERED, GOES_ON, MOST_POINTS, WAITS, Trail
from locomote.world._kernels import obstacles as things
from locomote.world._kernels.obstacle_buckets import NearObstacles, near_segment

SIDE = 80  # cells of the grid
CELL = 0.2  # m
MANY = 128  # obstacles that are looked at
FORESEEN = 3.0  # s for which obstacles are taken to move on
CLOSE, CLOSE_COST = 0.25, 1.6  # m beyond the margin, within which a way counts as so many times as long
# m round a walker that it can leave, however near it is to something, and how many times as long that counts
ROOM_HERE, HEMMED_COST = 0.4, 3.0
AT_GOAL = 0.45  # m from the goal to a cell from where it is reached
# m round one who stands, within which a way counts as so many times as long, and 1/s: more for a walker that has come
# no nearer to its goal, for so many s at most
CROWD, CROWD_COST, CROWD_MORE, MOST_LOST = 0.6, 3.0, 1.0, 15.0
STANDS = 1.0  # s, after which one who stands is taken to stay there
HURRY = 0.2  # m nearer to a goal that cannot be reached, for which a walker goes a metre
SIGHT = 0.1  # m between places of a straight way that are looked at
# Searches of a frame: so many, or one for so many people. In a jam all are lost at once, and want one every second.
LEAST_SEARCHES, PEOPLE_A_SEARCH = 2.0, 160.0
LEFT, LEVEL, REFUSED = range(3)  # of a budget


class SearchScratch(NamedTuple):
    """Memory for one search after the other, and where people stand about."""

    costs: Floats  # (SIDE * SIDE,)
    ways: Floats  # (SIDE * SIDE,) m
    back: Ints  # (SIDE * SIDE,) the cell before
    queue: Ints  # (SIDE * SIDE,)
    queued: Ints  # (SIDE * SIDE,)
    found: Ints  # (MANY,)
    people: Records  # (N,) `Course` of everyone
    stood: Floats  # (N,) s for which each has stood, or hardly gone and come no nearer to its goal
    # (3,) LEFT: searches in this frame; LEVEL: s for which one must have waited; REFUSED: how many were in this frame
    budget: Floats


def make_search_scratch() -> SearchScratch:
    """Memory for searches; who stands about is still to be given."""
    costs, ways = (np.zeros(SIDE * SIDE) for _ in range(2))
    back, queue, queued = (np.zeros(SIDE * SIDE, np.int64) for _ in range(3))
    return SearchScratch(
        costs, ways, back, queue, queued, np.zeros(MANY, np.int64), zeros(Course, 0), np.zeros(0), np.zeros(3)
    )


@inline
def open_budget(people: int, scratch: SearchScratch) -> None:
    """Allow the searches of a frame."""
    scratch.budget[LEFT], scratch.budget[REFUSED] = max(LEAST_SEARCHES, people / PEOPLE_A_SEARCH), 0.0


@inline
def may_search(waited: float, scratch: SearchScratch) -> bool:
    """Whether one may search who has waited so many seconds since it wanted to, or could have; it counts then."""
    budget = scratch.budget
    if budget[LEFT] < 1.0 or waited < budget[LEVEL]:
        budget[REFUSED] += 1.0
        return False
    budget[LEFT] -= 1.0
    return True


@inline
def close_budget(dt: float, scratch: SearchScratch) -> None:
    """Let those go first in the next frame who have waited longer, if there were too many in this one."""
    budget = scratch.budget
    if budget[LEFT] < 1.0 and budget[REFUSED] > 0.0:
        budget[LEVEL] += dt
    else:
        budget[LEVEL] = max(0.0, budget[LEVEL] - dt)


class Searcher(NamedTuple):
    """One who searches for a way."""

    pace: float  # m/s
    radius: float  # m, of the body,
    margin: float  # m that it keeps from obstacles on its way
    lost: float  # s for which it has come no nearer to its goal


@part
def scout(here: Pair, goal: Pair, body: Searcher, trail: Trail, near: NearObstacles, scratch: SearchScratch) -> None:
    """Set a trail: places that lead from here to a goal, towards it, or as near to it as one can get."""
    x, z = here
    low_x, low_z = x - 0.5 * SIDE * CELL, z - 0.5 * SIDE * CELL
    _survey(x, z, low_x, low_z, body, near, scratch)
    _crowd(x, z, low_x, low_z, CROWD_COST + CROWD_MORE * min(MOST_LOST, body.lost), scratch)
    start = _cell(x, z, low_x, low_z)
    _spread(start, scratch)
    open_goal = is_free(goal, body.radius, near)
    end, waits = _best(start, goal, open_goal, low_x, low_z, scratch)
    trail.next, trail.waits = 0, (WAITS if open_goal else COVERED) if waits else GOES_ON
    # The cells from here to there, in the queue's scratch.
    count, cell = 0, end
    while cell != start:
        count, cell = count + 1, scratch.back[cell]
    cell = end
    for k in range(count):
        scratch.queue[count - 1 - k], cell = cell, scratch.back[cell]
    at, points, hx, hz, gone = 0, 0, x, z, 0.0
    while at < count and points < MOST_POINTS:
        last = count - 1
        while last > at and not _sees(hx, hz, gone, scratch.queue[last], low_x, low_z, scratch):
            last -= 1
        hx, hz = _middle(scratch.queue[last], low_x, low_z)
        gone = scratch.ways[scratch.queue[last]]
        trail.places[points, 0], trail.places[points, 1] = hx, hz
        at, points = last + 1, points + 1
    if points > 0 and not waits and at == count and math.hypot(goal[0] - hx, goal[1] - hz) < AT_GOAL:
        trail.places[points - 1, 0], trail.places[points - 1, 1] = goal
    if points == 0:
        trail.places[0, 0], trail.places[0, 1], points = x, z, 1
    trail.count = points


@inline
def _cell(x: float, z: float, low_x: float, low_z: float) -> int:
    return int((z - low_z) / CELL) * SIDE + int((x - low_x) / CELL)


@inline
def _middle(cell: int, low_x: float, low_z: float) -> Pair:
    return low_x + (cell % SIDE + 0.5) * CELL, low_z + (cell // SIDE + 0.5) * CELL


@inline
def _survey(
    x: float, z: float, low_x: float, low_z: float, body: Searcher, near: NearObstacles, scratch: SearchScratch
) -> None:
    """Fill the costs."""
    margin, pace = body.margin, body.pace
    scratch.costs[:] = 1.0
    table, corners = near.table, near.corners
    half = 0.5 * SIDE * CELL
    count = near_segment(x, z, x, z, math.sqrt(2.0) * half, FORESEEN, near, scratch.found)
    for k in range(count):
        o = scratch.found[k]
        reach = table[o, things.RADIUS] + margin + CLOSE
        moves = FORESEEN * table[o, things.VX], FORESEEN * table[o, things.VZ]
        ox, oz = table[o, things.X] - low_x, table[o, things.Z] - low_z
        first_x = max(0, math.floor((ox + min(0.0, moves[0]) - reach) / CELL))
        last_x = min(SIDE - 1, math.floor((ox + max(0.0, moves[0]) + reach) / CELL))
        first_z = max(0, math.floor((oz + min(0.0, moves[1]) - reach) / CELL))
        last_z = min(SIDE - 1, math.floor((oz + max(0.0, moves[1]) + reach) / CELL))
        still = moves[0] == 0.0 and moves[1] == 0.0
        for row in range(first_z, last_z + 1):
            for column in range(first_x, last_x + 1):
                cell = row * SIDE + column
                if scratch.costs[cell] == 0.0:
                    continue
                cx, cz = low_x + (column + 0.5) * CELL, low_z + (row + 0.5) * CELL
                far = math.sqrt((cx - x) ** 2 + (cz - z) ** 2)
                if not still:
                    cx, cz = things.as_of(cx, cz, min(FORESEEN, far / pace), o, table)
                dx, dz = cx - table[o, things.X], cz - table[o, things.Z]
                if dx * dx + dz * dz > reach * reach:
                    continue
                off = things.distance(cx, cz, o, table, corners)[0] - margin
                if off < 0.0:
                    scratch.costs[cell] = HEMMED_COST if far < ROOM_HERE else 0.0
                elif off < CLOSE:
                    scratch.costs[cell] = max(CLOSE_COST, scratch.costs[cell])


@inline
def _crowd(x: float, z: float, low_x: float, low_z: float, cost: float, scratch: SearchScratch) -> None:
    """Raise the costs where others stand."""
    half, reach = 0.5 * SIDE * CELL, round(CROWD / CELL)
    for n in range(scratch.people.shape[0]):
        px, pz = scratch.people[n].x, scratch.people[n].z
        if scratch.stood[n] < STANDS or abs(px - x) > half or abs(pz - z) > half:
            continue
        if abs(px - x) + abs(pz - z) < CELL:
            continue  # the walker itself
        column, row = int((px - low_x) / CELL), int((pz - low_z) / CELL)
        for r in range(max(0, row - reach), min(SIDE, row + reach + 1)):
            for c in range(max(0, column - reach), min(SIDE, column + reach + 1)):
                cell = r * SIDE + c
                if scratch.costs[cell] > 0.0 and (r - row) ** 2 + (c - column) ** 2 <= reach * reach:
                    scratch.costs[cell] = max(cost, scratch.costs[cell])


@part
def is_free(goal: Pair, radius: float, near: NearObstacles) -> bool:
    """Whether a body has room at the goal, as obstacles are now."""
    count = near_segment(goal[0], goal[1], goal[0], goal[1], radius, 0.0, near, near.found)
    for k in range(count):
        if things.distance(goal[0], goal[1], near.found[k], near.table, near.corners)[0] < radius:
            return False
    return True


@inline
def _spread(start: int, scratch: SearchScratch) -> None:
    """Find the shortest way from the start to every cell."""
    costs, ways, queue = scratch.costs, scratch.ways, scratch.queue
    ways[:] = math.inf
    scratch.queued[:] = 0
    ways[start], queue[0], head, waiting = 0.0, start, 0, 1
    while waiting > 0:
        cell = queue[head]
        head, waiting = (head + 1) % (SIDE * SIDE), waiting - 1
        scratch.queued[cell] = 0
        row, column = cell // SIDE, cell % SIDE
        for dz in range(-1 if row > 0 else 0, 2 if row < SIDE - 1 else 1):
            for dx in range(-1 if column > 0 else 0, 2 if column < SIDE - 1 else 1):
                other = cell + dz * SIDE + dx
                if costs[other] == 0.0:
                    continue
                step = CELL
                if dx != 0 and dz != 0:
                    if costs[cell + dx] == 0.0 or costs[cell + dz * SIDE] == 0.0:
                        continue  # not across a corner
                    step = math.sqrt(2.0) * CELL
                new = ways[cell] + step * costs[other]
                if new < ways[other] - 1e-9:
                    ways[other], scratch.back[other] = new, cell
                    if scratch.queued[other] == 0:
                        scratch.queued[other] = 1
                        queue[(head + waiting) % (SIDE * SIDE)] = other
                        waiting += 1


@inline
def _best(
    start: int, goal: Pair, open_goal: bool, low_x: float, low_z: float, scratch: SearchScratch
) -> tuple[int, bool]:
    """The cell to go to, and whether that is to wait there: the goal, the edge of the grid, or what is nearest."""
    best, leave, nearest = -1, -1, start
    least = leave_least = nearest_least = math.inf
    size = SIDE * CELL
    inside = 0.0 < goal[0] - low_x < size and 0.0 < goal[1] - low_z < size
    for cell in range(SIDE * SIDE):
        if scratch.ways[cell] == math.inf:
            continue
        cx, cz = _middle(cell, low_x, low_z)
        far = math.sqrt((goal[0] - cx) ** 2 + (goal[1] - cz) ** 2)
        if open_goal and far < AT_GOAL and scratch.ways[cell] + far < least:
            best, least = cell, scratch.ways[cell] + far
        row, column = cell // SIDE, cell % SIDE
        edge = row == 0 or column == 0 or row == SIDE - 1 or column == SIDE - 1
        if edge and scratch.ways[cell] + far < leave_least:
            leave, leave_least = cell, scratch.ways[cell] + far
        if scratch.costs[cell] < HEMMED_COST and far + HURRY * scratch.ways[cell] < nearest_least:
            nearest, nearest_least = cell, far + HURRY * scratch.ways[cell]
    if best >= 0:
        return best, False
    if leave >= 0 and not inside:
        return leave, False
    return nearest, True


@inline
def _sees(x: float, z: float, gone: float, cell: int, low_x: float, low_z: float, scratch: SearchScratch) -> bool:
    """Whether the straight way to a cell is free, and no costlier than the way found, of which so much is gone."""
    tx, tz = _middle(cell, low_x, low_z)
    far = math.hypot(tx - x, tz - z)
    count = int(far / SIGHT) + 1
    cost = 0.0
    for k in range(1, count):
        share = k / count
        here = scratch.costs[_cell(x + share * (tx - x), z + share * (tz - z), low_x, low_z)]
        if here == 0.0:
            return False
        cost += here
    return bool(cost * far / count <= scratch.ways[cell] - gone + CELL)
