"""Legs as limbs of variable length: feet and the turn of the knee instead of joint angles.

A limb is the line from hip to ankle. Where the feet are, and how far the plane of hip, knee and ankle is turned about
that line, says all about a leg: feet may be moved without stretching a bone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.errors import SkeletonError
from locomote.rotations import FloatArray
from locomote.skeleton import Leg, Skeleton

# Of a stretched leg the direction of the foot tells the turn: that of a knee nearer to the line is noise.
STRAIGHT, BENT = 0.022, 0.044  # of the length of the leg from the knee to the line, m on a leg of 1 m
POINTED = 0.3  # of the length of a foot across the leg; a foot that shows less of itself tells no direction

_X = np.array([1.0, 0.0, 0.0])  # hinges of knees and toes turn about the lateral axis
_UP = np.array([0.0, 1.0, 0.0])
_TINY = 1e-9
_COLLINEAR = 1e-3  # sine of the angle between foot and toes below which their plane is not known


@dataclass(frozen=True, eq=False)
class Limbs:
    """Poses with legs as limbs, over any leading axes."""

    roots: FloatArray  # (..., 3)
    rotations: FloatArray  # (..., J, 4) local; those of the legs do not count
    feet: FloatArray  # (..., 2, 3, 3) left and right; ankle, ball, tip of the toes
    knee_rolls: FloatArray  # (..., 2) rad


def to_limbs(skeleton: Skeleton, roots: FloatArray, rotations: FloatArray, steady: bool = False) -> Limbs:
    """Poses ``(..., 3)`` and ``(..., J, 4)`` in the limb representation.

    ``steady`` takes the turn of nearly stretched legs from their feet: smoother to blend, no longer exact.
    """
    positions, world = _forward(skeleton, roots, rotations)
    feet, rolls = [], []
    for leg in _legs(skeleton):
        hip, knee, ankle, ball = (positions[..., j, :] for j in (leg.hip, leg.knee, leg.ankle, leg.ball))
        tip = positions[..., leg.toe, :] + rot.rotate(world[..., leg.toe, :], np.asarray(leg.toe_offset))
        feet.append(np.stack([ankle, ball, tip], axis=-2))
        length = skeleton.chain_length(leg.hip, leg.ankle)
        rolls.append(knee_roll(hip, positions[..., 0, :], knee, ankle, ball, length if steady else 0.0))
    return Limbs(roots, rotations, np.stack(feet, axis=-3), np.stack(rolls, axis=-1))


def knee_roll(
    hip: FloatArray,
    root: FloatArray,
    knee: FloatArray,
    ankle: FloatArray,
    ball: FloatArray,
    leg_length: float = 0.0,
) -> FloatArray:
    """The angle about the line from hip to ankle, from the direction of the root to that of the knee.

    With a ``leg_length`` the foot stands in for the knee where the leg is nearly stretched.
    """
    along = _unit(ankle - hip)
    to_root = _across(root - hip, along)
    to_knee = _across(knee - hip, along)
    to_foot = _across(ball - ankle, along)
    bend = np.linalg.norm(to_knee, axis=-1, keepdims=True)
    if leg_length > 0.0:
        # A knee behind the line is bent the wrong way by the record, unless the foot points along the leg.
        pointed = np.linalg.norm(to_foot, axis=-1, keepdims=True) < POINTED * np.linalg.norm(
            ball - ankle, axis=-1, keepdims=True
        )
        ahead = np.where(pointed, bend, np.sum(to_knee * _unit(to_foot), axis=-1, keepdims=True))
        x = np.clip((ahead / leg_length - STRAIGHT) / (BENT - STRAIGHT), 0.0, 1.0)
        share = x * x * (3.0 - 2.0 * x)
    else:
        share = np.where(bend > _TINY, 1.0, 0.0)
    towards = share * _unit(to_knee) + (1.0 - share) * _unit(to_foot)
    sine = np.sum(_cross(to_root, towards) * along, axis=-1)
    out: FloatArray = np.arctan2(sine, np.sum(to_root * towards, axis=-1))
    return out


def from_limbs(skeleton: Skeleton, limbs: Limbs) -> FloatArray:
    """Local rotations ``(..., J, 4)`` whose feet are those of the limbs, as far as the legs reach.

    Knees and toes only bend about their lateral axis where the bones of the skeleton are square to it.
    """
    out = np.array(limbs.rotations, dtype=np.float64)
    offsets = skeleton.offsets
    for side, leg in enumerate(_legs(skeleton)):
        hip, above = _hip(skeleton, leg, limbs.roots, out)
        ankle, ball, tip = (limbs.feet[..., side, i, :] for i in range(3))
        thigh, shin = (float(np.linalg.norm(offsets[j])) for j in (leg.knee, leg.ankle))
        knee, hinge = place_knee(hip, limbs.roots, ankle, limbs.knee_rolls[..., side], thigh, shin)
        foot_hinge = _foot_hinge(ankle, ball, tip)
        turns = {
            leg.hip: _aligned(offsets[leg.knee], knee - hip, hinge),
            leg.knee: _aligned(offsets[leg.ankle], ankle - knee, hinge),
            leg.ankle: _aligned(offsets[leg.ball], ball - ankle, foot_hinge),
            leg.ball: _aligned(np.asarray(leg.toe_offset), tip - ball, foot_hinge),
        }
        for joint, turn in turns.items():
            out[..., joint, :] = rot.multiply(rot.inverse(above), turn)
            above = turn
    return rot.canonical(out)


def place_knee(
    hip: FloatArray, root: FloatArray, ankle: FloatArray, roll: FloatArray, thigh: float, shin: float
) -> tuple[FloatArray, FloatArray]:
    """The knee ``(..., 3)`` and the axis about which it bends."""
    line = ankle - hip
    far = np.clip(np.linalg.norm(line, axis=-1, keepdims=True), abs(thigh - shin) + _TINY, thigh + shin)
    along = _unit(line)
    to_root = _unit(_across(root - hip, along))
    c, s = np.cos(roll)[..., None], np.sin(roll)[..., None]
    ahead = c * to_root + s * _cross(along, to_root)
    down = (thigh**2 - shin**2 + far**2) / (2.0 * far)
    out = np.sqrt(np.maximum(thigh**2 - down**2, 0.0))
    return hip + down * along + out * ahead, _cross(ahead, along)


def _hip(skeleton: Skeleton, leg: Leg, roots: FloatArray, rotations: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where a hip is, and the world rotation of the joint that carries it."""
    place, turn = roots, rotations[..., 0, :]
    for joint in skeleton.ancestors(leg.hip)[-2:0:-1]:
        place = place + rot.rotate(turn, skeleton.offsets[joint])
        turn = rot.multiply(turn, rotations[..., joint, :])
    return place + rot.rotate(turn, skeleton.offsets[leg.hip]), turn


