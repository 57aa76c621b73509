"""As rigid as it can be: overlapping clusters of vertices, each matched by a rotation (ANA-04)."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import block_diag, csr_array
from scipy.spatial import cKDTree

from locomote.rotations import FloatArray
from locomote.skeleton import IntArray


def neighbours(vertices: FloatArray, bones: IntArray, radius: float) -> Any:
    """Which vertices of the same bone are within ``radius``, m, of each: a sparse matrix ``(V, V)`` of ones."""
    parts, order = [], []
    for bone in np.unique(bones):
        mine = np.flatnonzero(bones == bone)
        order.append(mine)
        if not np.isfinite(radius):
            parts.append(csr_array(np.ones((len(mine), len(mine)))))
            continue
        tree = cKDTree(vertices[mine])
        near = tree.sparse_distance_matrix(tree, radius, output_type="coo_matrix").tocsr()
        near.data[:] = 1.0
        near.setdiag(1.0)
        parts.append(csr_array(near))
    places = np.concatenate(order)
    back = np.empty(len(places), dtype=np.int64)
    back[places] = np.arange(len(places))
    return csr_array(block_diag(parts, format="csr"))[back][:, back]


def shape_match(rest: FloatArray, wished: FloatArray, masses: FloatArray, near: Any) -> FloatArray:
    """Displacements ``(V, 3)``, m, that keep clusters rigid and come nearest to the wished ones.

    Parameters
    ----------
    rest : (V, 3) m, where vertices are
    wished : (V, 3) m, how they would be displaced
    masses : (V,) how much each has to say
    near : the clusters, see `neighbours`; one of each vertex
    """
    share = near @ masses
    over = 1.0 / np.maximum(share, 1e-300)
    middle = (near @ (masses[:, None] * rest)) * over[:, None]
    goal = rest + wished
    moved = (near @ (masses[:, None] * goal)) * over[:, None]
    products = (masses[:, None, None] * goal[:, :, None] * rest[:, None, :]).reshape(len(rest), 9)
    spread = (near @ products).reshape(-1, 3, 3) - share[:, None, None] * moved[:, :, None] * middle[:, None, :]
    turn = rotations_of(spread)
    # Every vertex goes where the clusters around it take it on the average.
    shift = moved - np.einsum("vij,vj->vi", turn, middle)
    sums = near @ np.concatenate([turn.reshape(-1, 9), shift], axis=1)
    sums /= np.asarray(near.sum(axis=1)).reshape(-1, 1)
    return np.asarray(np.einsum("vij,vj->vi", sums[:, :9].reshape(-1, 3, 3), rest) + sums[:, 9:] - rest)


def rotations_of(matrices: FloatArray) -> FloatArray:
    """The rotations nearest to matrices ``(..., 3, 3)``."""
    u, _, v = np.linalg.svd(matrices)
    flip = np.sign(np.linalg.det(u @ v))
    u[..., 2] *= np.where(flip == 0.0, 1.0, flip)[..., None]
    return np.asarray(u @ v)
