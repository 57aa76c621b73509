"""Frogs hop: they sit, leap, fly, and come down on their fore feet."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.creatures import Creature, Crowd
from locomote.creatures.catalogue._gait_presets import leaps
from tests.creatures.walkers import errors

DT = 1.0 / 120.0


@pytest.mark.parametrize("speed", [0.3, 0.45, 0.6])
def test_a_frog_sits_and_leaps(speed: float) -> None:
    crowd = Crowd("frog", speed=speed, seed=1)
    assert crowd.gaits == ["hop"]
    places, down = [], []
    for frame in range(round(8.0 / DT)):
        poses = crowd.step(DT)
        assert np.max(errors(crowd)[crowd.planted], initial=0.0) < 1e-6
        if frame * DT >= 2.0:
            places.append(poses.joint_positions()[0, 0].copy())
            down.append(crowd.planted[0].copy())
    way, feet = np.array(places), np.array(down)
    speeds = np.diff(way[:, 2]) / DT
    assert speeds.mean() == pytest.approx(speed, rel=0.05)
    # It rests while all of its feet stand, and is at its fastest while none does.
    sits, flies = feet[1:].all(axis=1), ~feet[1:].any(axis=1)
    assert np.median(speeds[sits]) < 0.35 * speed
    assert 0.15 < flies.mean() < 0.5
    assert speeds[flies].mean() > 1.7 * speed
    assert np.ptp(way[:, 1]) > 0.8 * crowd.creature.morphology.hip_height
    lands = [np.flatnonzero(~feet[:-1, foot] & feet[1:, foot]) for foot in range(4)]
    lifts = [np.flatnonzero(feet[:-1, foot] & ~feet[1:, foot]) for foot in range(4)]
    hops = min(map(len, lands)) - 1
    for k in range(1, hops):
        at = lands[0][k]
        hind = [rows[np.searchsorted(rows, at)] for rows in lands[2:]]
        assert min(hind) > at  # fore feet first
        off = [rows[np.searchsorted(rows, at)] for rows in lifts]
        assert min(off[2:]) > max(off[:2])  # it leaves off its hind feet,
        assert abs(off[2] - off[3]) * DT < 0.05  # both at once


def test_only_bodies_that_are_made_to_leap_do() -> None:
    assert leaps(Creature.build("frog").morphology)
    assert not any(leaps(Creature.build(name).morphology) for name in ("lizard", "wolf", "spider"))
    slow = Crowd("frog", speed=0.1)
    assert slow.gaits == ["lizard trot"]  # it crawls
