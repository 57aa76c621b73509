"""The next step of a foot: when and where it lands, found by looking ahead, and its way there."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human._kernels import drive
from locomote.human._kernels import footplants as plants
from locomote.human._kernels.cycle_pose import PoseBuffers
from locomote.human._kernels.foothold import foothold
from locomote.human._kernels.footplants import PLANTED
from locomote.human._kernels.legs import landing_stretch, needed_sink, wanted_ground
from locomote.human._kernels.moving_ground import carrier, follow, put, velocity_of
from locomote.human._kernels.pose import Floats32, Model, pose_leg, refresh
from locomote.human._kernels.stance import (
    LONGEST_SWING,
    MIDDLE,
    at_rest,
    flat_ball,
    foot_of,
    sole_point,
    stance_of,
)
from locomote.human.jumps._kernels import jump as leap
from locomote.math._compile import inline, part
from locomote.math.quaternion import quaternion, rotate
from locomote.math.vector import Floats, Vector, add, copy_into, smooth_step, vector
from locomote.world._kernels.ground import height

LONGEST_VIEW = 5.0  # s that a foot looks ahead at most
SHORTEST_STEP = 5e-4  # s between frames, with which a foot looks ahead
USUAL_STEP = 1.0 / 60.0  # s, for one that plans before the first of them, or with frames that follow closer
MOST_SHIFT = 0.3  # hip heights by which a foot is brought to a line
KEPT_OFF = 0.02  # m that a foot keeps from what must not be stepped on
STAND_SHIFT = 0.07  # the same of a foot that then stands, which would step back from further
COMMITTED = 0.1  # s before its landing, from which on a foot keeps the place that it has chosen
EARLY_COMMITTED = 0.25  # the same where the ground is not level: a place on another step is too far for haste
EARLY = 0.15  # cycles before the end of a stance, until which a swinging foot should stand instead
LEAST_WAY = 0.2  # s; a foot that would land sooner is not lifted
APART = 0.1  # hip heights between the middle lines of two feet on the ground
MOST_APART = 0.15  # hip heights that a foot goes to its side for that
SETTLE_STEP = 0.45  # s that a step of a standing body takes, to put a foot right
WAY_AHEAD = 0.9  # hip heights that a body looks ahead for steep ground
LEAST_CHANGE = 0.02  # of its rise a metre, that matters
STEP_OVER = 0.025  # hip heights between a foot and what it steps over
SPARE = 0.03  # hip heights behind the heel and ahead of the toes that are kept free
HIGHEST_LIFT = 0.5  # of a leg
TIPTOE = 0.45  # rad by which a heel is up at a landing below
FULL_STEP_DOWN = 0.12  # hip heights, of higher ground behind it
DETOUR = 0.2  # s more than the last before a landing, that a foot needs to go round something
STEP_BACK = 0.13  # hip heights by which a foot on its way up is held back at most
FULL_STEP_UP = 0.08  # hip heights of a step up, at which it is
LONG_WAY = 0.25  # hip heights from one place to the next, at which it is
SETTLE_ARCH = 0.04  # hip heights, by which it lifts the foot


class Ghost(NamedTuple):
    """Room in which a character looks ahead, and for the aims of its legs."""

    row: Floats
    cached: Floats32
    frame: PoseBuffers
    aims: Floats  # (L, AIM_COLUMNS)


@part
def plan_step(
    leg: int,
    row: Floats,
    feet: Floats,
    source: plants.FootSource,
    lifts: bool,
    dt: float,
    size: float,
    cached: Floats32,
    model: Model,
    ghost: Ghost,
    pieces: Floats,
    grid: Floats,
    raster: Floats,
) -> None:
    """Look ahead to the next stance of a swinging foot, choose its place and set out for it."""
    foot, ahead_row = feet[leg], ghost.row
    step = dt if dt > SHORTEST_STEP else USUAL_STEP
    count, since, stance = stance_of(leg, row)
    early = not lifts and since < stance - EARLY
    lands = count if early else count + 1.0
    standing = at_rest(row)
    if lifts and (grid.size > 1 or pieces.shape[0] > 0):
        _look_ahead(row, size, pieces, grid, raster)
    copy_into(ahead_row, row)
    strike, off = drive.STRIKE_OFF + 2 * leg, drive.STRIKE_OFF + 2 * leg + 1
    least, most = step, LONGEST_VIEW
    if standing:
        least = SETTLE_STEP
    elif not lifts:
        # No haste when the plan changes; a foot that should stand already goes on as planned before.
        left = foot[plants.DURATION] - foot[plants.ELAPSED]
        least = left if early else min(left, LEAST_WAY)
        most = max(left, LONGEST_SWING)
    frames, changed = 0, False
    while (frames + 1) * step < most:
        there = ahead_row[drive.CYCLES] >= lands + ahead_row[strike]
        stands = frames > 0 and at_rest(ahead_row)
        if (there or stands) and (frames + 1) * step >= least - 1e-9:
            break
        changed |= _go_on(ahead_row, step, model.timing, model.numbers)
        frames += 1
    duration = (frames + 1) * step
    _look(leg, cached, model, ghost, changed)
    plants.foresee(foot, foot_of(leg, ahead_row, model, ghost.frame), ahead_row[drive.LEG] / drive.LEG_SHARE)
    hip, landing = vector(ghost.frame.positions[model.legs[leg, 0]]), ahead_row[drive.CYCLES]
    stretch = landing_stretch(ahead_row)
    changed |= _go_on(ahead_row, step, model.timing, model.numbers)
    _look(leg, cached, model, ghost, changed)
    after, size_after = foot_of(leg, ahead_row, model, ghost.frame), ahead_row[drive.LEG] / drive.LEG_SHARE

    foot[plants.COUNT] = lands
    # A foot that is about to land keeps its place.
    uneven = grid.size > 1 or pieces.shape[0] > 0
    if not lifts and duration < (EARLY_COMMITTED if uneven else COMMITTED):
        plants.begin_way(foot, duration)
        foot[plants.ARCH] = foot[plants.BACK] = foot[plants.BACK + 1] = foot[plants.LIFTED] = 0.0
        plants.aim(foot, model.sole)
        plants.aim_rate(foot, after, size_after, step, model.sole)
        if uneven and duration > COMMITTED:
            _look_under(leg, row, foot, step, cached, model, ghost, pieces, grid, raster)
        return
    frames = 0
    while frames * step < LONGEST_VIEW and not at_rest(ahead_row):
        if ahead_row[drive.CYCLES] >= lands + ahead_row[strike] + MIDDLE * (ahead_row[off] - ahead_row[strike]):
            break
        changed |= _go_on(ahead_row, step, model.timing, model.numbers)
        frames += 1
    if frames > 0:
        _look(leg, cached, model, ghost, changed)
    seen = foot_of(leg, ahead_row, model, ghost.frame)
    size = ahead_row[drive.LEG] / drive.LEG_SHARE
    plants.level(foot, seen, size, model.sole)
    foot[plants.MIDDLE] = ahead_row[drive.CYCLES]
    side = 1.0 if leg == 0 else -1.0
    outwards = side * row[drive.TOE_OUT + leg]
    x, z, yaw = flat_ball(seen, outwards, size, model.sole)
    aside = row[drive.WIDER] + _apart(leg, x, z, yaw, side, size, feet, model.sole)
    x += side * aside * math.cos(ahead_row[drive.YAW])
    z -= side * aside * math.sin(ahead_row[drive.YAW])
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    x, z = _to_line(leg, lands, x, z, yaw, size, jump, model.sole)
    if jump[leap.LINES + 5] == leap.BOTH:
        rest = drive.cycles_to_rest(ahead_row, model.timing, model.numbers)
        if ahead_row[drive.CYCLES] + rest < lands + ahead_row[off]:
            x, z = _to_stand(x, z, size, jump)
    x, z = _off_what_is_near(x, z, yaw, size, row[drive.KEEP_OFF : drive.KEEP_OFF + 3], model.sole)
    place, flat, piece, overhangs, behind = foothold(x, z, yaw, size, model.sole, 0.0, pieces, grid, raster)
    held = carrier(feet)
    if piece == held:
        put(foot, place, flat, piece, 0.0, pieces)
    else:
        # From one piece of ground to another: until the landing both go their ways.
        vx, _, vz = velocity_of(held, row[drive.X], row[drive.Z], pieces)
        x, z = x + duration * vx, z + duration * vz
        place, flat, piece, overhangs, behind = foothold(x, z, yaw, size, model.sole, duration, pieces, grid, raster)
        put(foot, place, flat, piece, duration, pieces)
        follow(foot, pieces)
    foot[plants.OVERHANGS] = overhangs
    foot[plants.TIPTOE] = 0.0 if standing else TIPTOE * smooth_step(behind / (FULL_STEP_DOWN * size))
    plants.begin_way(foot, duration)
    plants.aim(foot, model.sole)
    plants.aim_rate(foot, after, size_after, step, model.sole)
    if piece != held:
        over, under_body = (
            velocity_of(piece, x, z, pieces),
            velocity_of(held, row[drive.X], row[drive.Z], pieces),
        )
        for i in range(3):
            foot[plants.AIM_RATE + i] += over[i] - (under_body[i] if i != 1 else 0.0)
    under, _ = wanted_ground(landing, feet)
    end = add(vector(foot[plants.ARRIVAL :]), vector(foot[plants.AIM : plants.AIM + 3]))
    over_ground = hip[0], hip[1] + under - row[drive.Y], hip[2]
    foot[plants.SINK] = needed_sink(over_ground, end, row[drive.LEG], stretch)
    _hold_back(foot, add(source.ankle, vector(foot[plants.START : plants.START + 3])), end, size, model.sole)
    foot[plants.ARCH] = SETTLE_ARCH * size if standing else 0.0
    foot[plants.LIFTED] = 0.0
    if uneven or _goes_over(leg, lands, row, duration):
        _look_under(leg, row, foot, step, cached, model, ghost, pieces, grid, raster)


@part
def _look_ahead(row: Floats, size: float, pieces: Floats, grid: Floats, raster: Floats) -> None:
    """See how steep the ground is that the body comes to: it slows down for that."""
    way = WAY_AHEAD * size
    x, z = row[drive.X], row[drive.Z]
    here, _ = height(x, z, 0.0, pieces, grid, raster)
    there, _ = height(x + way * math.sin(row[drive.YAW]), z + way * math.cos(row[drive.YAW]), 0.0, pieces, grid, raster)
    steep = min(drive.STAIRS, abs(there - here) / way)
    if abs(steep - row[drive.STEEP_AHEAD]) > LEAST_CHANGE or steep == 0.0:
        if steep != row[drive.STEEP_AHEAD]:
            row[drive.NEWS] = 1.0  # for a foot that is on its way already
        row[drive.STEEP_AHEAD] = steep


@part
def _apart(leg: int, x: float, z: float, yaw: float, side: float, size: float, feet: Floats, sole: Floats) -> float:
    """How far a foot whose ball is to stand at ``(x, z)`` must go to its side to stay clear of those that stand."""
    s, c = math.sin(yaw), math.cos(yaw)
    behind, front = size * (sole[0, 2] - sole[1, 2]), size * sole[2, 2]
    away = 0.0
    for other in range(feet.shape[0]):
        if other == leg or feet[other, plants.STATE] != PLANTED:
            continue
        goal = vector(feet[other, plants.GOAL : plants.GOAL + 3])
        along = rotate(quaternion(feet[other, plants.FLAT : plants.FLAT + 4]), (0.0, 0.0, 1.0))
        for i in range(5):
            t = behind + 0.25 * i * (front - behind)
            for k in range(5):
                u = behind + 0.25 * k * (front - behind)
                # From a point of the foot that stands to a point of this one, ahead of it and to its side.
                dx, dz = x + t * s - goal[0] - u * along[0], z + t * c - goal[2] - u * along[2]
                ahead, aside = dx * s + dz * c, side * (dx * c - dz * s)
                if abs(ahead) < APART * size:
                    away = max(away, math.sqrt((APART * size) ** 2 - ahead * ahead) - aside)
    return min(away, MOST_APART * size)


@inline
def _to_line(
    leg: int, count: float, x: float, z: float, yaw: float, size: float, jump: Floats, sole: Floats
) -> tuple[float, float]:
    """The place of a ball, brought to the line on which the foot is to land in this cycle, if there is one."""
    for k in range(leap.LINES, leap.LINES + 10, 5):
        if jump[leap.STATE] != leap.NONE and jump[k] == leg and jump[k + 1] == count:
            hx, hz = jump[k + 3], jump[k + 4]
            off = jump[k + 2] - x * hx - z * hz
            if k == leap.LINES and jump[leap.SLANT] != 0.0:
                # Not the ball, but the toes have to stay before an oblique edge.
                toe = size * sole[2, 2]
                tip = (x + toe * math.sin(yaw)) * hz - (z + toe * math.cos(yaw)) * hx
                turned = math.sin(yaw) * hx + math.cos(yaw) * hz
                off += jump[leap.SLANT] * (tip - jump[leap.SIDE]) + toe * (1.0 - turned)
            off = max(-MOST_SHIFT * size, min(MOST_SHIFT * size, off))
            return x + off * hx, z + off * hz
    return x, z


@inline
def _to_stand(x: float, z: float, size: float, jump: Floats) -> tuple[float, float]:
    """The place of a ball, brought to where the body is to stand; not if it stops somewhere else."""
    line = jump[leap.LINES + 5 : leap.LINES + 10]
    off = line[2] - x * line[3] - z * line[4]
    if abs(off) > STAND_SHIFT * size:
        return x, z
    return x + off * line[3], z + off * line[4]


@inline
def _off_what_is_near(x: float, z: float, yaw: float, size: float, line: Floats, sole: Floats) -> tuple[float, float]:
    """The place of a ball, brought back so that neither heel nor tip is beyond a line."""
    nx, nz = line[0], line[1]
    if nx == 0.0 and nz == 0.0:
        return x, z
    along = math.sin(yaw) * nx + math.cos(yaw) * nz
    farthest = x * nx + z * nz + size * max(along * (sole[0, 2] - sole[1, 2]), 0.0, along * sole[2, 2])
    back = min(MOST_SHIFT * size, max(0.0, farthest + KEPT_OFF - line[2]))
    return x - back * nx, z - back * nz


@inline
def _goes_over(leg: int, lands: float, row: Floats, duration: float) -> bool:
    """Whether a foot goes over what the body jumps or steps over."""
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    if jump[leap.CLEAR] <= 0.0:
        return False
    # The foot that lands beyond it, then the one that stood before it.
    before, beyond = jump[leap.LINES : leap.LINES + 2], jump[leap.LINES + 5 : leap.LINES + 7]
    follows = (leg == beyond[0] and lands == beyond[1]) or (leg == before[0] and lands == before[1] + 1.0)
    flies = jump[leap.STATE] == leap.UNDER_WAY and duration > jump[leap.FLIGHT]
    return bool(flies or (jump[leap.STATE] == leap.STEPPING and follows))


@inline
def _jumped_height(x: float, z: float, near: float, size: float, row: Floats, sole: Floats) -> float:
    """The height of what is jumped or stepped over, nearer than ``near`` to a place along the way.

    It lies between the feet that leave and land.
    """
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    before, beyond = jump[leap.LINES : leap.LINES + 5], jump[leap.LINES + 5 : leap.LINES + 10]
    if jump[leap.CLEAR] <= 0.0 or jump[leap.STATE] == leap.NONE or before[0] < 0.0:
        return -math.inf
    ahead = x * before[3] + z * before[4]
    ahead -= jump[leap.SLANT] * (x * before[4] - z * before[3] - jump[leap.SIDE])
    first, last = before[2] + size * sole[2, 2], beyond[2] - size * (sole[1, 2] - sole[0, 2])
    return jump[leap.CLEAR] if first - near < ahead < last + near else -math.inf


@inline
def _unhurried(foot: Floats) -> float:
    """How much of a detour there is time for."""
    return smooth_step((foot[plants.DURATION] - COMMITTED) / DETOUR)


@inline
def _hold_back(foot: Floats, start: Vector, end: Vector, size: float, sole: Floats) -> None:
    """A foot on its way up a step goes up before it goes ahead, or back."""
    ankle_up = size * sole[1, 2] * math.sin(foot[plants.TIPTOE])
    up = smooth_step((end[1] - ankle_up - start[1]) / (FULL_STEP_UP * size)) * _unhurried(foot)
    flat = quaternion(foot[plants.FLAT : plants.FLAT + 4])
    ahead = rotate(flat, (0.0, 0.0, 1.0))
    way = (end[0] - start[0]) * ahead[0] + (end[2] - start[2]) * ahead[2]
    back = STEP_BACK * size * up * max(-1.0, min(1.0, way / (LONG_WAY * size)))
    foot[plants.BACK], foot[plants.BACK + 1] = back * ahead[0], back * ahead[2]


@part
def _look_under(
    leg: int,
    row: Floats,
    foot: Floats,
    step: float,
    cached: Floats32,
    model: Model,
    ghost: Ghost,
    pieces: Floats,
    grid: Floats,
    raster: Floats,
) -> None:
    """Find how far a foot must be lifted along its way to clear the ground under it."""
    copy_into(ghost.row, row)
    changed, done, most = False, 0, 0.0
    last = vector(foot[plants.ARRIVAL :])
    clear = STEP_OVER * foot[plants.LANDING_SIZE] * _unhurried(foot)
    for look in range(1, plants.LOOKS):
        until = int(look * foot[plants.DURATION] / (plants.LOOKS * step) + 0.5) - 1
        while done < until:
            changed |= _go_on(ghost.row, step, model.timing, model.numbers)
            done += 1
        _look(leg, cached, model, ghost, changed)
        pose = plants.offset_pose(foot, foot_of(leg, ghost.row, model, ghost.frame), (done + 1) * step)
        over = plants.bump((done + 1) * step / foot[plants.DURATION])
        # A fast foot is somewhere else between two looks.
        gone = math.hypot(pose.ankle[0] - last[0], pose.ankle[2] - last[2]) if look > 1 else 0.0
        last = pose.ankle
        size, need = ghost.row[drive.LEG] / drive.LEG_SHARE, 0.0
        for point in range(3):
            at = sole_point(point, pose, size, model.sole)
            # Between two looks the foot goes on: what is a little behind the heel or ahead of the toes counts, too.
            more = SPARE * size * (point - 1) * over
            forward = rotate(pose.turn, (0.0, 0.0, 1.0))
            x, z = at[0] + more * forward[0], at[2] + more * forward[2]
            under, _ = height(x, z, 0.0, pieces, grid, raster)
            under = max(under, _jumped_height(x, z, gone, size, row, model.sole))
            need = max(need, under + clear * over - at[1])
        foot[plants.LIFTS + look - 1] = min(need, HIGHEST_LIFT * row[drive.LEG])
        most = max(most, foot[plants.LIFTS + look - 1])
    foot[plants.LIFTED] = most
    for i in range(7):
        foot[plants.OFFSET + i] = foot[plants.START + i]


@part
def _go_on(row: Floats, step: float, timing: Floats, numbers: Floats) -> bool:
    """`drive.advance` as a call: what looks ahead is large and seldom needed."""
    return drive.advance(row, step, timing, numbers)


@part
def _look(leg: int, cached: Floats32, model: Model, ghost: Ghost, changed: bool) -> None:
    """A leg of the body where the ghost is."""
    factors = ghost.cached[: model.basis.shape[0] + model.stands.shape[1]]
    if changed:
        refresh(ghost.row, factors, model)
    else:
        copy_into(factors, cached)
    ghost.row[drive.HELD] = -1.0
    pose_leg(leg, ghost.row, ghost.cached, model, ghost.frame)
