"""Places that are to be reached facing some way: how near, how straight, and what the way there costs in speed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from locomote.human import Crowd, HumanModel

FPS = 60
LEG = 0.88  # m
APART = 80.0  # m between walkers
LIMIT = 0.8 * LEG  # m/s^2 by which people slow down at ease
SIDEWAYS = 1.5  # m/s^2 that people accept in a curve
STRAIGHT = 0.15  # 1/m; a way that bends less is straight
SETTLING = 1.5  # s on a straight way in which a walker is as fast as it wants again
CLOSE = 0.5  # m before the goal, where the last steps are set


class Ways(NamedTuple):
    """Frames of walkers on their ways."""

    cruise: np.ndarray  # (N,) m/s
    speeds: np.ndarray  # (F, N) m/s along the ground
    bends: np.ndarray  # (F, N) 1/m
    left: np.ndarray  # (F, N) m of the way that are still to go
    under_way: np.ndarray  # (F, N)
    misses: np.ndarray  # (2, N, 2) m and rad: on arrival, and at rest
    still: np.ndarray  # (N,) m/s at the end


def turned(angles):
    return np.abs(np.angle(np.exp(1j * angles)))


@pytest.fixture(scope="module", params=["walking", "running"])
def ways(request):
    """Anywhere round them, facing anywhere, at any speed of the gait."""
    runs = request.param == "running"
    count, seconds = (120, 26.0) if runs else (300, 32.0)
    r = np.random.default_rng(7)
    cruise = r.uniform(2.0, 3.5, count) if runs else r.uniform(0.8, 1.6, count)
    places = np.stack([APART * np.arange(count), np.zeros(count), np.zeros(count)], axis=1)
    crowd = Crowd(HumanModel.default(), count, seed=3, leg_length=LEG, positions=places, speed=cruise, gait=float(runs))
    for _ in range(FPS):
        crowd.step(1.0 / FPS)
    far = r.uniform(6.0, 16.0, count) if runs else r.uniform(2.0, 10.0, count)
    sight, facing = r.uniform(-np.pi, np.pi, (2, count))
    goals = crowd.positions[:, [0, 2]] + far[:, None] * np.stack([np.sin(sight), np.cos(sight)], axis=1)
    crowd.go_to(*goals.T, heading=facing)
    trail, turns, arrived = [crowd.positions[:, [0, 2]]], [], []
    misses = np.full((2, count, 2), np.nan)

    def miss():
        off = np.linalg.norm(crowd.positions[:, [0, 2]] - goals, axis=1)
        return np.stack([off, turned(crowd.headings - facing)], axis=1)

    for _ in range(round(seconds * FPS)):
        crowd.step(1.0 / FPS)
        new = crowd.arrived & np.isnan(misses[0, :, 0])
        misses[0, new] = miss()[new]
        trail.append(crowd.positions[:, [0, 2]])
        turns.append(crowd.turn_rates)
        arrived.append(crowd.arrived)
    misses[1] = miss()
    steps = np.linalg.norm(np.diff(trail, axis=0), axis=-1)
    speeds = steps * FPS
    bends = np.abs(turns) / np.maximum(speeds, 0.05)
    left = steps[::-1].cumsum(axis=0)[::-1]
    return Ways(cruise, speeds, bends, left, ~np.array(arrived), misses, crowd.speeds)


@pytest.mark.feature("PCA-083")
def test_all_goals_are_reached_facing_as_told_and_nothing_slows_but_curves_and_the_stop(ways):
    # Reached: in the frame in which they say so, not only after turning on the spot, and when they stand.
    assert ways.misses[..., 0].max() <= 0.10
    assert ways.misses[..., 1].max() <= np.radians(5.0)
    np.testing.assert_array_equal(ways.still, 0.0)
    # No slower than needed: a stop at ease takes its way, a curve its radius; of what these leave, seven tenths
    # at least are used everywhere, and all of it where the way is straight.
    judged = ways.under_way & (ways.left > CLOSE)
    stop, curve = np.sqrt(2.0 * LIMIT * ways.left), np.sqrt(SIDEWAYS / np.maximum(ways.bends, 1e-6))
    able = np.minimum(ways.cruise, np.minimum(stop, curve))
    assert (ways.speeds[judged] / able[judged]).min() >= 0.70
    bent = ways.bends > STRAIGHT
    since = int(SETTLING * FPS)
    recently = np.array([bent[max(0, f - since) : f + 1].any(axis=0) | (f < since) for f in range(len(bent))])
    braking = ways.left < 1.5 * ways.cruise**2 / (2.0 * LIMIT) + CLOSE
    straight = judged & ~recently & ~braking
    assert straight.any(axis=0).mean() > 0.3
    assert (ways.speeds / ways.cruise)[straight].min() >= 0.95


def test_no_way_takes_much_longer_than_at_full_speed(ways):
    seconds = ways.under_way.sum(axis=0) / FPS
    at_full_speed = ways.left[0] / ways.cruise + ways.cruise / (2.0 * LIMIT)
    assert (seconds / at_full_speed).max() <= 1.25
    assert np.median(seconds / at_full_speed) <= 1.05
