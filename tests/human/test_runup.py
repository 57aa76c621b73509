"""The planner of run-ups as a user calls it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.errors import LocomoteError
from locomote.human._model import HumanModel
from locomote.human.jumps._runup import frequency_table, plan_runup, plan_runups

LEG = 0.88


def inman(speeds: np.ndarray, run: float) -> np.ndarray:
    """Cycles a second; the same for walk and run."""
    return 0.743 * np.sqrt(speeds / LEG)


@pytest.fixture(scope="module")
def model() -> HumanModel:
    return HumanModel.default()


@pytest.mark.parametrize("profile", ["quadratic", "quartic", "bent"])
@given(
    speed=st.floats(0.3, 2.0),
    to_speed=st.floats(0.3, 2.0),
    distance=st.floats(2.0, 10.0),
    phase=st.floats(0, 1),
)
def test_every_profile_arrives(profile, speed, to_speed, distance, phase) -> None:
    p = plan_runup(distance, speed, to_speed, phase, frequency=inman, profile=profile, limit=9.0)
    end = p.duration
    assert float(p.speed(0.0)) == pytest.approx(speed)
    assert float(p.speed(end)) == pytest.approx(to_speed, abs=1e-9)
    assert float(p.distance(end)) == pytest.approx(distance, abs=1e-9)
    assert float(p.phase(end)) == pytest.approx(p.end_phase, abs=1e-5)
    t = np.linspace(0.0, end, 400)
    h = 1e-6 * end
    inside = t[1:-1]
    assert p.acceleration(inside) == pytest.approx((p.speed(inside + h) - p.speed(inside - h)) / (2 * h), abs=1e-4)
    assert p.speed(inside) == pytest.approx((p.distance(inside + h) - p.distance(inside - h)) / (2 * h), abs=1e-4)
    assert np.abs(p.acceleration(t)).max() <= p.peak + 1e-9


@pytest.mark.parametrize(("foot", "end"), [("right", 0.0), ("left", 0.5), (0.3, 0.3)])
def test_the_foot_decides_the_phase(foot, end) -> None:
    p = plan_runup(6.0, 1.2, 1.5, 0.7, foot=foot, frequency=inman)
    assert p.ok
    assert p.end_phase % 1.0 == pytest.approx(end)


def test_either_foot_is_never_dearer_than_one() -> None:
    for distance in np.linspace(3.0, 8.0, 11):
        both, one = (
            plan_runup(distance, 1.1, 1.4, 0.2, foot=f, frequency=inman, limit=9.0) for f in ("either", "right")
        )
        assert both.cost <= one.cost * (1 + 1e-6)


@pytest.mark.feature("OBS-28")
def test_peaks_of_acceleration_fall_where_either_foot_may_take_off() -> None:
    from locomote.human.jumps._kernels import runup as kernel
    from locomote.human.jumps._kernels.runup_duration import QUADRATIC, RunUpRequest

    r = np.random.default_rng(0)
    tried, start = 6000, 1.1
    speed, distance = np.maximum(start, 0.97 * r.uniform(0.4, 1.6, tried) - 0.04), r.uniform(2.0, 10.0, tried)
    fine = np.flatnonzero((speed**2 - start**2) / (2.0 * distance) <= 0.8 * LEG)[:1500]
    requests = np.zeros((len(fine), kernel.REQUEST_COLUMNS))
    asked = RunUpRequest(*requests.T)
    asked.distance[:], asked.s1[:] = distance[fine], start
    asked.s2[:], asked.phase[:] = speed[fine], r.uniform(size=len(fine))
    asked.limit[:] = 1e6
    speeds = np.linspace(0.0, 3.0, 513)
    rates = np.broadcast_to(inman(speeds, 0.0), (1, 2, 513)).copy()
    peaks = {}
    for step in (1.0, 0.5):
        asked.phase_step[:] = step
        plans = np.empty((len(fine), kernel.PLAN_COLUMNS))
        kernel.plan_many(requests, QUADRATIC, speeds, rates, plans)
        peaks[step] = np.percentile(plans[plans[:, 1] > 0.0, 8], [50, 90, 99])
    assert (peaks[0.5] < 0.9 * peaks[1.0]).all()
    assert peaks[0.5][0] < 0.6 * peaks[1.0][0]
    assert peaks[0.5][:2] == pytest.approx([0.075, 0.350], rel=0.1)


@pytest.mark.parametrize(("profile", "solver"), [("quadratic", "exact"), ("quadratic", "endpoint"), ("bent", "exact")])
def test_ten_thousand_plans_in_one_call_are_bit_for_bit_those_of_one_at_a_time(model, profile, solver) -> None:
    """What each of them costs, less than a microsecond, is measured by benchmarks/runup.py."""
    r = np.random.default_rng(3)
    count = 10_000
    asked = {
        "distance": r.uniform(2.0, 10.0, count),
        "speed": r.uniform(0.5, 2.0, count),
        "to_speed": r.uniform(0.5, 2.0, count),
        "phase": r.uniform(size=count),
        "run": r.integers(2, size=count).astype(float),
    }
    how = {"foot": "either", "frequency": model, "leg_length": LEG, "profile": profile, "solver": solver}
    plans = plan_runups(**asked, **how)
    assert len(plans) == count
    assert plans.ok.mean() > 0.8
    for n in range(count):
        if plans.durations[n] == 0.0:
            continue
        one = plan_runups(**{name: values[n] for name, values in asked.items()}, **how)
        assert np.array_equal(one.rows[0], plans.rows[n])
    for n in np.flatnonzero(plans.ok)[:50]:
        alone = plan_runup(**{name: float(values[n]) for name, values in asked.items()}, **how)
        assert (alone.duration, alone.end_phase) == (plans.durations[n], plans.end_phases[n])
        assert (alone.peak, alone.cost) == (plans[n].peak, plans[n].cost) == (plans.peaks[n], plans.costs[n])
        assert np.array_equal(alone.pieces, plans[n].pieces)
        if solver == "exact":
            assert float(plans[n].distance(plans.durations[n])) == pytest.approx(asked["distance"][n], abs=1e-9)


def test_plans_of_many_say_where_there_is_none() -> None:
    plans = plan_runups([5.0, 0.05], 1.0, 1.5, 0.1, foot="right", frequency=inman)
    assert plans.ok.tolist() == [True, False]
    with pytest.raises(LocomoteError, match="no plan 1"):
        plans[1]
    with pytest.raises(LocomoteError, match="one length"):
        plan_runups([5.0, 6.0], [1.0, 1.1, 1.2], 1.5, frequency=inman)


def test_the_exact_solver_is_right_where_the_mean_of_the_ends_is_not() -> None:
    exact = plan_runup(5.0, 1.0, 1.6, 0.1, foot="right", frequency=inman)
    rough = plan_runup(5.0, 1.0, 1.6, 0.1, foot="right", frequency=inman, solver="endpoint")
    assert rough.end_phase == 4.0
    assert rough.duration == pytest.approx(4.348, abs=1e-3)
    assert abs(float(exact.phase(exact.duration)) - exact.end_phase) < 1e-5
    assert abs(float(rough.phase(rough.duration)) - rough.end_phase) > 0.05


def test_an_even_ramp_ends_anywhere() -> None:
    p = plan_runup(None, 1.0, 1.8, 0.4, foot="right", frequency=inman, profile="linear", limit=0.3)
    assert p.ok
    assert p.peak <= 0.3
    assert float(p.phase(p.duration)) == pytest.approx(p.end_phase, abs=1e-5)
    assert float(p.distance(p.duration)) == pytest.approx(1.4 * p.duration)


def test_a_stop_before_a_line() -> None:
    p = plan_runup(3.0, 1.2, 0.0, 0.2, frequency=inman)
    assert p.ok
    assert float(p.speed(p.duration)) == pytest.approx(0.0, abs=1e-9)
    assert np.all(p.speed(np.linspace(0.0, p.duration, 500)) >= -1e-9)


def test_frequencies_of_a_model_are_those_of_its_walkers(model) -> None:
    from locomote.human._crowd import Crowd

    style = model.styles[2]
    speeds, rows = frequency_table(model, style, 0.75)
    for speed, run in ((0.6, 0.0), (1.3, 0.0), (2.4, 1.0), (1.7, 0.4)):
        crowd = Crowd(model, 1, speed=speed, gait=run, style=style, leg_length=0.75, feet=False, lively=0.0)
        before = crowd.cycles.copy()
        crowd.step(0.01)
        mixed = (1 - run) * np.interp(speed, speeds, rows[0]) + run * np.interp(speed, speeds, rows[1])
        assert (crowd.cycles - before) / 0.01 == pytest.approx(mixed, rel=1e-6)


def test_walk_to_run_with_the_shipped_model(model) -> None:
    p = plan_runup(6.0, 1.1, 1.96, 0.3, frequency=model, to_run=1.0)
    assert p.ok
    assert p.run_share(np.array([0.0, p.duration])) == pytest.approx([0.0, 1.0])
    assert float(p.phase(p.duration)) == pytest.approx(p.end_phase, abs=1e-5)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"foot": "third"}, "no foot 'third'"),
        ({"profile": "cubic"}, "no profile 'cubic'"),
        ({"profile": "quartic", "solver": "endpoint"}, "quartic"),
        ({"profile": "linear"}, "None with the linear"),
        ({"distance": -1.0}, "distance"),
        ({"distance": None}, "give a distance"),
        ({"speed": -1.0}, "speeds of 0 or more"),
        ({"to_speed": np.nan}, "finite"),
        ({"run": 1.2}, "from 0 to 1"),
        ({"limit": 0.0}, "above 0"),
        ({"frequency": (np.arange(3.0), np.ones(3))}, "rows"),
        ({"frequency": (np.zeros(3), np.ones((2, 3)))}, "rise"),
        ({"distance": 0.05, "foot": "right"}, "no way"),
    ],
)
def test_errors_say_what_is_wrong_in_one_line(change, words) -> None:
    asked = {"distance": 5.0, "speed": 1.0, "to_speed": 1.5, "phase": 0.1, "frequency": inman, **change}
    with pytest.raises(LocomoteError, match=words) as caught:
        plan_runup(**asked)
    assert "\n" not in str(caught.value)
