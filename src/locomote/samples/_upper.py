"""Trunk, head and arms: they balance what the legs and the pelvis do."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.rotations import FloatArray
from locomote.samples._feet import SIDES, stride_clock
from locomote.samples._gait import GaitLaws
from locomote.skeleton import Skeleton

_HEAD_STEADINESS = 0.75  # part of the chest's turn and roll that the neck takes back


def pose_upper_body(
    skeleton: Skeleton, gait: GaitLaws, times: FloatArray, heading: FloatArray, bank: float, local: FloatArray
) -> None:
    """Fill the local rotations ``local (F, J, 4)`` above the pelvis; joint 0 is posed already."""
    roles = skeleton.roles
    _, phase = stride_clock(gait, 0, times)
    chest, head = _trunk(gait, phase, bank)
    path = rot.from_yaw(heading)
    chest, head = rot.multiply(path, chest), rot.multiply(path, head)
    _spread(local, roles.spine, local[:, 0], chest)
    assert roles.head is not None
    _spread(local, (*roles.neck, roles.head), chest, head)
    for side, arm in enumerate(roles.arms):
        _, own = stride_clock(gait, side, times)
        assert arm.clavicle is not None
        _pose_arm(local, gait, own, SIDES[side], (arm.clavicle, arm.shoulder, arm.elbow, arm.wrist))


def _spread(local: FloatArray, joints: tuple[int, ...], below: FloatArray, above: FloatArray) -> None:
    """Share the turn between two bodies equally among the joints that connect them."""
    whole = rot.log(rot.multiply(rot.inverse(below), above))
    local[:, list(joints)] = rot.exp(whole / len(joints))[:, None]


def _trunk(gait: GaitLaws, phase: FloatArray, bank: float) -> tuple[FloatArray, FloatArray]:
    """Rotations of chest and head against the path."""
    pace = gait.pace
    if gait.running:
        turn, lean, sway, nod = 7.0 + 1.2 * pace, 4.0 + 1.2 * pace, 1.5, 1.5
    else:
        turn, lean, sway, nod = 1.5 + 2.0 * pace, 0.5 + 1.6 * pace, 1.3, 0.7
    cycle = 2.0 * np.pi * phase
    yaw = np.radians(turn) * np.cos(cycle - 0.25)
    roll = -np.radians(sway) * np.cos(cycle - 2.0 * np.pi * 0.5 * gait.duty_factor)
    pitch = np.radians(lean + nod * np.cos(2.0 * cycle - 1.2))
    chest = rot.from_euler("yzx", np.stack([yaw, roll - bank, pitch], axis=-1))
    loose = 1.0 - _HEAD_STEADINESS
    nodding = np.radians(2.0 + 0.25 * lean - 0.5 * nod * np.cos(2.0 * cycle - 1.2))
    head = rot.from_euler("yzx", np.stack([loose * yaw, loose * roll - 0.6 * bank, nodding], axis=-1))
    return chest, head


def _pose_arm(
    local: FloatArray, gait: GaitLaws, phase: FloatArray, side: float, joints: tuple[int, int, int, int]
) -> None:
    """One arm, against its own leg: back when that heel strikes. ``side`` is 1 left and -1 right."""
    pace = gait.pace
    if gait.running:
        swing, middle, bend, pump = 18.0 + 5.0 * pace, -14.0, 92.0, 10.0
        out, inward, lag = 10.0, 7.0, 0.02
    else:
        swing, middle, bend, pump = 3.0 + 11.0 * pace, -6.0, 10.0 + 6.0 * pace, 2.0 + 6.0 * pace
        out, inward, lag = 7.0, 12.0, 0.04
    cycle = 2.0 * np.pi * (phase - lag)
    forward = -np.cos(cycle)
    late = -np.cos(cycle - 0.5)  # the forearm and the hand follow the upper arm
    flexion = np.radians(middle + swing * forward)
    zero = np.zeros_like(phase)
    clavicle, shoulder, elbow, wrist = joints
    shrug = np.radians(-2.0 - 0.12 * swing * forward)
    girdle = np.stack([side * shrug, zero - side * np.radians(3.0)], axis=-1)
    local[:, clavicle] = rot.from_euler("yz", girdle)
    # From the T-pose: turn about the bone, hang down, swing.
    hang = -side * np.radians(90.0 - out - 3.0)
    local[:, shoulder] = rot.from_euler("xzx", np.stack([-flexion, zero + hang, zero + np.radians(inward)], axis=-1))
    local[:, elbow] = rot.from_euler("y", -side * np.radians(bend + pump * late)[:, None])
    curl = np.stack([zero + side * np.radians(-4.0), -side * np.radians(8.0 + 4.0 * late)], axis=-1)
    local[:, wrist] = rot.from_euler("yz", curl)
