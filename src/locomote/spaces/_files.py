"""Spaces as files: one NumPy archive with every array bit for bit and a small header in JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.formats import _files
from locomote.formats._archives import load_archive
from locomote.formats.native import skeleton_of, skeleton_parts
from locomote.spaces._pose_space import PoseSpace
from locomote.spaces._statistics import Variance

FORMAT = "locomote pose space"
VERSION = 1
_ARRAYS = ("mean_rotations", "directions", "deviations", "weights", "limit_centres", "limit_matrices")


def save(space: PoseSpace, path: Path) -> None:
    """Write a space."""
    told, bones = skeleton_parts(space.skeleton)
    arrays: dict[str, Any] = dict(bones)
    header = {"format": FORMAT, "version": VERSION, "total": space.variance.total, "notes": space.notes, **told}
    arrays |= {name: getattr(space, name) for name in _ARRAYS}
    arrays |= {
        "shares": space.variance.shares,
        "header": np.frombuffer(json.dumps(header).encode("utf-8"), dtype=np.uint8),
    }
    with _files.atomic_path(path) as temporary, temporary.open("wb") as stream:
        np.savez_compressed(stream, **arrays)


def load(path: Path) -> PoseSpace:
    """Read a space that `save` wrote."""
    return load_archive(path, FORMAT, VERSION, _space, "a pose space")


def _space(header: dict[str, Any], arrays: dict[str, Any]) -> PoseSpace:
    skeleton = skeleton_of(header, arrays)
    joints, count = len(skeleton), len(arrays["directions"])
    shapes = (joints, 4), (count, joints, 3), (count,), (joints,), (joints, 3), (joints, 3, 3)
    for name, shape in zip(_ARRAYS, shapes, strict=True):
        if arrays[name].shape != shape or not np.isfinite(arrays[name]).all():
            raise LocomoteError(f"{name}: expected finite numbers of shape {shape}, got {arrays[name].shape}")
    return PoseSpace(
        skeleton,
        **{name: np.ascontiguousarray(arrays[name], dtype=np.float64) for name in _ARRAYS},
        variance=Variance(np.asarray(arrays["shares"], dtype=np.float64), float(header["total"])),
        notes=tuple(str(note) for note in header["notes"]),
    )
