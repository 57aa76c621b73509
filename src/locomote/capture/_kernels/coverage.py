"""Silhouettes: the pixels that a mesh covers, row by row, without depth or normals."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline, kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_NEAR = 1e-3  # depth in front of a perspective eye below which nothing is seen
_FLAT = 1e-300  # an edge that no row crosses


@kernel
def cover_frames(
    vertices: Floats,
    triangles: Ints,
    eyes: Floats,
    inverses: Floats,
    perspective: bool,
    scratch: Floats,
    out: Bools,
) -> None:
    """Mark in ``out (F, H, W)`` the pixels whose middle a mesh covers; both faces count.

    ``vertices (F, V, 3)`` are in the world, ``eyes (F, 3)`` and ``inverses (F, 3, 3)`` belong to the camera of each
    frame, ``scratch`` is ``(V, 3)``.
    """
    for f in range(out.shape[0]):
        for v in range(vertices.shape[1]):
            x, y, z = vertices[f, v, 0] - eyes[f, 0], vertices[f, v, 1] - eyes[f, 1], vertices[f, v, 2] - eyes[f, 2]
            for i in range(3):
                scratch[v, i] = inverses[f, i, 0] * x + inverses[f, i, 1] * y + inverses[f, i, 2] * z
            if not perspective:
                scratch[v, 2] = 1.0
        for t in range(triangles.shape[0]):
            _fill(scratch, triangles[t, 0], triangles[t, 1], triangles[t, 2], out[f])


@inline
def _fill(seen: Floats, a: int, b: int, c: int, out: Bools) -> None:
    """Fill one triangle, from corners as homogeneous pixels: in front of the eye it is where all edges agree."""
    height, width = out.shape
    top, bottom = 1e18, -1e18
    behind = 0
    for k in range(3):
        v = a if k == 0 else b if k == 1 else c
        if seen[v, 2] < _NEAR:
            behind += 1
        else:
            y = seen[v, 1] / seen[v, 2]
            top, bottom = min(top, y), max(bottom, y)
    if behind == 3:
        return
    first, last = 0, height
    if behind == 0:
        if bottom < 0.5 or top > height - 0.5:
            return
        first, last = max(0, math.ceil(top - 0.5)), min(height, math.floor(bottom - 0.5) + 1)
    whole = (
        seen[a, 0] * (seen[b, 1] * seen[c, 2] - seen[b, 2] * seen[c, 1])
        - seen[a, 1] * (seen[b, 0] * seen[c, 2] - seen[b, 2] * seen[c, 0])
        + seen[a, 2] * (seen[b, 0] * seen[c, 1] - seen[b, 1] * seen[c, 0])
    )
    if whole == 0.0:
        return
    sign = 1.0 if whole > 0.0 else -1.0
    for row in range(first, last):
        y = row + 0.5
        left, right = 0.5, width - 0.5
        for k in range(3):
            i, j = (b, c) if k == 0 else (c, a) if k == 1 else (a, b)
            # The edge from i to j, positive on the side of the triangle: slope x + rest >= 0.
            slope = sign * (seen[i, 1] * seen[j, 2] - seen[i, 2] * seen[j, 1])
            rest = sign * (
                (seen[i, 2] * seen[j, 0] - seen[i, 0] * seen[j, 2]) * y
                + seen[i, 0] * seen[j, 1]
                - seen[i, 1] * seen[j, 0]
            )
            if slope > _FLAT:
                left = max(left, -rest / slope)
            elif slope < -_FLAT:
                right = min(right, -rest / slope)
            elif rest < 0.0:
                right = -1.0
        for column in range(math.ceil(left - 0.5), math.floor(right - 0.5) + 1):
            out[row, column] = True
