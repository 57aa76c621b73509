"""Forces at the contacts: what the ground gives, and what is left that no ground can give."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.physics._engine import Engine
from locomote.physics._kernels.balance_step import edges_of
from locomote.physics._kernels.contact_rows import WAYS, pyramid
from locomote.physics._kernels.reduced_dynamics import ROOT
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

_TOUCHES = 0.015  # m above the ground within which a point carries


class Reactions(NamedTuple):
    """Forces of the last step."""

    points: IntArray  # (P,) of the points that may touch the ground, those that do
    forces: FloatArray  # (P, 3) N, of the ground on them
    helper: FloatArray  # (6,) N m about the root in its frame and N in the world: what moves the root from outside


def touching(engine: Engine) -> IntArray:
    """Points that carry: near the ground, or of a foot that stands."""
    planted = np.repeat(engine.touch.planted, 4) == 1
    out = engine.touch.gaps < _TOUCHES
    out[: len(planted)] |= planted
    return np.flatnonzero(out)


def edges(engine: Engine, points: IntArray) -> FloatArray:
    """Generalised forces ``(4 P, N)`` of 1 N of normal force along the edges of the cones of friction."""
    out = np.zeros((WAYS * len(points), engine.reduced.unknowns))
    edges_of(engine.touch, points, engine.body.work, out)
    return out


def along_edges(engine: Engine, points: IntArray, sizes: FloatArray) -> FloatArray:
    """Forces ``(P, 3)`` from their sizes ``(4 P,)`` along the edges."""
    friction = float(engine.touch.friction[0])
    ways = np.array(
        [[pyramid(way, tuple(engine.touch.ground[c, 3:]), friction) for way in range(WAYS)] for c in points]
    ).reshape(len(points), WAYS, 3)
    out: FloatArray = np.einsum("pw,pwc->pc", sizes.reshape(len(points), WAYS), ways)
    return out


def explained(engine: Engine) -> Reactions:
    """The forces in the cones of friction that explain the motion of the root best, and what they leave."""
    from scipy.optimize import nnls

    needed = engine.system.made[:ROOT]
    points = touching(engine)
    if len(points) == 0:
        return Reactions(points, np.zeros((0, 3)), needed.copy())
    pulls = edges(engine, points)[:, :ROOT]
    # A little goes to every point alike: where four corners carry, many answers are right.
    steady = 1e-3 * np.eye(len(pulls))
    sizes, _ = nnls(np.concatenate([pulls.T, steady]), np.concatenate([needed, np.zeros(len(pulls))]))
    return Reactions(points, along_edges(engine, points, sizes), needed - sizes @ pulls)
