"""The feet of a walking person: when they lift, where they will land, and what pelvis and legs do for that."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.kernels import drive
from locomote.kernels import footplants as plants
from locomote.kernels._compile import inline, part
from locomote.kernels.carrying import about_up, carrier, velocity_of
from locomote.kernels.cycle_pose import Frame
from locomote.kernels.foothold import foothold
from locomote.kernels.footplants import NEW, PLANTED, SWINGING
from locomote.kernels.ground import height
from locomote.kernels.quaternion import canonical, conjugate, multiply, quaternion, rotate, store
from locomote.kernels.two_bone import hinge_limb
from locomote.kernels.vector import (
    Floats,
    Vector,
    add,
    scale,
    smooth_step,
    soft_max,
    spring,
    subtract,
    vector,
)
from locomote.kernels.walker import Floats32, Model, pose_leg, refresh

LONGEST_VIEW = 5.0  # s that a foot looks ahead at most
SHORTEST_STEP = 5e-4  # s between frames, with which a foot looks ahead
USUAL_STEP = 1.0 / 60.0  # s, for one that plans before the first of them, or with frames that follow closer
MIDDLE = 0.45  # of the stance, at which the source shows best where the foot should stand
ROLL_RATE = 10.0  # 1/s, at which it may begin to do so
ROLL = 0.1  # cycles after the middle of the stance, from which on the foot may roll over its toes
LONGEST_SWING = 0.9  # s; at low speeds a foot waits and then steps no slower than this
MOST_STRAIN = 0.03  # hip heights by which a foot may be out of reach late in its stance before it lifts early
TORN = 0.2  # hip heights, the same if no other foot stands
STRAIN_FROM = 0.6  # of the stance
PATIENCE = 0.05  # s for which a foot holds on to a plan although commands change it
COMMITTED = 0.1  # s before its landing, from which on a foot keeps the place that it has chosen
EARLY = 0.15  # cycles before the end of a stance, until which a swinging foot should stand instead
LEAST_STAND = 0.1  # s between landing and lift-off
LEAST_WAY = 0.2  # s; a foot that would land sooner is not lifted
OUTER_SHORTER = 0.15  # of the stance, by which the outer foot leaves earlier in a sharp turn
SHARP_TURN = 0.6  # rad in a step
CLEARANCE = 0.014  # hip heights, of the sole in the middle of the swing
RAISING = 0.18  # s after lift-off and before landing, in which a foot comes free of the ground
RAISE_RATE = 10.0  # 1/s, at most
TURN_CLEARANCE = 0.035  # hip heights more when turning on the spot, and up to 0.6 of it in a curve
FAST_TURN = 2.5  # rad/s, in a curve, that counts as much as turning on the spot
APART = 0.1  # hip heights between the middle lines of two feet on the ground
MOST_APART = 0.15  # hip heights that a foot goes to its side for that
SOFT_TOES = 0.05  # rad over which the toes ease onto the floor
STRETCH = 0.998  # of its length; the body sinks before a standing leg is pulled straighter
SOFT_SINK = 0.03  # hip heights over which it begins to sink
SOFTNESS = 0.002  # of its length, over which a leg that stands eases into full stretch
SWING_SOFTNESS = 0.025  # more of it for a leg that swings
LEAST_DROP = 0.42  # of a leg, from the hip down to the ankle of a swinging foot
SOFT_DROP = 0.1  # of a leg, over which it is kept
KNEE_SHARE = 0.5  # of the turn of the foot against the body that the knee takes part in
AHEAD_DOWNHILL = 0.13  # cycles
SINK_AHEAD, SINK_DONE = 0.5, 0.14  # s before a landing, between which the body sinks for it
SINK_EAGERNESS = 20.0  # 1/s, with which it does
GROUND_EAGERNESS = 11.0  # 1/s, of the height of the body towards that of the ground
UPHILL, DOWNHILL = 0.35, 0.12  # of the slope, by which the trunk leans forwards or back
SLOWEST_CLIMB = 0.4  # m/s, below which the slope under the feet is not taken for a slope
TILT_TIME = 0.25  # s in which the trunk follows
LEAST_TILT = 1e-4  # rad
SETTLE_AWAY = 0.07  # hip heights, and
SETTLE_TURN = 0.3  # rad, off the source from which a foot of a standing body takes a step
SETTLE_AFTER = 0.15  # s
SETTLE_STEP = 0.45  # s that such a step takes
LOOKS = 18  # parts into which a way is divided to look at the ground under it
STEP_OVER = 0.025  # hip heights between a foot and what it steps over
SPARE = 0.03  # hip heights behind the heel and ahead of the toes that are kept free
HIGHEST_ARCH = 0.22  # of a leg
DETOUR = 0.2  # s more than the last before a landing, that a foot needs to go round something
STEP_BACK = 0.13  # hip heights by which a foot on its way up is held back at most
FULL_STEP_UP = 0.08  # hip heights of a step up, at which it is
LEAST_BUMP = 0.15  # of the arch: nearer to the ends of a way it does not help
SETTLE_ARCH = 0.04  # hip heights

# Columns of an aim: what a leg is to reach in this frame.
ANKLE, TURN = 0, 3  # ankle (3), rotation of the foot (4)
AIM_COLUMNS = 7


class Ghost(NamedTuple):
    """Room in which a character looks ahead, and for the aims of its legs."""

    row: Floats
    cached: Floats32
    frame: Frame
    aims: Floats  # (L, AIM_COLUMNS)


@part
def hold_feet(
    row: Floats,
    feet: Floats,
    dt: float,
    cached: Floats32,
    model: Model,
    frame: Frame,
    ghost: Ghost,
    pieces: Floats,
    grid: Floats,
    raster: Floats,
) -> None:
    """Bring the feet of a body to their places: plan, move the pelvis, solve the legs."""
    size = row[drive.LEG] / drive.LEG_SHARE
    anew = row[drive.NEWS] > 0.0
    row[drive.NEWS] = 0.0
    for leg in range(feet.shape[0]):
        foot, joints = feet[leg], model.legs[leg]
        bend = frame.rotations[joints[3]]
        source = _foot_of(leg, row, model, frame)
        begins = foot[plants.STATE] == NEW
        if begins:
            _begin(leg, row, foot, source, size, model, pieces, grid, raster)
        lifts = foot[plants.STATE] == PLANTED and dt > 0.0 and _lifts(leg, row, feet, dt, size)
        if foot[plants.STATE] == SWINGING:
            left = foot[plants.DURATION] - foot[plants.ELAPSED]
            waits = foot[plants.ELAPSED] < PATIENCE and left > COMMITTED
            if anew and waits and not lifts:
                row[drive.NEWS] = 1.0
            if begins or lifts or (anew and not waits):
                if begins or lifts:
                    turning = max(_on_the_spot(row), min(0.6, abs(row[drive.TURN]) / FAST_TURN))
                    foot[plants.CLEARANCE] = size * (CLEARANCE + TURN_CLEARANCE * turning)
                _plan(
                    leg,
                    row,
                    feet,
                    source,
                    begins or lifts,
                    dt,
                    size,
                    cached,
                    model,
                    ghost,
                    pieces,
                    grid,
                    raster,
                )
                if begins:
                    plants.set_out_there(foot)
            elif pieces.shape[0] > 0:
                plants.aim(foot, model.sole)
            if dt > 0.0 and foot[plants.ELAPSED] + dt >= foot[plants.DURATION] - 1e-9:
                foot[plants.STATE] = PLANTED
                foot[plants.RESTING] = foot[plants.LATE] = 0.0
                foot[plants.STOOD] = foot[plants.RAISED] = 0.0
                if row[drive.STRIDE_SPEED] == 0.0:
                    foot[plants.COUNT] -= 1.0  # its step is still to come when the body walks on
        out = ghost.aims[leg]
        if foot[plants.STATE] == PLANTED:
            # The count of cycles may jump when a body comes to rest.
            late = smooth_step((row[drive.CYCLES] - foot[plants.MIDDLE]) / ROLL)
            if row[drive.STRIDE_SPEED] == 0.0:
                late = 0.0
            late = foot[plants.LATE] + max(-ROLL_RATE * dt, min(ROLL_RATE * dt, late - foot[plants.LATE]))
            foot[plants.LATE] = late
            hip = frame.positions[joints[0]]
            over_ground = hip[0], hip[1] + row[drive.GROUND] - row[drive.Y], hip[2]
            reach = STRETCH * row[drive.LEG]
            pose = plants.stand(foot, source, late, over_ground, reach, dt, size, model.sole)
        else:
            swung = plants.swing(foot, source, dt)
            # When the plan changes the time left may jump; what depends on it must not.
            left = foot[plants.DURATION] - foot[plants.ELAPSED]
            raised = (
                smooth_step(foot[plants.SWUNG] / RAISING) * smooth_step(left / RAISING) - foot[plants.RAISED]
            )
            foot[plants.RAISED] += max(-RAISE_RATE * dt, min(RAISE_RATE * dt, raised))
            pose = _clear(foot, swung, size, model.sole, pieces, grid, raster)
        out[0], out[1], out[2] = pose.ankle
        store(out[TURN : TURN + 4], pose.turn)
        store(bend, (math.cos(0.5 * pose.toes), -math.sin(0.5 * pose.toes), 0.0, 0.0))
    rise = _ground_height(row, feet, dt) - row[drive.Y]
    _tilt(row, dt, frame)
    up = rise - _sink(rise, row, feet, ghost.aims, dt, model, frame)
    if up != 0.0:
        for j in range(frame.positions.shape[0]):
            frame.positions[j, 1] += up
    for leg in range(feet.shape[0]):
        _reach(leg, feet[leg], ghost.aims[leg], model, frame, size)


@inline
def _on_the_spot(row: Floats) -> float:
    """How much of the movement of the legs is due to turning, 0 to 1."""
    if row[drive.STRIDE_SPEED] <= row[drive.SPEED] or row[drive.TURN] == 0.0:
        return 0.0
    share: float = 1.0 - row[drive.SPEED] / row[drive.STRIDE_SPEED]
    return share


@part
def _apart(
    leg: int, x: float, z: float, yaw: float, side: float, size: float, feet: Floats, sole: Floats
) -> float:
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
def _stance(leg: int, row: Floats) -> tuple[float, float, float]:
    """The cycle that a leg is in, counted from its strikes, how far it is into it, and how long it stands."""
    strike, off = row[drive.STRIKE_OFF + 2 * leg], row[drive.STRIKE_OFF + 2 * leg + 1]
    since = row[drive.CYCLES] - strike
    count = math.floor(since)
    stance = off - strike
    stance = max(stance, 1.0 - LONGEST_SWING * row[drive.PACE])
    if row[drive.TURN] != 0.0 and row[drive.PACE] > 0.0:
        # The outer foot of a turn leaves early; the first leg is the left one, a turn to the left is positive.
        outward = -row[drive.TURN] if leg == 0 else row[drive.TURN]
        in_step = 0.5 * outward / row[drive.PACE]
        stance *= 1.0 - OUTER_SHORTER * min(1.0, max(0.0, in_step / SHARP_TURN))
    return count, since - count, stance


@part
def _begin(
    leg: int,
    row: Floats,
    foot: Floats,
    source: plants.Source,
    size: float,
    model: Model,
    pieces: Floats,
    grid: Floats,
    raster: Floats,
) -> None:
    """Give a foot its first state: it stands where its source does, or swings with it."""
    count, since, stance = _stance(leg, row)
    foot[plants.COUNT] = count
    standing = row[drive.STRIDE_SPEED] == 0.0
    if standing:
        plants.level(foot, source, size, model.sole)
    x, z, yaw = _flat_ball(source, 0.0, size, model.sole)
    place, flat, piece, overhangs = foothold(x, z, yaw, size, model.sole, 0.0, pieces, grid, raster)
    plants.put(foot, place, flat, piece, 0.0, pieces)
    foot[plants.OVERHANGS] = overhangs
    foot[plants.LAST_PIECE], foot[plants.STOOD] = piece, LEAST_STAND
    since_middle = 0.0 if standing else since - MIDDLE * stance
    foot[plants.MIDDLE] = row[drive.CYCLES] - since_middle
    foot[plants.LATE] = 0.0 if standing else smooth_step(since_middle / ROLL)
    foot[plants.LAST_MIDDLE] = foot[plants.MIDDLE] - 0.5
    foot[plants.LAST_HEIGHT] = place[1] - foot[plants.LEVEL_HEIGHT]
    foot[plants.STATE] = PLANTED if standing or since < stance else SWINGING
    ground, _ = height(row[drive.X], row[drive.Z], 0.0, pieces, grid, raster)
    row[drive.GROUND] = ground - foot[plants.LEVEL_HEIGHT]


@inline
def _flat_ball(
    source: plants.Source, outwards: float, size: float, sole: Floats
) -> tuple[float, float, float]:
    """Where the ball of a foot is on the plan when it stands flat, and where it points."""
    forward = rotate(source.turn, (0.0, 0.0, 1.0))
    yaw = math.atan2(forward[0], forward[2]) + outwards
    ball = rotate(about_up(yaw), vector(sole[1]))
    return source.ankle[0] + size * ball[0], source.ankle[2] + size * ball[2], yaw


@inline
def _lifts(leg: int, row: Floats, feet: Floats, dt: float, size: float) -> bool:
    """Whether a planted foot leaves the ground now; if so it swings from here on."""
    foot = feet[leg]
    count, since, stance = _stance(leg, row)
    if row[drive.STRIDE_SPEED] == 0.0:
        if not _settles(leg, feet, dt, size):
            return False
    else:
        foot[plants.RESTING] = 0.0
        if count < foot[plants.COUNT] or foot[plants.STOOD] < LEAST_STAND:
            return False
        strain = foot[plants.STRAIN] / size if since > STRAIN_FROM * stance else 0.0
        strained = strain > MOST_STRAIN and _others_stand(leg, feet)
        if since < stance and not strained and strain < TORN:
            foot[plants.COUNT] = count
            return False
        if (1.0 - since) < LEAST_WAY * row[drive.PACE]:
            foot[plants.COUNT] = count + 1.0
            return False
    foot[plants.STATE] = SWINGING
    foot[plants.SWUNG] = foot[plants.RAISED] = 0.0
    foot[plants.LAST_PIECE] = foot[plants.PIECE]
    foot[plants.LAST_MIDDLE] = foot[plants.MIDDLE]
    foot[plants.LAST_HEIGHT] = foot[plants.GOAL + 1] - foot[plants.LEVEL_HEIGHT]
    return True


@inline
def _others_stand(leg: int, feet: Floats) -> bool:
    """Whether the body has another foot to stand on."""
    standing = 0
    for other in range(feet.shape[0]):
        standing += other != leg and feet[other, plants.STATE] == PLANTED
    return standing > 0


@inline
def _settles(leg: int, feet: Floats, dt: float, size: float) -> bool:
    """Whether a foot of a standing body has been left so far from where it belongs that it takes a step."""
    foot = feet[leg]
    away = foot[plants.OFFSET] ** 2 + foot[plants.OFFSET + 2] ** 2
    turned = abs(foot[plants.OFFSET + 4])
    if away < (SETTLE_AWAY * size) ** 2 and turned < SETTLE_TURN:
        foot[plants.RESTING] = 0.0
        return False
    foot[plants.RESTING] += dt
    for other in range(feet.shape[0]):
        if feet[other, plants.STATE] == SWINGING:
            return False
    return bool(foot[plants.RESTING] > SETTLE_AFTER)


@part
def _plan(
    leg: int,
    row: Floats,
    feet: Floats,
    source: plants.Source,
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
    count, since, stance = _stance(leg, row)
    early = not lifts and since < stance - EARLY
    lands = count if early else count + 1.0
    standing = row[drive.STRIDE_SPEED] == 0.0
    ahead_row[:] = row
    strike, off = drive.STRIKE_OFF + 2 * leg, drive.STRIKE_OFF + 2 * leg + 1
    least, most = step, LONGEST_VIEW
    if standing:
        least = SETTLE_STEP
    elif (
        not lifts
    ):  # no haste when the plan changes; a foot that should stand already goes on as planned before
        left = foot[plants.DURATION] - foot[plants.ELAPSED]
        least = left if early else min(left, LEAST_WAY)
        most = max(left, LONGEST_SWING)
    frames, changed = 0, False
    while (frames + 1) * step < most:
        there = ahead_row[drive.CYCLES] >= lands + ahead_row[strike]
        stands = frames > 0 and ahead_row[drive.STRIDE_SPEED] == 0.0
        if (there or stands) and (frames + 1) * step >= least - 1e-9:
            break
        changed |= _go_on(ahead_row, step, model.timing, model.numbers)
        frames += 1
    duration = (frames + 1) * step
    _look(leg, cached, model, ghost, changed)
    plants.foresee(foot, _foot_of(leg, ahead_row, model, ghost.frame), ahead_row[drive.LEG] / drive.LEG_SHARE)
    hip, landing = vector(ghost.frame.positions[model.legs[leg, 0]]), ahead_row[drive.CYCLES]
    changed |= _go_on(ahead_row, step, model.timing, model.numbers)
    _look(leg, cached, model, ghost, changed)
    after, size_after = _foot_of(leg, ahead_row, model, ghost.frame), ahead_row[drive.LEG] / drive.LEG_SHARE

    foot[plants.COUNT] = lands
    # A foot that is about to land keeps its place.
    if not lifts and duration < COMMITTED:
        plants.begin_way(foot, duration)
        foot[plants.ARCH] = foot[plants.BACK] = foot[plants.BACK + 1] = 0.0
        plants.aim(foot, model.sole)
        plants.aim_rate(foot, after, size_after, step, model.sole)
        return
    frames = 0
    while frames * step < LONGEST_VIEW and ahead_row[drive.STRIDE_SPEED] > 0.0:
        if ahead_row[drive.CYCLES] >= lands + ahead_row[strike] + MIDDLE * (
            ahead_row[off] - ahead_row[strike]
        ):
            break
        changed |= _go_on(ahead_row, step, model.timing, model.numbers)
        frames += 1
    if frames > 0:
        _look(leg, cached, model, ghost, changed)
    seen = _foot_of(leg, ahead_row, model, ghost.frame)
    size = ahead_row[drive.LEG] / drive.LEG_SHARE
    plants.level(foot, seen, size, model.sole)
    foot[plants.MIDDLE] = ahead_row[drive.CYCLES]
    side = 1.0 if leg == 0 else -1.0
    outwards = side * row[drive.TOE_OUT + leg]
    x, z, yaw = _flat_ball(seen, outwards, size, model.sole)
    aside = row[drive.WIDER] + _apart(leg, x, z, yaw, side, size, feet, model.sole)
    x += side * aside * math.cos(ahead_row[drive.YAW])
    z -= side * aside * math.sin(ahead_row[drive.YAW])
    place, flat, piece, overhangs = foothold(x, z, yaw, size, model.sole, 0.0, pieces, grid, raster)
    held = carrier(feet)
    if piece == held:
        plants.put(foot, place, flat, piece, 0.0, pieces)
    else:
        # From one piece of ground to another: until the landing both go their ways.
        vx, _, vz = velocity_of(held, row[drive.X], row[drive.Z], pieces)
        x, z = x + duration * vx, z + duration * vz
        place, flat, piece, overhangs = foothold(x, z, yaw, size, model.sole, duration, pieces, grid, raster)
        plants.put(foot, place, flat, piece, duration, pieces)
        plants.follow(foot, pieces)
    foot[plants.OVERHANGS] = overhangs
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
    under, _ = _wanted_ground(landing, feet)
    end = add(vector(foot[plants.ARRIVAL :]), vector(foot[plants.AIM : plants.AIM + 3]))
    over_ground = hip[0], hip[1] + under - row[drive.Y], hip[2]
    foot[plants.SINK] = _needed_sink(over_ground, end, row[drive.LEG])
    _hold_back(foot, size)
    foot[plants.ARCH] = SETTLE_ARCH * size if standing else 0.0
    if grid.size > 1 or pieces.shape[0] > 0:
        arch = _arch(leg, row, foot, step, cached, model, ghost, pieces, grid, raster)
        foot[plants.ARCH] += arch * _unhurried(foot)
        for i in range(7):
            foot[plants.OFFSET + i] = foot[plants.START + i]


@inline
def _unhurried(foot: Floats) -> float:
    """How much of a detour there is time for."""
    return smooth_step((foot[plants.DURATION] - COMMITTED) / DETOUR)


@inline
def _hold_back(foot: Floats, size: float) -> None:
    """A foot on its way up a step goes up before it goes ahead."""
    start, end = foot[plants.START : plants.START + 3], foot[plants.AIM : plants.AIM + 3]
    up = smooth_step((end[1] - start[1]) / (FULL_STEP_UP * size)) * _unhurried(foot)
    flat = quaternion(foot[plants.FLAT : plants.FLAT + 4])
    ahead = rotate(flat, (0.0, 0.0, 1.0))
    foot[plants.BACK], foot[plants.BACK + 1] = (
        STEP_BACK * size * up * ahead[0],
        STEP_BACK * size * up * ahead[2],
    )


@part
def _arch(
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
) -> float:
    """How high a foot must arch over its way to step over the ground between."""
    ghost.row[:] = row
    frames = int(foot[plants.DURATION] / step + 0.5) - 1
    changed, done, arch = False, 0, 0.0
    for look in range(1, LOOKS):
        until = look * frames // LOOKS
        while done < until:
            changed |= _go_on(ghost.row, step, model.timing, model.numbers)
            done += 1
        _look(leg, cached, model, ghost, changed)
        pose = plants.offset_pose(foot, _foot_of(leg, ghost.row, model, ghost.frame), (done + 1) * step)
        over = plants.bump((done + 1) * step / foot[plants.DURATION])
        size = ghost.row[drive.LEG] / drive.LEG_SHARE
        for point in range(3):
            at = _sole_point(point, pose, size, model.sole)
            # Between two looks the foot goes on: what is a little behind the heel or ahead of the toes counts, too.
            more = SPARE * size * (point - 1)
            forward = rotate(pose.turn, (0.0, 0.0, 1.0))
            x, z = at[0] + more * forward[0], at[2] + more * forward[2]
            under, _ = height(x, z, 0.0, pieces, grid, raster)
            if over > LEAST_BUMP:
                arch = max(arch, (under + STEP_OVER * size * over - at[1]) / over)
    highest: float = HIGHEST_ARCH * row[drive.LEG]
    return min(arch, highest)


@inline
def _sole_point(point: int, pose: plants.Pose, size: float, sole: Floats) -> Vector:
    """Heel, ball or tip of the toes of a foot in the world."""
    at = add(pose.ankle, rotate(pose.turn, scale(vector(sole[min(point, 1)]), size)))
    if point == 2:
        bend = math.cos(0.5 * pose.toes), -math.sin(0.5 * pose.toes), 0.0, 0.0
        at = add(at, rotate(multiply(pose.turn, bend), scale(vector(sole[2]), size)))
    return at


@inline
def _foot_of(leg: int, row: Floats, model: Model, frame: Frame) -> plants.Source:
    """The foot of a leg in a frame, before it is held."""
    ankle, ball = model.legs[leg, 2], model.legs[leg, 3]
    return plants.source_of(frame.positions[ankle], frame.world[ankle], frame.rotations[ball], row[drive.Y])


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
        factors[:] = cached[: factors.shape[0]]
    ghost.row[drive.HELD] = -1.0
    pose_leg(leg, ghost.row, ghost.cached, model, ghost.frame)


@inline
def _clear(
    foot: Floats,
    pose: plants.Pose,
    size: float,
    sole: Floats,
    pieces: Floats,
    grid: Floats,
    raster: Floats,
) -> plants.Pose:
    """The pose of a swinging foot, lifted as far as it takes to keep sole and toes off the ground."""
    heel, ball = _sole_point(0, pose, size, sole), _sole_point(1, pose, size, sole)
    under_heel, _ = height(heel[0], heel[2], 0.0, pieces, grid, raster)
    under_ball, _ = height(ball[0], ball[2], 0.0, pieces, grid, raster)
    clear = foot[plants.CLEARANCE] * foot[plants.RAISED]
    if grid.size > 1 or pieces.shape[0] > 0:
        clear = 0.0  # the arch of the way keeps clear of the ground; here may be the edge of a step
    soft = clear + 1e-4
    low = -soft_max(under_heel - heel[1], under_ball - ball[1], soft)
    lift = soft_max(clear - low, 0.0, soft)
    ahead = rotate(pose.turn, (0.0, 0.0, size * sole[2, 2]))
    under_tip, _ = height(ball[0] + ahead[0], ball[2] + ahead[2], 0.0, pieces, grid, raster)
    over = ball[1] + lift - under_tip
    # The tip of the toes is at length * (cos(bend) forward + sin(bend) up) from the ball.
    forward, up = rotate(pose.turn, (0.0, 0.0, 1.0))[1], rotate(pose.turn, (0.0, 1.0, 0.0))[1]
    steepest = size * sole[2, 2] * math.sqrt(forward * forward + up * up)
    least = -math.asin(max(-1.0, min(1.0, over / steepest))) - math.atan2(forward, up)
    toes = soft_max(pose.toes, least, SOFT_TOES * clear / (CLEARANCE * size) + 1e-4)
    ankle = pose.ankle[0], pose.ankle[1] + lift, pose.ankle[2]
    return plants.Pose(ankle, pose.turn, toes, 0.0, 0.0)


@inline
def _ground_at(cycles: float, feet: Floats) -> tuple[float, float]:
    """The height of the ground at a count of cycles, and its change a cycle: straight from one stance to the next."""
    before, after = -math.inf, math.inf
    low = high = 0.0
    for leg in range(feet.shape[0]):
        for last in range(2):
            middle = feet[leg, plants.LAST_MIDDLE if last else plants.MIDDLE]
            y = feet[leg, plants.GOAL + 1] - feet[leg, plants.LEVEL_HEIGHT]
            if last:
                y = feet[leg, plants.LAST_HEIGHT]
            if before < middle <= cycles:
                before, low = middle, y
            elif cycles < middle < after:
                after, high = middle, y
    if after == math.inf:
        return low, 0.0
    if before == -math.inf:
        return high, 0.0
    rate = (high - low) / (after - before)
    return low + (cycles - before) * rate, rate


@inline
def _wanted_ground(cycles: float, feet: Floats) -> tuple[float, float]:
    """The height that the body should go by, and its change a cycle: downhill it sinks ahead of its feet."""
    here, rate = _ground_at(cycles, feet)
    ahead, rate_ahead = _ground_at(cycles + AHEAD_DOWNHILL, feet)
    return (here, rate) if here <= ahead else (ahead, rate_ahead)


@inline
def _ground_height(row: Floats, feet: Floats, dt: float) -> float:
    """The height that the body goes by."""
    wanted, rate = _wanted_ground(row[drive.CYCLES], feet)
    # The wish is that of the end of the frame.
    rate *= row[drive.PACE]
    row[drive.GROUND], row[drive.GROUND_RATE] = spring(
        row[drive.GROUND], row[drive.GROUND_RATE], wanted - rate * dt, rate, GROUND_EAGERNESS, dt
    )
    height_now: float = row[drive.GROUND]
    return height_now


@inline
def _tilt(row: Floats, dt: float, frame: Frame) -> None:
    """Lean the trunk into a slope, about the pelvis."""
    slope = math.atan2(row[drive.GROUND_RATE], max(row[drive.SPEED], SLOWEST_CLIMB))
    wanted = (UPHILL if slope > 0.0 else DOWNHILL) * slope
    row[drive.TILT] += (wanted - row[drive.TILT]) * min(1.0, dt / TILT_TIME)
    tilt = row[drive.TILT]
    if abs(tilt) < LEAST_TILT:
        return
    side = math.sin(0.5 * tilt)
    turn = math.cos(0.5 * tilt), side * math.cos(row[drive.YAW]), 0.0, -side * math.sin(row[drive.YAW])
    positions, world = frame.positions, frame.world
    centre = vector(positions[0])
    for j in range(positions.shape[0]):
        at = add(centre, rotate(turn, subtract(vector(positions[j]), centre)))
        positions[j, 0], positions[j, 1], positions[j, 2] = at
        store(world[j], multiply(turn, quaternion(world[j])))
    store(frame.rotations[0], canonical(multiply(turn, quaternion(frame.rotations[0]))))


@inline
def _needed_sink(hip: Vector, ankle: Vector, length: float) -> float:
    """How far a hip must sink for the ankle to be in reach of a leg."""
    straight = STRETCH * length
    across = (hip[0] - ankle[0]) ** 2 + (hip[2] - ankle[2]) ** 2
    needed = hip[1] - ankle[1] - math.sqrt(max(straight * straight - across, 0.0))
    return soft_max(needed, 0.0, SOFT_SINK * length)


@inline
def _sink(
    rise: float, row: Floats, feet: Floats, aims: Floats, dt: float, model: Model, frame: Frame
) -> float:
    """How far the body sinks for its legs to reach the feet that stand, and in time those that are to land."""
    length = row[drive.LEG]
    sink = ahead = 0.0
    for leg in range(aims.shape[0]):
        foot = feet[leg]
        stands = 1.0 - foot[plants.RAISED]
        hip = frame.positions[model.legs[leg, 0]]
        needed = _needed_sink((hip[0], hip[1] + rise, hip[2]), vector(aims[leg, :3]), length)
        sink = soft_max(sink, stands * needed, 0.25 * SOFT_SINK * length)
        if foot[plants.STATE] == SWINGING:
            left = foot[plants.DURATION] - foot[plants.ELAPSED]
            grown = smooth_step((SINK_AHEAD - left) / (SINK_AHEAD - SINK_DONE))
            ahead = max(ahead, grown * foot[plants.SINK])
    row[drive.SINK], row[drive.SINK_RATE] = spring(
        row[drive.SINK], row[drive.SINK_RATE], ahead, 0.0, SINK_EAGERNESS, dt
    )
    return soft_max(sink, row[drive.SINK], 0.25 * SOFT_SINK * length)


@inline
def _reach(leg: int, foot: Floats, aim: Floats, model: Model, frame: Frame, size: float) -> None:
    """Turn the joints of a leg so that its foot comes to its aim."""
    hip, knee, ankle, ball = model.legs[leg, 0], model.legs[leg, 1], model.legs[leg, 2], model.legs[leg, 3]
    positions, world, rotations = frame.positions, frame.world, frame.rotations
    top = vector(positions[hip])
    # The knee points where the source has it, and half as far round as the foot is turned against the source.
    pole = rotate(
        about_up(KNEE_SHARE * foot[plants.OFFSET + 4]), rotate(quaternion(world[hip]), (0.0, 0.0, 1.0))
    )
    thigh, shank = -size * float(model.joints[5, knee]), -size * float(model.joints[5, ankle])
    softness = SOFTNESS + SWING_SOFTNESS * foot[plants.RAISED]
    goal = subtract(vector(aim[:3]), top)
    # A swinging foot stays well below its hip: a leg folded flat has no side on which its knee is.
    least = LEAST_DROP * (thigh + shank) * foot[plants.RAISED]
    goal = goal[0], -soft_max(-goal[1], least, SOFT_DROP * (thigh + shank)), goal[2]
    upper, lower, middle, end = hinge_limb(thigh, shank, goal, pole, softness)
    foot_turn = quaternion(aim[TURN : TURN + 4])
    parent = int(model.joints[7, hip])
    store(rotations[hip], canonical(multiply(conjugate(quaternion(world[parent])), upper)))
    store(rotations[knee], canonical(multiply(conjugate(upper), lower)))
    store(rotations[ankle], canonical(multiply(conjugate(lower), foot_turn)))
    end = add(top, end)
    positions[knee, 0], positions[knee, 1], positions[knee, 2] = add(top, middle)
    positions[ankle, 0], positions[ankle, 1], positions[ankle, 2] = end
    tip = add(end, rotate(foot_turn, scale(vector(model.sole[1]), size)))
    positions[ball, 0], positions[ball, 1], positions[ball, 2] = tip
