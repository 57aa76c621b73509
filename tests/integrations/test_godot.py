"""The Godot add-on: its layout, its scripts read by a parser of GDScript, and run on as much of Godot as they use."""

from __future__ import annotations

import configparser
import json
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import locomote
from locomote.rotations import FloatArray
from locomote.stream import Engine, Server, Stage, stage_of
from locomote.stream._hello import hello
from locomote.stream._messages import PROTOCOL, VERSION
from locomote.stream._wire import ENCODINGS, HEADER, encode

pytest.importorskip("gdtoolkit")

from .godot import engine as godot
from .godot.script import load

ROOT = Path(__file__).resolve().parents[2]
ADDON = ROOT / "integrations" / "godot" / "addons" / "locomote"
FrameOf = load(ADDON / "locomote_frame.gd", godot.WORLD)
WORLD = {**godot.WORLD, "LocomoteFrame": FrameOf}
StreamOf = load(ADDON / "locomote_stream.gd", WORLD)
FollowerOf = load(ADDON / "locomote_follower.gd", {**WORLD, "LocomoteStream": StreamOf})
BONES: dict[str, str] = FollowerOf.BONES  # type: ignore[attr-defined]


def test_the_plugin_is_as_godot_wants_it() -> None:
    told = configparser.ConfigParser()
    told.read(ADDON / "plugin.cfg")
    plugin = {key: value.strip('"') for key, value in told["plugin"].items()}
    assert set(plugin) == {"name", "description", "author", "version", "script"}
    assert locomote.__version__.startswith(plugin["version"])
    script = (ADDON / plugin["script"]).read_text()
    assert script.startswith("@tool\nextends EditorPlugin\n")
    assert ElementTree.parse(ADDON / "icon.svg").getroot().tag.endswith("svg")
    assert (ADDON / "LICENSE.md").read_text() == (ROOT / "LICENSE").read_text()


def test_nodes_have_names_of_their_own() -> None:
    names = []
    for path in ADDON.glob("locomote_*.gd"):
        (name,) = re.findall(r"^class_name (\w+)$", path.read_text(), re.MULTILINE)
        assert re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() == path.stem
        names.append(name)
        for file in re.findall(r'@icon\("(.+)"\)', path.read_text()):
            assert (ADDON / file).is_file()
    assert len(set(names)) == 3


