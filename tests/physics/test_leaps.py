"""Leaps of simulated dogs: how high and how far they go, and books of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote.errors import FormatError, LocomoteError
from locomote.physics._leap_book import LeapBook, Leapt
from locomote.physics._leaps import HIGH, LOW, Launch, launch_of

pytest.importorskip("mujoco")

from locomote.physics import Dog
from locomote.physics._leap_trials import grow

BOOK = LeapBook.default()
LONG = 15  # hundredths of a second: a shorter flight is no leap


def leapt(height: float, distance: float, effort: float = 1.0) -> Leapt:
    return Leapt(Launch(dip=0.1 * height), height, distance, effort)


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


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_leap_is_as_high_and_as_far_as_it_was_asked_for(share: float) -> None:
    wanted = BOOK[int(np.argsort(BOOK.heights)[round(share * (len(BOOK) - 1))])]
    dog = Dog()
    dog.step(1.0)
    flight = Flight(dog)
    dog.leap(height=wanted.height, distance=wanted.distance)
    for _ in range(250):
        dog.step(0.01)
        flight.look(dog.time)
    assert dog.falls[0] == 0
    assert flight.top == pytest.approx(wanted.height, rel=0.1)
    way = flight.places[-1] - flight.places[0]
    assert way[2] == pytest.approx(wanted.distance, abs=max(0.1 * wanted.distance, 0.1))


def test_a_book_is_the_same_after_a_file_and_broken_ones_are_refused(tmp_path: Path) -> None:
    book = LeapBook.of([leapt(0.7, 0.5), leapt(0.9, 1.0)])
    book.save(tmp_path / "leaps.npz")
    again = LeapBook.load(tmp_path / "leaps.npz")
    assert [again[k] for k in range(2)] == [book[k] for k in range(2)]
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


def test_who_does_not_stand_as_it_began_is_told_to() -> None:
    dog = Dog()
    dog.command(speed=1.0)
    dog.step(1.0)
    with pytest.raises(LocomoteError, match="leap: dog 0 must stand still as it began"):
        dog.leap(height=0.8)
    assert dog.states == ["going"]
    dog.command(speed=0.0)
    dog.reset()
    dog.step(0.5)
    dog.leap()
    assert dog.states == ["leap"]


def test_a_leap_that_is_broken_off_leaves_nothing_behind() -> None:
    dog = Dog()
    dog.step(0.5)
    dog.leap(height=0.8)
    one = dog._dogs[0]
    for _ in range(200):
        dog.step(0.01)
        if one.driver.held is not None:
            break
    assert one.driver.held is not None  # it goes on for a while
    dog.lie()
    assert one.driver.held is None
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


def test_the_dictionary_grows_by_trials_and_by_its_seed() -> None:
    small = LeapBook.of([BOOK[0], BOOK[1]])
    grown = [grow(small, 3, seed=4) for _ in range(2)]
    assert len(grown[0]) >= 2
    assert np.array_equal(grown[0].launches, grown[1].launches)
