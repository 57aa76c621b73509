"""The ground as triangles, for drawing and export."""

from __future__ import annotations

import numpy as np

from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.world._pieces import corners

_MARGIN = 5.0  # m of a level base that are shown around the pieces
_QUAD = np.array([[0, 1, 2], [0, 2, 3]])


def base_mesh(grid: FloatArray, frame: FloatArray, pieces: FloatArray) -> tuple[FloatArray, IntArray]:
    """The base: the raster itself, or a level rectangle around all pieces."""
    if grid.size > 1:
        rows, columns = grid.shape
        x, z = frame[0] + frame[2] * np.arange(columns), frame[1] + frame[2] * np.arange(rows)
    else:
        rows, columns = 2, 2
        tops = np.concatenate([np.zeros((1, 3)), *(corners(row) for row in pieces)])
        (x0, _, z0), (x1, _, z1) = tops.min(axis=0) - _MARGIN, tops.max(axis=0) + _MARGIN
        x, z = np.array([x0, x1]), np.array([z0, z1])
    across, along = np.meshgrid(x, z)
    heights = np.broadcast_to(grid, (rows, columns))
    vertices = np.stack([across, heights, along], axis=-1).reshape(-1, 3)
    index = np.arange(rows * columns).reshape(rows, columns)
    quads = np.stack([index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]], axis=-1).reshape(-1, 4)
    return vertices, quads[:, _QUAD].reshape(-1, 3)


def piece_mesh(row: FloatArray, bottom: FloatArray) -> tuple[FloatArray, IntArray]:
    """A piece as a solid from its top down to the heights ``bottom (4,)`` of its lower corners.

    Every face has corners of its own, so that no program rounds the edges off.
    """
    top = corners(row)
    under = top.copy()
    under[:, 1] = np.minimum(bottom, top[:, 1])
    walls = [[top[k], under[k], under[(k + 1) % 4], top[(k + 1) % 4]] for k in range(4)]
    faces = np.array([top, under[::-1], *walls])
    triangles = (4 * np.arange(6)[:, None, None] + _QUAD).reshape(-1, 3)
    return faces.reshape(-1, 3), triangles
