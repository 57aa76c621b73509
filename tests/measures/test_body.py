"""What the eye sees: single frames that are out of line show by as much as they are, and manners by closed forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.measures import recorded_range
from locomote.measures.body import body_events
from locomote.measures.limits import bend_degrees
from locomote.measures.manner import manner
from locomote.measures.recorded import kind_of

FRAME = 100


@pytest.fixture(scope="module")
def walk() -> lm.Motion:
    return lm.samples.performer(speed=1.3, fps=60.0).motion


def test_a_body_that_drops_for_one_frame_shows_by_as_much(walk: lm.Motion) -> None:
    roots = walk.root_positions.copy()
    roots[FRAME, 1] -= 0.2
    before, after = body_events(walk), body_events(replace(walk, root_positions=roots))
    assert after.ankle_drop == pytest.approx(20.0, abs=before.ankle_drop)
    length = walk.skeleton.leg_length()
    assert after.trunk_jolt == pytest.approx(100.0 * 0.4 / length, abs=2.0 * before.trunk_jolt)
    assert after.head_jolt == pytest.approx(100.0 * 0.4 / length, abs=2.0 * before.head_jolt)
    assert after.knee_step == pytest.approx(before.knee_step)


@pytest.mark.parametrize(
    ("joint", "figure", "axis"), [("knee", "knee_step", (1.0, 0.0, 0.0)), ("elbow", "elbow_step", (0.0, 1.0, 0.0))]
)
def test_a_joint_that_snaps_shows(walk: lm.Motion, joint: str, figure: str, axis: tuple[float, float, float]) -> None:
    roles = walk.skeleton.roles
    limb = roles.legs[0] if joint == "knee" else roles.arms[0]
    turns = walk.rotations.copy()
    turns[FRAME:, getattr(limb, joint)] = rot.multiply(
        turns[FRAME:, getattr(limb, joint)], rot.from_axis_angle(np.array(axis), np.radians(90.0))
    )
    snapped = replace(walk, rotations=turns)
    assert getattr(body_events(walk), figure) < 20.0
    assert getattr(body_events(snapped), figure) > 20.0


def test_a_bend_is_the_angle_between_bones() -> None:
    joints = np.array([[[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, -np.cos(0.5), np.sin(0.5)]]])
    assert bend_degrees(joints[:, 0], joints[:, 1], joints[:, 2]) == pytest.approx(np.degrees(0.5))


def test_peaks_are_accelerations_below_the_filter(walk: lm.Motion) -> None:
    still = replace(
        walk,
        rotations=np.repeat(walk.rotations[:1], len(walk), axis=0),
        root_positions=np.repeat(walk.root_positions[:1], len(walk), axis=0),
    )
    time = np.arange(len(walk)) / 60.0
    slow, fast = (np.outer(0.02 * np.sin(2.0 * np.pi * hertz * time), [0.0, 1.0, 0.0]) for hertz in (2.0, 25.0))
    gentle = body_events(replace(still, root_positions=still.root_positions + slow))
    assert gentle.head_peak == pytest.approx(0.02 * (2.0 * np.pi * 2.0) ** 2, rel=0.05)
    shaken = body_events(replace(still, root_positions=still.root_positions + slow + fast))
    assert shaken.head_jolt > 5.0 * gentle.head_jolt
    assert shaken.head_peak < 0.02 * (2.0 * np.pi * 25.0) ** 2 * 0.1


def test_the_rate_of_a_clip_does_not_matter(walk: lm.Motion) -> None:
    finer = lm.samples.performer(speed=1.3, fps=120.0).motion
    for a, b in zip(body_events(walk), body_events(finer), strict=True):
        assert b == pytest.approx(a, rel=0.15, abs=0.05)
    one, other = manner(walk), manner(finer)
    assert other.arm_swing == pytest.approx(one.arm_swing, rel=0.03)
    assert other.pelvis_bob == pytest.approx(one.pelvis_bob, rel=0.05)


def test_arms_that_change_sides_change_their_phase_by_half_a_turn(walk: lm.Motion) -> None:
    roles = walk.skeleton.roles
    turns = walk.rotations.copy()
    for joint in ("shoulder", "elbow", "wrist"):
        left, right = (getattr(arm, joint) for arm in roles.arms)
        # Mirrored left and right: what the right arm does, the left one does.
        turns[:, left] = walk.rotations[:, right] * [1.0, 1.0, -1.0, -1.0]
        turns[:, right] = walk.rotations[:, left] * [1.0, 1.0, -1.0, -1.0]
    one, other = manner(walk), manner(replace(walk, rotations=turns))
    assert abs((other.arm_leg_phase - one.arm_leg_phase) % 360.0 - 180.0) < 15.0
    assert other.arm_swing == pytest.approx(one.arm_swing, rel=0.1)


def test_a_loop_does_not_vary_and_stretched_strides_do(walk: lm.Motion) -> None:
    assert manner(walk).hand_variation < 0.3
    assert manner(walk).stride_variation < 2.0
    # Time goes faster and slower over several strides.
    time = np.arange(len(walk)) / 60.0
    at = np.interp(time + 0.12 * np.sin(2.0 * np.pi * time / 4.1), time, np.arange(len(walk)))
    uneven = walk._take(np.round(at).astype(np.int64))
    assert manner(uneven).stride_variation > 4.0


def test_bodies_without_two_legs_have_no_manner() -> None:
    spider = lm.creatures.Creature.build("spider").morphology
    motion = lm.Motion(spider.skeleton, 60.0, np.zeros((40, 3)), np.tile(spider.skeleton.rest_rotations, (40, 1, 1)))
    assert manner(motion).strides == 0
    assert body_events(motion).elbow_step is None
    assert body_events(motion).ankle_drop == pytest.approx(0.0, abs=1e-9)


def test_recorded_people_have_ranges_in_order() -> None:
    for figure in ("arm_swing", "pelvis_bob", "knee_step", "head_peak"):
        for gait, speed in (("walk", 1.3), ("walk", 0.6), ("run", 3.0), ("turn", None)):
            found = recorded_range(figure, gait, speed)
            assert found is not None
            assert list(found) == sorted(found)
    assert kind_of("walk", 1.3) == "walk 1.1-1.5"
    assert kind_of("run", 9.0) == "run 4.5-6"
    with pytest.raises(lm.LocomoteError, match="no recorded people"):
        recorded_range("arm_swing", "swim")
