"""The pose in which a cage is put around a body: arms and legs away from the trunk and from each other."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.errors import SkeletonError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

ARMS = float(np.radians(38.0))  # of the arms from straight down, away from the trunk
LEGS = float(np.radians(11.0))  # of the legs
TRUNK, HEAD = -1, -2  # limbs of vertices, beside the numbers of these
LIMBS = ("left leg", "right leg", "left arm", "right arm")


class Stance(NamedTuple):
    """A body in that pose: its joints, its directions, its skin and to which limb each vertex belongs."""

    positions: FloatArray  # (J, 3) m, world
    turns: FloatArray  # (J, 4) world
    left: FloatArray  # (3,)
    up: FloatArray
    ahead: FloatArray
    vertices: FloatArray  # (V, 3) m
    limbs: IntArray  # (V,) of TRUNK, HEAD, or an index into LIMBS


def stance_of(skeleton: Skeleton, skin: Body) -> Stance:
    """Any two-legged body in the pose for its cage."""
    roles = skeleton.roles
    if len(roles.legs) != 2 or {leg.side for leg in roles.legs} != {"left", "right"}:
        raise SkeletonError(f"a cage is put around bodies with a left and a right leg; this one has {len(roles.legs)}")
    if not roles.spine:
        raise SkeletonError("a cage needs a joint of the spine above the pelvis, and found none: give roles")
    rest = Motion(skeleton, 30.0, skeleton.offsets[:1], skeleton.rest_rotations[None])
    positions, turns = (one[0] for one in rest.world())
    hips = [positions[leg.hip] for leg in sorted(roles.legs, key=lambda leg: leg.side)]
    ahead = _unit(np.asarray(roles.forward, dtype=np.float64))
    left = _unit(hips[0] - hips[1] - ahead * float((hips[0] - hips[1]) @ ahead))
    up = np.cross(ahead, left)
    turned = turns.copy()
    for chain, side, angle in _chains(skeleton):
        way = np.sin(angle) * (left if side == "left" else -left) - np.cos(angle) * up
        for joint, after in pairwise(chain):
            bone = rot.rotate(turned[joint], rot.rotate(rot.inverse(turns[joint]), positions[after] - positions[joint]))
            _turn_below(skeleton, joint, rot.between(bone, way), turned)
    for leg in roles.legs:  # feet stay as level as they were
        _turn_below(skeleton, leg.ankle, rot.multiply(turns[leg.ankle], rot.inverse(turned[leg.ankle])), turned)
    local = turned.copy()
    inner = skeleton.parents >= 0
    local[inner] = rot.multiply(rot.inverse(turned[skeleton.parents[inner]]), turned[inner])
    places, world = (one[0] for one in Motion(skeleton, 30.0, skeleton.offsets[:1], local[None]).world())
    return Stance(places, world, left, up, ahead, skin.posed(places, world), _limbs(skeleton, skin))


def _chains(skeleton: Skeleton) -> list[tuple[tuple[int, ...], str, float]]:
    """The joints along legs and arms, their side and how far they are held away."""
    out: list[tuple[tuple[int, ...], str, float]] = []
    out += [((leg.hip, leg.knee, leg.ankle), leg.side, LEGS) for leg in skeleton.roles.legs]
    out += [((arm.shoulder, arm.elbow, arm.wrist), arm.side, ARMS) for arm in skeleton.roles.arms]
    return out


def _turn_below(skeleton: Skeleton, joint: int, turn: FloatArray, turned: FloatArray) -> None:
    """Turn a joint and all that hangs on it, in the world."""
    below = [j for j in range(len(skeleton)) if joint in skeleton.ancestors(j)]
    turned[below] = rot.multiply(turn, turned[below])


def _limbs(skeleton: Skeleton, skin: Body) -> IntArray:
    """To which limb the joint belongs that a vertex follows most."""
    roles = skeleton.roles
    of_joint = np.full(len(skeleton), TRUNK)
    tops = {f"{leg.side} leg": leg.hip for leg in roles.legs} | {f"{arm.side} arm": arm.shoulder for arm in roles.arms}
    tops_of_head = {head_of(skeleton), *roles.neck[:1]}
    for j in range(len(skeleton)):
        path = skeleton.ancestors(j)
        if tops_of_head & set(path):
            of_joint[j] = HEAD
        for number, limb in enumerate(LIMBS):
            if tops.get(limb) in path:
                of_joint[j] = number
    strongest = np.take_along_axis(skin.joints, np.argmax(skin.weights, axis=1)[:, None], axis=1)[:, 0]
    out: IntArray = of_joint[strongest]
    return out


def head_of(skeleton: Skeleton) -> int:
    """The head, or the last joint of neck or spine on a body without one."""
    roles = skeleton.roles
    return roles.head if roles.head is not None else (*roles.spine, *roles.neck)[-1]


def _unit(v: FloatArray) -> FloatArray:
    return np.asarray(v / max(float(np.linalg.norm(v)), 1e-300))
