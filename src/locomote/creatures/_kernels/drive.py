"""Where the body of a creature goes: it follows its commands, and where it will be if they stay as they are."""

from __future__ import annotations

import math

from locomote.creatures._kernels import layout as c
from locomote.creatures._kernels.body_pose import STRETCH
from locomote.creatures._kernels.girdles import in_girdle, turned_in
from locomote.creatures._kernels.leg_fold import Folds, way_at
from locomote.creatures._kernels.spine_guide import bend_line
from locomote.creatures._kernels.spine_layout import Spine
from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Pair, Vector, copy_into, wrapped

SPEED_RATE = math.log(2.0) / 0.15  # 1/s: half of a change of speed is made in 0.15 s
YAW_RATE = math.log(2.0) / 0.1  # 1/s
FASTEST_TURN = math.radians(120.0)  # rad/s
_LOOKS = 4  # pieces in which the way ahead is summed
_CROUCH = 0.7  # of the height of a hip at rest: the lowest to which it is let down to reach further
_FRAMES = 1.2  # frames before a foot would hold the body back in which it steps instead
_TIGHT = 0.02  # of a leg's span: what must be left of its reach, or it should step
_STEADYING = math.log(2.0) / 0.2  # 1/s at which a creature that was shoved comes to a stop
_PATIENCE = 0.2  # s that a change of speed waits for a foot that pushes
_SAME = 0.02  # m/s


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
    lead = row[c.LEAD]
    x, z = x + lead * math.sin(yaw), z + lead * math.cos(yaw)
    dt = seconds / _LOOKS
    for _ in range(_LOOKS):
        step, turn = next_turn(yaw, turn, dt, row)
        after = next_speed(speed, dt, row)
        way, middle = 0.5 * (speed + after) * dt, yaw + 0.5 * step
        x, z, yaw, speed = x + way * math.sin(middle), z + way * math.cos(middle), yaw + step, after
    x, z = x - lead * math.sin(yaw), z - lead * math.cos(yaw)
    if row[c.SHOVE_X] != 0.0 or row[c.SHOVE_Z] != 0.0:
        thrown = (1.0 - math.exp(-_STEADYING * seconds)) / _STEADYING
        x, z = x + thrown * row[c.SHOVE_X], z + thrown * row[c.SHOVE_Z]
    return x, z, yaw


@part
def find_push(dt: float, row: Floats, feet: Floats, left: Floats, stance: Floats) -> None:
    """How far the speed may change now: feet push in the second half of their stance.

    ``left (F,)`` is the time for which standing feet will still stand, ``stance (F,)`` how long they stand.
    """
    pushing, expected, count = 0, 0.0, feet.shape[0]
    for f in range(count):
        expected += 0.5 * feet[f, c.DUTY]
        if feet[f, c.STATE] == c.STANDING and left[f] < 0.5 * stance[f]:
            pushing += 1
    waits = pushing == 0 and abs(row[c.WANTED_SPEED] - row[c.SPEED]) > _SAME
    row[c.IDLE] = row[c.IDLE] + dt if waits else 0.0
    share = pushing / max(expected, 1e-6)
    # Standing feet may always push off, and who has waited for long waits no longer.
    if row[c.LIVELY] < 0.5 or row[c.IDLE] > _PATIENCE:
        share = 1.0
    row[c.PUSH] = 1.0 + row[c.PUSHING] * (share - 1.0)


@part
def drive_body(dt: float, row: Floats, feet: Floats, nodes: Floats, folds: Folds, spine: Spine, before: Floats) -> None:
    """Move a body over the plan, no further than the legs that stand can reach.

    ``before (M + F, NODE_COLUMNS)`` is room to remember where the line and the feet were.
    """
    step, row[c.TURN] = next_turn(row[c.YAW], row[c.TURN], dt, row)
    after = next_speed(row[c.SPEED], row[c.PUSH] * dt, row)
    way = 0.5 * (row[c.SPEED] + after) * dt
    row[c.SPEED] = after
    thrown = (1.0 - math.exp(-_STEADYING * dt)) / _STEADYING
    dx = row[c.PULL_X] * dt + thrown * row[c.SHOVE_X]
    dz = row[c.PULL_Z] * dt + thrown * row[c.SHOVE_Z]
    _calm(dt, row)
    x, z, yaw = row[c.X], row[c.Z], row[c.YAW]
    count = nodes.shape[0]
    for k in range(count):
        copy_into(before[k], nodes[k])
    sine, cosine = math.sin(yaw), math.cos(yaw)
    for f in range(feet.shape[0]):
        if feet[f, c.STATE] == c.STANDING:
            before[count + f, 0], before[count + f, 1] = _stretch(f, row, feet, sine, cosine, folds)
    _move(dt, way, step, dx, dz, row, feet, nodes, spine)
    held = _in_reach(row, feet, folds, before[count:])
    row[c.HELD] = held
    if held < 1.0:
        row[c.X], row[c.Z], row[c.YAW] = x, z, yaw
        for k in range(count):
            copy_into(nodes[k], before[k])
        _move(held * dt, held * way, held * step, held * dx, held * dz, row, feet, nodes, spine)


