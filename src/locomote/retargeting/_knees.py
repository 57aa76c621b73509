"""Knees that bend no faster than the source's: a leg near full stretch pops where its foot moves by a millimetre."""

from __future__ import annotations

import numpy as np

from locomote.cleaning._legs import SOFTNESS, BoolArray, needed_sink, smooth_cover
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Leg

FASTEST = 1.3  # times the source's fast bending
FAST_SHARE = 99.9  # per cent of the frames of the source bend more slowly than what is called fast
LEAST_SPEED = float(np.radians(60.0))  # rad/s; no knee is held to less, as those of who stands still hardly bend
DEEPEST = 0.05  # of a leg's length; the body sinks no deeper for it: then a standing foot is lifted, too
_ROUNDS = 12  # of sinking and looking again
_ENOUGH = 1e-5  # of a leg's length; less sinking is left out


def fast_bending(motion: Motion, legs: tuple[Leg, ...]) -> float:
    """How fast the knees of a motion may bend on another body, rad a frame."""
    positions = motion.joint_positions()
    speeds = [np.abs(np.diff(_flexions(positions, leg))) for leg in legs]
    fast = float(np.percentile(speeds, FAST_SHARE)) if len(motion) > 1 else 0.0
    return max(FASTEST * fast, LEAST_SPEED / motion.fps)


def _flexions(positions: FloatArray, leg: Leg) -> FloatArray:
    upper, lower = positions[:, leg.knee] - positions[:, leg.hip], positions[:, leg.ankle] - positions[:, leg.knee]
    sine, cosine = np.linalg.norm(np.cross(upper, lower), axis=1), np.sum(upper * lower, axis=1)
    out: FloatArray = np.arctan2(sine, cosine)
    return out


def paced_knees(
    positions: FloatArray, legs: tuple[Leg, ...], goals: FloatArray, standing: BoolArray, most: float, fps: float
) -> tuple[FloatArray, FloatArray]:
    """How far more the body must sink, ``(F,)``, and goals of the ankles ``(F, L, 3)`` with which knees keep to a pace.

    ``positions (F, J, 3)`` are those of the body as it stands, ``most`` the fastest bending, rad a frame. A knee that
    must bend fast begins early and ends late: standing feet stay while the body sinks, others are lifted.
    """
    hips = positions[:, [leg.hip for leg in legs]]
    bones = np.stack([_bones(positions, leg) for leg in legs], axis=1)  # (F, L, 2)
    size = float(bones.sum(axis=2).mean())
    sink = np.zeros(len(positions))
    for _ in range(_ROUNDS):
        low = hips - sink[:, None, None] * np.array([0.0, 1.0, 0.0])
        reaches = _reach(_paced(_flexion(np.linalg.norm(goals - low, axis=2), bones), most), bones)
        need = needed_sink(low, goals, reaches, standing)
        if np.max(need) < _ENOUGH * size:
            break
        sink = np.minimum(sink + smooth_cover(need, fps), DEEPEST * size)
    low = hips - sink[:, None, None] * np.array([0.0, 1.0, 0.0])
    way = goals - low
    length = np.linalg.norm(way, axis=2)
    reaches = _reach(_paced(_flexion(length, bones), most), bones)
    share = np.minimum(reaches / np.maximum(length, 1e-12), 1.0)
    return sink, low + share[..., None] * way


def _bones(positions: FloatArray, leg: Leg) -> FloatArray:
    joints = positions[:, [leg.hip, leg.knee, leg.ankle]]
    out: FloatArray = np.linalg.norm(np.diff(joints, axis=1), axis=2)
    return out


def _flexion(length: FloatArray, bones: FloatArray) -> FloatArray:
    """The bend of a knee, rad, from hip to ankle being so far apart; straight is 0."""
    a, b = bones[..., 0], bones[..., 1]
    reached = np.minimum(length, (1.0 - SOFTNESS) * (a + b))
    cosine = (reached**2 - a**2 - b**2) / np.maximum(2.0 * a * b, 1e-12)
    out: FloatArray = np.arccos(np.clip(cosine, -1.0, 1.0))
    return out


def _reach(flexion: FloatArray, bones: FloatArray) -> FloatArray:
    a, b = bones[..., 0], bones[..., 1]
    out: FloatArray = np.sqrt(np.maximum(a**2 + b**2 + 2.0 * a * b * np.cos(flexion), 0.0))
    return out


def _paced(angles: FloatArray, most: float) -> FloatArray:
    """The smallest curve nowhere below ``angles (F, L)`` that changes by at most ``most`` from frame to frame."""
    ramp = most * np.arange(len(angles))[:, None]
    after = np.maximum.accumulate(angles + ramp, axis=0) - ramp
    before = np.maximum.accumulate((angles - ramp)[::-1], axis=0)[::-1] + ramp
    out: FloatArray = np.maximum(after, before)
    return out
