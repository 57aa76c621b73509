"""Creatures as files: one NumPy archive with every array bit for bit and a small header in JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from locomote.body import Body
from locomote.creatures._joint_limits import LegLimits
from locomote.creatures._leg_roles import with_leg_roles
from locomote.creatures._morphology import CreatureLeg, Morphology
from locomote.formats import _files
from locomote.formats._archives import load_archive
from locomote.skeleton import Skeleton

FORMAT = "locomote creature"
VERSION = 1
_SKELETON = ("parents", "offsets", "rest_rotations", "end_parents", "end_offsets")
_BODY = ("vertices", "triangles", "joints", "weights", "bind_positions", "bind_rotations")


def save(creature: Morphology, path: Path) -> None:
    """Write a creature. A body's original file (its materials and textures) is not kept."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "name": creature.name,
        "names": creature.skeleton.names,
        "head": creature.head,
        "spine": creature.spine,
        "tail": creature.tail,
        "box": creature.box,
        "thickness": creature.thickness,
        "girdles": creature.girdles,
        "legs": [
            {key: getattr(leg, key) for key in ("name", "joints", "side", "rank", "foot_box", "weight")}
            for leg in creature.legs
        ],
    }
    arrays: dict[str, Any] = {"header": np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)}
    arrays |= {name: getattr(creature.skeleton, name) for name in _SKELETON}
    arrays |= {"centre": creature.centre}
    arrays |= {"tips": np.stack([leg.tip for leg in creature.legs])}
    arrays |= {f"limits_{f}": leg.limits.packed() for f, leg in enumerate(creature.legs)}
    if creature.body is not None:
        arrays |= {f"body_{name}": getattr(creature.body, name) for name in _BODY}
    with _files.atomic_path(path) as temporary, temporary.open("wb") as stream:
        np.savez(stream, **arrays)


def load(path: Path) -> Morphology:
    """Read a creature that `save` wrote."""
    return load_archive(path, FORMAT, VERSION, _creature, "a creature")


def _creature(header: dict[str, Any], arrays: dict[str, Any]) -> Morphology:
    legs = []
    for f, leg in enumerate(header["legs"]):
        table = arrays[f"limits_{f}"]
        limits = LegLimits(table[:, :4], table[:, 4:7], table[:, 7], table[:, 8:10])
        fields = {**leg, "joints": tuple(leg["joints"]), "foot_box": tuple(leg["foot_box"])}
        legs.append(CreatureLeg(**fields, tip=arrays["tips"][f], limits=limits))
    skeleton = Skeleton(tuple(header["names"]), **{name: arrays[name] for name in _SKELETON})
    girdles = tuple(header["girdles"])
    body = Body(**{name: arrays[f"body_{name}"] for name in _BODY}) if "body_vertices" in arrays else None
    return Morphology(
        name=header["name"],
        skeleton=with_leg_roles(skeleton, legs, girdles, header["head"], header["spine"], tuple(header["tail"])),
        legs=tuple(legs),
        body=body,
        head=header["head"],
        spine=tuple(header["spine"]),
        tail=tuple(header["tail"]),
        centre=arrays["centre"],
        box=(header["box"][0], header["box"][1]),
        thickness=header["thickness"],
        girdles=girdles,
    )
