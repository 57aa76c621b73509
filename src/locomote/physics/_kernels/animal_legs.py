"""Legs of a simulated animal: when they stand, where they go, and the angles that bring them there."""

from __future__ import annotations

import math

from locomote.math._compile import inline
from locomote.math.quaternion import Quaternion, conjugate, exp, multiply, quaternion, rotate
from locomote.math.vector import Floats, Vector, add, cross, smooth_step, subtract, vector, wrapped
from locomote.physics._kernels.animal_model import (
    BY_GAIT,
    BY_HEADING,
    BY_OTHER,
    BY_ROLL,
    BY_ROLL_RATE,
    DOWN,
    LANDS,
    LIFT,
    LIFT_KNOTS,
    LIFTED,
    META,
    PAW,
    PERIOD,
    PHASE,
    PLACE,
    REACHES,
    REACT,
    REFLEX,
    REFLEXES,
    STANDS,
    THIGH,
    TOE,
    UNFELT,
    WARP,
    WARP_KNOTS,
    AnimalBody,
    AnimalState,
    Asked,
    Views,
)

CLEAR, LATE_ENOUGH = 0.3, 0.8  # of a swing: from here on a contact is a stumble, and a landing (QUA-11)
TRIP_LIFT = 0.03  # m by which a foot that struck something early is lifted
LOWERED, LOWEST = 0.6, 0.10  # m/s and m by which a foot that finds no ground is lowered
FELT_LAST, LOST = 0.008, 0.03  # s without contact after which a foot carries nothing, and looks for the ground
FELT, STRUCK = 1.0, 15.0  # N under a foot that feels the ground, and that stumbles
SWIVEL = 0.65  # of the hip height, from the middle of the body to its frames
CRAB = 0.3  # rad at most between where it points and where it goes
REACH = 0.97  # of the straight leg


@inline
def knot(values: Floats, begin: int, count: int, t: float, periodic: bool) -> float:
    """A piecewise linear course over t in [0, 1], with ``count`` values at equal distances."""
    if periodic:
        at = (t - math.floor(t)) * count
        k = min(int(at), count - 1)
        after = begin if k == count - 1 else begin + k + 1
    else:
        at = min(max(t, 0.0), 1.0) * (count - 1)
        k = min(int(at), count - 2)
        after = begin + k + 1
    share = at - k
    return float((1.0 - share) * values[begin + k] + share * values[after])


@inline
def foot_place(body: AnimalBody, views: Views, leg: int) -> Vector:
    """Where the point of a foot that stands is."""
    last = body.links[leg, PAW] if body.links[leg, PAW] >= 0 else body.links[leg, META]
    return add(vector(views.places[last]), rotate(quaternion(views.turns[last]), vector(body.tips[leg])))


@inline
def velocity(views: Views, link: int, at: Vector) -> Vector:
    """How fast the point of a body is."""
    turn = (views.rates[link, 0], views.rates[link, 1], views.rates[link, 2])
    move = (views.rates[link, 3], views.rates[link, 4], views.rates[link, 5])
    return add(move, cross(turn, subtract(at, vector(views.middle[1]))))


