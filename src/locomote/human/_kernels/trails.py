"""Trails: the places over which a walker gets round what is in its way, kept to until they are not needed any more."""

from __future__ import annotations

import math

from locomote.human._kernels.state import Walker, Way
from locomote.math._compile import inline, part
from locomote.navigation._kernels.detours import SLACK, first_in_way
from locomote.navigation._kernels.local_search import Searcher, SearchScratch, is_free, may_search, scout
from locomote.navigation._kernels.trail import COVERED, GOES_ON, Trail
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
    return near_segment(x, z, ex, ez, margin + AROUND, VIEW_TIME, near, near.found)


@part
def keep_trail(dt: float, row: Walker, way: Way, near: NearObstacles, scratch: SearchScratch) -> None:
    """Keep to a trail to its end or until it is not needed any more; who gets nowhere searches for another."""
    x, z, gx, gz, trail = row.x, row.z, way.goal_x, way.goal_z, way.trail
    far = math.hypot(gx - x, gz - z)
    way.lost, way.scout = way.lost + dt, way.scout - dt
    if far < way.nearest - NEARER:
        way.nearest, way.lost = far, 0.0
    if trail.count > 0:
        place = trail.places[trail.next]
        if math.hypot(place[0] - x, place[1] - z) < AT_POINT and trail.waits == GOES_ON:
            trail.next += 1
            if trail.next == trail.count:
                trail.count, way.scout = 0, 0.0
        left = _left(x, z, trail)
        trail.idle += dt
        if left < trail.left - NEARER:
            trail.left, trail.idle = left, 0.0
    if way.look > 0.0 or (way.lost < LOST_AFTER and trail.count == 0) or not way.may_round:
        return
    waits_for_nothing = trail.count > 0 and trail.waits == COVERED and is_free((gx, gz), way.radius, near)
    if (way.scout <= 0.0 and (way.lost > LOST_AFTER or trail.waits != GOES_ON)) or waits_for_nothing:
        if trail.count > 0 and trail.waits == GOES_ON and trail.idle < KEPT:
            # Who gets on along a trail keeps to it while it is free, though it leads away from the goal, and does not
            # turn back for one that is shorter since somebody has gone.
            place = trail.places[trail.next]
            if _leads_freely(row, way, place[0], place[1], math.inf, near):
                way.scout = SCOUT_AGAIN
                return
        search(row, way, near, scratch)
        return
    # Who sees its way free needs no trail, and
    if trail.waits == GOES_ON and _leads_freely(row, way, gx, gz, FREE_AGAIN, near):
        trail.count = 0
        return
    # a place that can be gone to straight away makes those before it needless.
    while trail.next + 1 < trail.count:
        place = trail.places[trail.next + 1]
        if not _leads_freely(row, way, place[0], place[1], math.inf, near):
            return
        trail.next += 1


@inline
def _left(x: float, z: float, trail: Trail) -> float:
    """Metres of a trail that are left."""
    left = 0.0
    for n in range(trail.next, trail.count):
        px, pz = trail.places[n, 0], trail.places[n, 1]
        left += math.hypot(px - x, pz - z)
        x, z = px, pz
    return left


@part
def _leads_freely(row: Walker, way: Way, tx: float, tz: float, most: float, near: NearObstacles) -> bool:
    """Whether nothing is in the straight way to a place, for so many metres at most."""
    x, z = row.x, row.z
    there, reach = math.atan2(tx - x, tz - z), min(most, math.hypot(tx - x, tz - z))
    count = see(x, z, there, reach, way.radius + PAST, near)
    margin, pace = way.radius + PAST - SLACK, max(row.speed.value, way.cruise)
    return first_in_way(x, z, there, pace, reach, margin, count, near)[0] < 0


@inline
def search(row: Walker, way: Way, near: NearObstacles, scratch: SearchScratch) -> bool:
    """Search for a trail, unless so many do in this frame that others must wait; returns whether it did."""
    if not may_search(max(0.0, -way.scout), scratch):
        return False
    way.scout = SCOUT_AGAIN
    margin = way.radius + PAST - SLACK + TIGHT
    goal = way.goal_x, way.goal_z
    body = Searcher(max(SLOWEST_SCOUT, way.cruise), way.radius, margin, way.lost)
    scout((row.x, row.z), goal, body, way.trail, near, scratch)
    way.trail.left, way.trail.idle = _left(row.x, row.z, way.trail), 0.0
    return True
