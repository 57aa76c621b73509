"""Stopping before something: exactly there, and then perhaps a jump from a stand."""

from __future__ import annotations

import math

from locomote.human._kernels.model import LEG_SHARE
from locomote.human._kernels.state import BOTH_FEET, NEUTRAL, PERIOD, Walker, Way
from locomote.human.jumps._kernels import jump_setup as setup
from locomote.human.jumps._kernels.jump_plan import along
from locomote.human.jumps._kernels.jump_setup import After, Planner
from locomote.math._compile import inline, part
from locomote.navigation._kernels.detours import strip
from locomote.world._kernels import obstacles as things
from locomote.world._kernels.obstacle_buckets import NearObstacles

COMFORTABLE = 0.9  # leg lengths / s^2: a stop begins when it needs so much
HARDEST = 3.5  # leg lengths / s^2
AT_REST = 1.0  # s that the feet take to stand side by side
OVER_SPEED = 0.3  # m/s^2 of the speed, by which a walker takes up its speed again


@inline
def standing_ball(row: Walker, known: Planner) -> float:
    """How far ahead of a standing body the balls of its feet are, m."""
    ahead = 0.0
    for k in range(known.places.shape[0]):
        ahead += known.weights[k] * known.places[k, 2, 0]
    out: float = ahead * row.leg.value / LEG_SHARE
    return out


@inline
def stop_in(row: Walker, way: float, limit: float) -> bool:
    """Stop after so many metres, evenly; not if that takes more than the limit."""
    speed = row.speed.value
    if way <= 0.0 or speed * speed > 2.0 * limit * way:
        return False
    row.speed.target, row.speed.left, row.free_stop = 0.0, 2.0 * way / speed, False
    row.turn.target, row.turn.left, row.steering = 0.0, way / speed, False
    row.profile.duration, row.news = 0.0, True
    return True


@inline
def stand_at(row: Walker, place: float) -> None:
    """Let the balls of both feet come to stand at a place along the heading; the body stops there."""
    line = row.jump.beyond
    line.leg, line.place = BOTH_FEET, place
    line.x, line.z = math.sin(row.yaw), math.cos(row.yaw)


@part
def halt(dt: float, row: Walker, way: Way, known: Planner, half: float, near: NearObstacles, o: int) -> None:
    """Stop before an obstacle, wait there while it is in the way, and jump it from a stand if that is the plan."""
    start = end = 0.0
    if o >= 0:
        start, end = strip(row.x, row.z, row.yaw, half, 0.0, o, near)
    if o < 0 or start > end or end < 0.0:
        way.state, way.thing = NEUTRAL, -1
        change = way.cruise - row.speed.value
        row.speed.target, row.speed.left = way.cruise, max(OVER_SPEED, abs(change))
        row.news = True
        return
    leg, speed = row.leg.value, row.speed.value
    left = start - way.margin - standing_ball(row, known)
    if row.speed.target > 0.0 or row.speed.left <= 0.0 < speed:
        shortest = speed * speed / (2.0 * HARDEST * leg)
        late = speed * speed >= 2.0 * COMFORTABLE * leg * max(left, shortest)
        if late and stop_in(row, max(left, shortest + 1e-6), HARDEST * leg):
            stand_at(row, along(row) + start - way.margin)
        return
    if speed > 0.0 or row.stride_speed > 0.0:
        way.halt = 0.0
        return
    way.halt += dt
    if not way.jumps and way.may_round:
        way.state, way.thing = NEUTRAL, -1  # from a stand there is always a way round
        return
    if way.jumps and way.halt > AT_REST:
        far = end + way.length - standing_ball(row, known)
        setup.set_standing(row, far, 0.0, After(way.cruise, row.run.target, row.auto_gait), known)
        row.jump.clear = near.table[o, things.HEIGHT]
        way.jumps = False
    if way.look <= 0.0:
        way.look = PERIOD
