"""`locomote scan`: a body of one's own rig out of meshes; what cannot be done is told in one line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import trimesh
from typer.testing import CliRunner

import locomote as lm
from locomote.cli import app
from locomote.errors import LocomoteError


@pytest.fixture(scope="module")
def scans(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, lm.Motion]:
    """Meshes of a wolf that goes, in centimetres with Z up."""
    folder = tmp_path_factory.mktemp("scans")
    walk = lm.creatures.Crowd("wolf", 1, speed=1.0).record(seconds=0.2, fps=30)
    surface = lm.capture.stage.meshes(walk)
    for k, frame in enumerate(surface.vertices[:3]):
        tall = 100.0 * np.stack([frame[:, 0], -frame[:, 2], frame[:, 1]], axis=1)
        trimesh.Trimesh(tall, surface.faces, process=False).export(folder / f"{k}.ply")
    return folder, walk


def test_scans_become_a_motion_of_the_rig(scans: tuple[Path, lm.Motion], tmp_path: Path) -> None:
    folder, walk = scans
    files = [str(folder / f"{k}.ply") for k in range(3)]
    told = ("--rig", "wolf", "--unit", "cm", "--up", "z", "-o", str(tmp_path / "out.glb"), "--json", "--quiet")
    done = CliRunner().invoke(app, ["scan", *files, *told])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["frames"] == 3
    assert report["failed"] == report["lost"] == []
    found = lm.load(tmp_path / "out.glb")
    assert found.skeleton.names == walk.skeleton.names
    off = np.linalg.norm(found.joint_positions() - walk.joint_positions()[:3], axis=2)
    assert off.mean() < 0.006


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--unit", "inch"], "--unit inch: expected one of m, cm, mm"),
        (["--up", "x"], "--up x: expected y or z"),
        (["--landmark", "head"], "expected JOINT=x,y,z"),
        (["--landmark", "nose=0,0,0"], "nose"),
        (["--rig", "unicorn"], "unicorn"),
    ],
)
def test_what_cannot_be_done_is_told(scans: tuple[Path, lm.Motion], options: list[str], words: str) -> None:
    rig = [] if "--rig" in options else ["--rig", "wolf"]
    asked = ["scan", str(scans[0] / "0.ply"), *rig, "-o", str(scans[0] / "out.glb"), *options]
    done = CliRunner().invoke(app, asked)
    assert isinstance(done.exception, LocomoteError)
    assert words in str(done.exception)
    assert not (scans[0] / "out.glb").exists()
