"""Legs that bring their ankles to goals: the knees' sides, and how far the body must sink for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.cleaning._easing import smooth_step
from locomote.cleaning._pose import with_world_rotations
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Leg

BoolArray = npt.NDArray[np.bool_]

STRETCH = 0.998  # of its length; the body sinks before a standing leg is pulled straighter
SOFTNESS = 0.001  # of the leg's length, over which it eases into full stretch
SINK_SPREAD = 0.12  # s; how long before and after the body sinks
STRAIGHT_KNEE = 0.02  # of the leg's length; nearer to the line hip to ankle the knee takes the leg's own side


def reach(
    motion: Motion,
    legs: Sequence[Leg],
    goals: FloatArray,
    hinges: FloatArray,
    feet: Mapping[int, FloatArray] | None = None,
) -> Motion:
    """The motion with its legs turned so that the ankles come to the goals ``(F, L, 3)``.

    ``hinges (L, 3)`` are the axes of the knees in the frames of the hips, see `knee_hinges`. The joints from the
    ankle on keep their rotation in the world, or get that of ``feet``: joint -> ``(F, 4)``.
    """
    from locomote.math.two_bone import two_bone_ik

    positions, world = motion.world()
    new: dict[int, FloatArray] = {}
    upper, lower = np.empty((len(motion), 4)), np.empty((len(motion), 4))
    for i, leg in enumerate(legs):
        hip, knee, ankle = (np.ascontiguousarray(positions[:, j]) for j in (leg.hip, leg.knee, leg.ankle))
        bent, poles = _bent_forward(hip, knee, ankle, rot.rotate(world[:, leg.hip], hinges[i]))
        two_bone_ik(hip, bent, ankle, np.ascontiguousarray(goals[:, i]), poles, SOFTNESS, upper, lower)
        thigh = rot.multiply(upper, rot.between(knee - hip, bent - hip))
        shank = rot.multiply(lower, rot.between(ankle - knee, ankle - bent))
        for place, j in enumerate(leg.chain):
            if place < leg.chain.index(leg.knee):
                new[j] = rot.multiply(thigh, world[:, j])
            elif place < leg.chain.index(leg.ankle):
                new[j] = rot.multiply(shank, world[:, j])
            else:
                new[j] = world[:, j]
    new.update(feet or {})
    return with_world_rotations(motion, new)


def _bent_forward(
    hip: FloatArray, knee: FloatArray, ankle: FloatArray, hinge: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The knees, and where they are to bend to: their present side, or on a straight leg that of the leg's build.

    A knee that is pushed through is given as one bent as much to its proper side: with that small turn about its
    hinge taken out first, the leg is not twisted about itself when it must bend.
    """
    line = ankle - hip
    offset = _off_line(knee - hip, line)
    length = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
    front = np.cross(line, hinge)
    front = front / np.maximum(np.linalg.norm(front, axis=1, keepdims=True), 1e-12)
    ahead = np.sum(offset * front, axis=1)[:, None]
    present = smooth_step(ahead / (STRAIGHT_KNEE * length[:, None]))
    poles = present * offset + (1.0 - present) * front * STRAIGHT_KNEE * length[:, None]
    through = np.maximum(-ahead, 0.0) * front
    return np.ascontiguousarray(knee + 2.0 * through), np.ascontiguousarray(poles)


def knee_hinges(motion: Motion, legs: Sequence[Leg]) -> FloatArray:
    """The axes ``(L, 3)`` about which the knees of a motion bend, in the frames of the hip joints."""
    positions, world = motion.world()
    out = np.zeros((len(legs), 3))
    for i, leg in enumerate(legs):
        line = positions[:, leg.ankle] - positions[:, leg.hip]
        offset = _off_line(positions[:, leg.knee] - positions[:, leg.hip], line)
        # Long where the knee is well bent: straight legs have no say in it.
        axis = rot.rotate(rot.inverse(world[:, leg.hip]), np.cross(offset, line)).sum(axis=0)
        out[i] = axis / max(float(np.linalg.norm(axis)), 1e-12)
    return out


def _off_line(points: FloatArray, line: FloatArray) -> FloatArray:
    """The part of vectors that is square to a line."""
    squared = np.maximum(np.sum(line * line, axis=1, keepdims=True), 1e-12)
    out: FloatArray = points - line * np.sum(points * line, axis=1, keepdims=True) / squared
    return out


def allowed_reach(positions: FloatArray, leg: Leg, least: float = STRETCH, most: float = 1.0 - SOFTNESS) -> FloatArray:
    """How far a standing leg may be stretched, ``(F,)``: as recorded, but between two shares of its length."""
    hip, knee, ankle = (positions[:, j] for j in (leg.hip, leg.knee, leg.ankle))
    length = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
    out: FloatArray = np.clip(np.linalg.norm(ankle - hip, axis=1), least * length, most * length)
    return out


def needed_sink(hips: FloatArray, goals: FloatArray, reaches: FloatArray, standing: BoolArray) -> FloatArray:
    """How far the body must sink, ``(F,)``, for its standing legs to reach their goals.

    ``hips`` and ``goals (F, L, 3)`` are places in the world, ``reaches (F, L)`` what the legs may be stretched to.
    """
    away = hips - goals
    below = np.sqrt(np.maximum(reaches**2 - away[..., 0] ** 2 - away[..., 2] ** 2, 0.0))
    need: FloatArray = np.max(np.where(standing, away[..., 1] - below, 0.0), axis=1, initial=0.0)
    return need


def smooth_cover(need: FloatArray, fps: float, spread: float = SINK_SPREAD) -> FloatArray:
    """A smooth curve that is nowhere below ``need (F,)``; no phase shift, flat where there is no need."""
    from scipy.ndimage import convolve1d, maximum_filter1d

    if not np.any(need > 1e-9):
        return np.zeros_like(need)
    width = max(1, round(spread * fps))
    # A window no wider than the filter before it: the mean of maxima over it cannot fall below the need.
    window = np.hanning(2 * width + 3)[1:-1]
    covered = maximum_filter1d(need, 2 * width + 1, mode="nearest")
    smooth: FloatArray = convolve1d(covered, window / window.sum(), mode="nearest")
    return smooth
