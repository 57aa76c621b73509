"""A chain of a body reaches for a point: the laws of reach, limits, error and calm, judged by SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import locomote as lm
from locomote import ik
from locomote import rotations as rot
from tests.ik.bodies import assert_within, bone_lengths, judge, motion, poses, random_limits, tree

SEEDS = st.integers(0, 10**6)


@given(
    SEEDS, st.integers(0, 5), st.integers(2, 4), st.booleans(), st.sampled_from(["poses", "scaled", "motion", "slid"])
)
def test_what_holds_for_any_goal(seed: int, first: int, bones: int, limited: bool, kind: str) -> None:
    skeleton = tree(seed)
    body: lm.Motion | lm.Poses
    if kind in ("poses", "scaled"):
        body = poses(skeleton, seed, scales=kind == "scaled")
    else:
        body = motion(skeleton, seed, 8, translations=kind == "slid")
    joints = list(range(first, min(first + bones, 8) + 1))
    limits = random_limits(skeleton, seed, joints[:-1]) if limited else {}
    goals = body.joint_positions()[:, first] + 0.3 * np.random.default_rng(seed).normal(size=(len(body), 3))
    before = body.rotations.copy()
    done = ik.reach(body, [f"j{joints[0]}", f"j{joints[-1]}"], goals, limits=limits)

    places, _ = judge(done.pose)
    np.testing.assert_allclose(np.linalg.norm(places[:, joints[-1]] - goals, axis=1), done.error, atol=1e-9)
    np.testing.assert_allclose(bone_lengths(done.pose), bone_lengths(body), atol=1e-9)
    np.testing.assert_array_equal(done.success, done.error <= 1e-4)
    others = [j for j in range(len(skeleton)) if j not in joints[:-1]]
    np.testing.assert_array_equal(done.rotations[:, others], before[:, others])
    np.testing.assert_array_equal(body.rotations, before)
    assert_within(done.pose, limits)
    assert done.error.shape == done.steps.shape == done.success.shape == (len(body),)
    assert type(done.pose) is type(body)


@given(SEEDS, st.integers(2, 6), st.floats(0.02, 0.98))
def test_every_goal_in_the_annulus_is_reached(seed: int, bones: int, part: float) -> None:
    skeleton = tree(seed)
    body = poses(skeleton, seed)
    lengths = np.linalg.norm(skeleton.offsets[1 : bones + 1], axis=1)
    least, most = max(2.0 * lengths.max() - lengths.sum(), 0.0), lengths.sum()
    ways = np.random.default_rng(seed).normal(size=(len(body), 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    done = ik.reach(body, ["j0", f"j{bones}"], body.root_positions + (least + part * (most - least)) * ways)
    assert done.success.all()
    beyond = ik.reach(body, ["j0", f"j{bones}"], body.root_positions + 1.5 * most * ways)
    np.testing.assert_allclose(beyond.error, 0.5 * most, rtol=1e-6)
    assert not beyond.success.any()


@given(SEEDS, st.booleans())
def test_a_batch_is_the_same_as_one_by_one(seed: int, scaled: bool) -> None:
    skeleton = tree(seed)
    body = poses(skeleton, seed, scales=scaled)
    limits = random_limits(skeleton, seed, range(8))
    goals = body.joint_positions()[:, 2] + 0.3 * np.random.default_rng(seed).normal(size=(len(body), 3))
    together = ik.reach(body, ["j2", "j6"], goals, limits=limits)
    for n in range(len(body)):
        sizes = None if body.scales is None else body.scales[n : n + 1]
        one = lm.Poses(skeleton, body.root_positions[n : n + 1], body.rotations[n : n + 1], sizes)
        alone = ik.reach(one, ["j2", "j6"], goals[n], limits=limits)
        np.testing.assert_array_equal(alone.rotations[0], together.rotations[n])
        assert (alone.error[0], alone.steps[0]) == (together.error[n], together.steps[n])


@given(SEEDS)
def test_a_tip_is_a_point_of_the_last_joint_which_turns_too(seed: int) -> None:
    body = poses(tree(seed), seed)
    tip = np.array([0.05, 0.12, -0.03])
    goals = body.joint_positions()[:, 4] + 0.05
    done = ik.reach(body, ["j1", "j4"], goals, tip=tip)
    places, turns = judge(done.pose)
    np.testing.assert_allclose(
        np.linalg.norm(places[:, 4] + turns[4].apply(tip) - goals, axis=1), done.error, atol=1e-9
    )
    assert done.success.all()
    assert not np.allclose(done.rotations[:, 4], body.rotations[:, 4])


def test_a_limb_by_name_by_role_and_by_joints_is_the_same() -> None:
    walk = lm.samples.performer(speed=1.2, seconds=0.5).motion
    arm = walk.skeleton.roles.arms[1]
    goal = walk.joint_positions()[:, arm.wrist] + [0.0, 0.1, 0.1]
    ways = "right arm", arm, ("RightArm", "RightHand"), (arm.shoulder, arm.elbow, arm.wrist)
    first, *others = (ik.reach(walk, way, goal).rotations for way in ways)
    for other in others:
        np.testing.assert_array_equal(first, other)


def swung(frames: int = 240) -> tuple[lm.Motion, np.ndarray]:
    """A walk whose right hand goes out to a place far to the side, stays while the body passes, and comes back."""
    walk = lm.samples.performer(speed=1.0, seconds=4.0, fps=60).motion
    at = walk.joint_positions()
    hand, shoulder = at[:, walk.skeleton.index("RightHand")], at[:, walk.skeleton.index("RightArm")]
    middle = shoulder[len(walk) // 2]
    ahead = rot.rotate(walk.rotations[len(walk) // 2, 0], [0.0, 0.0, 1.0])
    past = (shoulder - middle) @ ahead
    share = np.clip((past + 0.6) / 0.4, 0.0, 1.0) * np.clip((0.6 - past) / 0.3, 0.0, 1.0)
    share = share**2 * (3.0 - 2.0 * share)
    side = rot.rotate(walk.rotations[len(walk) // 2, 0], [-0.3, -0.35, 0.0])
    return walk, hand + share[:, None] * (middle + side - hand)


def test_an_elbow_does_not_flip_and_the_arm_finds_back_to_its_own_pose() -> None:
    walk, goals = swung()
    elbow = walk.skeleton.index("RightForeArm")
    limits = {"RightForeArm": ik.JointLimit.hinge((0, 1, 0), 0.0, 2.6)}
    done = ik.reach(walk, "right arm", goals, limits=limits)
    assert done.success.mean() > 0.9
    turned = rot.distance(done.rotations[1:], done.rotations[:-1])[:, [elbow - 1, elbow]]
    assert np.degrees(turned.max()) < 15.0
    own = np.linalg.norm(goals - walk.joint_positions()[:, elbow + 1], axis=1) < 1e-9
    early = own & (np.arange(len(own)) < 20)
    assert early.sum() == 20
    assert rot.distance(done.rotations[early], walk.rotations[early]).max() < 0.02
    assert rot.distance(done.rotations[-1], walk.rotations[-1]).max() < 0.02


def test_the_frames_of_a_motion_know_nothing_of_those_after_them() -> None:
    walk, goals = swung()
    whole, part = ik.reach(walk, "right arm", goals), ik.reach(walk[:100], "right arm", goals[:100])
    np.testing.assert_array_equal(whole.rotations[:100], part.rotations)


def test_a_motion_whose_goals_are_its_own_places_stays_as_it_is() -> None:
    walk, _ = swung()
    for chain in ("left leg", "right arm", ("Hips", "Head")):
        joint = ik._chains.joints_of(walk.skeleton, chain)[-1]
        done = ik.reach(walk, chain, walk.joint_positions()[:, joint])
        assert np.all(done.steps == 0)
        assert rot.distance(done.rotations, walk.rotations).max() < 1e-6


def test_poses_that_are_handed_back_share_nothing_with_those_given() -> None:
    body = poses(tree(0), 0)
    given_again = lm.Poses(body.skeleton, body.root_positions, body.rotations, known_positions=body.joint_positions())
    done = ik.reach(given_again, ["j1", "j4"], (0.0, 0.0, 0.0))
    np.testing.assert_allclose(done.pose.joint_positions(), judge(done.pose)[0], atol=1e-12)
    assert not np.shares_memory(done.pose.root_positions, body.root_positions)


BODY = poses(tree(1), 1)
BAD = [
    (dict(chain="left wing"), "no limb 'left wing'; known are"),
    (dict(chain=["j1", "elbow"]), "no joint 'elbow'; the joints are: j0, j1"),
    (dict(chain=["j1", 99]), "no joint 99; the joints are 0 to 11"),
    (dict(chain=["j4", "j1"]), "j1 does not hang below j4"),
    (dict(chain=["j4", "j4"]), "j4 does not hang below j4"),
    (dict(chain=["j4"]), "needs a bone to turn"),
    (dict(chain=[]), "needs joints"),
    (dict(goal=(0.0, 0.0)), r"goal: shape \(2,\), expected \(3,\) or \(5, 3\)"),
    (dict(goal=np.zeros((4, 3))), r"goal: shape \(4, 3\), expected \(3,\) or \(5, 3\)"),
    (dict(goal=(0.0, np.nan, 0.0)), "goal: row 0 is not finite"),
    (dict(goal="there"), r"goal: expected numbers of shape \(3,\)"),
    (dict(tip=(1.0, 2.0)), r"tip: shape \(2,\)"),
    (dict(tolerance=0.0), "tolerance 0.0: expected a number above 0"),
    (dict(max_steps=-1), "max_steps -1: expected 0 or more"),
    (dict(limits={"elbow": ik.JointLimit()}), "no joint 'elbow'; the joints are"),
    (dict(body=tree(1)), "expected a Motion or Poses, got Skeleton"),
]


@pytest.mark.parametrize(("wrong", "message"), BAD)
def test_bad_input_is_named(wrong: dict[str, object], message: str) -> None:
    asked: dict[str, object] = {"body": BODY, "chain": ["j1", "j4"], "goal": (0.0, 0.0, 0.0), **wrong}
    with pytest.raises(lm.LocomoteError, match=message) as said:
        ik.reach(**asked)  # type: ignore[arg-type]
    assert "\n" not in str(said.value)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (dict(axis=(0.0, 0.0, 0.0)), "axis .* expected 3 numbers that are not all 0"),
        (dict(axis=(0.0, 1.0)), "axis .* expected 3 numbers"),
        (dict(rest=(0.0, 0.0, 0.0, 0.0)), "rest .* expected 4 numbers"),
        (dict(swing=4.0), "swing 4.0: expected an angle from 0 to pi"),
        (dict(twist=(1.0, -1.0)), "twist 1.0 to -1.0: expected a range within"),
        (dict(twist=(-4.0, 0.0)), "twist -4.0 to 0.0: expected a range within"),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(lm.LocomoteError, match=message):
        ik.JointLimit(**wrong)  # type: ignore[arg-type]
