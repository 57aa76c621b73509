"""Skinned surfaces, frame after frame."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.math._compile import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@kernel
def skin_frames(vertices: Floats, joints: Ints, weights: Floats, turns: Floats, shifts: Floats, out: Floats) -> None:
    """Where vertices ``(V, 3)`` of the bind pose are in every frame, ``out (F, V, 3)``.

    ``turns (F, J, 3, 3)`` and ``shifts (F, J, 3)`` take a point from the bind pose to where a joint carries it;
    ``joints (V, K)`` and ``weights (V, K)`` say which joints a vertex follows.
    """
    for f in range(out.shape[0]):
        for v in range(vertices.shape[0]):
            x, y, z = vertices[v, 0], vertices[v, 1], vertices[v, 2]
            px, py, pz = 0.0, 0.0, 0.0
            for k in range(joints.shape[1]):
                share = weights[v, k]
                if share == 0.0:
                    continue
                j = joints[v, k]
                px += share * (turns[f, j, 0, 0] * x + turns[f, j, 0, 1] * y + turns[f, j, 0, 2] * z + shifts[f, j, 0])
                py += share * (turns[f, j, 1, 0] * x + turns[f, j, 1, 1] * y + turns[f, j, 1, 2] * z + shifts[f, j, 1])
                pz += share * (turns[f, j, 2, 0] * x + turns[f, j, 2, 1] * y + turns[f, j, 2, 2] * z + shifts[f, j, 2])
            out[f, v, 0], out[f, v, 1], out[f, v, 2] = px, py, pz
