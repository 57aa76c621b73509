"""Behaviours of small animals: every one plays, each is told from the others, nothing jumps between them."""

from __future__ import annotations

import numpy as np
import pytest

import locomote as lm
from locomote.creatures import BEHAVIOURS, Behaving

FPS = 120.0


def played(name: str, creature: str = "mouse", seconds: float = 1.0) -> lm.Motion:
    one = Behaving(creature, 1)
    one.behave(name)
    for _ in range(100):
        one.step(1.0 / 60.0)
    return one.record(seconds, FPS)


@pytest.mark.feature("ROD-11")
@pytest.mark.parametrize("name", list(BEHAVIOURS))
def test_every_behaviour_plays_smoothly(name: str) -> None:
    motion = played(name)
    places = motion.joint_positions()
    hip = lm.creatures.Creature.build("mouse").morphology.hip_height
    assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() * FPS < 12.0 * np.sqrt(9.81 * hip)
    told = BEHAVIOURS[name]
    speed = np.linalg.norm(np.diff(motion.root_positions[:, [0, 2]], axis=0), axis=1).mean() * FPS
    assert speed == pytest.approx(told.froude * np.sqrt(9.81 * hip), rel=0.15, abs=0.02)
    low = motion.end_positions()[..., 1].min()
    assert (low > hip) == (told.air > 0.0)


@pytest.mark.feature("ROD-11")
def test_behaviours_are_told_apart_by_posture_and_way() -> None:
    from locomote.capture.markers import posture

    walk, tilted = posture(played("walk")), posture(played("tilted head"))
    assert abs(np.median(walk.head_roll)) < np.radians(6.0)
    assert np.median(tilted.head_roll) > np.radians(22.0)
    ring = played("circle", seconds=3.0)
    spread = np.ptp(ring.root_positions[:, [0, 2]], axis=0)
    straight = played("walk", seconds=3.0)
    way = np.linalg.norm(np.diff(ring.root_positions[:, [0, 2]], axis=0), axis=1).sum()
    assert spread.max() < 0.5 * way
    assert np.ptp(straight.root_positions[:, 2]) > 0.8 * way
    fall = posture(played("free fall"))
    assert fall.extension.mean() > walk.extension.mean()
    adrift = played("weightless")
    assert np.abs(posture(adrift).head_pitch).max() > np.abs(posture(played("free fall")).head_pitch).max()


@pytest.mark.feature("ROD-11")
@pytest.mark.parametrize(("name", "together"), [("bound", True), ("trot", False), ("walk", False)])
def test_hind_feet_go_together_in_a_bound_and_in_turns_otherwise(name: str, together: bool) -> None:
    motion = played(name)
    hind = [leg for leg in motion.skeleton.roles.legs if leg.row == 1]
    ways = [motion.joint_positions()[:, leg.ankle, 2] - motion.root_positions[:, 2] for leg in hind]
    alike = np.corrcoef(ways)[0, 1]
    assert alike > 0.8 if together else alike < -0.5


def test_nothing_jumps_where_one_becomes_another() -> None:
    one = Behaving("rat", 1)
    before, most = None, 0.0
    for name in ("walk", "tilted head", "free fall", "weightless", "walk"):
        one.behave(name)
        for _ in range(90):
            places = one.step(1.0 / 120.0).joint_positions()[0]
            if before is not None:
                most = max(most, float(np.linalg.norm(places - before, axis=1).max()))
            before = places.copy()
    assert most < 0.05
    with pytest.raises(lm.LocomoteError, match="there are: stand, walk"):
        one.behave("fly")
    with pytest.raises(lm.LocomoteError, match="four legs"):
        Behaving("spider")
