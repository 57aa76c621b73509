"""What pelvis, trunk and legs do for the feet: go by the ground, sink, lean, reach."""

from __future__ import annotations

import math

from locomote.human._kernels.cycle_pose import PoseBuffers
from locomote.human._kernels.model import LEG_SHARE, Model
from locomote.human._kernels.state import SWINGING, UNDER_WAY, Foot, Walker
from locomote.human.jumps._kernels import jump as leap
from locomote.math._compile import inline, part
from locomote.math.constants import GRAVITY
from locomote.math.quaternion import about_up, canonical, conjugate, multiply, quaternion, rotate, store
from locomote.math.records import Records
from locomote.math.two_bone import hinge_limb
from locomote.math.vector import Floats, Vector, add, scale, smooth_step, soft_max, spring, subtract, vector

STRETCH = 0.998  # of its length; the body sinks before a standing leg is pulled straighter
SOFT_SINK = (0.012, 0.03)  # of a leg, over which a body that walks, or runs, begins to sink;
FAST_CLIMB = 0.6  # m/s, up which one that walks does as if it ran: its knees are bent and stretch fast
SOFTNESS = 0.002  # of its length, over which a leg that stands eases into full stretch
SWING_SOFTNESS = 0.02  # more of it for a leg that swings
HELD_SOFTNESS = 0.4  # and for each hip height by which its foot is held back
LEAST_DROP = 0.3  # of a leg, from the hip down to the ankle of a swinging foot
SOFT_DROP = 0.1  # of a leg, over which it is kept
KNEE_SHARE = 0.5  # of the turn of the foot against the body that the knee takes part in
LEAST_LANDING_BEND = 0.025  # of a leg; a short hop is hurried rather than a fall
HIGH_JUMP = 0.18  # hip heights under the feet, from which on, and up to twice as much,
STIFFER = 0.7  # of that bend is given up
SOFTER = 0.95  # of that, over which a leg in flight eases into full stretch
SOFT_FROM = 0.6  # of a flight, at which it does so fully
FIRST_TO_LAND = 1.3  # of a flight, until which a foot that lands ends it
AHEAD_DOWNHILL = 0.22  # cycles
SINK_AHEAD, SINK_DONE = 0.5, 0.14  # s before a landing, between which the body sinks for it
SINK_EAGERNESS = 20.0  # 1/s, with which it does
LANDED_EAGERNESS = 14.0  # 1/s, with which it comes up again after a jump
# Of a leg, by which it is shorter at the landing of a jump, for each sqrt(gravity * hip height) of the speed of the
# fall: at full stretch a knee would have to give way at once.
LANDING_BEND = 0.085
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
def _ground_at(cycles: float, feet: Records) -> tuple[float, float]:
    """The height of the ground at a count of cycles, and its change a cycle: straight from one stance to the next."""
    before, after = -math.inf, math.inf
    low = high = 0.0
    for leg in range(feet.shape[0]):
        for last in range(2):
            foot: Foot = feet[leg]
            middle = foot.last_middle if last else foot.middle
            y = foot.last_height if last else foot.goal[1] - foot.level_height
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
def wanted_ground(cycles: float, feet: Records) -> tuple[float, float]:
    """The height that the body should go by, and its change a cycle: downhill it sinks ahead of its feet."""
    here, rate = _ground_at(cycles, feet)
    ahead, rate_ahead = _ground_at(cycles + AHEAD_DOWNHILL, feet)
    return (here, rate) if here <= ahead else (ahead, rate_ahead)


@inline
def ground_height(row: Walker, feet: Records, dt: float) -> float:
    """The height that the body goes by."""
    wanted, rate = wanted_ground(row.cycles, feet)
    # The wish is that of the end of the frame.
    rate *= row.pace
    row.ground, row.ground_rate = spring(row.ground, row.ground_rate, wanted - rate * dt, rate, GROUND_EAGERNESS, dt)
    height_now: float = row.ground
    return height_now


@inline
def tilt(row: Walker, dt: float, frame: PoseBuffers) -> None:
    """Lean the trunk into a slope, about the pelvis."""
    slope = math.atan2(row.ground_rate, max(row.speed.value, SLOWEST_CLIMB))
    wanted = (UPHILL if slope > 0.0 else DOWNHILL) * slope
    row.tilt += (wanted - row.tilt) * min(1.0, dt / TILT_TIME)
    tilt = row.tilt
    if abs(tilt) < LEAST_TILT:
        return
    side = math.sin(0.5 * tilt)
    turn = math.cos(0.5 * tilt), side * math.cos(row.yaw), 0.0, -side * math.sin(row.yaw)
    positions, world = frame.positions, frame.world
    centre = vector(positions[0])
    for j in range(positions.shape[0]):
        at = add(centre, rotate(turn, subtract(vector(positions[j]), centre)))
        positions[j, 0], positions[j, 1], positions[j, 2] = at
        store(world[j], multiply(turn, quaternion(world[j])))
    store(frame.rotations[0], canonical(multiply(turn, quaternion(frame.rotations[0]))))


@inline
def soft_sink(row: Walker) -> float:
    """Metres over which a body begins to sink: who walks has straight knees that leave little room for that."""
    climbs = smooth_step(row.ground_rate / FAST_CLIMB)
    soft: float = row.leg.value * (SOFT_SINK[0] + max(row.run.value, climbs) * (SOFT_SINK[1] - SOFT_SINK[0]))
    return soft


