"""Which way legs fold that are straight at rest and whose joints go both ways."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.creatures import Creature, Crowd, Morphology
from locomote.rotations import FloatArray
from tests.creatures.bodies import Built
from tests.creatures.walkers import tips, world


def straight(out: float) -> Creature:
    """Four legs of two equal bones, whose feet are as far aside of their hips, m."""
    built = Built()
    built.add("trunk", None, (0.0, 0.6, 0.0))
    built.add("head", "trunk", (0.0, 0.7, 0.5))
    for row, z in (("fore", 0.3), ("hind", -0.3)):
        for side, x in (("l", 1.0), ("r", -1.0)):
            points = [(x * (0.15 + k * out), 0.6 * (1.0 - k), z) for k in (0.0, 0.5, 1.0)]
            built.add_leg(f"{row}_{side}", "trunk", points)
    return Creature.of(Morphology.from_names(built.skeleton(), built.legs, head="head"))


def knees_of(creature: Creature) -> FloatArray:
    """Where knees are beside the line from hip to foot while it walks ``(T, legs, 3)``, m."""
    crowd = Crowd(creature, 1, speed=0.4)
    legs = np.array([leg.joints for leg in creature.morphology.legs])
    found = []
    for _ in range(180):
        crowd.step(1.0 / 60.0)
        hips, knees = (world(crowd)[0][0, legs[:, k]] for k in (0, 1))
        along = tips(crowd)[0] - hips
        share = np.sum((knees - hips) * along, axis=1, keepdims=True) / np.sum(along**2, axis=1, keepdims=True)
        found.append(knees - hips - share * along)
    return np.array(found)


@pytest.mark.parametrize(("out", "axis"), [(0.0, 2), (0.5, 1)])
def test_knees_of_straight_legs_bend_forwards_or_up(out: float, axis: int) -> None:
    aside = knees_of(straight(out))[..., axis]
    assert aside.min() > -0.01
    assert aside.max() > 0.03