def _forward(skeleton: Skeleton, roots: FloatArray, rotations: FloatArray) -> tuple[FloatArray, FloatArray]:
    from locomote.motion import Motion

    lead = roots.shape[:-1]
    motion = Motion(skeleton, 1.0, roots.reshape(-1, 3), rotations.reshape(-1, len(skeleton), 4))
    positions, world = motion.world()
    return positions.reshape(*lead, -1, 3), world.reshape(*lead, -1, 4)


def _legs(skeleton: Skeleton) -> tuple[Leg, Leg]:
    legs = {leg.side: leg for leg in skeleton.roles.legs}
    if sorted(legs) != ["left", "right"] or len(skeleton.roles.legs) != 2:
        raise SkeletonError("steps need a body with one left and one right leg")
    for leg in legs.values():
        if leg.chain != (leg.hip, leg.knee, leg.ankle, leg.ball) or leg.toe != leg.ball:
            raise SkeletonError(f"the {leg.side} leg: expected hip, knee, ankle and ball, each on the last")
    return legs["left"], legs["right"]


def _foot_hinge(ankle: FloatArray, ball: FloatArray, tip: FloatArray) -> FloatArray:
    """The axis about which toes bend: square to foot and toes, or level where these are in one line."""
    foot, toes = ball - ankle, tip - ball
    square = _cross(toes, foot)
    size = np.linalg.norm(toes, axis=-1, keepdims=True) * np.linalg.norm(foot, axis=-1, keepdims=True)
    sure = np.linalg.norm(square, axis=-1, keepdims=True) > _COLLINEAR * size
    return _unit(np.where(sure, square, _cross(np.broadcast_to(_UP, foot.shape), foot)))


def _aligned(bone_local: FloatArray, bone_world: FloatArray, hinge_world: FloatArray) -> FloatArray:
    """World rotations that point a bone the right way with its lateral axis along the hinge."""
    a = _unit(bone_local)
    b = _unit(bone_world)
    source = _frame(a, _unit(_across(_X, a)))
    target = _frame(b, _unit(_across(hinge_world, b)))
    return rot.from_matrix(target @ source.swapaxes(-1, -2))


def _frame(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.stack([a, b, _cross(a, b)], axis=-1)


def _across(v: FloatArray, along: FloatArray) -> FloatArray:
    out: FloatArray = v - np.sum(v * along, axis=-1, keepdims=True) * along
    return out


def _unit(v: FloatArray) -> FloatArray:
    out: FloatArray = v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), _TINY)
    return out


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    # Written out: np.cross costs several times as much.
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)
