"""Simulated dogs on a stage, as streams take it."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.physics import Dog
from locomote.stream import Stage
from locomote.stream._commands import obey
from locomote.stream._messages import Message

pytest.importorskip("mujoco")


def test_dogs_are_framed_like_any_crowd_and_take_commands() -> None:
    stage = Stage()
    dogs = Dog(2, ground=stage.ground)
    stage.add("dogs", dogs)
    obey(stage, Message("command", {"group": "dogs", "speed": 1.0, "who": [0]}))
    for _ in range(60):
        stage.advance(1 / 60)
    frame = stage.frame(60.0)
    (group,), (layout,) = frame.groups, frame.layout.groups
    assert layout.kind == "creatures"
    assert layout.skeleton is dogs.poses.skeleton
    assert group.rotations == pytest.approx(dogs.poses.rotations, abs=1e-6)
    assert [layout.states[state] for state in group.states] == ["going", "standing"]
    assert group.places[0, 2] > 0.1
    assert layout.points == ("L1", "R1", "L2", "R2")
    touching = np.unpackbits(group.contacts, axis=1, count=4, bitorder="little").astype(bool)
    assert np.array_equal(touching, dogs.planted)


@pytest.mark.parametrize(
    ("kind", "values", "line"),
    [
        ("go_to", {"x": 1.0, "z": 2.0}, "go_to: simulated dogs are led by the speed"),
        ("command", {"within": 1.0}, "within: not for simulated dogs"),
        ("command", {"gait": "hop"}, "gait: expected auto"),
        ("jump", {}, "jump: simulated dogs"),
    ],
)
def test_what_dogs_cannot_be_told(kind: str, values: dict[str, object], line: str) -> None:
    stage = Stage()
    stage.add("dogs", Dog(ground=stage.ground))
    with pytest.raises(LocomoteError, match=line):
        obey(stage, Message(kind, {"group": "dogs", **values}))


def test_dogs_stand_on_the_ground_of_their_stage() -> None:
    with pytest.raises(LocomoteError, match="stage's own ground"):
        Stage().add("dogs", Dog())
