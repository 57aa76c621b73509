"""Schedules: piecewise linear, exact at their values, and clear about what is wrong."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.errors import LocomoteError
from locomote.human.scenes._schedule import GAITS, Schedule, parse_angle, parse_mixture, parse_schedule

values = st.floats(0.0, 12.0).map(lambda x: round(x, 4))
knots = st.lists(
    st.tuples(st.integers(0, 100_000).map(lambda ms: ms / 1000), values),
    min_size=1,
    max_size=8,
    unique_by=lambda knot: knot[0],
).map(sorted)


@given(knots)
def test_a_schedule_hits_its_values(pairs: list[tuple[float, float]]) -> None:
    schedule = parse_schedule(",".join(f"{t}:{v}" for t, v in pairs), "--speed", 0.0, 12.0)
    assert schedule.times == tuple(t for t, _ in pairs)
    for time, value in pairs:
        assert schedule.at(time) == pytest.approx(value, abs=1e-12)
    assert schedule.at(-1.0) == pairs[0][1]
    assert schedule.at(schedule.end + 5.0) == pairs[-1][1]


@given(knots, st.floats(0.0, 1.0))
def test_a_schedule_is_linear_between_its_values(pairs: list[tuple[float, float]], share: float) -> None:
    schedule = Schedule(*zip(*pairs, strict=True))
    for (t0, v0), (t1, v1) in itertools.pairwise(pairs):
        at = (1.0 - share) * t0 + share * t1
        assert schedule.at(at) == pytest.approx((1.0 - share) * v0 + share * v1, abs=1e-6)


def test_one_number_holds_for_ever() -> None:
    schedule = parse_schedule("1.4", "--speed", 0.0, 12.0)
    assert schedule.constant
    assert [schedule.at(t) for t in (0.0, 3.0, 1e6)] == [1.4, 1.4, 1.4]


def test_words_and_degrees() -> None:
    assert parse_schedule("0:walk, 4:run", "--gait", 0.0, 1.0, words=GAITS).values == (0.0, 1.0)
    turning = parse_schedule("0:0,2:30deg", "--turn-rate", -2.0, 2.0, angle=True)
    assert turning.at(1.0) == pytest.approx(math.radians(15.0))
    assert parse_angle("-90deg", "heading") == pytest.approx(-np.pi / 2)


def test_mixtures() -> None:
    assert parse_mixture("cmu 02", "--style") == "cmu 02"
    assert parse_mixture("a=0.7, b c=0.3", "--style") == {"a": 0.7, "b c": 0.3}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fast", "expected a number"),
        ("1,2", "need times"),
        ("0:1,2", "has no time"),
        ("2:1,1:2", "out of order"),
        ("-1:1", "out of order"),
        ("0:1,0:2", "out of order"),
        ("99", "out of range"),
        ("nan", "expected a number"),
        ("0:1,", "has no time"),
        ("", "expected a number"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, words: str) -> None:
    with pytest.raises(LocomoteError, match=words) as error:
        parse_schedule(text, "--speed", 0.0, 12.0)
    assert "--speed" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["a=1,b", "a=x", "=1", "a=1,a=2"])
def test_wrong_mixtures(text: str) -> None:
    with pytest.raises(LocomoteError, match="--style"):
        parse_mixture(text, "--style")


@given(st.text(max_size=30))
def test_any_text_is_a_schedule_or_an_error(text: str) -> None:
    try:
        schedule = parse_schedule(text, "--speed", 0.0, 12.0)
    except LocomoteError:
        return
    assert all(0.0 <= value <= 12.0 for value in schedule.values)
