"""Treadmills are told by the feet, and T poses by their jump."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.contacts import detect
from locomote.contacts.belts import belt_velocity, travelling
from locomote.motion import Motion
from locomote.samples import performer

GAITS = [("walk", 0.5), ("walk", 1.4), ("run", 3.0), ("run", 5.0)]


@pytest.mark.parametrize("noise", [0.0, 0.002])
@pytest.mark.parametrize(("gait", "speed"), GAITS)
def test_the_belt_is_found_from_the_standing_feet(gait: str, speed: float, noise: float) -> None:
    over_ground = performer(speed=speed, gait=gait, fps=100, seconds=5, noise=noise).motion
    turn = rot.from_yaw(0.7)
    on_belt = travelling(over_ground, (0.0, 0.0, speed)).moved(turn)
    found, known = detect(on_belt), detect(over_ground)
    np.testing.assert_allclose(found.belt_velocity, rot.rotate(turn, [0.0, 0.0, -speed]), atol=0.02 * speed)
    assert "treadmill" in found.notes[0]
    assert [(e.kind, e.leg) for e in found.events] == [(e.kind, e.leg) for e in known.events]
    assert np.max(np.abs([a.time - b.time for a, b in zip(found.events, known.events, strict=True)])) < 0.03
    assert known.belt_velocity == (0.0, 0.0, 0.0)
    assert known.notes == ()


def test_who_rests_slides_or_flies_is_on_no_treadmill() -> None:
    walk = performer(speed=1.2, seconds=4, fps=60).motion
    standing = Motion(walk.skeleton, 60.0, walk.root_positions[[9] * 200], walk.rotations[[9] * 200])
    flying = replace(standing, root_positions=standing.root_positions + standing.times[:, None] * (2.0, 0.0, 1.0))
    for motion in (standing, flying, walk[:20]):
        assert detect(motion).belt_velocity == (0.0, 0.0, 0.0)
    assert not np.any(belt_velocity(np.zeros((100, 0, 3, 3)), 60.0, 0.9))


def test_figures_and_cleaning_of_a_treadmill_are_those_over_ground() -> None:
    over_ground = performer(speed=1.4, fps=100, seconds=5).motion
    on_belt = travelling(over_ground, (0.0, 0.0, 1.4))
    here, there = lm.measure(on_belt), lm.measure(over_ground)
    assert here.notes
    assert here.speed == pytest.approx(there.speed, rel=0.02)
    assert here.drift_p95 < 2.0
    done = lm.clean(on_belt)
    assert done.notes == here.notes
    assert np.max(np.abs(done.motion.joint_positions() - on_belt.joint_positions())) < 0.01


def with_tpose(motion: Motion) -> Motion:
    """A rest pose at the origin before the first frame."""
    first = np.concatenate([motion.skeleton.rest_rotations[None], motion.rotations])
    return replace(motion, root_positions=np.vstack([np.zeros(3), motion.root_positions]), rotations=first)


def test_an_added_t_pose_is_left_out_unless_kept() -> None:
    walk = performer(speed=1.3, seconds=3, fps=60).motion
    posed = with_tpose(walk.moved(offset=(5.0, 0.3, 2.0)))
    contacts, plain = detect(posed), detect(walk)
    assert contacts.tpose == 1
    assert "T pose" in contacts.notes[0]
    assert len(contacts) == len(posed)
    assert not contacts.foot[0].any()
    assert np.array_equal(contacts.foot[1:], plain.foot)
    assert [e.frame - 1 for e in contacts.events] == [e.frame for e in plain.events]
    figures = lm.measure(posed)
    assert figures.frames == len(walk)
    assert figures.pops == 0 < lm.measure(posed, keep_tpose=True).pops
    assert len(lm.clean(posed).motion) == len(walk)
    assert detect(posed, keep_tpose=True).tpose == 0


@pytest.mark.data
def test_recorded_treadmills_and_t_poses(data: Path) -> None:
    run = lm.load(data / "human/run/treadmill_hamner_s03_run300.ik.mot.xz")
    assert detect(run).belt_velocity[2] == pytest.approx(-3.0, rel=0.07)
    walk = data / "human/walk/cmu_07_01.bvh.xz"
    assert lm.measure(lm.load(walk)).penetration == lm.measure(lm.load(walk, drop_tpose=True)).penetration
