"""Springs told by times: never late, exact for any step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from locomote.errors import LocomoteError
from locomote.pendulums import Spring

DAMPINGS = np.concatenate([np.linspace(0.03, 0.999, 120), [0.9, 0.9001, 1.0]])


def settled_at(spring: Spring, fps: float, seconds: float) -> float:
    """The first frame from which a released spring stays within 5 %, in seconds."""
    step, x = spring.transition(1.0 / fps), np.array([1.0, 0.0])
    last = 0.0
    for frame in range(1, int(np.ceil(3.0 * seconds * fps)) + 1):
        x = step @ x
        if abs(x[0]) > 0.05 * (1.0 + 1e-9):
            last = frame / fps
    return last


@pytest.mark.feature("LEG-52")
@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0, 240.0])
def test_a_spring_is_never_late_whatever_its_damping_and_the_frame_rate(fps: float) -> None:
    for damping in DAMPINGS:
        # The last frame outside the band lies before the time asked for; at critical damping just before it.
        assert settled_at(Spring.settling(0.8, damping), fps, 0.8) < 0.8


@pytest.mark.feature("LEG-52")
def test_the_frame_rate_changes_nothing() -> None:
    for damping in (0.03, 0.4, 0.97, 1.0):
        spring = Spring.settling(0.7, damping)
        second = [np.linalg.matrix_power(spring.transition(1.0 / fps), fps) for fps in (15, 30, 60, 240)]
        for other in second[1:]:
            assert np.allclose(second[0], other, atol=1e-11)


def test_the_law_of_settling_is_continuous_and_the_source_is_late() -> None:
    rates = [Spring.settling(1.0, z).rate for z in np.linspace(0.5, 1.0, 2001)]
    assert np.max(np.abs(np.diff(rates))) < 0.01
    assert Spring.settling(1.0, 1.0).rate == pytest.approx(4.744, abs=1e-3)
    assert Spring.settling(1.0, 0.9).rate == pytest.approx(4.251, abs=1e-3)
    assert settled_at(Spring.settling(1.0, 1.0, mode="source"), 1000.0, 1.0) == pytest.approx(1.58, abs=0.01)


def test_half_life() -> None:
    assert Spring.half_life(0.3, 1.0).rate * 0.3 == pytest.approx(1.678, abs=1e-3)
    assert (Spring.half_life(0.3, 1.0).transition(0.3) @ [1.0, 0.0])[0] == pytest.approx(0.5)
    light = Spring.half_life(0.3, 0.05)
    period = 2.0 * np.pi / (light.rate * np.sqrt(1.0 - 0.05**2))
    after = (light.transition(period) @ [1.0, 0.0])[0]
    assert after == pytest.approx(0.5 ** (period / 0.3))


@given(st.floats(0.03, 1.0), st.floats(0.5, 30.0), st.floats(0.001, 1.0), st.floats(-2, 2), st.floats(-9, 9))
def test_the_step_is_the_solution_of_the_equation(damping: float, rate: float, dt: float, x: float, v: float) -> None:
    truth = solve_ivp(
        lambda _, y: [y[1], -rate * rate * y[0] - 2 * damping * rate * y[1]],
        (0.0, dt),
        [x, v],
        method="DOP853",
        rtol=1e-12,
        atol=1e-13,
    ).y[:, -1]
    assert np.allclose(Spring(rate, damping).transition(dt) @ [x, v], truth, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize(("seconds", "damping"), [(0.0, 0.5), (0.5, 0.0), (0.5, 1.1), (float("nan"), 0.5)])
def test_what_is_no_spring_is_refused(seconds: float, damping: float) -> None:
    with pytest.raises(LocomoteError):
        Spring.settling(seconds, damping)
    with pytest.raises(LocomoteError):
        Spring.half_life(seconds, damping)
    with pytest.raises(LocomoteError, match="mode"):
        Spring.settling(0.5, 0.5, mode="best")
