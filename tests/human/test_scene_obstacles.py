"""Scenes with obstacles, goals and jumps: what the file says happens, and a wrong one is refused with the place."""

import math
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote.errors import LocomoteError
from locomote.human._model import HumanModel
from locomote.human.scenes._path import Route
from locomote.human.scenes._scene import Scene, read_scene
from locomote.human.scenes._schedule import Schedule, parse_place
from locomote.human.scenes._script import Plan, perform, walk
from locomote.human.scenes._timed_obstacles import TimedObstacles

PUDDLE = "[[obstacle]]\nkind = 'puddle'\ncentre = [0, 4]\nlength = 0.8\nwidth = 3\n"


@pytest.fixture(scope="module")
def model() -> HumanModel:
    return HumanModel.default()


def scene_of(tmp_path: Path, text: str) -> Scene:
    path = tmp_path / "scene.toml"
    path.write_text(text, encoding="utf-8")
    return read_scene(path)


def highest_step(motion: lm.Motion) -> float:
    """The most by which the pelvis is above its mean height."""
    heights = motion.root_positions[:, 1]
    return float(heights.max() - heights.mean())


def end_of(motion: lm.Motion) -> np.ndarray:
    return motion.root_positions[-1, [0, 2]]


def test_obstacles_appear_move_and_vanish(tmp_path: Path) -> None:
    path = tmp_path / "yard.toml"
    path.write_text(
        "[[stairs]]\nstart = [0, 1]\ncount = 3\n" + PUDDLE + "from = 1.0\nuntil = 3.0\nvelocity = [0.5, 0]\n"
        "[[obstacle]]\nkind = 'disk'\ncentre = [5, 5]\nradius = 0.5\nturn_rate = '10deg'\n"
    )
    yard = TimedObstacles.read(path)
    assert len(yard) == 2
    assert yard.changes
    assert [len(yard.at(time)) for time in (0.0, 0.99, 1.0, 2.9, 3.0)] == [1, 1, 2, 2, 1]
    assert yard.at(1.0).inside([(0.0, 4.0)]).all()
    middle = np.mean(yard.at(2.0).outline(1), axis=0)
    assert np.allclose(middle, [0.5, 4.0])
    played = yard.play()
    for frame in range(121):
        played.advance_to(frame / 60)
    table, expected = played.obstacles.arrays.table, yard.at(2.0).arrays.table
    assert np.allclose(table, expected)
    assert not TimedObstacles.build(path, []).changes


def test_a_walker_jumps_what_lies_in_its_way(tmp_path: Path) -> None:
    scene = scene_of(tmp_path, PUDDLE + "[[character]]\naction = [{ do = 'walk', speed = 1.2, seconds = 4.5 }]\n")
    motion = perform(scene)[0]
    assert abs(end_of(motion)[0]) < 0.1  # over it, not round
    assert highest_step(motion) > 0.08


def test_goals_paths_and_other_people(tmp_path: Path) -> None:
    text = """fps = 30
[[obstacle]]
kind = "box"
centre = [0, 2]
size = [0.8, 0.6]
height = 0.8
[[character]]
name = "goal"
go_to = [0, 4]
avoid = true
[[character]]
name = "path"
path = [[4, 0], [4, 2], [5, 4]]
speed = 1.5
avoid = true
"""
    scene = scene_of(tmp_path, text)
    assert scene.characters[1].position == (4.0, 0.0)
    goal, path = perform(scene)
    assert (goal.name, path.name) == ("goal", "path")
    assert np.hypot(*(end_of(goal) - [0, 4])) < 0.15
    assert np.hypot(*(end_of(path) - [5, 4])) < 0.25
    assert np.abs(goal.root_positions[:, 0]).max() > 0.5  # round the box


def test_jumps_are_done_when_told(tmp_path: Path) -> None:
    text = """[[character]]
action = [
  { do = "stand", seconds = 0.5 },
  { jump = 1.0 },
  { do = "stand", seconds = 0.5 },
]
[[character]]
name = "walker"
position = [2, 0]
action = [
  { do = "walk", speed = 1.3, seconds = 1.0 },
  { jump = 0.9, foot = "left", seconds = 2.5 },
  { release = true, seconds = 0.5 },
]
"""
    stander, walker = perform(scene_of(tmp_path, text))
    assert stander.root_positions[-1, 2] == pytest.approx(1.0, abs=0.1)
    assert 2.0 < stander.duration < 4.5
    assert walker.duration == pytest.approx(4.0)
    assert walker.root_positions[-1, 2] > 4.5
    assert np.ptp(walker.root_positions[:, 1]) > 0.08


def test_who_may_neither_jump_nor_go_round_stops(tmp_path: Path) -> None:
    person = "[[character]]\njumping = false\ngoing_round = false\n"
    scene = scene_of(tmp_path, PUDDLE + person + "action = [{ do = 'walk', speed = 1.2, seconds = 5 }]\n")
    assert perform(scene)[0].root_positions[-1, 2] < 3.6


