"""What clients may say; anything else changes nothing."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote.errors import LocomoteError
from locomote.stream import Stage
from locomote.stream._commands import MOST_OBSTACLES, obey
from locomote.stream._messages import MESSAGES, Message, check, read_table, schema, take_id

from .conftest import small_stage

GOOD: list[dict[str, Any]] = [
    {"type": "subscribe"},
    {"type": "subscribe", "groups": {"people": [0, 2], "wolf": None}, "rate": 30, "rotations": "int16"},
    {"type": "command", "group": "people", "speed": 1.4, "turn_rate": 0.2},
    {"type": "command", "group": "people", "who": [0, 1], "speed": [1.0, 2.0], "gait": "run", "within": 1.0},
    {"type": "command", "group": "people", "who": 2, "heading": -1.0, "gait": 0.5, "leg_length": 1.0},
    {"type": "command", "group": "wolf", "speed": -0.5, "step_height": 0.1, "gait": "auto"},
    {"type": "go_to", "group": "people", "who": None, "x": 3, "z": -2.5, "heading": 1.0, "speed": 1.2},
    {"type": "go_to", "group": "wolf", "x": [1, 2], "z": [3, 4]},
    {"type": "follow", "group": "people", "path": [[0, 0], [0, 5], [3, 8]], "id": "way-1"},
    {"type": "follow", "group": "wolf", "who": 1, "path": [[0, 0], [1, 5]], "speed": 0.8},
    {"type": "release", "group": "people", "who": [1]},
    {"type": "jump", "group": "people", "who": 0, "length": 1.0, "foot": "left", "id": 5},
    {"type": "jump", "group": "people", "policy": "now"},
    {"type": "gesture", "group": "people", "who": [0, 1], "gesture": "wave"},
    {"type": "add_puddle", "centre": [3, 3], "length": 1, "width": 2, "yaw": 0.5},
    {"type": "add_box", "centre": [4, 0], "size": [1, 1], "height": 0.5, "velocity": [0.1, 0], "safe": True},
    {"type": "add_disk", "centre": [-5, 5], "radius": 0.5},
    {"type": "add_wall", "start": [6, -3], "end": [6, 3], "thickness": 0.3, "height": 2},
    {"type": "move_obstacle", "obstacle": 0, "centre": [2, 6], "turn_rate": 0.1},
    {"type": "remove_obstacle", "obstacle": 0},
]

HOSTILE = [
    "", " ", "null", "true", "3", "[]", '"go_to"', "{", "}", "{}", "[" * 60000, '{"a":' * 9000, "\0", "\ud800",
    "{'type': 1}", '{"type": null}', '{"type": []}', '{"type": {}}', '{"type": "go_to"}',
    '{"type": "__class__"}', '{"type": "obey"}',
    '{"type": "release", "type": "release", "group": "people"}',
    '{"type": "command", "group": "people", "speed": NaN}',
    '{"type": "command", "group": "people", "speed": Infinity}',
    '{"type": "command", "group": "people", "speed": -Infinity}',
    '{"type": "command", "group": "people", "speed": 1e999}',
    '{"type": "command", "group": "people", "speed": ' + "9" * 4000 + "}",
    '{"type": "command", "group": "people", "speed": ' + "9" * 9000 + "}",
    '{"type": "command", "group": "people", "speed": "1"}',
    '{"type": "command", "group": "people", "speed": true}',
    '{"type": "command", "group": "people", "speed": null}',
    '{"type": "command", "group": "people", "speed": []}',
    '{"type": "command", "group": "people", "speed": [1, 2]}',
    '{"type": "command", "group": "people", "speed": [[1], [2], [3]]}',
    '{"type": "command", "group": "people"}',
    '{"type": "command", "group": "people", "within": 1}',
    '{"type": "command", "speed": 1}',
    '{"type": "command", "group": "PEOPLE", "speed": 1}',
    '{"type": "command", "group": "\\ud800", "speed": 1}',
    '{"type": "command", "group": "__init__", "speed": 1}',
    '{"type": "command", "group": ["people"], "speed": 1}',
    '{"type": "command", "group": "people", "speed": 1, "turn_rate": 1, "heading": 1}',
    '{"type": "command", "group": "people", "speed": 1, "self": 1}',
    '{"type": "command", "group": "people", "speed": 1, "__proto__": {}}',
    '{"type": "command", "group": "people", "speed": 1, "who": [3]}',
    '{"type": "command", "group": "people", "speed": 1, "who": -1}',
    '{"type": "command", "group": "people", "speed": 1, "who": [0, 0]}',
    '{"type": "command", "group": "people", "speed": 1, "who": []}',
    '{"type": "command", "group": "people", "speed": 1, "who": [0.0]}',
    '{"type": "command", "group": "people", "speed": 1, "who": [true]}',
    '{"type": "command", "group": "people", "speed": 1, "who": {"0": 1}}',
    '{"type": "command", "group": "people", "gait": "gallop", "speed": 1}',
    '{"type": "command", "group": "people", "gait": 1.5, "speed": 1}',
    '{"type": "command", "group": "people", "style": "nobody", "speed": 1}',
    '{"type": "command", "group": "people", "style": {"nobody": 1}, "speed": 1}',
    '{"type": "command", "group": "people", "style": {}, "speed": 1}',
    '{"type": "command", "group": "people", "step_height": 0.1, "speed": 1}',
    '{"type": "command", "group": "wolf", "gait": "random"}',
    '{"type": "command", "group": "wolf", "gait": 0.5}',
    '{"type": "command", "group": "wolf", "style": "x"}',
    '{"type": "go_to", "group": "people", "x": 1e6, "z": 0}',
    '{"type": "go_to", "group": "people", "x": 1}',
    '{"type": "go_to", "group": "people", "x": [1, 2], "z": 0}',
    '{"type": "go_to", "group": "wolf", "x": 1, "z": 1, "speed": 0}',
    '{"type": "follow", "group": "people", "path": []}',
    '{"type": "follow", "group": "people", "path": [[0, 0]]}',
    '{"type": "follow", "group": "people", "path": [[1, 1], [1, 1]]}',
    '{"type": "follow", "group": "people", "path": [[0, 0], [1]]}',
    '{"type": "follow", "group": "people", "path": [[0, 0], [NaN, 1]]}',
    '{"type": "follow", "group": "people", "path": [[0, 0], [1, 1, 1]]}',
    json.dumps({"type": "follow", "group": "people", "path": [[0, 0]] * 1001}),
    '{"type": "jump", "group": "people"}',
    '{"type": "jump", "group": "people", "length": 100}',
    '{"type": "jump", "group": "people", "length": 1, "foot": "third"}',
    '{"type": "jump", "group": "wolf", "length": 1}',
    '{"type": "gesture", "group": "people"}',
    '{"type": "gesture", "group": "people", "gesture": "dance"}',
    '{"type": "gesture", "group": "people", "gesture": ["wave"]}',
    '{"type": "gesture", "group": "wolf", "gesture": "wave"}',
    '{"type": "add_box", "centre": [400, 0], "size": [1, 1], "height": 1}',
    '{"type": "add_box", "centre": [0, 0], "size": [1e9, 1], "height": 1}',
    '{"type": "add_box", "centre": [0, 0], "size": [1, 0], "height": 1}',
    '{"type": "add_box", "centre": [0, 0], "size": [1, 1], "height": 1, "velocity": [1e5, 0]}',
    '{"type": "add_box", "centre": [0, 0, 0], "size": [1, 1], "height": 1}',
    '{"type": "add_box", "centre": [0, 0], "size": [1, 1], "height": 1, "safe": 1}',
    '{"type": "add_wall", "start": [1, 1], "end": [1, 1]}',
    '{"type": "add_polygon", "points": [[0, 0], [1, 0], [0, 1]]}',
    '{"type": "move_obstacle", "obstacle": 99}',
    '{"type": "move_obstacle", "obstacle": -1}',
    '{"type": "move_obstacle", "obstacle": "0"}',
    '{"type": "remove_obstacle", "obstacle": 99}',
    '{"type": "clear"}',
    '{"type": "release", "group": "people", "id": []}',
    '{"type": "release", "group": "people", "id": 1.5}',
    json.dumps({"type": "release", "group": "people", "id": "x" * 65}),
    json.dumps({"type": "x" * 60000}),
    json.dumps({"type": "release", "group": "people", "y" * 60000: 1}),
]  # fmt: skip


@pytest.fixture(scope="module")
def stage() -> Stage:
    stage = small_stage(wander=False)
    stage.obstacles.add_box((8.0, 8.0), (1.0, 1.0), 1.0)
    return stage


def read_message(text: str | bytes) -> Message:
    """As the server reads a message."""
    table = read_table(text)
    take_id(table)
    return check(table)


def fingerprint(stage: Stage) -> list[bytes]:
    """All that a message could change."""
    out = [repr((stage.time, stage.obstacles.version, list(stage.obstacles), sorted(stage.told))).encode()]
    for name, group in stage.groups.items():
        crowd = group.crowd
        out += [name.encode(), repr(group.gestures and group.gestures._going).encode()]
        for owner in (crowd, crowd._ways):
            for value in vars(owner).values():
                held = value if isinstance(value, tuple) else (value,)
                out += [each.tobytes() for each in held if isinstance(each, np.ndarray)]
    return out


def test_all_that_is_agreed_is_done() -> None:
    stage = small_stage(wander=True)
    stage.obstacles.add_box((8.0, 8.0), (1.0, 1.0), 1.0)
    assert {each["type"] for each in GOOD} == set(MESSAGES)
    for each in GOOD:
        table = read_table(json.dumps(each))
        assert take_id(table) == each.get("id")
        message = check(table)
        assert message.type == each["type"]
        if message.type != "subscribe":
            before = fingerprint(stage)
            obey(stage, message)
            assert fingerprint(stage) != before, each
            stage.advance(1 / 60)
    for _ in range(30):
        stage.advance(1 / 60)
    assert np.isfinite(stage.frame(60.0).groups[0].rotations).all()


def test_what_is_told_takes_the_lead_from_who_had_it() -> None:
    stage = small_stage(wander=True)
    stage.advance(1 / 60)
    obey(stage, read_message('{"type": "go_to", "group": "people", "who": 0, "x": 30, "z": 0, "speed": 2}'))
    for _ in range(60 * 40):
        stage.advance(1 / 60)
        if stage.groups["people"].crowd.arrived[0]:
            break
    assert np.hypot(*(stage.groups["people"].crowd.positions[0, [0, 2]] - (30, 0))) < 0.5


def refused(stage: Stage, text: str) -> str:
    with pytest.raises(LocomoteError) as error:
        obey(stage, read_message(text))
    return str(error.value)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_messages_change_nothing(stage: Stage, text: str) -> None:
    before = fingerprint(stage)
    said = refused(stage, text)
    assert 0 < len(said) < 400
    json.dumps(said).encode()
    assert fingerprint(stage) == before


def test_binary_messages_are_refused() -> None:
    with pytest.raises(LocomoteError, match="binary"):
        read_message(b'{"type": "subscribe"}')


Anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=6,
)
Spoilt = st.tuples(
    st.sampled_from(GOOD), st.sampled_from(sorted({key for each in GOOD for key in each} | {"new"})), Anything
).map(lambda parts: {**parts[0], parts[1]: parts[2]})


@given(Spoilt | Anything)
@settings(max_examples=300)
def test_any_message_is_done_or_refused_with_nothing_changed(message: Any) -> None:
    stage = _shared_stage()
    before = fingerprint(stage)
    try:
        text = json.dumps(message)
        checked = read_message(text)
        if checked.type != "subscribe":
            obey(stage, checked)
    except LocomoteError:
        assert fingerprint(stage) == before
    else:
        for group in stage.frame(60.0).groups:
            assert np.isfinite(group.rotations).all()


_STAGES: list[Stage] = []


def _shared_stage() -> Stage:
    if not _STAGES:
        _STAGES.append(small_stage(wander=False))
    return _STAGES[0]


def test_a_stage_that_was_told_anything_still_runs() -> None:
    stage = _shared_stage()
    for _ in range(60):
        stage.advance(1 / 60)
    for group in stage.frame(60.0).groups:
        assert np.isfinite(group.rotations).all()
        assert np.isfinite(group.root_positions).all()


def test_there_is_an_end_to_obstacles() -> None:
    stage = small_stage(wander=False)
    add = read_message('{"type": "add_puddle", "centre": [20, 20], "length": 1, "width": 1}')
    for _ in range(MOST_OBSTACLES):
        obey(stage, add)
    assert "remove some" in refused(stage, '{"type": "add_puddle", "centre": [20, 20], "length": 1, "width": 1}')


def test_the_schema_in_the_docs_is_the_one_that_is_checked() -> None:
    written = Path(__file__).resolve().parents[2] / "docs" / "stream-schema.json"
    assert json.loads(written.read_text()) == schema()
    assert math.isfinite(len(json.dumps(schema(), allow_nan=False)))
