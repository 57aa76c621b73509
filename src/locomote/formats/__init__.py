"""Files of motion in and out: `load` and `save` choose the format by the file's extension.

Every format is one module with ``read(data, path, **options) -> Motion`` and
``write(motion, path, **options) -> None``, imported when a file of its kind is first met.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from locomote.errors import FormatError, LocomoteError, SkeletonError
from locomote.formats import _files
from locomote.motion import Motion, checked_motion, checked_motions

__all__ = ["FORMATS", "Format", "load", "save"]


@dataclass(frozen=True)
class Format:
    """One kind of file."""

    module: str
    what: str
    reads: bool = True
    writes: bool = True
    several: bool = False  # whether motions of several bodies go into one file
    instead: str = ""  # what to do where reading is not possible


FORMATS: dict[str, Format] = {
    ".bvh": Format("bvh", "Biovision hierarchy"),
    ".npz": Format("native", "locomote's own file, exact and fast; poses of AMASS are read"),
    ".lmz": Format("lmz", "packed motion, within an error that is asked for"),
    ".amc": Format("acclaim", "Acclaim motion, with its .asf skeleton", writes=False),
    ".asf": Format("acclaim", "Acclaim skeleton, read as one frame in the rest pose", writes=False),
    ".glb": Format("gltf", "glTF 2.0, binary"),
    ".gltf": Format("gltf", "glTF 2.0, text"),
    ".vrma": Format("vrma", "VRM animation", reads=False, instead="it is for avatars; write it from another format"),
    ".usda": Format("usd", "USD, text", several=True),
    ".usdc": Format("usd", "USD, binary", several=True),
    ".usd": Format("usd", "USD, text or binary", several=True),
    ".fbx": Format("fbx", "FBX, skeleton and animation", writes=False),
    ".mot": Format("opensim", "OpenSim joint coordinates", writes=False),
    ".sto": Format("opensim", "OpenSim storage", writes=False),
    ".xml": Format("mjcf", "MuJoCo model, read as one frame", writes=False),
    ".urdf": Format("urdf", "robot description, read as one frame", writes=False),
    ".c3d": Format(
        "c3d",
        "marker positions of a capture system",
        reads=False,
        writes=False,
        instead="it holds markers, not joints; read them with locomote.formats.markers.read_markers",
    ),
    ".trc": Format(
        "opensim",
        "marker positions",
        reads=False,
        writes=False,
        instead="it holds markers, not joints; read them with locomote.formats.markers.read_markers",
    ),
}


_OURS = ("native", "lmz")  # what we wrote ourselves was looked at before


def load(path: str | os.PathLike[str], **options: Any) -> Motion:
    """Read a motion; the extension says the format, and ``.xz`` or ``.gz`` behind it is unpacked.

    Options depend on the format, such as ``unit="cm"`` and ``up="z"`` for BVH and glTF. What was assumed, and what
    looks wrong about a body (its size, how it holds itself), is told in the motion's ``notes``.
    """
    path = _path(path, "load")
    if path.is_dir():
        raise LocomoteError(f"{path}: is a folder, expected a file")
    form = _format_of(path)
    if not form.reads:
        raise LocomoteError(f"{path}: cannot be read as a motion: {form.instead}")
    read = _checked(form, "read", path, options)
    data = _files.read_bytes(path)
    try:
        motion: Motion = read(data, path, **options)
    except SkeletonError as error:
        raise FormatError(path, str(error)) from error
    except MemoryError:
        raise FormatError(path, "does not fit into memory") from None
    except RecursionError:
        raise FormatError(path, "is nested too deeply") from None
    except UnicodeError as error:
        raise FormatError(path, f"is not text where it should be: {error}") from None
    from locomote.formats._doubts import doubts  # knows roles, which those who only need a path do without

    notes = (*motion.notes, *(() if form.module in _OURS else doubts(motion)))
    return replace(motion, name=motion.name or _files.split_name(path)[0], notes=notes)


def save(motion: Motion | Sequence[Motion], path: str | os.PathLike[str], **options: Any) -> None:
    """Write a motion in the format of the extension; on failure an existing file stays as it was.

    Parameters
    ----------
    motion : what is written; several go side by side into one USD file
    path : its extension says the format; ``.xz`` or ``.gz`` behind it packs the file
    """
    several = isinstance(motion, (list, tuple))
    written: Any = checked_motions(motion, "save") if several else checked_motion(motion, "save")
    path = _path(path, "save")
    form = FORMATS.get(_files.split_name(path)[1])
    if form is None or not form.writes:
        known = ", ".join(extension for extension, one in FORMATS.items() if one.writes)
        raise LocomoteError(f"{path}: this format is not written; those that are: {known}")
    if several and not (written and form.several):
        known = ", ".join(extension for extension, one in FORMATS.items() if one.several)
        wrong = "this format holds one motion" if written else "there are no motions"
        raise LocomoteError(f"{path}: {wrong}; several go into {known}")
    write = _checked(form, "write_several" if several else "write", path, options)
    compression = _files.split_name(path)[2]
    with _files.atomic_path(path) as temporary:
        if not compression:
            write(written, temporary, **options)
            return
        plain = temporary.with_name(temporary.name.removesuffix(compression))
        try:
            write(written, plain, **options)
            _files.pack(plain, temporary, compression)
        finally:
            plain.unlink(missing_ok=True)


def _path(path: object, verb: str) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        raise LocomoteError(f"{verb} takes the path of a file, got {type(path).__name__}")
    return Path(path)


def _format_of(path: Path) -> Format:
    extension = _files.split_name(path)[1]
    try:
        return FORMATS[extension]
    except KeyError:
        known = ", ".join(FORMATS)
        got = f"the extension {extension!r} is unknown" if extension else "the name has no extension"
        raise LocomoteError(f"{path}: {got}; known are {known}, each also with .xz or .gz") from None


def _checked(form: Format, action: str, path: Path, options: dict[str, Any]) -> Callable[..., Any]:
    """The format's function, once the options are known to be its own."""
    function: Callable[..., Any] = getattr(import_module(f"locomote.formats.{form.module}"), action)
    valid = list(inspect.signature(function).parameters)[2:]
    for name in options:
        if name not in valid:
            offer = ", ".join(valid) or "none"
            raise LocomoteError(f"{path}: {form.what} has no option {name!r} to {action} it; there is: {offer}")
    return function
