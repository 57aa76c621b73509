"""Limbs of two bones on bodies: exact where they can be, knees and elbows to their proper side, judged by SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import locomote as lm
from locomote import ik
from locomote import rotations as rot
from locomote.rotations import FloatArray
from tests.ik.bodies import bone_lengths, judge, motion, poses, tree, turn_of

SEEDS = st.integers(0, 10**6)
LIMBS = ("left leg", "right leg", "left arm", "right arm")
# Upper, middle and end joint of a limb, with what lies between them.
THREE = [(["j1", "j2", "j3"], (1, 2, 3)), (["j0", "j2", "j5"], (0, 2, 5)), (["j4", "j6"], (4, 5, 6))]


def person(count: int = 1) -> lm.Poses:
    """Stands in T-pose: all limbs are straight."""
    skeleton = lm.samples.human_skeleton(0.9)
    roots = np.tile(skeleton.offsets[:1], (count, 1))
    return lm.Poses(skeleton, roots, np.tile(skeleton.rest_rotations, (count, 1, 1)))


def off_line(places: FloatArray, limb: tuple[int, int, int]) -> FloatArray:
    """The part of hip to knee that is square to the line from hip to ankle."""
    hip, knee, ankle = (places[:, j] for j in limb)
    line = (ankle - hip) / np.linalg.norm(ankle - hip, axis=1, keepdims=True)
    return knee - hip - line * np.sum((knee - hip) * line, axis=1, keepdims=True)


@given(SEEDS, st.sampled_from(THREE), st.sampled_from(["poses", "scaled", "motion", "slid"]), st.booleans())
def test_what_holds_for_any_goal(
    seed: int, named: tuple[list[str], tuple[int, int, int]], kind: str, pole: bool
) -> None:
    names, (upper, middle, end) = named
    skeleton = tree(seed)
    body: lm.Motion | lm.Poses
    if kind in ("poses", "scaled"):
        body = poses(skeleton, seed, scales=kind == "scaled")
    else:
        body = motion(skeleton, seed, 8, translations=kind == "slid")
    r = np.random.default_rng(seed)
    goals = body.joint_positions()[:, upper] + 0.3 * r.normal(size=(len(body), 3))
    poles = r.normal(size=(len(body), 3)) if pole else None
    before = body.rotations.copy()
    done = ik.two_bone(body, names, goals, pole=poles)

    places, _ = judge(done.pose)
    was, _ = judge(body)
    error = np.linalg.norm(places[:, end] - goals, axis=1)
    np.testing.assert_allclose(error, done.error, atol=1e-9)
    np.testing.assert_allclose(bone_lengths(done.pose), bone_lengths(body), atol=1e-9)
    np.testing.assert_array_equal(done.success, done.error <= 1e-4)
    others = [j for j in range(len(skeleton)) if j not in (upper, middle)]
    np.testing.assert_array_equal(done.rotations[:, others], before[:, others])
    a = np.linalg.norm(was[:, middle] - was[:, upper], axis=1)
    b = np.linalg.norm(was[:, end] - was[:, middle], axis=1)
    far = np.linalg.norm(goals - was[:, upper], axis=1)
    np.testing.assert_allclose(error, np.maximum(np.maximum(far - a - b, np.abs(a - b) - far), 0.0), atol=1e-9)
    if poles is not None:
        assert np.all(np.sum(off_line(places, (upper, middle, end)) * poles, axis=1) > -1e-3)


@pytest.mark.parametrize("limb", LIMBS)
def test_a_straight_knee_bends_forwards_and_a_straight_elbow_back(limb: str) -> None:
    body = person()
    upper, middle, end, _ = ik._chains.limb_of(body.skeleton, limb)
    places = body.joint_positions()
    done = ik.two_bone(body, limb, 0.3 * places[0, upper] + 0.7 * places[0, end])
    assert done.success.all()
    side = off_line(judge(done.pose)[0], (upper, middle, end))[0]
    assert side[2] * (1.0 if "leg" in limb else -1.0) > 0.99 * np.linalg.norm(side) > 0.1


@pytest.mark.parametrize("bend", [-0.08, -0.03, 0.0, 0.03, 0.3])
def test_a_knee_that_is_pushed_through_a_little_bends_forwards_without_a_twist(bend: float) -> None:
    body = person()
    leg = body.skeleton.roles.leg("left")
    body.rotations[:, leg.knee] = rot.exp([bend, 0.0, 0.0])  # positive bends
    places = body.joint_positions()
    done = ik.two_bone(body, "left leg", places[0, leg.ankle] + [0.0, 0.12, 0.0])
    side = off_line(judge(done.pose)[0], (leg.hip, leg.knee, leg.ankle))[0]
    assert side[2] > 0.95 * np.linalg.norm(side)
    turned = rot.log(done.rotations[0, [leg.hip, leg.knee]])
    np.testing.assert_allclose(turned[:, 1:], 0.0, atol=1e-6)


@given(SEEDS)
def test_a_bent_limb_at_its_goal_stays_as_it_is(seed: int) -> None:
    body = poses(tree(seed), seed)
    body.rotations[:, 2] = rot.multiply(body.rotations[:, 2], rot.exp([1.0, 0.0, 0.0]))
    places = body.joint_positions()
    sine = np.linalg.norm(off_line(places, (1, 2, 3)), axis=1)
    clear = sine > 0.05 * np.linalg.norm(body.skeleton.offsets[[2, 3]], axis=1).sum()
    done = ik.two_bone(body, ["j1", "j2", "j3"], places[:, 3])
    assert rot.distance(done.rotations, body.rotations)[clear].max(initial=0.0) < 1e-6


def test_a_batch_is_the_same_as_one_by_one() -> None:
    walk = lm.samples.performer(speed=1.3, seconds=0.5).motion
    goals = walk.joint_positions()[:, walk.skeleton.roles.leg("left").ankle] + [0.0, 0.05, 0.1]
    whole = ik.two_bone(walk, "left leg", goals)
    for n in range(0, len(walk), 7):
        alone = ik.two_bone(walk[n : n + 1], "left leg", goals[n])
        np.testing.assert_allclose(alone.rotations[0], whole.rotations[n], atol=1e-12)


def test_a_foot_goes_along_is_kept_or_turned() -> None:
    walk = lm.samples.performer(speed=1.3, seconds=0.5).motion
    ankle = walk.skeleton.roles.leg("right").ankle
    places, turns = judge(walk)
    goals = places[:, ankle] + [0.0, 0.1, 0.0]
    along, kept, turned = (
        ik.two_bone(walk, "right leg", goals, rotation=rotation) for rotation in (None, "keep", (0.0, 0.0, 1.0, 0.0))
    )
    np.testing.assert_array_equal(along.rotations[:, ankle], walk.rotations[:, ankle])
    assert (judge(kept.pose)[1][ankle].inv() * turns[ankle]).magnitude().max() < 1e-7
    half_turn = turn_of(np.array([0.0, 0.0, 1.0, 0.0]))
    assert (judge(turned.pose)[1][ankle].inv() * half_turn).magnitude().max() < 1e-7


def test_a_soft_limb_never_stretches_fully() -> None:
    body = person()
    leg = body.skeleton.roles.leg("left")
    far = body.joint_positions()[0, leg.hip] + [0.0, -0.95, 0.2]
    for softness, straight in ((0.0, True), (0.05, False)):
        places, _ = judge(ik.two_bone(body, "left leg", far, softness=softness).pose)
        stretch = np.linalg.norm(places[0, leg.ankle] - places[0, leg.hip]) / 0.9
        assert bool(stretch > 1.0 - 1e-9) is straight


def test_every_leg_of_a_quadruped_has_a_name() -> None:
    wolf = lm.creatures.Crowd("wolf").record(seconds=0.1)
    for limb in ("left leg", "right leg", "left leg 1", "right leg 1"):
        upper, middle, end, _ = ik._chains.limb_of(wolf.skeleton, limb)
        places = wolf.joint_positions()
        goals = places[:, end] + 0.1 * (places[:, upper] - places[:, end])
        done = ik.two_bone(wolf, limb, goals)
        assert done.success.all()
        before, after = (off_line(at, (upper, middle, end)) for at in (places, judge(done.pose)[0]))
        assert np.all(np.sum(before * after, axis=1) > 0.0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (dict(limb="third arm"), "no limb 'third arm'; known are: left arm, right arm, left leg, right leg; or name"),
        (dict(limb=["LeftUpLeg", "Knee", "LeftFoot"]), "no joint 'Knee'; the joints are: Hips, Spine"),
        (
            dict(limb=["LeftUpLeg", "LeftToeBase"]),
            "two bones has three joints.*got LeftUpLeg, LeftLeg, LeftFoot, LeftToe",
        ),
        (dict(limb=["LeftUpLeg", "RightLeg", "LeftFoot"]), "RightLeg does not hang below LeftUpLeg"),
        (dict(goal=np.zeros((2, 2))), r"goal: shape \(2, 2\), expected \(3,\) or \(1, 3\)"),
        (dict(pole=(1.0,)), r"pole: shape \(1,\)"),
        (dict(rotation="kept"), r"rotation: expected numbers of shape \(4,\) or \(1, 4\)"),
        (dict(rotation=(1.0, 0.0, 0.0)), r"rotation: shape \(3,\), expected \(4,\)"),
        (dict(softness=1.5), "softness 1.5: expected a fraction from 0 to 1"),
        (dict(tolerance=-1.0), "tolerance -1.0: expected a number above 0"),
    ],
)
def test_bad_input_is_named(wrong: dict[str, object], message: str) -> None:
    asked: dict[str, object] = {"body": person(), "limb": "left leg", "goal": (0.0, 0.0, 0.0), **wrong}
    with pytest.raises(lm.LocomoteError, match=message) as said:
        ik.two_bone(**asked)  # type: ignore[arg-type]
    assert "\n" not in str(said.value)
