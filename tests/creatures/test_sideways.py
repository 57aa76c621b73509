"""Crabs go sideways."""

from __future__ import annotations

import math

import numpy as np
import pytest

from locomote.creatures import Creature, Crowd
from locomote.creatures.catalogue._gait_presets import goes_sideways
from tests.creatures.walkers import tips, world

DT = 1.0 / 60.0


def facing(crowd: Crowd) -> float:
    """Where the eyes of a crab look, rad from +Z: from the middle of the shell to the head."""
    places = world(crowd)[0][0]
    names = crowd.creature.morphology.skeleton
    x, _, z = places[names.index("head")] - places[names.index("carapace")]
    return math.atan2(x, z)


@pytest.mark.parametrize("speed", [0.2, 0.5, -0.3])
def test_a_crab_goes_with_its_side_ahead(speed: float) -> None:
    crowd = Crowd("crab", speed=speed, heading=0.4, seed=1)
    for _ in range(60):
        crowd.step(DT)
    start = crowd.positions[0].copy()
    for _ in range(240):
        crowd.step(DT)
        assert np.max(np.linalg.norm(tips(crowd) - crowd.feet, axis=-1)[crowd.planted]) < 1e-6
        way = crowd.positions[0] - start
        aside = math.atan2(way[0], way[2]) - facing(crowd) if np.hypot(way[0], way[2]) > 0.05 else math.pi / 2
        assert abs(math.sin(aside)) > 0.97
    assert np.hypot(way[0], way[2]) == pytest.approx(4.0 * abs(speed), rel=0.03)


def test_the_legs_ahead_reach_out_and_those_behind_push() -> None:
    """Legs stretch and fold along the way: feet go to and fro between their hips and out, not round them."""
    crowd = Crowd("crab", speed=0.4, seed=1)
    legs = crowd.creature.morphology.legs
    assert goes_sideways(crowd.creature.morphology)
    assert not any(goes_sideways(Creature.build(name).morphology) for name in ("spider", "wolf", "lizard"))
    apart = []
    for frame in range(300):
        crowd.step(DT)
        if frame > 60:
            hips = world(crowd)[0][0, [leg.hip for leg in legs]]
            apart.append(crowd.feet[0] - hips)
    offs = np.array(apart)
    stretch = np.ptp(np.linalg.norm(offs[..., [0, 2]], axis=-1), axis=0)
    swing = np.ptp(np.arctan2(np.abs(offs[..., 0]), np.abs(offs[..., 2])), axis=0)
    assert np.all(stretch > 0.06)
    assert np.all(swing[2:6] < 0.45)
