from __future__ import annotations

import numpy as np
import pytest

from locomote.contacts import cycles, detect, detect_points, phase
from locomote.samples import performer


@pytest.mark.parametrize(("gait", "speed"), [("walk", 0.8), ("walk", 1.6), ("run", 3.0)])
def test_cycles_of_the_performer(gait: str, speed: float) -> None:
    performance = performer(speed=speed, gait=gait, fps=120, seconds=6)
    contacts = detect(performance.motion)
    for leg in (0, 1):
        found = cycles(contacts, leg)
        assert len(found) >= 3
        for cycle in found:
            assert cycle.duration == pytest.approx(120.0 / performance.cadence, abs=0.02)
            assert cycle.duty == pytest.approx(performance.duty_factor, abs=0.02)
            other = [e for e in cycle.others if e.kind == "heel_strike"]
            assert len(other) == 1
            assert cycle.phase_of(other[0].time) == pytest.approx(0.5, abs=0.03)


def test_phase_counts_strides_from_the_right_heel() -> None:
    performance = performer(speed=1.4, fps=120, seconds=5)
    contacts = detect(performance.motion)
    values = phase(contacts)
    known = np.isfinite(values)
    assert np.all(np.diff(values[known]) > 0.0)
    strikes = [(e.time, contacts.legs[e.leg].side) for e in contacts.events if e.kind == "heel_strike"]
    at = np.arange(len(contacts)) / contacts.fps
    assert np.array_equal(known, (at >= strikes[0][0]) & (at <= strikes[-1][0]))
    for time, side in strikes[1:-1]:
        value = np.interp(time, at[known], values[known])
        assert value % 1.0 == pytest.approx(0.0 if side == "right" else 0.5, abs=0.02) or value % 1.0 > 0.98


def test_no_steps_no_cycles() -> None:
    contacts = detect_points(np.zeros((20, 2, 3, 3)), 60.0)
    assert cycles(contacts, 0) == ()
    assert np.all(np.isnan(phase(contacts)))
