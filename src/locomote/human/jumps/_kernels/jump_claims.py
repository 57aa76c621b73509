"""The way of a jump: what a walker needs until it could stand again after its landing, and whether it may have it.

Who jumps cannot stop from a point of no return on. Up to there its run-up is a walk like any other, which can be broken
off before whatever is in the way; shortly before, the way to the landing and beyond is claimed (see `safe_drives`), if
no obstacle is on it then.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.human._kernels.model import LEG_SHARE
from locomote.human._kernels.state import UNDER_WAY, Walker, Way
from locomote.human.jumps._kernels import jump as leap
from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Ints
from locomote.navigation._kernels.detours import first_in_way
from locomote.navigation._kernels.steering import BRAKE
from locomote.world._kernels import obstacles as shapes
from locomote.world._kernels.obstacle_buckets import NearObstacles, near_segment

LEAST = 0.3  # m/s
BODY = 0.5  # hip heights from the ball of a foot that lands to where the body is when the landing is over
CLAIM_SPARE = 0.35  # m more than a jump needs, since it is planned anew all the time
RECOVERING = 0.8  # s after a landing, in which nothing that moves may come there
# m before the last place where it could stop or the jump begins, at which it must have its way
UNDECIDED = 0.1
FORESEEN = 3.0  # s for which obstacles are taken to move on


class Claims(NamedTuple):
    """The ways of those who jump."""

    lengths: Floats  # (N,) m until they could stand again after the landing, 0 for those who do not jump
    spare: Floats  # (N,) m that a run-up may still go on before it must be decided
    granted: Floats  # (N,) 1: the way is theirs
    refused: Ints  # (N,) 1: the jump is to be given up now


@part
def claim(dt: float, n: int, row: Walker, way: Way, claims: Claims, near: NearObstacles) -> None:
    """Say what way a jump needs, how long that may still be left open, and whether obstacles forbid it."""
    jump = row.jump
    here = row.x * math.sin(row.yaw) + row.z * math.cos(row.yaw)
    size, speed = row.leg.value / LEG_SHARE, row.speed.value
    fastest = speed
    away = max(0.0, jump.before.place - here)
    if jump.state == UNDER_WAY:
        needed = max(0.0, leap.total(jump) - jump.time) * speed
    elif jump.leg < 0:
        needed = jump.length * size
    else:
        if row.profile.duration > 0.0:
            fastest = max(speed, np.sum(row.profile.coefficients))  # at the end of the run-up
        needed = away + max((jump.length + BODY) * size, leap.total(jump) * fastest)
    needed += 0.5 * fastest * fastest / BRAKE
    left = claims.lengths[n] - speed * dt
    told = way.thing < 0 or jump.leg < 0
    if jump.state == UNDER_WAY or told or not way.heeds:
        claims.granted[n], claims.lengths[n] = 1.0, max(needed, left)
        return
    landing = away + jump.length * size
    pace = max(LEAST, 0.5 * (speed + fastest))
    free, clear = _look_along(pace, away, landing, needed + CLAIM_SPARE, row, way, near)
    begins = jump.before.place - jump.ahead - here  # from there on it cannot be given up
    claims.spare[n] = min(free - 0.5 * speed * speed / BRAKE, begins) - UNDECIDED
    if claims.granted[n] > 0.0 and needed > left and claims.spare[n] > 0.0:
        claims.granted[n] = 0.0  # what is jumped has moved, and the walker can still stop
    if claims.granted[n] > 0.0:
        claims.lengths[n] = max(needed, left)
    else:
        claims.lengths[n] = needed + CLAIM_SPARE
        claims.refused[n] = 0 if clear else 1


@part
def can_stop(row: Walker, way: Way, near: NearObstacles) -> bool:
    """Whether a walker could still stop, straight on, before whatever is in its way."""
    x, z, yaw, speed = row.x, row.z, row.yaw, row.speed.value
    stop, radius = 0.5 * speed * speed / BRAKE, way.radius
    ex, ez = x + stop * math.sin(yaw), z + stop * math.cos(yaw)
    count = near_segment(x, z, ex, ez, radius, FORESEEN, near, near.found)
    return first_in_way(x, z, yaw, speed, stop, radius, count, near)[0] < 0


@part
def _look_along(
    pace: float, away: float, landing: float, end: float, row: Walker, way: Way, near: NearObstacles
) -> tuple[float, bool]:
    """How many metres a body may go straight on until it touches something, and whether it may jump so.

    ``away`` is where it takes off, between ``landing`` and ``end`` it lands and could stop.
    """
    x, z, hx, hz = row.x, row.z, math.sin(row.yaw), math.cos(row.yaw)
    table, corners, radius = near.table, near.corners, way.radius
    count = near_segment(x, z, x + end * hx, z + end * hz, radius, FORESEEN, near, near.found)
    _, free = first_in_way(x, z, row.yaw, pace, end, radius, count, near)
    high = row.jump.clear
    for k in range(count):
        o = near.found[k]
        if near.ids[o] == way.thing:
            continue
        enter, leave = shapes.crossing(x, z, pace * hx, pace * hz, radius, o, table, corners)
        if leave > 0.0 and enter < leave:
            ahead = pace * max(0.0, enter)
            if ahead < away - radius or (ahead < landing and table[o, shapes.HEIGHT] > high):
                return free, False
        # As it will be when the walker lands there and goes on, and still is while that takes up its way again.
        for when in (landing / pace, end / pace, end / pace + RECOVERING):
            ox, oz = shapes.as_of(x, z, when, o, table)
            fx, fz = shapes.as_of(x + hx, z + hz, when, o, table)
            enter, leave = _strip_of(ox, oz, fx - ox, fz - oz, radius, o, table, corners)
            if enter < leave and leave > landing and enter < end:
                return free, False
    return free, True


@inline
def _strip_of(
    x: float, z: float, hx: float, hz: float, margin: float, o: int, table: Floats, corners: Floats
) -> tuple[float, float]:
    """From where to where, in metres ahead, a way leads through an obstacle as if that stood still."""
    vx, vz = hx + table[o, shapes.VX], hz + table[o, shapes.VZ]
    return shapes.crossing(x, z, vx, vz, margin, o, table, corners)
