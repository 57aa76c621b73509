"""Where the feet of a creature shall go: the footprint each prefers, and the best one that the ground offers."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.creatures._kernels.anchors import hold_to
from locomote.creatures._kernels.body_pose import STRETCH
from locomote.creatures._kernels.drive import look_ahead
from locomote.creatures._kernels.foresight import SOON_MET, met_within
from locomote.creatures._kernels.gait_disks import StepTimes
from locomote.creatures._kernels.girdles import in_body, in_girdle, tilted_out, turn_now, turned_in, turned_out
from locomote.creatures._kernels.leg_fold import way_at
from locomote.creatures._kernels.model import BodyTrunk, Limbs, Manner
from locomote.creatures._kernels.other_legs import hip_ahead, place_ahead, place_legs
from locomote.creatures._kernels.scratch import Scratch
from locomote.creatures._kernels.state import (
    STANDING,
    SWINGING,
    CreatureState,
    FootState,
    GaitState,
    OneCreature,
)
from locomote.creatures._kernels.swing_curve import curve_length, haste_at, settle, smoothly
from locomote.creatures._kernels.swing_ends import keep_off, space_curve
from locomote.creatures._kernels.swing_plan import ANYWHERE, NOTHING, plan_swing
from locomote.creatures._kernels.swing_scores import would_cross
from locomote.creatures._kernels.swing_way import SwingRequest
from locomote.creatures._kernels.swing_window import MapWindow, search_window
from locomote.math._compile import inline, maker, part
from locomote.math.vector import Floats, Vector
from locomote.world._kernels.map_growth import FootBox
from locomote.world._kernels.map_layout import CELL, FLUSH, MOVES, NO_STAND, MapArrays
from locomote.world._kernels.map_outline import holds
from locomote.world._kernels.map_reading import fill_window, surface, velocity_at

_NEARER = 0.95  # of the reach over the ground within which a footprint is preferred
_PULLS = 12  # times that a footprint is pulled a quarter nearer to where the foot is at rest
_LEAST_SWING = 0.08  # s of a step
_HOPS = 0.3  # of its lift with which a foot steps on that could not come down
_SUNK = 0.01  # m that a curve may be below what is there before its way counts as blocked
_STEEP = 0.85  # of a curve, from which on a foot goes down beside something
_SOONER = 0.25  # of a swing, for which what moves is foreseen on the way where nothing was found
_LIFT_LIMIT = 0.6  # of the height of the hip: the highest thing that is stepped over
_HIGHEST = 0.5  # of the leg: the same where nothing was found


class StepOutlook(NamedTuple):
    """What is known of a step before a footprint is chosen, in the world; metres."""

    start: Vector
    velocity: Vector  # m/s
    wish: Vector  # the footprint that is preferred
    hip: Vector  # at touch-down
    hip_late: Vector  # at the end of the stance
    at_rest: Vector  # direction from the hip to the foot at rest, as the body stands at touch-down
    aim: float  # cosine of the angle from it that the leg may have
    span: float  # of the leg, drawn out
    box: FootBox


@inline
def preferred(
    f: int, left: float, stance: float, down: Vector, row: CreatureState, foot: FootState, limbs: Limbs, maps: MapArrays
) -> Vector:
    """The footprint under which the body will be in the middle of the stance, within reach at touch-down.

    ``down`` is (x, z, yaw) of the body at touch-down.
    """
    middle, level = look_ahead(left + 0.5 * stance, row), turn_now(row, 0.0)
    px, pz = place_ahead(foot.spacing_x, foot.spacing_z, middle, foot)
    # At touch-down, as the girdle sees it: within reach of the hip, and not turned too far from rest.
    local_x, local_z = turned_in(px - down[0], pz - down[1], math.sin(down[2]), math.cos(down[2]))
    local_x, local_z = in_girdle(local_x, local_z, foot)
    local_x, local_z = local_x - limbs.hips[f, 0], local_z - limbs.hips[f, 2]
    span, drop, aim = STRETCH * limbs.spans[f, 1], limbs.drops[f], limbs.aims[f]
    reach = _NEARER * math.sqrt(max(span * span - drop * drop, 0.01 * span * span))
    away = math.sqrt(local_x * local_x + local_z * local_z)
    if away > reach:
        local_x, local_z = local_x * reach / away, local_z * reach / away
    for _ in range(_PULLS):
        distance = math.sqrt(local_x * local_x + drop * drop + local_z * local_z)
        way = way_at(f, distance, limbs)
        way = tilted_out(way[0], way[1], way[2], level)
        if local_x * way[0] - drop * way[1] + local_z * way[2] >= aim * distance:
            break
        under = drop / max(-way[1], 0.1)
        local_x, local_z = 0.75 * local_x + 0.25 * under * way[0], 0.75 * local_z + 0.25 * under * way[2]
    px, pz = place_ahead(local_x + limbs.hips[f, 0], local_z + limbs.hips[f, 2], down, foot)
    return px, surface(px, pz, maps)[0], pz


@inline
def _look_out(
    f: int,
    times: StepTimes,
    down: Vector,
    row: CreatureState,
    foot: FootState,
    body: tuple[BodyTrunk, Limbs, Manner],
    maps: MapArrays,
) -> StepOutlook:
    """What a step of a foot should be, by where the body will be; ``down`` is (x, z, yaw) of it at touch-down."""
    trunk, limbs, manner = body
    left, stance = times.left[f], times.stance[f]
    wish = preferred(f, left, stance, down, row, foot, limbs, maps)
    start = foot.x, foot.y, foot.z
    velocity = foot.vx, foot.vy, foot.vz
    if foot.state == STANDING:
        velocity = 0.0, 0.0, 0.0
    turn = turn_now(row, down[2])
    out_x, out_z = in_body(limbs.hips[f, 0], limbs.hips[f, 2], foot)
    rise = tilted_out(out_x, limbs.hips[f, 1], out_z, turn)[1]
    # Between where the hip is and where it would be over the new footprint.
    hip_y = 0.5 * (row.y + rise + wish[1] + trunk.height + limbs.hips[f, 1])
    hip_x, hip_z = hip_ahead(f, down, foot, limbs)
    way = way_at(f, _apart(wish, hip_x, hip_y, hip_z), limbs)
    way_x, way_z = turned_out(way[0], way[2], foot.carrier.sine, foot.carrier.cosine)
    at_rest = tilted_out(way_x, way[1], way_z, turn)
    late_x, late_z = hip_ahead(f, look_ahead(left + stance, row), foot, limbs)
    return StepOutlook(
        start,
        velocity,
        wish,
        (hip_x, hip_y, hip_z),
        (late_x, hip_y, late_z),
        at_rest,
        limbs.aims[f],
        limbs.spans[f, 1],
        FootBox(manner.boxes[f, 0], manner.boxes[f, 1], down[2], left, left, left + stance),
    )


@maker
def _seek(
    f: int,
    lift: float,
    passed: int,
    outlook: StepOutlook,
    row: CreatureState,
    manner: Manner,
    maps: MapArrays,
    scratch: Scratch,
) -> tuple[float, int]:
    """Fill the curve and the target of the scratch with the best step that the ground offers; (score, how it came)."""
    cell, span = maps.frame[CELL], outlook.span
    score, status, room, box = 0.0, NOTHING, span, outlook.box
    for _ in range(2):
        x_low, z_low, rows, columns = search_window(outlook.start, outlook.wish, room, cell)
        shape = rows, columns
        seen = MapWindow(np.empty(shape), np.empty(shape, np.uint8), x_low, z_low, cell)
        fill_window(maps, x_low, z_low, rows, columns, box, seen.elev, seen.flags)
        request = SwingRequest(
            outlook.start,
            outlook.velocity,
            outlook.wish,
            outlook.hip,
            outlook.hip_late,
            STRETCH * span,
            room,
            0.4 * room,
            lift,
            manner.clearance,
            manner.slice,
            _LIFT_LIMIT * manner.hip_height if room == span else _HIGHEST * span,
            manner.edge,
            f,
            room > span,
            outlook.at_rest,
            outlook.aim,
            passed,
            manner.peaks[f],
        )
        score, couples, status = plan_swing(
            request, seen, scratch.legs, scratch.swing[0], scratch.curve, scratch.target
        )
        row.couples += couples
        if status != NOTHING and status != ANYWHERE and _carried_off(f, outlook, maps, scratch):
            # What it would stand on takes it where it must not be: not onto that.
            fill_window(maps, x_low, z_low, rows, columns, box, seen.elev, seen.flags)
            _shun(surface(scratch.target[0], scratch.target[2], maps)[1], seen, maps)
            score, couples, status = plan_swing(
                request, seen, scratch.legs, scratch.swing[0], scratch.curve, scratch.target
            )
            row.couples += couples
        if status != NOTHING:
            break
        room = 2.0 * room  # look further around, and take less
        passes = _SOONER * box.lands
        box = FootBox(box.half_width, box.half_length, box.yaw, passes, box.lands, box.leaves)
    return score, status


@inline
def _carried_off(f: int, outlook: StepOutlook, maps: MapArrays, scratch: Scratch) -> bool:
    """Whether the footprint that was found lies on something that takes it across another leg, or into a thing."""
    x, z, box = scratch.target[0], scratch.target[2], outlook.box
    height, slot = surface(x, z, maps)
    if slot < 0 or maps.things[slot, MOVES] == 0.0:
        return False
    vx, vz = velocity_at(slot, x, z, maps)
    landed_x, landed_z = x + box.lands * vx, z + box.lands * vz
    if would_cross(outlook.hip, landed_x, landed_z, scratch.legs, f):
        return True
    return met_within(box.lands + SOON_MET, (x, height, z), slot, box, maps)


@part
def _shun(slot: int, seen: MapWindow, maps: MapArrays) -> None:
    """Forbid a step onto a thing."""
    for r in range(seen.flags.shape[0]):
        z = seen.z_low + (r + 0.5) * seen.cell
        for c in range(seen.flags.shape[1]):
            if holds(seen.x_low + (c + 0.5) * seen.cell, z, slot, maps.things, maps.thing_corners):
                seen.flags[r, c] |= NO_STAND


@maker
def plan_foot(
    f: int,
    why: int,
    one: OneCreature,
    limbs: Limbs,
    trunk: BodyTrunk,
    manner: Manner,
    maps: MapArrays,
    scratch: Scratch,
) -> bool:
    """Give a foot a new step from where it is, if there is one; its time is the caller's."""
    row, foot = one.row, one.feet[f]
    left = scratch.times.left[f]
    down = look_ahead(left, row)
    outlook = _look_out(f, scratch.times, down, row, foot, (trunk, limbs, manner), maps)
    passed = place_legs(f, down, one, limbs, maps, scratch)
    lift = row.step_height if row.step_height >= 0.0 else one.gait.lift * manner.hip_height
    if foot.state == SWINGING and foot.gone >= 1.0:
        lift *= _HOPS  # it hovers over the ground that it does not reach
    score, status = _seek(f, lift, passed, outlook, row, manner, maps, scratch)
    _note_plan(why, row, foot, maps.clock[0])
    if status == NOTHING:
        foot.lost = True
        return False
    curve, target = scratch.curve, scratch.target
    height, slot = surface(target[0], target[2], maps)
    _land(curve, height)
    if status == ANYWHERE and not is_clear(curve, 0.0, maps):
        foot.lost = True
        return False
    own = one.curves[f]
    if keep_off(curve, outlook.box, maps):
        space_curve(curve, own)
    else:
        for k in range(own.shape[0]):
            for axis in range(3):
                own[k, axis] = curve[k, axis]
    goal, wish, velocity = (target[0], height, target[2]), outlook.wish, outlook.velocity
    foot.wish_x, foot.wish_y, foot.wish_z = wish
    foot.goal_x, foot.goal_y, foot.goal_z = goal
    hold_to(foot.goal_anchor, slot, goal, maps)
    foot.off_x, foot.off_z = goal[0] - wish[0], goal[2] - wish[2]
    foot.score, foot.lost = score, False
    foot.elapsed, foot.duration = 0.0, max(left, _LEAST_SWING)
    foot.planned = foot.duration
    speed = math.sqrt(velocity[0] ** 2 + velocity[1] ** 2 + velocity[2] ** 2)
    foot.gone, foot.length = 0.0, max(curve_length(own), 1e-6)
    foot.pace = smoothly(speed / foot.length, haste_at(row.speed, limbs.spans[f, 1]))
    if foot.state == STANDING:
        foot.state = SWINGING
        foot.began_y, foot.swung = foot.y, 0.0
    return True


@inline
def _note_plan(why: int, row: CreatureState, foot: FootState, version: int) -> None:
    """Take down why a foot was planned, and what was wanted then."""
    row.plans += 1
    foot.plans += 1
    foot.why, foot.age = why, 0
    foot.plan_yaw = row.wanted_yaw if row.by_yaw else row.wanted_turn
    foot.plan_speed = row.wanted_speed
    foot.plan_spacing_x, foot.plan_spacing_z = foot.spacing_x, foot.spacing_z
    foot.plan_version = version


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
def swing_time(gait: GaitState) -> float:
    """How long a step of a foot's own accord takes, s."""
    return min(max(0.4 * gait.period, 2.0 * _LEAST_SWING), 0.6)
