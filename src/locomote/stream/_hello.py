"""What is said in JSON to who connects: who is there, and how to read the frames."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from locomote.stream import _wire as wire
from locomote.stream._frames import GroupLayout, Layout, Thing, Things
from locomote.stream._gestures import GESTURES
from locomote.stream._messages import MOST_BYTES, MOST_MESSAGES, PROTOCOL, VERSION

_TYPES = {"<f4": "float32", "<u2": "uint16", "|u1": "uint8"}


def hello(layout: Layout) -> str:
    """The greeting, sent first and again whenever anyone has come or gone."""
    return _text(
        {
            "type": "hello",
            "protocol": PROTOCOL,
            "version": VERSION,
            "layout": layout.number,
            "rate": layout.rate,
            "units": "metre",
            "axes": {"up": "+y", "forward": "+z", "left": "+x", "handedness": "right"},
            "quaternions": "wxyz",
            "limits": {"message_bytes": MOST_BYTES, "messages_per_second": MOST_MESSAGES},
            "header": _header(),
            "groups": [_group(index, group) for index, group in enumerate(layout.groups)],
        }
    )


def obstacles(things: Things) -> str:
    """The obstacles as they were at a time, and how each goes on."""
    return _text(
        {
            "type": "obstacles",
            "time": round(things.time, 6),
            "obstacles": [_obstacle(thing) for thing in things.obstacles],
        }
    )


def fields(group: GroupLayout, encoding: str) -> dict[str, Any]:
    """The record of one character: its length and where each field lies in it, bytes."""
    kind = wire.record(group, encoding)
    places: Mapping[str, Any] = kind.fields or {}
    listed = []
    for name in (each for each in kind.names or () if each != "spare"):
        part, offset = places[name][:2]
        shape = list(part.shape)
        listed.append({"name": name, "type": _TYPES[part.base.str], "shape": shape, "offset": offset})
    return {"stride": kind.itemsize, "fields": listed}


def _header() -> dict[str, Any]:
    listed, offset = [], 0
    for name, kind in wire.HEADER_FIELDS:
        listed.append({"name": name, "type": kind, "offset": offset})
        offset += wire.SIZES[kind]
    return {"bytes": wire.HEADER.size, "byte_order": "little", "magic": "LMOT", "fields": listed}


def _group(index: int, group: GroupLayout) -> dict[str, Any]:
    skeleton = group.skeleton
    ends = zip(skeleton.end_parents.tolist(), skeleton.end_offsets.round(7).tolist(), strict=True)
    return {
        "index": index,
        "name": group.name,
        "kind": group.kind,
        "count": group.count,
        "characters": list(group.characters),
        "skeleton": {
            "names": list(skeleton.names),
            "parents": skeleton.parents.tolist(),
            "offsets": skeleton.offsets.ravel().round(7).tolist(),
            "own_offsets": [] if group.offsets is None else group.offsets.ravel().round(7).tolist(),
            "rest_rotations": skeleton.rest_rotations.ravel().round(9).tolist(),
            "ends": [{"parent": parent, "offset": offset} for parent, offset in ends],
        },
        "contacts": list(group.points),
        "states": list(group.states),
        "gaits": list(group.gaits),
        "styles": list(group.styles),
        "gestures": list(GESTURES) if group.kind == "people" else [],
        "records": {encoding: fields(group, encoding) for encoding in wire.ENCODINGS},
    }


def _obstacle(thing: Thing) -> dict[str, Any]:
    return {
        "id": thing.id,
        "outline": [[round(x, 4), round(z, 4)] for x, z in thing.outline],
        "height": round(thing.height, 4),
        "lift": round(thing.lift, 4),
        "centre": [round(each, 4) for each in thing.centre],
        "velocity": [round(each, 4) for each in thing.velocity],
        "turn_rate": round(thing.turn_rate, 6),
    }


def _text(message: dict[str, Any]) -> str:
    return json.dumps(message, separators=(",", ":"), allow_nan=False)
