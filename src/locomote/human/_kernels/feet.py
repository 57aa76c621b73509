"""The feet of a walking person from frame to frame: when they stand, lift, swing and land."""

from __future__ import annotations

import math

from locomote.human._kernels import footplants as plants
from locomote.human._kernels.cycle_pose import PoseBuffers
from locomote.human._kernels.foothold import foothold
from locomote.human._kernels.legs import (
    STRETCH,
    TURN,
    flight_softness,
    ground_height,
    reach_aim,
    sink,
    tilt,
    wanted_ground,
)
from locomote.human._kernels.model import LEG_SHARE, Model
from locomote.human._kernels.moving_ground import put
from locomote.human._kernels.next_step import COMMITTED, LEAST_WAY, Swing, plan_step
from locomote.human._kernels.scratch import Scratch
from locomote.human._kernels.stance import (
    MIDDLE,
    at_rest,
    flat_ball,
    foot_of,
    on_the_spot,
    stance_of,
)
from locomote.human._kernels.standing_foot import Reach, stand
from locomote.human._kernels.state import NEW, NO_JUMP, PLANTED, SWINGING, Foot, People, Ramp, Walker
from locomote.human._kernels.swing_clearance import CLEARANCE, clear_ground
from locomote.human.jumps._kernels import jump as leap
from locomote.math._compile import inline, part
from locomote.math.quaternion import rotate, store
from locomote.math.records import Records
from locomote.math.vector import Floats, norm, scale, smooth_step, subtract, vector
from locomote.world._kernels.ground import Terrain, height

ROLL = 0.1  # cycles after the middle of the stance, in which the foot begins to roll over its toes
ROLL_RATE = 10.0  # 1/s, at most
REST_RATE = 3.0  # 1/s, at which the heel of a body that has come to rest comes down
MOST_STRAIN = 0.02  # hip heights by which a foot may be out of reach late in its stance before it lifts early
TORN = 0.2  # hip heights, the same if no other foot stands
STRAIN_FROM = 0.6  # of the stance
STRAINING = 0.45  # of the way of the body, by which a leg behind it is strained further
PATIENCE = 0.05  # s for which a foot holds on to a plan although commands change it
ASTRAY = 0.008  # m by which a foot may come down beside its plan before it plans anew
TURN_ASTRAY = 0.3  # m that count for each radian of that
ALIKE_RATE = 6.0  # 1/s, at which knees of a leg that stands begin to do as those of the source
ALIKE_CLIMB = 0.25  # m/s up or down, at which they do not
LEAST_STAND = 0.1  # s between landing and lift-off
RAISING = 0.18  # s after lift-off and before landing, in which a foot comes free of the ground
RAISE_RATE = 10.0  # 1/s, at most
TURN_CLEARANCE = 0.035  # hip heights more when turning on the spot, and up to 0.6 of it in a curve
FAST_TURN = 2.5  # rad/s, in a curve, that counts as much as turning on the spot
SETTLE_AWAY = 0.07  # hip heights, and
SETTLE_TURN = 0.3  # rad, off the source from which a foot of a standing body takes a step
SETTLE_AFTER = 0.15  # s


# What a foot does in a frame, and what the frame brought so far; it outlives a launch on a GPU (`human/_cuda`).
BEGINS, LIFTS, PLANS = 1, 2, 4  # its state is its first one; it leaves the ground; its step is to be planned
ANEW, BEGUN = 8, 16  # a command changed the course; a foot began


@part
def hold_feet(
    n: int, dt: float, people: People, model: Model, terrain: Terrain, frame: PoseBuffers, scratch: Scratch
) -> None:
    """Bring the feet of a body to their places: plan, move the pelvis, solve the legs."""
    doing = begin_frame(people.walkers[n])
    for leg in range(model.legs.shape[0]):
        doing = decide(leg, n, dt, doing, people, model, terrain, frame)
        if doing & PLANS:
            plan(leg, n, dt, doing, people, model, terrain, frame, scratch)
        land(leg, n, dt, doing, people, model, terrain)
    move_feet(n, dt, doing, people, model, terrain, frame, scratch.aims)


@inline
def begin_frame(row: Walker) -> int:
    """What the frame brings before any foot was looked at."""
    doing = ANEW if row.news else 0
    row.news = False
    return doing


@inline
def decide(
    leg: int, n: int, dt: float, doing: int, people: People, model: Model, terrain: Terrain, frame: PoseBuffers
) -> int:
    """What a foot does in this frame, after ``doing``, what the frame brought so far; it may leave the ground here."""
    row: Walker = people.walkers[n]
    feet = people.feet[n]
    foot: Foot = feet[leg]
    doing &= ANEW | BEGUN
    if foot.state == NEW:
        doing |= BEGINS | BEGUN
        _begin(leg, row, foot, foot_of(leg, row, model, frame), model, terrain)
    if foot.state == PLANTED and dt > 0.0 and _lifts(leg, row, feet, dt, row.leg.value / LEG_SHARE):
        doing |= LIFTS
    if foot.state == SWINGING:
        waits = foot.elapsed < PATIENCE and foot.duration - foot.elapsed > COMMITTED
        if doing & (BEGINS | LIFTS) or (doing & ANEW and not waits):
            doing |= PLANS
        elif doing & ANEW:
            row.news = True
        elif not waits and _astray(row, foot):
            doing |= PLANS
    return doing


