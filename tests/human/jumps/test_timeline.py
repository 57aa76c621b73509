"""The timeline and the travel of the reference."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locomote.human.jumps import _timeline as timeline
from locomote.human.jumps._timeline import PUSH, SETTLE, standing_speed, standing_travel, times

positive = st.floats(0.3, 3.0)


def test_events_lie_where_they_belong() -> None:
    got = times(np.array([0.0, timeline.U_OFF, timeline.U_LAND, 1.0]), 2.0, 1.0, 1.5)
    np.testing.assert_allclose(got, [0.0, 2.0, 3.0, 4.5])


@given(length=positive, support=st.floats(PUSH, 4.0), flight=positive, landing=st.floats(SETTLE, 4.0))
def test_the_reference_of_a_standing_jump_goes_its_length(
    length: float, support: float, flight: float, landing: float
) -> None:
    """It starts and ends at rest, never goes back, and flies evenly at its speed."""
    t = np.linspace(0.0, support + flight + landing, 2001)
    way = standing_travel(t, length, support, flight)
    rate = np.diff(way) / np.diff(t)
    assert way[0] == 0.0
    np.testing.assert_allclose(way[-1], length)
    assert rate.min() > -1e-9
    speed = standing_speed(length, flight)
    flying = (t[:-1] > support) & (t[1:] < support + flight)
    np.testing.assert_allclose(rate[flying], speed, rtol=1e-6)
    assert np.abs(np.diff(rate)).max() < 0.02 * speed  # no sudden change of speed
