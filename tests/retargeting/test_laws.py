"""Laws of retargeting that hold for any body: identity, scale, rest pose, bone axes, and feet that stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import locomote as lm
from locomote import rotations as rot
from locomote.contacts import detect, foot_points
from locomote.errors import LocomoteError, SkeletonError
from locomote.motion import Motion
from locomote.retargeting import retarget
from locomote.roles import find_roles
from locomote.samples import human_skeleton, performer
from locomote.skeleton import Skeleton
from tests.roles.bodies import many_legs

WALK = performer(speed=1.4).motion[:300]
RUN = performer(speed=3.5).motion[:200]


def rebuilt(skeleton: Skeleton, positions: rot.FloatArray, turns: rot.FloatArray) -> Skeleton:
    """The same tree with another rest pose, given by world positions and rotations."""
    parents = skeleton.parents[1:]
    offsets, local = positions.copy(), turns.copy()
    offsets[1:] = rot.rotate(rot.inverse(turns[parents]), positions[1:] - positions[parents])
    local[1:] = rot.multiply(rot.inverse(turns[parents]), turns[1:])
    old_positions, old_turns = skeleton.rest_pose()
    at = skeleton.end_parents
    ends = rot.rotate(old_turns[at], skeleton.end_offsets)
    swung = rot.multiply(turns[at], rot.inverse(old_turns[at]))
    moved = not np.allclose(positions, old_positions)
    ends = rot.rotate(rot.inverse(turns[at]), rot.rotate(swung, ends) if moved else ends)
    return replace(skeleton, offsets=offsets, rest_rotations=local, end_offsets=ends, given_roles=None)


def with_arms(skeleton: Skeleton, angle: float) -> Skeleton:
    """The skeleton whose rest pose lowers the arms by ``angle`` from where they are."""
    positions, turns = (values.copy() for values in skeleton.rest_pose())
    for arm in skeleton.roles.arms:
        swing = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), -angle if arm.side == "left" else angle)
        for j in range(len(skeleton)):
            if arm.shoulder in skeleton.ancestors(j):
                centre = positions[arm.shoulder]
                positions[j] = centre + rot.rotate(swing, positions[j] - centre)
                turns[j] = rot.multiply(swing, turns[j])
    return rebuilt(skeleton, positions, turns)


def gaps(a: Motion, b: Motion) -> rot.FloatArray:
    return np.linalg.norm(a.joint_positions() - b.joint_positions(), axis=-1)


@pytest.mark.parametrize("motion", [WALK, RUN], ids=["walk", "run"])
def test_onto_itself_is_the_same_motion(motion: Motion) -> None:
    assert gaps(retarget(motion, motion.skeleton, feet=False), motion).max() < 1e-9
    planted = gaps(retarget(motion, motion.skeleton), motion)
    feet = [joint for leg in motion.skeleton.roles.legs for joint in (leg.ankle, leg.toe)]
    assert np.median(planted) < 1e-4
    assert np.percentile(planted[:, feet], 95) < 2e-3
    # Where a leg is all but straight a millimetre at its end is two centimetres at its knee.
    assert planted.max() < 2e-2


@given(st.floats(0.3, 4.0), st.booleans())
@settings(max_examples=10)
def test_onto_a_scaled_copy_is_the_scaled_motion(factor: float, feet: bool) -> None:
    result = retarget(WALK, WALK.skeleton.scaled(factor), feet=feet, froude=False)
    once = retarget(WALK, WALK.skeleton, feet=feet).scaled(factor)
    assert gaps(result, once).max() < 1e-6 * factor
    assert result.fps == WALK.fps


@pytest.mark.parametrize("factor", [0.25, 0.6, 1.9, 2.5, 9.0])
def test_times_go_with_the_root_of_the_size(factor: float) -> None:
    giant = WALK.skeleton.scaled(factor)
    same_time, slow = (retarget(WALK, giant, froude=froude) for froude in (False, True))
    assert slow.fps == WALK.fps
    assert slow.duration == pytest.approx(np.sqrt(factor) * WALK.duration, abs=2.0 / WALK.fps)
    speeds = [m.root_positions[-1] / m.duration for m in (same_time, slow)]
    # The Froude number v^2 / (g L) is that of the source.
    v, own = np.linalg.norm(speeds[1][[0, 2]]), np.linalg.norm(WALK.root_positions[-1, [0, 2]]) / WALK.duration
    assert v**2 / factor == pytest.approx(own**2, rel=0.02)
    chosen = retarget(WALK, giant)
    assert len(chosen) == len(slow if not 0.5 <= factor <= 2.0 else same_time)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=10)
def test_bone_axes_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    positions, turns = WALK.skeleton.rest_pose()
    other = rebuilt(WALK.skeleton, positions, rot.multiply(turns, rot.normalize(rng.normal(size=(len(turns), 4)))))
    assert find_roles(other).legs[0].chain == WALK.skeleton.roles.legs[0].chain
    assert gaps(retarget(WALK, other, feet=False), WALK).max() < 1e-6


@pytest.mark.parametrize("angle", [np.radians(45.0), np.radians(80.0), np.radians(-20.0)])
def test_the_arms_of_the_rest_pose_do_not_matter(angle: float) -> None:
    assert gaps(retarget(WALK, with_arms(WALK.skeleton, angle), feet=False), WALK).max() < 1e-6


@given(st.floats(-np.pi, np.pi))
@settings(max_examples=10)
def test_the_facing_of_the_rest_pose_does_not_matter(yaw: float) -> None:
    turn = rot.from_yaw(yaw)
    positions, turns = WALK.skeleton.rest_pose()
    other = rebuilt(WALK.skeleton, rot.rotate(turn, positions), rot.multiply(turn, turns))
    # A facing within two degrees of an axis is taken for the axis.
    allowed = 0.1 if abs(np.sin(2.0 * yaw)) < np.sin(np.radians(4.0)) else 1e-6
    assert gaps(retarget(WALK, other, feet=False), WALK).max() < allowed


@pytest.mark.parametrize("size", [0.55, 1.0, 1.3])
@pytest.mark.parametrize("motion", [WALK, RUN], ids=["walk", "run"])
def test_feet_stand_still_and_stay_on_the_floor(motion: Motion, size: float) -> None:
    thin = human_skeleton(size)
    offsets = thin.offsets.copy()
    for leg in thin.roles.legs:  # another build: long thighs, short shins
        offsets[leg.knee] *= 1.12
        offsets[leg.ankle] *= 0.9
    target = replace(thin, offsets=offsets)
    result = retarget(motion, target)
    contacts = detect(motion)
    points = foot_points(result)
    floor = detect(result).floor
    factor = target.leg_length() / motion.skeleton.leg_length()
    for i in range(2):
        for start, stop in contacts.intervals(i):
            if start == 0 or stop == len(motion):
                continue
            middle = slice(start + (stop - start) // 4, stop - (stop - start) // 4)
            assert np.ptp(points[middle, i, 1], axis=0).max() < 0.005 * factor
    assert floor.heights(points).min() > -0.005 * factor


def test_the_way_is_scaled_by_the_legs_or_as_asked() -> None:
    child = human_skeleton(0.5)
    ratio = child.leg_length() / WALK.skeleton.leg_length()
    way = WALK.joint_positions()[:, WALK.skeleton.roles.root]
    result = retarget(WALK, child)
    travelled = result.joint_positions()[:, child.roles.root]
    np.testing.assert_allclose((travelled[-1] - travelled[0])[2], ratio * (way[-1] - way[0])[2], rtol=0.02)
    asked = retarget(WALK, child, scale=1.0).joint_positions()[:, child.roles.root]
    np.testing.assert_allclose((asked[-1] - asked[0])[2], (way[-1] - way[0])[2], rtol=0.02)


def test_planting_twice_changes_little() -> None:
    child = human_skeleton(0.6)
    once = retarget(WALK, child)
    twice = retarget(once, child)
    assert np.percentile(gaps(once, twice), 95) < 1e-3


def test_knees_do_not_pop() -> None:
    for motion in (WALK, RUN):
        result = retarget(motion, human_skeleton(1.25))
        for leg, other in zip(motion.skeleton.roles.legs, result.skeleton.roles.legs, strict=True):
            steps = rot.distance(result.rotations[1:, other.knee], result.rotations[:-1, other.knee])
            source = rot.distance(motion.rotations[1:, leg.knee], motion.rotations[:-1, leg.knee])
            assert steps.max() < 2.0 * source.max() + np.radians(2.0)


def test_errors_say_what_would_be_right() -> None:
    with pytest.raises(SkeletonError, match="the source has 2 legs and the target 4"):
        retarget(WALK, many_legs(2))
    with pytest.raises(SkeletonError, match="no legs found on the target"):
        retarget(WALK, Skeleton(("a",), [-1], np.zeros((1, 3))))
    with pytest.raises(LocomoteError, match="scale must be a positive number, got -1"):
        retarget(WALK, WALK.skeleton, scale=-1.0)


def test_one_frame_is_enough() -> None:
    assert len(retarget(WALK[:1], human_skeleton(0.7))) == 1


def test_feet_keep_their_heading_while_they_stand() -> None:
    """Recorded feet wobble about their ankles: pinned at the ball the heel would slide."""
    turns = WALK.rotations.copy()
    for leg in WALK.skeleton.roles.legs:
        wobble = rot.from_yaw(np.radians(5.0) * np.sin(2 * np.pi * 2.0 * WALK.times))
        turns[:, leg.ankle] = rot.multiply(turns[:, leg.ankle], wobble)
    source = replace(WALK, rotations=turns)
    result = retarget(source, WALK.skeleton.scaled(1.1), froude=False)
    assert lm.measure(source).drift_p95 > 4.0
    assert lm.measure(result).drift_p95 < 2.0
