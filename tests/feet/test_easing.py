"""Curves: smooth at their ends, never below what they must cover."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from locomote.cleaning._easing import bridged, eased, smooth_step, soft_excess
from locomote.cleaning._legs import smooth_cover
from locomote.rotations import FloatArray


@given(hnp.arrays(np.float64, st.integers(1, 80), elements=st.floats(0.0, 1.0)))
def test_a_cover_is_nowhere_below_the_need(need: FloatArray) -> None:
    cover = smooth_cover(need, 30.0)
    assert np.all(cover >= need - 1e-9)
    assert np.max(cover, initial=0.0) <= np.max(need, initial=0.0) + 1e-9


def test_an_eased_bridge_keeps_what_is_known_and_the_velocity_at_its_edges() -> None:
    fps = 100.0
    t = np.arange(200) / fps
    values = np.stack([0.5 * np.sin(3.0 * t), 0.5 * t], axis=1)
    known = (t < 0.5) | (t > 1.2)
    out = eased(values, known, fps, np.full(200, 0.05), np.full(200, 6.0))
    assert np.array_equal(out[known], values[known])
    # The straight continuation of either edge is left at first by no more than the bend of the curve.
    for edge, away in ((49, 1), (121, -1)):
        slope = values[edge] - values[edge - away]
        assert np.abs(out[edge + away] - values[edge] - slope).max() < 0.4 * np.abs(slope).max()
    steps = np.diff(out, axis=0) * fps
    assert np.max(np.abs(np.diff(steps, axis=0))) < 1.2  # m/s from frame to frame, of 3 m/s at the edges


def test_an_eased_bridge_quickens_where_it_may() -> None:
    fps = 100.0
    t = np.arange(120) / fps
    values, known = t[:, None].copy(), (t < 0.3) | (t > 0.9)
    values[t > 0.9] = 0.3
    slow = np.where(t < 0.4, 3.0, 12.0)
    even, later = (eased(values, known, fps, np.full(120, 0.05), sway) for sway in (np.full(120, 12.0), slow))
    early = slice(29, 38)
    quick = [np.max(np.abs(np.diff(out[early], 2, axis=0))) for out in (even, later)]
    assert quick[1] < 0.7 * quick[0]


def test_before_the_first_and_after_the_last_stretch_the_value_is_held() -> None:
    values = np.linspace(0.0, 1.0, 50)[:, None]
    known = np.zeros(50, dtype=bool)
    known[20:30] = True
    out = bridged(values, known)
    assert np.all(out[:20] == values[20])
    assert np.all(out[30:] == values[29])
    assert np.all(bridged(values, np.zeros(50, dtype=bool)) == 0.0)


@given(st.floats(-1.0, 1.0), st.floats(0.001, 0.2))
def test_soft_excess_lies_within_its_softness(value: float, softness: float) -> None:
    excess = float(soft_excess(np.array(value), softness))
    assert max(value, 0.0) - softness - 1e-12 <= excess <= max(value, 0.0)


@given(st.floats(-2.0, 3.0))
def test_smooth_step_rises_from_0_to_1(t: float) -> None:
    assert 0.0 <= float(smooth_step(t)) <= 1.0
    assert abs(float(smooth_step(t)) + float(smooth_step(1.0 - t)) - 1.0) < 1e-12
