"""Foot plans along paths: natural steps on either side of the line, from stance to stance."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.errors import LocomoteError
from locomote.human._model import HumanModel
from locomote.human.scenes._path import Route
from locomote.rotations import FloatArray
from locomote.steps._paths import STANDING_HALF_WIDTH, TOE_OUT, plan_along, step_length
from locomote.steps._plan import LEFT, RIGHT, FootPlan, check
from locomote.world import Ground

MODEL = HumanModel.default()


def circle(radius: float, turns: float = 1.0) -> FloatArray:
    angle = np.linspace(0.0, turns * math.tau, 120)
    return np.stack([radius * (1.0 - np.cos(angle)), radius * np.sin(angle)], axis=1)


def headings(plan: FootPlan) -> FloatArray:
    return plan.yaws - np.where(plan.sides == LEFT, TOE_OUT, -TOE_OUT)


@given(speed=st.floats(0.2, 2.1), length=st.floats(0.05, 30.0), leg=st.floats(0.5, 1.2))
def test_a_straight_path(speed: float, length: float, leg: float) -> None:
    speed = min(max(speed, 0.15 * leg), 2.4 * leg)
    plan = plan_along([(0, 0), (0, length)], speed, leg_length=leg, model=MODEL)
    check(plan, leg)
    assert np.all(plan.sides[1:] != plan.sides[:-1])
    assert plan.places[[0, 1], 2] == pytest.approx([0.0, 0.0])
    assert plan.places[[-2, -1], 2] == pytest.approx([length, length])
    assert plan.places[[0, 1, -2, -1], 0] == pytest.approx(
        STANDING_HALF_WIDTH * leg * np.where(plan.sides[[0, 1, -2, -1]] == LEFT, 1.0, -1.0)
    )
    assert headings(plan) == pytest.approx(np.zeros(len(plan)))
    gaps = np.diff(plan.places[:, 2])
    natural = step_length(speed, leg, MODEL)
    assert gaps.max() <= 1.08 * natural + 1e-9
    assert gaps[1] < 0.7 * 1.08 * natural  # the first step is short
    assert np.all(plan.durations() > 0.0)


def test_long_straight_paths_are_walked_at_the_speed_with_natural_steps() -> None:
    for speed in (0.6, 1.2, 1.8):
        plan = plan_along([(0, 0), (0, 40)], speed)
        middle = slice(4, -4)
        pace = np.diff(plan.places[middle, 2]) / np.diff(plan.times[middle])
        assert pace == pytest.approx(np.full(len(pace), speed))
        natural = speed / (2.0 * MODEL.cycles_per_second(speed / 0.9))
        assert np.diff(plan.places[middle, 2]) == pytest.approx(natural, rel=0.09)


@pytest.mark.parametrize("radius", [0.4, 1.0, 3.0])
def test_feet_lie_on_either_side_of_a_curve(radius: float) -> None:
    path = circle(radius)
    plan = plan_along(path, 1.2)
    check(plan)
    route = Route(path)
    away = np.array([route.distance(place) for place in plan.places[:, [0, 2]]])
    assert np.all(away < 0.085 * 0.9 + 0.01)
    out = np.hypot(*(plan.places[3:-3, [0, 2]] - (radius, 0.0)).T) - radius
    assert np.all((out > 0.0) == (plan.sides[3:-3] == RIGHT))  # the circle turns left, towards +x
    turns = np.abs(np.diff(headings(plan)))
    assert turns.max() < math.radians(33.0)
    # Small circles take shorter steps.
    gaps = np.linalg.norm(np.diff(plan.places, axis=0), axis=1)
    assert (gaps.max() < 0.5) == (radius < 0.5)


@pytest.mark.parametrize("angle", [80.0, 135.0, 180.0, -100.0])
def test_sharp_corners_are_turned_on_the_spot(angle: float) -> None:
    turn = math.radians(angle)
    corner = np.array([0.0, 3.0])
    plan = plan_along([(0, 0), corner, corner + 2.5 * np.array([math.sin(turn), math.cos(turn)])], 1.3)
    check(plan)
    course = headings(plan)
    assert math.remainder(course[-1] - turn, math.tau) == pytest.approx(0.0, abs=1e-6)
    steps = np.abs(np.diff(course))
    assert steps.max() <= math.radians(40.0) + 1e-9
    turning = np.flatnonzero(steps > 1e-6) + 1
    assert np.hypot(*(plan.places[turning][:, [0, 2]] - corner).T).max() < 0.1
    assert np.all(plan.sides[1:] != plan.sides[:-1])


def test_blunt_corners_are_walked_through() -> None:
    plan = plan_along([(0, 0), (0, 3), (2.5, 5.5)], 1.3)
    gaps = np.linalg.norm(np.diff(plan.places, axis=0), axis=1)
    assert gaps[3:-3].min() > 0.35


def test_the_foot_that_starts_and_the_ground_are_chosen() -> None:
    ground = Ground()
    ground.add_stairs((0.0, 1.0), count=1, rise=0.2, tread=9.0)
    for first in (LEFT, RIGHT):
        plan = plan_along([(0, 0), (0, 4)], 1.2, first=first, ground=ground, half_width=0.1)
        assert plan.sides[2] == first
        assert np.abs(plan.places[:, 0]) == pytest.approx(np.full(len(plan), 0.1))
        assert plan.places[:, 1] == pytest.approx(np.where(plan.places[:, 2] > 1.0, 0.2, 0.0))


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(LocomoteError, match=r"speed: expected 0.14 to 2.16 m/s .* got 5"):
        plan_along([(0, 0), (0, 4)], 5.0)
    with pytest.raises(LocomoteError, match="speed"):
        plan_along([(0, 0), (0, 4)], math.nan)
    with pytest.raises(LocomoteError, match="two points"):
        plan_along([(0, 0)], 1.0)
    with pytest.raises(LocomoteError, match="not finite"):
        plan_along([(0, 0), (0, math.nan)], 1.0)
    with pytest.raises(LocomoteError, match="leg_length"):
        plan_along([(0, 0), (0, 4)], 1.0, leg_length=-1.0)
    with pytest.raises(LocomoteError, match="at most 20000 m"):
        plan_along([(0, 0), (0, 1e6)], 1.0)
