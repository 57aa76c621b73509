"""The verbs ``pose`` and ``edit``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import locomote as lm
from locomote.cli import app
from locomote.errors import LocomoteError

run = CliRunner().invoke


def test_a_pose_holds_what_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "pose.npz"
    done = run(
        app, ["pose", "-o", str(path), "--hold", "RightHand=-0.3,1.5,0.3", "--hold", "LeftFoot=0.1,0.08,0", "--json"]
    )
    assert done.exit_code == 0, done.output
    assert {told["joint"] for told in json.loads(done.stdout)["handles"]} == {"RightHand", "LeftFoot"}
    pose = lm.load(path)
    hand = pose.joint_positions()[0, pose.skeleton.index("RightHand")]
    assert np.linalg.norm(hand - [-0.3, 1.5, 0.3]) < 0.005


def test_a_pose_is_drawn(tmp_path: Path) -> None:
    done = run(app, ["pose", "-o", str(tmp_path / "pose.png"), "--hold", "Head=0,1.2,0.2", "-q"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "pose.png").stat().st_size > 1000


def test_an_edit_drags_a_hand(tmp_path: Path) -> None:
    walk = lm.samples.performer(speed=1.3, seconds=2.0).motion
    lm.save(walk, tmp_path / "walk.npz")
    goal = walk.joint_positions()[120, walk.skeleton.index("RightHand")] + [0.0, 0.2, 0.2]
    drag = "RightHand@1.0=" + ",".join(f"{x:.4f}" for x in goal)
    done = run(
        app, ["edit", str(tmp_path / "walk.npz"), "-o", str(tmp_path / "new.npz"), "--drag", drag, "--window", "0.4"]
    )
    assert done.exit_code == 0, done.output
    new = lm.load(tmp_path / "new.npz")
    assert np.linalg.norm(new.joint_positions()[120, walk.skeleton.index("RightHand")] - goal) < 0.005
    assert np.array_equal(new.rotations[:60], walk.rotations[:60])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pose", "-o", "x.npz"], "nothing is held"),
        (["pose", "-o", "x.npz", "--hold", "Head"], "JOINT=x,y,z"),
        (["pose", "-o", "x.npz", "--hold", "Head=1,2,nan"], "JOINT=x,y,z"),
        (["pose", "-o", "x.npz", "--hold", "Tail=0,1,0"], "Tail"),
        (["edit", "WALK", "-o", "x.npz", "--drag", "Head=0,1,0"], "JOINT@SECONDS"),
        (["edit", "WALK", "-o", "x.npz", "--drag", "Head@9=0,1,0"], "lasts from 0"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    lm.save(lm.samples.performer(speed=1.0, seconds=0.2).motion, tmp_path / "walk.npz")
    words = [
        str(tmp_path / "walk.npz") if word == "WALK" else str(tmp_path / word) if word == "x.npz" else word
        for word in arguments
    ]
    done = run(app, words)
    assert isinstance(done.exception, LocomoteError)
    assert message in str(done.exception)
    assert not (tmp_path / "x.npz").exists()
