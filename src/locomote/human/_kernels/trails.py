"""Trails: the places over which a walker gets round what is in its way, kept to until they are not needed any more."""

from __future__ import annotations

import math

from locomote.human._kernels import drive
from locomote.human._kernels.local_search import Desk, is_free, scout
from locomote.human._kernels.way import (
    COVERED,
    CRUISE,
    GOAL_X,
    GOAL_Z,
    LOOK,
    LOST,
    MAY_ROUND,
    NEAREST,
    RADIUS,
    SCOUT,
    TRAIL,
    TRAIL_COUNT,
    TRAIL_IDLE,
    TRAIL_LEFT,
    TRAIL_NEXT,
    TRAIL_WAITS,
)
from locomote.math._compile import inline, part
from locomote.math.vector import Floats
from locomote.navigation._kernels.detours import SLACK, first_in_way
from locomote.world._kernels.obstacle_buckets import NearObstacles, near_segment

VIEW_TIME = 3.0  # s, for obstacles that move
AROUND = 3.0  # m to either side of its way, in which it takes notice of them
PAST = 0.1  # m more than its own radius that it keeps from obstacles
NEARER = 0.3  # m, by which a goal must have come nearer to count as progress
LOST_AFTER = 3.0  # s without any, after which a walker searches for a way, and
SCOUT_AGAIN = 1.0  # s until it does so again
KEPT = 3.0  # s without progress along it, up to which a trail that is free is kept
SLOWEST_SCOUT = 0.5  # m/s, for which it is searched at least
TIGHT = 0.02  # m more than what a walker would go round, that it keeps there
FREE_AGAIN = 6.0  # m straight to the goal, over which nothing is in the way of one who needs no trail
AT_POINT = 0.35  # m from a place on the trail that counts as reached


@inline
def see(x: float, z: float, yaw: float, reach: float, margin: float, near: NearObstacles) -> int:
    """Find the obstacles near the way ahead; returns how many."""
    if near.table.shape[0] == 0:
        return 0
    ex, ez = x + reach * math.sin(yaw), z + reach * math.cos(yaw)
    return near_segment(x, z, ex, ez, margin + AROUND, VIEW_TIME, near.table, near.starts, near.members, near.found)


@part
def keep_trail(dt: float, row: Floats, way: Floats, near: NearObstacles, room: Desk) -> None:
    """Keep to a trail to its end or until it is not needed any more; who gets nowhere searches for another."""
    x, z, gx, gz = row[drive.X], row[drive.Z], way[GOAL_X], way[GOAL_Z]
    far = math.hypot(gx - x, gz - z)
    way[LOST], way[SCOUT] = way[LOST] + dt, way[SCOUT] - dt
    if far < way[NEAREST] - NEARER:
        way[NEAREST], way[LOST] = far, 0.0
    if way[TRAIL_COUNT] > 0.0:
        k = TRAIL + 2 * int(way[TRAIL_NEXT])
        if math.hypot(way[k] - x, way[k + 1] - z) < AT_POINT and way[TRAIL_WAITS] == 0.0:
            way[TRAIL_NEXT] += 1.0
            if way[TRAIL_NEXT] == way[TRAIL_COUNT]:
                way[TRAIL_COUNT] = way[SCOUT] = 0.0
        left = _left(x, z, way)
        way[TRAIL_IDLE] += dt
        if left < way[TRAIL_LEFT] - NEARER:
            way[TRAIL_LEFT], way[TRAIL_IDLE] = left, 0.0
    if way[LOOK] > 0.0 or (way[LOST] < LOST_AFTER and way[TRAIL_COUNT] == 0.0) or way[MAY_ROUND] == 0.0:
        return
    waits_for_nothing = way[TRAIL_COUNT] > 0.0 and way[TRAIL_WAITS] == COVERED and is_free((gx, gz), way[RADIUS], near)
    if (way[SCOUT] <= 0.0 and (way[LOST] > LOST_AFTER or way[TRAIL_WAITS] > 0.0)) or waits_for_nothing:
        if way[TRAIL_COUNT] > 0.0 and way[TRAIL_WAITS] == 0.0 and way[TRAIL_IDLE] < KEPT:
            # Who gets on along a trail keeps to it while it is free, though it leads away from the goal, and does not
            # turn back for one that is shorter since somebody has gone.
            k = TRAIL + 2 * int(way[TRAIL_NEXT])
            if _leads_freely(row, way, way[k], way[k + 1], math.inf, near):
                way[SCOUT] = SCOUT_AGAIN
                return
        search(row, way, near, room)
        return
    # Who sees its way free needs no trail, and
    if way[TRAIL_WAITS] == 0.0 and _leads_freely(row, way, gx, gz, FREE_AGAIN, near):
        way[TRAIL_COUNT] = 0.0
        return
    # a place that can be gone to straight away makes those before it needless.
    while way[TRAIL_NEXT] + 1.0 < way[TRAIL_COUNT]:
        k = TRAIL + 2 * int(way[TRAIL_NEXT]) + 2
        if not _leads_freely(row, way, way[k], way[k + 1], math.inf, near):
            return
        way[TRAIL_NEXT] += 1.0


@inline
def _left(x: float, z: float, way: Floats) -> float:
    """Metres of a trail that are left."""
    left = 0.0
    for n in range(int(way[TRAIL_NEXT]), int(way[TRAIL_COUNT])):
        px, pz = way[TRAIL + 2 * n], way[TRAIL + 2 * n + 1]
        left += math.hypot(px - x, pz - z)
        x, z = px, pz
    return left


@part
def _leads_freely(row: Floats, way: Floats, tx: float, tz: float, most: float, near: NearObstacles) -> bool:
    """Whether nothing is in the straight way to a place, for so many metres at most."""
    x, z = row[drive.X], row[drive.Z]
    there, reach = math.atan2(tx - x, tz - z), min(most, math.hypot(tx - x, tz - z))
    count = see(x, z, there, reach, way[RADIUS] + PAST, near)
    margin, pace = way[RADIUS] + PAST - SLACK, max(row[drive.SPEED], way[CRUISE])
    return first_in_way(x, z, there, pace, reach, margin, count, near)[0] < 0


@inline
def search(row: Floats, way: Floats, near: NearObstacles, room: Desk) -> None:
    """Search for a trail."""
    way[SCOUT] = SCOUT_AGAIN
    margin = way[RADIUS] + PAST - SLACK + TIGHT
    goal = way[GOAL_X], way[GOAL_Z]
    scout(row[drive.X], row[drive.Z], goal, max(SLOWEST_SCOUT, way[CRUISE]), margin, way, near, room)
    way[TRAIL_LEFT], way[TRAIL_IDLE] = _left(row[drive.X], row[drive.Z], way), 0.0
