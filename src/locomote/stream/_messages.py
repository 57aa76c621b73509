"""What a client may say: every message as a table of fields, checked strictly before anything is done.

The same tables make the JSON Schema, so that what is documented is what is checked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from locomote.errors import LocomoteError
from locomote.stream._fields import (
    FARTHEST,
    PLACE,
    Field,
    Flag,
    GaitField,
    GroupsField,
    Mixture,
    Name,
    Number,
    Numbers,
    PathField,
    Who,
    Whole,
    Word,
    shown,
)
from locomote.stream._gestures import GESTURES
from locomote.stream._wire import ENCODINGS

PROTOCOL = "locomote-stream"
VERSION = 1
MOST_BYTES = 65536  # of a message from a client
MOST_MESSAGES = 120  # a second from a client, on average

_ANGLE, _FAR, _SIDE = Number(-1e3, 1e3, each=True), Number(-FARTHEST, FARTHEST, each=True), Number(0.01, 10.0)
_HEIGHT, _LIFT, _RISE = Number(0.0, 10.0), Number(-10.0, 10.0), Number(-5.0, 5.0)
_VELOCITY, _SPIN = Numbers(2, -20.0, 20.0), Number(-10.0, 10.0)
_GROUP: dict[str, Field] = {"group": Name(), "who": Who()}
_STANDS: dict[str, Field] = {"height": _HEIGHT, "lift": _LIFT, "rise": _RISE, "safe": Flag()}

# type: fields, and which of them must be there
MESSAGES: Mapping[str, tuple[dict[str, Field], tuple[str, ...]]] = MappingProxyType(
    {
        "subscribe": (
            {"groups": GroupsField(), "rate": Number(0.1, 240.0), "rotations": Word(ENCODINGS)},
            (),
        ),
        "command": (
            {
                **_GROUP,
                "speed": Number(-15.0, 15.0, each=True),
                "turn_rate": Number(-10.0, 10.0, each=True),
                "heading": _ANGLE,
                "gait": GaitField(),
                "style": Mixture(),
                "leg_length": Number(0.3, 1.5, each=True),
                "step_height": Number(0.0, 1.0, each=True),
                "within": Number(0.0, 60.0),
            },
            ("group",),
        ),
        "go_to": (
            {
                **_GROUP,
                "x": _FAR,
                "z": _FAR,
                "heading": _ANGLE,
                "speed": Number(0.05, 15.0, each=True),
            },
            ("group", "x", "z"),
        ),
        "follow": (
            {**_GROUP, "path": PathField(), "speed": Number(0.05, 15.0, each=True)},
            ("group", "path"),
        ),
        "release": (dict(_GROUP), ("group",)),
        "jump": (
            {
                **_GROUP,
                "length": Number(0.2, 3.0, each=True),
                "policy": Word(("exact", "now")),
                "foot": Word(("either", "left", "right")),
                "flight": Number(0.05, 1.0, each=True),
            },
            ("group",),
        ),
        "gesture": ({**_GROUP, "gesture": Word(tuple(GESTURES))}, ("group", "gesture")),
        "add_puddle": (
            {"centre": PLACE, "length": _SIDE, "width": _SIDE, "yaw": Number(-1e3, 1e3)},
            ("centre", "length", "width"),
        ),
        "add_box": (
            {
                "centre": PLACE,
                "size": Numbers(2, 0.01, 10.0),
                "yaw": Number(-1e3, 1e3),
                "velocity": _VELOCITY,
                "turn_rate": _SPIN,
                **_STANDS,
            },
            ("centre", "size", "height"),
        ),
        "add_disk": (
            {"centre": PLACE, "radius": Number(0.01, 5.0), "velocity": _VELOCITY, **_STANDS},
            ("centre", "radius"),
        ),
        "add_wall": (
            {"start": PLACE, "end": PLACE, "thickness": Number(0.01, 5.0), **_STANDS},
            ("start", "end"),
        ),
        "move_obstacle": (
            {
                "obstacle": Whole(2**53),
                "centre": PLACE,
                "yaw": Number(-1e3, 1e3),
                "velocity": _VELOCITY,
                "turn_rate": _SPIN,
                "lift": _LIFT,
                "rise": _RISE,
            },
            ("obstacle",),
        ),
        "remove_obstacle": ({"obstacle": Whole(2**53)}, ("obstacle",)),
    }
)


@dataclass(frozen=True)
class Message:
    """One message, checked."""

    type: str
    values: Mapping[str, Any]


def read_table(text: str | bytes) -> dict[str, Any]:
    """What a client sent as a table, not yet checked."""
    if not isinstance(text, str):
        raise LocomoteError("expected a text message with JSON, not a binary one")
    try:
        table = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_twins)
    except (ValueError, RecursionError) as error:
        what = error.args[0] if type(error) is ValueError and error.args else "it cannot be read"
        raise LocomoteError(f"not JSON as expected: {shown(what, quoted=False)}") from None
    if not isinstance(table, dict):
        raise LocomoteError(f'expected an object such as {{"type": "go_to", ...}}, not {shown(table)}')
    return table


def take_id(table: dict[str, Any]) -> int | str | None:
    """What the answer is to bring back, taken out of a table."""
    id = table.pop("id", None)
    if id is None:
        return None
    return Name().read("id", id) if isinstance(id, str) else Whole(2**53).read("id", id)


def check(table: dict[str, Any]) -> Message:
    """A message; anything that is not exactly as agreed is an error."""
    kind = table.get("type")
    if not isinstance(kind, str) or kind not in MESSAGES:
        raise LocomoteError(f"type: expected one of {', '.join(MESSAGES)}, not {shown(kind)}")
    known, needed = MESSAGES[kind]
    values = {key: value for key, value in table.items() if key != "type"}
    for key in values:
        if key not in known:
            raise LocomoteError(f"{kind}: no field {shown(key)}; its fields are: {', '.join(known)}")
    for key in needed:
        if key not in values:
            raise LocomoteError(f"{kind}: {key} is missing")
    return Message(kind, {key: known[key].read(key, value) for key, value in values.items()})


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a key is given twice")
    return table


def schema() -> dict[str, Any]:
    """All that a client may say, as JSON Schema."""
    id = {"oneOf": [Name().schema(), Whole(2**53).schema()]}
    messages = []
    for kind, (known, needed) in MESSAGES.items():
        properties = {"type": {"const": kind}, "id": id}
        properties |= {name: field.schema() for name, field in known.items()}
        messages.append(
            {
                "title": kind,
                "type": "object",
                "properties": properties,
                "required": ["type", *needed],
                "additionalProperties": False,
            }
        )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{PROTOCOL} {VERSION}: messages from a client",
        "oneOf": messages,
    }