@inline
def update_leg(
    body: AnimalBody, views: Views, gait: Floats, params: Floats, asked: Asked, state: AnimalState, leg: int, dt: float
) -> None:
    """Whether a leg stands or swings, its phase, and what it felt on the way."""
    told = int(asked.legs[leg, 0])
    row, mode = state.legs[leg], state.modes[leg]
    touches = views.touch[leg] > FELT
    row[UNFELT] = 0.0 if touches else row[UNFELT] + dt
    if told != BY_GAIT:
        swings = told == REACHES
        if swings and (mode[0] == 1 or mode[2] != told):
            lift_off(body, views, state, leg)
        mode[0], mode[2] = 0 if swings else 1, told
        at = foot_place(body, views, leg)
        row[LANDS], row[LANDS + 1] = at[0], at[2]  # until it is led elsewhere
        return
    since = state.clock[0] - gait[leg, 0]
    since -= math.floor(since)
    swing = gait[leg, 1]
    if mode[0] == 1 and row[UNFELT] > LOST:
        lift_off(body, views, state, leg)  # it carries nothing: look for the ground again
        mode[0] = 0
    if since < swing:
        phase = since / swing
        if phase < row[PHASE] or mode[2] != told:  # a swing begins
            mode[1] = 0
            if mode[0] == 1:
                lift_off(body, views, state, leg)
                mode[0] = 0
        elif mode[0] == 0 and touches and phase > LATE_ENOUGH:
            mode[0] = 1
        elif mode[0] == 0 and views.touch[leg] > STRUCK and CLEAR < phase < 2.0 * CLEAR:
            mode[1] = 1  # it struck something
    else:
        phase = 1.0 + (since - swing) / max(1.0 - swing, 1e-6)
        if mode[0] == 0 and (touches or mode[2] != told):
            mode[0] = 1
        elif mode[0] == 0:  # no ground where it was looked for
            row[DOWN] = min(row[DOWN] + LOWERED * dt, LOWEST)
    row[PHASE], mode[2] = phase, told


@inline
def lift_off(body: AnimalBody, views: Views, state: AnimalState, leg: int) -> None:
    """Begin a swing where the foot is."""
    at = foot_place(body, views, leg)
    row = state.legs[leg]
    row[LIFTED], row[LIFTED + 1], row[LIFTED + 2] = at
    row[DOWN] = 0.0


@inline
def heading_error(asked: Asked, state: AnimalState) -> float:
    """How far to the left of where it points it is to head, rad."""
    return wrapped(0.5 * (asked.yaw[0] + asked.yaw[1]) - state.clock[3])


@inline
def sideways(body: AnimalBody, asked: Asked, state: AnimalState, frame: int) -> float:
    """m/s to its left that a frame is to have: it goes where it is to head, even when it points elsewhere.

    Frames go aside against each other to turn.
    """
    swivel = SWIVEL * body.height * state.clock[2] * (1.0 if frame == 1 else -1.0)
    off = min(max(heading_error(asked, state), -CRAB), CRAB)
    return float(asked.speed[1] + swivel + asked.speed[0] * math.sin(off))


@inline
def slide(body: AnimalBody, asked: Asked, state: AnimalState, frame: int) -> float:
    """m/s to its left by which a frame goes aside more than it is to."""
    yaw = state.clock[3]
    aside = state.speeds[frame, 0] * math.cos(yaw) - state.speeds[frame, 2] * math.sin(yaw)
    return float(aside - sideways(body, asked, state, frame))


@inline
def step_goal(
    body: AnimalBody, views: Views, gait: Floats, params: Floats, asked: Asked, state: AnimalState, leg: int
) -> tuple[float, float]:
    """Where a swinging foot is to land, in the plan (QUA-09): under its hip, ahead by what keeps the speed.

    The step is laid by the speed that there is, and corrected by how far that is from what is asked.
    """
    frame = body.leg_frame[leg]
    yaw = state.clock[3]  # as it is: what is ahead is where it goes
    ahead, left = (math.sin(yaw), 0.0, math.cos(yaw)), (math.cos(yaw), 0.0, -math.sin(yaw))
    link = body.frames[frame]
    origin = add(vector(views.places[link]), rotate(quaternion(views.turns[link]), vector(body.origins[frame])))
    v = vector(state.speeds[frame])
    forward, aside = v[0] * ahead[0] + v[2] * ahead[2], v[0] * left[0] + v[2] * left[2]
    stance = (1.0 - gait[leg, 1]) * params[PERIOD]
    want, sway = asked.speed[0], sideways(body, asked, state, frame)
    # In the middle of the stance the hip is over the foot; what is too fast or too slow is caught as an inverted
    # pendulum would be.
    pendulum = math.sqrt(body.height / 9.81)  # s
    caught = pendulum * math.tanh(0.5 * stance / pendulum)
    begin = REACT + 2 * frame
    along = 0.5 * want * stance + (forward - want) * (caught + params[begin]) + params[PLACE + 2 * leg]
    across = 0.5 * sway * stance + (aside - sway) * (caught + params[begin + 1])
    across -= forward * asked.yaw[2] * pendulum * pendulum  # in a turn the feet are outside, and the body leans
    reflex = REFLEX + REFLEXES * frame
    axes = multiply(quaternion(views.turns[link]), conjugate(quaternion(body.rest[link])))
    roll = rotate(axes, (1.0, 0.0, 0.0))[1]
    rate = views.rates[link, 0] * ahead[0] + views.rates[link, 2] * ahead[2]
    across += params[reflex + BY_ROLL] * roll + params[reflex + BY_ROLL_RATE] * rate
    across += params[reflex + BY_OTHER] * slide(body, asked, state, 1 - frame)
    across += params[reflex + BY_HEADING] * heading_error(asked, state)
    side = 1.0 if body.hips[leg, 0] > 0.0 else -1.0
    across += side * params[PLACE + 2 * leg + 1]
    along += body.under[leg]
    return (origin[0] + along * ahead[0] + across * left[0], origin[2] + along * ahead[2] + across * left[2])


