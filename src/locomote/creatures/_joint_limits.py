"""How far the joints of a leg may turn, where nobody says it: a free hip, and hinges below it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from locomote import rotations as rot
from locomote.ik._limits import JointLimits
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

HIP_SWING = np.radians(75.0)  # the cone of a hip about its rest direction
HIP_TWIST = np.radians(45.0)  # of a hip about its own bone, to either side
STRAIGHT = np.radians(4.0)  # a joint bent less than this does not say in which direction it bends
EITHER_WAY = np.radians(60.0)  # of such a joint, to either side
FURTHER = np.radians(90.0)  # a bent joint bends so much more than at rest ...
TIGHTEST = np.radians(160.0)  # ... but never more than this from straight


LegLimits = JointLimits  # of the K joints of a leg


def default_limits(skeleton: Skeleton, joints: Sequence[int], tip: FloatArray) -> LegLimits:
    """Limits by the shape of a leg at rest: the hip is free in a cone, what is bent bends on in its plane.

    A bent joint may become straight but never bend the other way.

    Parameters
    ----------
    skeleton : at rest
    joints : of the leg, hip first
    tip : (3,) m, in the frame of the last joint
    """
    positions, turns = skeleton.rest_pose()
    chain = list(joints)
    foot = positions[chain[-1]] + rot.rotate(turns[chain[-1]], tip)
    bones = np.diff(np.concatenate([positions[chain], foot[None]]), axis=0)
    bones = _directions(bones)
    plane = _plane(bones)
    count = len(chain)
    axes, swing, twist = np.zeros((count, 3)), np.zeros(count), np.zeros((count, 2))
    axes[0], swing[0], twist[0] = bones[0], HIP_SWING, (-HIP_TWIST, HIP_TWIST)
    for k in range(1, count):
        across = np.cross(bones[k - 1], bones[k])
        bend = float(np.arctan2(np.linalg.norm(across), bones[k - 1] @ bones[k]))
        if STRAIGHT < bend < np.pi - STRAIGHT:
            axes[k] = across / np.linalg.norm(across)
            twist[k] = -bend, max(min(FURTHER, TIGHTEST - bend), 0.0)
        else:
            axes[k] = plane
            twist[k] = -EITHER_WAY, EITHER_WAY
    axes = rot.rotate(rot.inverse(turns[chain]), axes)
    return LegLimits(skeleton.rest_rotations[chain], axes, swing, twist)


def _directions(bones: FloatArray) -> FloatArray:
    """Unit vectors; a bone without length points like the one after it, or else before it."""
    lengths = np.linalg.norm(bones, axis=1)
    good = np.flatnonzero(lengths > 1e-9 * max(float(lengths.max()), 1e-300))
    if len(good) == 0:
        return np.tile([0.0, -1.0, 0.0], (len(bones), 1))
    use = [next((g for g in good if g >= k), good[-1]) for k in range(len(bones))]
    units: FloatArray = bones[use] / lengths[use][:, None]
    return units


def _plane(bones: FloatArray) -> FloatArray:
    """The normal of the plane in which a leg bends; of a straight one, level and square to its bones."""
    normal = np.cross(bones[:-1], bones[1:]).sum(axis=0) if len(bones) > 1 else np.zeros(3)
    if np.linalg.norm(normal) < np.sin(STRAIGHT):
        along = bones.sum(axis=0)
        normal = np.cross(along, [0.0, 0.0, 1.0])
        if np.linalg.norm(normal) < 0.1 * np.linalg.norm(along):
            normal = np.array([1.0, 0.0, 0.0])
    out: FloatArray = normal / np.linalg.norm(normal)
    return out
