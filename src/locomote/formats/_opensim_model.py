"""A human body in OpenSim's manner: its skeleton, and joint rotations from OpenSim's coordinates.

Offsets and axes are OpenSim's (x forward, y up, z right; those of the right side, mirrored for the left) and
are turned into ours when the skeleton is built. All coordinates at zero are the rest pose: legs straight,
feet forward, arms hanging; only the palms, which OpenSim turns forward, face the thighs.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from locomote import rotations as rot
from locomote.formats._opensim_table import to_our_axes
from locomote.rotations import FloatArray
from locomote.skeleton import Arm, Leg, Roles, Skeleton

Coordinate = Callable[[str], FloatArray]  # the values (F,) of a coordinate by name, zeros where it is not recorded
Vector = tuple[float, float, float]

REFERENCE_HEIGHT = 1.75  # m, of the body in the tables below; its hips are 0.53 of that above the floor
REFERENCE_LEG_LENGTH = 0.8595  # m, hip to knee to ankle; the ankle's height is 7.5 % of the hip's

# Joint, parent, offset from the parent; arm and leg are those of the right side.
_TRUNK: tuple[tuple[str, str, Vector], ...] = (
    ("pelvis", "", (0.0, 0.0, 0.0)),
    ("lumbar1", "pelvis", (-0.1007, 0.0815, 0.0)),
    ("lumbar2", "lumbar1", (0.0, 0.085, 0.0)),
    ("torso", "lumbar2", (0.0, 0.095, 0.0)),
    ("neck", "torso", (0.0, 0.215, 0.0)),
    ("head", "neck", (0.02, 0.075, 0.0)),
)
_ARM: tuple[tuple[str, str, Vector], ...] = (
    ("humerus", "torso", (0.003, 0.176, 0.175)),
    ("ulna", "humerus", (0.0, -0.300, 0.0)),
    ("radius", "ulna", (0.0, -0.013, 0.02)),
    ("hand", "radius", (0.0, -0.245, 0.0)),
)
_LEG: tuple[tuple[str, str, Vector], ...] = (
    ("femur", "pelvis", (-0.0707, -0.0661, 0.0835)),
    ("tibia", "femur", (0.0, -0.4290, 0.0)),
    ("talus", "tibia", (0.0, -0.4305, 0.0)),
    ("calcn", "talus", (-0.0488, -0.0420, 0.0079)),
    ("toes", "calcn", (0.1788, -0.0020, 0.0011)),
)
# What differs in models since 2016, whose bent knees are positive.
_NEWER: dict[str, Vector] = {"femur": (-0.0563, -0.0661, 0.0773), "talus": (-0.0070, -0.4304431, 0.0)}
_HEAD_TOP: Vector = (0.02, 0.205, 0.0)
_SIDE_ENDS: tuple[tuple[str, Vector], ...] = (
    ("hand", (0.0, -0.185, 0.0)),
    ("calcn", (-0.0220, -0.0277, 0.0)),  # under the heel
    ("toes", (0.0700, -0.0257, 0.0)),
)
_SIDES = (("left", "_l", -1.0), ("right", "_r", 1.0))

_X: Vector = (1.0, 0.0, 0.0)
_Y: Vector = (0.0, 1.0, 0.0)
_Z: Vector = (0.0, 0.0, 1.0)
_ANKLE: Vector = (-0.105, -0.174, 0.979)
_SUBTALAR: Vector = (0.787, 0.605, -0.121)
_TOES: Vector = (-0.581, 0.0, 0.814)
_ELBOW: Vector = (0.226, 0.022, 0.974)
_FOREARM: Vector = (0.056, 0.998, 0.020)
# Joints that are hinges on the right side, and how far they turn, rad: knees bend backwards about OpenSim's Z.
_HINGES: tuple[tuple[str, Vector, float, float], ...] = (
    ("tibia", _Z, -2.7, 0.2),
    ("talus", _ANKLE, -1.0, 0.8),
    ("calcn", _SUBTALAR, -0.8, 0.8),
    ("toes", _TOES, -1.0, 1.2),
    ("ulna", _ELBOW, -0.2, 2.7),
    ("radius", _FOREARM, -1.8, 1.8),
)
_PALM_INWARD = 0.5 * np.pi  # rad, the pronation at which the palm faces the thigh


def human_skeleton(scale: float, knee_sign: float = -1.0) -> Skeleton:
    """The body, ``scale`` times 1.75 m tall, of the models whose bent knees have this sign."""
    rows = list(_TRUNK)
    ends = [("head", _HEAD_TOP)]
    for _, suffix, sign in _SIDES:
        for name, parent, offset in (*_ARM, *_LEG):
            above = parent if parent in ("pelvis", "torso") else parent + suffix
            if knee_sign > 0.0:
                offset = _NEWER.get(name, offset)
            rows.append((name + suffix, above, _sided(offset, sign)))
        ends += [(name + suffix, _sided(offset, sign)) for name, offset in _SIDE_ENDS]
    names = tuple(name for name, _, _ in rows)
    skeleton = Skeleton(
        names=names,
        parents=np.array([-1 if not parent else names.index(parent) for _, parent, _ in rows]),
        offsets=scale * to_our_axes(np.array([offset for _, _, offset in rows])),
        end_parents=np.array([names.index(joint) for joint, _ in ends]),
        end_offsets=scale * to_our_axes(np.array([offset for _, offset in ends])),
    )
    return skeleton.with_roles(_roles(skeleton))


def joint_rotations(skeleton: Skeleton, value: Coordinate, knee_sign: float) -> FloatArray:
    """Local rotations ``(F, J, 4)`` from coordinates in radians; ``knee_sign`` is that of a bent knee."""
    frames = len(value("pelvis_tilt"))
    out = rot.identity(frames, len(skeleton))

    def put(joint: str, *turns: FloatArray) -> None:
        q = turns[0]
        for turn in turns[1:]:
            q = rot.multiply(q, turn)
        out[:, skeleton.index(joint)] = q

    pelvis = _three(value("pelvis_tilt"), value("pelvis_list"), value("pelvis_rotation"))
    back = _three(value("lumbar_extension"), value("lumbar_bending"), value("lumbar_rotation"))
    put("pelvis", pelvis)
    put("lumbar1", back)  # one joint, as in the models from which coordinates come: only so is the chest where it was
    # The coordinates know no head: it stays level and looks where the chest points.
    chest = rot.multiply(pelvis, back)
    level = rot.exp(rot.log(rot.multiply(rot.inverse(chest), rot.from_yaw(rot.yaw(chest)))) / 2.0)
    put("neck", level)
    put("head", level)
    for _, s, sign in _SIDES:
        put(
            "femur" + s,
            _three(value("hip_flexion" + s), sign * value("hip_adduction" + s), sign * value("hip_rotation" + s)),
        )
        put("tibia" + s, _about(_Z, -knee_sign * value("knee_angle" + s)))
        put("talus" + s, _about(_turning(_ANKLE, sign), value("ankle_angle" + s)))
        put("calcn" + s, _about(_turning(_SUBTALAR, sign), value("subtalar_angle" + s)))
        put("toes" + s, _about(_turning(_TOES, sign), value("mtp_angle" + s)))
        put(
            "humerus" + s,
            _three(value("arm_flex" + s), sign * value("arm_add" + s), sign * value("arm_rot" + s)),
        )
        put("ulna" + s, _about(_turning(_ELBOW, sign), value("elbow_flex" + s)))
        put("radius" + s, _about(_turning(_FOREARM, sign), value("pro_sup" + s) - _PALM_INWARD))
    return rot.canonical(out)


def human_joint_axes() -> dict[str, tuple[Vector, float, float]]:
    """The hinges of the body: axis in our axes, least and greatest turn about it, rad; all are 0 at rest."""
    out = {}
    for _, s, sign in _SIDES:
        for joint, axis, low, high in _HINGES:
            ours = to_our_axes(np.array(axis if joint == "tibia" else _turning(axis, sign)))
            x, y, z = (float(v) for v in ours / np.linalg.norm(ours))
            out[joint + s] = ((x, y, z), low, high)
    return out


def _three(about_z: FloatArray, about_x: FloatArray, about_y: FloatArray) -> FloatArray:
    """The order of OpenSim's ball joints: flexion, adduction, rotation."""
    return rot.multiply(rot.multiply(_about(_Z, about_z), _about(_X, about_x)), _about(_Y, about_y))


