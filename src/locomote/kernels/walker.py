"""The body of a walking person at a moment of its course, before its feet are held to the ground."""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from locomote.kernels import drive
from locomote.kernels._compile import inline, part
from locomote.kernels.cycle_pose import Frame, joint_rotations, place_joint, place_root, sample
from locomote.kernels.vector import Floats, Ints, Vector

Floats32: TypeAlias = npt.NDArray[np.float32]

BANK = 0.5  # of the angle at which gravity and turning balance


class Model(NamedTuple):
    """A model of human motion as plain arrays."""

    basis: Floats32  # (P, (S + 2) 3 width) control points of every part's quadratic spline over the cycle; the last
    # one stands before them, too, and the first one after them
    curve: Floats  # (2, 3, m) walk and run as functions 1, s, sqrt(s) of the speed
    styles: Floats  # (K, 2, 2 m + 2) offset, slope, slowest and fastest speed
    timing: Floats  # (K, 2, T, 6) see `drive`
    stands: Floats32  # (K, 3 width) standing poses
    numbers: Floats  # see `drive`
    joints: (
        Floats32  # (11, width) centres (4), offsets (3), parent, hinge axis (1 to 3, 0 for none), the sign of
    )
    # its bend, the tangent of half its widest bend
    legs: Ints  # (L, 4) hip, knee, ankle, ball
    sole: Floats  # (3, 3) hip heights: heel and ball in the frame of the ankle, tip of the toes in that of the ball


@inline
def pose_body(row: Floats, cached: Floats32, model: Model, frame: Frame) -> None:
    """Fill ``frame`` with the body at the place, heading and phase of a row; ``cached`` holds its factors."""
    height, ground = _play(row, cached, model, frame)
    place_root(ground, row[drive.YAW], _lean(row), height, model.joints, frame)
    for j in range(1, frame.rotations.shape[0]):
        place_joint(j, height, model.joints, frame)


@part
def pose_leg(leg: int, row: Floats, cached: Floats32, model: Model, frame: Frame) -> None:
    """The same for the pelvis and one leg alone."""
    height, ground = _play(row, cached, model, frame)
    place_root(ground, row[drive.YAW], _lean(row), height, model.joints, frame)
    for k in range(model.legs.shape[1]):
        place_joint(model.legs[leg, k], height, model.joints, frame)


@inline
def _play(row: Floats, cached: Floats32, model: Model, frame: Frame) -> tuple[float, Vector]:
    """Fill pose and turns of a frame for the phase of a row; returns the hip height and the place on the ground."""
    phase = row[drive.CYCLES] - math.floor(row[drive.CYCLES])
    row[drive.HELD] = sample(phase, int(row[drive.HELD]), cached, model.basis, frame.pose)
    joint_rotations(frame.pose, model.joints, frame.turns)
    return row[drive.LEG] / drive.LEG_SHARE, (row[drive.X], row[drive.Y], row[drive.Z])


@inline
def _lean(row: Floats) -> float:
    """How far a body leans to its right: into a turn."""
    return -BANK * math.atan(row[drive.SPEED] * row[drive.TURN] / drive.GRAVITY)


@part
def refresh(row: Floats, factors: Floats32, model: Model) -> None:
    """The factors of one character's motion, from its parameters."""
    curve, styles, stands, numbers = model.curve, model.styles, model.stands, model.numbers
    components = curve.shape[2]
    parts = factors.shape[0] - stands.shape[1]
    # Bodies of different size move alike at the same Froude number.
    speed = row[drive.STRIDE_SPEED] * math.sqrt(drive.LEG_SHARE * drive.REFERENCE_HIP_HEIGHT / row[drive.LEG])
    factors[:] = 0.0
    present = 0.0
    for g in range(2):
        share = row[drive.RUN] if g == 1 else 1.0 - row[drive.RUN]
        if share <= 0.0:
            continue
        slowest = numbers[drive.SLOWEST + g]
        amount = share * min(1.0, speed / slowest) ** numbers[drive.EXPONENT]
        present += amount
        s = max(min(speed, numbers[drive.FASTEST + g]), slowest)
        root = math.sqrt(s)
        for i in range(components):
            factors[1 + i] += amount * (curve[g, 0, i] + s * curve[g, 1, i] + root * curve[g, 2, i])
        for k in range(styles.shape[0]):
            weight = row[drive.WEIGHTS + k]
            if weight == 0.0:
                continue
            style = styles[k, g]
            held = min(style[2 * components + 1], max(style[2 * components], s)) - numbers[g]
            offset, slope = style[:components], style[components : 2 * components]
            for i in range(components):
                factors[1 + i] += amount * weight * (offset[i] + held * slope[i])
    factors[0] = present
    row[drive.HELD] = -1.0
    if present < 1.0:
        still = factors[parts:]
        for k in range(styles.shape[0]):
            amount32 = np.float32((1.0 - present) * row[drive.WEIGHTS + k])
            if amount32 != 0.0:
                stand = stands[k]
                for c in range(stands.shape[1]):
                    still[c] += amount32 * stand[c]
