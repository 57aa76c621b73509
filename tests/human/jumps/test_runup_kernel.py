"""Run-ups: the closed forms, the exact count of cycles against a fine sum, and the choice against all others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import linprog

from locomote.human.jumps._kernels import runup as kernel
from locomote.human.jumps._kernels import runup_profile as profile
from locomote.human.jumps._kernels.runup_duration import (
    BENT,
    ENDPOINTS,
    LEVEL,
    QUADRATIC,
    QUARTIC,
    RAMP,
    RAMP_ENDPOINTS,
    RunUp,
    RunUpRequest,
)

LEG = 0.88  # m, of the walker in the worked examples
LIMIT = 0.704  # m/s^2, 0.8 leg lengths
FREE = 1e3  # m/s^2: no limit

# Inman's law, and one for running; knots are closer where the root bends most.
FINE = 6.0 * np.linspace(0.0, 1.0, 2001) ** 2
COARSE = np.array([0.0, 0.1, 0.25, 0.4, 0.7, 0.8, 1.1, 1.3, 1.7, 2.0, 2.6, 3.5, 5.0])


def law(speeds: np.ndarray) -> np.ndarray:
    return np.stack([0.743 * np.sqrt(speeds / LEG), 1.2 * (speeds / LEG) ** 0.2])


def plan(kind, distance, s1, s2, phase, *, speeds=COARSE, first=0.0, step=1.0, limit=FREE, a1=0.0, run=(0.0, 0.0)):
    request = np.array([[distance, s1, a1, s2, *run, phase, first, step, limit]], dtype=float)
    out = np.empty((1, kernel.PLAN_COLUMNS))
    kernel.plan_many(request, kind, speeds, law(speeds)[None], out)
    return RunUp(bool(out[0, 0]), *out[0, 1:])


def speeds_of(p: RunUp, u: np.ndarray) -> np.ndarray:
    return p.s1 + u * (p.al + u * (p.be + u * (p.ga + u * p.de)))


def slopes_of(p: RunUp, u: np.ndarray) -> np.ndarray:
    return (p.al + u * (2 * p.be + u * (3 * p.ga + u * 4 * p.de))) / p.duration


def distance_of(p: RunUp) -> float:
    return p.duration * (p.s1 + p.al / 2 + p.be / 3 + p.ga / 4 + p.de / 5)


def cycles_of(p: RunUp, speeds: np.ndarray, run, count: int = 40_001, course=None) -> float:
    """The cycles that pass, by a fine sum over the same table."""
    u = np.linspace(0.0, 1.0, count)
    s = speeds_of(p, u) if course is None else course(u)
    share = run[0] + (run[1] - run[0]) * u
    walk, fast = (np.interp(s, speeds, row) for row in law(speeds))
    return p.duration * float(np.trapezoid((1.0 - share) * walk + share * fast, u))


speed = st.floats(0.05, 2.5)
way = st.floats(0.5, 15.0)
phases = st.floats(0.0, 1.0)
shares = st.sampled_from([(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.3, 0.8), (1.0, 0.0)])
steps = st.sampled_from([1.0, 0.5])


# Speeds, distance, phase: K, the phase of the even profile, then for some cycles t2, a, b, Delta_a, least speed.
EXAMPLES = [
    (1.0, 1.6, 5.0, 0.1, 3, 3.233, -0.14147, 0.64296, 0.9148, 1.000),
    (1.0, 1.6, 5.0, 0.1, 4, 4.348, 0.04762, -0.06908, 0.4142, 0.975),
    (1.0, 1.6, 5.0, 0.1, 5, 5.463, 0.07735, -0.31274, 0.8451, 0.684),
    (0.2, 1.6, 16.0, 0.3, 12, 17.256, -0.00055, 0.09060, 0.0189, 0.200),
    (0.2, 1.6, 16.0, 0.3, 13, 18.731, 0.00078, 0.06008, 0.0293, 0.200),
    (0.0, 0.9, 1.6, 0.1, 1, 2.396, -0.22783, 0.92148, 1.0916, 0.0),
    (0.0, 0.9, 1.6, 0.1, 2, 5.057, 0.03135, 0.01943, 0.3171, 0.0),
    (0.0, 0.9, 1.6, 0.1, 3, 7.719, 0.02444, -0.07207, 0.3773, -0.053),
]


@pytest.mark.feature("OBS-12")
@pytest.mark.parametrize(("s1", "s2", "d", "phi1", "phi2", "t2", "a", "b", "delta", "least"), EXAMPLES)
def test_worked_profiles_of_given_cycles(s1, s2, d, phi1, phi2, t2, a, b, delta, least) -> None:
    p = plan(ENDPOINTS, d, s1, s2, phi1, speeds=FINE, first=phi2, step=0.0)
    assert p.duration == pytest.approx(t2, abs=6e-4)
    assert p.be / p.duration**2 == pytest.approx(a, abs=6e-6)
    assert p.al / p.duration == pytest.approx(b, abs=6e-6)
    assert 2 * abs(p.be) / p.duration == pytest.approx(delta, abs=6e-5)
    assert speeds_of(p, np.linspace(0.0, 1.0, 4001)).min() == pytest.approx(least, abs=6e-4)
    assert p.ok == (least >= 0.0)


@pytest.mark.feature("OBS-14")
@pytest.mark.parametrize(
    ("s1", "s2", "d", "phi1", "chosen"),
    [(1.0, 1.6, 5.0, 0.1, 4), (0.2, 1.6, 16.0, 0.3, 12), (0.0, 0.9, 1.6, 0.1, 2)],
)
def test_worked_choices_of_cycles(s1, s2, d, phi1, chosen) -> None:
    p = plan(ENDPOINTS, d, s1, s2, phi1, speeds=FINE)
    assert p.ok
    assert p.phase == chosen


@pytest.mark.feature("OBS-14")
@given(speed, speed, way, st.floats(0.0, 0.999), shares)
def test_search_of_the_source_ends_after_a_cycle_and_never_backwards(s1, s2, d, phi1, run) -> None:
    p = plan(ENDPOINTS, d, s1, s2, phi1, run=run)
    assert p.phase >= 1.0
    least = speeds_of(p, np.linspace(0.0, 1.0, 2001)).min()
    assert not p.ok or least >= -1e-9
    # Not ok without a limit: even the first allowed phase goes backwards.
    assert p.ok or p.phase == 1.0


@pytest.mark.feature("OBS-11")
@pytest.mark.feature("PCA-084")
@given(
    speed | st.just(0.0),
    speed | st.just(0.0),
    way,
    phases,
    steps,
    shares,
    st.sampled_from([QUADRATIC, QUARTIC]),
)
def test_a_plan_meets_speeds_distance_and_phase(s1, s2, d, phi1, step, run, kind) -> None:
    assume(s1 + s2 > 0.0)
    p = plan(kind, d, s1, s2, phi1, step=step, run=run)
    if p.duration == 0.0:
        return
    assert speeds_of(p, np.zeros(1))[0] == s1
    assert speeds_of(p, np.ones(1))[0] == pytest.approx(s2, abs=1e-9)
    assert distance_of(p) == pytest.approx(d, abs=1e-9)
    assert phi1 + cycles_of(p, COARSE, run) == pytest.approx(p.phase, abs=1e-6)
    assert p.phase - phi1 >= kernel.LEAST_CYCLES
    assert p.phase / step == pytest.approx(round(p.phase / step), abs=1e-12)


@pytest.mark.feature("OBS-13")
@given(
    speed,
    speed,
    way,
    phases,
    shares,
    st.sampled_from([QUADRATIC, QUARTIC, BENT]),
    st.sampled_from([COARSE, FINE]),
)
def test_the_planned_phase_is_exact(s1, s2, d, phi1, run, kind, speeds) -> None:
    p = plan(kind, d, s1, s2, phi1, speeds=speeds, run=run, step=0.5)
    assume(p.duration > 0.0)
    knee = p.s1 + p.al
    bent = (lambda u: np.interp(u, [0.0, 0.5, 1.0], [s1, knee, s2])) if kind == BENT else None
    assert phi1 + cycles_of(p, speeds, run, course=bent) == pytest.approx(p.phase, abs=1e-6)


@given(speed | st.just(0.0), speed | st.just(0.0), way, st.floats(0.3, 3.0))
def test_closed_forms_of_the_quadratic(s1, s2, d, stretch) -> None:
    assume(s1 + s2 > 0.0)
    most = profile.longest_duration(d, s1, s2)
    t = stretch * 2.0 * d / (s1 + s2)
    c = profile.quadratic(d, s1, s2, t)
    u = np.linspace(0.0, 1.0, 20_001)
    course, slope = np.polyval(c[::-1], u), (c[1] + 2 * c[2] * u) / t
    if t < most * (1 - 1e-6):
        assert course.min() >= -1e-9
    elif t > most * (1 + 1e-3):
        assert course.min() < 0.0
    assert profile.peak_of(c, t) == pytest.approx(np.abs(slope).max(), rel=1e-9)
    assert profile.peak_of(c, t) == pytest.approx((abs(s2 - s1) + abs(c[2])) / t, rel=1e-9, abs=1e-12)
    assert profile.swing(c, t) == pytest.approx(abs(slope[-1] - slope[0]), rel=1e-9, abs=1e-12)
    assert profile.cost_of(c, t) == pytest.approx(t * np.trapezoid(slope**2, u), rel=1e-6, abs=1e-12)
    assert profile.least_of(c) == pytest.approx(course.min(), abs=1e-6)
    easiest = profile.easiest_duration(d, s1, s2)
    costs = [profile.cost_of(profile.quadratic(d, s1, s2, x), x) for x in np.linspace(0.3 * easiest, most, 60)]
    turn = int(np.argmin(costs))
    assert np.all(np.diff(costs[: turn + 1]) <= 0.0)
    assert np.all(np.diff(costs[turn:]) >= -1e-12)


@given(speed, st.floats(-0.7, 0.7), speed, st.floats(-0.7, 0.7), way, st.floats(0.5, 12.0))
def test_closed_forms_of_the_quartic(s1, a1, s2, a2, d, t) -> None:
    c = profile.quartic(d, s1, a1, s2, a2, t)
    u = np.linspace(0.0, 1.0, 20_001)
    course = np.polyval(c[::-1], u)
    slope = np.polyval([4 * c[4], 3 * c[3], 2 * c[2], c[1]], u) / t
    assert (course[0], slope[0]) == pytest.approx((s1, a1), abs=1e-9)
    assert (course[-1], slope[-1]) == pytest.approx((s2, a2), abs=1e-9)
    assert t * np.polyval(np.polyint(c[::-1]), 1.0) == pytest.approx(d, abs=1e-9)
    assert profile.peak_of(c, t) == pytest.approx(np.abs(slope).max(), rel=1e-5, abs=1e-9)
    assert profile.least_of(c) == pytest.approx(course.min(), rel=1e-5, abs=1e-5)
    assert profile.cost_of(c, t) == pytest.approx(t * np.trapezoid(slope**2, u), rel=1e-5, abs=1e-9)


@pytest.mark.feature("PCA-085")
@given(speed | st.just(0.0), speed | st.just(0.0), way, phases, steps, shares, st.floats(0.1, 1.5))
def test_no_other_feasible_phase_is_cheaper(s1, s2, d, phi1, step, run, limit) -> None:
    assume(s1 + s2 > 0.0)
    p = plan(QUADRATIC, d, s1, s2, phi1, step=step, run=run, limit=limit)
    others = [
        plan(QUADRATIC, d, s1, s2, phi1, first=x, step=0.0, run=run, limit=limit) for x in np.arange(step, 60, step)
    ]
    feasible = [q for q in others if q.ok and q.phase - phi1 >= kernel.LEAST_CYCLES]
    assert p.ok == bool(feasible)
    if p.ok:
        assert p.peak <= kernel.OVER_LIMIT * limit
        assert p.cost <= min(q.cost for q in feasible) * (1 + 1e-6)


@given(speed, st.floats(-0.5, 0.5), speed, way, phases, shares)
def test_no_other_quartic_nearby_is_cheaper(s1, a1, s2, d, phi1, run) -> None:
    p = plan(QUARTIC, d, s1, s2, phi1, a1=a1, run=run, limit=1.0)
    assume(p.ok)
    for x in p.phase + np.arange(-3.0, 4.0):
        if x - phi1 >= kernel.LEAST_CYCLES:
            q = plan(QUARTIC, d, s1, s2, phi1, first=x, step=0.0, a1=a1, run=run, limit=1.0)
            assert not q.ok or p.cost <= q.cost * (1 + 1e-6)


@pytest.mark.feature("OBS-30")
@given(speed, st.floats(-0.5, 0.5), speed, way, phases, steps, shares)
def test_acceleration_goes_on_smoothly_at_both_ends_of_a_quartic(s1, a1, s2, d, phi1, step, run) -> None:
    p = plan(QUARTIC, d, s1, s2, phi1, a1=a1, step=step, run=run)
    assume(p.duration > 0.0)
    start, stop = slopes_of(p, np.array([0.0, 1.0]))
    assert start == pytest.approx(a1, abs=1e-9)
    assert stop == pytest.approx(0.0, abs=1e-9 * max(1.0, p.peak))


# Below the first knot cycles go by the distance alone, and no phase can tell the duration.
@given(st.floats(0.3, 2.5), st.floats(0.3, 2.5), way, phases, st.floats(0.05, 0.95), shares)
def test_planning_again_on_the_way_changes_nothing(s1, s2, d, phi1, u, run) -> None:
    p = plan(QUADRATIC, d, s1, s2, phi1, run=run)
    assume(p.ok and speeds_of(p, np.linspace(0.0, 1.0, 101)).min() > 0.15)
    part = RunUp(True, u * p.duration, s1, u * p.al, u * u * p.be, 0.0, 0.0, 0.0, 0.0, 0.0)
    there = float(speeds_of(p, np.array([u]))[0])
    share = run[0] + u * (run[1] - run[0])
    phase = phi1 + cycles_of(part, COARSE, (run[0], share))
    left = plan(QUADRATIC, d - distance_of(part), there, s2, phase, first=p.phase, step=0.0, run=(share, run[1]))
    assert left.duration == pytest.approx((1.0 - u) * p.duration, rel=1e-4)
    assert left.al / left.duration == pytest.approx(slopes_of(p, np.array([u]))[0], abs=1e-3 * max(1.0, p.peak))


@given(speed, way, phases, st.floats(0.0, 1.0))
def test_a_stop_at_a_line_on_any_phase(s1, d, phi1, foot) -> None:
    p = plan(QUADRATIC, d, s1, 0.0, phi1, first=foot)
    assume(p.ok)
    assert speeds_of(p, np.ones(1))[0] == pytest.approx(0.0, abs=1e-9)
    assert speeds_of(p, np.linspace(0.0, 1.0, 2001)).min() >= -1e-9
    assert p.phase - foot == pytest.approx(round(p.phase - foot), abs=1e-9)
    assert phi1 + cycles_of(p, COARSE, (0.0, 0.0)) == pytest.approx(p.phase, abs=1e-6)


def test_from_a_stand_to_a_stand_the_first_phase_within_the_limit() -> None:
    p = plan(QUADRATIC, 3.0, 0.0, 0.0, 0.2, limit=LIMIT)
    sooner = plan(QUADRATIC, 3.0, 0.0, 0.0, 0.2, first=p.phase - 1.0, step=0.0, limit=LIMIT)
    assert p.ok
    assert not sooner.ok


@pytest.mark.feature("OBS-10")
@pytest.mark.feature("PCA-074")
@given(speed, speed, phases, shares, st.floats(0.1, 1.0), st.sampled_from([RAMP, RAMP_ENDPOINTS]))
def test_a_ramp_is_the_first_of_whole_cycles_within_the_limit(s1, s2, phi1, run, limit, kind) -> None:
    p = plan(kind, 0.0, s1, s2, phi1, run=run, limit=limit)
    assert p.ok
    assert abs(s2 - s1) / p.duration <= limit * (1 + 1e-9)
    assert p.phase == round(p.phase)
    ends = [
        np.interp(s, COARSE, (1 - r) * law(COARSE)[0] + r * law(COARSE)[1]) for s, r in zip((s1, s2), run, strict=True)
    ]
    mean = 0.5 * sum(ends) if kind == RAMP_ENDPOINTS else cycles_of(p, COARSE, run) / p.duration
    phase = 1
    while phase - phi1 < kernel.LEAST_RAMP_CYCLES - 1e-9 or abs(s2 - s1) * mean > limit * (phase - phi1) * (1 + 1e-6):
        phase += 1
    assert p.phase == phase
    assert p.duration * mean == pytest.approx(phase - phi1, abs=1e-6)


@pytest.mark.feature("PCA-089")
@given(speed, speed, way, phases)
def test_two_even_ramps_cover_the_distance_and_are_no_gentler_in_the_mean(s1, s2, d, phi1) -> None:
    p = plan(BENT, d, s1, s2, phi1)
    assume(p.ok)
    knee = s1 + p.al
    assert knee + p.be == pytest.approx(s2, abs=1e-9)
    assert p.duration * (s1 + 2 * knee + s2) / 4 == pytest.approx(d, abs=1e-9)
    assert p.peak == pytest.approx(2 * max(abs(p.al), abs(p.be)) / p.duration)
    # The quadratic is the least squared acceleration of all profiles of one duration.
    assert p.cost >= profile.cost_of(profile.quadratic(d, s1, s2, p.duration), p.duration) * (1 - 1e-9)


def level_course(p: RunUp, s2: float):
    """The speed over ``u`` of two ramps of one steepness."""
    knee = abs(p.al) / max(abs(p.al) + abs(p.be), 1e-300)
    return lambda u: np.interp(u, [0.0, knee, 1.0], [p.s1, p.s1 + p.al, s2])


@given(speed | st.just(0.0), speed | st.just(0.0), way, st.floats(0.4, 2.5))
def test_ramps_of_one_steepness_cover_the_distance_with_the_least_peak_of_all_shapes(s1, s2, d, stretch) -> None:
    assume(s1 + s2 > 0.1)
    t = stretch * 2.0 * d / (s1 + s2)
    steep, gain, share = profile.level_ramps(d, s1, s2, t)
    assert 0.0 <= share <= 1.0
    knee = s1 + gain
    assert abs(gain) == pytest.approx(steep * share * t, abs=1e-9)
    assert abs(s2 - knee) == pytest.approx(steep * (1.0 - share) * t, abs=1e-9)
    assert 0.5 * t * (share * (s1 + knee) + (1.0 - share) * (knee + s2)) == pytest.approx(d, abs=1e-9)
    # The least peak of accelerations that are steps of time, as a linear program: none is below.
    steps, dt = 80, t / 80
    before_end = t - dt * (np.arange(steps) + 0.5)
    equal = np.stack([np.full(steps, dt), dt * before_end])
    limit_rows = np.block([[np.eye(steps), -np.ones((steps, 1))], [-np.eye(steps), -np.ones((steps, 1))]])
    found = linprog(
        np.r_[np.zeros(steps), 1.0], A_ub=limit_rows, b_ub=np.zeros(2 * steps),
        A_eq=np.hstack([equal, np.zeros((2, 1))]), b_eq=[s2 - s1, d - s1 * t],
        bounds=[(None, None)] * steps + [(0.0, None)],
    )  # fmt: skip
    assert found.status == 0
    assert found.fun >= steep * (1.0 - 1e-6) - 1e-9
    assert found.fun <= steep * 1.01 + 1e-9  # a switch within a step costs that


@given(speed, speed, way, phases, steps, shares, st.floats(0.1, 1.5))
def test_a_plan_of_ramps_is_found_wherever_ramps_keep_the_limit(s1, s2, d, phi1, step, run, limit) -> None:
    p = plan(LEVEL, d, s1, s2, phi1, step=step, run=run, limit=limit)
    most = kernel.OVER_LIMIT * limit

    def cycles(t):
        steep, gain, _ = profile.level_ramps(d, s1, s2, t)
        q = RunUp(True, t, s1, gain, s2 - s1 - gain, 0.0, 0.0, 0.0, steep, 0.0)
        return cycles_of(q, COARSE, run, course=level_course(q, s2))

    # All durations that keep the limit and never go backwards, by trial.
    times = np.geomspace(0.2, 5.0, 400) * 2.0 * d / (s1 + s2)
    fits = [
        t for t in times
        if (r := profile.level_ramps(d, s1, s2, t))[0] <= most and s1 + r[1] >= 0.0
    ]  # fmt: skip
    shortest, longest = profile.level_durations(d, s1, s2, most)
    if not fits:
        assert not p.ok or p.peak > most * 0.98  # between two trials
        return
    assert shortest <= fits[0] <= fits[-1] <= longest
    first = step * np.ceil((phi1 + max(cycles(fits[0]), kernel.LEAST_CYCLES)) / step)
    if first <= phi1 + cycles(fits[-1]):
        assert p.ok
    if not p.ok:
        return
    assert p.peak <= most * (1 + 1e-8)
    assert p.s1 + p.al >= -1e-9
    assert p.s1 + p.al + p.be == pytest.approx(s2, abs=1e-9)
    assert phi1 + cycles(p.duration) == pytest.approx(p.phase, abs=2e-6)
    assert p.phase / step == pytest.approx(round(p.phase / step), abs=1e-9)
    assert p.phase - phi1 >= kernel.LEAST_CYCLES
    smooth = plan(QUADRATIC, d, s1, s2, phi1, step=step, run=run, limit=limit)
    if smooth.ok:  # in the same time no shape has a lower peak; to the same phase others may take another time
        assert profile.level_ramps(d, s1, s2, smooth.duration)[0] <= smooth.peak * (1 + 1e-6)


def test_what_cannot_be_asked_gives_no_plan() -> None:
    for kind in (QUADRATIC, QUARTIC, BENT, LEVEL, ENDPOINTS):
        for d, s1, s2 in ((0.0, 1.0, 1.0), (-1.0, 1.0, 1.0), (2.0, -0.1, 1.0), (np.nan, 1.0, 1.0)):
            p = plan(kind, d, s1, s2, 0.2)
            assert not p.ok
            assert p.duration == 0.0


@pytest.mark.feature("OBS-33")
def test_ten_thousand_plans_in_one_call_are_those_of_one_at_a_time() -> None:
    r = np.random.default_rng(0)
    count = 10_000
    requests = np.zeros((count, kernel.REQUEST_COLUMNS))
    asked = RunUpRequest(*requests.T)
    asked.distance[:] = r.uniform(2.0, 10.0, count)
    asked.s1[:], asked.s2[:] = r.uniform(0.5, 2.0, (2, count))
    asked.phase[:], asked.phase_step[:] = r.uniform(size=count), 0.5
    asked.limit[:] = LIMIT
    out = np.empty((count, kernel.PLAN_COLUMNS))
    kernel.plan_many(requests, QUADRATIC, COARSE, law(COARSE)[None], out)
    assert out[:, 0].mean() > 0.8
    for n in r.integers(count, size=20):
        one = np.empty((1, kernel.PLAN_COLUMNS))
        own_table = np.repeat(law(COARSE)[None], 1, axis=0)
        kernel.plan_many(requests[n : n + 1], QUADRATIC, COARSE, own_table, one)
        assert np.array_equal(one[0], out[n])