@inline
def needed_sink(hip: Vector, ankle: Vector, length: float, soft: float, stretch: float = STRETCH) -> float:
    """How far a hip must sink for the ankle to be in reach of a leg that is stretched so far."""
    straight = stretch * length
    across = (hip[0] - ankle[0]) ** 2 + (hip[2] - ankle[2]) ** 2
    needed = hip[1] - ankle[1] - math.sqrt(max(straight * straight - across, 0.0))
    return soft_max(needed, 0.0, soft)


@inline
def landing_stretch(row: Walker) -> float:
    """How far a leg is stretched at most when it lands, of a body at the moment of the landing."""
    jump = row.jump
    if jump.state != UNDER_WAY or not jump.launched or leap.flown(jump) > FIRST_TO_LAND:
        return STRETCH
    return STRETCH - _landing_bend(row)


@inline
def _landing_bend(row: Walker) -> float:
    """How much shorter than at full stretch, in its lengths, a leg is that lands from a jump."""
    jump = row.jump
    size = row.leg.value / LEG_SHARE
    bend = LANDING_BEND * leap.fall_at_landing(jump, GRAVITY) / math.sqrt(GRAVITY * size)
    # Over something high the other leg is folded as far as it can be: the body must not sink onto it.
    high = smooth_step((jump.clear / size - HIGH_JUMP) / HIGH_JUMP)
    return (1.0 - STIFFER * high) * max(LEAST_LANDING_BEND, bend)


@part
def flight_softness(row: Walker) -> float:
    """Of its length, over which a leg in flight eases into full stretch.

    Off the ground it is at once as soft as one that swings, or its knee would snap straight; at touch-down it is no
    longer than it lands.
    """
    jump = row.jump
    if not leap.flies(jump):
        return 0.0
    lands = smooth_step(leap.flown(jump) / SOFT_FROM)
    return max((1.0 - lands) * SWING_SOFTNESS, lands * SOFTER * _landing_bend(row))


@part
def _fly(row: Walker, feet: Records) -> float:
    """How far a body in flight has sunk: evenly to what the landing needs, so that its path stays a parabola."""
    jump = row.jump
    needed = 0.0
    for leg in range(feet.shape[0]):
        if leg != jump.leg:
            needed = max(needed, feet[leg].sink)
    way = needed - jump.sunk
    sunk: float = jump.sunk + leap.flown(jump) * way
    row.sink, row.sink_rate = sunk, way / jump.flight
    return sunk


@inline
def sink(rise: float, row: Walker, feet: Records, aims: Floats, dt: float, model: Model, frame: PoseBuffers) -> float:
    """How far the body sinks for its legs to reach the feet that stand, and in time those that are to land."""
    if leap.flies(row.jump):
        return _fly(row, feet)
    length, soft = row.leg.value, soft_sink(row)
    sink = ahead = 0.0
    for leg in range(aims.shape[0]):
        foot: Foot = feet[leg]
        stands = 1.0 - foot.raised
        hip = frame.positions[model.legs[leg, 0]]
        needed = needed_sink((hip[0], hip[1] + rise, hip[2]), vector(aims[leg, :3]), length, soft)
        sink = soft_max(sink, stands * needed, 0.25 * soft)
        if foot.state == SWINGING:
            left = foot.duration - foot.elapsed
            grown = smooth_step((SINK_AHEAD - left) / (SINK_AHEAD - SINK_DONE))
            ahead = max(ahead, grown * foot.sink)
    before = row.sink
    eagerness = LANDED_EAGERNESS if leap.lands(row.jump) else SINK_EAGERNESS
    row.sink, row.sink_rate = spring(row.sink, row.sink_rate, ahead, 0.0, eagerness, dt)
    if sink > row.sink:
        # Pulled down by a leg it comes up again only by and by.
        rate = (sink - before) / dt if dt > 0.0 else 0.0
        row.sink, row.sink_rate = sink, min(rate, FASTEST_SINK)
    sunk = soft_max(sink, row.sink, 0.25 * soft)
    row.jump.sunk = sunk
    return sunk


@inline
def reach_aim(leg: int, foot: Foot, aim: Floats, model: Model, frame: PoseBuffers, size: float, softer: float) -> None:
    """Turn the joints of a leg so that its foot comes to its aim; ``softer`` is that of `flight_softness`."""
    hip, knee, ankle, ball = model.legs[leg, 0], model.legs[leg, 1], model.legs[leg, 2], model.legs[leg, 3]
    positions, world, rotations = frame.positions, frame.world, frame.rotations
    top = vector(positions[hip])
    # The knee points where the source has it, and half as far round as the foot is turned against the source.
    pole = rotate(about_up(KNEE_SHARE * foot.offset[4]), rotate(quaternion(world[hip]), (0.0, 0.0, 1.0)))
    thigh, shank = -size * float(model.joints[5, knee]), -size * float(model.joints[5, ankle])
    goal = subtract(vector(aim[:3]), top)
    # A swinging foot stays well below its hip: a leg folded flat has no side on which its knee is.
    least = LEAST_DROP * (thigh + shank) * foot.raised
    goal = goal[0], -soft_max(-goal[1], least, SOFT_DROP * (thigh + shank)), goal[2]
    # One that is held back on its way up a step would stay straight behind the body and then fold at once.
    held = math.hypot(foot.back[0], foot.back[1]) / size
    softness = max(SOFTNESS + (SWING_SOFTNESS + HELD_SOFTNESS * held) * foot.raised, softer)
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
