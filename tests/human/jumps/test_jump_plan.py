"""Run-ups to a take-off line: what they plan is what is played, to the line and to the foot."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.human import Crowd, HumanModel
from locomote.human._kernels.state import UNDER_WAY
from locomote.world import Obstacles

FPS = 60
LEGS = np.array([0.7, 0.8, 0.9, 1.0, 1.1])  # m
LIMIT = 0.8 * 1.25  # leg lengths / s^2, of the peak of a profile


@pytest.fixture(scope="module")
def planned():
    """Walkers that have just set out to jump a puddle, and the plans in their states."""
    r = np.random.default_rng(8)
    count = 60
    legs = np.tile(LEGS, count // len(LEGS))
    places = np.stack([40.0 * np.arange(count), np.zeros(count), np.zeros(count)], axis=1)
    obstacles = Obstacles()
    running = np.arange(count) % 2 == 1
    crowd = Crowd(
        HumanModel.default(), count, leg_length=legs, positions=places, obstacles=obstacles,
        speed=np.where(running, 2.0, 1.3) * np.sqrt(legs / 0.9), gait=running.astype(float),
    )  # fmt: skip
    for n in range(count):
        length = r.uniform(0.75, 0.9) * legs[n]
        obstacles.add_puddle((places[n, 0], r.uniform(4.0, 8.0) * legs[n]), length, 4.0)
    for _ in range(12):
        crowd.step(1.0 / FPS)
    return crowd, np.array(crowd.states) == "run-up"


def test_profiles_arrive_at_the_line_with_speed_and_phase(planned):
    crowd, coming = planned
    assert coming.sum() > 20
    walkers = crowd._people.walkers[coming]
    u = np.linspace(0.0, 1.0, 2001)
    for row, speed in zip(walkers, crowd.speeds[coming], strict=True):
        if row["profile"]["ramps"]:
            continue  # see below
        profile = np.polynomial.Polynomial(row["profile"]["coefficients"])
        duration = row["profile"]["duration"]
        at = row["profile"]["time"] / duration
        assert profile(at) == pytest.approx(speed, abs=1e-9)
        assert profile(u).min() > 0.0
        assert np.abs(profile.deriv()(u)).max() / duration <= LIMIT * row["leg"]["value"] + 1e-6
        left = duration * (profile.integ()(1.0) - profile.integ()(at))
        # The body stops short of the line by as much as the foot is ahead of it.
        jump = row["jump"]
        assert row["z"] + left + jump["ahead"] == pytest.approx(jump["before"]["place"], abs=2e-3)


def test_two_ramps_arrive_at_the_line_too(planned):
    """Where no smooth profile keeps the limit, two even ramps do: equally steep, the knee between them at its share."""
    crowd, coming = planned
    coming = coming & crowd._people.walkers["profile"]["ramps"]
    assert coming.any()
    for row, speed in zip(crowd._people.walkers[coming], crowd.speeds[coming], strict=True):
        first, up, on = row["profile"]["coefficients"][:3]
        duration = row["profile"]["duration"]
        knee, at = abs(up) / (abs(up) + abs(on)), row["profile"]["time"] / duration
        shares, speeds = np.array([0.0, knee, 1.0]), np.array([first, first + up, first + up + on])
        assert np.interp(at, shares, speeds) == pytest.approx(speed, abs=1e-9)
        assert abs(up) / (knee * duration) <= LIMIT * row["leg"]["value"] + 1e-6
        u = np.union1d([at, 1.0], shares[shares > at])
        left = duration * np.trapezoid(np.interp(u, shares, speeds), u)
        jump = row["jump"]
        assert row["z"] + left + jump["ahead"] == pytest.approx(jump["before"]["place"], abs=2e-3)


def test_what_is_planned_is_played(planned):
    crowd, coming = planned
    walkers = crowd._people.walkers
    jumps = walkers["jump"]
    line, leg = jumps["before"]["place"].copy(), jumps["leg"].copy()
    ended = walkers["profile"]["coefficients"].sum(axis=1)
    waiting = coming.copy()
    for _ in range(FPS * 12):
        crowd.step(1.0 / FPS)
        for n in np.flatnonzero(waiting & (jumps["state"] == UNDER_WAY)):
            waiting[n] = False
            assert jumps["leg"][n] == leg[n]
            assert crowd.footholds[n, leg[n], 2] == pytest.approx(line[n], abs=2e-3)
            assert crowd.speeds[n] == pytest.approx(ended[n], abs=0.02)
    assert not waiting.any()
