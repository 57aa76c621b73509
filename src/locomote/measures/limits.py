"""Joints bent further than a body can: knees and elbows of people."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.motion import Motion
from locomote.rotations import FloatArray

# Flexion in degrees that a healthy joint allows, with a margin of ten degrees for the capture's own error.
KNEE_RANGE = (-15.0, 165.0)
ELBOW_RANGE = (-15.0, 165.0)
STRAIGHT = 8.0  # degrees; nearer to straight than this the side to which a limb bends is noise


class Limits(NamedTuple):
    """How often and how far joints are bent beyond their range."""

    violations: int  # frames in which some joint is beyond its range
    worst: float  # degrees beyond the range
    worst_joint: str  # "" when nothing is


def limits(motion: Motion, positions: FloatArray, world: FloatArray) -> Limits:
    """Check knees of a biped's legs and elbows of its arms."""
    roles = motion.skeleton.roles
    if len(roles.legs) != 2:
        return Limits(0, 0.0, "")
    _, rest = motion.skeleton.rest_pose()
    pelvis = rot.multiply(world[:, roles.root], rot.inverse(rest[roles.root]))
    chest_joint = roles.spine[-1] if roles.spine else roles.root
    chest = rot.multiply(world[:, chest_joint], rot.inverse(rest[chest_joint]))
    bad = np.zeros(len(motion), dtype=bool)
    worst, worst_joint = 0.0, ""
    limbs = [(leg.hip, leg.knee, leg.ankle, pelvis, -1.0, KNEE_RANGE) for leg in roles.legs]
    limbs += [(arm.shoulder, arm.elbow, arm.wrist, chest, 1.0, ELBOW_RANGE) for arm in roles.arms]
    for top, middle, low, trunk, bends_to, (least, most) in limbs:
        forward = rot.rotate(trunk, np.asarray(roles.forward) * bends_to)
        flexion = flexion_degrees(positions[:, top], positions[:, middle], positions[:, low], forward)
        beyond = np.maximum(least - flexion, flexion - most)
        bad |= beyond > 0.0
        if np.max(beyond) > worst:
            worst, worst_joint = float(np.max(beyond)), motion.skeleton.names[middle]
    return Limits(int(np.sum(bad)), worst, worst_joint)


def flexion_degrees(top: FloatArray, middle: FloatArray, low: FloatArray, bends_to: FloatArray) -> FloatArray:
    """The bend of a two-bone limb ``(F,)``; positive when the lower bone turns towards ``bends_to (F, 3)``.

    Straight is 0. The sign is that of the lower bone's part square to the upper bone; a lower leg in front of the
    line of the thigh is a knee bent the wrong way.
    """
    bend = bend_degrees(top, middle, low)
    upper, lower = _unit(middle - top), _unit(low - middle)
    aside = lower - np.sum(upper * lower, axis=-1)[:, None] * upper
    toward = bends_to - np.sum(bends_to * upper, axis=-1, keepdims=True) * upper
    wrong = (np.sum(_unit(aside) * _unit(toward), axis=-1) < -0.5) & (bend > STRAIGHT)
    signed: FloatArray = np.where(wrong, -bend, bend)
    return signed


def bend_degrees(top: FloatArray, middle: FloatArray, low: FloatArray) -> FloatArray:
    """The bend of a two-bone limb ``(F,)`` to whichever side; straight is 0."""
    along = np.sum(_unit(middle - top) * _unit(low - middle), axis=-1)
    out: FloatArray = np.degrees(np.arccos(np.clip(along, -1.0, 1.0)))
    return out


def _unit(v: FloatArray) -> FloatArray:
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    out: FloatArray = v / np.where(length > 1e-9, length, 1.0)
    return out
