"""What the solver of markers takes: joints, springs, poses, and memory to work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.math.vector import Floats, Ints


class Joints(NamedTuple):
    """How a body turns: n unknowns, first the root's place (3) and turn (3), then those of joints in their order."""

    parents: Ints  # (J,)
    offsets: Floats  # (J, 3) m
    kinds: Ints  # (J,) unknowns: 0 locked, 1 a hinge, 3 a ball
    first: Ints  # (J,) the first of them
    axes: Floats  # (J, 3) of hinges, in the frame of the joint
    limits: Floats  # (J, 10) packed
    limited: Ints  # joints that have limits
    columns: Ints  # (J, W) the unknowns that move what is on a joint, rising
    counts: Ints  # (J,) how many they are
    owners: Ints  # (n,) the joint of an unknown


class MarkerArrays(NamedTuple):
    """Markers and the springs by which they pull points of the body."""

    joints: Ints  # (M,)
    points: Floats  # (M, 3) in the frame of the joint
    stiffness: Floats  # (M,) the square of a miss of 1 m counts so much
    seen: Floats  # (F, M, 3) m, world; NaN where it was not


class Pulls(NamedTuple):
    """What else draws, beside a spring of stiffness 1 that is off by a metre."""

    smooth: Floats  # (n,) for the square of each change from frame to frame
    prior: Floats  # (n,) for the square of each turn away from the usual pose
    limits: float  # for the square of each angle beyond a limit
    loose: float  # m; a marker that is further off counts for less; 0 for none
    cap: float  # rad, the widest turn of a round
    rounds: int  # at most
    march: int  # rounds of a pose that begins where the one before it ended
    tolerance: float  # of the cost: a smaller gain ends the search


class Found(NamedTuple):
    """The poses."""

    roots: Floats  # (F, 3)
    turns: Floats  # (F, J, 4) local
    usual: Floats  # (J, 4) towards which the prior draws
    before_root: Floats  # (1, 3) of the frame before the first one
    before: Floats  # (1, J, 4)
    errors: Floats  # (F, M) m
    rounds: Ints  # (F,) made


class Memory(NamedTuple):
    """Memory for sequences of up to L poses."""

    places: Floats  # (J, 3)
    world: Floats  # (J, 4)
    axes: Floats  # (n, 3) about which the unknowns turn, in the world
    rows: Floats  # (W, 3)
    normal: Floats  # (L, n, n)
    gradient: Floats  # (L, n)
    change: Floats  # (L, n) since the frame before
    inverse: Floats  # (L, n, n)
    step: Floats  # (L, n)
    damping: Floats  # (L,)
    cost: Floats  # (2, L) now, and with the step
    row: Floats  # (n,)
    kept_roots: Floats  # (L, 3)
    kept: Floats  # (L, J, 4)


def memory(joints: Joints, longest: int) -> Memory:
    """Memory for sequences of up to ``longest`` poses."""
    count, n, length = len(joints.parents), len(joints.owners), longest
    band = (length, n, n), (length, n), (length, n), (length, n, n), (length, n), (length,), (2, length), (n,)
    shapes = (count, 3), (count, 4), (n, 3), (joints.columns.shape[1], 3), *band, (length, 3), (length, count, 4)
    return Memory(*(np.zeros(shape) for shape in shapes))
