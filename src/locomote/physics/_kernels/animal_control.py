"""The controller of a simulated animal, once a millisecond: from what MuJoCo says to torques of the joints.

Two leg frames, shoulders and pelvis, each with two legs, joined by a flexible spine. Torques are the sum of springs
towards joint angles and of virtual forces; what hips that stand have to give follows from the torque that their
frame is to have.
"""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel
from locomote.math.quaternion import Quaternion, conjugate, exp, log, multiply, quaternion, rotate
from locomote.math.vector import Floats, Vector, add, cross, dot, mix, norm, scale, subtract, vector
from locomote.physics._kernels.animal_back import hold_back
from locomote.physics._kernels.animal_frames import add_to, frame_origin, turn_rate, turned, wanted_turn
from locomote.physics._kernels.animal_joints import bend, carry, follow, hip_torque, level_ankle, press, unbrake
from locomote.physics._kernels.animal_legs import (
    foot_place,
    heading_error,
    hip_place,
    hip_target,
    knot,
    leg_angles,
    raised,
    slide,
    stands,
    swing_mark,
    toe_pitch,
    update_leg,
    velocity,
)
from locomote.physics._kernels.animal_model import (
    AGAINST,
    CROUCH,
    DRIVE,
    FEET,
    FRAME,
    FRAME_DAMP,
    FRAMES,
    FRONT,
    GRIP,
    HASTE,
    HIP,
    HIP_DAMP,
    HOLDS,
    KNOTS,
    LEANS,
    LEANS_BY_OTHER,
    LED,
    META,
    MORE_HEIGHT,
    MOST,
    PAW,
    PERIOD,
    PHASE,
    POSED,
    POSED_PAW,
    POSED_ROLL,
    PUSH,
    PUSH_KNOTS,
    REACHES,
    REFLEX,
    REFLEXES,
    ROCKED,
    SHANK,
    SPINE_SHARE,
    SPRING,
    STANDS,
    THIGH,
    TRACK,
    TRACK_KNOTS,
    TURNS,
    AnimalBody,
    AnimalState,
    Asked,
    H,
    Views,
)

G = 9.81
UP = (0.0, 1.0, 0.0)
SEEK = 0.01  # m under the ground, where a foot that should stand and does not is led
DRIVEN = 1.0  # of the force that drives a frame ahead, given by its hips
CALM, THROWN, HURRIED = 0.4, 0.05, 0.7  # m/s aside that are usual; s over which it is felt; faster steps at most
STEERED, SHARPEST = 4.0, 1.5  # 1/s by which a heading is corrected, and rad/s at most
SMOOTH = 0.02  # s over which the speed of a frame is averaged
PUSH_REACH = 0.65  # of the hip height: how far forces over the leg's angle are told to both sides
TRACK_DAMPING = 1.4  # N s/m for the root of a gain of 1 N/m and 1 kg


@kernel
def control(
    body: AnimalBody, views: Views, gait: Floats, params: Floats, asked: Asked, state: AnimalState, dt: float
) -> None:
    """One step of control: fill ``views.torques``, nothing on the root.

    ``gait (4, 2)``: at which phase each foot begins to swing and for how much of the stride. ``params (163,)``.
    """
    hurry = 1.0 + min(params[HASTE] * max(state.clock[4] - CALM, 0.0), HURRIED)
    state.clock[0] = (state.clock[0] + hurry * dt / params[PERIOD]) % 1.0
    state.clock[1] += dt
    state.torques[:] = 0.0
    views.torques[:] = 0.0
    for frame in range(FRAMES):
        link = body.frames[frame]
        v = velocity(views, link, frame_origin(body, views, frame))
        share = dt / SMOOTH
        for k in range(3):
            state.speeds[frame, k] += share * (v[k] - state.speeds[frame, k])
    rear, front = frame_origin(body, views, 0), frame_origin(body, views, FRONT)
    state.clock[3] = math.atan2(front[0] - rear[0], front[2] - rear[2])
    off = heading_error(asked, state)
    state.clock[2] = asked.yaw[2] + min(max(STEERED * off, -SHARPEST), SHARPEST)
    thrown = 0.0
    for frame in range(FRAMES):
        thrown = max(thrown, abs(slide(body, asked, state, frame)))
    state.clock[4] += dt / THROWN * (thrown - state.clock[4])
    for leg in range(FEET):
        update_leg(body, views, gait, params, asked, state, leg, dt)
    hold_back(body, views, params, asked, state)
    for frame in range(FRAMES):
        _frame(body, views, gait, params, asked, state, frame, dt)
    _turn_frame(body, views, params, asked, state, FRONT)
    _turn_frame(body, views, params, asked, state, 0)
    for link in range(body.ball_dofs.shape[0]):
        d = body.ball_dofs[link]
        if d >= 0:
            local = rotate(conjugate(quaternion(views.turns[link])), vector(state.torques[link]))
            for k in range(3):
                views.torques[d + k] += local[k]
    most = body.gains[MOST] * asked.strength[0]
    for d in range(6, views.torques.shape[0]):
        views.torques[d] = min(max(views.torques[d], -most), most)