@part
def plan(
    leg: int,
    n: int,
    dt: float,
    doing: int,
    people: People,
    model: Model,
    terrain: Terrain,
    frame: PoseBuffers,
    scratch: Scratch,
) -> None:
    """Plan the step of a swinging foot."""
    row: Walker = people.walkers[n]
    foot: Foot = people.feet[n, leg]
    size = row.leg.value / LEG_SHARE
    source = foot_of(leg, row, model, frame)
    first = doing & (BEGINS | LIFTS) != 0
    if first:
        turning = max(on_the_spot(row), min(0.6, abs(row.turn.value) / FAST_TURN))
        foot.clearance = size * (CLEARANCE + TURN_CLEARANCE * turning)
    plan_step(Swing(n, leg, first, dt), source, people, model, terrain, scratch)
    if doing & BEGINS:
        _begin_way(foot, source, size, model, terrain)


@inline
def land(leg: int, n: int, dt: float, doing: int, people: People, model: Model, terrain: Terrain) -> None:
    """Let a swinging foot follow the ground that it is to land on, and stand if that is now."""
    foot: Foot = people.feet[n, leg]
    if foot.state != SWINGING:
        return
    if terrain.pieces.shape[0] > 0 and not doing & PLANS:
        plants.aim(foot, model.sole)
    if dt > 0.0 and foot.elapsed + dt >= foot.duration - 1e-9:
        foot.state = PLANTED
        foot.resting = foot.late = 0.0
        foot.stood = foot.raised = 0.0
        if at_rest(people.walkers[n]):
            foot.count -= 1.0  # its step is still to come when the body walks on


@inline
def move_feet(
    n: int, dt: float, doing: int, people: People, model: Model, terrain: Terrain, frame: PoseBuffers, aims: Floats
) -> None:
    """Let both feet stand or swing on, the pelvis sink as far as that takes, and the legs reach them."""
    row: Walker = people.walkers[n]
    feet = people.feet[n]
    size = row.leg.value / LEG_SHARE
    for leg in range(feet.shape[0]):
        pose = _pose_of(leg, row, feet[leg], dt, model, terrain, frame)
        out, bend = aims[leg], frame.rotations[model.legs[leg, 3]]
        out[0], out[1], out[2] = pose.ankle
        store(out[TURN : TURN + 4], pose.turn)
        store(bend, (math.cos(0.5 * pose.toes), -math.sin(0.5 * pose.toes), 0.0, 0.0))
    if doing & BEGUN and not at_rest(row):
        row.news = False
        wanted, rate = wanted_ground(row.cycles, feet)
        row.ground, row.ground_rate = min(row.ground, wanted), rate * row.pace
    rise = ground_height(row, feet, dt) - row.y
    tilt(row, dt, frame)
    up = rise - sink(rise, row, feet, aims, dt, model, frame)
    if up != 0.0:
        for j in range(frame.positions.shape[0]):
            frame.positions[j, 1] += up
    softer = flight_softness(row)
    for leg in range(feet.shape[0]):
        reach_aim(leg, feet[leg], aims[leg], model, frame, size, softer)


@inline
def _pose_of(
    leg: int, row: Walker, foot: Foot, dt: float, model: Model, terrain: Terrain, frame: PoseBuffers
) -> plants.FootPose:
    """The pose of a foot that stands, or goes on along its way."""
    size = row.leg.value / LEG_SHARE
    source = foot_of(leg, row, model, frame)
    if foot.state == PLANTED:
        # The count of cycles may jump when a body comes to rest.
        late = smooth_step((row.cycles - foot.middle) / ROLL)
        rate = ROLL_RATE
        if at_rest(row):
            late, rate = 0.0, REST_RATE
        late = foot.late + max(-rate * dt, min(rate * dt, late - foot.late))
        foot.late = late
        hip = frame.positions[model.legs[leg, 0]]
        over_ground = hip[0], hip[1] + row.ground - row.y, hip[2]
        most = STRETCH * row.leg.value
        own = min(most, norm(subtract(vector(hip), source.ankle)))
        alike = _alike(row) - foot.alike
        foot.alike += max(-ALIKE_RATE * dt, min(ALIKE_RATE * dt, alike))
        reach = Reach(over_ground, most, own, row.sink, leap.pushes(row.jump, leg), foot.alike)
        return stand(foot, source, late, reach, dt, size, model.sole)
    swung = plants.swing(foot, source, dt)
    # When the plan changes the time left may jump; what depends on it must not.
    left = foot.duration - foot.elapsed
    raised = smooth_step(foot.swung / RAISING) * smooth_step(left / RAISING) - foot.raised
    foot.raised += max(-RAISE_RATE * dt, min(RAISE_RATE * dt, raised))
    return clear_ground(foot, swung, size, model.sole, terrain)


