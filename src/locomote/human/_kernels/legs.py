"""What pelvis, trunk and legs do for the feet: go by the ground, sink, lean, reach."""

from __future__ import annotations

import math

from locomote.human._kernels import drive
from locomote.human._kernels import footplants as plants
from locomote.human._kernels.cycle_pose import PoseBuffers
from locomote.human._kernels.footplants import SWINGING
from locomote.human._kernels.pose import Model
from locomote.human.jumps._kernels import jump as leap
from locomote.math._compile import inline, part
from locomote.math.quaternion import about_up, canonical, conjugate, multiply, quaternion, rotate, store
from locomote.math.two_bone import hinge_limb
from locomote.math.vector import Floats, Vector, add, scale, smooth_step, soft_max, spring, subtract, vector

STRETCH = 0.998  # of its length; the body sinks before a standing leg is pulled straighter
SOFT_SINK = 0.03  # of a leg, over which it begins to sink
SOFTNESS = 0.002  # of its length, over which a leg that stands eases into full stretch
SWING_SOFTNESS = 0.025  # more of it for a leg that swings
LEAST_DROP = 0.3  # of a leg, from the hip down to the ankle of a swinging foot
SOFT_DROP = 0.1  # of a leg, over which it is kept
KNEE_SHARE = 0.5  # of the turn of the foot against the body that the knee takes part in
LEAST_LANDING_BEND = 0.025  # of a leg; a short hop is hurried rather than a fall
HIGH_JUMP = 0.18  # hip heights under the feet, from which on, and up to twice as much,
STIFFER = 0.7  # of that bend is given up
SOFTER = 0.95  # of that, over which a leg in flight eases into full stretch
SOFT_FROM = 0.6  # of a flight, at which it does so fully
FIRST_TO_LAND = 1.3  # of a flight, until which a foot that lands ends it
AHEAD_DOWNHILL = 0.13  # cycles
SINK_AHEAD, SINK_DONE = 0.5, 0.14  # s before a landing, between which the body sinks for it
SINK_EAGERNESS = 20.0  # 1/s, with which it does
LANDED_EAGERNESS = 14.0  # 1/s, with which it comes up again after a jump
# Of a leg, by which it is shorter at the landing of a jump, for each sqrt(gravity * hip height) of the speed of the
# fall: at full stretch a knee would have to give way at once.
LANDING_BEND = 0.075
FASTEST_SINK = 1.0  # m/s, that goes on when a leg pulls the body down
GROUND_EAGERNESS = 11.0  # 1/s, of the height of the body towards that of the ground
UPHILL, DOWNHILL = 0.35, 0.12  # of the slope, by which the trunk leans forwards or back
SLOWEST_CLIMB = 0.4  # m/s, below which the slope under the feet is not taken for a slope
TILT_TIME = 0.25  # s in which the trunk follows
LEAST_TILT = 1e-4  # rad

# Columns of an aim: what a leg is to reach in this frame.
TURN = 3  # after the ankle (3), the rotation of the foot (4)
AIM_COLUMNS = 7


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
def wanted_ground(cycles: float, feet: Floats) -> tuple[float, float]:
    """The height that the body should go by, and its change a cycle: downhill it sinks ahead of its feet."""
    here, rate = _ground_at(cycles, feet)
    ahead, rate_ahead = _ground_at(cycles + AHEAD_DOWNHILL, feet)
    return (here, rate) if here <= ahead else (ahead, rate_ahead)


@inline
def ground_height(row: Floats, feet: Floats, dt: float) -> float:
    """The height that the body goes by."""
    wanted, rate = wanted_ground(row[drive.CYCLES], feet)
    # The wish is that of the end of the frame.
    rate *= row[drive.PACE]
    row[drive.GROUND], row[drive.GROUND_RATE] = spring(
        row[drive.GROUND], row[drive.GROUND_RATE], wanted - rate * dt, rate, GROUND_EAGERNESS, dt
    )
    height_now: float = row[drive.GROUND]
    return height_now


@inline
def tilt(row: Floats, dt: float, frame: PoseBuffers) -> None:
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
def needed_sink(hip: Vector, ankle: Vector, length: float, stretch: float = STRETCH) -> float:
    """How far a hip must sink for the ankle to be in reach of a leg that is stretched so far."""
    straight = stretch * length
    across = (hip[0] - ankle[0]) ** 2 + (hip[2] - ankle[2]) ** 2
    needed = hip[1] - ankle[1] - math.sqrt(max(straight * straight - across, 0.0))
    return soft_max(needed, 0.0, SOFT_SINK * length)


@inline
def landing_stretch(row: Floats) -> float:
    """How far a leg is stretched at most when it lands, of a body at the moment of the landing."""
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    if jump[leap.STATE] != leap.UNDER_WAY or jump[leap.LAUNCHED] == 0.0 or leap.flown(jump) > FIRST_TO_LAND:
        return STRETCH
    return STRETCH - _landing_bend(row)


