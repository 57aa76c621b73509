"""C3D (.c3d), the files of capture systems, through ezc3d: markers in, as `opensim.read_markers` gives them."""

from __future__ import annotations

import tempfile
from os import PathLike
from pathlib import Path

import numpy as np

from locomote.errors import FormatError, MissingExtra
from locomote.formats._files import read_bytes
from locomote.formats.opensim import Markers
from locomote.formats.units import basis, unit_in_metres

__all__ = ["read_markers"]


def read_markers(path: str | PathLike[str], up: str = "z") -> Markers:
    """Read the markers of a .c3d file, compressed or not; what was not seen is NaN.

    Parameters
    ----------
    path : the file; it says its unit
    up : the axis that points up, which the format does not say; Z in nearly all laboratories
    """
    try:
        import ezc3d
    except ImportError:
        raise MissingExtra("ezc3d", "capture", "reading C3D") from None
    path = Path(path)
    turn = basis(up, None)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "capture.c3d"  # the library takes the name of a file only
        plain.write_bytes(read_bytes(path))
        try:
            file = ezc3d.c3d(str(plain))
        except (OSError, RuntimeError, ValueError, IndexError, MemoryError) as error:
            raise FormatError(path, f"not a C3D file that can be read: {' '.join(str(error).split())[:200]}") from None
    about = file["parameters"]["POINT"]
    points = np.asarray(file["data"]["points"], dtype=np.float64)
    rate = float(about["RATE"]["value"][0])
    if points.shape[1] == 0 or not (np.isfinite(rate) and rate > 0.0):
        raise FormatError(path, f"it holds {points.shape[1]} markers at {rate:g} frames a second")
    units = about.get("UNITS", {}).get("value") or ["mm"]
    metres = unit_in_metres(str(units[0]).strip().lower() or "mm")
    labels = [str(name).strip() for name in about["LABELS"]["value"]][: points.shape[1]]
    labels += [f"marker {i + 1}" for i in range(len(labels), points.shape[1])]
    places = metres * np.moveaxis(points[:3], 0, -1).swapaxes(0, 1) @ turn.T
    residuals = np.asarray(file["data"]["meta_points"]["residuals"])[0].T
    places[residuals < 0.0] = np.nan  # what the system could not see
    return Markers(tuple(labels), places, np.arange(len(places)) / rate, rate)
