"""Where the feet of a creature shall go: the footprint each prefers, and the best one that the ground offers."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.creatures._kernels import gait_layout as g
from locomote.creatures._kernels import layout as c
from locomote.creatures._kernels.body_pose import STRETCH, BodyTrunk
from locomote.creatures._kernels.drive import look_ahead
from locomote.creatures._kernels.girdles import in_body, in_girdle, turned_in, turned_out
from locomote.creatures._kernels.leg_fold import Folds, way_at
from locomote.creatures._kernels.spine_layout import NODE_COLUMNS
from locomote.creatures._kernels.swing_grid import MOST_PASSED
from locomote.creatures._kernels.swing_plan import (
    ANYWHERE,
    NOTHING,
    SwingRequest,
    SwingScratch,
    curve_length,
    make_scratch,
    plan_swing,
    search_window,
    settle,
)
from locomote.math._compile import inline, maker, part
from locomote.math.vector import Floats, Vector
from locomote.world._kernels.map_layout import CELL, FLUSH, MapArrays
from locomote.world._kernels.map_reading import fill_window, generation, local_of, surface

ENDLESS = 1 << 40  # couples, where there is no level of detail
_NEARER = 0.95  # of the reach over the ground within which a footprint is preferred
_PULLS = 12  # times that a footprint is pulled a quarter nearer to where the foot is at rest
_LEAST_SWING = 0.08  # s of a step
_LEAVING = 1.3  # of its swing, after which a foot finds the place free of one that lifts
_SUNK = 0.01  # m that a curve may be below what is there before its way counts as blocked
_STEEP = 0.85  # of a curve, from which on a foot goes down beside something
_PASSED = 0.25  # of its swing, in which a foot leaves the place of one that is still to land behind it
_LIFT_LIMIT = 0.6  # of the height of the hip: the highest thing that is stepped over


class Manner(NamedTuple):
    """How the creatures of a crowd step; lengths in metres."""

    hip_height: float
    time_unit: float  # s, the root of hip height over gravity
    radius: float  # from the centre to the feet at rest, in the plan
    boxes: Floats  # (F, 2) half widths and half lengths of the feet
    clearance: float
    slice: float
    edge: float  # worth of a footprint at an edge
    detail: float  # 1: the level of detail follows from VISIBLE and AWAY; 0: everything, always
    near: float  # the distance up to which nothing is left out
    far: float  # and that from which on the first couple is taken
    most_couples: float  # tried after the first valid one, near by
    widest_slice: float
    peaks: Floats  # (F,) share of the way of a foot after which a level step is highest


class Bench(NamedTuple):
    """Room to work in for one thread."""

    legs: Floats  # (F, 2, 2)
    left: Floats  # (F,)
    stance: Floats  # (F,)
    curve: Floats  # (SAMPLES, 3)
    target: Floats  # (3,)
    swing: SwingScratch
    before: Floats  # (M + F, NODE_COLUMNS)
    girdles: Floats  # (G, 3) heave, slope and yaw
    frames: Floats  # (T, 7) rotations of the joints of the trunk and where they have the middle of the body
    stretches: Floats  # (F, 4)


@maker
def make_bench(feet: int, samples: int, nodes: int, girdles: int, joints: int) -> Bench:
    """New room to work in."""
    return Bench(
        np.empty((feet, 2, 2)),
        np.empty(feet),
        np.empty(feet),
        np.empty((samples, 3)),
        np.empty(3),
        make_scratch(),
        np.empty((nodes + feet, NODE_COLUMNS)),
        np.empty((girdles, 3)),
        np.empty((joints, 7)),
        np.empty((feet, 4)),
    )


@inline
def place_ahead(local_x: float, local_z: float, ahead: Vector, foot: Floats) -> tuple[float, float]:
    """Where a place in the frame of a foot's girdle will be in the world, by (x, z, yaw) of the body then."""
    x, z = in_body(local_x, local_z, foot)
    x, z = turned_out(x, z, math.sin(ahead[2]), math.cos(ahead[2]))
    return ahead[0] + x, ahead[1] + z


@inline
def hip_ahead(f: int, ahead: Vector, foot: Floats, folds: Folds) -> tuple[float, float]:
    """Where a hip will be in the plan, by (x, z, yaw) of the body then."""
    return place_ahead(folds.hips[f, 0], folds.hips[f, 2], ahead, foot)