def _about(axis: Vector, angle: FloatArray) -> FloatArray:
    ours = to_our_axes(np.array(axis))
    return rot.from_axis_angle(ours / np.linalg.norm(ours), angle)


def _sided(point: Vector, sign: float) -> Vector:
    return point[0], point[1], sign * point[2]


def _turning(axis: Vector, sign: float) -> Vector:
    """The axis of the same movement on the other side: an axis of rotation mirrors with its sense."""
    return sign * axis[0], sign * axis[1], axis[2]


def _roles(skeleton: Skeleton) -> Roles:
    index = skeleton.index
    legs, arms = [], []
    for side, s, _ in _SIDES:
        chain = tuple(index(name + s) for name, _, _ in _LEG)
        toe_end = int(np.flatnonzero(skeleton.end_parents == chain[4])[0])
        x, y, z = (float(v) for v in skeleton.end_offsets[toe_end])
        hip, knee, ankle, _, toes = chain
        legs.append(Leg(side, 0, hip, knee, ankle, ball=toes, toe=toes, toe_offset=(x, y, z), chain=chain))
        arms.append(Arm(side, index("humerus" + s), index("ulna" + s), index("hand" + s)))
    return Roles(
        root=0,
        spine=(index("lumbar1"), index("lumbar2"), index("torso")),
        neck=(index("neck"),),
        head=index("head"),
        legs=tuple(legs),
        arms=tuple(arms),
    )
