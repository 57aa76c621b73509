"""Steps in a file: whole numbers small enough to ship, legs left out because they follow from the feet."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.errors import FormatError
from locomote.formats._files import atomic_path, read_bytes
from locomote.human._encoding import FIXED
from locomote.human_skeleton import COMMON
from locomote.rotations import FloatArray
from locomote.steps._limbs import Limbs, from_limbs
from locomote.steps._timeline import SAMPLES

if TYPE_CHECKING:
    from locomote.steps._database import StepDatabase

VERSION = 1
LENGTH_STEP = 1e-4  # hip heights
ANGLE_STEP = 2.0**-13  # rad; of rotation vectors and knee rolls
STORED = ("params", "yaws", "durations")  # as they are
_LEGS = ("UpLeg", "Leg", "Foot", "ToeBase")
_KEPT = [j for j, n in enumerate(COMMON.names) if not n.endswith(_LEGS) and n not in FIXED]


def write(steps: StepDatabase, path: str | os.PathLike[str]) -> None:
    """Write a database as one ``.npz`` file."""
    header = {
        "version": VERSION, "sources": steps.sources, "styles": steps.styles, "about": steps.about,
    }  # fmt: skip
    logs = rot.log(steps.rotations[:, :, _KEPT])
    with atomic_path(path) as temporary, temporary.open("wb") as stream:
        np.savez_compressed(
            stream,
            header=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8),
            roots=_packed(steps.roots, LENGTH_STEP),
            logs=_packed(_unwound(logs), ANGLE_STEP),
            feet=_packed(steps.feet, LENGTH_STEP),
            knee_rolls=_packed(np.unwrap(steps.knee_rolls, axis=1), ANGLE_STEP),
            clips=steps.clips.astype(np.int16),
            tags=steps.tags.astype(np.int8),
            swung=steps.swung.astype(np.int8),
            **{name: getattr(steps, name).astype(np.float64) for name in STORED},
        )


def read(path: str | os.PathLike[str]) -> StepDatabase:
    """Read a database that `write` wrote."""
    from locomote.steps._database import StepDatabase

    path = Path(path)
    try:
        with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as file:
            header = json.loads(file["header"].tobytes().decode())
            if header["version"] != VERSION:
                raise FormatError(path, f"steps of version {header['version']}; this program reads version {VERSION}")
            roots, feet = _unpacked(file["roots"], LENGTH_STEP), _unpacked(file["feet"], LENGTH_STEP)
            rolls = _unpacked(file["knee_rolls"], ANGLE_STEP)
            upper = rot.identity(*roots.shape[:2], len(COMMON))
            upper[:, :, _KEPT] = rot.exp(_unpacked(file["logs"], ANGLE_STEP))
            _check(path, roots, feet, rolls, upper)
            return StepDatabase(
                **{name: file[name].astype(np.float64) for name in STORED},
                roots=roots,
                rotations=from_limbs(COMMON, Limbs(roots, upper, feet, rolls)),
                feet=feet,
                knee_rolls=rolls,
                clips=file["clips"].astype(np.int64),
                sources=tuple(header["sources"]),
                about=str(header["about"]),
                tags=file["tags"].astype(np.int64),
                styles=tuple(header["styles"]),
                swung=file["swung"].astype(np.int64),
            )
    except (ValueError, KeyError, TypeError, AttributeError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise FormatError(path, f"not a database of steps: {error}") from None


def _check(path: Path, roots: FloatArray, feet: FloatArray, rolls: FloatArray, upper: FloatArray) -> None:
    count = len(roots)
    for name, values, shape in (
        ("roots", roots, (count, SAMPLES, 3)),
        ("feet", feet, (count, SAMPLES, 2, 3, 3)),
        ("knee_rolls", rolls, (count, SAMPLES, 2)),
        ("rotations", upper, (count, SAMPLES, len(COMMON), 4)),
    ):
        if values.shape != shape:
            raise FormatError(path, f"expected shape {shape}, got {values.shape}", name)


def _unwound(logs: FloatArray) -> FloatArray:
    """Rotation vectors ``(N, T, J, 3)`` that do not jump from pi to -pi along time."""
    out = logs.copy()
    for t in range(1, logs.shape[1]):
        angle = np.linalg.norm(out[:, t], axis=-1, keepdims=True)
        axis = out[:, t] / np.maximum(angle, 1e-9)
        turns = np.round((np.sum(out[:, t - 1] * axis, axis=-1, keepdims=True) - angle) / (2.0 * np.pi))
        out[:, t] += 2.0 * np.pi * turns * axis
    return out


def _packed(values: FloatArray, step: float) -> npt.NDArray[np.int16]:
    """Second differences along time of whole steps: small numbers, which compress well."""
    whole = np.round(values / step).astype(np.int32)
    out = whole.copy()
    out[:, 1] = whole[:, 1] - whole[:, 0]
    out[:, 2:] = np.diff(whole, n=2, axis=1)
    if np.abs(out).max(initial=0) >= 2**15:
        raise ValueError("a step is too large or too fast to be stored")
    return np.moveaxis(out, 1, -1).astype(np.int16)


def _unpacked(stored: npt.NDArray[Any], step: float) -> FloatArray:
    rates = np.moveaxis(stored, -1, 1).astype(np.int64)
    first = rates[:, :1]
    out = np.concatenate([first, first + np.cumsum(np.cumsum(rates[:, 1:], axis=1), axis=1)], axis=1)
    return step * out.astype(np.float64)
