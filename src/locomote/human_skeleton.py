"""A human skeleton for any leg length, in the proportions of a grown man or others.

Lengths are fractions of the hip height, which is 53 % of the stature. The soles lie on the floor: the joints
at the balls of the feet, the toe tips and the heels all have height 0 in the rest pose.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.rotations import FloatArray
from locomote.skeleton import Arm, Girths, Leg, Roles, Skeleton

THIGH = 0.4625
SHANK = 0.4625
ANKLE_HEIGHT = 0.075
HEEL_BEHIND_ANKLE = 0.067
BALL_AHEAD_OF_ANKLE = 0.135
TOE_LENGTH = 0.085
HIP_HALF_WIDTH = 0.095
PELVIS_ABOVE_HIPS = 0.06
HEAD_LENGTH = 0.205
HAND_LENGTH = 0.19

_MIDLINE = (  # name, parent, offset (up, forward)
    ("Spine", "Hips", (0.075, -0.01)),
    ("Spine1", "Spine", (0.13, 0.0)),
    ("Spine2", "Spine1", (0.13, -0.01)),
    ("Neck", "Spine2", (0.185, -0.005)),
    ("Head", "Neck", (0.10, 0.025)),
)
_SIDE = (  # name, parent, offset (outwards, up, forward); parents on the midline keep their plain name
    ("Shoulder", "Spine2", (0.035, 0.145, 0.005)),
    ("Arm", "Shoulder", (0.165, -0.005, -0.015)),
    ("ForeArm", "Arm", (0.335, 0.0, 0.0)),
    ("Hand", "ForeArm", (0.27, 0.0, 0.0)),
    ("UpLeg", "Hips", (HIP_HALF_WIDTH, -PELVIS_ABOVE_HIPS, 0.0)),
    ("Leg", "UpLeg", (0.0, -THIGH, 0.0)),
    ("Foot", "Leg", (0.0, -SHANK, 0.0)),
    ("ToeBase", "Foot", (0.0, -ANKLE_HEIGHT, BALL_AHEAD_OF_ANKLE)),
)


class Proportions(NamedTuple):
    """Lengths beside those of a grown man with legs of the same length."""

    trunk: float = 1.0  # from pelvis to head
    head: float = 1.0
    shoulders: float = 1.0  # width
    hips: float = 1.0  # width between the joints
    arms: float = 1.0  # with the hands
    spread: float = 0.0  # rad by which the arms are held away from the trunk
    girths: Girths = Girths()


COMMON_PROPORTIONS = Proportions()


def hip_height(leg_length: float) -> float:
    """The height of the hip joints above the floor, on straight legs of this length from hip to ankle."""
    return leg_length / (THIGH + SHANK)


def heel_offset(leg_length: float) -> FloatArray:
    """The point of the heel that touches the floor, in the frame of the ankle joint."""
    return hip_height(leg_length) * np.array([0.0, -ANKLE_HEIGHT, -HEEL_BEHIND_ANKLE])


def _tree() -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The names of the joints, and their parents."""
    names, parents = ["Hips"], [-1]
    for name, parent, _ in _MIDLINE:
        names.append(name)
        parents.append(names.index(parent))
    for side in ("Left", "Right"):
        for name, parent, _ in _SIDE:
            parents.append(names.index(parent if parent in names else side + parent))
            names.append(side + name)
    return tuple(names), tuple(parents)


_NAMES, _PARENTS = _tree()


def bone_offsets(own: Proportions) -> FloatArray:
    """The joints in the frames of their parents, ``(J, 3)`` hip heights."""
    outwards = {
        "Shoulder": own.shoulders,
        "Arm": own.shoulders,
        "ForeArm": own.arms,
        "Hand": own.arms,
        "UpLeg": own.hips,
    }
    offsets = [(0.0, 1.0 + PELVIS_ABOVE_HIPS, 0.0)]
    offsets += [(0.0, own.trunk * up, own.trunk * forward) for _, _, (up, forward) in _MIDLINE]
    for sign in (1.0, -1.0):
        for name, _, (out, up, forward) in _SIDE:
            high = own.trunk if name == "Shoulder" else 1.0
            offsets.append((sign * outwards.get(name, 1.0) * out, high * up, forward))
    return np.array(offsets)


def human_skeleton(leg_length: float = 0.9, proportions: Proportions = COMMON_PROPORTIONS) -> Skeleton:
    """A person in T-pose, that faces +Z and has its left at +X.

    Parameters
    ----------
    leg_length : m, hip to ankle
    proportions : of the other bones
    """
    height, own = hip_height(leg_length), proportions
    ends = [
        ("Head", (0.0, own.head * HEAD_LENGTH, 0.0)),
        ("LeftHand", (own.arms * HAND_LENGTH, 0.0, 0.0)),
        ("LeftToeBase", (0.0, 0.0, TOE_LENGTH)),
        ("RightHand", (-own.arms * HAND_LENGTH, 0.0, 0.0)),
        ("RightToeBase", (0.0, 0.0, TOE_LENGTH)),
    ]
    skeleton = Skeleton(
        names=_NAMES,
        parents=np.array(_PARENTS),
        offsets=height * bone_offsets(own),
        end_parents=np.array([_NAMES.index(name) for name, _ in ends]),
        end_offsets=height * np.array([offset for _, offset in ends]),
        girths=own.girths,
    )
    return skeleton.with_roles(_roles(skeleton, height))


def _roles(skeleton: Skeleton, height: float) -> Roles:
    at = skeleton.index
    legs = []
    arms = []
    for side in ("left", "right"):
        name = side.capitalize()
        chain = tuple(at(name + part) for part in ("UpLeg", "Leg", "Foot", "ToeBase"))
        hip, knee, ankle, ball = chain
        tip = (0.0, 0.0, TOE_LENGTH * height)
        heel = HEEL_BEHIND_ANKLE * height
        legs.append(Leg(side, 0, hip, knee, ankle, ball, toe=ball, toe_offset=tip, chain=chain, heel_behind=heel))
        clavicle, shoulder, elbow, wrist = (at(name + part) for part in ("Shoulder", "Arm", "ForeArm", "Hand"))
        arms.append(Arm(side, shoulder, elbow, wrist, clavicle))
    return Roles(
        root=0,
        spine=(at("Spine"), at("Spine1"), at("Spine2")),
        neck=(at("Neck"),),
        head=at("Head"),
        legs=tuple(legs),
        arms=tuple(arms),
    )


COMMON = human_skeleton(THIGH + SHANK)  # the skeleton of all people here, with a hip height of 1
