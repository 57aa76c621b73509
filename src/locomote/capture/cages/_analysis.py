"""What a tracked body tells: how far it is from the truth, and the curves and cycles of its gait."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import IntArray

_CALM = 0.12  # s, over which the way of the feet is smoothed before cycles are counted
_LEAST_STRIDE = 0.08  # of a leg's length: feet that go back and forth by less do not walk
_LEAST_CYCLE = 0.4  # s


class Errors(NamedTuple):
    """Distances of joints from where they truly are, mm (CAG-13)."""

    mean: float
    median: float  # of the frames' means
    deviation: float  # of the frames' means
    worst: float  # frame
    joints: FloatArray  # (J,) mean of each
    frames: FloatArray  # (F,) mean of each


class GaitCurves(NamedTuple):
    """Curves by which gaits are read (CAG-12)."""

    ankles: FloatArray  # (F, 2) m, heights of the left and the right ankle over the lowest they come
    wrists: FloatArray  # (F, A) m, how far each wrist is ahead of the pelvis
    feet: FloatArray  # (F,) m, how far the left ankle is ahead of the right one
    cycles: IntArray  # frames at which the left foot is furthest ahead: where a cycle begins


def errors_of(found: ArrayLike, truth: ArrayLike) -> Errors:
    """How far joints are from the truth.

    Parameters
    ----------
    found, truth : (F, J, 3) m
    """
    a, b = np.asarray(found, dtype=np.float64), np.asarray(truth, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 3 or a.shape[2] != 3:
        raise LocomoteError(f"joints of shapes {a.shape} and {b.shape}: expected the same (F, J, 3)")
    away = 1000.0 * np.linalg.norm(a - b, axis=2)
    frames = away.mean(axis=1)
    return Errors(
        float(away.mean()),
        float(np.median(frames)),
        float(frames.std()),
        float(frames.max()),
        away.mean(axis=0),
        frames,
    )


def gait_curves(motion: Motion) -> GaitCurves:
    """Heights of the ankles, swing of the wrists beside the pelvis, and cycles of a walk.

    Parameters
    ----------
    motion : of a body with two legs
    """
    from scipy.ndimage import gaussian_filter1d
    from scipy.signal import find_peaks

    roles, joints = motion.skeleton.roles, motion.joint_positions()
    legs = {leg.side: leg for leg in roles.legs}
    if set(legs) != {"left", "right"}:
        raise LocomoteError(f"gait curves are of bodies with a left and a right leg; this one has {len(roles.legs)}")
    left, right = joints[:, legs["left"].ankle], joints[:, legs["right"].ankle]
    across = joints[:, legs["left"].hip] - joints[:, legs["right"].hip]
    ahead = np.cross(across, (0.0, 1.0, 0.0))
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    ankles = np.stack([left[:, 1], right[:, 1]], axis=1)
    pelvis = joints[:, roles.root]
    wrists = [np.sum((joints[:, arm.wrist] - pelvis) * ahead, axis=1) for arm in roles.arms]
    feet = np.sum((left - right) * ahead, axis=1)
    calm = gaussian_filter1d(feet, _CALM * motion.fps / 2.0)
    least = _LEAST_STRIDE * motion.skeleton.leg_length()
    peaks, _ = find_peaks(calm, prominence=2.0 * least, distance=max(1, round(_LEAST_CYCLE * motion.fps)))
    swings = np.stack(wrists, axis=1) if wrists else np.zeros((len(motion), 0))
    return GaitCurves(ankles - ankles.min(axis=0), swings, feet, peaks.astype(np.int64))
