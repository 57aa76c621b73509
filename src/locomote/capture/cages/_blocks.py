"""From quads to a closed cage: the convex hull of the quads of each block, less the quads between two blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

Block = tuple[int, ...]  # the quads at its ends


class Cage(NamedTuple):
    """A closed cage of triangles, four corners a quad in the order of the quads."""

    vertices: FloatArray  # (4 Q, 3)
    faces: IntArray  # (8 Q - 4, 3) facing outwards


def bridged(corners: FloatArray, blocks: Sequence[Block], names: Sequence[str]) -> Cage:
    """The cage of ``corners (Q, 4, 3)``; a quad in one block only closes it, one in two blocks is open between them.

    Parameters
    ----------
    corners : m, counter-clockwise as seen from where a quad's normal points
    blocks : the quads of every block
    names : of the quads, for errors
    """
    shared = np.bincount([q for block in blocks for q in block], minlength=len(corners)) > 1
    faces = []
    for block in blocks:
        ids = np.concatenate([np.arange(4) + 4 * q for q in block])
        points = corners.reshape(-1, 3)[ids]
        try:
            hull = ConvexHull(points)
        except QhullError:
            raise LocomoteError(f"cage: the block of {_said(block, names)} is flat") from None
        sides = hull.simplices
        across = np.cross(points[sides[:, 1]] - points[sides[:, 0]], points[sides[:, 2]] - points[sides[:, 0]])
        inward = np.einsum("ij,ij->i", across, hull.equations[:, :3]) < 0.0
        sides[inward] = sides[inward][:, ::-1]
        quad_of = ids[sides] // 4
        ends = np.all(quad_of == quad_of[:, :1], axis=1)
        for q in block:
            if np.sum(ends & (quad_of[:, 0] == q)) != 2:
                raise LocomoteError(
                    f"cage: the quad {names[q]} is inside of the block of {_said(block, names)}; "
                    "this body needs quads of its own"
                )
        faces.append(ids[sides[~(ends & shared[quad_of[:, 0]])]])
    return Cage(corners.reshape(-1, 3), np.concatenate(faces).astype(np.int64))


def depths(points: FloatArray, corners: FloatArray, blocks: Sequence[Block]) -> FloatArray:
    """How far points ``(P, 3)`` lie outside of the hull of each block, ``(P, B)`` m; inside it is negative."""
    out = np.empty((len(points), len(blocks)))
    for b, block in enumerate(blocks):
        planes = ConvexHull(corners[list(block)].reshape(-1, 3)).equations
        out[:, b] = np.max(points @ planes[:, :3].T + planes[:, 3], axis=1)
    return out


def _said(block: Block, names: Sequence[str]) -> str:
    return ", ".join(names[q] for q in block)
