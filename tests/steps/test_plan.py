"""Foot plans: what is refused and how it says so, and what may be done with a plan."""

import doctest
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.errors import LocomoteError
from locomote.steps import trace
from locomote.steps._paths import plan_along
from locomote.steps._plan import LEFT, RIGHT, FootPlan, check


def straight(count: int = 6, step: float = 0.6, width: float = 0.16) -> FootPlan:
    """Left and right in turn along +Z from a stance."""
    sides = np.arange(count) % 2
    along = step * np.maximum(np.arange(count) - 1, 0)
    return FootPlan.of(sides, np.stack([0.5 * width * (1 - 2 * sides), along], axis=1))


def walk(*plants: tuple[str, float, float]) -> FootPlan:
    return FootPlan.of([0 if side == "L" else 1 for side, _, _ in plants], [(x, z) for _, x, z in plants])


STANCE = (("L", 0.1, 0.0), ("R", -0.1, 0.0))


@pytest.mark.parametrize(
    "plan",
    [
        straight(),
        straight(3),
        straight(step=-0.4),  # backwards
        straight().moved(yaw=2.5, offset=(3.0, 0.5, -1.0)),
        walk(*STANCE, ("R", -0.5, 0.0), ("L", -0.3, 0.0), ("R", -0.7, 0.0)),  # sideways
        walk(*STANCE, ("L", 0.1, 0.4), ("L", 0.1, 0.6)),  # the same foot again
        walk(*STANCE, ("L", -0.3, 0.25), ("R", -0.5, 0.0)),  # across before the other foot
        walk(("R", -0.1, 0.0), ("L", 0.1, 0.7), ("R", -0.1, 1.4)),  # from the middle of a stride
        walk(("R", 0.0, 0.0), ("L", 0.0, 0.3), ("R", 0.0, 0.6), ("L", 0.0, 0.9)),  # on a rope
    ],
)
def test_plans_that_can_be_walked(plan: FootPlan) -> None:
    check(plan)
    check(plan.mirrored())


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (straight(0), "0 plants, expected at least 3"),
        (straight(2), "2 plants, expected at least 3"),
        (walk(("L", 0.1, 0.0), ("L", 0.1, 0.3), ("R", -0.1, 0.6)), "plant 2: the left foot again"),
        (walk(*STANCE, ("L", 0.1, math.nan)), "plant 3: its place .* is not finite"),
        (walk(*STANCE, ("L", 0.1, 0.6), ("R", -0.1, 2.2)), "plant 4: the right foot is 1.61 m from plant 3"),
        (walk(("L", 0.1, 0.0), ("R", -0.1, 4.0), ("L", 0.1, 4.5)), "plant 2: the right foot is 4.00 m"),
        (walk(*STANCE, ("L", -0.1, 0.01)), "plant 3: the left foot lands on plant 2"),
        (
            walk(*STANCE, ("L", -0.8, 0.1)),
            "plant 3: the left foot lands 0.70 m beyond the right foot of plant 2",
        ),
        (
            walk(*STANCE, ("R", 0.8, 0.1)),
            "plant 3: the right foot lands 0.70 m beyond the left foot of plant 1",
        ),
    ],
)
def test_a_bad_plan_is_refused_by_its_plant(plan: FootPlan, says: str) -> None:
    with pytest.raises(LocomoteError, match=says):
        check(plan)


def test_the_limits_go_by_the_legs() -> None:
    plan = straight(step=0.9)
    check(plan)
    with pytest.raises(LocomoteError, match=r"plant 3: .* at most 0.75 m for legs of 0.5 m"):
        check(plan, leg_length=0.5)
    with pytest.raises(LocomoteError, match="leg_length"):
        check(plan, leg_length=0.0)


