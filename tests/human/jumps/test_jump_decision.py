"""The decision at an obstacle: the worked table, the rules one by one, and a plain twin of the published rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.human.jumps._kernels import jump_decision as kernel
from locomote.human.jumps._kernels.jump_decision import (
    GET_ROUND,
    GO_ON,
    JUMP_RUNNING,
    JUMP_WALKING,
    LAWS,
    STEP_OVER,
    STOP,
    STOP_AND_JUMP,
    Decision,
)

LEG = 0.88
LIMIT = 0.704  # m/s^2
NEVER = 1e9  # m


def decide(speed, run, length, distance, *, height=0.0, width=2.0, leg=LEG, step=0.0, limit=LIMIT, **rest) -> Decision:
    margins = rest.get("margins", (0.0, 0.0))
    may = rest.get("may_jump", True), rest.get("may_get_round", True)
    request = np.array([[length, width, height, distance, speed, run, leg, step, limit, *margins, *may]], dtype=float)
    actions, jumps = np.empty(1, dtype=np.int64), np.empty((1, 2))
    kernel.decide_many(request, LAWS, actions, jumps)
    return Decision(int(actions[0]), *jumps[0])


# Speed, share of running, obstacle length, action, f(l), take-off speed, jump length, smallest distance for a jump.
TABLE = [
    (1.1, 0, 0.40, JUMP_WALKING, 0.348, 1.100, 1.175, 0.0),
    (1.1, 0, 1.00, JUMP_WALKING, 0.930, 1.100, 1.175, 0.0),
    (1.1, 0, 1.30, JUMP_WALKING, 1.221, 1.221, 1.300, 0.199),
    (1.1, 0, 1.60, JUMP_WALKING, 1.512, 1.512, 1.600, 0.764),
    (1.1, 0, 1.70, JUMP_RUNNING, 1.842, 1.842, 1.700, 1.550),
    (1.1, 0, 2.00, JUMP_RUNNING, 2.190, 2.190, 2.000, 2.547),
    (1.5, 1, 1.20, JUMP_RUNNING, 1.262, 1.500, 1.405, 0.0),
    (1.5, 1, 1.60, JUMP_RUNNING, 1.726, 1.726, 1.600, 0.518),
    (1.5, 1, 2.00, JUMP_RUNNING, 2.190, 2.190, 2.000, 1.808),
    (0.5, 0, 1.20, JUMP_WALKING, 1.124, 1.124, 1.200, 0.720),
    (2.0, 1, 1.00, JUMP_RUNNING, 1.030, 2.000, 1.836, 0.0),
]


@pytest.mark.feature("OBS-05")
@pytest.mark.feature("OBS-06")
@pytest.mark.parametrize(("speed", "run", "length", "action", "law", "start", "jump", "least"), TABLE)
def test_the_worked_table(speed, run, length, action, law, start, jump, least) -> None:
    kind = kernel.RUNNING if action == JUMP_RUNNING else kernel.WALKING
    assert kernel.take_off_speed(length, kind, LEG, LAWS) == pytest.approx(law, abs=6e-4)
    far = decide(speed, run, length, 6.0)
    assert far.action == action
    assert far.speed == pytest.approx(start, abs=6e-4)
    assert far.length == pytest.approx(jump, abs=6e-4)
    assert decide(speed, run, length, least + 6e-4).action == action
    if least > 0.0:
        assert decide(speed, run, length, least - 6e-4).action == GET_ROUND


@pytest.mark.feature("OBS-02")
@given(st.floats(0.2, 3.5), st.floats(0.3, 1.6), st.sampled_from([0.0, 1.0]))
def test_length_decides_between_jumps_and_getting_round(length, speed, run) -> None:
    decision = decide(speed, run, length, NEVER)
    if length > 2.0:
        assert decision.action == GET_ROUND
    elif run == 0.0 and length <= 1.6:
        assert decision.action == JUMP_WALKING
    else:
        assert decision.action == JUMP_RUNNING
    assert decision.action == GET_ROUND or decision.length >= length - 1e-9


def test_a_walker_becomes_a_runner_for_a_long_jump() -> None:
    assert decide(1.1, 0.0, 1.8, 6.0).action == JUMP_RUNNING


def published_rule(speed: float, run: float, length: float, distance: float) -> Decision:
    """The rule table in the words of its source, for lengths in the range of jumps."""
    kind, slope, intercept, most = (JUMP_RUNNING, 1.16, 0.13, 2.0) if run >= 0.5 else (JUMP_WALKING, 0.97, 0.04, 1.6)
    if kind == JUMP_WALKING and 1.6 < length <= 2.0:
        kind, slope, intercept, most = JUMP_RUNNING, 1.16, 0.13, 2.0
    if length > most:
        return Decision(GET_ROUND, 0.0, speed)
    start = slope * length - intercept
    if start < speed:
        start, length = speed, (speed + intercept) / slope
    if (start - speed) / (distance / (0.5 * (start + speed))) > LIMIT:
        return Decision(GET_ROUND, 0.0, speed)
    return Decision(kind, length, start)


@pytest.mark.feature("PCA-081")
@given(st.floats(0.1, 1.4), st.sampled_from([0.0, 0.4, 0.6, 1.0]), st.floats(0.5, 3.0), st.floats(0.05, 10.0))
def test_the_decision_is_that_of_the_rule_table(speed, run, length, distance) -> None:
    ours, theirs = decide(speed, run, length, distance), published_rule(speed, run, length, distance)
    assert ours.action == theirs.action
    assert ours[1:] == pytest.approx(theirs[1:], abs=1e-9)


@given(
    st.floats(0.3, 1.8),
    st.sampled_from([0.0, 1.0]),
    st.floats(0.3, 2.5),
    st.floats(0.1, 8.0),
    st.floats(0.4, 1.3),
)
def test_bodies_of_any_size_decide_alike(speed, run, length, distance, scale) -> None:
    ours = decide(speed, run, length, distance)
    other = decide(scale * speed, run, scale * length, scale * distance, leg=scale * LEG, limit=scale * LIMIT)
    assert other.action == ours.action
    assert other[1:] == pytest.approx([scale * x for x in ours[1:]], abs=1e-6)


def test_who_is_too_fast_for_any_jump_brakes_within_the_limit() -> None:
    fast = decide(3.0, 1.0, 1.0, 6.0)
    assert fast.action == JUMP_RUNNING
    assert fast.length == pytest.approx(2.0)
    assert fast.speed == pytest.approx(2.19 + 0.15)
    assert decide(3.0, 1.0, 1.0, 1.0).action == GET_ROUND


@pytest.mark.feature("OBS-32")
def test_height_changes_the_decision() -> None:
    step = 0.66
    assert decide(1.1, 0.0, 0.3, 6.0, height=0.1, step=step).action == STEP_OVER
    assert decide(1.1, 0.0, 0.3, 6.0, height=0.25, step=step).action == STEP_OVER
    assert decide(2.5, 1.0, 0.3, 6.0, height=0.25, step=step).action == JUMP_RUNNING  # who runs does not step over it
    low = decide(0.5, 0.0, 0.6, 6.0, height=0.2, step=step)
    assert low.action == JUMP_WALKING
    share = (low.length - 0.3) / (1.6 - 0.3)
    assert 0.10 + share * (0.32 - 0.10) == pytest.approx(0.25)  # the feet rise 5 cm above the obstacle
    assert decide(1.1, 0.0, 0.3, 6.0, height=0.35, step=step).action == JUMP_RUNNING
    assert decide(1.1, 0.0, 0.3, 6.0, height=0.5, step=step).action == GET_ROUND
    assert decide(1.1, 0.0, 0.3, 6.0, height=0.5, step=step, may_get_round=False).action == STOP


def test_margins_lengthen_the_jump() -> None:
    assert decide(0.5, 0.0, 1.2, 6.0, margins=(0.03, 0.1)).length == pytest.approx(1.33)


def test_other_ways_where_no_run_up_is_possible() -> None:
    assert decide(0.5, 0.0, 1.0, 0.1, may_get_round=False) == (STOP_AND_JUMP, 1.0, 0.0)
    assert decide(0.5, 0.0, 1.5, 0.1, may_get_round=False).action == STOP
    assert decide(0.5, 0.0, 1.5, 0.1, step=0.6).action == STOP  # too close to get round at this speed
    assert decide(0.0, 0.0, 1.5, 0.1, step=0.6).action == GET_ROUND  # from a stand nothing is too close
    assert decide(1.1, 0.0, 1.0, 6.0, may_jump=False).action == GET_ROUND
    assert decide(1.1, 0.0, 0.0, 6.0).action == GO_ON
    assert decide(1.1, 0.0, 1.0, -1.5).action == GO_ON
