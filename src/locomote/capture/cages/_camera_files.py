"""Cameras in a file: JSON, one entry a camera, by place and aim or by its 3 x 4 matrix as calibrations give it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from locomote.capture._cameras import camera_at
from locomote.draw._camera import Camera
from locomote.errors import FormatError, LocomoteError
from locomote.formats import _files


def load_cameras(path: str | os.PathLike[str]) -> dict[str, Camera]:
    """Cameras by name, in the order of the file.

    The file is ``{"cameras": [{"name": ..., "size": [width, height], ...}, ...]}``. A camera has either ``"eye"`` and
    ``"target"`` (m, Y up) with its ``"opening"`` in degrees, or ``"matrix"``, the 3 x 4 matrix that takes homogeneous
    points of the world, m, to homogeneous pixels.

    Parameters
    ----------
    path : of the file
    """
    file = Path(path)
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise FormatError(file, f"cannot be read: {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise FormatError(file, f"not a JSON file: {error}") from None
    rows = told.get("cameras") if isinstance(told, dict) else None
    if not isinstance(rows, list) or not rows:
        raise FormatError(file, 'expected {"cameras": [...]} with one entry a camera')
    out: dict[str, Camera] = {}
    for number, row in enumerate(rows):
        name = str(row.get("name", number)) if isinstance(row, dict) else str(number)
        try:
            camera = _camera(row)
        except (KeyError, TypeError, ValueError, LocomoteError) as error:
            missing = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise FormatError(file, missing, f"camera {name}") from None
        if name in out:
            raise FormatError(file, "two cameras have this name", f"camera {name}")
        out[name] = camera
    return out


def save_cameras(path: str | os.PathLike[str], cameras: Sequence[Camera]) -> None:
    """Write cameras as their matrices; their names are their numbers.

    Parameters
    ----------
    path : of the file
    cameras : with perspective
    """
    rows = []
    for number, camera in enumerate(cameras):
        if not camera.perspective:
            raise LocomoteError(f"camera {number}: files hold cameras with perspective")
        matrix = np.concatenate([camera.inverse, -(camera.inverse @ camera.eye)[:, None]], axis=1)
        rows.append({"name": str(number), "size": [camera.width, camera.height], "matrix": matrix.tolist()})
    with _files.atomic_path(Path(path)) as temporary:
        temporary.write_text(json.dumps({"cameras": rows}, indent=1), encoding="utf-8")


def _camera(row: Any) -> Camera:
    width, height = (int(n) for n in row["size"])
    if "matrix" not in row:
        return camera_at(row["eye"], row["target"], (width, height), float(np.radians(float(row.get("opening", 40.0)))))
    matrix = np.array(row["matrix"], dtype=np.float64)
    if matrix.shape != (3, 4) or not np.isfinite(matrix).all() or min(width, height) < 1:
        raise ValueError("expected a size in pixels and a matrix of 3 rows of 4 finite numbers")
    if abs(np.linalg.det(matrix[:, :3])) < 1e-12 * np.linalg.norm(matrix[:, :3]) ** 3:
        raise ValueError("its matrix is no camera: the left three columns must have an inverse")
    # Homogeneous pixels may have either sign; in front of a camera their last number is positive.
    matrix = matrix * (np.sign(np.linalg.det(matrix[:, :3])) / np.linalg.norm(matrix[2, :3]))
    inverse = np.linalg.inv(matrix[:, :3])
    return Camera(-inverse @ matrix[:, 3], np.ascontiguousarray(inverse.T), True, width, height)
