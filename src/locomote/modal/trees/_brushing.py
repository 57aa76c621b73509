"""Bodies that pass push branches aside: the least motion of a tree by which its nodes keep out of them (WND-14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locomote.modal.trees._kernels.contact import push_apart
from locomote.rotations import FloatArray

if TYPE_CHECKING:
    from locomote.modal.trees._forest import Forest

_OUT = 0.08  # s in which a node that is inside of a body leaves it
_FASTEST = 6.0  # m/s at which it does so, at most
_WEIGHT = 20.0  # kg that a body throws at a branch: it shakes no trunk
_MOST = 60  # nodes of a tree that are heeded, the deepest
_ROUNDS = 30


def brushed(forest: Forest, places: FloatArray, velocities: FloatArray, radii: FloatArray) -> int:
    """Push the branches of trees near bodies ``(B, 3)``; the number of nodes that were touched."""
    if not len(places):
        return 0
    species = forest.species
    away = np.linalg.norm(forest.positions[:, None, [0, 2]] - places[None, :, [0, 2]], axis=2)
    near = away < radii + 1.3 * forest.sizes[:, None] * species.reach
    touched = 0
    for k in np.flatnonzero(near.any(axis=1)):
        touched += _push_aside(forest, int(k), places[near[k]], velocities[near[k]], radii[near[k]])
    return touched


def _push_aside(forest: Forest, tree: int, places: FloatArray, velocities: FloatArray, radii: FloatArray) -> int:
    species, who = forest.species, np.array([tree])
    nodes = forest.nodes(who)[0]
    off = nodes[:, None] - places
    depth = radii - np.linalg.norm(off, axis=2)
    depth[0] = -1.0  # the root does not move
    body = np.argmax(depth, axis=1)
    deepest = np.take_along_axis(depth, body[:, None], axis=1)[:, 0]
    inside = np.flatnonzero(deepest > 0.0)
    if not len(inside):
        return 0
    inside = inside[np.argsort(-deepest[inside], kind="stable")[:_MOST]]
    body, deepest = body[inside], deepest[inside]
    out = off[inside, body]
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    ways = np.einsum("mci,ci->cm", species.shapes[:, inside], forest.own(out, np.repeat(who, len(out))))
    wanted = np.einsum("ci,ci->c", velocities[body], out) + np.minimum(deepest / _OUT, _FASTEST)
    lack = wanted - ways @ forest.speeds[tree]
    # A body of finite weight gives way itself.
    answers = ways @ ways.T + np.eye(len(ways)) / (_WEIGHT / forest.sizes[tree] ** 3)
    impulses = np.zeros(len(ways))
    push_apart(answers, lack, _ROUNDS, impulses)
    forest.speeds[tree] += impulses @ ways
    return len(inside)
