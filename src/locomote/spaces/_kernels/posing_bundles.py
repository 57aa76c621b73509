"""What the solver of poses takes: recorded poses, the rig that they are on, and memory to work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.math.vector import Floats, Floats32, Ints

ROOT = 6  # unknowns of the root: three of its turn, three of its place


class DatabaseArrays(NamedTuple):
    """N recorded poses on one rig, each headed along +Z with its root above the origin."""

    places: Floats32  # (J, 3, N) of the joints
    world: Floats32  # (J, 4, N) rotations of the joints
    vectors: Floats  # (N, D) rotation vectors of the free joints from their means
    roots: Floats  # (N, 7) place and rotation of the root


class RigArrays(NamedTuple):
    """The joints that are posed."""

    parents: Ints  # (J,)
    offsets: Floats  # (J, 3)
    mean: Floats  # (J, 4) of all poses
    columns: Ints  # (J,) where the unknowns of a joint begin; -1 where it is not free
    anchors: Ints  # (A,) joints that say where the body was before
    soles: Ints  # (G,) joints of points that stay above the ground
    sole_points: Floats  # (G, 3) in their frames
    loose: Floats  # (n,) deviations of the unknowns beside what the nearest poses do, rad and m


class Posing(NamedTuple):
    """How strongly things draw; lengths in m."""

    miss: float  # of a handle of weight 1 that counts as much as one deviation of the pose
    stay: float  # weight of an anchor beside a handle, as recorded poses are compared
    ground: float  # height above which poses were recorded
    floor: float  # weight of that height beside a handle; 0 where the ground is not known
    lag: float  # 0 to 1, how far the expected pose is drawn to the one before
    rounds: int
    tolerance: float  # of the cost: a smaller gain ends the search


class PosedArrays(NamedTuple):
    """M poses that are found, in order; pose ``m`` is drawn to the one before it where ``linked``."""

    roots: Floats  # (M, 3)
    turns: Floats  # (M, J, 4) local
    errors: Floats  # (M, H) m, or rad
    rounds: Ints  # (M,)


class PosingWork(NamedTuple):
    """Memory for one pose after the other."""

    sums: Floats32  # (6, N)
    near: Ints  # (K,) the nearest poses
    costs: Floats  # (K,) m², how far they are
    aligned: Floats  # (K, 4) rotations of their roots, as they are turned
    expected: Floats  # (n,) rotation vectors; the first six, of the root, are not used
    root: Floats  # (7,) expected place and rotation of the root
    spread: Floats  # (n, K) what the nearest poses do beside the expected one, by their weights
    off: Floats  # (2, n) from the expected pose: now, and as tried
    force: Floats  # (2, n) that holds the pose there, in the metric of the spread
    rows: Floats  # (R, n) rates of the misses
    reached: Floats  # (K + n, R) what the nearest poses, and then looseness, do to the misses
    along: Floats  # (K,)
    system: Floats  # (R, R)
    miss: Floats  # (2, R) now, and what is left of it by the rates
    sizes: Floats  # (H,) of the misses, m or rad
    places: Floats  # (J, 3)
    world: Floats  # (J, 4)
    rates: Floats  # (J, 3, 3) how a joint turns in the world with its unknowns
    before: Floats  # (J + 1, 4) the root's place and the local rotations of the pose before
    anchors: Floats  # (A, 3) where it was


def posing_work(database: DatabaseArrays, rig: RigArrays, handles: int, nearest: int) -> PosingWork:
    """Memory for so many handles and nearest poses."""
    count, joints, rows = database.vectors.shape[0], rig.parents.shape[0], 3 * handles + len(rig.soles)
    size = ROOT + database.vectors.shape[1]
    first = (nearest,), (nearest, 4), (size,), (7,), (size, nearest), (2, size), (2, size), (rows, size)
    then = (
        (nearest + size, rows),
        (nearest,),
        (rows, rows),
        (2, rows),
        (handles,),
        (joints, 3),
        (joints, 4),
        (joints, 3, 3),
    )
    shapes = *first, *then, (joints + 1, 4), (len(rig.anchors), 3)
    work = PosingWork(
        np.zeros((6, count), dtype=np.float32), np.zeros(nearest, dtype=np.int64), *(np.zeros(s) for s in shapes)
    )
    work.before[1:] = rig.mean
    return work
