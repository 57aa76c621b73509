from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.human._model import HumanModel
from locomote.human.scenes._scene import read_scene
from locomote.human.scenes._script import perform
from locomote.samples._files import FOLDER
from locomote.studio._people import StudioPeople
from locomote.studio._scenes import enact, read_checked, scene_text


def test_a_scene_is_saved_opened_and_played_as_a_script(tmp_path: Path) -> None:
    people = StudioPeople(HumanModel.default(), 3)
    people.drop("puddle", (0.0, 5.0))
    people.go_to((0.0, 3.0))
    for _ in range(60):
        people.advance(1.0 / 60.0)
    path = tmp_path / "scene.toml"
    path.write_text(scene_text(people))
    motions = perform(read_scene(path))
    assert len(motions) == 3
    assert np.hypot(*(motions[0].root_positions[-1, [0, 2]] - [0.0, 3.0])) < 0.5

    again = StudioPeople(HumanModel.default(), 1)
    enact(again, read_checked(path, tmp_path))
    assert len(again) == 3
    assert len(again.obstacles) == 1
    assert np.allclose(again.crowd.positions, people.crowd.positions, atol=1e-3)
    for _ in range(360):
        again.advance(1.0 / 60.0)
    assert np.hypot(*(again.crowd.positions[0, [0, 2]] - [0.0, 3.0])) < 0.5


def test_time_lines_go_on_until_one_is_told_otherwise() -> None:
    people = StudioPeople(HumanModel.default(), 1)
    enact(people, read_scene(FOLDER / "scene.toml"))
    assert people.actors
    for _ in range(180):
        people.advance(1.0 / 60.0)
    who = next(iter(people.actors))
    people.choose(who)
    people.tell(speed=1.0)
    assert who not in people.actors


@pytest.mark.parametrize(
    "text",
    [
        'model = "/etc/passwd"\n[[character]]\ngo_to = [0, 1]\n',
        'ground = "../ground.toml"\n[[character]]\ngo_to = [0, 1]\n',
        '[ground.terrain]\nfile = "../../x.npy"\ncell = 1.0\n[[character]]\ngo_to = [0, 1]\n',
        '[[character]]\npath = "../points.csv"\n',
        '[[character]]\n[[character.action]]\nfollow = "/tmp/points.csv"\n',
    ],
)
def test_files_outside_of_the_folder_are_not_read(tmp_path: Path, text: str) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    path = inside / "scene.toml"
    path.write_text(text)
    with pytest.raises(LocomoteError, match="outside"):
        read_checked(path, inside)


@pytest.mark.parametrize("data", [b"\xff\xfe", b"[[", b"a = " + b"[" * 3000, b"x" * (2 << 20)])
def test_damaged_scenes_are_errors(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "scene.toml"
    path.write_bytes(data)
    with pytest.raises(LocomoteError):
        read_checked(path, tmp_path)
