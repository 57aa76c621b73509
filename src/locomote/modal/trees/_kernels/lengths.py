"""One walk from parents to children that gives every branch its length back.

Twigs from node ``first`` on, which a tree farther away will not have, keep a share of their own motion and take the
rest from their parent: at a share of 0 they are carried along as they stand.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats32, Ints


class Branches(NamedTuple):
    """A tree at rest."""

    rest: Floats32  # (3 N or more,) m, x, y and z of one node after the other
    lengths: Floats32  # (N,) m
    parents: Ints  # (N,)


@kernel
def restore_lengths(tree: Branches, count: int, first: int, shares: Floats32, out: Floats32) -> None:
    """Move the first ``count`` nodes, at places in rows ``out (K, 3 count or more)``, so that branches keep lengths."""
    rest, lengths, parents, one = tree.rest, tree.lengths, tree.parents, np.float32(1.0)
    for k in range(out.shape[0]):
        at, own = out[k], shares[k]
        for n in range(1, min(first, count)):
            p, m = 3 * parents[n], 3 * n
            px, py, pz = at[p], at[p + 1], at[p + 2]
            x, y, z = at[m] - px, at[m + 1] - py, at[m + 2] - pz
            longer = lengths[n] / _norm(x, y, z)
            at[m], at[m + 1], at[m + 2] = px + longer * x, py + longer * y, pz + longer * z
        for n in range(max(first, 1), count):
            p, m = 3 * parents[n], 3 * n
            px, py, pz = at[p], at[p + 1], at[p + 2]
            x = own * (at[m] - px) + (one - own) * (rest[m] - rest[p])
            y = own * (at[m + 1] - py) + (one - own) * (rest[m + 1] - rest[p + 1])
            z = own * (at[m + 2] - pz) + (one - own) * (rest[m + 2] - rest[p + 2])
            longer = lengths[n] / _norm(x, y, z)
            at[m], at[m + 1], at[m + 2] = px + longer * x, py + longer * y, pz + longer * z


@inline
def _norm(x: float, y: float, z: float) -> float:
    """A length, never 0."""
    return np.float32(math.sqrt(x * x + y * y + z * z + np.float32(1e-20)))  # type: ignore[return-value]


@kernel
def fade_twigs(tree: Branches, count: int, first: int, shares: Floats32, out: Floats32) -> None:
    """Fade the motion of twigs at places in rows ``out (K, 3 count or more)``, lengths as they come."""
    rest, parents, one = tree.rest, tree.parents, np.float32(1.0)
    for k in range(out.shape[0]):
        at, own = out[k], shares[k]
        for n in range(first, count):
            p, m = 3 * parents[n], 3 * n
            for i in range(3):
                at[m + i] = own * at[m + i] + (one - own) * (at[p + i] + rest[m + i] - rest[p + i])
