"""A rest pose that stands: knees of robots bent, spread legs put under the body, arms lowered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.creatures.rigging._mapping import RigLimb
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

MAIN_BONES = 0.6  # of the leg's length, at least, are its thigh and its shin; toes are no shins
STRAIGHT = 0.97  # a leg longer than this, over its two last bones, is too straight to stand on ...
BENT = 0.85  # ... and is bent to this
SPREAD = np.radians(4.0)  # the legs of two-legged bodies lean outwards no farther
ARM_RAISED = np.radians(35.0)  # an arm farther from hanging is lowered ...
ARM_HANGS = np.radians(10.0)  # ... to this
_UP = np.array([0.0, 1.0, 0.0])


def with_bent_knees(skeleton: Skeleton, limbs: Sequence[RigLimb], forward: FloatArray) -> Skeleton:
    """The last two bones of every straight leg bent at the hinge between them; its foot stays under its hip.

    A knee goes on in the direction in which it is bent already, and else to the back.
    """
    rests = skeleton.rest_rotations.copy()
    positions, turns = skeleton.rest_pose()
    for limb in limbs:
        if limb.limits is None or len(limb.joints) < 2 or limb.limits.swing[-1] > 0.0:
            continue
        thigh, shin = limb.joints[-2:]
        upper = positions[shin] - positions[thigh]
        lower = rot.rotate(turns[shin], limb.tip)
        axis = rot.rotate(turns[shin], limb.limits.axes[-1])
        length = float(np.linalg.norm(upper) + np.linalg.norm(lower))
        above = float(np.linalg.norm(skeleton.offsets[list(limb.joints[1:-1])], axis=1).sum())
        if np.linalg.norm(upper + lower) <= STRAIGHT * length or length < MAIN_BONES * (length + above):
            continue
        now = _angle_about(axis, upper, lower)
        side = np.sign(now) if abs(now) > 0.05 else np.sign(np.cross(-_UP, forward) @ axis)
        flat = [np.linalg.norm(bone - (bone @ axis) * axis) for bone in (upper, lower)]
        length = BENT * float(flat[0] + flat[1])
        # The law of cosines: how far the knee is from straight, and how much of that lies above the line.
        knee = np.arccos((length**2 - flat[0] ** 2 - flat[1] ** 2) / (2.0 * flat[0] * flat[1]))
        lift = np.arcsin(flat[1] * np.sin(knee) / length)
        line = _angle_about(axis, upper, upper + lower)
        _turn(rests, turns, thigh, axis, line - side * lift)
        _turn(rests, turns, shin, axis, side * knee - now)
    return replace(skeleton, rest_rotations=rot.canonical(rests))


def _turn(rests: FloatArray, turns: FloatArray, joint: int, axis: FloatArray, angle: float) -> None:
    """Turn a joint about an axis given in the rest pose's world."""
    inside = rot.rotate(rot.inverse(turns[joint]), axis)
    rests[joint] = rot.multiply(rests[joint], rot.from_axis_angle(inside, angle))


def _angle_about(axis: FloatArray, a: FloatArray, b: FloatArray) -> float:
    """The angle from ``a`` to ``b`` about an axis."""
    return float(np.arctan2(np.cross(a, b) @ axis, a @ b - (a @ axis) * (b @ axis)))


def upright(skeleton: Skeleton, limbs: Sequence[RigLimb], forward: FloatArray) -> Skeleton:
    """A two-legged body with its legs under it, feet as level as they were, and with hanging arms."""
    if len(limbs) != 2:
        return skeleton
    rests = skeleton.rest_rotations.copy()
    positions, turns = skeleton.rest_pose()
    for limb in limbs:
        last = limb.joints[-1]
        line = np.concatenate([positions[list(limb.joints)], [positions[last] + rot.rotate(turns[last], limb.tip)]])
        bones = np.diff(line, axis=0)
        # A hip may go out sideways first; what leans is the leg from its first steep bone on.
        steep = -bones[:, 1] > 0.5 * np.linalg.norm(bones, axis=1)
        top = int(np.argmax(steep))
        lean = _lean(line[-1] - line[top], forward)
        if steep[top] and abs(lean) > SPREAD:
            back = np.sign(lean) * SPREAD - lean
            _turn(rests, turns, limb.joints[top], forward, back)
            if top + 2 < len(limb.joints):  # the foot stays level
                _turn(rests, turns, limb.joints[top + 2], forward, -back)
    for arm in skeleton.roles.arms:
        lean = _lean(positions[arm.wrist] - positions[arm.shoulder], forward)
        if abs(lean) > ARM_RAISED:
            _turn(rests, turns, arm.shoulder, forward, np.sign(lean) * ARM_HANGS - lean)
    return replace(skeleton, rest_rotations=rot.canonical(rests))


def _lean(limb: FloatArray, forward: FloatArray) -> float:
    """The angle about ``forward`` from straight down to a limb."""
    return _angle_about(forward, -_UP, limb)
