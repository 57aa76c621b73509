"""Legs between the pelvis and the feet: planted by the footprints, swung by knee and leg angle."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline

from locomote import rotations as rot
from locomote.human_skeleton import SHANK, THIGH
from locomote.rotations import FloatArray
from locomote.samples._feet import (
    foot_pitch,
    foot_rotations,
    foot_yaw,
    planted_ankles,
    sole_points,
    stride_clock,
    strike_time,
)
from locomote.samples._gait import GaitLaws
from locomote.samples._path import ArcPath
from locomote.samples._pelvis import hip_positions, pelvis_track
from locomote.skeleton import Skeleton

_REFERENCE_BEND = 0.5  # rad; a bent leg tells the solver which way its knee is a hinge
_NUDGE = 1e-4  # of a stride, to take the speed with which a leg leaves or meets the floor
_CLEARANCE = (0.008, 0.02, 0.02)  # m at the reference size: heel, ball and toe tip pass the floor no lower


def pose_leg(
    skeleton: Skeleton,
    gait: GaitLaws,
    path: ArcPath,
    side: int,
    times: FloatArray,
    roots: FloatArray,
    local: FloatArray,
) -> None:
    """Fill the local rotations of one leg in ``local (F, J, 4)``; joint 0 is posed already."""
    from locomote.math.two_bone import two_bone_ik

    leg = skeleton.roles.legs[side]
    pelvis = local[:, 0]
    number, phase = stride_clock(gait, side, times)
    yaw = foot_yaw(gait, path, side, number, phase)
    pitch, toe_pitch = foot_pitch(gait, phase)
    hips = hip_positions(gait, side, roots, pelvis)
    in_air = phase >= gait.duty_factor
    goals = planted_ankles(gait, path, side, number, phase)
    if np.any(in_air):
        sole = np.stack([point[:, 1] for point in sole_points(gait, yaw, pitch, toe_pitch)])
        swung = hips[in_air] + _swung_legs(gait, path, side, times[in_air], phase[in_air])
        goals[in_air] = _lifted(gait, phase[in_air], swung, sole[:, in_air])

    bend = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), _REFERENCE_BEND)
    knees = hips + skeleton.offsets[leg.knee]
    ankles = knees + rot.rotate(bend, skeleton.offsets[leg.ankle])
    # The knee points between where the pelvis and the foot point.
    ahead = np.array([0.0, 0.0, 1.0])
    poles = rot.rotate(pelvis, ahead) + rot.rotate(rot.from_yaw(yaw), ahead)
    upper, lower = np.empty((2, len(times), 4))
    two_bone_ik(hips, knees, ankles, goals, poles, 0.0, upper, lower)

    shank, foot, toes = rot.multiply(lower, bend), foot_rotations(yaw, pitch), foot_rotations(yaw, toe_pitch)
    for joint, above, below in (
        (leg.hip, pelvis, upper),
        (leg.knee, upper, shank),
        (leg.ankle, shank, foot),
        (leg.ball, foot, toes),
    ):
        local[:, joint] = rot.multiply(rot.inverse(above), below)


def _swung_legs(gait: GaitLaws, path: ArcPath, side: int, times: FloatArray, phase: FloatArray) -> FloatArray:
    """World vectors from the hip to the ankle of a leg in the air."""
    knee, angle, left = _swing_curves(gait, path, side)(_swing_part(gait, phase)).T
    reach = gait.hip_height * np.sqrt(THIGH**2 + SHANK**2 + 2.0 * THIGH * SHANK * np.cos(knee))
    sagittal = np.sqrt(reach**2 - left**2)
    leg = np.stack([left, -sagittal * np.cos(angle), sagittal * np.sin(angle)], axis=-1)
    return rot.rotate(rot.from_yaw(path.heading(times)), leg)


def _lifted(gait: GaitLaws, phase: FloatArray, ankles: FloatArray, sole: FloatArray) -> FloatArray:
    """The ankles, higher where a point of the sole would come too near to the floor.

    ``sole (3, F)`` are the heights of those points against the ankle. The lift is smooth, and 0 at both ends.
    """
    swing = _swing_part(gait, phase)
    arch = gait.size * 16.0 * (swing * (1.0 - swing)) ** 2
    out = ankles.copy()
    for clearance, point in zip(_CLEARANCE, sole, strict=True):
        least = clearance * arch
        lack = least - (out[:, 1] + point)
        out[:, 1] += 0.5 * (lack + np.hypot(lack, least))
    return out


def _swing_part(gait: GaitLaws, phase: FloatArray) -> FloatArray:
    return (phase - gait.duty_factor) / (1.0 - gait.duty_factor)


def _swing_curves(gait: GaitLaws, path: ArcPath, side: int) -> CubicSpline:
    """Knee flexion, angle of the leg along the path, and its part to the left, over the swing from 0 to 1.

    They continue what the leg does on the floor, with its speed there. All strides are alike seen from the
    path, so those of stride 0 serve for all.
    """
    air = 1.0 - gait.duty_factor
    leave = _on_floor(gait, path, side, 0.0, gait.duty_factor - _NUDGE * np.arange(3.0))
    meet = _on_floor(gait, path, side, 1.0, _NUDGE * np.arange(3.0))
    # Differences to the second order, from inside the contact.
    leave_speed = (3.0 * leave[0] - 4.0 * leave[1] + leave[2]) / (2.0 * _NUDGE) * air
    meet_speed = -(3.0 * meet[0] - 4.0 * meet[1] + meet[2]) / (2.0 * _NUDGE) * air
    # Knots: part of the swing, knee flexion over its peak, way of the leg from behind (0) to ahead (1).
    if gait.running:
        peak = np.radians(75.0 + 9.5 * gait.pace)
        knots = [(0.20, 0.64, -0.06), (0.45, 1.0, 0.10), (0.70, 0.70, 0.74)]
        last, extra, ahead = 0.88, 0.2, 1.10
    else:
        peak = np.radians(min(46.0 + 12.0 * gait.pace, 68.0))
        knots = [(0.31, 1.0, 0.17), (0.615, 0.58, 0.68)]
        last, extra, ahead = 0.85, 0.10 + 0.05 * gait.pace, 0.98
    knots.append((last, extra + meet[0, 0] / peak, ahead))  # the knee straightens towards what it lands with
    change = meet[0] - leave[0]
    at, values = [0.0], [leave[0]]
    for part, bent, way in knots:
        at.append(part)
        values.append(np.array([bent * peak, leave[0, 1] + way * change[1], leave[0, 2] + part * change[2]]))
    return CubicSpline([*at, 1.0], [*values, meet[0]], bc_type=((1, leave_speed), (1, meet_speed)))


def _on_floor(gait: GaitLaws, path: ArcPath, side: int, stride: float, phase: FloatArray) -> FloatArray:
    """Knee flexion, leg angle and sideways part ``(..., 3)`` while the foot is on the floor."""
    number = np.full_like(phase, stride)
    times = strike_time(gait, side, number) + phase * gait.stride_time
    hips = hip_positions(gait, side, *pelvis_track(gait, path, times))
    ankles = planted_ankles(gait, path, side, number, phase)
    leg = rot.rotate(rot.from_yaw(-path.heading(times)), ankles - hips) / gait.hip_height
    cosine = (np.sum(leg**2, axis=-1) - THIGH**2 - SHANK**2) / (2.0 * THIGH * SHANK)
    knee = np.arccos(np.clip(cosine, -1.0, 1.0))
    return np.stack([knee, np.arctan2(leg[:, 2], -leg[:, 1]), gait.hip_height * leg[:, 0]], axis=-1)
