"""One line for the common thing: what it gives, what it refuses, and that the command line gives the same."""

import inspect
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import locomote as lm
from locomote import cli
from locomote.samples import human_skeleton

STAIRS = """
[[stairs]]
start = [0, 1.2]
count = 4
rise = 0.17
tread = 0.29
landing = 3.0
"""


def written(*arguments: object) -> lm.Motion:
    """What the command line writes into its last argument."""
    done = CliRunner().invoke(cli.app, [str(each) for each in arguments])
    assert done.exit_code == 0, done.output
    return lm.load(str(arguments[-1]))


def same(one: lm.Motion, other: lm.Motion) -> bool:
    return np.array_equal(one.rotations, other.rotations) and np.array_equal(one.root_positions, other.root_positions)


def test_a_walk_goes_at_its_speed_and_lasts_as_told() -> None:
    walk = lm.walk(speed=1.1, seconds=4)
    assert (walk.duration, walk.fps, walk.name) == (pytest.approx(4.0), 60.0, "walk")
    assert lm.measure(walk).speed == pytest.approx(1.1, rel=0.03)


def test_speeds_over_time_begin_standing() -> None:
    way = lm.walk({0: 0, 1: 0, 3: 1.4}, seconds=5).root_positions[:, 2]
    assert abs(way[45] - way[0]) < 0.05
    assert way[-1] - way[-61] == pytest.approx(1.4, rel=0.1)


def test_a_walk_ends_where_it_shall() -> None:
    assert lm.walk(to=(1.5, 2.0)).root_positions[-1, [0, 2]] == pytest.approx([1.5, 2.0], abs=0.15)
    along = lm.walk(to=[(0, 0), (0, 2), (2, 3)]).root_positions[:, [0, 2]]
    assert along[-1] == pytest.approx([2.0, 3.0], abs=0.15)
    assert np.hypot(*(along - (0.0, 2.0)).T).min() < 0.3


def test_worlds_are_walked_on(tmp_path: Path) -> None:
    file = tmp_path / "stairs.toml"
    file.write_text(STAIRS)
    up = lm.walk(0.6, 6, world=file)
    assert up.root_positions[-1, 1] - up.root_positions[0, 1] == pytest.approx(4 * 0.17, abs=0.06)
    assert same(up, lm.walk(0.6, 6, world=lm.world.Ground.read(file)))
    climber = lm.creature("spider", 0.4, 6, world=file)
    assert climber.root_positions[-1, 1] - climber.root_positions[0, 1] > 0.3


def test_a_walk_goes_onto_a_rig_and_its_legs_make_the_strides(tmp_path: Path) -> None:
    rig = lm.samples.performer(seconds=0.5).motion
    small = rig.scaled(0.6)
    file = tmp_path / "hero.glb"
    lm.save(small, file)
    walk = lm.walk(1.0, 4, onto=file)
    assert walk.skeleton.leg_length() == pytest.approx(0.6 * human_skeleton().leg_length(), rel=1e-3)
    assert lm.measure(walk).speed == pytest.approx(1.0, rel=0.05)
    assert lm.measure(walk).drift_p95 < 5.0


@pytest.mark.parametrize(("length", "speed"), [(1.0, 0.0), (1.0, 1.4), (2.0, 3.0)])
def test_a_jump_is_as_long_as_told(length: float, speed: float) -> None:
    jump = lm.jump(length, speed)
    feet = lm.contacts.detect(jump).foot
    flying = np.flatnonzero(~feet.any(axis=1))
    # The longest flight: from the ball of the foot that took off to the ball of the one that lands.
    runs = np.split(flying, np.flatnonzero(np.diff(flying) > 1) + 1)
    flight = max(runs, key=lambda run: np.ptp(jump.root_positions[run, 2]))
    off, on = flight[0] - 1, flight[-1] + 12  # the sole is down a fifth of a second later
    balls = jump.joint_positions()[:, [jump.skeleton.index(f"{side}ToeBase") for side in ("Left", "Right")], 2]
    assert balls[on, feet[on]].max() - balls[off, feet[off]].max() == pytest.approx(length, abs=0.2)


def test_who_stands_jumps_from_both_feet_and_stands_again() -> None:
    way = lm.jump(1.0, 0.0).root_positions[:, 2]
    assert way[-1] - way[0] == pytest.approx(1.0, abs=0.05)
    assert abs(way[-1] - way[-30]) < 0.02


def test_creatures_go() -> None:
    spider = lm.creature("spider", speed=0.6, seconds=4)
    assert spider.body is not None
    assert spider.root_positions[-1, 2] - spider.root_positions[-61, 2] == pytest.approx(0.6, rel=0.05)
    assert lm.creature("wolf", to=(1, 3), seconds=8).root_positions[-1, [0, 2]] == pytest.approx([1, 3], abs=0.3)
    turned = lm.creature(lm.creatures.Creature.build("ant"), turn_rate={0: 0, 1: 0.4}, seconds=3)
    assert turned.root_positions[-1, 0] > 0.05


def test_the_command_line_gives_the_same(tmp_path: Path) -> None:
    file = tmp_path / "out.npz"
    walked = written("walk", "--speed", "0:0,2:1.4", "--seconds", 3, "--style", "brisk", "--seed", 3, "-o", file)
    assert same(walked, lm.walk({0: 0, 2: 1.4}, 3, style="brisk", seed=3))
    assert same(written("jump", 0.9, "--speed", 1.2, "-o", file), lm.jump(0.9, 1.2))
    went = written("creature", "ant", "--speed", 0.3, "--turn-rate", 0.2, "--seconds", 2, "-o", file)
    assert same(went, lm.creature("ant", 0.3, 2, turn_rate=0.2))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (lambda: lm.walk(speed="fast"), "speed 'fast': expected a number, or numbers by seconds"),  # type: ignore[arg-type]
        (lambda: lm.walk(speed=99), "speed 99: expected 0 to 12"),
        (lambda: lm.walk({2: 1, 0: 2}), "speed: a schedule goes from 2 s to 0 s"),
        (lambda: lm.walk(seconds=0), "seconds 0: expected more than 0"),
        (lambda: lm.walk(to=(1, 2, 3)), "to: expected a place"),
        (lambda: lm.walk(to=(1, 2), turn_rate=0.1), "to and turn_rate exclude one another"),
        (lambda: lm.walk(onto="nowhere.glb"), "nowhere.glb"),
        (lambda: lm.jump(9), "length 9: expected 0.2 to 3 m"),
        (lambda: lm.creature("dragon"), "dragon: no such file, and no built-in creature"),
        (lambda: lm.creature(to=[(0, 0), (1, 1)]), "one place"),  # type: ignore[list-item]
    ],
)
def test_what_cannot_be_is_refused_in_one_line(line: object, says: str) -> None:
    assert callable(line)
    with pytest.raises(lm.LocomoteError, match=says) as wrong:
        line()
    assert "\n" not in str(wrong.value)


def test_a_line_stays_a_line() -> None:
    for each in (lm.walk, lm.jump, lm.creature):
        assert len(inspect.signature(each).parameters) <= 8
