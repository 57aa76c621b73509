"""Stages from numbers and from scenes, and who leads the characters on them."""

from pathlib import Path

import numpy as np
import pytest

from locomote.creatures import Crowd as Creatures
from locomote.errors import LocomoteError
from locomote.human import Crowd as People
from locomote.human import HumanModel
from locomote.human.scenes._scene import read_scene
from locomote.human.scenes._script import perform
from locomote.stream import Stage, stage_of, stage_of_scene
from locomote.stream._commands import obey
from locomote.stream._messages import check
from locomote.stream._staging import rehearse

SCENE = """
fps = 60
seed = 2

[[obstacle]]
kind = "puddle"
centre = [0, 4]
length = 0.8
width = 3.0
until = 1.5

[[obstacle]]
kind = "box"
centre = [-4, 1]
size = [0.5, 0.5]
height = 1.0
velocity = [0.2, 0]
from = 0.5

[[character]]
name = "anna"
go_to = [0, 7]
speed = 1.4

[[character]]
name = "ben"
position = [3, 0]

[[character.action]]
do = "walk"
speed = 1.2
seconds = 1.0

[[character.action]]
do = "stand"
seconds = 0.5
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "scene.toml"
    path.write_text(SCENE)
    return path


def test_a_scene_is_played_live_as_it_is_into_files(scene: Path) -> None:
    motions = perform(read_scene(scene))
    stage = stage_of_scene(scene)
    crowd = stage.groups["people"].crowd
    assert stage.groups["people"].layout.characters == ("anna", "ben")
    for frame in range(1, 180):
        stage.advance(1 / 60)
        for who, motion in enumerate(motions):
            if frame < len(motion):
                assert np.abs(crowd.poses.root_positions[who] - motion.root_positions[frame]).max() < 1e-9
    assert len(stage.obstacles) == 1, "the puddle has vanished, the box has come"


def test_who_is_told_otherwise_leaves_the_time_line(scene: Path) -> None:
    stage = stage_of_scene(scene)
    obey(stage, check({"type": "go_to", "group": "people", "who": 0, "x": -3, "z": -3}))
    for _ in range(60 * 12):
        stage.advance(1 / 60)
    anna, ben = stage.groups["people"].crowd.positions[:, [0, 2]]
    assert np.hypot(*(anna - (-3, -3))) < 0.3
    assert stage.groups["people"].crowd.speeds[1] < 0.05, "ben is done and stands"
    assert ben[1] > 0.8


def test_what_the_scene_moves_is_not_to_be_moved(scene: Path) -> None:
    stage = stage_of_scene(scene)
    (puddle,) = stage.obstacles
    for change in ({"type": "remove_obstacle"}, {"type": "move_obstacle", "centre": [1, 1]}):
        with pytest.raises(LocomoteError, match="belongs to the scene"):
            obey(stage, check({**change, "obstacle": puddle}))
    added = obey(stage, check({"type": "add_puddle", "centre": [9, 9], "length": 1, "width": 1}))["obstacle"]
    obey(stage, check({"type": "move_obstacle", "obstacle": added, "centre": [8, 8]}))
    obey(stage, check({"type": "remove_obstacle", "obstacle": added}))
    for _ in range(120):
        stage.advance(1 / 60)


def test_who_has_lost_the_way_stands_and_the_others_go_on(scene: Path, caplog: pytest.LogCaptureFixture) -> None:
    scene.write_text(SCENE.replace("go_to = [0, 7]", "go_to = [0, 0.5]\njumping = false\ngoing_round = false"))
    stage = stage_of_scene(scene)
    stage.obstacles.add_box((0.0, 0.5), (2.0, 0.4), 2.0)
    for _ in range(60 * 16):
        stage.advance(1 / 60)
    assert stage.groups["people"].crowd.speeds.max() < 0.05
    assert "'anna'" in caplog.text


def test_everyone_wanders_and_keeps_going() -> None:
    stage = stage_of(6, {"wolf": 2}, seed=1)
    before = {name: group.crowd.positions for name, group in stage.groups.items()}
    way = {name: np.zeros(len(group.crowd)) for name, group in stage.groups.items()}
    for _ in range(60 * 15):
        stage.advance(1 / 60)
        for name, group in stage.groups.items():
            way[name] += np.linalg.norm(group.crowd.positions - before[name], axis=1)
            before[name] = group.crowd.positions
    assert min(each.min() for each in way.values()) > 3.0
    for group in stage.groups.values():
        assert np.abs(group.crowd.positions[:, [0, 2]]).max() < 8.0


def test_people_and_creatures_keep_apart() -> None:
    stage = stage_of(8, {"wolf": 3}, seed=4)
    people, wolves = (group.crowd for group in stage.groups.values())
    nearest = np.inf
    for _ in range(60 * 20):
        stage.advance(1 / 60)
        apart = people.positions[:, None, [0, 2]] - wolves.positions[None, :, [0, 2]]
        nearest = min(nearest, float(np.linalg.norm(apart, axis=-1).min()))
    assert nearest > 0.5


@pytest.mark.parametrize("told", [True, False])
def test_a_person_and_a_wolf_who_meet_both_turn_aside(told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Head on: without being told of one another they would walk through each other."""
    stage = Stage()
    world = {"ground": stage.ground, "obstacles": stage.obstacles}
    person = People(HumanModel.default(), 1, avoid=True, **world)
    wolf = Creatures("wolf", 1, positions=[[0.0, 0.0, 8.0]], heading=np.pi, **world)
    stage.add("people", person)
    stage.add("wolf", wolf)
    if not told:
        monkeypatch.setattr(stage, "_introduce", lambda: None)
    person.go_to(0.0, 9.0, speed=1.2)
    wolf.go_to(0.0, -1.0, speed=1.2)
    aside, nearest = np.zeros(2), np.inf
    for _ in range(60 * 9):
        stage.advance(1 / 60)
        places = np.array([crowd.positions[0, [0, 2]] for crowd in (person, wolf)])
        aside = np.maximum(aside, np.abs(places[:, 0]))
        nearest = min(nearest, float(np.linalg.norm(places[0] - places[1])))
    if told:
        assert aside.min() > 0.2
        assert nearest > 0.5
        assert np.abs(places[:, 1] - (9.0, -1.0)).max() < 0.5, "and go on to where they wanted"
    else:
        assert aside.max() < 0.05
        assert nearest < 0.1


def test_the_same_seed_gives_the_same_stage() -> None:
    first, second = (stage_of(4, {"spider": 1}, seed=9) for _ in range(2))
    for stage in (first, second):
        for _ in range(90):
            stage.advance(1 / 60)
    for a, b in zip(first.frame(60.0).groups, second.frame(60.0).groups, strict=True):
        assert np.array_equal(a.rotations, b.rotations)
        assert np.array_equal(a.root_positions, b.root_positions)


def test_a_rehearsal_touches_everything_once() -> None:
    told: list[tuple[int, int]] = []
    rehearse(True, ["bird"], progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 2), (1, 2)]
