"""Where the body of a creature goes: it follows its commands, and where it will be if they stay as they are."""

from __future__ import annotations

import math

from locomote.kernels import creature_layout as c
from locomote.kernels._compile import inline, part
from locomote.kernels.body_pose import STRETCH
from locomote.kernels.leg_fold import Folds, way_at
from locomote.kernels.vector import Floats, Pair, Vector

SPEED_RATE = math.log(2.0) / 0.15  # 1/s: half of a change of speed is made in 0.15 s
YAW_RATE = math.log(2.0) / 0.1  # 1/s
FASTEST_TURN = math.radians(120.0)  # rad/s
_LOOKS = 4  # pieces in which the way ahead is summed
_CROUCH = 0.7  # of the height of a hip at rest: the lowest to which it is let down to reach further
_FRAMES = 1.2  # frames before a foot would hold the body back in which it steps instead
_TIGHT = 0.02  # of a leg's span: what must be left of its reach, or it should step


@inline
def wrapped(angle: float) -> float:
    """An angle brought into -pi to pi."""
    return angle - 2.0 * math.pi * math.floor((angle + math.pi) / (2.0 * math.pi))


@inline
def next_turn(yaw: float, turn: float, dt: float, row: Floats) -> Pair:
    """The angle by which a body turns within ``dt`` from a yaw and a rate of turning, and the rate after it."""
    if dt <= 0.0:
        return 0.0, turn
    if row[c.BY_YAW] > 0.0:
        off = wrapped(row[c.WANTED_YAW] - yaw)
        most = FASTEST_TURN * dt
        step = min(max(off * (1.0 - math.exp(-YAW_RATE * dt)), -most), most)
        return step, step / dt
    after = row[c.WANTED_TURN] + (turn - row[c.WANTED_TURN]) * math.exp(-YAW_RATE * dt)
    return 0.5 * (turn + after) * dt, after


@inline
def next_speed(speed: float, dt: float, row: Floats) -> float:
    """The speed after ``dt``."""
    wanted = row[c.WANTED_SPEED]
    after: float = wanted + (speed - wanted) * math.exp(-SPEED_RATE * dt)
    return after


@part
def look_ahead(seconds: float, row: Floats) -> Vector:
    """(x, z, yaw) of the body so many seconds from now, as it was told to go."""
    x, z, yaw, speed, turn = row[c.X], row[c.Z], row[c.YAW], row[c.SPEED], row[c.TURN]
    dt = seconds / _LOOKS
    for _ in range(_LOOKS):
        step, turn = next_turn(yaw, turn, dt, row)
        after = next_speed(speed, dt, row)
        way, middle = 0.5 * (speed + after) * dt, yaw + 0.5 * step
        x, z, yaw, speed = x + way * math.sin(middle), z + way * math.cos(middle), yaw + step, after
    return x, z, yaw


@part
def drive_body(dt: float, row: Floats, feet: Floats, folds: Folds) -> None:
    """Move a body over the plan, no further than the legs that stand can reach."""
    step, row[c.TURN] = next_turn(row[c.YAW], row[c.TURN], dt, row)
    after = next_speed(row[c.SPEED], dt, row)
    way, middle = 0.5 * (row[c.SPEED] + after) * dt, row[c.YAW] + 0.5 * step
    row[c.SPEED] = after
    dx = way * math.sin(middle) + row[c.PULL_X] * dt
    dz = way * math.cos(middle) + row[c.PULL_Z] * dt
    held = _in_reach(dx, dz, step, row, feet, folds)
    row[c.HELD] = held
    row[c.X] += held * dx
    row[c.Z] += held * dz
    row[c.YAW] = wrapped(row[c.YAW] + held * step)


