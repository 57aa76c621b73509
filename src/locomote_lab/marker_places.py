"""Where markers are stuck on people, how far they are to be believed, and how joints bend.

Both marker sets with force plates: that of OpenCap, and that of Hamner and Delp.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

Vector = tuple[float, float, float]


class Spot(NamedTuple):
    """Where a marker is stuck: for the left side of a body of 1.75 m, metres to the left, up and forward."""

    segment: str
    at: Vector
    doubt: float  # m, how far from there it may well be
    beside: str = ""  # the joint at the far end of the segment that it goes with, however long the bone


_ASIS, _PSIS = Spot("pelvis", (0.128, 0.0, 0.0), 0.01), Spot("pelvis", (0.045, 0.02, -0.15), 0.01)
_HIP = Spot("femur", (0.0, 0.0, 0.0), 0.001)  # not a marker: a centre that was worked out with them
_THIGH, _SHANK = Spot("femur", (0.08, -0.22, 0.0), 0.08), Spot("tibia", (0.03, -0.2, 0.0), 0.08)
_KNEE, _SHIN = Spot("femur", (0.055, -0.41, -0.01), 0.004, "tibia"), Spot("tibia", (0.0, -0.13, 0.045), 0.01)
_OUTER_ANKLE = Spot("tibia", (0.042, -0.425, -0.012), 0.01, "talus")
_INNER_ANKLE = Spot("tibia", (-0.04, -0.41, 0.0), 0.012, "talus")
_HEEL, _SMALL_TOE = Spot("calcn", (-0.01, 0.025, -0.026), 0.012), Spot("calcn", (0.06, -0.006, 0.148), 0.012)
_BIG_TOE = Spot("calcn", (-0.012, 0.018, 0.192), 0.015)
_ACROMION, _COLLAR = Spot("torso", (0.165, 0.21, -0.005), 0.02), Spot("torso", (0.03, 0.155, 0.06), 0.02)
_UPPER_ARM, _FOREARM = Spot("humerus", (0.04, -0.17, 0.0), 0.05), Spot("radius", (0.02, -0.12, 0.0), 0.06)
_OUTER_ELBOW = Spot("humerus", (0.04, -0.3, 0.0), 0.012, "ulna")
_INNER_ELBOW = Spot("humerus", (-0.04, -0.3, 0.0), 0.012, "ulna")
_THUMB_SIDE, _ULNAR_SIDE = Spot("radius", (0.0, -0.24, 0.03), 0.015), Spot("radius", (0.0, -0.24, -0.03), 0.015)
# By the names of both sets without the letter of the side, in small letters.
SIDED: dict[str, Spot] = {
    **dict.fromkeys(("asis", "asi"), _ASIS),
    **dict.fromkeys(("psis", "psi"), _PSIS),
    **dict.fromkeys(("thigh1", "thigh2", "thigh3", "thigh4", "thigh5", "th1", "th2", "th3"), _THIGH),
    **dict.fromkeys(("sh2", "sh3", "sh4", "tb1", "tb2", "tb3"), _SHANK),
    **dict.fromkeys(("ankle", "lmal"), _OUTER_ANKLE),
    **dict.fromkeys(("calc", "cal"), _HEEL),
    **dict.fromkeys(("5meta", "mt5"), _SMALL_TOE),
    **dict.fromkeys(("shoulder", "acr"), _ACROMION),
    **dict.fromkeys(("humerus", "ua1", "ua2", "ua3"), _UPPER_ARM),
    **dict.fromkeys(("elbow_lat", "lel"), _OUTER_ELBOW),
    **dict.fromkeys(("elbow_med", "mel"), _INNER_ELBOW),
    **dict.fromkeys(("forearm", "fasuperior"), _FOREARM),
    **dict.fromkeys(("wrist_radius", "faradius"), _THUMB_SIDE),
    **dict.fromkeys(("wrist_ulna", "faulna"), _ULNAR_SIDE),
    **{"hjc": _HIP, "knee": _KNEE, "shank_antsup": _SHIN, "mmal": _INNER_ANKLE, "toe": _BIG_TOE, "sternum": _COLLAR},
}
MIDDLE = {"C7": Spot("torso", (0.0, 0.235, -0.06), 0.02), "CLAV": Spot("torso", (0.0, 0.165, 0.055), 0.02)}
# m; how far the markers of a segment are believed. Those of the trunk more than their own residuals of 3 to 6 mm
# allow: half of the mass is there, and limbs that swing must not shake it.
NOISE = {
    "pelvis": 0.003,
    "torso": 0.002,
    "femur": 0.01,
    "tibia": 0.007,
    "calcn": 0.006,
    "humerus": 0.01,
    "radius": 0.01,
}


class Bend(NamedTuple):
    """One way in which a joint bends: its axis on the left side, and the usual angle and its spread, rad."""

    joint: str
    axis: Vector
    usual: float
    spread: float


_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
TRUNK_BENDS = tuple(Bend(j, axis, 0.0, w) for j, w in (("pelvis", 1e3), ("lumbar1", 0.5)) for axis in (_X, _Y, _Z))
LIMB_BENDS = (
    *(Bend("femur", _X, -0.2, 1.0), Bend("femur", _Y, 0.0, 0.4), Bend("femur", _Z, 0.0, 0.4)),
    Bend("tibia", _X, 0.4, 1.0),
    *(Bend("talus", (0.979, -0.174, -0.105), 0.0, 0.6), Bend("calcn", (0.121, -0.605, -0.787), 0.0, 0.2)),
    *(Bend("humerus", _X, 0.0, 1.0), Bend("humerus", _Y, 0.0, 0.7), Bend("humerus", _Z, 0.0, 0.5)),
    *(Bend("ulna", _X, -1.0, 1.0), Bend("radius", _Y, 0.0, 0.7)),
)
# m to the left, up and forward; how far joints may well lie from where they are on the scaled body.
JOINT_DOUBT: dict[str, Vector] = {
    "lumbar1": (1e-4, 0.01, 0.01),
    "femur": (0.008, 0.008, 0.008),
    "tibia": (0.004, 0.03, 0.004),
    "talus": (0.004, 0.03, 0.004),
    "calcn": (0.004, 0.005, 0.005),
    "humerus": (0.015, 0.02, 0.015),
    "ulna": (0.004, 0.03, 0.004),
}


def spot_of(name: str) -> Spot | None:
    """Where a marker of this name is stuck, on the side that it names; None for names not known."""
    named = re.fullmatch(r"([rl])[_.]?(.+)", name.lower())
    if name in MIDDLE or named is None or named[2] not in SIDED:
        return MIDDLE.get(name)
    spot, side = SIDED[named[2]], 1.0 if named[1] == "l" else -1.0
    segment = spot.segment if spot.segment in ("pelvis", "torso") else f"{spot.segment}_{named[1]}"
    beside = spot.beside and f"{spot.beside}_{named[1]}"
    return Spot(segment, (side * spot.at[0], spot.at[1], spot.at[2]), spot.doubt, beside)


def plain(name: str) -> str:
    """The name of a segment without its side."""
    return name.removesuffix("_l").removesuffix("_r")


def all_bends(skeleton: Skeleton) -> list[tuple[int, FloatArray, float, float]]:
    """Joint, axis in its frame, usual angle and its spread of every bend of both sides."""
    out = [(skeleton.index(bend.joint), np.array(bend.axis), bend.usual, bend.spread) for bend in TRUNK_BENDS]
    for side, mirror in (("_l", (1.0, 1.0, 1.0)), ("_r", (1.0, -1.0, -1.0))):  # an axis mirrors with its sense
        for bend in LIMB_BENDS:
            axis = np.array(bend.axis) * mirror
            out.append((skeleton.index(bend.joint + side), axis / np.linalg.norm(axis), bend.usual, bend.spread))
    return out
