"""What the feet of a creature do in a frame: lift, swing along their curves, come down, stand and are carried."""

from __future__ import annotations

import math

from locomote.creatures._kernels import layout as c
from locomote.creatures._kernels.body_pose import BodyTrunk
from locomote.creatures._kernels.drive import look_ahead, overstretched, reaches
from locomote.creatures._kernels.foot_plan import Bench, Manner, is_clear, place_ahead, plan_foot, swing_time
from locomote.creatures._kernels.leg_fold import Folds
from locomote.creatures._kernels.swing_curve import swing_at, swing_share
from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints, Vector, wrapped
from locomote.world._kernels.map_layout import CELL, FLUSH, SAFE, TURN, VX, VZ, MapArrays, X, Z
from locomote.world._kernels.map_reading import anchored, changed_since, generation, local_of, surface

_TURNED = math.radians(5.0)  # rad by which the wanted yaw must change for a new plan
_TURNS = 0.1  # rad/s, of the wanted rate of turning
_FASTER, _FASTER_SHARE = 0.05, 0.1  # m/s and share by which the wanted speed must
_SPACED = 0.5  # cells by which the place of a foot under the body must
_LATE = 0.1  # of a swing: what is left when only a blocked way is a reason to plan again
_YOUNG = 2  # frames for which a plan is kept, if its way is free
_MOVED = 0.04  # m that the ground under a goal may have moved up or down
_RETIMED = 0.2  # of the planned time by which a landing may come sooner or later
_SHORT = 1e-4  # m that a tip may be off its foot for the foot to be set down
_AGAIN = 0.12  # s for another try
_NEAR = 1.5  # cells around a standing foot in which what comes at it makes it step away
_STILL = 0.02  # m/s; slower bodies stand
_SOON = 0.3  # s ahead at which a body at rest looks for feet that are out of place
_ASTRAY = 0.12  # of a leg's length from its place that a foot of a body at rest is left


@part
def plan_feet(
    dt: float,
    flies: bool,
    row: Floats,
    gait: Floats,
    feet: Floats,
    curves: Floats,
    swinging: Ints,
    folds: Folds,
    trunk: BodyTrunk,
    manner: Manner,
    maps: MapArrays,
    bench: Bench,
) -> None:
    """Begin the swings that are due, and plan anew those that no longer fit."""
    count = feet.shape[0]
    aloft = 0
    for f in range(count):
        aloft += 1 if feet[f, c.STATE] == c.SWINGING else 0
        if swinging[f] == 0:
            feet[f, c.SERVED] = 0.0
    for f in range(count):
        foot = feet[f]
        if foot[c.STATE] == c.SWINGING:
            if foot[c.FREE] > 0.0:
                foot[c.SERVED] = float(swinging[f])
                bench.left[f] = max(foot[c.DURATION] - foot[c.ELAPSED], 0.0)
                if foot[c.ERROR] > _SHORT and foot[c.AGE] > _YOUNG:
                    bench.left[f] = _AGAIN
            elif swinging[f] == 0:
                bench.left[f] = 0.0
            why = _reason(f, row, foot, curves, maps, bench)
            if why > 0:
                plan_foot(f, why, row, gait, feet, curves, folds, trunk, manner, maps, bench)
            elif foot[c.FREE] == 0.0:
                foot[c.DURATION] = foot[c.ELAPSED] + bench.left[f]
            foot[c.AGE] += 1.0
            continue
        why, free = 0, 0.0
        if swinging[f] > 0 and foot[c.SERVED] == 0.0:
            why = c.BEGIN
            foot[c.SERVED] = 1.0
        elif foot[c.FREE] < 0.0 and foot[c.LOST] == 0.0:
            why, free = c.CARRIED_OFF, 1.0
        elif overstretched(f, dt, row, feet, folds) and (flies or 2 * aloft < count or foot[c.SLACK] < 0.0):
            why, free = c.OVERSTRETCHED, 1.0
        if why > 0:
            if free > 0.0:
                bench.left[f] = swing_time(gait)
            foot[c.FREE] = free
            if plan_foot(f, why, row, gait, feet, curves, folds, trunk, manner, maps, bench):
                aloft += 1
    if aloft == 0 and abs(row[c.WANTED_SPEED]) < _STILL and abs(row[c.SPEED]) < _STILL and abs(row[c.TURN]) < 0.1:
        f = _astray(row, feet, folds)
        if f >= 0:
            bench.left[f] = swing_time(gait)
            bench.stance[f] = bench.left[f]
            feet[f, c.FREE] = 1.0
            plan_foot(f, c.SETTLING, row, gait, feet, curves, folds, trunk, manner, maps, bench)