@inline
def swing_mark(
    body: AnimalBody, views: Views, gait: Floats, params: Floats, asked: Asked, state: AnimalState, leg: int
) -> Vector:
    """Where a swinging foot is to be now."""
    row = state.legs[leg]
    if int(asked.legs[leg, 0]) == REACHES:
        return asked.legs[leg, 1], asked.legs[leg, 2], asked.legs[leg, 3]
    phase = row[PHASE]
    late = phase >= 1.0
    if not late:  # a foot that is late waits over the place where it should have landed: the body goes on without it
        row[LANDS], row[LANDS + 1] = step_goal(body, views, gait, params, asked, state, leg)
    x, z = row[LANDS], row[LANDS + 1]
    t = 1.0 if late else _warped(params, leg, phase)
    frame = body.leg_frame[leg]
    lift = 0.0 if late else _lift(params, LIFT + LIFT_KNOTS * (1 - frame), phase)
    if state.modes[leg, 1] == 1 and not late:
        lift += TRIP_LIFT
    ground = (1.0 - t) * row[LIFTED + 1] + t * asked.ground[leg, 1]
    return (1.0 - t) * row[LIFTED] + t * x, ground + lift - row[DOWN], (1.0 - t) * row[LIFTED + 2] + t * z


@inline
def _lift(params: Floats, begin: int, phase: float) -> float:
    """How high a foot is: from knot to knot without a jump of its speed."""
    at = min(max(phase, 0.0), 1.0) * (LIFT_KNOTS - 1)
    k = min(int(at), LIFT_KNOTS - 2)
    share = smooth_step(at - k)
    return float((1.0 - share) * params[begin + k] + share * params[begin + k + 1])


@inline
def _warped(params: Floats, leg: int, phase: float) -> float:
    """How far a swing is at a phase: a smooth step, bent by knots that are offsets to it.

    Past 1 a foot reaches beyond its mark, and comes back to it as fast as the ground does.
    """
    bend = 0.0
    at = phase * (WARP_KNOTS + 1)
    k = min(int(at), WARP_KNOTS)
    share = at - k
    if k > 0:
        bend += (1.0 - share) * params[WARP + WARP_KNOTS * leg + k - 1]
    if k < WARP_KNOTS:
        bend += share * params[WARP + WARP_KNOTS * leg + k]
    return max(smooth_step(phase) + bend, 0.0)


