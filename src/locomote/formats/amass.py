"""AMASS and SMPL (.npz): joint angles of a body model whose shape is not in the file, on bones of usual lengths."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from locomote import rotations as rot
from locomote.errors import FormatError
from locomote.formats.units import basis
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

_BODY = (  # name, parent, offset in metres of a person of 1.7 m in T-pose, facing +Z, left at +X
    ("Pelvis", "", (0.0, 0.0, 0.0)),
    ("L_Hip", "Pelvis", (0.07, -0.09, 0.0)), ("R_Hip", "Pelvis", (-0.07, -0.09, 0.0)),
    ("Spine1", "Pelvis", (0.0, 0.11, -0.02)),
    ("L_Knee", "L_Hip", (0.04, -0.38, 0.0)), ("R_Knee", "R_Hip", (-0.04, -0.38, 0.0)),
    ("Spine2", "Spine1", (0.0, 0.135, 0.0)),
    ("L_Ankle", "L_Knee", (-0.015, -0.40, -0.035)), ("R_Ankle", "R_Knee", (0.015, -0.40, -0.035)),
    ("Spine3", "Spine2", (0.0, 0.055, 0.0)),
    ("L_Foot", "L_Ankle", (0.03, -0.06, 0.12)), ("R_Foot", "R_Ankle", (-0.03, -0.06, 0.12)),
    ("Neck", "Spine3", (0.0, 0.21, -0.03)),
    ("L_Collar", "Spine3", (0.075, 0.115, -0.03)), ("R_Collar", "Spine3", (-0.075, 0.115, -0.03)),
    ("Head", "Neck", (0.0, 0.085, 0.05)),
    ("L_Shoulder", "L_Collar", (0.115, 0.04, -0.01)), ("R_Shoulder", "R_Collar", (-0.115, 0.04, -0.01)),
    ("L_Elbow", "L_Shoulder", (0.26, -0.01, -0.02)), ("R_Elbow", "R_Shoulder", (-0.26, -0.01, -0.02)),
    ("L_Wrist", "L_Elbow", (0.25, 0.01, 0.0)), ("R_Wrist", "R_Elbow", (-0.25, 0.01, 0.0)),
)  # fmt: skip
_PELVIS = np.array([0.0, -0.22, 0.03])  # m, of the model's origin, about which it is placed but not turned
_ENDS = (("Head", (0.0, 0.18, 0.0)), ("L_Foot", (0.0, 0.0, 0.07)), ("R_Foot", (0.0, 0.0, 0.07)))
_WIDTHS = {66: "SMPL without hands", 72: "SMPL", 156: "SMPL-H", 165: "SMPL-X"}
_RATES = ("mocap_framerate", "mocap_frame_rate", "fps")
_DEFAULT_RATE = 60.0  # frames a second


def is_amass(arrays: Mapping[str, Any]) -> bool:
    """Whether an archive holds poses of the SMPL family."""
    return "poses" in arrays and "trans" in arrays


def motion_of(arrays: Mapping[str, Any], path: Path) -> Motion:
    """The body's motion; hands and face are left out.

    Parameters
    ----------
    arrays : of the file: ``poses`` (F, 66, 72, 156 or 165) rad as rotation vectors, ``trans`` (F, 3) m, Z up
    path : for messages
    """
    poses, trans = (np.asarray(arrays[key], dtype=np.float64) for key in ("poses", "trans"))
    if poses.ndim != 2 or poses.shape[1] not in _WIDTHS or trans.shape != (len(poses), 3) or not len(poses):
        known = ", ".join(str(width) for width in _WIDTHS)
        raise FormatError(path, f"poses {poses.shape} and trans {trans.shape}: expected (F, {known}) and (F, 3)")
    if not (np.all(np.isfinite(poses)) and np.all(np.isfinite(trans))):
        raise FormatError(path, "poses or trans hold numbers that are not finite")
    rate = next((float(np.asarray(arrays[key]).reshape(-1)[0]) for key in _RATES if key in arrays), _DEFAULT_RATE)
    if not (np.isfinite(rate) and rate > 0.0):
        raise FormatError(path, f"{rate:g} frames a second")
    names = tuple(name for name, _, _ in _BODY)
    skeleton = Skeleton(
        names=names,
        parents=np.array([-1 if not parent else names.index(parent) for _, parent, _ in _BODY]),
        offsets=np.array([offset for _, _, offset in _BODY]),
        end_parents=np.array([names.index(name) for name, _ in _ENDS]),
        end_offsets=np.array([offset for _, offset in _ENDS]),
    )
    turns: FloatArray = rot.exp(poses[:, : 3 * len(names)].reshape(len(poses), len(names), 3))
    upright = rot.from_matrix(basis("z", "-y"))
    turns[:, 0] = rot.multiply(upright, turns[:, 0])
    places = rot.rotate(upright, trans + _PELVIS)
    note = f"{_WIDTHS[poses.shape[1]]}: the shape of the body is not in the file, bones have usual lengths"
    return Motion(skeleton, rate, places, rot.continuous(turns), notes=(note,))
