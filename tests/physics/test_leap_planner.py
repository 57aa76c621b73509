"""Leaps over what lies ahead: which of them lead over it, and dogs that are told nothing but how fast to go."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote.errors import LocomoteError
from locomote.physics._leap_book import LeapBook, Leapt
from locomote.physics._leap_model import LeapModel
from locomote.physics._leap_planner import AHEAD, CELL, LEAST, Way, leads_over
from locomote.physics._leaps import Launch

pytest.importorskip("mujoco")

from locomote.physics import Dog
from locomote.world import Ground

ALONG = np.arange(-LEAST, AHEAD, CELL)
BEGINS = np.arange(0.0, 3.0, 0.02)
EDGE = 2.5  # m


def way(width: float, height: float) -> Way:
    """Level ground with a gap, or what stands on it."""
    return Way(np.where((ALONG > EDGE) & (EDGE + width > ALONG), height, 0.0), -LEAST)


def leap(height: float, distance: float, speed: float = 0.8) -> Leapt:
    return Leapt(Launch(), speed, height, distance, 1.0)


@settings(max_examples=30, deadline=None)
@given(st.floats(0.1, 1.5), st.floats(0.1, 1.0), st.floats(0.75, 1.2), st.floats(0.3, 1.8))
def test_who_leaps_a_gap_leaps_every_narrower_one_from_there(
    width: float, share: float, height: float, distance: float
) -> None:
    wide, narrow = (leads_over(leap(height, distance), way(gap, -9.0), BEGINS, EDGE) for gap in (width, share * width))
    assert np.all(narrow[wide])


@settings(max_examples=30, deadline=None)
@given(st.floats(0.1, 1.5), st.floats(0.1, 1.0), st.floats(0.75, 1.2), st.floats(0.3, 1.8))
def test_who_leaps_a_barrier_leaps_every_lower_one_from_there(
    high: float, share: float, height: float, distance: float
) -> None:
    tall, low = (leads_over(leap(height, distance), way(0.1, rise), BEGINS, EDGE) for rise in (high, share * high))
    assert np.all(low[tall])


def test_what_is_too_wide_or_too_high_is_led_over_by_nothing() -> None:
    book = LeapBook.default()
    for k in range(len(book)):
        assert not leads_over(book[k], way(3.0, -9.0), BEGINS, EDGE).any()
        assert not leads_over(book[k], way(0.2, 1.5), BEGINS, EDGE).any()


def test_level_ground_is_no_trouble_and_steps_are() -> None:
    assert way(0.0, 0.0).trouble == np.inf
    assert way(0.4, -0.3).trouble == pytest.approx(EDGE, abs=2.0 * CELL)
    assert way(0.4, 0.04).trouble == np.inf  # what feet take in their stride


@pytest.mark.feature("QUA-28")
@pytest.mark.parametrize("later", [0.0, 0.15])
def test_a_dog_hops_down_from_an_edge(later: float) -> None:
    ground = Ground()
    ground.add_box((0.0, 1.0), (4.0, 6.0), 0.25)
    dog = Dog(ground=ground)
    dog.step(0.3 + later)
    dog.command(speed=1.2, leaps=True)
    dog.record(9.0)
    assert dog.falls[0] == 0
    assert dog.positions[0, 2] > 4.5
    assert dog.positions[0, 1] == pytest.approx(0.45, abs=0.08)


def deck_with_gap(width: float) -> Ground:
    ground = Ground()
    ground.add_box((0.0, 1.0), (4.0, 6.0), 1.0)
    ground.add_box((0.0, 7.0 + width), (4.0, 6.0), 1.0)
    return ground


def test_a_dog_leaps_over_a_gap_by_itself() -> None:
    dog = Dog(ground=deck_with_gap(0.3))
    dog.command(speed=1.0, leaps=True)
    low = [float(dog.step(0.1).root_positions[0, 1]) for _ in range(60)]
    assert min(low) > 0.9  # never down in the gap
    assert dog.positions[0, 2] > 4.3


def test_a_dog_stops_before_a_gap_that_is_too_wide() -> None:
    dog = Dog(ground=deck_with_gap(3.0))
    dog.command(speed=1.0, leaps=True)
    dog.step(6.0)
    assert dog.states == ["standing"]
    assert 2.5 < dog.positions[0, 2] < 4.0


def test_other_bodies_are_told_that_they_cannot_leap_on_their_way() -> None:
    with pytest.raises(LocomoteError, match="leap: known of the dog alone, not of wolf"):
        Dog(creature="wolf").command(leaps=True)


def book_of(count: int) -> LeapBook:
    """Launches of which two numbers follow from height and distance."""
    made = []
    for k in range(count):
        height, distance = 0.7 + 0.05 * (k % 5), 0.3 + 0.15 * (k // 5)
        made.append(
            Leapt(Launch(up=4.0 * height, forward=2.0 * distance, lean=0.1 * distance), 0.0, height, distance, 1.0)
        )
    return LeapBook.of(made)


def test_two_numbers_tell_leaps_that_have_two() -> None:
    model = LeapModel.of(book_of(25), 0.0)
    between = model.launch(0.777, 0.61)
    assert between.up == pytest.approx(4.0 * 0.777, rel=1e-6)
    assert between.forward == pytest.approx(2.0 * 0.61, rel=1e-6)
    assert between.lean == pytest.approx(0.1 * 0.61, rel=1e-6)


def test_a_model_of_too_few_leaps_is_refused() -> None:
    with pytest.raises(LocomoteError, match="3 are known at 0 m/s; a model needs 4"):
        LeapModel.of(book_of(3), 0.0)
