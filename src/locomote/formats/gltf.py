"""glTF 2.0, as ``.glb`` or ``.gltf``: skeleton, animation and mesh in, and out on the same mesh."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np

from locomote.errors import LocomoteError
from locomote.formats import _files
from locomote.formats._gltf_animation import animation_names, choose, read_animation
from locomote.formats._gltf_document import parse
from locomote.formats._gltf_note import is_ours
from locomote.formats._gltf_read import build_motion
from locomote.formats._gltf_write import Take, write_takes
from locomote.formats._upright import guess_up, turned_up
from locomote.formats.units import basis, unit_in_metres
from locomote.motion import Motion

__all__ = ["animations", "read", "write"]


def read(
    data: bytes,
    path: Path,
    animation: str | int | None = None,
    fps: float | None = None,
    unit: str | float = 1.0,
    up: str = "auto",
) -> Motion:
    """A motion from the bytes of a glTF file.

    Parameters
    ----------
    data, path : the file, and its name for messages and what lies beside it
    animation : a name or an index; the first by default
    fps : frames a second at which it is sampled; by default those of its keys
    unit : the file's unit in metres or by name; glTF itself says metres
    up : the axis that points up, such as ``"z"``; glTF itself says Y, unless the body clearly stands along another
    """
    if fps is not None and not (np.isfinite(fps) and fps > 0.0):
        raise LocomoteError(f"{path}: fps must be a positive number, got {fps}")
    metres = unit_in_metres(1.0 if unit == "auto" else unit)
    basis("y" if up == "auto" else up, None)  # refuses what is no axis before the file is read
    document = parse(data, path)
    if metres != 1.0:
        roots = [n for n, parent in enumerate(document.parents) if parent < 0]
        document.wrap(roots, {"name": "unit", "scale": [metres] * 3})
    chosen = choose(document, animation)
    keys = None if chosen is None else read_animation(document, chosen)
    animated = {node for node, _ in keys.tracks} if keys else set()
    rate = fps or (keys.fps if keys else 30.0)
    # Numbers too large for arithmetic are found by one check at the end instead of a warning at each step.
    with np.errstate(all="ignore"):
        motion = build_motion(document, keys, float(rate), animated)
    notes = list(motion.notes)
    if up == "auto" and not is_ours(document) and (found := guess_up(motion)) is not None:
        up = found.axis
        notes.append(f"glTF says that Y is up; {found.note}")
    if up not in ("auto", "y"):
        motion = turned_up(motion, up)
    if others := [name for a, name in enumerate(animation_names(document)) if a != chosen]:
        notes.append(f"other animations: {', '.join(others)}")
    return replace(motion, notes=tuple(notes))


def write(motion: Motion, path: Path, keep: bool | None = None) -> None:
    """Write a motion: on the mesh of the file it came from, on its own body, or on a plain one.

    Parameters
    ----------
    motion : what is written
    path : .glb or .gltf
    keep : leave the nodes and all other animations of the file it came from as they were; without it, as is done for
        the creatures of a rig, while other motions replace the animations
    """
    write_takes([Take(motion)], path, keep)


def animations(path: str | os.PathLike[str]) -> list[tuple[str, float]]:
    """The names and durations (seconds) of the animations in a file."""
    document = parse(_files.read_bytes(Path(path)), Path(path))
    found = [read_animation(document, a) for a in range(len(document.items("animations")))]
    return [(one.name, one.end - one.start) for one in found]