@inline
def _frame(
    body: AnimalBody,
    views: Views,
    gait: Floats,
    params: Floats,
    asked: Asked,
    state: AnimalState,
    frame: int,
    dt: float,
) -> None:
    """The legs of a frame: virtual forces of those that stand, and where the others go (QUA-07, 08, 09, 10)."""
    at = frame_origin(body, views, frame)
    count, floor = 0, 0.0
    for leg in range(FEET):
        if body.leg_frame[leg] == frame and stands(asked, state, leg):
            count += 1
            floor += foot_place(body, views, leg)[1]
    if count > 0:
        floor /= count
    else:
        for leg in range(FEET):
            if body.leg_frame[leg] == frame:
                floor += 0.5 * asked.ground[leg, 0]
    height = knot(params, H + KNOTS * (1 - frame), KNOTS, state.clock[0], True) + asked.frames[frame, MORE_HEIGHT]
    height -= params[CROUCH] * min(max(state.clock[4] - CALM, 0.0), 1.5)
    yaw = state.clock[3]
    ahead, left = (math.sin(yaw), 0.0, math.cos(yaw)), (math.cos(yaw), 0.0, -math.sin(yaw))
    v = vector(state.speeds[frame])
    error = height - (at[1] - floor)
    k, d = params[SPRING + 2 * frame], params[SPRING + 2 * frame + 1]
    weight = 0.0
    for link in range(body.masses.shape[0]):
        weight += body.masses[link] * G
    lift = asked.frames[frame, HOLDS] * (k * error - d * v[1] + body.shares[frame] * weight)
    lift = max(lift, 0.0)
    drive = asked.frames[frame, HOLDS] * params[DRIVE]
    driven = drive * (asked.speed[0] - dot(v, ahead))
    reflex = REFLEX + REFLEXES * frame
    aside = -params[reflex + AGAINST] * drive * slide(body, asked, state, frame)
    force = add(scale(UP, lift), add(scale(ahead, driven), scale(left, aside)))
    # Hips turn their frame when they drive it: the torque that is wanted on it counts that in.
    state.wanted[frame] = 0.0
    for leg in range(FEET):
        if body.leg_frame[leg] == frame and stands(asked, state, leg):
            arm = subtract(foot_place(body, views, leg), hip_place(body, views, leg))
            add_to(state.wanted[frame], scale(cross(arm, ahead), DRIVEN * driven / count))
            add_to(state.wanted[frame], scale(cross(arm, left), params[reflex + LED] * aside / count))
    for leg in range(FEET):
        if body.leg_frame[leg] != frame:
            continue
        if int(asked.legs[leg, 0]) == POSED:
            _pose(body, views, asked, state, leg, asked.legs[leg, 4:8], dt)
        elif state.modes[leg, 0] == 1:
            if stands(asked, state, leg):
                foot = foot_place(body, views, leg)
                away = dot(subtract(at, foot), ahead) + body.under[leg]
                t = 0.5 + 0.5 * away / (PUSH_REACH * body.height)
                extra_forward = knot(params, PUSH + 8 * leg, PUSH_KNOTS, t, False)
                extra_up = knot(params, PUSH + 8 * leg + 4, PUSH_KNOTS, t, False)
                extra = add(scale(ahead, extra_forward), scale(UP, extra_up))
                own = subtract(
                    scale(force, -1.0 / count), (asked.thrust[leg, 0], asked.thrust[leg, 1], asked.thrust[leg, 2])
                )
                press(body, views, state, leg, mix(own, 1.0, extra, -asked.frames[frame, HOLDS]))
            _stand(body, views, gait, params, asked, state, leg, error, dt)
        else:
            _swing(body, views, gait, params, asked, state, leg, dt)


