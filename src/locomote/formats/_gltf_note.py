"""What glTF cannot hold of a skeleton: a note of our writer for our reader, in ``asset.extras``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from locomote.errors import SkeletonError
from locomote.formats._gltf_document import Document, Json
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

_SAME = 1e-4  # of the body's size; a file that was changed since says something else


def write_note(tree: Json, skeleton: Skeleton, nodes: list[int]) -> None:
    """Leave the order of the joints, their exact rest pose, and the end sites."""
    asset = tree["asset"]
    kept = asset.get("extras")
    note = {
        "nodes": nodes,
        "offsets": skeleton.offsets.tolist(),
        "rest_rotations": skeleton.rest_rotations.tolist(),
        "end_parents": skeleton.end_parents.tolist(),
        "end_offsets": skeleton.end_offsets.tolist(),
    }
    asset["extras"] = {**(kept if isinstance(kept, dict) else {}), "locomote": note}


def is_ours(document: Document) -> bool:
    """Whether our own writer made a file: its axes are not guessed."""
    return bool(_note(document))


def noted_order(document: Document, nodes: list[int]) -> list[int]:
    """The joints in the order in which they were written, where the file still says so."""
    order = _note(document).get("nodes")
    if not isinstance(order, list) or not all(type(n) is int for n in order) or sorted(order) != sorted(nodes):
        return nodes
    seen: set[int] = set()
    for n in order:
        if n != nodes[0] and document.parents[n] not in seen:
            return nodes
        seen.add(n)
    return order if order[0] == nodes[0] else nodes


def noted_skeleton(document: Document, skeleton: Skeleton, nodes: list[int], rest: FloatArray) -> Skeleton:
    """The skeleton with the rest pose and end sites of the note, unless the nodes were changed since.

    ``rest`` are the positions ``(J, 3)`` that the nodes give the joints.
    """
    note = _note(document)
    if note.get("nodes") != nodes:
        return skeleton
    try:
        noted = replace(
            skeleton,
            offsets=_floats(note, "offsets", 3),
            rest_rotations=_floats(note, "rest_rotations", 4),
            end_parents=np.array(note.get("end_parents"), dtype=np.int64),
            end_offsets=_floats(note, "end_offsets", 3),
        )
    except (SkeletonError, ValueError, TypeError, OverflowError):
        return skeleton
    lengths = np.linalg.norm(noted.rest_rotations, axis=1)
    if np.abs(lengths - 1.0).max() > 1e-6 or np.abs(noted.end_offsets).max(initial=0.0) > 1e9:
        return skeleton
    size = max(float(np.ptp(rest, axis=0).max()), 1e-9)
    return noted if np.abs(noted.rest_pose()[0] - rest).max() <= _SAME * size else skeleton


def _note(document: Document) -> dict[str, Any]:
    extras = document.tree["asset"].get("extras")
    note = extras.get("locomote") if isinstance(extras, dict) else None
    return note if isinstance(note, dict) else {}


def _floats(note: dict[str, Any], key: str, width: int) -> FloatArray:
    values = np.array(note.get(key), dtype=np.float64).reshape(-1, width)
    if not np.all(np.isfinite(values)):
        raise ValueError(key)
    return values
