"""Where a foot touches the floor: heel, ball and toe of the mesh, or of the joints where there is none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.contacts import foot_points
from locomote.motion import Motion
from locomote.retargeting._reference import Reference
from locomote.rotations import FloatArray
from locomote.skeleton import Leg, Roles, Skeleton

_SOLE_BAND = 0.04  # of the leg's length; vertices no higher over the lowest one belong to the sole
_INSET = 0.08  # of the sole's length; heel and toe stand this far inside its ends, as edges are round
_BALL_PLACE = 0.7  # of the sole's length from the heel
_TOE_JOINT_PLACE = 0.45  # of the way from ankle to toe; a joint nearer to the ankle does not bend the toes


@dataclass(frozen=True, eq=False)
class Sole:
    """Heel, ball and toe of one foot in the reference pose, and the joints that carry them."""

    points: FloatArray  # (3, 3) world
    joints: tuple[int, int, int]
    bends: bool  # the toes have a joint of their own where toes bend


def find_soles(skeleton: Skeleton, roles: Roles, reference: Reference, body: Body | None) -> tuple[Sole, ...]:
    """The soles of a body with a mesh around its feet, else nothing."""
    if body is None or not reference.rest:
        return ()
    # The mesh lies in the bind pose; the reference is that pose turned to face +Z.
    facing = rot.from_yaw(-np.arctan2(roles.forward[0], roles.forward[2]))
    vertices = rot.rotate(facing, body.vertices)
    dominant = body.joints[np.arange(len(body.joints)), np.argmax(body.weights, axis=1)]
    soles = [_sole(skeleton, leg, len(roles.legs), reference, vertices, dominant) for leg in roles.legs]
    return tuple(sole for sole in soles if sole is not None) if None not in soles else ()


def _sole(
    skeleton: Skeleton,
    leg: Leg,
    legs: int,
    reference: Reference,
    vertices: FloatArray,
    dominant: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> Sole | None:
    tops = {leg.ankle} if leg.detached_foot is None else {leg.ankle, leg.detached_foot}
    foot = [j for j in range(len(skeleton)) if tops & set(skeleton.ancestors(j))]
    around = vertices[np.isin(dominant, foot)]
    if len(around) < 3:
        return None
    low = float(around[:, 1].min())
    band = around[around[:, 1] <= low + _SOLE_BAND * skeleton.chain_length(leg.hip, leg.ankle)]
    back, front = float(band[:, 2].min()), float(band[:, 2].max())
    ankle = reference.positions[leg.ankle]
    middle = float(band[:, 0].mean())
    places = np.array(
        [back + _INSET * (front - back), back + _BALL_PLACE * (front - back), front - _INSET * (front - back)]
    )
    points = np.stack([np.full(3, middle), np.full(3, low), places], axis=-1)
    sole_joint = leg.ankle if legs == 2 else leg.ball
    if legs > 2:
        points[1] = reference.ball(leg)  # a paw stands on its joint, however it is turned
    if leg.detached_foot is not None:
        return Sole(points, (leg.detached_foot,) * 3, bends=False)
    reach = front - float(ankle[2])
    bends = leg.toe != sole_joint and reference.positions[leg.ball, 2] - ankle[2] >= _TOE_JOINT_PLACE * reach
    if bends:
        points[1, 2] = reference.positions[leg.ball, 2]
    return Sole(points, (sole_joint, sole_joint, leg.toe if bends else sole_joint), bends)


def sole_points(
    motion: Motion, reference: Reference, roles: Roles, soles: tuple[Sole, ...], turns: FloatArray
) -> FloatArray:
    """Heel, ball and toe of every leg in the world, ``(F, L, 3, 3)``.

    ``turns (F, J, 4)`` are the world rotations of detached feet, which are not yet in the motion.
    """
    if not soles:
        return foot_points(motion)
    positions, world = motion.world()
    out = np.empty((len(motion), len(soles), 3, 3))
    for i, (leg, sole) in enumerate(zip(roles.legs, soles, strict=True)):
        for k, joint in enumerate(sole.joints):
            detached = joint == leg.detached_foot
            at = leg.ankle if detached else joint
            turn = turns[:, joint] if detached else world[:, joint]
            local = rot.rotate(rot.inverse(reference.rotations[joint]), sole.points[k] - reference.positions[at])
            out[:, i, k] = positions[:, at] + rot.rotate(turn, local)
    return out