@inline
def _calm(dt: float, row: Floats) -> None:
    """Let a shove die away."""
    decay = math.exp(-_STEADYING * dt)
    row[c.SHOVE_X], row[c.SHOVE_Z] = decay * row[c.SHOVE_X], decay * row[c.SHOVE_Z]
    if abs(row[c.SHOVE_X]) + abs(row[c.SHOVE_Z]) < 1e-4:
        row[c.SHOVE_X] = row[c.SHOVE_Z] = 0.0


@part
def _move(
    dt: float,
    way: float,
    step: float,
    dx: float,
    dz: float,
    row: Floats,
    feet: Floats,
    nodes: Floats,
    spine: Spine,
) -> None:
    """Move a body along its heading, turned about what leads it, and the line of its trunk after it."""
    yaw, lead = row[c.YAW], row[c.LEAD]
    middle, after = yaw + 0.5 * step, yaw + step
    row[c.X] += way * math.sin(middle) + dx + lead * (math.sin(yaw) - math.sin(after))
    row[c.Z] += way * math.cos(middle) + dz + lead * (math.cos(yaw) - math.cos(after))
    row[c.YAW] = wrapped(after)
    if nodes.shape[0] > 1:
        bend_line(dt, way, step, dx, dz, row, feet, nodes, spine)


@inline
def _in_reach(row: Floats, feet: Floats, folds: Folds, before: Floats) -> float:
    """The share of a movement with which every standing foot stays in reach of its hip."""
    held = 1.0
    sine, cosine = math.sin(row[c.YAW]), math.cos(row[c.YAW])
    for f in range(feet.shape[0]):
        if feet[f, c.STATE] != c.STANDING:
            continue
        most, aim = level_reach(f, row, feet, folds), folds.aims[f]
        now, will = _stretch(f, row, feet, sine, cosine, folds)
        was, aimed = before[f, 0], before[f, 1]
        if now > most and now > was:
            held = min(held, max(0.0, (most - was) / (now - was)))
        if will < aim and will < aimed:
            held = min(held, max(0.0, (aimed - aim) / (aimed - will)))
        feet[f, c.SLACK] = min(most - now, (will - aim) * folds.spans[f, 1])
    return held


@inline
def _stretch(f: int, row: Floats, feet: Floats, sine: float, cosine: float, folds: Folds) -> Pair:
    """How far a foot is from under its hip, and the cosine of the angle by which the hip is turned."""
    foot = feet[f]
    x, z = turned_in(foot[c.FOOT_X] - row[c.X], foot[c.FOOT_Z] - row[c.Z], sine, cosine)
    x, z = in_girdle(x, z, foot)
    return _from_hip(f, x, foot[c.FOOT_Y] - row[c.Y], z, folds)


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
    local_x, local_z = turned_in(x - row[c.X], z - row[c.Z], sine, cosine)
    local_x, local_z = in_girdle(local_x, local_z, feet[f])
    away, aimed = _from_hip(f, local_x, y - row[c.Y], local_z, folds)
    return bool(away <= level_reach(f, row, feet, folds) and aimed >= folds.aims[f])


@inline
def overstretched(f: int, dt: float, row: Floats, feet: Floats, folds: Folds) -> bool:
    """Whether a standing foot is about to be left behind."""
    return bool(feet[f, c.SLACK] < max(_TIGHT * folds.spans[f, 1], _FRAMES * dt * abs(row[c.SPEED])))


@inline
def _from_hip(f: int, x: float, y: float, z: float, folds: Folds) -> Pair:
    """How far a place in the girdle's frame is from under a hip, and the cosine of the hip's turn towards it."""
    x, y, z = x - folds.hips[f, 0], y - folds.hips[f, 1], z - folds.hips[f, 2]
    level = x * x + z * z
    distance = math.sqrt(level + y * y)
    way = way_at(f, distance, folds)
    return math.sqrt(level), (x * way[0] + y * way[1] + z * way[2]) / distance
