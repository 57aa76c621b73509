"""What the solver of handles takes: the space, the handles, the bodies, and memory to work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.math.vector import Floats, Ints

POSITION, ROTATION, LOOK = 0, 1, 2  # kinds of handles


class SpaceArrays(NamedTuple):
    """A space whose coordinates are in deviations of those that were fitted."""

    parents: Ints  # (J,)
    offsets: Floats  # (J, 3)
    mean: Floats  # (J, 4)
    directions: Floats  # (J, 3, k) times the deviations
    centres: Floats  # (J, 3) of the ellipsoids of the limits
    matrices: Floats  # (J, 3, 3)
    limited: Ints  # joints that have limits


class HandleArrays(NamedTuple):
    """Points, frames and looks of H joints, and what is asked of them in N poses."""

    kinds: Ints  # (H,)
    joints: Ints  # (H,)
    points: Floats  # (H, 3) in the frame of the joint
    axes: Floats  # (H, 3) unit vectors in the frame of the joint: what looks at its target
    targets: Floats  # (N, H, 4) position, rotation or the place looked at, in the world
    weights: Floats  # (N, H) 1 for a position, m for a rotation or a look
    moved: Ints  # the joints above the handles, but for the root; parents come before children


class BodyArrays(NamedTuple):
    """N poses: where they start from, and what is found."""

    roots: Floats  # (N, 3)
    turns: Floats  # (N, 4) of the roots
    details: Floats  # (N, J, 4) what the poses have beyond the space, after the rotations of the space
    centre: Floats  # (N, n) coordinates towards which the prior draws, in deviations; those of the root are 0
    before: Floats  # (S, n) how far the pose before the first one of each sequence was from its centre
    x: Floats  # (N, n) found: k coordinates, and where the root is free three of its turn and three of its place
    errors: Floats  # (N, H) found: m, or rad
    rounds: Ints  # (N,) made


class Pull(NamedTuple):
    """How strongly things draw, beside a miss of a handle of one metre."""

    smooth: float  # for each deviation of change from pose to pose
    prior: float  # for each deviation from the centre
    limits: float  # m for a joint at twice the size of its ellipsoid
    rounds: int
    tolerance: float  # of the cost: a smaller gain ends the search
    as_product: bool
    linked: bool  # whether there was a pose before the first one


class Work(NamedTuple):
    """Memory for one sequence of poses."""

    turns: Floats  # (J, 3, n) how joints turn in the world with each unknown
    moves: Floats  # (J, 3, n) how they move
    rows: Floats  # (3, n)
    places: Floats  # (J, 3)
    world: Floats  # (J, 4)
    normal: Floats  # (L, n, n)
    gradient: Floats  # (L, n)
    inverse: Floats  # (L, n, n)
    step: Floats  # (L, n)
    before: Floats  # (n,)
    damping: Floats  # (L,)
    cost: Floats  # (2, L) of each pose now, and with the step
    own: Floats  # (n,) pull of the prior
    smooth: Floats  # (n,) and of the neighbours


def work(joints: int, unknowns: int, longest: int) -> Work:
    """Memory for sequences of up to ``longest`` poses."""
    n, length = unknowns, longest
    shapes = (joints, 3, n), (joints, 3, n), (3, n), (joints, 3), (joints, 4), (length, n, n), (length, n)
    more = (length, n, n), (length, n), (n,), (length,), (2, length), (n,), (n,)
    return Work(*(np.zeros(shape) for shape in (*shapes, *more)))
