"""Feet planned in the world: footprints, and the rockers on which a foot rolls over the floor.

A planted foot turns about points that do not move: about the heel until the toes strike, not at all while it
is flat, about the ball while the toes stay flat, and last about the tip of the toes.
"""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline

from locomote import rotations as rot
from locomote.human_skeleton import ANKLE_HEIGHT, BALL_AHEAD_OF_ANKLE, HEEL_BEHIND_ANKLE, TOE_LENGTH
from locomote.rotations import FloatArray
from locomote.samples._gait import GaitLaws
from locomote.samples._path import ArcPath

SIDES = (1.0, -1.0)  # left, right: the sign of the lateral axis
LEG_PHASES = (0.0, 0.5)  # the right leg is half a stride away from the left
START_PHASE = 0.27  # stride phase of the left leg at time 0: left foot flat, right foot in the air
_TOE_OUT = {"walk": np.radians(6.0), "run": np.radians(4.0)}


def stride_clock(gait: GaitLaws, leg: int, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The number of the stride in which a leg is, and the phase in that stride."""
    strides = times / gait.stride_time + START_PHASE + LEG_PHASES[leg]
    number = np.floor(strides)
    return number, strides - number


def strike_time(gait: GaitLaws, leg: int, number: FloatArray) -> FloatArray:
    """When the heel strikes that begins a stride of a leg."""
    times: FloatArray = (number - START_PHASE - LEG_PHASES[leg]) * gait.stride_time
    return times


def planted_ankles(gait: GaitLaws, path: ArcPath, leg: int, number: FloatArray, phase: FloatArray) -> FloatArray:
    """World positions of an ankle whose foot is on the floor: it turns about heel, ball and toe tip."""
    print_point, yaw = _print(gait, path, leg, number)
    pitch, toe_pitch = foot_pitch(gait, phase)
    to_heel, _, to_tip = sole_points(gait, yaw, pitch, toe_pitch)
    flat_heel, _, flat_tip = sole_points(gait, yaw, np.zeros_like(yaw), np.zeros_like(yaw))
    flat_ankle = print_point + np.array([0.0, ANKLE_HEIGHT * gait.hip_height, 0.0])
    on_heel = (phase < 0.5 * (gait.toe_strike + gait.heel_off))[:, None]
    ankles: FloatArray = flat_ankle + np.where(on_heel, flat_heel - to_heel, flat_tip - to_tip)
    return ankles


def foot_yaw(gait: GaitLaws, path: ArcPath, leg: int, number: FloatArray, phase: FloatArray) -> FloatArray:
    """The yaw of the foot: that of its print, and in the air on the way to the next."""
    swing = np.clip((phase - gait.duty_factor) / (1.0 - gait.duty_factor), 0.0, 1.0)
    here, there = (_print(gait, path, leg, number + k)[1] for k in (0.0, 1.0))
    yaw: FloatArray = here + (there - here) * swing**3 * (10.0 - 15.0 * swing + 6.0 * swing**2)
    return yaw


def foot_rotations(yaw: FloatArray, pitch: FloatArray) -> FloatArray:
    """World rotations of a foot, or of its toes."""
    return rot.multiply(rot.from_yaw(yaw), rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), pitch))


def sole_points(
    gait: GaitLaws, yaw: FloatArray, pitch: FloatArray, toe_pitch: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """World vectors from the ankle to the heel, the ball and the tip of the toes."""
    size = gait.hip_height
    foot = foot_rotations(yaw, pitch)
    heel = rot.rotate(foot, size * np.array([0.0, -ANKLE_HEIGHT, -HEEL_BEHIND_ANKLE]))
    ball = rot.rotate(foot, size * np.array([0.0, -ANKLE_HEIGHT, BALL_AHEAD_OF_ANKLE]))
    tip = ball + rot.rotate(foot_rotations(yaw, toe_pitch), size * np.array([0.0, 0.0, TOE_LENGTH]))
    return heel, ball, tip


def _print(gait: GaitLaws, path: ArcPath, leg: int, number: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The point on the floor below the ankle, and the yaw, of the footprint that begins a stride."""
    passing = strike_time(gait, leg, number) + gait.passing * gait.stride_time
    yaw = path.heading(passing) + SIDES[leg] * _TOE_OUT[gait.name]
    return path.point(passing, SIDES[leg] * 0.5 * gait.step_width), yaw


def foot_pitch(gait: GaitLaws, phase: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The pitch of the foot and of the toes against the floor, radians, positive with the heel up."""
    duty, ball_off = gait.duty_factor, gait.ball_off

    def air(part: float) -> float:
        return duty + part * (1.0 - duty)

    pace = gait.pace
    if gait.running:
        strike = max(14.0 - 2.0 * pace, 2.0)
        kick = 46.0 + 11.0 * pace
        knots = [
            (gait.heel_off, 0.0), (0.5 * (gait.heel_off + ball_off), 16.0), (ball_off, 42.0), (duty, 60.0),
            (air(0.26), kick), (air(0.47), 0.87 * kick), (air(0.70), 0.30 * kick), (air(0.88), -strike),
            (1.0, -strike), (1.0 + gait.toe_strike, 0.0),
        ]  # fmt: skip
        toe_knots = [
            (ball_off, 0.0), (duty, 30.0), (air(0.26), kick - 10.0), (air(0.47), 0.87 * kick - 8.0),
            (air(0.70), 0.30 * kick - 8.0), (air(0.88), -strike - 8.0), (1.0, -strike - 6.0),
            (1.0 + gait.toe_strike, 0.0),
        ]  # fmt: skip
    else:
        strike = min(12.0 + 8.0 * pace, 30.0)
        push = 48.0 + 13.0 * pace
        knots = [
            (gait.heel_off, 0.0), (0.5 * (gait.heel_off + ball_off), 0.20 * push), (ball_off, 0.62 * push),
            (duty, push), (air(0.12), push + 4.0), (air(0.49), 0.42 * push), (air(0.74), -0.4 * strike),
            (air(0.90), -strike), (1.0, -strike), (1.0 + gait.toe_strike, 0.0),
        ]  # fmt: skip
        toe_knots = [
            (ball_off, 0.0), (duty, 0.45 * push), (air(0.14), 0.62 * push), (air(0.49), 0.42 * push - 10.0),
            (air(0.74), -0.4 * strike - 10.0), (air(0.90), -strike - 8.0), (1.0, -strike - 6.0),
            (1.0 + gait.toe_strike, 0.0),
        ]  # fmt: skip
    return _cyclic(knots, phase), _cyclic(toe_knots, phase)


def _cyclic(knots: list[tuple[float, float]], phase: FloatArray) -> FloatArray:
    """A smooth curve through knots (phase, degrees), level at both ends and 0 outside them; in radians."""
    at, degrees = zip(*knots, strict=True)
    curve = CubicSpline(at, np.radians(degrees), bc_type="clamped")
    later = np.where(phase < at[0], phase + 1.0, phase)
    out: FloatArray = np.where(later <= at[-1], curve(np.minimum(later, at[-1])), 0.0)
    return out