@inline
def _stand(
    body: AnimalBody,
    views: Views,
    gait: Floats,
    params: Floats,
    asked: Asked,
    state: AnimalState,
    leg: int,
    error: float,
    dt: float,
) -> None:
    """The shape of a leg that stands: as if its frame were as high as it should be."""
    frame = body.leg_frame[leg]
    yaw, stiff = asked.yaw[frame], asked.stiff[2]
    foot = foot_place(body, views, leg)
    told, carries = int(asked.legs[leg, 0]) == STANDS, stands(asked, state, leg)
    pitch = asked.legs[leg, ROCKED] if told else toe_pitch(gait, params, state, leg) + asked.thrust[leg, 3]
    link = body.frames[frame]
    axes = turned(body, views, link)
    hip = raised(hip_place(body, views, leg), error)
    if told:  # the frame is to be over its feet, turned as it should be
        axes = wanted_turn(params, asked, state, frame)
        hip = _stood(body, views, asked, state, leg, axes, hip)
    if not carries:
        foot = (foot[0], asked.ground[leg, 0] - SEEK, foot[2])
    angles = leg_angles(body, axes, hip, foot, pitch, yaw, leg)
    ankle, roll = level_ankle(axes, angles, pitch, yaw)
    follow(state, leg, angles, ankle, carries, dt)
    if carries:
        unbrake(body, views, state, leg, asked.thrust[leg, 4])
    bend(body, views, state, stiff, leg, roll, -pitch)
    now = turned(body, views, link)
    want = multiply(now, hip_target(angles[0], angles[1]))
    if told or not carries:
        torque = hip_torque(body, views, state, leg, want, stiff * body.gains[HIP], body.gains[HIP_DAMP])
    else:  # only about the leg itself, which hardly resists being spun
        thigh = body.links[leg, THIGH]
        along = subtract(vector(views.places[body.links[leg, SHANK]]), vector(views.places[thigh]))
        length = math.sqrt(max(dot(along, along), 1e-12))
        along = scale(along, 1.0 / length)
        twist = hip_torque(body, views, state, leg, want, body.gains[HIP], body.gains[HIP_DAMP])
        torque = scale(along, dot(twist, along))
    add_to(state.torques[body.links[leg, THIGH]], torque)


@inline
def _stood(
    body: AnimalBody, views: Views, asked: Asked, state: AnimalState, leg: int, axes: Quaternion, hip: Vector
) -> Vector:
    """Where a hip is to be: its frame over the middle of the feet of that frame, shifted as asked."""
    frame = body.leg_frame[leg]
    x, z, count = 0.0, 0.0, 0
    yaw = exp((0.0, asked.yaw[frame], 0.0))
    for other in range(FEET):
        if body.leg_frame[other] == frame and int(asked.legs[other, 0]) == STANDS:
            foot = foot_place(body, views, other)
            rest = rotate(yaw, (0.0, 0.0, body.under[other]))
            x += foot[0] - rest[0] + asked.legs[other, 1]
            z += foot[2] - rest[2] + asked.legs[other, 3]
            count += 1
    arm = rotate(axes, vector(body.hips[leg]))
    # As high as its frame is to have it: legs of different lengths level a frame that rolls.
    high = hip[1] - hip_place(body, views, leg)[1] + frame_origin(body, views, frame)[1] + arm[1]
    return x / count + arm[0], high, z / count + arm[2]


@inline
def _swing(
    body: AnimalBody, views: Views, gait: Floats, params: Floats, asked: Asked, state: AnimalState, leg: int, dt: float
) -> None:
    """A leg in the air: springs to the angles that bring the foot to its mark, a force that pulls it there."""
    frame = body.leg_frame[leg]
    yaw, stiff = asked.yaw[frame], asked.stiff[2]
    mark = swing_mark(body, views, gait, params, asked, state, leg)
    toe = toe_pitch(gait, params, state, leg)
    rocked = asked.legs[leg, ROCKED] if int(asked.legs[leg, 0]) == REACHES else 0.0
    pitch = toe + rocked
    axes = turned(body, views, body.frames[frame])
    angles = leg_angles(body, axes, hip_place(body, views, leg), mark, pitch, yaw, leg)
    ankle, roll = level_ankle(axes, angles, pitch, yaw)
    follow(state, leg, angles, ankle, state.legs[leg, PHASE] < 0.02, dt)
    bend(body, views, state, stiff, leg, roll, -0.5 * toe - rocked)
    want = multiply(axes, hip_target(angles[0], angles[1]))
    add_to(
        state.torques[body.links[leg, THIGH]],
        hip_torque(body, views, state, leg, want, stiff * body.gains[HIP], body.gains[HIP_DAMP]),
    )
    foot = foot_place(body, views, leg)
    last = body.links[leg, PAW] if body.links[leg, PAW] >= 0 else body.links[leg, META]
    gain = knot(params, TRACK + TRACK_KNOTS * leg, TRACK_KNOTS, state.legs[leg, PHASE], False)
    speed = velocity(views, last, foot)
    goes = vector(state.speeds[frame])  # a mark moves with the body at least
    pull = mix(subtract(mark, foot), gain, subtract(goes, speed), 0.1 * TRACK_DAMPING * math.sqrt(max(gain, 0.0)))
    press(body, views, state, leg, pull)
    carry(body, views, state, leg, 1.0)


