"""A motion unit as one long vector: root in hip heights, rotations as exponential maps about their mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human_skeleton import COMMON
from locomote.rotations import FloatArray

if TYPE_CHECKING:
    from locomote.human.fitting._cycles import Unit

FIXED = ("LeftShoulder", "RightShoulder")  # they carry no movement in any source
MOVING = tuple(j for j, name in enumerate(COMMON.names) if name not in FIXED)
LONGEST_LOG = np.pi - 0.2  # rad; nearer to pi the logarithm may jump to its other branch
LEAST_NORM = 0.3  # rad; the axis of a shorter vector does not matter
THINNING = 5  # samples from one to the next that the mean rotation is taken over
ROOT_WEIGHT = 2.0
HAND_WEIGHT = 0.3  # hands are the worst captured part
CHANNELS = 3 + 3 * len(MOVING)


@dataclass(frozen=True, eq=False)
class Validity:
    """Diagnostics of the exponential map, for every sample and moving joint over all units.

    Sums of rotation vectors mean what they should where the vectors are short or their axes nearly parallel.
    """

    joints: tuple[str, ...]
    norms: FloatArray  # (S, M) rad, the longest vector
    spreads: FloatArray  # (S, M) rad, the widest angle between an axis and the common line of the axes


@dataclass(frozen=True, eq=False)
class Encoding:
    """The mean rotation of every moving joint, about which logarithms are taken."""

    centres: FloatArray  # (M, 4)

    @staticmethod
    def of(units: Sequence[Unit]) -> Encoding:
        """The encoding about the mean over all poses of the units."""
        poses = np.concatenate([unit.rotations[::THINNING, MOVING] for unit in units])
        return Encoding(rot.mean(poses))

    def encode(self, root: FloatArray, rotations: FloatArray) -> FloatArray:
        """Poses ``(F, 3)`` and ``(F, J, 4)`` as ``(F, CHANNELS)``."""
        logs = rot.log(rot.multiply(rot.inverse(self.centres), rotations[:, MOVING]))
        norms = np.linalg.norm(logs, axis=-1)
        if np.max(norms) > LONGEST_LOG:
            joint = COMMON.names[MOVING[int(np.argmax(norms.max(axis=0)))]]
            raise LocomoteError(f"{joint} turns {np.degrees(norms.max()):.0f} degrees from its mean: too far to encode")
        return np.concatenate([root, logs.reshape(len(root), -1)], axis=1)

    def validity(self, units: Sequence[Unit]) -> Validity:
        """How far linear operations on the rotation vectors of these units may be trusted."""
        stacked = np.stack([unit.rotations[:, MOVING] for unit in units])
        logs = rot.log(rot.multiply(rot.inverse(self.centres), stacked))  # (n, S, M, 3)
        norms = np.linalg.norm(logs, axis=-1)
        axes = logs / np.maximum(norms, 1e-12)[..., None] * (norms > LEAST_NORM)[..., None]
        _, lines = np.linalg.eigh(np.einsum("nsmi,nsmj->smij", axes, axes))
        along = np.abs(np.einsum("nsmi,smi->nsm", axes, lines[..., -1]))
        away = np.where(norms > LEAST_NORM, np.arccos(np.clip(along, 0.0, 1.0)), 0.0)
        return Validity(tuple(COMMON.names[j] for j in MOVING), norms.max(axis=0), away.max(axis=0))

    def decode(self, frames: FloatArray, only: Sequence[int] | None = None) -> tuple[FloatArray, FloatArray]:
        """The inverse of `encode`; with ``only`` some joints are turned and the others are left at rest."""
        turns = rot.identity(len(frames), len(COMMON))
        logs = frames[:, 3:].reshape(len(frames), len(MOVING), 3)
        rows = [k for k, joint in enumerate(MOVING) if only is None or joint in only]
        turns[:, [MOVING[k] for k in rows]] = rot.multiply(self.centres[rows], rot.exp(logs[:, rows]))
        return frames[:, :3], turns


def channel_weights() -> FloatArray:
    """How much each channel counts in the analysis, ``(CHANNELS,)``."""
    weights = np.ones(CHANNELS)
    weights[:3] = ROOT_WEIGHT
    for k, joint in enumerate(MOVING):
        if COMMON.names[joint].endswith("Hand"):
            weights[3 + 3 * k : 6 + 3 * k] = HAND_WEIGHT
    return weights
