"""Creatures whose trunk and arms go by their natural vibrations, on the feet of the house."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import measure
from locomote import rotations as rot
from locomote.contacts import detect
from locomote.creatures import Creature, Crowd, Morphology
from locomote.errors import LocomoteError
from locomote.human_skeleton import human_skeleton
from locomote.modal import Modes
from locomote.motion import Motion
from locomote.world import Ground

FPS = 60.0
NEAR = 0.004  # m over the ground: a tip that stands
SETTLING = 2  # frames left out at both ends of a stance, as `measure` does


def person() -> Creature:
    legs = [(f"{side}UpLeg", f"{side}ToeBase") for side in ("Left", "Right")]
    return Creature.of(Morphology.from_names(human_skeleton(0.86), legs, head="Head", name="person"))


def stances(motion: Motion, ground: Ground, kind: Creature) -> list[float]:
    """How far each tip strays while it is near the ground, mm: by the poses and the ground alone."""
    places, turns = motion.world()
    strays = []
    for leg in kind.morphology.legs:
        tip = places[:, leg.joints[-1]] + rot.rotate(turns[:, leg.joints[-1]], leg.tip)
        low = tip[:, 1] - ground.heights(tip[:, [0, 2]]) < NEAR
        edges = np.flatnonzero(np.diff(np.concatenate([[0], low.astype(int), [0]]))).reshape(-1, 2)
        for start, stop in edges:
            if stop - start >= 4 + 2 * SETTLING:
                flat = tip[start + SETTLING : stop - SETTLING, [0, 2]]
                strays.append(1000.0 * float(np.linalg.norm(flat - np.median(flat, axis=0), axis=1).max()))
    return strays


@pytest.mark.feature("MOD-19")
@pytest.mark.parametrize("name", ["wolf", "spider"])
@pytest.mark.parametrize("hills", [False, True])
def test_standing_feet_do_not_slip(name: str, hills: bool) -> None:
    ground = Ground.rough(3, (60.0, 60.0), 0.8, 5.0) if hills else Ground()
    for speed in (0.8, 2.5):
        crowd = Crowd(name, gait="modal", speed=speed, ground=ground, seed=1)
        strays = stances(crowd.record(4.0, FPS), ground, crowd.creature)
        assert len(strays) > 10
        assert max(strays) < 2.0


def test_slopes_of_fifteen_degrees_are_among_the_hills() -> None:
    ground = Ground.rough(3, (60.0, 60.0), 0.8, 5.0)
    along = np.stack([np.zeros(200), np.linspace(0.0, 8.0, 200)], axis=1)
    slope = np.gradient(ground.heights(along), along[:, 1])
    assert np.degrees(np.arctan(np.abs(slope).max())) > 15.0


def test_a_person_walks_by_the_public_detector_without_slipping() -> None:
    motion = Crowd(person(), gait="modal", speed=1.3).record(6.0, FPS)
    assert detect(motion).foot.any()
    seen = measure(motion)
    assert seen.plants > 8
    assert seen.drift_max < 2.0  # mm
    assert seen.pops == 0
    # Arms hang and go against the legs: nobody told them to.
    assert seen.arm_swing is not None
    assert 15.0 < seen.arm_swing < 90.0
    assert seen.arm_leg_phase is not None
    assert 120.0 < seen.arm_leg_phase < 240.0


def turning(name: str, gait: str, joint: str) -> np.ndarray:
    """How far a joint turns to and fro about each axis, degrees."""
    motion = Crowd(name, gait=gait, speed=2.5, seed=1).record(5.0, FPS)[120:]
    index = motion.skeleton.index(joint)
    rest = motion.skeleton.rest_pose()[1][index]
    vectors = rot.log(rot.multiply(motion.world()[1][:, index], rot.inverse(rest)))
    return np.degrees(np.ptp(vectors, axis=0))


def test_the_trunk_goes_by_the_vibrations() -> None:
    own, usual = turning("wolf", "modal", "pelvis"), turning("wolf", "auto", "pelvis")
    assert own.max() > 3.0
    assert np.abs(own - usual).max() > 2.0
    # And as they change, it changes: a stiff back hardly bends.
    kind = Creature.build("wolf")
    modes = kind.by_modes().modes
    assert modes is not None
    stiff = kind.by_modes(modes.stiffened({"spine": 1000.0}))
    bends = [np.abs(np.diff(c.synergy.turns, axis=0)).max() for c in (kind.by_modes(), stiff)]
    assert bends[1] < 0.1 * bends[0]


def test_other_creatures_know_nothing_of_it() -> None:
    kind = Creature.build("spider")
    assert kind.modes is None
    assert kind.synergy.turns.shape[0] == 0
    assert kind.by_modes().effects["sway"] == 0.0


def test_modes_of_another_body_are_refused() -> None:
    with pytest.raises(LocomoteError, match="the skeleton of wolf"):
        Crowd(Creature.build("wolf").by_modes(Modes.of(human_skeleton())))
