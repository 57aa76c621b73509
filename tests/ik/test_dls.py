"""Prioritised damped least squares on a tree: against its twin, and the laws of priority, reach and calm."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.ik._dls import PointGoals, TreeSolution, solve_trees
from locomote.ik._limits import JointLimits
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from tests.math import twins

SEEDS = st.integers(0, 10**6)


def body() -> tuple[IntArray, FloatArray, list[int]]:
    """A person of 31 joints, and the joints of the two hips."""
    parents, offsets = [-1], [(0.0, 0.0, 0.0)]

    def grow(parent: int, bones: list[tuple[float, float, float]]) -> int:
        for bone in bones:
            parents.append(parent)
            offsets.append(bone)
            parent = len(parents) - 1
        return parent

    hips = []
    for side in (1.0, -1.0):
        hips.append(len(parents))
        leg = [
            (0.1 * side, -0.05, 0.0),
            (0.0, -0.43, 0.0),
            (0.0, -0.42, 0.0),
            (0.0, -0.07, 0.12),
            (0.0, 0.0, 0.05),
        ]
        grow(0, leg)
    chest = grow(0, [(0.0, 0.12, 0.0)] * 4)
    for side in (1.0, -1.0):
        grow(chest, [(length * side, 0.0, 0.0) for length in (0.05, 0.12, 0.28, 0.25, 0.05, 0.04, 0.03)])
    grow(chest, [(0.0, 0.15, 0.0), (0.0, 0.08, 0.0)])
    return np.array(parents), np.array(offsets), hips


PARENTS, OFFSETS, HIPS = body()
JOINTS = len(PARENTS)
# Heel and ball of either foot.
GOAL_JOINTS = np.array([HIPS[0] + 2, HIPS[0] + 3, HIPS[1] + 2, HIPS[1] + 3])
GOAL_POINTS = np.array([[0.0, -0.07, -0.05], [0.0, 0.0, 0.0]] * 2)
ALL_EQUAL, HEELS_FIRST = np.array([0, 0, 0, 0]), np.array([0, 1, 0, 1])
LEGS = np.zeros((JOINTS, 3))
for _hip in HIPS:
    LEGS[_hip], LEGS[_hip + 1, 0], LEGS[_hip + 2] = 1.0, 1.0, 1.0


class Crowd(NamedTuple):
    roots: FloatArray
    poses: FloatArray

    def points(self, rotations: FloatArray) -> FloatArray:
        positions, world = twins.forward_kinematics(PARENTS, OFFSETS[None], self.roots, rotations)
        return positions[:, GOAL_JOINTS] + rot.rotate(world[:, GOAL_JOINTS], GOAL_POINTS)

    def solve(
        self,
        goals: FloatArray,
        levels: IntArray = HEELS_FIRST,
        freedom: FloatArray = LEGS,
        weights: FloatArray | None = None,
        limits: JointLimits | None = None,
        rounds: int = 16,
    ) -> TreeSolution:
        weights = np.ones(goals.shape[:2]) if weights is None else weights
        asked = PointGoals(GOAL_JOINTS, GOAL_POINTS, goals, weights, levels)
        return solve_trees(PARENTS, OFFSETS, self.roots, self.poses, asked, freedom, limits, rounds=rounds)


def crowd(seed: int, count: int = 6) -> Crowd:
    """People with bent knees."""
    r = np.random.default_rng(seed)
    poses = rot.exp(0.15 * r.normal(size=(count, JOINTS, 3)))
    for hip in HIPS:
        bend = r.uniform(0.4, 1.0, size=(count, 1))
        poses[:, hip] = rot.multiply(rot.exp([[-0.4, 0.0, 0.0]]), poses[:, hip])
        poses[:, hip + 1] = rot.exp(bend * np.array([1.0, 0.0, 0.0]))
    return Crowd(r.normal(size=(count, 3)), poses)


def other_pose(people: Crowd, seed: int, freedom: FloatArray, size: float) -> FloatArray:
    turn = size * freedom * np.random.default_rng(seed).normal(size=(*people.poses.shape[:2], 3))
    return rot.multiply(people.poses, rot.exp(turn))


@given(SEEDS, st.sampled_from([0.05, 0.5]), st.sampled_from(["equal", "heels first"]))
@settings(max_examples=10)
def test_equals_its_twin(seed: int, size: float, order: str) -> None:
    people, levels = crowd(seed, 2), ALL_EQUAL if order == "equal" else HEELS_FIRST
    r = np.random.default_rng(seed)
    freedom, weights = LEGS * r.uniform(0.2, 1.0, size=LEGS.shape), r.uniform(0.2, 1.0, size=(2, 4))
    weights[1, 2] = 0.0
    goals = people.points(people.poses) + size * r.normal(size=(2, 4, 3))
    got = people.solve(goals, levels, freedom, weights, rounds=5).rotations
    for n in range(2):
        q = people.poses[n]
        for left in (5, 4, 3, 2, 1):
            q = twins.dls_round(
                PARENTS,
                OFFSETS,
                people.roots[n],
                q,
                GOAL_JOINTS,
                GOAL_POINTS,
                goals[n],
                weights[n],
                levels,
                freedom,
                0.02,
                min(max(levels) + 1, (left + 2) // 3),
            )
        assert np.all(rot.distance(got[n], q) < 1e-6)


@given(SEEDS, st.sampled_from(["equal", "heels first"]), st.booleans())
def test_what_is_feasible_is_reached(seed: int, order: str, whole_body: bool) -> None:
    people, levels = crowd(seed), ALL_EQUAL if order == "equal" else HEELS_FIRST
    freedom = np.ones((JOINTS, 3)) if whole_body else LEGS
    goals = people.points(other_pose(people, seed, freedom, 0.15))
    got = people.solve(goals, levels, freedom, rounds=32)
    assert np.all(got.errors < 1e-3)
    np.testing.assert_allclose(np.linalg.norm(people.points(got.rotations) - goals, axis=-1), got.errors, atol=1e-9)


@given(SEEDS, st.sampled_from([0.0, 0.05, 0.2, 1.0]))
def test_a_lower_level_does_not_spoil_a_higher_one(seed: int, size: float) -> None:
    people, heels, balls = crowd(seed), [0, 2], [1, 3]
    goals = people.points(other_pose(people, seed, LEGS, 0.15))
    goals[:, balls] += size * np.random.default_rng(seed).normal(size=(len(goals), 2, 3))  # not to be had
    heels_only = np.tile([1.0, 0.0, 1.0, 0.0], (len(goals), 1))
    alone = people.solve(goals, weights=heels_only, rounds=32).errors
    together = people.solve(goals, rounds=32).errors
    assert np.all(together[:, heels] < alone[:, heels] + 2e-3)
    # And the lower level gets what the higher one leaves.
    assert np.mean(together[:, balls]) <= np.mean(alone[:, balls]) + 1e-3


@given(SEEDS)
def test_only_free_axes_turn(seed: int) -> None:
    people = crowd(seed)
    goals = people.points(people.poses) + 0.1 * np.random.default_rng(seed).normal(size=(len(people.poses), 4, 3))
    turn = rot.log(rot.multiply(rot.inverse(people.poses), people.solve(goals).rotations))
    locked = np.all(LEGS == 0.0, axis=1)
    np.testing.assert_allclose(turn[:, locked], 0.0, atol=1e-12)
    for hip in HIPS:
        np.testing.assert_allclose(turn[:, hip + 1, 1:], 0.0, atol=1e-9)


@given(SEEDS, st.floats(0.5, 100.0))
def test_goals_out_of_reach_leave_the_body_calm(seed: int, far: float) -> None:
    people = crowd(seed)
    goals = people.points(people.poses) + far * rot._unit(np.random.default_rng(seed).normal(size=(4, 3)))
    one, next_one = (people.solve(goals, rounds=rounds) for rounds in (40, 41))
    assert np.all(np.isfinite(one.rotations))
    # A shaking limb would turn by half a radian each round; a slow drift towards the best pose remains.
    assert np.max(rot.distance(one.rotations, next_one.rotations)) < 0.3
    assert np.max(np.abs(one.errors - next_one.errors)[:, [0, 2]]) < 2e-3


@given(SEEDS, st.integers(1, 3))
def test_a_stretched_leg_takes_bounded_steps(seed: int, rounds: int) -> None:
    people = crowd(seed)
    for hip in HIPS:
        people.poses[:, hip + 1] = rot.exp(1e-6 * np.array([1.0, 0.0, 0.0]))
    goals = people.points(people.poses) + 0.2 * np.random.default_rng(seed).normal(size=(len(people.poses), 4, 3))
    got = people.solve(goals, rounds=rounds)
    assert np.all(rot.distance(people.poses, got.rotations) <= rounds * 0.5 * np.sqrt(3.0) + 1e-9)


@given(SEEDS, st.sampled_from([0.1, 1.0]))
def test_a_small_move_of_the_goals_moves_the_joints_little(seed: int, size: float) -> None:
    people, r = crowd(seed), np.random.default_rng(seed)
    goals = people.points(people.poses) + size * r.normal(size=(len(people.poses), 4, 3))
    nudge = 1e-6 * r.normal(size=goals.shape)
    moved = rot.distance(people.solve(goals).rotations, people.solve(goals + nudge).rotations)
    assert np.max(moved) < 2e-3


@given(SEEDS)
def test_limits_hold(seed: int) -> None:
    people = crowd(seed)
    axes = np.tile([0.0, 1.0, 0.0], (JOINTS, 1))
    swing, twist = np.full(JOINTS, 0.6), np.tile([-0.3, 0.3], (JOINTS, 1))
    for hip in HIPS:
        axes[hip + 1], swing[hip + 1], twist[hip + 1] = [1.0, 0.0, 0.0], 0.0, [0.0, 2.0]
    limits = JointLimits(rot.identity(JOINTS), axes, swing, twist)
    goals = people.points(people.poses) + 0.3 * np.random.default_rng(seed).normal(size=(len(people.poses), 4, 3))
    got = people.solve(goals, limits=limits).rotations
    for joint in (j for hip in HIPS for j in range(hip, hip + 3)):
        swings, twists = rot.swing_twist(got[:, joint], axes[joint])
        angles = rot.log(twists) @ axes[joint]
        assert np.all(rot.angle(swings) <= swing[joint] + 1e-7)
        assert np.all((angles >= twist[joint, 0] - 1e-7) & (angles <= twist[joint, 1] + 1e-7))


@pytest.mark.parametrize("weights", [0.0, 1.0])
def test_without_goals_or_freedom_nothing_moves(weights: float) -> None:
    people = crowd(0)
    goals = people.points(people.poses) + 1.0
    freedom = LEGS if weights == 0.0 else 0.0 * LEGS
    got = people.solve(goals, freedom=freedom, weights=np.full((len(goals), 4), weights))
    np.testing.assert_allclose(got.rotations, people.poses, atol=1e-12)
    np.testing.assert_allclose(got.errors, np.sqrt(3.0))