@inline
def preferred(
    f: int, left: float, stance: float, down: Vector, row: Floats, foot: Floats, folds: Folds, maps: MapArrays
) -> Vector:
    """The footprint under which the body will be in the middle of the stance, within reach at touch-down.

    ``down`` is (x, z, yaw) of the body at touch-down.
    """
    middle = look_ahead(left + 0.5 * stance, row)
    px, pz = place_ahead(foot[c.SPACING_X], foot[c.SPACING_Z], middle, foot)
    # At touch-down, as the girdle sees it: within reach of the hip, and not turned too far from rest.
    local_x, local_z = turned_in(px - down[0], pz - down[1], math.sin(down[2]), math.cos(down[2]))
    local_x, local_z = in_girdle(local_x, local_z, foot)
    local_x, local_z = local_x - folds.hips[f, 0], local_z - folds.hips[f, 2]
    span, drop, aim = STRETCH * folds.spans[f, 1], folds.drops[f], folds.aims[f]
    reach = _NEARER * math.sqrt(max(span * span - drop * drop, 0.01 * span * span))
    away = math.sqrt(local_x * local_x + local_z * local_z)
    if away > reach:
        local_x, local_z = local_x * reach / away, local_z * reach / away
    for _ in range(_PULLS):
        distance = math.sqrt(local_x * local_x + drop * drop + local_z * local_z)
        way = way_at(f, distance, folds)
        if local_x * way[0] - drop * way[1] + local_z * way[2] >= aim * distance:
            break
        under = drop / max(-way[1], 0.1)
        local_x, local_z = 0.75 * local_x + 0.25 * under * way[0], 0.75 * local_z + 0.25 * under * way[2]
    px, pz = place_ahead(local_x + folds.hips[f, 0], local_z + folds.hips[f, 2], down, foot)
    return px, surface(px, pz, maps)[0], pz


@maker
def plan_foot(
    f: int,
    why: int,
    row: Floats,
    gait: Floats,
    feet: Floats,
    curves: Floats,
    folds: Folds,
    trunk: BodyTrunk,
    manner: Manner,
    maps: MapArrays,
    bench: Bench,
) -> bool:
    """Give a foot a new step from where it is, if there is one; its time is the caller's."""
    foot = feet[f]
    left, stance = bench.left[f], bench.stance[f]
    down = look_ahead(left, row)
    wish = preferred(f, left, stance, down, row, foot, folds, maps)
    start = foot[c.FOOT_X], foot[c.FOOT_Y], foot[c.FOOT_Z]
    velocity = foot[c.FOOT_VX], foot[c.FOOT_VY], foot[c.FOOT_VZ]
    if foot[c.STATE] == c.STANDING:
        velocity = 0.0, 0.0, 0.0
    hip_y = _hip_height(f, wish[1], row, trunk, folds)
    hip_x, hip_z = hip_ahead(f, down, foot, folds)
    way = way_at(f, _apart(wish, hip_x, hip_y, hip_z), folds)
    way_x, way_z = turned_out(way[0], way[2], foot[c.CARRIER_SINE], foot[c.CARRIER_COSINE])
    way_x, way_z = turned_out(way_x, way_z, math.sin(down[2]), math.cos(down[2]))
    at_rest = way_x, way[1], way_z
    late_x, late_z = hip_ahead(f, look_ahead(left + stance, row), foot, folds)
    visible, share = row[c.VISIBLE] > 0.0, 0.0
    extra, cut = ENDLESS, manner.slice
    if manner.detail > 0.0:
        share = min(max((row[c.AWAY] - manner.near) / (manner.far - manner.near), 0.0), 1.0)
        extra = round((1.0 - share) * manner.most_couples) if visible else 0
        cut = manner.slice + share * (manner.widest_slice - manner.slice) if visible and share < 1.0 else 0.0
    lift = row[c.STEP_HEIGHT] if row[c.STEP_HEIGHT] >= 0.0 else gait[g.LIFT] * manner.hip_height
    passed = _place_legs(f, left, down, feet, folds, bench)
    cell = maps.frame[CELL]
    score, status, room = 0.0, NOTHING, folds.spans[f, 1]
    for _ in range(2):
        x_low, z_low, rows, columns = search_window(start, wish, room, cell)
        elev, flags = np.empty((rows, columns)), np.empty((rows, columns), np.uint8)
        box = manner.boxes[f]
        fill_window(maps, x_low, z_low, rows, columns, box[0], box[1], row[c.YAW], elev, flags)
        request = SwingRequest(
            start,
            velocity,
            wish,
            (hip_x, hip_y, hip_z),
            (late_x, hip_y, late_z),
            STRETCH * folds.spans[f, 1],
            room,
            0.4 * room,
            lift,
            manner.clearance,
            cut,
            _LIFT_LIMIT * manner.hip_height if cut > 0.0 else folds.spans[f, 1],
            extra,
            manner.edge,
            f,
            room > folds.spans[f, 1],
            at_rest,
            folds.aims[f],
            passed,
            manner.peaks[f],
        )
        score, couples, status = plan_swing(
            request, elev, flags, x_low, z_low, cell, bench.legs, bench.swing, bench.curve, bench.target
        )
        row[c.COUPLES] += couples
        if status != NOTHING:
            break
        room = 2.0 * room  # look further around, and take less
    row[c.PLANS] += 1.0
    foot[c.FOOT_PLANS] += 1.0
    foot[c.WHY] = why
    foot[c.AGE] = 0.0
    foot[c.PLAN_YAW] = row[c.WANTED_YAW] if row[c.BY_YAW] > 0.0 else row[c.WANTED_TURN]
    foot[c.PLAN_SPEED] = row[c.WANTED_SPEED]
    foot[c.PLAN_SPACING_X], foot[c.PLAN_SPACING_Z] = foot[c.SPACING_X], foot[c.SPACING_Z]
    foot[c.PLAN_VERSION] = maps.clock[0]
    if status == NOTHING:
        foot[c.LOST] = 1.0
        return False
    height, slot = surface(bench.target[0], bench.target[2], maps)
    _land(bench.curve, height)
    if status == ANYWHERE and not is_clear(bench.curve, 0.0, maps):
        foot[c.LOST] = 1.0
        return False
    for k in range(curves.shape[1]):
        for axis in range(3):
            curves[f, k, axis] = bench.curve[k, axis]
    goal = bench.target[0], height, bench.target[2]
    local = local_of(slot, goal[0], goal[1], goal[2], maps)
    foot[c.WISH_X], foot[c.WISH_Y], foot[c.WISH_Z] = wish
    foot[c.GOAL_X], foot[c.GOAL_Y], foot[c.GOAL_Z] = goal
    foot[c.GOAL_SUPPORT], foot[c.GOAL_BORN] = slot, generation(slot, maps)
    foot[c.GOAL_ANCHOR_X], foot[c.GOAL_ANCHOR_Y], foot[c.GOAL_ANCHOR_Z] = local
    foot[c.OFF_X], foot[c.OFF_Z] = goal[0] - wish[0], goal[2] - wish[2]
    foot[c.SCORE], foot[c.LOST] = score, 0.0
    foot[c.ELAPSED], foot[c.DURATION] = 0.0, max(left, _LEAST_SWING)
    foot[c.PLANNED] = foot[c.DURATION]
    speed = math.sqrt(velocity[0] ** 2 + velocity[1] ** 2 + velocity[2] ** 2)
    foot[c.FIRST_SPEED] = speed / max(curve_length(bench.curve), 1e-6)
    if foot[c.STATE] == c.STANDING:
        foot[c.STATE] = c.SWINGING
        foot[c.BEGAN_Y], foot[c.SWUNG] = foot[c.FOOT_Y], 0.0
    return True