@inline
def _landing_bend(row: Floats) -> float:
    """How much shorter than at full stretch, in its lengths, a leg is that lands from a jump."""
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    size = row[drive.LEG] / drive.LEG_SHARE
    bend = LANDING_BEND * leap.fall_at_landing(jump, drive.GRAVITY) / math.sqrt(drive.GRAVITY * size)
    # Over something high the other leg is folded as far as it can be: the body must not sink onto it.
    high = smooth_step((jump[leap.CLEAR] / size - HIGH_JUMP) / HIGH_JUMP)
    return (1.0 - STIFFER * high) * max(LEAST_LANDING_BEND, bend)


@part
def flight_softness(row: Floats) -> float:
    """Of its length, over which a leg in flight eases into full stretch.

    Off the ground it is at once as soft as one that swings, or its knee would snap straight; at touch-down it is no
    longer than it lands.
    """
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    if not leap.flies(jump):
        return 0.0
    lands = smooth_step(leap.flown(jump) / SOFT_FROM)
    return max((1.0 - lands) * SWING_SOFTNESS, lands * SOFTER * _landing_bend(row))


@part
def _fly(row: Floats, feet: Floats) -> float:
    """How far a body in flight has sunk: evenly to what the landing needs, so that its path stays a parabola."""
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    needed = 0.0
    for leg in range(feet.shape[0]):
        if leg != int(jump[leap.LEG]):
            needed = max(needed, feet[leg, plants.SINK])
    way = needed - jump[leap.SUNK]
    sunk: float = jump[leap.SUNK] + leap.flown(jump) * way
    row[drive.SINK], row[drive.SINK_RATE] = sunk, way / jump[leap.FLIGHT]
    return sunk


@inline
def sink(rise: float, row: Floats, feet: Floats, aims: Floats, dt: float, model: Model, frame: PoseBuffers) -> float:
    """How far the body sinks for its legs to reach the feet that stand, and in time those that are to land."""
    if leap.flies(row[drive.JUMP : drive.JUMP + leap.COLUMNS]):
        return _fly(row, feet)
    length = row[drive.LEG]
    sink = ahead = 0.0
    for leg in range(aims.shape[0]):
        foot = feet[leg]
        stands = 1.0 - foot[plants.RAISED]
        hip = frame.positions[model.legs[leg, 0]]
        needed = needed_sink((hip[0], hip[1] + rise, hip[2]), vector(aims[leg, :3]), length)
        sink = soft_max(sink, stands * needed, 0.25 * SOFT_SINK * length)
        if foot[plants.STATE] == SWINGING:
            left = foot[plants.DURATION] - foot[plants.ELAPSED]
            grown = smooth_step((SINK_AHEAD - left) / (SINK_AHEAD - SINK_DONE))
            ahead = max(ahead, grown * foot[plants.SINK])
    before = row[drive.SINK]
    eagerness = LANDED_EAGERNESS if leap.lands(row[drive.JUMP : drive.JUMP + leap.COLUMNS]) else SINK_EAGERNESS
    row[drive.SINK], row[drive.SINK_RATE] = spring(row[drive.SINK], row[drive.SINK_RATE], ahead, 0.0, eagerness, dt)
    if sink > row[drive.SINK]:
        # Pulled down by a leg it comes up again only by and by.
        rate = (sink - before) / dt if dt > 0.0 else 0.0
        row[drive.SINK], row[drive.SINK_RATE] = sink, min(rate, FASTEST_SINK)
    sunk = soft_max(sink, row[drive.SINK], 0.25 * SOFT_SINK * length)
    row[drive.JUMP + leap.SUNK] = sunk
    return sunk


@inline
def reach_aim(
    leg: int, foot: Floats, aim: Floats, model: Model, frame: PoseBuffers, size: float, softer: float
) -> None:
    """Turn the joints of a leg so that its foot comes to its aim; ``softer`` is that of `flight_softness`."""
    hip, knee, ankle, ball = model.legs[leg, 0], model.legs[leg, 1], model.legs[leg, 2], model.legs[leg, 3]
    positions, world, rotations = frame.positions, frame.world, frame.rotations
    top = vector(positions[hip])
    # The knee points where the source has it, and half as far round as the foot is turned against the source.
    pole = rotate(about_up(KNEE_SHARE * foot[plants.OFFSET + 4]), rotate(quaternion(world[hip]), (0.0, 0.0, 1.0)))
    thigh, shank = -size * float(model.joints[5, knee]), -size * float(model.joints[5, ankle])
    goal = subtract(vector(aim[:3]), top)
    # A swinging foot stays well below its hip: a leg folded flat has no side on which its knee is.
    least = LEAST_DROP * (thigh + shank) * foot[plants.RAISED]
    goal = goal[0], -soft_max(-goal[1], least, SOFT_DROP * (thigh + shank)), goal[2]
    softness = max(SOFTNESS + SWING_SOFTNESS * foot[plants.RAISED], softer)
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