@inline
def _pose(
    body: AnimalBody, views: Views, asked: Asked, state: AnimalState, leg: int, angles: Floats, dt: float
) -> None:
    """A leg at given angles from rest: hip pitch and aside, knee, ankle; roll of the ankle and paw."""
    stiff = asked.stiff[2]
    axes = turned(body, views, body.frames[body.leg_frame[leg]])
    follow(state, leg, (angles[0], angles[1], angles[2]), angles[3], False, dt)
    bend(body, views, state, stiff, leg, asked.legs[leg, POSED_ROLL], asked.legs[leg, POSED_PAW])
    want = multiply(axes, hip_target(angles[0], angles[1]))
    add_to(
        state.torques[body.links[leg, THIGH]],
        hip_torque(body, views, state, leg, want, stiff * body.gains[HIP], body.gains[HIP_DAMP]),
    )
    carry(body, views, state, leg, min(stiff, 1.0))


@inline
def _turn_frame(body: AnimalBody, views: Views, params: Floats, asked: Asked, state: AnimalState, frame: int) -> None:
    """Let the hips that stand give what their frame still lacks of the torque that it is to have (QUA-06)."""
    link = body.frames[frame]
    load = 0.0
    for leg in range(FEET):
        if body.leg_frame[leg] == frame and stands(asked, state, leg) and int(asked.legs[leg, 0]) != STANDS:
            load += views.touch[leg] + 1.0
    if load == 0.0 or asked.frames[frame, TURNS] == 0.0:
        return
    factor = asked.frames[frame, TURNS] * asked.stiff[3]
    reflex = REFLEX + REFLEXES * frame
    lean = params[reflex + LEANS] * slide(body, asked, state, frame)
    lean += params[reflex + LEANS_BY_OTHER] * slide(body, asked, state, 1 - frame)
    wanted = multiply(wanted_turn(params, asked, state, frame), exp((0.0, 0.0, lean)))
    error = log(multiply(wanted, conjugate(turned(body, views, link))))
    want = mix(error, factor * body.gains[FRAME], turn_rate(views, link), -factor * body.gains[FRAME_DAMP])
    want = add(want, vector(state.wanted[frame]))
    have = vector(state.torques[link])
    for child in range(body.parents.shape[0]):
        if child > 0 and body.parents[child] == link:
            have = subtract(have, vector(state.torques[child]))
    for leg in range(FEET):  # hips that hang on the frame by a link that does not move
        thigh = body.links[leg, THIGH]
        if body.leg_frame[leg] == frame and body.parents[thigh] != link:
            have = subtract(have, vector(state.torques[thigh]))
    rest = subtract(want, have)
    share = body.gains[SPINE_SHARE] if frame == FRONT else 0.0
    if share > 0.0:
        for s in range(body.spine.shape[0]):
            add_to(state.torques[body.spine[s, 0]], scale(rest, share * float(body.spine[s, 1])))
    for leg in range(FEET):
        if body.leg_frame[leg] == frame and stands(asked, state, leg) and int(asked.legs[leg, 0]) != STANDS:
            part = (1.0 - share) * (views.touch[leg] + 1.0) / load  # who carries more gives more
            most = params[GRIP] * (views.touch[leg] + 1.0) * body.height  # and none more than its foot can hold
            part = min(part, most / max(norm(rest), 1e-9))
            add_to(state.torques[body.links[leg, THIGH]], scale(rest, -part))
    state.wanted[frame, 0], state.wanted[frame, 1], state.wanted[frame, 2] = want