@inline
def toe_pitch(gait: Floats, params: Floats, state: AnimalState, leg: int) -> float:
    """How the metapodium is turned about the side, positive with the toe down (QUA-16); 0 as at rest."""
    row = state.legs[leg]
    swing, period = gait[leg, 1], params[PERIOD]
    begin = TOE + 4 * leg
    off, strike, before, ahead = params[begin], params[begin + 1], params[begin + 2], params[begin + 3]
    if state.modes[leg, 0] == 1:
        left = (2.0 - row[PHASE]) * (1.0 - swing) * period  # s until lift-off
        return float(off * max(0.0, 1.0 - left / max(before, 1e-3)))
    left = max(1.0 - row[PHASE], 0.0) * swing * period
    fades = max(0.0, 1.0 - row[PHASE] * swing * period / 0.05)  # what was turned at lift-off goes back
    return float(off * fades + strike * max(0.0, 1.0 - left / max(ahead, 1e-3)))


@inline
def leg_angles(
    body: AnimalBody, axes: Quaternion, hip: Vector, mark: Vector, pitch: float, yaw: float, leg: int
) -> Vector:
    """Hip pitch, hip aside and knee that bring the foot to its mark (QUA-12), rad from rest; see `hip_target`.

    ``axes`` is the rotation of the leg's frame from rest, ``hip`` where the leg hangs; the metapodium is turned by
    ``pitch`` about the side of the heading ``yaw``. The leg bends in the plane of its frame, turned about the
    frame's forward axis only.
    """
    turn = multiply((math.cos(0.5 * yaw), 0.0, math.sin(0.5 * yaw), 0.0), exp((pitch, 0.0, 0.0)))
    flat = (math.cos(0.5 * yaw), 0.0, math.sin(0.5 * yaw), 0.0)
    below = add(rotate(turn, vector(body.metas[leg])), rotate(flat, vector(body.paws[leg])))
    ankle = subtract(mark, below)
    to = rotate(conjugate(axes), subtract(ankle, hip))
    plane = body.planes[leg]
    offset = plane[4]
    out = math.sqrt(max(to[0] * to[0] + to[1] * to[1], 1e-12))
    down = math.sqrt(max(out * out - offset * offset, 1e-12))
    # Turning by `aside` about +Z brings (offset, -down) to (to[0], to[1]).
    aside = math.atan2(to[0], -to[1]) - math.atan2(offset, down)
    upper, lower = math.hypot(plane[0], plane[1]), math.hypot(plane[2], plane[3])
    far = math.hypot(down, to[2])
    far = min(max(far, abs(upper - lower) + 0.02 * upper), REACH * (upper + lower))
    bend = math.acos(min(max((upper * upper + lower * lower - far * far) / (2.0 * upper * lower), -1.0), 1.0))
    near = math.acos(min(max((upper * upper + far * far - lower * lower) / (2.0 * upper * far), -1.0), 1.0))
    # Angles in the plane are measured from straight down towards the front; rest has the side on which it bends.
    first = math.atan2(plane[1], -plane[0])
    second = math.atan2(plane[3], -plane[2])
    knee_forward = first > second
    line = math.atan2(to[2], down)
    thigh = line + near if knee_forward else line - near
    shank = thigh - (math.pi - bend) if knee_forward else thigh + (math.pi - bend)
    # A turn by t about +X takes what points down and forward by angle a to a - t.
    hip_pitch = first - thigh
    knee = (second - shank) - hip_pitch
    return hip_pitch, aside, knee


@inline
def hip_target(pitch: float, aside: float) -> Quaternion:
    """The rotation of a thigh from rest, in the axes of its frame."""
    return multiply(exp((0.0, 0.0, aside)), exp((pitch, 0.0, 0.0)))


@inline
def stands(asked: Asked, state: AnimalState, leg: int) -> bool:
    """Whether a leg carries: it stands, by the gait or as told, and feels the ground."""
    told = int(asked.legs[leg, 0])
    return (told in (BY_GAIT, STANDS)) and state.modes[leg, 0] == 1 and state.legs[leg, UNFELT] < FELT_LAST


@inline
def hip_place(body: AnimalBody, views: Views, leg: int) -> Vector:
    """Where a leg hangs."""
    return vector(views.places[body.links[leg, THIGH]])


@inline
def raised(hip: Vector, more: float) -> Vector:
    """The same place, higher."""
    return hip[0], hip[1] + more, hip[2]