@inline
def _reason(f: int, row: Floats, foot: Floats, curves: Floats, maps: MapArrays, bench: Bench) -> int:
    """Why a foot that swings needs a new plan; 0 for none."""
    x, y, z = goal_now(foot, maps)
    if generation(int(foot[c.GOAL_SUPPORT]), maps) != foot[c.GOAL_BORN]:
        return c.BLOCKED_GOAL
    share = swing_share(foot[c.ELAPSED], foot[c.DURATION], foot[c.FIRST_SPEED])
    reach = 2.0 * maps.frame[CELL]
    low_x, high_x = min(foot[c.FOOT_X], x) - reach, max(foot[c.FOOT_X], x) + reach
    low_z, high_z = min(foot[c.FOOT_Z], z) - reach, max(foot[c.FOOT_Z], z) + reach
    if changed_since(int(foot[c.PLAN_VERSION]), low_x, low_z, high_x, high_z, maps):
        height, slot = surface(x, z, maps)
        if abs(height - y) > _MOVED or (slot >= 0 and maps.things[slot, SAFE] == 0.0):
            return c.BLOCKED_GOAL
        if not is_clear(curves[f], share, maps):
            return c.BLOCKED_WAY
        foot[c.PLAN_VERSION] = maps.clock[0]
    if foot[c.FREE] > 0.0 and foot[c.ERROR] > _SHORT and foot[c.AGE] > _YOUNG:
        return c.OVERSTRETCHED
    if foot[c.AGE] < _YOUNG or bench.left[f] < _LATE * (foot[c.SWUNG] + bench.left[f]):
        return 0
    if row[c.BY_YAW] > 0.0:
        if abs(wrapped(row[c.WANTED_YAW] - foot[c.PLAN_YAW])) > _TURNED:
            return c.TURNED
    elif abs(row[c.WANTED_TURN] - foot[c.PLAN_YAW]) > _TURNS:
        return c.TURNED
    if abs(row[c.WANTED_SPEED] - foot[c.PLAN_SPEED]) > max(_FASTER, _FASTER_SHARE * abs(foot[c.PLAN_SPEED])):
        return c.SPED
    lands = foot[c.ELAPSED] + bench.left[f]
    if abs(lands - foot[c.PLANNED]) > _RETIMED * foot[c.PLANNED]:
        return c.SPED
    off_x, off_z = foot[c.SPACING_X] - foot[c.PLAN_SPACING_X], foot[c.SPACING_Z] - foot[c.PLAN_SPACING_Z]
    if math.sqrt(off_x * off_x + off_z * off_z) > _SPACED * maps.frame[CELL]:
        return c.SPACED
    return 0


@inline
def goal_now(foot: Floats, maps: MapArrays) -> Vector:
    """Where the footprint that a foot swings to is by now: it moves with what it lies on."""
    slot = int(foot[c.GOAL_SUPPORT])
    if slot < 0 or generation(slot, maps) != foot[c.GOAL_BORN]:
        return foot[c.GOAL_X], foot[c.GOAL_Y], foot[c.GOAL_Z]
    return anchored(slot, foot[c.GOAL_ANCHOR_X], foot[c.GOAL_ANCHOR_Y], foot[c.GOAL_ANCHOR_Z], maps)


@inline
def _astray(row: Floats, feet: Floats, folds: Folds) -> int:
    """Of a body at rest, the foot furthest from its place; -1 if all are near enough."""
    soon = look_ahead(_SOON, row)
    worst, which = _ASTRAY, -1
    for f in range(feet.shape[0]):
        if feet[f, c.LOST] > 0.0:
            continue
        x, z = place_ahead(feet[f, c.SPACING_X], feet[f, c.SPACING_Z], soon, feet[f])
        off = math.sqrt((feet[f, c.FOOT_X] - x) ** 2 + (feet[f, c.FOOT_Z] - z) ** 2) / folds.spans[f, 1]
        if off > worst:
            worst, which = off, f
    return which


@part
def move_feet(dt: float, row: Floats, feet: Floats, curves: Floats, folds: Folds, maps: MapArrays) -> None:
    """Move the feet that swing along their curves, set down those that arrive, and carry those that stand."""
    for f in range(feet.shape[0]):
        foot = feet[f]
        before = foot[c.FOOT_X], foot[c.FOOT_Y], foot[c.FOOT_Z]
        if foot[c.STATE] == c.SWINGING:
            _swing(dt, f, row, feet, curves, folds, maps)
        else:
            _stand(foot, maps)
        if dt > 0.0:
            foot[c.FOOT_VX] = (foot[c.FOOT_X] - before[0]) / dt
            foot[c.FOOT_VY] = (foot[c.FOOT_Y] - before[1]) / dt
            foot[c.FOOT_VZ] = (foot[c.FOOT_Z] - before[2]) / dt


