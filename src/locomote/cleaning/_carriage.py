"""The body carried so that its knees go on bending as recorded while its feet stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Leg

# What counts as much as what else, of somebody with a leg of 0.9 m; all go with the length of the leg.
SHIFT = 0.002  # m, of the body from where it was recorded
SWAY = 4.0  # m/s^2, of that shift
BEND = 0.1  # m, of a knee's distance from the line of hip and ankle
JOLT = 5.0  # m/s^2, of that distance beyond its recorded acceleration
STRAIGHTEST = 0.9995  # of its length, from which on a leg is taken to bend on at the same rate
LEAST_SHIFT = 1e-6  # m; a body that would move less stays
LEAST_FALL = 1e-3  # of the cost, in a round that is worth another
_ROUNDS = 12
_HALVINGS = 6


class _Leg(NamedTuple):
    """One leg: all ``(F,)`` or ``(F, 3)``."""

    hip: FloatArray
    goal: FloatArray  # of the ankle
    upper: FloatArray  # m
    lower: FloatArray
    bend: FloatArray  # m, as recorded


def carriage(motion: Motion, legs: Sequence[Leg], goals: FloatArray, size: float) -> FloatArray:
    """How far the body moves ``(F, 3)`` for legs whose ankles go to ``goals (F, L, 3)``.

    The least shift, the least acceleration of it and the knees that bend and quicken most nearly as recorded, all in
    one least-squares problem over the whole clip; ``size`` is of the legs, beside those of an adult.
    """
    places = motion.joint_positions()
    rows = []
    for i, leg in enumerate(legs):
        hip, knee, ankle = (places[:, j] for j in (leg.hip, leg.knee, leg.ankle))
        upper, lower = np.linalg.norm(knee - hip, axis=1), np.linalg.norm(ankle - knee, axis=1)
        bend = _bend(np.linalg.norm(ankle - hip, axis=1), upper, lower)[0]
        rows.append(_Leg(hip, goals[:, i], upper, lower, bend))
    shift = np.zeros((len(motion), 3))
    cost = _cost(shift, rows, motion.fps, size)
    for _ in range(_ROUNDS):
        step = _step(shift, rows, motion.fps, size)
        for _ in range(_HALVINGS):
            tried = _cost(shift + step, rows, motion.fps, size)
            if tried < cost:
                break
            step = 0.5 * step
        else:
            break
        shift, fall, cost = shift + step, cost - tried, tried
        if fall < LEAST_FALL * cost:
            break
    return shift if np.max(np.abs(shift)) > LEAST_SHIFT else np.zeros_like(shift)


def _bend(distance: FloatArray, upper: FloatArray, lower: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How far a knee is off the line of hip and ankle, and how that grows with their distance."""
    straight = STRAIGHTEST * (upper + lower)
    d = np.clip(distance, np.abs(upper - lower) + 1e-6, straight)
    along = (d**2 + upper**2 - lower**2) / (2.0 * d)
    off = np.sqrt(np.maximum(upper**2 - along**2, 1e-12))
    rate = -along * (1.0 - along / d) / off
    return off + rate * (distance - d), rate


def _residuals(shift: FloatArray, leg: _Leg) -> tuple[FloatArray, FloatArray]:
    """By how much a knee bends otherwise than recorded, and how that grows with the shift ``(F, 3)``."""
    line = leg.hip + shift - leg.goal
    distance = np.linalg.norm(line, axis=1)
    bend, rate = _bend(distance, leg.upper, leg.lower)
    return bend - leg.bend, (rate / np.maximum(distance, 1e-9))[:, None] * line


def _cost(shift: FloatArray, legs: Sequence[_Leg], fps: float, size: float) -> float:
    total = np.sum((shift / (SHIFT * size)) ** 2) + np.sum((_second(shift, fps) / (SWAY * size)) ** 2)
    for leg in legs:
        off = _residuals(shift, leg)[0]
        total += np.sum((off / (BEND * size)) ** 2) + np.sum((_second(off, fps) / (JOLT * size)) ** 2)
    return float(total)


def _second(values: FloatArray, fps: float) -> FloatArray:
    out: FloatArray = np.diff(values, 2, axis=0) * fps**2
    return out


def _step(shift: FloatArray, legs: Sequence[_Leg], fps: float, size: float) -> FloatArray:
    """One step of Gauss and Newton."""
    from scipy.linalg import solveh_banded

    frames = len(shift)
    near, smooth = (SHIFT * size) ** -2, (fps**2 / (SWAY * size)) ** 2
    blocks = np.zeros((3, frames, 3, 3))  # of the normal matrix: frame with itself, with the next, with the one after
    right = np.zeros((frames, 3))
    for axis in range(3):
        unit = np.zeros((frames, 3))
        unit[:, axis] = 1.0
        _add(blocks, right, unit, shift[:, axis], near, smooth)
    for leg in legs:
        off, slopes = _residuals(shift, leg)
        _add(blocks, right, slopes, off, (BEND * size) ** -2, (fps**2 / (JOLT * size)) ** 2)
    bands = np.zeros((9, 3 * frames))
    for ahead in range(3):
        for row in range(3):
            for column in range(3):
                below = 3 * ahead + column - row
                if below >= 0:
                    bands[below, row::3][: frames - ahead] = blocks[ahead, : frames - ahead, row, column]
    step: FloatArray = solveh_banded(bands, -right.ravel(), lower=True).reshape(frames, 3)
    return step


def _add(
    blocks: FloatArray, right: FloatArray, slopes: FloatArray, values: FloatArray, itself: float, second: float
) -> None:
    """Add a residual ``values (F,)`` with its ``slopes (F, 3)``: its square, and that of its second difference."""
    blocks[0] += itself * slopes[:, :, None] * slopes[:, None, :]
    right += itself * slopes * values[:, None]
    weights = (1.0, -2.0, 1.0)
    inner = len(values) - 2
    if inner < 1:
        return
    bent = np.diff(values, 2)
    for a in range(3):
        of = slopes[a : a + inner]
        right[a : a + inner] += second * weights[a] * of * bent[:, None]
        for b in range(a, 3):
            to = slopes[b : b + inner]
            blocks[b - a, a : a + inner] += second * weights[a] * weights[b] * of[:, :, None] * to[:, None, :]
