"""The next step of a foot: when and where it lands, found by looking ahead, and its way there."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human._kernels import drive
from locomote.human._kernels import footplants as plants
from locomote.human._kernels.drive import STAIRS
from locomote.human._kernels.foothold import foothold
from locomote.human._kernels.landing_place import (
    apart,
    goes_over,
    jumped_height,
    off_what_is_near,
    to_line,
    to_stand,
    uncrossed,
)
from locomote.human._kernels.legs import landing_stretch, needed_sink, soft_sink, wanted_ground
from locomote.human._kernels.liveliness import STEPS, WIDTH_SPREAD, mood
from locomote.human._kernels.model import LEG_SHARE, Model, Timing
from locomote.human._kernels.moving_ground import carrier, follow, put, velocity_of
from locomote.human._kernels.pose import pose_leg, refresh
from locomote.human._kernels.scratch import Scratch
from locomote.human._kernels.stance import (
    LONGEST_SWING,
    MIDDLE,
    at_rest,
    flat_ball,
    foot_of,
    sole_point,
    stance_of,
)
from locomote.human._kernels.state import BOTH_FEET, LOOKS, STEPPING, Foot, People, Ramp, Walker
from locomote.human._kernels.timing import cycles_to_rest
from locomote.math._compile import inline, part
from locomote.math.quaternion import quaternion, rotate
from locomote.math.vector import Floats, Vector, add, copy_into, smooth_step, vector
from locomote.world._kernels.ground import Terrain, height

LONGEST_VIEW = 5.0  # s that a foot looks ahead at most
SHORTEST_STEP = 5e-4  # s between frames, with which a foot looks ahead
USUAL_STEP = 1.0 / 60.0  # s, for one that plans before the first of them, or with frames that follow closer
COMMITTED = 0.1  # s before its landing, from which on a foot keeps the place that it has chosen
EARLY_COMMITTED = 0.25  # the same where the ground is not level: a place on another step is too far for haste
EARLY = 0.15  # cycles before the end of a stance, until which a swinging foot should stand instead
LEAST_WAY = 0.2  # s; a foot that would land sooner is not lifted
SETTLE_STEP = 0.45  # s that a step of a standing body takes, to put a foot right
WAY_AHEAD = 0.9  # hip heights that a body looks ahead for steep ground
LEAST_CHANGE = 0.02  # of its rise a metre, that matters
STEP_OVER = 0.025  # hip heights between a foot and what it steps over
SPARE = 0.03  # hip heights behind the heel and ahead of the toes that are kept free
HIGHEST_LIFT = 0.5  # of a leg
TIPTOE = 0.45  # rad by which a heel is up at a landing below
FULL_STEP_DOWN = 0.12  # hip heights, of higher ground behind it
BENT_BELOW = 0.025  # of a leg, by which one that lands so far below its last place is shorter: stretched, it would snap
LANDS_BENT = 0.006  # the same of any leg of a walker
DETOUR = 0.2  # s more than the last before a landing, that a foot needs to go round something
STEP_BACK = 0.13  # hip heights by which a foot on its way up is held back at most
STEP_AHEAD = 0.03  # and by which one on its way down is held ahead,
OVER_AHEAD = 0.15  # behind something that is stepped over
OVER_LATER = 0.016  # cycles by which feet that step over something land later: their way down is long
FULL_STEP_UP = 0.08  # hip heights of a step up, at which it is
LONG_WAY = 0.25  # hip heights from one place to the next, at which it is
SET_BACK = 0.01  # hip heights by which a walker's foot stands behind where its source does in the middle of the stance:
SET_BACK_SPEEDS = (0.4, 1.0)  # m/s, between which that begins: recorded feet go on a little after they land
SETTLE_ARCH = 0.04  # hip heights, by which it lifts the foot


class Swing(NamedTuple):
    """Whose foot is to be planned, and whether it has just been lifted."""

    n: int
    leg: int
    lifts: bool
    dt: float  # s between the frames with which it is played


class Landing(NamedTuple):
    """What a foot foresees of its landing."""

    step: float  # s between frames, with which it looked ahead
    duration: float  # s until then
    lands: float  # the cycle of the leg
    cycles: float  # of the body
    hip: Vector
    stretch: float  # of the leg
    after: plants.FootSource  # the source one frame later
    size_after: float  # m, the hip height then
    changed: bool  # the motion of the body will be another one


@part
def plan_step(
    swing: Swing, source: plants.FootSource, people: People, model: Model, terrain: Terrain, scratch: Scratch
) -> None:
    """Look ahead to the next stance of a swinging foot, choose its place and set out for it."""
    row: Walker = people.walkers[swing.n]
    foot: Foot = people.feet[swing.n, swing.leg]
    uneven = terrain.grid.size > 1 or terrain.pieces.shape[0] > 0
    if swing.lifts and uneven:
        _look_ahead(row, terrain)
    _expect(foot.speed, row.speed)
    _expect(foot.turn, row.turn)
    seen = _foresee(swing, people, model, scratch)
    foot.count = seen.lands
    # A foot that is about to land keeps its place.
    if not swing.lifts and seen.duration < (EARLY_COMMITTED if uneven else COMMITTED):
        plants.begin_way(foot, seen.duration)
        foot.arch = foot.back[0] = foot.back[1] = foot.lifted = 0.0
        plants.aim(foot, model.sole)
        plants.aim_rate(foot, seen.after, seen.size_after, seen.step, model.sole)
        if uneven and seen.duration > COMMITTED:
            _look_under(swing, seen.step, people, model, terrain, scratch)
        return
    standing = at_rest(row)
    piece, held, x, z, size = _choose_place(swing, seen, people, model, terrain, scratch)
    plants.begin_way(foot, seen.duration)
    plants.aim(foot, model.sole)
    plants.aim_rate(foot, seen.after, seen.size_after, seen.step, model.sole)
    if piece != held:
        over = velocity_of(piece, x, z, terrain.pieces)
        under_body = velocity_of(held, row.x, row.z, terrain.pieces)
        for i in range(3):
            foot.aim_rate[i] += over[i] - (under_body[i] if i != 1 else 0.0)
    under, _ = wanted_ground(seen.cycles, people.feet[swing.n])
    end = add(vector(foot.arrival.ankle), vector(foot.aim))
    over_ground = seen.hip[0], seen.hip[1] + under - row.y, seen.hip[2]
    fall = foot.last_height - (foot.goal[1] - foot.level_height)
    stretch = seen.stretch - BENT_BELOW * smooth_step(fall / (FULL_STEP_DOWN * size))
    stretch -= LANDS_BENT * (1.0 - row.run.value)
    foot.sink = needed_sink(over_ground, end, row.leg.value, soft_sink(row), stretch)
    steps_over = goes_over(swing.leg, seen.lands, row, seen.duration)
    clear = row.jump.clear if steps_over and row.jump.state == STEPPING else 0.0
    clear = smooth_step(clear / (FULL_STEP_UP * size)) * (1.0 if swing.leg == row.jump.before.leg else -1.0)
    _hold_back(foot, add(source.ankle, vector(foot.start)), end, clear, size, model.sole)
    foot.arch = SETTLE_ARCH * size if standing else 0.0
    foot.lifted = 0.0
    if uneven or steps_over:
        _look_under(swing, seen.step, people, model, terrain, scratch)


@inline
def _expect(kept: Ramp, ramp: Ramp) -> None:
    kept.value, kept.target, kept.left = ramp.value, ramp.target, ramp.left


@part
def _look_ahead(row: Walker, terrain: Terrain) -> None:
    """See how steep the ground is that the body comes to: it slows down for that."""
    way = WAY_AHEAD * (row.leg.value / LEG_SHARE)
    x, z = row.x, row.z
    here, _ = height(x, z, 0.0, terrain)
    there, _ = height(x + way * math.sin(row.yaw), z + way * math.cos(row.yaw), 0.0, terrain)
    steep = min(STAIRS, abs(there - here) / way)
    if abs(steep - row.steep_ahead) > LEAST_CHANGE or steep == 0.0:
        if steep != row.steep_ahead:
            row.news = True  # for a foot that is on its way already
        row.steep_ahead = steep


@part
def _foresee(swing: Swing, people: People, model: Model, scratch: Scratch) -> Landing:
    """Look ahead to the landing: when it is, and where the source will be; the walker of the scratch is there then."""
    row: Walker = people.walkers[swing.n]
    foot: Foot = people.feet[swing.n, swing.leg]
    ahead: Walker = scratch.walkers[0]
    leg, strike = swing.leg, 2 * swing.leg
    step = swing.dt if swing.dt > SHORTEST_STEP else USUAL_STEP
    count, since, stance = stance_of(leg, row)
    early = not swing.lifts and since < stance - EARLY
    lands = count if early else count + 1.0
    _copy_walker(swing.n, people, scratch)
    least, most = step, LONGEST_VIEW
    if at_rest(row):
        least = SETTLE_STEP
    elif not swing.lifts:
        # No haste when the plan changes; a foot that should stand already goes on as planned before.
        left = foot.duration - foot.elapsed
        least = left if early else min(left, LEAST_WAY)
        most = max(left, LONGEST_SWING)
    later = OVER_LATER if row.jump.state == STEPPING else 0.0
    frames, changed = 0, False
    while (frames + 1) * step < most:
        there = ahead.cycles >= lands + ahead.contact_phases[strike] + later
        stands = frames > 0 and at_rest(ahead)
        if (there or stands) and (frames + 1) * step >= least - 1e-9:
            break
        changed |= _go_on(ahead, scratch.weights, step, model.timing)
        frames += 1
    # A foot that begins with the crowd is a frame behind one that is planned as the body moves.
    duration = (frames + 1) * step if swing.dt > 0.0 else max(1, frames) * step
    _look(swing, changed, people, model, scratch)
    plants.foresee(foot, foot_of(leg, ahead, model, scratch.frame), ahead.leg.value / LEG_SHARE)
    hip, landing = vector(scratch.frame.positions[model.legs[leg, 0]]), ahead.cycles
    stretch = landing_stretch(ahead)
    changed |= _go_on(ahead, scratch.weights, step, model.timing)
    _look(swing, changed, people, model, scratch)
    after = foot_of(leg, ahead, model, scratch.frame)
    return Landing(step, duration, lands, landing, hip, stretch, after, ahead.leg.value / LEG_SHARE, changed)


@part
def _choose_place(
    swing: Swing, seen: Landing, people: People, model: Model, terrain: Terrain, scratch: Scratch
) -> tuple[int, int, float, float, float]:
    """Look on to the middle of the stance, where the source shows best where the foot should stand, and choose a place.

    Returned are the piece of ground that it is on, the one that holds the body, the place, and the hip height there.
    """
    row: Walker = people.walkers[swing.n]
    feet = people.feet[swing.n]
    foot: Foot = feet[swing.leg]
    ahead: Walker = scratch.walkers[0]
    leg, phases = swing.leg, ahead.contact_phases
    strike, off, lands, changed = 2 * leg, 2 * leg + 1, seen.lands, seen.changed
    frames = 0
    while frames * seen.step < LONGEST_VIEW and not at_rest(ahead):
        middle = phases[strike] + MIDDLE * (phases[off] - phases[strike])
        if ahead.speed.target == 0.0:
            middle = max(middle, model.timing.rest + (0.51 if leg == 0 else 0.01))  # it stands where it comes to rest
        if ahead.cycles >= lands + middle:
            break
        changed |= _go_on(ahead, scratch.weights, seen.step, model.timing)
        frames += 1
    if frames > 0:
        _look(swing, changed, people, model, scratch)
    source = foot_of(leg, ahead, model, scratch.frame)
    size = ahead.leg.value / LEG_SHARE
    plants.level(foot, source, size, model.sole)
    foot.middle = ahead.cycles
    side = 1.0 if leg == 0 else -1.0
    outwards = side * row.toe_out[leg]
    x, z, yaw = flat_ball(source, outwards, size, model.sole)
    across = math.cos(ahead.yaw), -math.sin(ahead.yaw)
    aside = side * (row.wider + WIDTH_SPREAD * size * mood(ahead, STEPS))
    slow, fast = SET_BACK_SPEEDS
    back = SET_BACK * size * (1.0 - ahead.run.value) * smooth_step((ahead.stride_speed - slow) / (fast - slow))
    x, z = x + aside * across[0] + back * across[1], z + aside * across[1] - back * across[0]
    aside = apart(leg, x, z, yaw, side, size, feet, model.sole)
    if row.aside[0] != 0.0 or row.aside[1] != 0.0:
        aside = max(aside, uncrossed(leg, x, z, across, side, size, feet))
    x, z = x + side * aside * across[0], z + side * aside * across[1]
    jump = row.jump
    x, z = to_line(leg, lands, x, z, yaw, size, jump, model.sole)
    if jump.beyond.leg == BOTH_FEET:
        rest = cycles_to_rest(ahead, scratch.weights[0], model.timing)
        if ahead.cycles + rest < lands + phases[off]:
            x, z = to_stand(x, z, size, jump)
    x, z = off_what_is_near(x, z, yaw, size, row.keep_off, model.sole)
    place, flat, piece, overhangs, behind = foothold(x, z, yaw, size, model.sole, 0.0, terrain)
    held = carrier(feet)
    if piece == held:
        put(foot, place, flat, piece, 0.0, terrain.pieces)
    else:
        # From one piece of ground to another: until the landing both go their ways.
        vx, _, vz = velocity_of(held, row.x, row.z, terrain.pieces)
        x, z = x + seen.duration * vx, z + seen.duration * vz
        place, flat, piece, overhangs, behind = foothold(x, z, yaw, size, model.sole, seen.duration, terrain)
        put(foot, place, flat, piece, seen.duration, terrain.pieces)
        follow(foot, terrain.pieces)
    foot.overhangs = overhangs
    foot.tiptoe = 0.0 if at_rest(row) else TIPTOE * smooth_step(behind / (FULL_STEP_DOWN * size))
    return piece, held, x, z, size


@inline
def _unhurried(foot: Foot) -> float:
    """How much of a detour there is time for."""
    return smooth_step((foot.duration - COMMITTED) / DETOUR)


@inline
def _hold_back(foot: Foot, start: Vector, end: Vector, over: float, size: float, sole: Floats) -> None:
    """A foot on its way up a step goes up before it goes ahead, or back; down a step it goes ahead first.

    ``over`` something that is stepped over the foot that leads (-1) comes down as on a step, the other (1) goes up.
    """
    ankle_up = size * sole[1, 2] * math.sin(foot.tiptoe)
    up = max(over, smooth_step((end[1] - ankle_up - start[1]) / (FULL_STEP_UP * size)))
    ahead = rotate(quaternion(foot.flat_turn), (0.0, 0.0, 1.0))
    way = (end[0] - start[0]) * ahead[0] + (end[2] - start[2]) * ahead[2]
    down = max(OVER_AHEAD * -over, STEP_AHEAD * foot.tiptoe / TIPTOE)
    foot.leads = down > 0.0
    back = size * _unhurried(foot) * (-down if foot.leads else STEP_BACK * up)
    back *= max(-1.0, min(1.0, way / (LONG_WAY * size)))
    foot.back[0], foot.back[1] = back * ahead[0], back * ahead[2]


@part
def _look_under(swing: Swing, step: float, people: People, model: Model, terrain: Terrain, scratch: Scratch) -> None:
    """Find how far a foot must be lifted along its way to clear the ground under it."""
    row: Walker = people.walkers[swing.n]
    foot: Foot = people.feet[swing.n, swing.leg]
    ahead: Walker = scratch.walkers[0]
    _copy_walker(swing.n, people, scratch)
    changed, done, most = False, 0, 0.0
    last = vector(foot.arrival.ankle)
    clear = STEP_OVER * foot.landing_size * _unhurried(foot)
    for look in range(1, LOOKS):
        until = int(look * foot.duration / (LOOKS * step) + 0.5) - 1
        while done < until:
            changed |= _go_on(ahead, scratch.weights, step, model.timing)
            done += 1
        _look(swing, changed, people, model, scratch)
        pose = plants.offset_pose(foot, foot_of(swing.leg, ahead, model, scratch.frame), (done + 1) * step)
        over = plants.bump((done + 1) * step / foot.duration)
        # A fast foot is somewhere else between two looks.
        gone = math.hypot(pose.ankle[0] - last[0], pose.ankle[2] - last[2]) if look > 1 else 0.0
        last = pose.ankle
        size, need = ahead.leg.value / LEG_SHARE, 0.0
        for point in range(3):
            at = sole_point(point, pose, size, model.sole)
            # Between two looks the foot goes on: what is a little behind the heel or ahead of the toes counts, too.
            more = SPARE * size * (point - 1) * over
            forward = rotate(pose.turn, (0.0, 0.0, 1.0))
            x, z = at[0] + more * forward[0], at[2] + more * forward[2]
            under, _ = height(x, z, 0.0, terrain)
            under = max(under, jumped_height(x, z, gone, size, row, model.sole))
            need = max(need, under + clear * over - at[1])
        foot.lifts[look - 1] = min(need, HIGHEST_LIFT * row.leg.value)
        most = max(most, foot.lifts[look - 1])
    foot.lifted = most
    for i in range(7):
        foot.offset[i] = foot.start[i]


@inline
def _copy_walker(n: int, people: People, scratch: Scratch) -> None:
    """Let the walker of the scratch be as one of the crowd is now."""
    scratch.walkers[0] = people.walkers[n]
    copy_into(scratch.weights[0], people.weights[n, 0])
    copy_into(scratch.weights[1], people.weights[n, 1])


@part
def _go_on(row: Walker, weights: Floats, step: float, timing: Timing) -> bool:
    """`drive.advance` as a call: what looks ahead is large and seldom needed."""
    return drive.advance(row, weights, step, timing)


@part
def _look(swing: Swing, changed: bool, people: People, model: Model, scratch: Scratch) -> None:
    """A leg of the body where the walker of the scratch is."""
    ahead: Walker = scratch.walkers[0]
    factors = scratch.cached[: model.basis.shape[0] + model.stands.shape[1]]
    if changed:
        refresh(ahead, scratch.weights[0], factors, model)
    else:
        copy_into(factors, people.cache[swing.n])
    ahead.held = -1
    pose_leg(swing.leg, ahead, scratch.cached, people.bones[swing.n], model, scratch.frame)
