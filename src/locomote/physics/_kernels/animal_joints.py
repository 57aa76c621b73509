"""Torques of the joints of a leg: springs, forces at the foot, and what carries its weight."""

from __future__ import annotations

from locomote.math._compile import inline
from locomote.math.quaternion import Quaternion, conjugate, exp, log, multiply, rotate
from locomote.math.vector import Vector, add, cross, dot, mix, scale, subtract, vector
from locomote.physics._kernels.animal_frames import add_to, turn_rate, turned
from locomote.physics._kernels.animal_legs import foot_place, hip_target
from locomote.physics._kernels.animal_model import (
    ANKLE,
    ANKLE_DAMP,
    KNEE,
    KNEE_DAMP,
    LINKS,
    META,
    PAW,
    PAW_GAIN,
    THIGH,
    AnimalBody,
    AnimalState,
    Views,
)

G = 9.81
UP = (0.0, 1.0, 0.0)
FASTEST, RATE_SHARE = 25.0, 0.2  # rad/s of angles that are led, and how quickly their rate is believed


@inline
def press(body: AnimalBody, views: Views, state: AnimalState, leg: int, force: Vector) -> None:
    """A force at a foot against its frame, through the joints between them (QUA-04)."""
    foot = foot_place(body, views, leg)
    for k in range(LINKS):
        link = body.links[leg, k]
        if link < 0:
            continue
        torque = cross(subtract(foot, vector(views.places[link])), force)
        if k == THIGH:
            add_to(state.torques[link], torque)
        else:
            to_hinges(body, views, leg, k, torque)


@inline
def to_hinges(body: AnimalBody, views: Views, leg: int, link: int, torque: Vector) -> None:
    """A torque on a link below the hip, as far as its hinges can give it."""
    for h in range(link, link + 1 if link < META else link + 2):
        at = h if link < PAW else 4
        if link == PAW and h > PAW:
            break
        d = body.leg_dofs[leg, at]
        if d >= 0:
            views.torques[d] += dot(vector(views.axes[body.leg_joints[leg, at]]), torque)


@inline
def carry(body: AnimalBody, views: Views, state: AnimalState, leg: int, share: float) -> None:
    """What holds a leg in the air against a share of its weight."""
    for k in range(LINKS):
        if body.links[leg, k] < 0:
            continue
        torque = (0.0, 0.0, 0.0)
        for m in range(k, LINKS):
            link = body.links[leg, m]
            if link >= 0:
                arm = subtract(vector(views.centres[link]), vector(views.places[body.links[leg, k]]))
                torque = add(torque, scale(cross(arm, UP), share * body.masses[link] * G))
        if k == THIGH:
            add_to(state.torques[body.links[leg, k]], torque)
        else:
            to_hinges(body, views, leg, k, torque)


@inline
def follow(state: AnimalState, leg: int, angles: Vector, ankle: float, fresh: bool, dt: float) -> None:
    """Remember the angles a leg is led to, and how fast they change."""
    row = state.goals[leg]
    now = (angles[0], angles[1], angles[2], ankle)
    for k in range(4):
        rate = 0.0 if fresh else min(max((now[k] - row[k]) / dt, -FASTEST), FASTEST)
        row[4 + k] += RATE_SHARE * (rate - row[4 + k])
        row[k] = now[k]


@inline
def unbrake(body: AnimalBody, views: Views, state: AnimalState, leg: int, share: float) -> None:
    """Let knee and ankle go as fast as they do: their damping would take away most of a launch."""
    for h in range(1, 3):
        if body.leg_dofs[leg, h] >= 0:
            rate = state.goals[leg, 5 + h]
            state.goals[leg, 5 + h] = (1.0 - share) * rate + share * views.qvel[body.leg_dofs[leg, h]]


@inline
def bend(body: AnimalBody, views: Views, state: AnimalState, stiff: float, leg: int, roll: float, paw: float) -> None:
    """Springs of the hinges of a leg; their damping is MuJoCo's, and does not brake the way that is wanted."""
    row = state.goals[leg]
    wanted = (row[2], row[3], roll, paw)
    for h in range(1, 3):
        if body.leg_dofs[leg, h] >= 0:
            damp = body.gains[KNEE_DAMP] if h == 1 else body.gains[ANKLE_DAMP]
            views.torques[body.leg_dofs[leg, h]] += damp * row[5 + h]
    for h in range(1, 5):
        d = body.leg_dofs[leg, h]
        if d >= 0:
            gain = body.gains[KNEE] if h == 1 else (body.gains[ANKLE] if h < 4 else body.gains[PAW_GAIN])
            views.torques[d] += stiff * gain * (wanted[h - 1] - views.qpos[body.leg_angles[leg, h]])


@inline
def hip_torque(
    body: AnimalBody, views: Views, state: AnimalState, leg: int, want: Quaternion, gain: float, damp: float
) -> Vector:
    """The spring torque of a hip towards a rotation of the thigh in the world, from rest."""
    link = body.links[leg, THIGH]
    error = log(multiply(want, conjugate(turned(body, views, link))))
    frame = body.frames[body.leg_frame[leg]]
    rate = subtract(turn_rate(views, link), turn_rate(views, frame))
    row = state.goals[leg]
    led = rotate(turned(body, views, frame), (row[4], 0.0, row[5]))
    rate = subtract(rate, led)
    return mix(error, gain, rate, -damp)


@inline
def level_ankle(axes: Quaternion, angles: Vector, pitch: float, yaw: float) -> tuple[float, float]:
    """Angles of the ankle, forward and aside, that turn the metapodium by ``pitch`` in the world."""
    thigh = multiply(axes, hip_target(angles[0], angles[1]))
    shank = multiply(thigh, exp((angles[2], 0.0, 0.0)))
    want = multiply(exp((0.0, yaw, 0.0)), exp((pitch, 0.0, 0.0)))
    turn = log(multiply(conjugate(shank), want))
    return turn[0], turn[2]
