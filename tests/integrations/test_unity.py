"""The Unity package: its layout, and its code compiled and run on as much of Unity as it uses, with Mono."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import locomote
from locomote.rotations import FloatArray
from locomote.stream import Engine, Server, Stage, stage_of
from locomote.stream._hello import hello
from locomote.stream._messages import PROTOCOL, VERSION
from locomote.stream._wire import HEADER, encode

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "integrations" / "unity" / "com.locomote.stream"
UNITY = Path(__file__).parent / "unity"
MCS, MONO = shutil.which("mcs"), shutil.which("mono")
runs = [
    pytest.mark.skipif(MCS is None or MONO is None, reason="needs Mono: mcs and mono"),
    pytest.mark.xdist_group("mono"),
]


def manifest() -> dict[str, Any]:
    return dict(json.loads((PACKAGE / "package.json").read_text()))


def test_the_manifest_is_as_the_package_manager_wants_it() -> None:
    told = manifest()
    assert re.fullmatch(r"com\.[a-z0-9-]+\.[a-z0-9-]+", told["name"])
    assert told["name"] == PACKAGE.name
    assert re.fullmatch(r"\d+\.\d+\.\d+(-[\w.]+)?", told["version"])
    assert locomote.__version__.startswith(told["version"])
    assert re.fullmatch(r"20\d\d\.\d|6000\.\d", told["unity"])
    assert told["displayName"]
    assert told["description"]
    assert told["license"] == "Apache-2.0"
    for sample in told["samples"]:
        assert (PACKAGE / sample["path"]).is_dir()
        assert sample["path"].startswith("Samples~/")
    assert (PACKAGE / "LICENSE.md").read_text() == (ROOT / "LICENSE").read_text()


def test_assemblies_know_one_another() -> None:
    found = {}
    for path in PACKAGE.rglob("*.asmdef"):
        told = json.loads(path.read_text())
        assert told["name"] == path.stem
        found[told["name"]] = told
    assert set(found) == {"Locomote.Stream", "Locomote.Samples.Walkers"}
    for told in found.values():
        assert set(told["references"]) <= set(found)


def test_behaviours_are_in_files_of_their_names() -> None:
    """Unity finds them by that."""
    for path in PACKAGE.rglob("*.cs"):
        for name in re.findall(r"class (\w+) : MonoBehaviour", path.read_text()):
            assert path.stem == name
        assert path.read_text().isascii()


def test_the_protocol_is_ours() -> None:
    text = (PACKAGE / "Runtime" / "Protocol.cs").read_text()
    constants = dict(re.findall(r"public const \w+ (\w+) = \"?([\w-]+)\"?;", text))
    assert constants == {"Name": PROTOCOL, "Version": str(VERSION), "HeaderBytes": str(HEADER.size)}
    told = json.loads(hello(stage_of(1, wander=False).frame(60.0).layout))
    kinds = {"ToUInt16": "uint16", "ToUInt32": "uint32", "ToDouble": "float64"}
    read = {
        (name.lower(), kinds[kind], int(at))
        for name, kind, at in re.findall(r"(\w+) \{ get \{ return (?:\(int\))?BitConverter\.(\w+)\(data, (\d+)\)", text)
    }
    header = {(field["name"], field["type"], field["offset"]) for field in told["header"]["fields"]}
    assert {("number" if name == "frame" else name, kind, at) for name, kind, at in header} >= read
    assert len(read) == 6


def packed(folder: Path) -> Path:
    pack = ROOT / "scripts" / "pack_addons.py"
    subprocess.run([sys.executable, str(pack), "--out", str(folder), "--only", "unity"], check=True, timeout=100)
    (made,) = folder.glob("*.tgz")
    return made


def test_the_tarball_is_what_the_package_manager_installs(tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    made, again = packed(tmp_path), packed(tmp_path / "again")
    assert made.name == f"com.locomote.stream-{manifest()['version']}.tgz"
    assert made.read_bytes() == again.read_bytes(), "the same files, the same bytes"
    with tarfile.open(made) as archive:
        names = archive.getnames()
        files = {name: archive.extractfile(name) for name in names}
        text = {name: each.read().decode() for name, each in files.items() if each is not None}
    assert all(name.startswith("package/") for name in names)
    plain = {name for name in names if not name.endswith(".meta")}
    assert {f"package/{path.relative_to(PACKAGE)}" for path in PACKAGE.rglob("*") if path.is_file()} == plain
    # Unity passes over what has no .meta in a package that it may not write to; folders ending in ~ it never looks at.
    shown = {name for name in plain if "~" not in name} | {"package/Runtime"}
    assert {name.removesuffix(".meta") for name in names if name.endswith(".meta")} == shown
    guids = [
        re.findall(r"^guid: ([0-9a-f]{32})$", text[name], re.MULTILINE) for name in names if name.endswith(".meta")
    ]
    assert all(len(each) == 1 for each in guids)
    assert len({each[0] for each in guids}) == len(shown)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("mono") / "host.exe"
    sources = [*UNITY.glob("*.cs"), *PACKAGE.rglob("*.cs")]
    done = subprocess.run(
        [str(MCS), "-langversion:7", f"-out:{program}", *map(str, sources)],
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return program


def run(host: Path, *arguments: object) -> tuple[dict[str, FloatArray], list[str], str]:
    """What the program tells of the joints: by character, in our axes; its last line, and its warnings."""
    done = subprocess.run(
        [str(MONO), str(host), *map(str, arguments)], capture_output=True, text=True, check=False, timeout=200
    )
    assert done.returncode == 0, done.stderr
    *lines, last = (line.split("\t") for line in done.stdout.splitlines())
    places = {line[0]: np.array(line[1:], dtype=float).reshape(-1, 3) * (-1.0, 1.0, 1.0) for line in lines}
    return places, last, done.stderr


def place_of(engine: Engine, who: int) -> FloatArray:
    return engine.ask(lambda stage: stage.groups["people"].crowd.positions[who].copy()).result(60.0)


class TestInMono:
    pytestmark = runs

    @pytest.mark.parametrize("encoding", ["float32", "int16"])
    def test_every_joint_is_where_ours_is(self, host: Path, tmp_path: Path, encoding: str) -> None:
        stage = stage_of(3, {"wolf": 1, "spider": 1}, seed=5)
        for _ in range(120):
            stage.advance(1 / 60)
        frame = stage.frame(60.0)
        greeting = tmp_path / "hello.json"
        greeting.write_text(hello(frame.layout))
        frames = []
        for index in range(3):
            frames.append(tmp_path / f"{index}.bin")
            frames[-1].write_bytes(encode(frame, index, encoding=encoding))
        (tmp_path / "strange.bin").write_bytes(b"something else")
        places, last, warnings = run(host, "files", greeting, *frames, tmp_path / "strange.bin")
        close = 1e-5 if encoding == "float32" else 3e-4
        for name, group in stage.groups.items():
            joints = group.crowd.poses.joint_positions()
            for who in range(len(group.crowd)):
                assert np.abs(places[f"{name} {who}"] - joints[who]).max() < close
        assert last == ["changes", "1", "True", "True"]
        assert warnings == ""
        self._avatar_follows(places["avatar"], stage)

    def _avatar_follows(self, avatar: FloatArray, stage: Stage) -> None:
        """It is as large again by half: all of its bones point as ours do, and its feet are as high as ours."""
        poses = stage.groups["people"].crowd.poses
        joints, parents = poses.joint_positions()[0], poses.skeleton.parents
        ours, theirs = (each[1:] - each[parents[1:]] for each in (joints, avatar))
        cosines = (ours * theirs).sum(axis=1) / np.linalg.norm(ours, axis=1) / np.linalg.norm(theirs, axis=1)
        assert cosines.min() > 1.0 - 1e-6
        assert np.linalg.norm(avatar[0, [0, 2]] - joints[0, [0, 2]]) < 1e-5
        assert 0.2 < avatar[0, 1] - joints[0, 1] < 0.6, "its longer legs lift it"

    @pytest.mark.parametrize("packing", ["plain", "packed"])
    def test_it_connects_shows_everyone_and_tells_them_where_to_go(self, host: Path, packing: str) -> None:
        stage = stage_of(2, {"spider": 1}, wander=False, seed=2)
        stage.groups["people"].crowd._people.walkers["lively"] = 0.0  # who sways is elsewhere a frame later
        with Engine(stage, 30.0) as engine, Server(engine, port=0, token="a word") as server:
            places, last, warnings = run(host, "live", server.url, "a word", packing)
            truth = engine.ask(
                lambda stage: {name: group.crowd.poses.joint_positions().copy() for name, group in stage.groups.items()}
            ).result(60.0)
            begun, way, end = place_of(engine, 1), 0.0, time.monotonic() + 60.0
            while way > -0.4 and time.monotonic() < end:
                time.sleep(0.1)
                way = float(place_of(engine, 1)[0] - begun[0])
        for name, who in (("people", 0), ("spider", 0)):
            assert np.abs(places[f"{name} {who}"] - truth[name][who]).max() < 1e-3
        assert way < -0.4, "person 1 was sent to Unity's +x"
        assert "gesture: expected wave" in warnings, "what the server refuses is told"
        assert last[0] == "changes"