def test_heights_sides_yaws_and_times_are_checked() -> None:
    plan = straight()
    places = plan.places.copy()
    places[3:, 1] = 0.8
    with pytest.raises(LocomoteError, match=r"plant 4: the right foot is 0.80 m above plant 3"):
        check(replace(plan, places=places))
    with pytest.raises(LocomoteError, match="plant 3: side 2"):
        check(replace(plan, sides=np.array([0, 1, 2, 1, 0, 1])))
    with pytest.raises(LocomoteError, match="plant 5: yaw is infinite"):
        check(replace(plan, yaws=np.array([0, 0, 0, 0, np.inf, 0])))
    times = np.array([0.0, 0.0, 0.7, np.nan, 0.6, 2.0])
    with pytest.raises(LocomoteError, match=r"plant 5: comes down at 0.6 s, .* after plant 3 at 0.7 s"):
        check(replace(plan, times=times))
    with pytest.raises(LocomoteError, match="expected arrays"):
        check(replace(plan, times=times[:3]))


def test_yaws_decide_what_is_crossed() -> None:
    plan = straight(step=0.3)
    check(replace(plan, yaws=np.zeros(6)))
    wide = straight(width=0.8, step=0.3)
    check(replace(wide, yaws=np.zeros(6)))
    with pytest.raises(LocomoteError, match=r"plant 3: the left foot lands 0.80 m beyond"):
        check(replace(wide, yaws=np.full(6, math.pi)))  # left feet on the right


def test_durations_run_from_plant_to_plant() -> None:
    plan = replace(straight(5), times=np.array([np.nan, 0.2, 0.9, 1.5, np.nan]))
    assert plan.durations()[:2] == pytest.approx([0.7, 0.6])
    assert math.isnan(plan.durations()[2])
    assert plan.delayed(1.0).durations()[:2] == pytest.approx([0.7, 0.6])
    assert len(straight(2).durations()) == 0


@pytest.mark.feature("STR-01")
def test_three_plants_are_one_step_and_wishes_may_be_absent() -> None:
    plan = replace(straight(3), yaws=np.array([np.nan, 0.1, np.nan]), times=np.array([np.nan, np.nan, 0.9]))
    (made,) = trace([plan])
    assert np.isfinite(made.lands[2])
    assert [int(np.count_nonzero(np.diff(feet) != 0)) for feet in made.stands] == [
        2,
        0,
    ]  # off, and down again
    assert made.places == pytest.approx(plan.places)
    same = FootPlan.of([LEFT, LEFT, RIGHT], [(0.1, 0), (0.1, 0.4), (-0.1, 0.4)])
    with pytest.raises(LocomoteError, match="plant 2: the left foot again"):
        trace([same])
    for free in range(3):  # any plant may leave its wishes open
        yaws, times = np.zeros(3), np.array([0.0, 0.0, 0.9])
        yaws[free] = times[free] = np.nan
        assert len(trace([replace(plan, yaws=yaws, times=times)])[0].motion) > 30


def test_the_page_for_users_is_true() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "steps.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0


def test_slices_and_single_plants() -> None:
    plan = straight()
    assert plan[2:].places == pytest.approx(plan.places[2:])
    assert len(plan[:3]) == 3
    side, place, yaw, time = plan[2]
    assert (side, place[2]) == (LEFT, pytest.approx(0.6))
    assert math.isnan(yaw)
    assert math.isnan(time)


@given(yaw=st.floats(-3.0, 3.0), x=st.floats(-5.0, 5.0), z=st.floats(-5.0, 5.0), speed=st.floats(0.4, 1.8))
def test_moving_and_mirroring_keep_the_steps(yaw: float, x: float, z: float, speed: float) -> None:
    plan = plan_along([(0, 0), (0, 3)], speed)
    moved = plan.moved(yaw, (x, 0.0, z))
    check(moved)
    gaps = np.linalg.norm(np.diff(plan.places, axis=0), axis=1)
    assert np.linalg.norm(np.diff(moved.places, axis=0), axis=1) == pytest.approx(gaps)
    way = np.diff(moved.places[::2], axis=0)[1]
    assert math.remainder(math.atan2(way[0], way[2]) - yaw, math.tau) == pytest.approx(0.0, abs=0.1)
    assert plan.mirrored().mirrored().places == pytest.approx(plan.places)
    assert plan.mirrored().sides.tolist() == [1 - side for side in plan.sides]
    assert {LEFT, RIGHT} == set(plan.sides.tolist())
