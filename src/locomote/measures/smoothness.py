"""Jerks and stretches: accelerations of the joints, pops, bone lengths that change."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.motion import Motion
from locomote.rotations import FloatArray

POP = 1500.0  # m/s2, more than any joint of a running person reaches; scaled up for fast small bodies by the caller


class Smoothness(NamedTuple):
    """Peak accelerations and what breaks continuity."""

    peak_acceleration: float  # m/s2, over all joints
    peak_joint: str
    by_joint: dict[str, float]
    pop_frames: tuple[int, ...]  # frames in which some joint accelerates by more than `POP`
    bone_drift: float  # mm, the largest change of any bone's length


def smoothness(motion: Motion, positions: FloatArray) -> Smoothness:
    """Figures from the joints' world positions ``(F, J, 3)``."""
    names = motion.skeleton.names
    if len(motion) < 3:
        return Smoothness(0.0, names[0], dict.fromkeys(names, 0.0), (), 0.0)
    second = 2.0 * positions[1:-1]
    np.subtract(positions[2:], second, out=second)
    second += positions[:-2]
    acceleration = np.linalg.norm(second, axis=-1) * motion.fps**2
    peaks = np.max(acceleration, axis=0)
    worst = int(np.argmax(peaks))
    pops = np.flatnonzero(np.any(acceleration > POP, axis=1)) + 1
    return Smoothness(
        peak_acceleration=float(peaks[worst]),
        peak_joint=names[worst],
        by_joint={name: float(peak) for name, peak in zip(names, peaks, strict=True)},
        pop_frames=tuple(int(f) for f in pops),
        bone_drift=_bone_drift(motion),
    )


def _bone_drift(motion: Motion) -> float:
    """Bones can only change where joints move against their parents."""
    if motion.translations is None or len(motion.skeleton) == 1:
        return 0.0
    parents = motion.skeleton.parents
    # What hangs directly on an empty root is carried by it, not tied to it by a bone.
    bones = [j for j in range(1, len(parents)) if parents[j] != 0 and j != motion.skeleton.roles.root]
    if not bones:
        return 0.0
    lengths = np.linalg.norm(motion.translations[:, bones], axis=-1)
    return 1000.0 * float(np.max(np.ptp(lengths, axis=0)))
