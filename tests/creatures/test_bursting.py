from __future__ import annotations

import logging
from itertools import pairwise

import numpy as np
import pytest

from locomote.creatures import Crowd, Gait, Watch
from locomote.creatures._bursts import HOLDS, RESTS, WAVES


@pytest.mark.feature("LEG-50")
def test_speeds_go_from_rest_to_full_and_back_in_bursts() -> None:
    dt, full = 1 / 60, np.array([0.5, 0.3, -0.2])
    crowd = Crowd("ant", 3, seed=4)
    crowd.command(speed=full, burst=True)
    watch = Watch(crowd)
    speeds, way = [], np.zeros(3)
    for _ in range(round(40 / dt)):
        before = crowd.positions[:, 2]
        crowd.step(dt)
        watch.look(dt)
        way += crowd.positions[:, 2] - before
        speeds.append(crowd.speeds)
    trace = np.array(speeds) / full
    assert trace.min() >= 0.0
    assert trace.max() <= 1.0 + 1e-9  # bounded by what was told
    spells: list[float] = []
    for one in trace.T:
        rests = np.flatnonzero(one == 0.0)
        runs = np.split(rests, np.flatnonzero(np.diff(rests) > 1) + 1)
        assert len(runs) > 6
        spells += [len(run) * dt for run in runs[1:-1]]
        for a, b in pairwise(runs):  # between two rests: up to the full speed and down again
            burst = one[a[-1] : b[0] + 1]
            top = np.flatnonzero(burst > 0.999)
            assert len(top) > 0
            assert np.all(np.diff(burst[: top[0]]) >= -0.02)
            assert np.all(np.diff(burst[top[-1] :]) <= 0.02)
            assert WAVES[0] + HOLDS[0] - 0.1 < len(burst) * dt < WAVES[1] + HOLDS[1] + 0.1
    assert np.std(spells) > 0.2  # random
    assert min(spells) >= RESTS[0] - 2 * dt
    assert max(spells) <= RESTS[1] + 2 * dt
    assert way[2] < 0.0 < way[1] < way[0]
    assert watch.figures().stance_slip < 1.0


def test_bursts_can_be_ended_and_told_another_speed() -> None:
    crowd = Crowd("ant", 2, seed=1)
    crowd.command(speed=0.4, burst=True, who=0)
    crowd.command(speed=0.4, who=1)
    first = []
    for _ in range(300):
        crowd.step(1 / 60)
        first.append(crowd.speeds)
    trace = np.array(first)
    assert np.ptp(trace[60:, 0]) == pytest.approx(0.4)
    assert np.all(trace[60:, 1] > 0.39)
    crowd.command(speed=0.0, who=0)  # to rest, whatever the wave says
    assert all(crowd.step(1 / 60) is not None and crowd.speeds[0] == 0.0 for _ in range(120))
    crowd.command(speed=0.3)
    crowd.command(burst=False)
    for _ in range(180):
        crowd.step(1 / 60)
    assert np.allclose(crowd.speeds, 0.3, atol=0.01)


@pytest.mark.feature("LEG-17")
def test_gaits_at_random_change_where_a_burst_ends() -> None:
    crowd = Crowd("spider", 4, seed=2)
    crowd.command(speed=0.5, gait="random", burst=True)
    gaits = crowd.gaits
    changes = 0
    for _ in range(900):
        crowd.step(1 / 60)
        for who, (was, now) in enumerate(zip(gaits, crowd.gaits, strict=True)):
            if was != now:
                changes += 1
                assert crowd.speeds[who] < 0.01
        gaits = crowd.gaits
        assert all(gait.startswith("random") for gait in gaits)
    assert changes > 10


@pytest.mark.feature("LEG-43")
def test_a_gait_that_presses_too_hard_is_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    crowd = Crowd("wolf", 2)
    feet = crowd.creature.gaits.gaits[0].feet
    hasty = Gait.at_one_speed("hasty", feet, [0.0, 0.5, 0.5, 0.0], duty=0.2, period=2.0)
    with caplog.at_level(logging.WARNING, logger="locomote"):
        crowd.command(gait="trot")
        assert not caplog.records
        crowd.command(gait=hasty)
        crowd.command(gait="hasty", who=0)
    assert len(caplog.records) == 1
    assert "presses 5 times the weight it carries; 4 times is plausible; said once" in caplog.text
