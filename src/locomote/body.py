"""The visible body of a skeleton: a skinned mesh, and capsules along the bones where a file brings none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from locomote.rotations import FloatArray
from locomote.skeleton import IntArray


@dataclass(frozen=True, eq=False)
class Body:
    """A mesh that follows the joints: each vertex by up to four of them.

    ``vertices`` are in the bind pose and in the world, metres. ``source`` is what a format needs to write the
    original file again with its materials and textures; other formats ignore it.
    """

    vertices: FloatArray  # (V, 3)
    triangles: IntArray  # (T, 3)
    joints: IntArray  # (V, 4)
    weights: FloatArray  # (V, 4), each row sums to 1
    bind_positions: FloatArray  # (J, 3) world, the joints when the vertices were attached
    bind_rotations: FloatArray  # (J, 4)
    source: Any = None

    def scaled(self, factor: float) -> Body:
        """The same body, larger or smaller. The original file no longer fits it and is let go."""
        return replace(
            self, vertices=self.vertices * factor, bind_positions=self.bind_positions * factor, source=None
        )

    def posed(self, positions: FloatArray, rotations: FloatArray) -> FloatArray:
        """The vertices ``(V, 3)`` for world joint positions ``(J, 3)`` and rotations ``(J, 4)`` of one frame."""
        from locomote import rotations as rot

        turn = rot.multiply(rotations, rot.inverse(self.bind_rotations))
        shift = positions - rot.rotate(turn, self.bind_positions)
        out = np.zeros_like(self.vertices)
        for k in range(self.joints.shape[1]):
            j = self.joints[:, k]
            out += self.weights[:, k : k + 1] * (rot.rotate(turn[j], self.vertices) + shift[j])
        return out
