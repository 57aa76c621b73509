"""As rigid as it can be: overlapping clusters of vertices, each matched by a rotation (ANA-04).

Clusters of neighbours are nearly the same, so each is summed from its parent's sum and what the two do not share: on
fine meshes a small part of the additions (ANA-05).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree
from scipy.spatial import cKDTree

from locomote.capture.bodies._kernels.sums import find_changes, sum_clusters
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

NEAREST = 6  # vertices, of which one may become the parent


@dataclass(frozen=True, eq=False)
class Clusters:
    """A cluster of vertices around each vertex."""

    starts: IntArray  # (V + 1,) where the members of each cluster begin
    members: IntArray  # vertices, cluster after cluster
    order: IntArray  # (V,) parents first
    parents: IntArray  # (V,) the cluster from which each is summed; -1: from nothing
    spans: IntArray  # (V + 1,) where the changes of each begin, in that order
    changes: IntArray  # vertices that join; ~ of those that leave

    @classmethod
    def within(cls, vertices: FloatArray, bones: IntArray, radius: float) -> Clusters:
        """Around each vertex those of the same bone within ``radius``, m."""
        count, pairs, links, lengths = len(vertices), [], [], []
        for bone in np.unique(bones):
            mine = np.flatnonzero(bones == bone)
            tree = cKDTree(vertices[mine])
            pairs.append(mine[tree.query_pairs(radius, output_type="ndarray")])
            far, near = map(np.asarray, tree.query(vertices[mine], k=np.arange(1, min(NEAREST, len(mine)) + 1)))
            use = far < 0.5 * radius  # clusters farther apart share too little
            links.append(np.stack([np.broadcast_to(mine[:, None], near.shape)[use], mine[near[use]]], axis=1))
            lengths.append(far[use])
        both, itself = np.concatenate(pairs), np.arange(count)
        rows, columns = (np.concatenate([both[:, a], both[:, 1 - a], itself]) for a in (0, 1))
        listed: Any = csr_array((np.ones(len(rows)), (rows, columns)), shape=(count, count))
        starts, members = listed.indptr.astype(np.int64), listed.indices.astype(np.int64)
        order, parents = _ordered(count, np.concatenate(links), np.concatenate(lengths))
        spans, changes = np.empty(count + 1, dtype=np.int64), np.empty(2 * len(members), dtype=np.int64)
        found = find_changes(starts, members, order, parents, np.empty(count, dtype=np.int64), spans, changes)
        return cls(starts, members, order, parents, spans, changes[:found].copy())

    @property
    def sizes(self) -> IntArray:
        """How many vertices each cluster has, ``(V,)``."""
        return np.diff(self.starts)

    def sums(self, values: FloatArray) -> FloatArray:
        """Sums of ``values (V, K)`` over every cluster."""
        out = np.empty(values.shape)
        sum_clusters(np.ascontiguousarray(values), self.order, self.parents, self.spans, self.changes, out)
        return out


def _ordered(count: int, links: IntArray, lengths: FloatArray) -> tuple[IntArray, IntArray]:
    """Clusters with parents before children, and their parents: the shortest tree over links between vertices."""
    root = np.full(count, count)  # whatever no link reaches hangs on one more vertex, which stands for nothing
    ends = np.concatenate([links, np.stack([root, np.arange(count)], axis=1)])
    # A length of 0 would be no link; the same added to all of them changes nothing.
    weights = 1.0 + np.concatenate([lengths, np.full(count, 1.0 + lengths.max(initial=0.0))])
    graph = csr_array((weights, (ends[:, 0], ends[:, 1])), shape=(count + 1, count + 1))
    order, parents = breadth_first_order(minimum_spanning_tree(graph), count, directed=False)
    parents = parents[:count].astype(np.int64)
    return order[1:].astype(np.int64), np.where(parents == count, -1, parents)


def shape_match(rest: FloatArray, wished: FloatArray, masses: FloatArray, near: Clusters) -> FloatArray:
    """Displacements ``(V, 3)``, m, that keep clusters rigid and come nearest to the wished ones.

    Parameters
    ----------
    rest : (V, 3) m, where vertices are
    wished : (V, 3) m, how they would be displaced
    masses : (V,) how much each has to say
    near : the clusters
    """
    mass, goal = masses[:, None], rest + wished
    products = (mass * goal)[:, :, None] * rest[:, None, :]
    sums = near.sums(np.concatenate([mass, mass * rest, mass * goal, products.reshape(-1, 9)], axis=1))
    sums[:, 1:] /= np.maximum(sums[:, :1], 1e-300)
    middle, moved = sums[:, 1:4], sums[:, 4:7]
    turn = rotations_of(sums[:, 7:].reshape(-1, 3, 3) - moved[:, :, None] * middle[:, None, :])
    # Every vertex goes where the clusters around it take it on the average.
    shift = moved - np.einsum("vij,vj->vi", turn, middle)
    sums = near.sums(np.concatenate([turn.reshape(-1, 9), shift], axis=1)) / near.sizes[:, None]
    return np.asarray(np.einsum("vij,vj->vi", sums[:, :9].reshape(-1, 3, 3), rest) + sums[:, 9:] - rest)


def rotations_of(matrices: FloatArray) -> FloatArray:
    """The rotations nearest to matrices ``(..., 3, 3)``."""
    u, _, v = np.linalg.svd(matrices)
    flip = np.sign(np.linalg.det(u @ v))
    u[..., 2] *= np.where(flip == 0.0, 1.0, flip)[..., None]
    return np.asarray(u @ v)
