"""Live Link JSON as a plug-in of Unreal takes it, posed as Unreal would."""

from __future__ import annotations

import json
import socket
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from locomote.errors import LocomoteError
from locomote.human import Body, Crowd, HumanModel
from locomote.rotations import FloatArray
from locomote.stream import Engine, LiveLinkSender, stage_of
from locomote.stream._livelink import subject, subject_name
from locomote.stream._stage import Stage

from .conftest import PATIENCE


class Subject:
    """A subject as a reader takes it: an error where a field is missing or of the wrong length."""

    def __init__(self, bones: list[dict[str, Any]]) -> None:
        self.names = [str(bone["Name"]) for bone in bones]
        self.parents = [int(bone["Parent"]) for bone in bones]
        shapes = {"Location": 3, "Rotation": 4, "Scale": 3}
        for bone in bones:
            assert set(bone) == {"Name", "Parent", *shapes}
            assert all(len(bone[key]) == length for key, length in shapes.items())
            assert bone["Scale"] == [1, 1, 1]
        self.places = np.array([bone["Location"] for bone in bones])
        self.turns = Rotation.from_quat([bone["Rotation"] for bone in bones])

    def posed(self) -> FloatArray:
        """Where the bones are, in Unreal's centimetres; numbers mean the same as in a right-handed space."""
        places, turns = np.empty_like(self.places), []
        for bone, parent in enumerate(self.parents):
            assert -1 <= parent < bone
            above = (np.zeros(3), Rotation.identity()) if parent < 0 else (places[parent], turns[parent])
            places[bone] = above[0] + above[1].apply(self.places[bone])
            turns.append(above[1] * self.turns[bone])
        return places


def in_unreal(points: FloatArray) -> FloatArray:
    """Metres of ours in Unreal's axes: z up, y forward, left-handed, centimetres."""
    return 100.0 * np.stack([points[..., 0], points[..., 2], points[..., 1]], axis=-1)


def moving() -> Stage:
    stage = stage_of(2, {"wolf": 1, "spider": 1}, seed=5)
    for _ in range(120):
        stage.advance(1 / 60)
    return stage


def test_a_plug_in_finds_every_joint_of_people_and_creatures() -> None:
    stage = moving()
    frame = stage.frame(60.0)
    for index, group in enumerate(stage.groups.values()):
        joints = group.crowd.poses.joint_positions()
        for who in range(len(group.crowd)):
            told = Subject(json.loads(json.dumps(subject(frame.layout.groups[index], frame.groups[index], who))))
            assert tuple(told.names) == group.layout.skeleton.names
            assert np.abs(told.posed() - in_unreal(joints[who])).max() < 0.01, "cm"


def test_bodies_are_sent_with_their_own_bones() -> None:
    stage = Stage()
    bodies = [Body("female", 4), Body("male", 80)]
    crowd = Crowd(HumanModel.default(), 2, body=bodies, ground=stage.ground, obstacles=stage.obstacles)
    group = stage.add("people", crowd, characters=("anna", "bj\u00f6rn"))
    frame = stage.frame(60.0)
    assert [subject_name(group.layout, who) for who in range(2)] == ["anna", "bj\u00f6rn"]
    for who in range(2):
        told = Subject(subject(group.layout, frame.groups[0], who))
        assert np.abs(told.posed() - in_unreal(crowd.poses.joint_positions()[who])).max() < 0.01


def test_they_stand_upright_face_y_and_left_stays_left() -> None:
    stage = stage_of(1, wander=False)
    told = Subject(subject(stage.groups["people"].layout, stage.frame(60.0).groups[0], 0))
    places = dict(zip(told.names, told.posed(), strict=True))
    assert places["Head"][2] > places["Hips"][2] + 40.0
    forward = places["LeftToeBase"] - places["LeftFoot"]
    assert forward[1] > 8.0
    right = np.cross([0.0, 0.0, 1.0], [0.0, 1.0, 0.0])  # up and forward, by the left hand
    assert (places["RightUpLeg"] - places["LeftUpLeg"]) @ right > 10.0


@pytest.mark.parametrize("layout", ["array", "object"])
def test_everyone_is_a_subject_of_a_datagram_of_its_own(layout: str) -> None:
    listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listening.bind(("127.0.0.1", 0))
    listening.settimeout(PATIENCE)
    found: dict[str, Subject] = {}
    with (
        Engine(moving(), 30.0) as engine,
        LiveLinkSender(engine, "localhost", listening.getsockname()[1], layout=layout) as sender,
    ):
        assert sender.subjects == ("people_0", "people_1", "wolf_0", "spider_0")
        while len(found) < 4:
            data = listening.recv(65536)
            assert data.isascii(), "readers take bytes for letters"
            ((name, told),) = json.loads(data).items()
            if layout == "object":
                assert told.pop("Parameter") == []
                ((_, told),) = told.items()
            found[name] = Subject(told)
    listening.close()
    assert set(found) == set(sender.subjects)
    assert sender.failed == 0


def test_some_of_them(engine: Engine) -> None:
    sender = LiveLinkSender(engine, who={"wolf": (1,), "people": (2, 0)})
    assert sender.subjects == ("people_2", "people_0", "wolf_1")


def test_what_cannot_be_sent_is_said(engine: Engine) -> None:
    for options, said in (
        ({"who": {"cat": (0,)}}, "there is no group 'cat'; there are: people, wolf"),
        ({"who": {"wolf": (2,)}}, "wolf has characters 0 to 1"),
        ({"who": {"wolf": ()}}, "wolf has characters 0 to 1"),
        ({"layout": "xml"}, "expected one of array, object"),
        ({"port": 0}, "expected 1 to 65535"),
        ({"host": "no such host"}, "Live Link: no host"),
    ):
        with pytest.raises(LocomoteError, match=said):
            LiveLinkSender(engine, **options)  # type: ignore[arg-type]
    with pytest.raises(LocomoteError, match="200 at most"):
        LiveLinkSender(Engine(stage_of(201, wander=False)))