@part
def _begin(leg: int, row: Walker, foot: Foot, source: plants.FootSource, model: Model, terrain: Terrain) -> None:
    """Give a foot its first state: it stands where its source does, or swings with it."""
    size = row.leg.value / LEG_SHARE
    count, since, stance = stance_of(leg, row)
    foot.count = count
    standing = at_rest(row)
    if standing:
        plants.level(foot, source, size, model.sole)
    x, z, yaw = flat_ball(source, 0.0, size, model.sole)
    place, flat, piece, overhangs, _ = foothold(x, z, yaw, size, model.sole, 0.0, terrain)
    put(foot, place, flat, piece, 0.0, terrain.pieces)
    foot.overhangs = overhangs
    foot.last_piece, foot.stood = piece, LEAST_STAND
    since_middle = 0.0 if standing else since - MIDDLE * stance
    foot.middle = row.cycles - since_middle
    foot.late = 0.0 if standing else smooth_step(since_middle / ROLL)
    foot.state = PLANTED if standing or since < stance else SWINGING
    foot.last_middle = foot.middle - (1.0 if foot.state == PLANTED else 0.0)
    foot.last_height = place[1] - foot.level_height
    ground, _ = height(row.x, row.z, 0.0, terrain)
    row.ground = ground - foot.level_height


@part
def _begin_way(foot: Foot, source: plants.FootSource, size: float, model: Model, terrain: Terrain) -> None:
    """Let a foot that is first seen on its way be as high over the ground there as it would be where it lands."""
    x, z = source.ankle[0] + foot.aim[0], source.ankle[2] + foot.aim[2]
    ball = rotate(source.turn, scale(vector(model.sole[1]), size))
    under, _ = height(x, z, 0.0, terrain)
    under_ball, _ = height(x + ball[0], z + ball[2], 0.0, terrain)
    foot.swung, foot.raised = RAISING, smooth_step(foot.duration / RAISING)
    plants.set_out_there(foot, foot.raised * (max(under, under_ball) - foot.goal[1]))


@inline
def _lifts(leg: int, row: Walker, feet: Records, dt: float, size: float) -> bool:
    """Whether a planted foot leaves the ground now; if so it swings from here on."""
    foot = feet[leg]
    count, since, stance = stance_of(leg, row)
    if at_rest(row):
        if not _settles(leg, feet, dt, size):
            return False
    else:
        foot.resting = 0.0
        if count < foot.count or foot.stood < LEAST_STAND:
            return False
        strain = 0.0
        if since > STRAIN_FROM * stance:
            strain = (foot.strain + STRAINING * row.speed.value * dt) / size
        strained = strain > MOST_STRAIN and _others_stand(leg, feet)
        if since < stance and not strained and strain < TORN:
            foot.count = count
            return False
        if (1.0 - since) < LEAST_WAY * row.pace:
            foot.count = count + 1.0
            return False
    foot.state = SWINGING
    foot.swung = foot.raised = 0.0
    foot.last_piece = foot.piece
    foot.last_middle = foot.middle
    foot.last_height = foot.goal[1] - foot.level_height
    return True


@inline
def _alike(row: Walker) -> float:
    """How much a leg that stands should be as long as that of the source: who walks on level ground."""
    if row.jump.state != NO_JUMP or row.speed.target == 0.0:
        return 0.0
    level: float = (1.0 - row.run.value) * (1.0 - smooth_step(abs(row.ground_rate) / ALIKE_CLIMB))
    return level


@inline
def _astray(row: Walker, foot: Foot) -> bool:
    """Whether the body goes so much otherwise than a swinging foot expected that its plan misses the place."""
    left, since = foot.duration - foot.elapsed, foot.elapsed
    faster = abs(row.speed.value - _expected(foot.speed, since))
    turned = 0.0 if row.steering else abs(row.turn.value - _expected(foot.turn, since))
    return bool((faster + TURN_ASTRAY * turned) * left > ASTRAY)


@inline
def _expected(ramp: Ramp, time: float) -> float:
    """What a ramp comes to after some time."""
    value, left = ramp.value, ramp.left
    if left <= time:
        return ramp.target
    return value + (ramp.target - value) * time / left


@inline
def _others_stand(leg: int, feet: Records) -> bool:
    """Whether the body has another foot to stand on."""
    standing = 0
    for other in range(feet.shape[0]):
        standing += other != leg and feet[other].state == PLANTED
    return standing > 0


@inline
def _settles(leg: int, feet: Records, dt: float, size: float) -> bool:
    """Whether a foot of a standing body has been left so far from where it belongs that it takes a step."""
    foot = feet[leg]
    away = foot.offset[0] ** 2 + foot.offset[2] ** 2
    turned = abs(foot.offset[4])
    if away < (SETTLE_AWAY * size) ** 2 and turned < SETTLE_TURN:
        foot.resting = 0.0
        return False
    foot.resting += dt
    for other in range(feet.shape[0]):
        if feet[other].state == SWINGING:
            return False
    return bool(foot.resting > SETTLE_AFTER)