@inline
def _in_reach(dx: float, dz: float, step: float, row: Floats, feet: Floats, folds: Folds) -> float:
    """The share of a movement with which every standing foot stays in reach of its hip."""
    held = 1.0
    sine, cosine = math.sin(row[c.YAW]), math.cos(row[c.YAW])
    next_sine, next_cosine = math.sin(row[c.YAW] + step), math.cos(row[c.YAW] + step)
    for f in range(feet.shape[0]):
        if feet[f, c.STATE] != c.STANDING:
            continue
        most = level_reach(f, row, feet, folds)
        off_x, off_z = feet[f, c.FOOT_X] - row[c.X], feet[f, c.FOOT_Z] - row[c.Z]
        before = _hip_off(f, off_x, off_z, sine, cosine, folds)
        now = _hip_off(f, off_x - dx, off_z - dz, next_sine, next_cosine, folds)
        if now > most and now > before:
            held = min(held, max(0.0, (most - before) / (now - before)))
        down = feet[f, c.FOOT_Y] - row[c.Y]
        was, aim = _aim(f, off_x, down, off_z, sine, cosine, folds), folds.aims[f]
        will = _aim(f, off_x - dx, down, off_z - dz, next_sine, next_cosine, folds)
        if will < aim and will < was:
            held = min(held, max(0.0, (was - aim) / (was - will)))
        feet[f, c.SLACK] = min(most - now, (will - aim) * folds.spans[f, 1])
    return held


@inline
def level_reach(f: int, row: Floats, feet: Floats, folds: Folds) -> float:
    """How far a standing foot may be from under its hip if the body is let down as far as it may."""
    hip_y = folds.hips[f, 1]
    lowest = max(_CROUCH * folds.drops[f], min(folds.spans[f, 0] / STRETCH, folds.drops[f]))
    drop = min(row[c.Y] + hip_y - feet[f, c.FOOT_Y], lowest)
    drop = max(drop, row[c.FLOOR] + hip_y - feet[f, c.FOOT_Y])
    span = STRETCH * folds.spans[f, 1]
    return math.sqrt(max(span * span - drop * drop, 1e-4 * span * span))


@inline
def reaches(f: int, x: float, y: float, z: float, row: Floats, feet: Floats, folds: Folds) -> bool:
    """Whether a foot may be set down at a place, as the body is now."""
    sine, cosine = math.sin(row[c.YAW]), math.cos(row[c.YAW])
    off_x, off_z = x - row[c.X], z - row[c.Z]
    if _hip_off(f, off_x, off_z, sine, cosine, folds) > level_reach(f, row, feet, folds):
        return False
    return bool(_aim(f, off_x, y - row[c.Y], off_z, sine, cosine, folds) >= folds.aims[f])


@inline
def overstretched(f: int, dt: float, row: Floats, feet: Floats, folds: Folds) -> bool:
    """Whether a standing foot is about to be left behind."""
    return bool(feet[f, c.SLACK] < max(_TIGHT * folds.spans[f, 1], _FRAMES * dt * abs(row[c.SPEED])))


@inline
def _hip_off(f: int, off_x: float, off_z: float, sine: float, cosine: float, folds: Folds) -> float:
    """How far a foot is from under its hip in the plan, by where it is from the centre of the body."""
    x = off_x - cosine * folds.hips[f, 0] - sine * folds.hips[f, 2]
    z = off_z - cosine * folds.hips[f, 2] + sine * folds.hips[f, 0]
    return math.sqrt(x * x + z * z)


@inline
def _aim(f: int, off_x: float, off_y: float, off_z: float, sine: float, cosine: float, folds: Folds) -> float:
    """The cosine of the angle by which a hip is turned, by where the foot is from the centre of the body."""
    x = cosine * off_x - sine * off_z - folds.hips[f, 0]
    z = sine * off_x + cosine * off_z - folds.hips[f, 2]
    y = off_y - folds.hips[f, 1]
    distance = math.sqrt(x * x + y * y + z * z)
    way = way_at(f, distance, folds)
    turned: float = (x * way[0] + y * way[1] + z * way[2]) / distance
    return turned
