"""Gestures of people, laid over what they do; and the faces that avatars get."""

from __future__ import annotations

import socket
from typing import Any

import numpy as np
import pytest
from pythonosc.osc_bundle import OscBundle

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.stream import Engine, Stage, VmcSender, stage_of
from locomote.stream._commands import obey
from locomote.stream._faces import EVERY, blink, face
from locomote.stream._gestures import GESTURES
from locomote.stream._messages import check

from .conftest import PATIENCE

RATE = 60
STILL = 1e-9


def played(stage: Stage, seconds: float) -> tuple[Motion, Motion]:
    """Person 0 as streams get them, and as their crowd has them."""
    crowd = stage.groups["people"].crowd
    shown: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    for _ in range(round(RATE * seconds)):
        stage.advance(1 / RATE)
        frame = stage.frame(RATE).groups[0]
        roots = frame.root_positions[0].astype(float)
        shown.append((roots, rot.normalize(frame.rotations[0].astype(float)), crowd.poses.rotations[0].astype(float)))
    roots, seen, own = (np.array(each) for each in zip(*shown, strict=True))
    skeleton = crowd.poses.skeleton.scaled(float(np.ravel(crowd.poses.scales)[0]))
    return Motion(skeleton, RATE, roots, seen), Motion(skeleton, RATE, roots, own)


@pytest.fixture(scope="module")
def seen() -> dict[str, tuple[Motion, Motion]]:
    stage = stage_of(1, wander=False, seed=3)
    shown = {}
    for name, gesture in GESTURES.items():
        stage.gesture("people", name, 0)
        shown[name] = played(stage, gesture.seconds + 0.3)
    return shown


def path(motion: Motion, joint: str) -> FloatArray:
    return np.asarray(motion.joint_positions()[:, motion.skeleton.index(joint)])


@pytest.mark.parametrize("name", GESTURES)
def test_a_gesture_comes_and_goes_smoothly_and_leaves_the_legs_alone(
    name: str, seen: dict[str, tuple[Motion, Motion]]
) -> None:
    shown, own = seen[name]
    legs = [j for j, each in enumerate(shown.skeleton.names) if each.endswith(("Leg", "Foot", "ToeBase", "Hips"))]
    assert np.abs(shown.rotations - own.rotations)[:, legs].max() < 1e-6
    turned = rot.distance(shown.rotations, own.rotations).max(axis=1)
    assert turned.max() > 0.1, "it is seen"
    assert turned[-10:].max() < 1e-3, "it is over"
    assert rot.distance(shown.rotations[1:], shown.rotations[:-1]).max() * RATE < 9.0, "rad/s: no joint jumps"
    assert np.linalg.norm(np.diff(shown.joint_positions(), axis=0), axis=-1).max() * RATE < 5.0, "m/s"


def test_gestures_are_what_they_are_called(seen: dict[str, tuple[Motion, Motion]]) -> None:
    wave = path(seen["wave"][0], "RightHand") - path(seen["wave"][0], "RightArm")
    high = wave[:, 1] > 0.1
    assert high.sum() > RATE, "the hand is above the shoulder for a second"
    sideways = wave[high, 0] - wave[high, 0].mean()
    assert np.count_nonzero(np.diff(np.sign(sideways))) >= 4, "and goes to and fro"
    assert np.ptp(path(seen["wave"][0], "LeftHand"), axis=0).max() < 0.1
    think = seen["think"][0]
    assert np.linalg.norm(path(think, "RightHand") - path(think, "Head"), axis=1).min() < 0.3, "a hand at the chin"
    bow = path(seen["bow"][0], "Head") - path(seen["bow"][1], "Head")
    assert bow[:, 2].max() > 0.15
    assert bow[:, 1].min() < -0.05
    hands = path(seen["bow"][0], "LeftHand") - path(seen["bow"][0], "LeftArm")
    assert (hands[:, 1] < -0.9 * np.linalg.norm(hands, axis=1)).all(), "arms hang"
    shrug, plain = seen["shrug"]
    assert (path(shrug, "LeftArm") - path(plain, "LeftArm"))[:, 1].max() > 0.02
    assert (path(shrug, "RightArm") - path(plain, "RightArm"))[:, 1].max() > 0.02
    point = path(seen["point"][0], "RightHand") - path(seen["point"][0], "RightArm")
    assert point[:, 2].max() > 0.95 * np.linalg.norm(point, axis=1).mean()
    for name, axis in (("nod", 0), ("shake", 1)):
        shown, own = seen[name]
        world = [each.world()[1][:, each.skeleton.index("Head")] for each in (shown, own)]
        turn = rot.log(rot.multiply(world[0], rot.inverse(world[1])))
        assert np.abs(turn[:, axis]).max() > 0.2
        assert np.abs(np.delete(turn, axis, axis=1)).max() < 0.1
    nod = rot.log(rot.multiply(seen["nod"][0].rotations, rot.inverse(seen["nod"][1].rotations)))
    assert nod[:, :, 0].max() > 0.1 > -nod[:, :, 0].min(), "a nod goes down"


