"""Acclaim motion (.amc) with its skeleton (.asf): the format of the CMU recordings.

Each bone turns by ``L = C M C^-1`` against its parent, where ``C`` is the bone's axis frame in the world of
the rest pose and ``M`` the frame's angles, the first one turning first. A bone's joint sits at its start.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from locomote import rotations as rot
from locomote.errors import FormatError, LocomoteError
from locomote.formats import _files
from locomote.formats._acclaim_text import AsfText, Bone, parse_amc, parse_asf
from locomote.formats.units import unit_in_metres
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

INCH = 0.0254  # metres
USUAL_RATE = 120.0  # frames per second of the CMU recordings; the files do not say


def read(
    data: bytes,
    path: Path,
    *,
    skeleton: str | os.PathLike[str] | None = None,
    fps: float | None = None,
    unit: str | float = "auto",
) -> Motion:
    """Read an .amc file with its .asf file, or an .asf file alone as one frame in the rest pose.

    ``skeleton``: the .asf file, else looked for beside the .amc file. ``fps``: the frame rate, which the
    format does not store; 120 unless given. ``unit``: ``auto`` trusts the skeleton's scale, as of inches.
    """
    rate = USUAL_RATE if fps is None else float(fps)
    if not (np.isfinite(rate) and rate > 0.0):
        raise LocomoteError(f"fps={fps}: expected a positive number of frames per second")
    alone = _files.split_name(path)[1] == ".asf"
    asf_path = path if alone else _skeleton_path(path) if skeleton is None else Path(skeleton)
    asf = parse_asf(data if alone else _files.read_bytes(asf_path), asf_path)
    metres = INCH / asf.length_unit if unit == "auto" else unit_in_metres(unit)
    bones = _parents_first(asf, asf_path)
    notes = [f"unit: {metres:.6g} m" + (" from the skeleton's length unit" if unit == "auto" else "")]
    body = _skeleton(bones, metres)
    position = metres * np.array(asf.position)
    if alone:
        return Motion(body, rate, position[None], rot.identity(1, len(bones)), notes=tuple(notes))

    amc = parse_amc(data, path, asf)
    degrees = asf.degrees if amc.degrees is None else amc.degrees
    rotations = rot.identity(amc.frames, len(bones))
    roots = np.zeros((amc.frames, 3))
    for j, bone in enumerate(bones):
        if bone.name not in amc.values:
            continue
        values = np.array(amc.values[bone.name], dtype=np.float64)
        turning = [i for i, dof in enumerate(bone.dofs) if dof[0] == "r"]
        rotations[:, j] = _turns(bone, values[:, turning], asf.degrees, degrees)
        if j == 0:
            for i, dof in enumerate(bone.dofs):
                if dof[0] == "t":
                    roots[:, "xyz".index(dof[1])] = values[:, i]
    if fps is None:
        notes.append(f"rate: {USUAL_RATE:g} frames per second assumed; the format does not say")
    return Motion(body, rate, metres * roots + position, rot.canonical(rotations), notes=tuple(notes))


def _skeleton_path(path: Path) -> Path:
    """The .asf file of an .amc file: of the same name, of the subject (07.asf for 07_01), or the only one."""
    stem = _files.split_name(path)[0].lower()
    nearby = sorted(p for p in path.parent.iterdir() if _files.split_name(p)[1] == ".asf" and p.is_file())
    for wanted in (stem, stem.rpartition("_")[0]):
        for candidate in nearby:
            if wanted and _files.split_name(candidate)[0].lower() == wanted:
                return candidate
    if len(nearby) == 1:
        return nearby[0]
    found = ", ".join(p.name for p in nearby) or "none"
    raise FormatError(path, f"its skeleton file is not clear, give skeleton=; .asf files beside it: {found}")


def _parents_first(asf: AsfText, path: Path) -> list[Bone]:
    """The root and all bones, each after its parent."""
    children: dict[str, list[Bone]] = {}
    for bone in asf.bones.values():
        children.setdefault(bone.parent, []).append(bone)
    ordered = [asf.root]
    waiting = children.get("root", [])[::-1]
    while waiting:
        bone = waiting.pop()
        ordered.append(bone)
        waiting += children.get(bone.name, [])[::-1]
    if len(ordered) != len(asf.bones) + 1:
        lost = sorted(set(asf.bones) - {bone.name for bone in ordered})
        raise FormatError(path, f"the hierarchy does not join these bones to the root: {', '.join(lost)}")
    return ordered


def _skeleton(bones: list[Bone], metres: float) -> Skeleton:
    index = {bone.name: j for j, bone in enumerate(bones)}
    parents = np.array([-1] + [index[bone.parent] for bone in bones[1:]])
    to_end = metres * np.array([bone.length * np.array(bone.direction) for bone in bones])
    to_end[0] = 0.0
    offsets = np.concatenate([np.zeros((1, 3)), to_end[parents[1:]]])
    tips = np.setdiff1d(np.arange(1, len(bones)), parents)
    names = tuple(bone.name for bone in bones)
    return Skeleton(names, parents, offsets, end_parents=tips, end_offsets=to_end[tips])


def _turns(bone: Bone, angles: FloatArray, axis_degrees: bool, degrees: bool) -> FloatArray:
    """A bone's rotations against its parent, ``C M C^-1``; the first angle turns first."""
    axis = np.array([bone.axis["xyz".index(letter)] for letter in bone.axis_order])
    frame = rot.from_euler(bone.axis_order[::-1], (np.radians(axis) if axis_degrees else axis)[::-1])
    order = "".join(dof[1] for dof in bone.dofs if dof[0] == "r")
    turns = rot.from_euler(order[::-1], (np.radians(angles) if degrees else angles)[:, ::-1])
    return rot.multiply(rot.multiply(frame, turns), rot.inverse(frame))
