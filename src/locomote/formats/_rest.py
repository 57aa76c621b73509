"""The same motion described from another rest pose, for formats whose rest pose has no rotations."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from locomote import rotations as rot
from locomote.errors import SkeletonError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Leg, Roles, Skeleton

_UP = np.array([0.0, 1.0, 0.0])
_LEFT = np.array([1.0, 0.0, 0.0])
_FORWARD = np.array([0.0, 0.0, 1.0])
_STEEPEST_FOOT = 0.7  # the sine to which a foot that stands on its tip in the old rest pose is lifted


def rebased(motion: Motion, rest_world: FloatArray) -> Motion:
    """The motion on a skeleton that, unrotated, stands as today's with world rotations ``rest_world`` (J, 4).

    Every joint and end site stays where it is in the world.
    """
    old = motion.skeleton
    parent_turn = np.concatenate([rot.identity(1), rest_world[old.parents[1:]]])
    skeleton = replace(
        old,
        offsets=rot.rotate(parent_turn, old.offsets),
        rest_rotations=rot.identity(len(old)),
        end_offsets=rot.rotate(rest_world[old.end_parents], old.end_offsets),
        given_roles=None if old.given_roles is None else _turned_roles(old, old.given_roles, rest_world),
    )
    # With G the world rotation and T the new rest: G' = G T^-1, so the local one is T_parent L T^-1.
    turns = rot.multiply(rot.multiply(parent_turn, motion.rotations), rot.inverse(rest_world))
    moved = motion.translations
    if moved is not None:
        moved = rot.rotate(parent_turn, moved)
    body = motion.body
    if body is not None:
        body = replace(body, bind_rotations=rot.multiply(body.bind_rotations, rot.inverse(rest_world)), source=None)
    return replace(motion, skeleton=skeleton, rotations=turns, translations=moved, body=body)


def _turned_roles(skeleton: Skeleton, roles: Roles, rest_world: FloatArray) -> Roles:
    def tip(leg: Leg) -> tuple[float, float, float]:
        x, y, z = rot.rotate(rest_world[leg.toe], leg.toe_offset)
        return float(x), float(y), float(z)

    forward_in_root = rot.rotate(rot.inverse(skeleton.rest_pose()[1][roles.root]), roles.forward)
    x, y, z = rot.rotate(rest_world[roles.root], forward_in_root)
    legs = tuple(replace(leg, toe_offset=tip(leg)) for leg in roles.legs)
    return replace(roles, legs=legs, forward=(float(x), float(y), float(z)))


def without_rest_rotations(motion: Motion) -> Motion:
    """The motion on a skeleton that stands in its rest pose when all rotations are zero."""
    if np.array_equal(motion.skeleton.rest_rotations, rot.identity(len(motion.skeleton))):
        return motion
    return rebased(motion, motion.skeleton.rest_pose()[1])


def in_tpose(motion: Motion) -> Motion:
    """The motion on a skeleton that stands in a T-pose when all rotations are zero.

    It faces +Z, with legs straight down and arms straight out to the sides.
    """
    return rebased(motion, tpose_rotations(motion.skeleton))


def tpose_rotations(skeleton: Skeleton) -> FloatArray:
    """World rotations (J, 4) of the joints in the T-pose."""
    roles = skeleton.roles
    if not roles.legs:
        raise SkeletonError("rest='tpose': this skeleton has no legs")
    positions, rest_world = skeleton.rest_pose()
    upright = _upright(roles, positions)
    aims: dict[int, tuple[int, FloatArray]] = {}
    for leg in roles.legs:
        aims |= _straight(skeleton, leg.hip, leg.ankle, -_UP)
    for arm in roles.arms:
        top = arm.shoulder if arm.clavicle is None else arm.clavicle
        aims |= _straight(skeleton, top, arm.wrist, -_LEFT if arm.side == "right" else _LEFT)
    feet = {leg.ankle: leg for leg in roles.legs}

    turns = rest_world.copy()
    for j, parent in enumerate(skeleton.parents):
        if j == roles.root:  # what is above it, such as a joint on the floor, is not part of the body and stays
            turns[j] = rot.multiply(upright, rest_world[j])
        elif parent >= 0:
            turns[j] = rot.multiply(turns[parent], skeleton.rest_rotations[j])
        if j in aims:
            lower, direction = aims[j]
            bone = rot.rotate(turns[j], _inside(positions[lower] - positions[j], rest_world[j]))
            turns[j] = rot.multiply(rot.between(bone, direction), turns[j])
        elif j in feet:
            turns[j] = rot.multiply(_foot_forward(feet[j], positions, rest_world, turns[j]), turns[j])
    return turns


def _straight(skeleton: Skeleton, top: int, end: int, to: FloatArray) -> dict[int, tuple[int, FloatArray]]:
    """For every joint from ``top`` to ``end``: the next joint, and the direction in which it shall lie."""
    path = skeleton.ancestors(end)
    if top not in path:
        raise SkeletonError(f"{skeleton.names[end]} does not hang below {skeleton.names[top]}")
    path = path[: path.index(top) + 1]
    return {upper: (lower, to) for lower, upper in pairwise(path)}


def _inside(vector_world: FloatArray, frame: FloatArray) -> FloatArray:
    return rot.rotate(rot.inverse(frame), vector_world)


def _upright(roles: Roles, positions: FloatArray) -> FloatArray:
    """The turn of the whole rest pose after which the body stands upright and faces +Z."""
    sides = {"left": 1.0, "right": -1.0}
    left = sum((sides.get(leg.side, 0.0) * positions[leg.hip] for leg in roles.legs), np.zeros(3))
    forward = np.array(roles.forward)
    trunk_joints = (roles.spine + roles.neck + (() if roles.head is None else (roles.head,)))[-1:]
    if np.linalg.norm(left) < 1e-9:
        left = np.cross(_UP, forward)
    left = left / np.linalg.norm(left)
    if len(roles.legs) == 2 and trunk_joints:
        # A two-legged body: its trunk says what is up, even in a rest pose without sense.
        forward = np.cross(left, positions[trunk_joints[0]] - positions[roles.root])
    forward = forward - left * (forward @ left)
    if np.linalg.norm(forward) < 1e-9:  # a trunk of no length, or one that lies across the hips
        forward = np.cross(left, _UP if abs(left[1]) < 0.9 else _FORWARD)
    forward = forward / np.linalg.norm(forward)
    return rot.inverse(rot.from_matrix(np.stack([left, np.cross(forward, left), forward], axis=-1)))


def _foot_forward(leg: Leg, positions: FloatArray, rest_world: FloatArray, turn: FloatArray) -> FloatArray:
    """The turn that points a foot to +Z and keeps its slope, unless it stands on its tip."""
    if leg.ball != leg.ankle:
        tip = positions[leg.ball] - positions[leg.ankle]
    else:
        tip = rot.rotate(rest_world[leg.toe], leg.toe_offset)
    length = float(np.linalg.norm(tip))
    if length == 0.0:
        return rot.IDENTITY
    tip = rot.rotate(turn, _inside(tip / length, rest_world[leg.ankle]))
    slope = float(np.clip(tip[1], -_STEEPEST_FOOT, _STEEPEST_FOOT))
    return rot.between(tip, slope * _UP + np.sqrt(1.0 - slope**2) * _FORWARD)
