"""What is to be seen of characters at one moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton
from locomote.studio._feet import BoolArray


@dataclass(frozen=True, eq=False)
class PageFrame:
    """What is to be seen of N characters at one moment."""

    positions: FloatArray  # (N, J, 3) joints in the world
    turns: FloatArray  # (N, J, 4)
    scales: FloatArray  # (N,)
    points: FloatArray  # (N, L, P, 3) of the feet
    standing: BoolArray  # (N, L, P) which of them touch

    @property
    def planted(self) -> BoolArray:
        """Which feet stand, ``(N, L)``."""
        out: BoolArray = np.any(self.standing, axis=-1)
        return out


def posed(
    skeleton: Skeleton,
    roots: FloatArray,
    rotations: FloatArray,
    scales: FloatArray | None = None,
    offsets: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """World positions ``(N, J, 3)`` and rotations ``(N, J, 4)`` of the joints of N characters of any size."""
    from locomote.math.fk import forward_kinematics

    count = len(roots)
    positions, turns = np.empty((count, len(skeleton), 3)), np.empty((count, len(skeleton), 4))
    sizes = np.ones(count) if scales is None else scales
    local = sizes[:, None, None] * (skeleton.offsets if offsets is None else offsets)
    forward_kinematics(skeleton.parents, local, roots, rotations, positions, turns)
    return positions, turns