def test_who_walks_may_wave() -> None:
    stage = stage_of(1, wander=False)
    crowd = stage.groups["people"].crowd
    obey(stage, check({"type": "command", "group": "people", "speed": 1.2}))
    for _ in range(90):
        stage.advance(1 / RATE)
    before = crowd.positions[0].copy()
    assert obey(stage, check({"type": "gesture", "group": "people", "who": 0, "gesture": "wave"})) == {}
    shown, own = played(stage, 1.5)
    assert np.linalg.norm(crowd.positions[0] - before) > 1.5
    hand = path(shown, "RightHand") - path(shown, "RightArm")
    assert hand[:, 1].max() > 0.1
    assert np.abs(path(shown, "LeftFoot") - path(own, "LeftFoot")).max() < 1e-6


def test_who_is_told_to_gesture_still_wanders() -> None:
    stage = stage_of(1, seed=1)
    stage.gesture("people", "nod")
    control: Any = stage.groups["people"].control
    assert not control._left.any()


def test_who_stands_does_something_now_and_then_and_who_walks_does_not() -> None:
    stage = stage_of(6, wander=False, seed=2, gestures=True)
    stage.groups["people"].crowd.command(speed=1.0, turn_rate=0.5, who=[4, 5], within=0.0)
    crowd = stage.groups["people"].crowd
    gestured = np.zeros(6)
    for _ in range(RATE * 40 // 4):
        stage.advance(4 / RATE)
        own = crowd.poses.rotations
        turned = rot.distance(stage.frame(RATE).groups[0].rotations.astype(float), own).max(axis=1)
        gestured += turned > 0.05
    share = gestured / (RATE * 10)
    assert (share[:4] > 0.03).all()
    assert (share[:4] < 0.5).all()
    assert (share[4:] == 0.0).all()


def test_the_same_seed_gives_the_same_gestures() -> None:
    first, second = (stage_of(3, wander=False, seed=9, gestures=True) for _ in range(2))
    for _ in range(120):
        for stage in (first, second):
            stage.advance(0.1)
        a, b = (stage.frame(RATE).groups[0].rotations for stage in (first, second))
        assert np.array_equal(a, b)


def test_what_cannot_be_done_is_said() -> None:
    stage = stage_of(1, {"wolf": 1}, wander=False)
    with pytest.raises(LocomoteError, match="only people make them; wolf are creatures"):
        stage.gesture("wolf", "nod")
    with pytest.raises(LocomoteError, match="'dance': expected one of wave, nod"):
        stage.gesture("people", "dance")
    with pytest.raises(LocomoteError, match="gesture: expected wave, nod"):
        check({"type": "gesture", "group": "people", "gesture": "dance"})


def test_eyes_blink_now_and_then_and_all_else_of_a_face_is_at_rest() -> None:
    times = np.arange(0.0, 200.0, 1 / 120)
    for who in range(3):
        closed = np.array([blink(float(time), who) for time in times])
        assert closed.min() == 0.0
        assert 0.9 < closed.max() <= 1.0
        begun = np.flatnonzero((closed[1:] > 0.0) & (closed[:-1] == 0.0))
        assert abs(len(begun) - 200.0 / EVERY) <= 1
        assert np.ptp(np.diff(begun)) > 120, "not as a clock does"
        assert (closed > 0.0).mean() < 0.06
        assert np.abs(np.diff(closed)).max() < 0.15
    assert blink(3.21, 0) == blink(3.21, 0)
    told = face(1.0, 0)
    assert len(told) == 17
    assert {value for name, value in told.items() if name != "Blink"} == {0.0}


def test_avatars_get_their_face_and_the_idle_with_every_frame() -> None:
    listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listening.bind(("127.0.0.1", 0))
    listening.settimeout(PATIENCE)
    stage = stage_of(1, wander=False, gestures=True)
    faces, heads = [], []
    with Engine(stage, 60.0) as engine, VmcSender(engine, port=listening.getsockname()[1]):
        while len(faces) < 60 or len(heads) < 60:
            bundle = OscBundle(listening.recv(65536))
            messages = [bundle.content(n) for n in range(bundle.num_contents)]
            if messages[0].address == "/VMC/Ext/Blend/Val":
                assert messages[-1].address == "/VMC/Ext/Blend/Apply"
                assert messages[-1].params == []
                assert all(each.address == "/VMC/Ext/Blend/Val" for each in messages[:-1])
                faces.append({each.params[0]: each.params[1] for each in messages[:-1]})
            else:
                heads += [each.params for each in messages if each.params[:1] == ["Head"]]
    listening.close()
    assert all(set(each) == set(face(0.0, 0)) for each in faces)
    assert all(each["Joy"] == 0.0 for each in faces)
    assert np.ptp(np.array([each[4:] for each in heads]), axis=0).max() > 1e-5, "who stands is not frozen"