@part
def is_clear(curve: Floats, share: float, maps: MapArrays) -> bool:
    """Whether a curve is from a share of it on nowhere below what is there now."""
    last = curve.shape[0] - 1
    for k in range(min(int(share * last) + 1, last), last):
        if surface(curve[k, 0], curve[k, 2], maps)[0] > curve[k, 1] + _SUNK:
            return False
    return True


@inline
def _land(curve: Floats, height: float) -> None:
    """Let a curve end on the ground: the window knows only the highest place of a cell, or of what is beside it."""
    last = curve.shape[0] - 1
    off = height - curve[last, 1]
    if off > -FLUSH:
        settle(curve, height)
        return
    for k in range(last):  # down beside something: not before its edge is passed
        share = max(k / last - _STEEP, 0.0) / (1.0 - _STEEP)
        curve[k, 1] += off * share * share
    curve[last, 1] = height


@inline
def _apart(a: Vector, x: float, y: float, z: float) -> float:
    return math.sqrt((a[0] - x) ** 2 + (a[1] - y) ** 2 + (a[2] - z) ** 2)


@inline
def _hip_height(f: int, ground: float, row: Floats, trunk: BodyTrunk, folds: Folds) -> float:
    """How high a hip will be at touch-down: between where it is and where it would be over the new footprint."""
    height: float = 0.5 * (row[c.Y] + ground + trunk.height) + folds.hips[f, 1]
    return height


@inline
def _place_legs(own: int, left: float, down: Vector, feet: Floats, folds: Folds, bench: Bench) -> int:
    """Fill ``bench.legs`` with all legs in the plan as they will be when a foot comes down; bits of those in the air.

    ``down`` is (x, z, yaw) of the body then. NaN stands for a leg that will have left the ground.
    """
    passed = 0
    for f in range(feet.shape[0]):
        bench.legs[f, 0, 0], bench.legs[f, 0, 1] = hip_ahead(f, down, feet[f], folds)
        standing = f == own or feet[f, c.STATE] == c.STANDING
        bench.legs[f, 1, 0] = feet[f, c.FOOT_X] if standing else feet[f, c.GOAL_X]
        bench.legs[f, 1, 1] = feet[f, c.FOOT_Z] if standing else feet[f, c.GOAL_Z]
        stays = bench.left[f] if standing else bench.left[f] + bench.stance[f]
        if f != own and stays < left:
            bench.legs[f, 0, 0] = math.nan  # it will have stepped away
        # One that is about to step away, or comes down when this foot has gone by, is not in its way.
        aside = bench.left[f] < _LEAVING * left if standing else bench.left[f] > _PASSED * left
        if aside and f < MOST_PASSED:
            passed |= 1 << f
    return passed


@inline
def swing_time(gait: Floats) -> float:
    """How long a step of a foot's own accord takes, s."""
    seconds: float = min(max(0.4 * gait[g.PERIOD], 2.0 * _LEAST_SWING), 0.6)
    return seconds
