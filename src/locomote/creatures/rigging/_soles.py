"""Where the skin of a foot touches the ground: the tips of legs, and how large their feet are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.creatures.rigging._mapping import RigLimb
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

SOLE = 0.03  # of the leg's length; vertices so near to the lowest one of a foot touch the ground with it
LARGEST_FOOT = 0.25  # half a side of a foot over the length of its leg, at most


def dominant_joints(body: Body) -> IntArray:
    """For each vertex the joint that moves it most."""
    rows = np.arange(len(body.joints))
    out: IntArray = body.joints[rows, np.argmax(body.weights, axis=1)]
    return out


def with_skin_ends(skeleton: Skeleton, body: Body) -> Skeleton:
    """The skeleton with an end site on every last joint that has none: the farthest vertex that it moves."""
    owner = dominant_joints(body)
    have = set(skeleton.parents.tolist()) | set(skeleton.end_parents.tolist())
    parents, offsets = [], []
    for j in range(len(skeleton)):
        mine = body.vertices[owner == j]
        if j in have or len(mine) == 0:
            continue
        away = np.linalg.norm(mine - body.bind_positions[j], axis=1)
        parents.append(j)
        offsets.append(in_joint(body, j, mine[int(np.argmax(away))]))
    return replace(
        skeleton,
        end_parents=np.array([*skeleton.end_parents, *parents], dtype=np.int64),
        end_offsets=np.concatenate([skeleton.end_offsets, np.array(offsets).reshape(-1, 3)]),
    )


def in_joint(body: Body, joint: int, point: FloatArray) -> FloatArray:
    """A point of the bind pose in the frame of a joint."""
    return rot.rotate(rot.inverse(body.bind_rotations[joint]), point - body.bind_positions[joint])


def on_sole(limb: RigLimb, body: Body, reach: float) -> RigLimb:
    """The leg with its tip in the middle of what its last joint puts on the ground, and the size of its foot."""
    owner = dominant_joints(body)
    mine = body.vertices[owner == limb.joints[-1]]
    if len(mine) == 0:
        return limb
    floor = float(mine[:, 1].min())
    sole = mine[mine[:, 1] <= floor + SOLE * reach]
    low, high = sole.min(axis=0), sole.max(axis=0)
    middle = 0.5 * (low + high)
    middle[1] = floor
    half = np.minimum(0.5 * (high - low), LARGEST_FOOT * reach)
    return replace(limb, tip=in_joint(body, limb.joints[-1], middle), foot=(float(half[0]), float(half[2])))
