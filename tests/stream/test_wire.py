"""The bytes of a frame, read by hand from what the greeting says."""

import json
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.stream import Frame
from locomote.stream._hello import hello
from locomote.stream._wire import encode, record, smallest_three

from .conftest import receiver, small_stage

RECEIVE = receiver("receive")


@pytest.fixture(scope="module")
def frame() -> Frame:
    stage = small_stage()
    stage.groups["people"].crowd.command(leg_length=[0.7, 0.9, 1.1], within=0.0)
    for _ in range(40):
        stage.advance(1 / 60)
    made = stage.frame(60.0)
    for group, one in zip(made.groups, stage.groups.values(), strict=True):
        object.__setattr__(group, "truth", one.crowd.poses.joint_positions().copy())
    return made


def test_the_header_is_as_documented(frame: Frame) -> None:
    data = encode(frame, 1, "int16", np.array([1]))
    magic, version, flags, group, number, count, time, layout, stride = struct.unpack("<4sBBHIIdII", data[:32])
    assert (magic, version, flags, group) == (b"LMOT", 1, 1, 1)
    assert (number, count, layout) == (frame.number, 1, frame.layout.number)
    assert time == frame.time
    assert len(data) == 32 + stride


def test_the_greeting_says_where_every_field_lies(frame: Frame) -> None:
    told = json.loads(hello(frame.layout))
    assert (told["protocol"], told["version"], told["units"], told["quaternions"]) == (
        "locomote-stream", 1, "metre", "wxyz",
    )  # fmt: skip
    assert [field["offset"] for field in told["header"]["fields"]] == [0, 4, 5, 6, 8, 12, 16, 24, 28]
    for group, layout, poses in zip(told["groups"], frame.layout.groups, frame.groups, strict=True):
        assert group["skeleton"]["names"] == list(layout.skeleton.names)
        data = encode(frame, group["index"])
        fields = {field["name"]: field for field in group["records"]["float32"]["fields"]}
        at = 32 + group["records"]["float32"]["stride"] + fields["position"]["offset"]
        assert struct.unpack_from("<3f", data, at) == tuple(poses.root_positions[1].tolist())
        at = 32 + fields["rotations"]["offset"] + 16 * 4
        assert struct.unpack_from("<4f", data, at) == tuple(poses.rotations[0, 4].tolist())
        assert data[32 + fields["state"]["offset"]] == poses.states[0]


def test_bytes_of_a_character(frame: Frame) -> None:
    people, wolves = frame.layout.groups
    assert [record(people, encoding).itemsize for encoding in ("float32", "int16")] == [372, 152]
    assert record(wolves, "float32").itemsize == 16 + 16 * 29 + 4


@pytest.mark.parametrize(("encoding", "near"), [("float32", 1e-5), ("int16", 2e-4)])
def test_a_receiver_finds_the_joints_where_they_are(frame: Frame, encoding: str, near: float) -> None:
    told = json.loads(hello(frame.layout))
    for index, poses in enumerate(frame.groups):
        group, number, _, characters = RECEIVE.records(encode(frame, index, encoding), told)
        assert number == frame.number
        places = RECEIVE.joint_positions(group, characters)
        off = np.linalg.norm(places - poses.truth, axis=-1)  # type: ignore[attr-defined]
        assert off.max() < near


def test_some_characters_in_the_order_they_were_asked_for(frame: Frame) -> None:
    told = json.loads(hello(frame.layout))
    _, _, _, characters = RECEIVE.records(encode(frame, 0, "float32", np.array([2, 0])), told)
    assert np.array_equal(characters["position"], frame.groups[0].root_positions[[2, 0]])


@given(st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=4).filter(lambda q: np.linalg.norm(q) > 0.1))
def test_three_numbers_give_the_quaternion_back(q: list[float]) -> None:
    unit = np.array(q) / np.linalg.norm(q)
    again = RECEIVE.quaternions(smallest_three(unit.astype(np.float32)[None, None]))[0, 0]
    assert abs(np.linalg.norm(again) - 1.0) < 1e-12
    assert 2.0 * min(np.linalg.norm(again - unit), np.linalg.norm(again + unit)) < 1.6e-4  # rad


def test_no_rotation_is_kept_exactly() -> None:
    unturned = np.array([[[1.0, 0.0, 0.0, 0.0]]], dtype=np.float32)
    assert RECEIVE.quaternions(smallest_three(unturned)).tolist() == [[[1.0, 0.0, 0.0, 0.0]]]


def test_contacts_are_bits(frame: Frame) -> None:
    stage = small_stage(wander=False)
    stood = stage.frame(60.0)
    assert stood.layout.groups[0].points[0] == "left heel"
    assert stood.groups[0].contacts.tolist() == [[0b111111]] * 3
    assert stood.groups[1].contacts.tolist() == [[0b1111]] * 2


def test_a_frame_cannot_be_written_to(frame: Frame) -> None:
    with pytest.raises(ValueError, match="read-only"):
        frame.groups[0].rotations[0, 0, 0] = 2.0