@inline
def _swing(dt: float, f: int, row: Floats, feet: Floats, curves: Floats, folds: Folds, maps: MapArrays) -> None:
    foot = feet[f]
    foot[c.ELAPSED] += dt
    foot[c.SWUNG] += dt
    share = 1.0
    if foot[c.ELAPSED] < foot[c.DURATION] - 1e-9:
        share = swing_share(foot[c.ELAPSED], foot[c.DURATION], foot[c.FIRST_SPEED])
    x, y, z = swing_at(curves[f], share)
    goal = goal_now(foot, maps)
    part_of = share * share  # the goal may move; the curve follows it towards its end
    x += part_of * (goal[0] - foot[c.GOAL_X])
    y += part_of * (goal[1] - foot[c.GOAL_Y])
    z += part_of * (goal[2] - foot[c.GOAL_Z])
    if share >= 1.0 and not reaches(f, x, y, z, row, feet, folds):
        # The leg does not reach: it steps nearer.
        foot[c.FREE], foot[c.DURATION] = 1.0, foot[c.ELAPSED] + _AGAIN
    elif share >= 1.0:
        y, slot = surface(x, z, maps)
        foot[c.STATE], foot[c.FREE] = c.STANDING, 0.0
        _anchor(foot, slot, x, y, z, maps)
    foot[c.FOOT_X], foot[c.FOOT_Y], foot[c.FOOT_Z] = x, y, z


@inline
def _anchor(foot: Floats, slot: int, x: float, y: float, z: float, maps: MapArrays) -> None:
    foot[c.SUPPORT], foot[c.SUPPORT_BORN] = slot, generation(slot, maps)
    foot[c.PLAN_VERSION] = maps.clock[0]
    foot[c.ANCHOR_X], foot[c.ANCHOR_Y], foot[c.ANCHOR_Z] = local_of(slot, x, y, z, maps)


@inline
def _stand(foot: Floats, maps: MapArrays) -> None:
    """A standing foot is where its support is; one whose support is gone, or that something runs into, steps anew."""
    slot = int(foot[c.SUPPORT])
    if slot >= 0:
        if generation(slot, maps) == foot[c.SUPPORT_BORN]:
            x, y, z = anchored(slot, foot[c.ANCHOR_X], foot[c.ANCHOR_Y], foot[c.ANCHOR_Z], maps)
            foot[c.FOOT_X], foot[c.FOOT_Y], foot[c.FOOT_Z] = x, y, z
        else:
            foot[c.FREE], foot[c.LOST] = -1.0, 0.0
    x, z, near = foot[c.FOOT_X], foot[c.FOOT_Z], _NEAR * maps.frame[CELL]
    if changed_since(int(foot[c.PLAN_VERSION]), x - near, z - near, x + near, z + near, maps):
        foot[c.PLAN_VERSION] = maps.clock[0]
        if _run_into(foot, near, maps):
            foot[c.FREE], foot[c.LOST] = -1.0, 0.0


@part
def _run_into(foot: Floats, near: float, maps: MapArrays) -> bool:
    """Whether something that moves is over a standing foot, or comes at it from near by."""
    x, y, z = foot[c.FOOT_X], foot[c.FOOT_Y], foot[c.FOOT_Z]
    for k in range(5):
        dx = near if k == 1 else -near if k == 2 else 0.0
        dz = near if k == 3 else -near if k == 4 else 0.0
        height, slot = surface(x + dx, z + dz, maps)
        if slot < 0 or slot == int(foot[c.SUPPORT]) or height < y + FLUSH:
            continue
        thing = maps.things[slot]
        speed_x = thing[VX] + thing[TURN] * (z + dz - thing[Z])
        speed_z = thing[VZ] - thing[TURN] * (x + dx - thing[X])
        if k == 0 or speed_x * dx + speed_z * dz < 0.0:
            return True
    return False


@kernel
def plant_all(feet: Floats, maps: MapArrays) -> None:
    """Set down all feet ``(N, F, FOOT_COLUMNS)`` where they are in the plan."""
    for n in range(feet.shape[0]):
        for f in range(feet.shape[1]):
            foot = feet[n, f]
            height, slot = surface(foot[c.FOOT_X], foot[c.FOOT_Z], maps)
            foot[c.STATE], foot[c.FOOT_Y] = c.STANDING, height
            foot[c.GOAL_X], foot[c.GOAL_Y], foot[c.GOAL_Z] = foot[c.FOOT_X], height, foot[c.FOOT_Z]
            _anchor(foot, slot, foot[c.FOOT_X], height, foot[c.FOOT_Z], maps)


@part
def give_back(row: Floats, feet: Floats, folds: Folds) -> None:
    """What the feet ask of the body: to come where they found room; and how many found none."""
    count = feet.shape[0]
    off_x, off_z, stuck, reach = 0.0, 0.0, 0.0, 0.0
    for f in range(count):
        off_x, off_z = off_x + feet[f, c.OFF_X] / count, off_z + feet[f, c.OFF_Z] / count
        stuck += feet[f, c.LOST]
        reach += folds.spans[f, 1] / count
    row[c.STUCK] = stuck
    off = math.sqrt(off_x * off_x + off_z * off_z)
    pull_x, pull_z = 0.0, 0.0
    if off > 0.1 * reach:
        most = max(0.25 * abs(row[c.SPEED]), 0.05) if abs(row[c.SPEED]) > _STILL else 0.0
        amount = min(0.5 * off, most) / off
        pull_x, pull_z = amount * off_x, amount * off_z
    row[c.PULL_X], row[c.PULL_Z] = pull_x, pull_z
