"""Stopping before something: exactly there, and then perhaps a jump from a stand."""

from __future__ import annotations

import math

from locomote.human._kernels import drive
from locomote.human._kernels.way import (
    CRUISE,
    HALT,
    JUMPS,
    LENGTH,
    LOOK,
    MARGIN,
    MAY_ROUND,
    NEUTRAL,
    PERIOD,
    STATE,
    THING,
)
from locomote.human.jumps._kernels import jump as leap
from locomote.human.jumps._kernels import jump_setup as setup
from locomote.human.jumps._kernels.jump_plan import Known, along
from locomote.math._compile import inline, part
from locomote.math.vector import Floats
from locomote.navigation._kernels.detours import strip
from locomote.world._kernels import obstacles as things
from locomote.world._kernels.obstacle_buckets import NearObstacles

COMFORTABLE = 0.9  # leg lengths / s^2: a stop begins when it needs so much
HARDEST = 3.5  # leg lengths / s^2
AT_REST = 1.0  # s that the feet take to stand side by side
OVER_SPEED = 0.3  # m/s^2 of the speed, by which a walker takes up its speed again


@inline
def standing_ball(row: Floats, places: Floats) -> float:
    """How far ahead of a standing body the balls of its feet are, m."""
    ahead = 0.0
    for k in range(places.shape[0]):
        ahead += row[drive.WEIGHTS + k] * places[k, 2, 0]
    out: float = ahead * row[drive.LEG] / drive.LEG_SHARE
    return out


@inline
def stop_in(row: Floats, way: float, limit: float) -> bool:
    """Stop after so many metres, evenly; not if that takes more than the limit."""
    speed = row[drive.SPEED]
    if way <= 0.0 or speed * speed > 2.0 * limit * way:
        return False
    row[drive.SPEED + 1], row[drive.SPEED + 2], row[drive.FREE_STOP] = 0.0, 2.0 * way / speed, 0.0
    row[drive.TURN + 1], row[drive.TURN + 2], row[drive.STEERING] = 0.0, way / speed, 0.0
    row[drive.PROFILE_DURATION], row[drive.NEWS] = 0.0, 1.0
    return True


@inline
def stand_at(row: Floats, place: float) -> None:
    """Let the balls of both feet come to stand at a place along the heading; the body stops there."""
    line = row[drive.JUMP + leap.LINES + 5 : drive.JUMP + leap.LINES + 10]
    line[0], line[2] = leap.BOTH, place
    line[3], line[4] = math.sin(row[drive.YAW]), math.cos(row[drive.YAW])


@part
def halt(dt: float, row: Floats, way: Floats, known: Known, half: float, near: NearObstacles, o: int) -> None:
    """Stop before an obstacle, wait there while it is in the way, and jump it from a stand if that is the plan."""
    start = end = 0.0
    if o >= 0:
        start, end = strip(row[drive.X], row[drive.Z], row[drive.YAW], half, 0.0, o, near)
    if o < 0 or start > end or end < 0.0:
        way[STATE], way[THING] = NEUTRAL, -1.0
        change = way[CRUISE] - row[drive.SPEED]
        row[drive.SPEED + 1], row[drive.SPEED + 2] = way[CRUISE], max(OVER_SPEED, abs(change))
        row[drive.NEWS] = 1.0
        return
    leg, speed = row[drive.LEG], row[drive.SPEED]
    left = start - way[MARGIN] - standing_ball(row, known.places)
    if row[drive.SPEED + 1] > 0.0 or row[drive.SPEED + 2] <= 0.0 < speed:
        shortest = speed * speed / (2.0 * HARDEST * leg)
        late = speed * speed >= 2.0 * COMFORTABLE * leg * max(left, shortest)
        if late and stop_in(row, max(left, shortest + 1e-6), HARDEST * leg):
            stand_at(row, along(row) + start - way[MARGIN])
        return
    if speed > 0.0 or row[drive.STRIDE_SPEED] > 0.0:
        way[HALT] = 0.0
        return
    way[HALT] += dt
    if way[JUMPS] == 0.0 and way[MAY_ROUND] > 0.0:
        way[STATE], way[THING] = NEUTRAL, -1.0  # from a stand there is always a way round
        return
    if way[JUMPS] > 0.0 and way[HALT] > AT_REST:
        after = known.after
        after[0], after[1], after[2] = way[CRUISE], row[drive.RUN + 1], row[drive.AUTO]
        far = end + way[LENGTH] - standing_ball(row, known.places)
        setup.set_standing(row, far, 0.0, after, known.units)
        row[drive.JUMP + leap.CLEAR] = near.table[o, things.HEIGHT]
        way[JUMPS] = 0.0
    if way[LOOK] <= 0.0:
        way[LOOK] = PERIOD
