"""Several points of a body reach for goals at once: the laws of error, priority, limits and batch, judged by SciPy."""

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


@given(SEEDS, st.booleans(), st.sampled_from(["poses", "scaled", "motion", "slid"]))
def test_what_holds_for_any_goals(seed: int, limited: bool, kind: str) -> None:
    skeleton = tree(seed)
    body: lm.Motion | lm.Poses
    if kind in ("poses", "scaled"):
        body = poses(skeleton, seed, scales=kind == "scaled")
    else:
        body = motion(skeleton, seed, 4, translations=kind == "slid")
    r = np.random.default_rng(seed)
    places = body.joint_positions()
    free = [2, 3, 4, 5, 10]  # 10 is the twig on joint 3
    limits = random_limits(skeleton, seed, free[:-1]) if limited else {}
    point = np.array([0.05, 0.0, 0.1])
    goals = [
        ik.Goal("j6", places[:, 6] + 0.1 * r.normal(size=(len(body), 3))),
        ik.Goal(10, places[0, 10], point=point, priority=7, weight=np.linspace(0.0, 1.0, len(body))),
    ]
    before = body.rotations.copy()
    done = ik.solve(body, goals, joints=free, limits=limits)

    at, turns = judge(done.pose)
    sizes = body.scales if isinstance(body, lm.Poses) and body.scales is not None else np.ones(len(body))
    np.testing.assert_allclose(np.linalg.norm(at[:, 6] - goals[0].position, axis=1), done.error[:, 0], atol=1e-9)
    tips = at[:, 10] + turns[10].apply(point) * sizes[:, None]  # a point of a larger body is further out
    np.testing.assert_allclose(np.linalg.norm(tips - places[0, 10], axis=1), done.error[:, 1], atol=1e-9)
    np.testing.assert_allclose(bone_lengths(done.pose), bone_lengths(body), atol=1e-9)
    np.testing.assert_array_equal(done.success, done.error <= 1e-3)
    assert done.error.shape == (len(body), 2)
    assert np.all(done.steps == 16)
    others = [j for j in range(len(skeleton)) if j not in free]
    np.testing.assert_array_equal(done.rotations[:, others], before[:, others])
    np.testing.assert_array_equal(body.rotations, before)
    assert_within(done.pose, limits)


@given(SEEDS)
def test_goals_that_another_pose_meets_are_met(seed: int) -> None:
    skeleton = tree(seed)
    body = poses(skeleton, seed)
    turns = rot.multiply(
        body.rotations, rot.exp(0.1 * np.random.default_rng(seed).normal(size=(*body.rotations.shape[:2], 3)))
    )
    turns[:, 0] = body.rotations[:, 0]
    other, _ = judge(lm.Poses(skeleton, body.root_positions, turns))
    done = ik.solve(body, [ik.Goal("j4", other[:, 4]), ik.Goal("j8", other[:, 8])], steps=32)
    assert done.success.all()


@given(SEEDS)
def test_a_batch_is_the_same_as_one_by_one(seed: int) -> None:
    skeleton = tree(seed)
    body = poses(skeleton, seed, scales=True)
    goals = body.joint_positions()[:, [4, 8]] + 0.1
    together = ik.solve(body, [ik.Goal("j4", goals[:, 0]), ik.Goal("j8", goals[:, 1], priority=1)])
    assert body.scales is not None
    for n in range(len(body)):
        one = lm.Poses(skeleton, body.root_positions[n : n + 1], body.rotations[n : n + 1], body.scales[n : n + 1])
        alone = ik.solve(one, [ik.Goal("j4", goals[n, 0]), ik.Goal("j8", goals[n, 1], priority=1)])
        np.testing.assert_array_equal(alone.rotations[0], together.rotations[n])


@given(SEEDS, st.floats(0.1, 2.0))
def test_what_comes_first_is_not_spoilt_by_what_comes_later(seed: int, far: float) -> None:
    skeleton = tree(seed)
    body = poses(skeleton, seed)
    places = body.joint_positions()
    first = ik.Goal("j4", places[:, 4] + 0.05)
    alone = ik.solve(body, [first], steps=32).error[:, 0]
    for early, late in ((0, 1), (-3, 12)):
        both = [ik.Goal("j8", places[:, 8] + far, priority=late), ik.Goal("j4", first.position, priority=early)]
        assert np.all(ik.solve(body, both, steps=32).error[:, 1] < alone + 0.01)


def test_a_mapping_says_how_freely_joints_turn() -> None:
    body = poses(tree(3), 3)
    goal = ik.Goal("j6", body.joint_positions()[:, 6] + 0.1)
    done = ik.solve(body, [goal], joints={"j1": 0.0, "j2": 0.1, "j4": 1.0})
    turned = rot.distance(done.rotations, body.rotations).max(axis=0)
    np.testing.assert_array_equal(done.rotations[:, [0, 1, 3, 5]], body.rotations[:, [0, 1, 3, 5]])
    assert 0.0 < turned[2] < turned[4]
    weak = ik.solve(body, [ik.Goal("j6", goal.position, weight=0.0)])
    np.testing.assert_allclose(weak.rotations, body.rotations, atol=1e-12)


def test_the_root_turns_only_if_it_is_asked_to() -> None:
    body = poses(tree(4), 4)
    goal = ik.Goal("j3", body.joint_positions()[:, 3] + 0.1)
    still, turning = ik.solve(body, [goal]), ik.solve(body, [goal], joints=["j0"])
    np.testing.assert_array_equal(still.rotations[:, 0], body.rotations[:, 0])
    assert rot.distance(turning.rotations[:, 0], body.rotations[:, 0]).min() > 0.0
    np.testing.assert_array_equal(turning.pose.root_positions, body.root_positions)


BODY = poses(tree(1), 1)
GOAL = ik.Goal("j3", (0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("goals", "options", "message"),
    [
        ([], {}, "goals: expected at least one"),
        ([ik.Goal("hand", (0, 0, 0))], {}, "no joint 'hand'; the joints are: j0, j1"),
        ([GOAL, ik.Goal("j3", (0, 0))], {}, r"goal 1, position: shape \(2,\), expected \(3,\) or \(5, 3\)"),
        ([ik.Goal("j3", (0, 0, 0), point=(1.0,))], {}, r"goal 0, point: shape \(1,\)"),
        ([ik.Goal("j3", (0, 0, 0), weight=-1.0)], {}, "goal 0, weight -1.0: expected 0 or more"),
        ([ik.Goal("j3", (0, 0, 0), weight=(1.0, 2.0))], {}, "goal 0, weight: shape"),
        ([GOAL], dict(joints=["neck"]), "no joint 'neck'"),
        ([GOAL], dict(joints={"j1": 2.0}), "joints, j1: 2.0, expected a share from 0 to 1"),
        ([GOAL], dict(limits={"neck": ik.JointLimit()}), "no joint 'neck'"),
        ([GOAL], dict(steps=-1), "steps -1: expected 0 or more"),
        ([GOAL], dict(damping=0.0), "damping 0.0: expected a number above 0"),
        ([GOAL], dict(tolerance=float("nan")), "tolerance nan: expected a number above 0"),
    ],
)
def test_bad_input_is_named(goals: list[ik.Goal], options: dict[str, object], message: str) -> None:
    with pytest.raises(lm.LocomoteError, match=message) as said:
        ik.solve(BODY, goals, **options)  # type: ignore[arg-type]
    assert "\n" not in str(said.value)