def test_the_scripts_are_in_the_style_of_godot() -> None:
    scripts = [str(path) for path in ADDON.glob("*.gd")]
    for program in ("gdlint", "gdformat"):
        module = {"gdlint": "gdtoolkit.linter", "gdformat": "gdtoolkit.formatter"}[program]
        options = ["--check"] if program == "gdformat" else []
        done = subprocess.run(
            [sys.executable, "-m", f"{module}.__main__", *options, *scripts],
            capture_output=True,
            text=True,
            check=False,
            timeout=100,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_zip_is_unpacked_into_a_project(tmp_path: Path) -> None:
    pack = ROOT / "scripts" / "pack_addons.py"
    subprocess.run([sys.executable, str(pack), "--out", str(tmp_path), "--only", "godot"], check=True, timeout=100)
    with zipfile.ZipFile(tmp_path / "locomote_godot.zip") as archive:
        names = archive.namelist()
        assert archive.read("addons/locomote/plugin.cfg") == (ADDON / "plugin.cfg").read_bytes()
    assert sorted(names) == sorted(f"addons/locomote/{path.name}" for path in ADDON.iterdir() if path.is_file())


def moving() -> Stage:
    stage = stage_of(3, {"wolf": 1, "spider": 1}, seed=5)
    for _ in range(120):
        stage.advance(1 / 60)
    return stage


def test_the_protocol_is_ours() -> None:
    frame: Any = FrameOf
    assert (PROTOCOL, VERSION, HEADER.size) == (frame.PROTOCOL, frame.VERSION, frame.HEADER_BYTES)
    stage = moving()
    sent = stage.frame(60.0)
    data = godot.PackedByteArray(encode(sent, 1, "int16"))
    assert frame.is_frame(data)
    assert frame.packed(data)
    assert (frame.group(data), frame.number(data), frame.count(data)) == (1, sent.number, 1)
    assert frame.time(data) == sent.time
    assert frame.layout(data) == sent.layout.number
    assert HEADER.size + frame.count(data) * frame.stride(data) == len(data)
    assert not frame.packed(godot.PackedByteArray(encode(sent, 1)))
    for strange in (b"", b"LMOT", bytes([*b"LMOT", 2]) + bytes(40), b"x" * 100):
        assert not frame.is_frame(godot.PackedByteArray(strange))


def shown(stage: Stage, encoding: str) -> Any:
    """The node that receives, once it has seen a frame."""
    node: Any = StreamOf()
    frame = stage.frame(60.0)
    node.hear(godot.JSON.parse_string(hello(frame.layout)))
    node.take(godot.PackedByteArray(b"something else"))
    for index in range(len(stage.groups)):
        node.take(godot.PackedByteArray(encode(frame, index, encoding)))
    node.pose()
    return node


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_joint_is_where_ours_is(encoding: str) -> None:
    stage = moving()
    node = shown(stage, encoding)
    for name, group in stage.groups.items():
        joints = group.crowd.poses.joint_positions()
        for who in range(len(group.crowd)):
            figure = node.figure(name, who)
            assert figure.names == list(group.layout.skeleton.names)
            assert np.abs(figure.joints() - joints[who]).max() < (1e-5 if encoding == "float32" else 3e-4)
    assert node.figure("people", 3) is None
    assert node.figure("cats", 0) is None
    assert len(node.changed.emitted) == 1
    before = [child for child in node.children if isinstance(child, godot.Skeleton3D)]
    assert all(any(stick.bone_idx >= 0 for stick in each.children) for each in before)
    stage.remove("wolf")
    frame = stage.frame(60.0)
    old = node.figure("people", 0)
    node.take(godot.PackedByteArray(encode(frame, 0)))
    node.hear(godot.JSON.parse_string(hello(frame.layout)))
    node.pose()
    assert all(each.freed for each in before)
    assert node.figure("people", 0) is not old
    assert node.figure("wolf", 0) is None


def avatar() -> godot.Skeleton3D:
    """As an import with a bone map makes it: a root on the ground, larger by half, bones turned their own way."""
    skeleton = stage_of(1, wander=False).groups["people"].layout.skeleton
    made = godot.Skeleton3D()
    made.add_bone("Root")
    random = np.random.default_rng(3)
    turns = godot.Rotation.random(len(skeleton.names), random_state=random)
    heights = skeleton.rest_pose()[0]
    for j, name in enumerate(skeleton.names):
        made.add_bone(BONES[name])
        parent = int(skeleton.parents[j])
        made.set_bone_parent(j + 1, parent + 1)
        offset = 1.5 * (heights[j] - (heights[parent] if parent >= 0 else 0.0))
        back = turns[parent].inv() if parent >= 0 else godot.Rotation.identity()
        turn, place = godot.Quaternion.of(back * turns[j]), godot.Vector3(*back.apply(offset))
        made.set_bone_rest(j + 1, godot.Transform3D(godot.Basis(turn), place))
        made.set_bone_pose_position(j + 1, place)
        made.set_bone_pose_rotation(j + 1, turn)
    return made


def test_an_avatar_follows() -> None:
    stage = moving()
    follower: Any = FollowerOf()
    follower._process(0.016)  # nothing is there yet
    follower.stream, follower.skeleton, follower.who = shown(stage, "float32"), avatar(), 2
    follower._process(0.016)
    poses = stage.groups["people"].crowd.poses
    joints, parents = poses.joint_positions()[2], poses.skeleton.parents[1:]
    bones: FloatArray = follower.skeleton.joints()[1:]
    ours, theirs = (each[1:] - each[parents] for each in (joints, bones))
    cosines = (ours * theirs).sum(axis=1) / np.linalg.norm(ours, axis=1) / np.linalg.norm(theirs, axis=1)
    assert cosines.min() > 1.0 - 1e-6, "all bones point as ours do"
    assert np.linalg.norm(bones[0, [0, 2]] - joints[0, [0, 2]]) < 1e-5
    assert 0.2 < bones[0, 1] - joints[0, 1] < 0.8, "its longer legs lift it"
    follower.who = 99
    follower._process(0.016)


def place_of(engine: Engine, who: int) -> FloatArray:
    return engine.ask(lambda stage: stage.groups["people"].crowd.positions[who].copy()).result(60.0)


def test_it_connects_again_and_again_and_tells_the_server_what_to_do() -> None:
    godot.warnings.clear()
    node: Any = StreamOf()
    node.url, node.retry = "ws://127.0.0.1:9", 0.5
    node._ready()
    node._process(0.016)
    assert node._wait == 0.5
    assert "the connection ended" in godot.warnings[-1]
    stage = stage_of(2, {"spider": 1}, wander=False, seed=2)
    stage.groups["people"].crowd._people.walkers["lively"] = 0.0  # who sways is elsewhere a frame later
    with Engine(stage, 30.0) as engine, Server(engine, port=0, token="a word") as server:
        node.url, node.token, node.packed, node.rate = server.url, "a word", True, 20.0
        node._process(0.6)  # the wait is over: it connects
        end = time.monotonic() + 60.0
        while (node.figure("people", 0) is None or node.refused.emitted == []) and time.monotonic() < end:
            node._process(0.016)
            if node.hello and not node.refused.emitted:
                node.gesture("people", 0, "no such gesture")
        node.go_to("people", 1, godot.Vector3(-9.0, 0.0, 2.0))
        begun, way = place_of(engine, 1), 0.0
        while way > -0.4 and time.monotonic() < end:
            node._process(0.016)
            way = float(place_of(engine, 1)[0] - begun[0])
        truth = engine.ask(
            lambda stage: {name: group.crowd.poses.joint_positions().copy() for name, group in stage.groups.items()}
        ).result(60.0)
        for name, who in (("people", 0), ("spider", 0)):
            assert np.abs(node.figure(name, who).joints() - truth[name][who]).max() < 1e-3
        assert way < -0.4, "person 1 was sent to -x"
        assert node.refused.emitted[0][0].startswith("gesture: expected wave")
        node._socket.close()
    node.retry = 0.0
    node._process(0.016)
    assert node.processing is False, "it is not tried again"
    assert json.dumps(node.hello)
