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
from locomote.masses import Masses
from locomote.modal import PRESETS, Modes
from locomote.modal._presets import QUADRUPED
from locomote.motion import Motion
from locomote.world import Ground

FPS = 60.0
NEAR, SLOW = 0.004, 0.3  # m over the ground and m/s: a tip that stands, and does not just pass by a hump
SETTLING = 2  # frames left out at both ends of a stance, as `measure` does


def person() -> Creature:
    legs = [(f"{side}UpLeg", f"{side}ToeBase") for side in ("Left", "Right")]
    return Creature.of(Morphology.from_names(human_skeleton(0.86), legs, head="Head", name="person"))


def standing(motion: Motion, ground: Ground, kind: Creature) -> list[tuple[np.ndarray, slice]]:
    """The way of a tip ``(frames, 3)``, and when it is near the ground and slow: by the poses and the ground alone."""
    places, turns = motion.world()
    found = []
    for leg in kind.morphology.legs:
        tip = places[:, leg.joints[-1]] + rot.rotate(turns[:, leg.joints[-1]], leg.tip)
        low = tip[:, 1] - ground.heights(tip[:, [0, 2]]) < NEAR
        low &= np.linalg.norm(np.gradient(tip, axis=0), axis=1) * motion.fps < SLOW
        edges = np.flatnonzero(np.diff(np.concatenate([[0], low.astype(int), [0]]))).reshape(-1, 2)
        for start, stop in edges:
            if stop - start >= 4 + 2 * SETTLING:
                found.append((tip, slice(start + SETTLING, stop - SETTLING)))
    return found


def stances(motion: Motion, ground: Ground, kind: Creature) -> list[float]:
    """How far each tip strays while it is near the ground, mm."""
    strays = []
    for tip, when in standing(motion, ground, kind):
        flat = tip[when][:, [0, 2]]
        strays.append(1000.0 * float(np.linalg.norm(flat - np.median(flat, axis=0), axis=1).max()))
    return strays


@pytest.mark.feature("MOD-19")
@pytest.mark.parametrize("name", ["wolf", "horse", "spider", "ant"])
@pytest.mark.parametrize("hills", [False, True])
def test_standing_feet_do_not_slip(name: str, hills: bool) -> None:
    ground = Ground.rough(3, (60.0, 60.0), 0.8, 5.0) if hills else Ground()
    for speed in (0.8, 2.5):
        crowd = Crowd(name, gait="modal", speed=speed, ground=ground, seed=1)
        strays = stances(crowd.record(4.0, FPS), ground, crowd.creature)
        assert len(strays) > 10
        assert max(strays) < 2.0


@pytest.mark.parametrize("hills", [False, True])
@pytest.mark.parametrize("name", [name for name, preset in PRESETS.items() if preset.ground])
def test_every_preset_stands_firm_on_the_ground(name: str, hills: bool) -> None:
    preset = PRESETS[name]
    kind = Creature.build("dog") if preset.kind == QUADRUPED else person()
    skeleton = kind.morphology.skeleton
    kind = kind.by_modes(preset.modes(skeleton, Masses.of(skeleton, body=kind.morphology.body)))
    ground = Ground.rough(3, (60.0, 60.0), 0.4, 5.0) if hills else Ground()
    gait = kind.gaits.gaits[kind.gaits.index(preset.ground)]
    moving = gait.speeds[gait.speeds > 0.0]
    speed = float(moving[(len(moving) - 1) // 2]) * np.sqrt(9.81 * kind.morphology.hip_height)
    motion = Crowd(kind, gait=preset.ground, speed=speed, ground=ground, seed=1).record(4.0, 2.0 * FPS)[120:]
    strays = stances(motion, ground, kind)
    assert len(strays) > 6
    assert max(strays) < 2.0  # mm
    for tip, when in standing(motion, ground, kind):
        ahead = tip[when][:, 2] - motion.root_positions[when][:, 2]
        assert np.diff(ahead).mean() * 2.0 * FPS < -0.5 * speed  # backwards, seen from the pelvis


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


def bending(kind: Creature, joints: list[str]) -> np.ndarray:
    """How far joints turn to and fro in their own frames, degrees."""
    motion = Crowd(kind, speed=1.8, seed=1).record(4.0, FPS)[90:]
    rest = motion.skeleton.rest_rotations
    indices = [motion.skeleton.index(joint) for joint in joints]
    turned = [rot.log(rot.multiply(rot.inverse(rest[j]), motion.rotations[:, j])) for j in indices]
    return np.array([np.degrees(np.linalg.norm(np.ptp(each, axis=0))) for each in turned])


def test_what_is_soft_bends_first() -> None:
    kind = Creature.build("wolf")
    modes = kind.by_modes().modes
    assert modes is not None
    ankles = modes.stiffened({"foot.*": 30.0, "toes.*": 30.0})
    knees = modes.stiffened({"shank.*": 30.0})
    joints = ["shank.L", "foot.L"]
    usual, stiff_ankle, stiff_knee = (bending(kind.by_modes(each), joints) for each in (modes, ankles, knees))
    # Knee, ankle: who is stiff leaves it to the other; feet go their way all the same.
    assert stiff_ankle[1] < 0.75 * usual[1]
    assert stiff_ankle[0] > 1.1 * usual[0]
    assert stiff_knee[0] < 0.75 * usual[0]
    assert stiff_knee[1] > 1.1 * usual[1]


@pytest.mark.parametrize("name", ["wolf", "dog", "horse", "spider", "ant", "bird", "crab", "lizard", "robot"])
def test_legs_reach_as_far_whoever_bends_first(name: str) -> None:
    kind = Creature.build(name)
    usual, own = kind.folds, kind.by_modes().folds
    np.testing.assert_allclose(own.spans, usual.spans, atol=0.021 * usual.spans[:, 1:].max())
    np.testing.assert_array_equal(usual.leads, 1.0)
    assert np.all((own.leads >= 0.0) & (own.leads <= 2.0))
    # None turns back on the way from rest to straight, or to wholly folded.
    share = np.linspace(0.0, 1.0, 101)[:, None, None, None]
    bent = share * own.bends * (own.leads + (1.0 - own.leads) * share)
    assert np.all(np.diff(bent * np.sign(own.bends), axis=0) >= -1e-12)


def test_girdles_stay_at_their_height() -> None:
    """Legs bear a body: what it does in the air, sink as its legs rise, vibrations do not do on the ground."""
    for name in ("wolf", "spider"):
        synergy = Creature.build(name).by_modes().synergy
        assert np.abs(synergy.shifts[:, 1]).max() < 1e-9
        assert np.abs(synergy.turns).max() > 0.01


def test_other_creatures_know_nothing_of_it() -> None:
    kind = Creature.build("spider")
    assert kind.modes is None
    assert kind.synergy.turns.shape[0] == 0
    assert kind.by_modes().effects["sway"] == 0.0


def test_modes_of_another_body_are_refused() -> None:
    with pytest.raises(LocomoteError, match="the skeleton of wolf"):
        Crowd(Creature.build("wolf").by_modes(Modes.of(human_skeleton())))
