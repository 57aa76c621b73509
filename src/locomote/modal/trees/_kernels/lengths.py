"""From displacements to places: one walk from parents to children that gives every branch its length back.

Twigs from node ``first`` on, which a tree farther away will not have, keep a share of their own motion and take the
rest from their parent: at a share of 0 they are carried along as they stand.
"""

from __future__ import annotations

import math

import numpy as np

from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats32, Ints


@kernel
def restore_lengths(
    rest: Floats32, lengths: Floats32, parents: Ints, first: int, shares: Floats32, out: Floats32
) -> None:
    """Turn displacements ``out (K, N, 3)`` into places whose branches are as long as at rest (WND-08)."""
    count, one = out.shape[1], np.float32(1.0)
    for k in range(out.shape[0]):
        tree, own = out[k], shares[k]
        for i in range(3):
            tree[0, i] = rest[0, i]
        for n in range(1, min(first, count)):
            p = parents[n]
            px, py, pz = tree[p, 0], tree[p, 1], tree[p, 2]
            x, y, z = rest[n, 0] + tree[n, 0] - px, rest[n, 1] + tree[n, 1] - py, rest[n, 2] + tree[n, 2] - pz
            longer = lengths[n] / _norm(x, y, z)
            tree[n, 0], tree[n, 1], tree[n, 2] = px + longer * x, py + longer * y, pz + longer * z
        for n in range(max(first, 1), count):
            p = parents[n]
            px, py, pz = tree[p, 0], tree[p, 1], tree[p, 2]
            x = own * (rest[n, 0] + tree[n, 0] - px) + (one - own) * (rest[n, 0] - rest[p, 0])
            y = own * (rest[n, 1] + tree[n, 1] - py) + (one - own) * (rest[n, 1] - rest[p, 1])
            z = own * (rest[n, 2] + tree[n, 2] - pz) + (one - own) * (rest[n, 2] - rest[p, 2])
            longer = lengths[n] / _norm(x, y, z)
            tree[n, 0], tree[n, 1], tree[n, 2] = px + longer * x, py + longer * y, pz + longer * z


@inline
def _norm(x: float, y: float, z: float) -> float:
    """A length, never 0."""
    return np.float32(math.sqrt(x * x + y * y + z * z + np.float32(1e-20)))  # type: ignore[return-value]


@kernel
def add_rest(rest: Floats32, parents: Ints, first: int, shares: Floats32, out: Floats32) -> None:
    """Turn displacements ``out (K, N, 3)`` into places, lengths as they come."""
    for k in range(out.shape[0]):
        tree, own = out[k], shares[k]
        other = np.float32(1.0) - own
        for n in range(out.shape[1]):
            if n >= first:
                p = parents[n]
                for i in range(3):
                    tree[n, i] = own * (rest[n, i] + tree[n, i]) + other * (tree[p, i] + rest[n, i] - rest[p, i])
            else:
                for i in range(3):
                    tree[n, i] += rest[n, i]
