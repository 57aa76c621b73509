"""Markers of capture systems by the extension of their file: .trc and .c3d in, .trc out."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from locomote.errors import LocomoteError
from locomote.formats import _files
from locomote.formats._opensim_table import Markers, trc_text
from locomote.formats._opensim_table import read_markers as _read_trc

__all__ = ["Markers", "read_markers", "write_markers"]


def read_markers(path: str | PathLike[str], up: str = "z") -> Markers:
    """Read the markers of a .trc or .c3d file, compressed or not; what was not seen is NaN.

    Parameters
    ----------
    path : the file
    up : the axis that points up in a .c3d file, which does not say; a .trc file has Y up
    """
    path = Path(path)
    extension = _files.split_name(path)[1]
    if extension == ".c3d":
        from locomote.formats.c3d import read_markers as read_c3d

        return read_c3d(path, up)
    if extension != ".trc":
        raise LocomoteError(f"{path}: expected a file of markers, .trc or .c3d")
    return _read_trc(path)


def write_markers(markers: Markers, path: str | PathLike[str]) -> None:
    """Write markers as a .trc file; on failure an existing file stays as it was.

    Parameters
    ----------
    markers : what is written; NaN is left empty
    path : its name ends in .trc
    """
    path = Path(path)
    if _files.split_name(path)[1] != ".trc" or _files.split_name(path)[2]:
        raise LocomoteError(f"{path}: markers are written as .trc")
    with _files.atomic_path(path) as temporary:
        temporary.write_text(trc_text(markers), encoding="utf-8")