def test_the_same_scene_gives_the_same_bits(tmp_path: Path) -> None:
    text = "fps = 30\n" + PUDDLE + 2 * "[[character]]\nname = 'NAME'\naction = [{ do = 'walk', seconds = 2 }]\n"
    text = text.replace("NAME", "a", 1).replace("NAME", "b")
    first, again = (perform(scene_of(tmp_path, text)) for _ in range(2))
    for one, other in zip(first, again, strict=True):
        assert np.array_equal(one.rotations, other.rotations)
        assert np.array_equal(one.root_positions, other.root_positions)


def test_a_goal_that_cannot_be_reached_is_said(tmp_path: Path) -> None:
    walled = "fps = 10\n" + PUDDLE.replace("0.8", "3") + "[[character]]\nname = 'a'\ngo_to = [0, 4]\njumping = false\n"
    with pytest.raises(LocomoteError, match=r"character 'a': \(0, 4\) is not reached in .* give seconds"):
        perform(scene_of(tmp_path, walled))


def test_a_plan_with_a_goal_a_jump_and_obstacles(model: HumanModel, tmp_path: Path) -> None:
    path = tmp_path / "yard.toml"
    path.write_text(PUDDLE)
    speed = Schedule((0.0,), (1.2,))
    plain = walk(model, Plan(speed, seconds=3.0), fps=30.0)
    jumped = walk(model, Plan(speed, jumps=((0.5, 0.9),), seconds=3.0), fps=30.0)
    assert np.ptp(jumped.root_positions[:, 1]) > np.ptp(plain.root_positions[:, 1]) + 0.05
    there = walk(model, Plan(speed, place=(2.0, 3.0)), fps=30.0)
    assert np.hypot(*(end_of(there) - [2, 3])) < 0.15
    assert there.rotations[0, 0, 2] == pytest.approx(math.sin(0.5 * math.atan2(2, 3)), abs=0.1)
    route = Route(np.array([[0.0, 0.0], [0.0, 8.0]]))
    over = walk(model, Plan(speed, route=route), fps=30.0, obstacles=TimedObstacles.read(path))
    assert np.hypot(*(end_of(over) - [0, 8])) < 0.25


def test_places_are_two_numbers() -> None:
    assert parse_place("3, -4.5", "--to") == (3.0, -4.5)
    for text in ("3", "3,4,5", "a,b"):
        with pytest.raises(LocomoteError, match="--to: expected"):
            parse_place(text, "--to")


PERSON = '[[character]]\nname = "a"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (PUDDLE + "from = -1\n" + PERSON, "obstacle 1: from: expected seconds from 0 on instead of -1"),
        (PUDDLE + "until = 'late'\n" + PERSON, "obstacle 1: until: expected seconds"),
        (PUDDLE + "from = 3\nuntil = 2\n" + PERSON, "obstacle 1: until: expected a time after 3 s"),
        (PUDDLE.replace("puddle", "lake") + PERSON, "obstacle 1: kind: expected one of puddle"),
        (PUDDLE + "colour = 1\n" + PERSON, "obstacle 1: unknown key 'colour'"),
        ("obstacle = 3\n" + PERSON, r"expected tables \[\[obstacle\]\]"),
        (
            PERSON + "go_to = [1, 2]\npath = [[0, 0], [1, 1]]\n",
            "character 'a': go_to and path exclude one another",
        ),
        (PERSON + "go_to = [1]\n", r"action 1, go_to: expected \[x, z\]"),
        (PERSON + "path = [[0, 0]]\n", "at least two points"),
        (PERSON + "avoid = 1\ngo_to = [1, 2]\n", "character 'a': avoid: expected true or false instead of 1"),
        (PERSON + "speed = 1\naction = [{jump = 1}]\n", "speed: goes with go_to or path"),
        (PERSON + "action = [{jump = 9}]\n", "action 1: jump: expected a number from 0.2 to 3"),
        (PERSON + "action = [{do = 'jump'}]\n", "action 1: jump: missing"),
        (
            PERSON + "action = [{jump = 1, foot = 'third'}]\n",
            "foot: expected either, left, right instead of 'third'",
        ),
        (PERSON + "action = [{jump = 1, policy = 'later'}]\n", "policy: expected exact, now"),
        (PERSON + "action = [{jump = 1, go_to = [1, 1]}]\n", "action 1: do: expected one of"),
        (PERSON + "action = [{do = ['jump']}]\n", "action 1: do: expected one of"),
        (PERSON + "action = [{release = 3, seconds = 1}]\n", "release: expected true"),
        (PERSON + "action = [{release = true}]\n", "seconds: say how long the action release lasts"),
        (PERSON + "action = [{do = 'follow'}]\n", "follow: missing"),
    ],
)
def test_a_wrong_scene_is_refused_with_the_place(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(LocomoteError, match=words) as error:
        scene_of(tmp_path, text)
    assert "scene.toml" in str(error.value)
    assert "\n" not in str(error.value)
