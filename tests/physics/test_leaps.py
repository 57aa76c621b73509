"""Leaps of simulated dogs: how high and how far they go, and books of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from locomote.errors import FormatError, LocomoteError
from locomote.physics._leap_book import LeapBook, Leapt
from locomote.physics._leap_model import LeapModel
from locomote.physics._leaps import HIGH, LOW, Launch, launch_of

pytest.importorskip("mujoco")

from locomote.physics import Dog, _leap_trials
from locomote.physics._leap_trials import grow, tried
from locomote.physics._throwing import FRICTION, foot_forces

BOOK = LeapBook.default()
LONG = 15  # hundredths of a second: a shorter flight is no leap


def leapt(height: float, distance: float, effort: float = 1.0, speed: float = 0.0) -> Leapt:
    return Leapt(Launch(up=3.0 * height), speed, height, distance, effort)


class Flight:
    """Measures a dog from outside: the way of its centre of mass while no foot is loaded."""

    def __init__(self, dog: Dog) -> None:
        self.dog, self.places = dog, []
        self.top, self.landed = 0.0, False

    def look(self, _time: float) -> None:
        middle = self.dog._dogs[0].simulation.data.subtree_com[1].copy()
        self.top = max(self.top, float(middle[1]))
        airborne = self.dog.loads.sum() < 1.0
        if airborne and not self.landed:
            self.places.append(middle)
        self.landed |= not airborne and len(self.places) > LONG


LATER = 8.0  # s: approaches by which no leap of the book was chosen


@pytest.mark.parametrize("speed", [0.0, 0.8, 1.0])
def test_leaps_come_out_as_they_are_known_wherever_feet_are(speed: float) -> None:
    book = BOOK.at(speed)
    takes = [
        (book[k], take) for k in (0, len(book) // 2, len(book) - 1) for take in tried(book[k].launch, speed, LATER)
    ]
    assert len(takes) == 12
    near = [
        abs(take.height - leap.height) < 0.1 * leap.height
        and abs(take.distance - leap.distance) < max(0.1 * leap.distance, 0.05)
        for leap, take in takes
    ]
    assert sum(near) == 12
    assert sum(take.fell for _, take in takes) < 4  # how many land is measured on the page of the dog


def near_what_was_asked(speed: float, places: Sequence[tuple[float, float]]) -> list[bool]:
    """Whether leaps between the known ones are within 10 % of height and distance, out of four approaches each."""
    model = LeapModel.of(BOOK, speed)
    return [
        abs(take.height - height) < 0.1 * height and abs(take.distance - distance) < 0.1 * distance
        for height, distance in places
        for take in tried(model.launch(height, distance), speed, LATER)
    ]


@pytest.mark.feature("QUA-24")
@pytest.mark.parametrize("speed", [0.0, 0.8, 1.0])
def test_leaps_between_the_known_ones_come_out_as_asked(speed: float) -> None:
    near = near_what_was_asked(speed, ((0.78, 0.6), (0.92, 0.7)))
    assert len(near) == 8
    assert all(near)


@pytest.mark.feature("QUA-26")
@pytest.mark.parametrize("speed", [0.8, 1.0, 1.2])  # none of the dictionary is of 1.2 m/s
def test_two_components_cover_what_the_dictionary_does(speed: float) -> None:
    slow = [leap for leap in map(BOOK.__getitem__, range(len(BOOK))) if leap.speed > 0.0]
    heights, distances = [leap.height for leap in slow], [leap.distance for leap in slow]
    corners = ((0.75, 0.6), (0.95, 0.6), (0.97, 1.1))
    assert max(heights) - min(heights) < 1.5 * (0.97 - 0.75)
    assert max(distances) - min(distances) < 1.5 * (1.1 - 0.6)
    near = near_what_was_asked(speed, corners)
    assert len(near) == 12
    assert sum(near) >= 11


def test_a_dog_leaps_out_of_a_stand_that_it_came_to() -> None:
    dog = Dog()
    dog.command(speed=1.0, gait="trot")
    dog.step(3.0)
    dog.command(speed=0.0)
    dog.step(4.0)
    assert dog.states == ["standing"]
    flight = Flight(dog)
    dog.leap(height=0.72, distance=0.38)  # as one of the dictionary
    for _ in range(250):
        dog.step(0.01)
        flight.look(dog.time)
    assert dog.falls[0] == 0
    assert flight.top == pytest.approx(0.72, rel=0.1)
    assert np.linalg.norm((flight.places[-1] - flight.places[0])[[0, 2]]) == pytest.approx(0.38, abs=0.04)


SQUARE = np.array([[x, -0.4, z] for x in (0.06, -0.06) for z in (0.25, -0.3)])


def test_forces_of_feet_give_force_and_moment_and_neither_pull_nor_slip() -> None:
    random = np.random.default_rng(0)
    for _ in range(50):
        arms = SQUARE + random.uniform(-0.04, 0.04, (4, 3)) * (1.0, 0.0, 1.0)
        force = np.array(
            [*random.uniform(-60.0, 60.0, 1), random.uniform(600.0, 1500.0), random.uniform(-200.0, 200.0)]
        )
        moment = random.uniform(-15.0, 15.0, 3)
        found = foot_forces(arms, force, moment)
        assert found[:, 1].min() >= 0.0
        assert np.all(np.abs(found[:, [0, 2]]) <= FRICTION * found[:, 1:2] + 1e-9)
        assert found.sum(axis=0) == pytest.approx(force, abs=0.03 * np.linalg.norm(force))
        assert np.cross(arms, found).sum(axis=0) == pytest.approx(moment, abs=2.0)


def test_what_feet_cannot_give_is_not_pulled_for() -> None:
    down = foot_forces(SQUARE, np.array([0.0, -500.0, 0.0]), np.zeros(3))
    assert np.abs(down).max() < 1e-6
    assert foot_forces(np.zeros((0, 3)), np.ones(3), np.ones(3)).shape == (0, 3)


def test_a_book_is_the_same_after_a_file_and_broken_ones_are_refused(tmp_path: Path) -> None:
    book = LeapBook.of([leapt(0.7, 0.5), leapt(0.9, 1.0)])
    book.save(tmp_path / "leaps.npz")
    again = LeapBook.load(tmp_path / "leaps.npz")
    for k in range(2):
        assert again[k] == book[k]
    (tmp_path / "bad.npz").write_bytes((tmp_path / "leaps.npz").read_bytes()[:300])
    np.savez(tmp_path / "other.npz", header=np.frombuffer(b'{"format": "else"}', dtype=np.uint8))
    for name in ("bad.npz", "other.npz"):
        with pytest.raises(FormatError, match="leaps"):
            LeapBook.load(tmp_path / name)


def test_the_nearest_leap_is_taken_and_the_easier_of_two() -> None:
    book = LeapBook.of([leapt(0.7, 0.5), leapt(0.9, 0.5, effort=3.0), leapt(0.9, 0.5, effort=2.0), leapt(0.9, 0.9)])
    assert book.nearest(0.72, None).height == 0.7
    assert book.nearest(0.9, 0.55) == book[2]
    assert book.nearest(None, 1.2) == book[3]


@pytest.mark.parametrize(("height", "distance"), [(9.0, None), (None, 30.0)])
def test_leaps_beyond_it_are_refused_in_one_line(height: float | None, distance: float | None) -> None:
    dog = Dog()
    with pytest.raises(LocomoteError, match="is beyond it; known are"):
        dog.leap(height=height, distance=distance)
    assert dog.states == ["standing"]


def test_leaps_out_of_other_gaits_and_speeds_are_refused_in_one_line() -> None:
    dog = Dog()
    dog.command(speed=0.8, gait="walk")
    dog.step(2.0)
    with pytest.raises(LocomoteError, match="leap: dog 0 must stand or trot first"):
        dog.leap(height=0.8)
    with pytest.raises(LocomoteError, match=r"none is known at 3\.00 m/s; leaps are known at 0, 0\.8, 1 m/s"):
        BOOK.at(3.0)
    assert dog.states == ["going"]


def test_a_leap_that_is_broken_off_leaves_nothing_behind() -> None:
    dog = Dog()
    dog.step(0.5)
    dog.leap(height=0.8)
    one = dog._dogs[0]
    for _ in range(200):
        dog.step(0.01)
        if one.simulation.asked.thrust.any():
            break
    assert one.simulation.asked.thrust.any()
    dog.lie()
    assert not one.simulation.asked.thrust.any()
    assert one.simulation.asked.strength[0] == 1.0
    dog.reset()
    dog.step(2.0)
    assert dog.states == ["standing"]
    assert np.abs(dog.positions[0, [0, 2]]).max() < 0.05


def test_other_bodies_are_told_that_they_cannot_leap() -> None:
    with pytest.raises(LocomoteError, match="leap: known of the dog alone, not of wolf"):
        Dog(creature="wolf").leap(height=0.8)


def test_launches_stay_within_their_bounds() -> None:
    assert launch_of(np.full(len(LOW), 1e9)) == HIGH
    assert launch_of(np.full(len(LOW), -1e9)) == LOW


def test_the_dictionary_grows_by_goals_and_by_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_leap_trials, "JUDGED", ())  # one approach is enough to tell
    monkeypatch.setattr(_leap_trials, "TAKES", 1)
    goals = [(0.0, 0.72, 0.37), (0.0, 3.0, 0.4)]  # nothing leaps three metres high
    grown = [grow({0.0: BOOK.nearest(0.72, 0.37).launch}, goals, seed=4) for _ in range(2)]
    assert len(grown[0]) == 1
    assert grown[0].heights[0] == pytest.approx(0.72, rel=0.1)
    assert np.array_equal(grown[0].launches, grown[1].launches)
    assert grown[0].notes["seed"] == 4
