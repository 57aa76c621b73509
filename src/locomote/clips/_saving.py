"""Clips into a file: several named animations on one body, in place or with root motion, and a side file of events."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from locomote import rotations as rot
from locomote.clips._clip import Clip
from locomote.clips._rooting import free_root, on_free_root, under_root
from locomote.errors import LocomoteError
from locomote.formats._files import atomic_path, split_name
from locomote.formats._gltf_read import Source
from locomote.formats._gltf_write import Take, write_takes
from locomote.formats._own_rig import OwnRig
from locomote.motion import Motion

ENDINGS = (".glb", ".gltf")
SIDE = ".clips.json"  # takes the place of the ending


def save_clips(clips: Sequence[Clip], path: str | os.PathLike[str], root_motion: bool = False) -> Path:
    """Write clips of one body as named animations of one glTF file; given back is the side file that tells of them.

    A rig's own file keeps all that it had; the clips face where the rig does, and count in its unit. What is told of
    each clip, foot events among it, is in the ``extras`` of its animation and in the side file beside the file.

    Parameters
    ----------
    clips : all of the same body
    path : .glb or .gltf
    root_motion : the way is the motion of a root node above the body; without it they are in place
    """
    path = Path(path)
    stem, ending, packed = split_name(path)
    if ending not in ENDINGS or packed:
        raise LocomoteError(f"{path}: clips are written as {' or '.join(ENDINGS)}")
    if not isinstance(clips, Iterable) or not all(isinstance(clip, Clip) for clip in clips):
        raise LocomoteError("save_clips takes a list of Clips: make them with clip_of, person_clips or creature_clips")
    if not clips:
        raise LocomoteError(f"{path}: there is no clip to write")
    names = [clip.name for clip in clips]
    if len(set(names)) != len(names) or "" in names:
        raise LocomoteError(f"{path}: clips need names that differ, got {', '.join(map(repr, names))}")
    if any(clip.motion.skeleton.names != clips[0].motion.skeleton.names for clip in clips):
        raise LocomoteError(f"{path}: clips of different bodies do not go into one file")
    own = [_in_file(clip) for clip in clips]
    written = [_rooted(one) if root_motion else _Written(one.motion) for one in own]
    told = [{**clip.told(), "root": one.root} for clip, one in zip(own, written, strict=True)]
    takes = [
        Take(one.motion, {key: value for key, value in about.items() if key not in ("name", "fps")}, one.travel)
        for one, about in zip(written, told, strict=True)
    ]
    with atomic_path(path) as temporary:
        write_takes(takes, temporary, keep=True)
    return save_side(path.with_name(stem + SIDE), path.name, told)


def save_side(path: Path, name: str, told: list[dict[str, Any]]) -> Path:
    """Write what is told of clips, beside the file or in the folder of that name."""
    with atomic_path(path) as temporary:
        text = json.dumps({"file": name, "clips": told}, indent=1, allow_nan=False)
        Path(temporary).write_text(text, encoding="utf-8")
    return path


def facing(motion: Motion) -> float:
    """Where the file behind a body faces, rad from +Z; 0 for bodies of our own."""
    source: Any = None if motion.body is None else motion.body.source
    if isinstance(source, OwnRig):
        return -float(rot.yaw(source.turn))
    if isinstance(source, Source):
        ahead = motion.skeleton.roles.forward
        return float(np.arctan2(ahead[0], ahead[2]))
    return 0.0


def _in_file(clip: Clip) -> Clip:
    """A clip in the space of its file: on the joints, in the unit and facing as it does."""
    motion, yaw, travel = clip.motion, facing(clip.motion), clip.travel
    source: Any = None if motion.body is None else motion.body.source
    motion = motion.moved(rot.from_yaw(yaw))
    if isinstance(source, OwnRig):
        motion, travel = source.restored(motion), travel.scaled(1.0 / source.scale)
    return replace(clip, motion=motion, travel=travel.turned(yaw))


@dataclass(frozen=True, eq=False)
class _Written:
    """What goes into the file, and the node that carries the way."""

    motion: Motion
    root: str | None = None
    travel: Any = None


def _rooted(clip: Clip) -> _Written:
    """A clip whose way is that of a node above the body; of the body itself where the file has none."""
    motion = clip.travelling()
    source: Any = None if motion.body is None else motion.body.source
    if not isinstance(source, Source):
        motion = under_root(motion, clip.travel)
        return _Written(motion, motion.skeleton.names[0])
    if free_root(motion):
        return _Written(on_free_root(motion, clip.travel), motion.skeleton.names[0])
    above = source.document.ancestors(source.nodes[0])[1:2]
    if not above:
        return _Written(motion, motion.skeleton.names[0])
    name = source.document.items("nodes")[above[0]].get("name")
    return _Written(motion, name or f"node {above[0]}", (clip.travel.places, clip.travel.turns))
