"""Cyclic coordinate descent with limits: against its twin, and the laws of reach, limits and calm."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.ik._ccd import ChainSolution, solve_chains
from locomote.ik._limits import JointLimits
from locomote.rotations import FloatArray
from tests.math import twins

SEEDS = st.integers(0, 10**6)
LENGTHS = st.integers(1, 7)
FREE = np.array([-np.pi, np.pi])


class Chains(NamedTuple):
    """Chains of one make, and poses within their limits whose tips serve as goals."""

    offsets: FloatArray
    limits: JointLimits
    places: FloatArray
    bases: FloatArray
    poses: FloatArray
    starts: FloatArray

    def tips(self, rotations: FloatArray) -> FloatArray:
        place, turn = self.places, self.bases
        for j in range(rotations.shape[1]):
            turn = rot.multiply(turn, rotations[:, j])
            place = place + rot.rotate(turn, self.offsets[:, j])
        return place

    def solve(self, goals: FloatArray, starts: FloatArray | None = None, **options: float) -> ChainSolution:
        starts = self.starts if starts is None else starts
        return solve_chains(starts, self.offsets, self.places, self.bases, goals, self.limits, **options)


def sample(r: np.random.Generator, count: int, limits: JointLimits, share: float = 1.0) -> FloatArray:
    """Rotations within the limits; a smaller share keeps away from their edges."""
    axes = np.broadcast_to(limits.axes, (count, *limits.axes.shape[1:]))
    side = r.normal(size=axes.shape)
    side = rot._unit(side - axes * np.sum(side * axes, axis=-1, keepdims=True))
    swing = rot.from_axis_angle(side, share * r.random(axes.shape[:-1]) * limits.swing)
    low, high = limits.twist[..., 0], limits.twist[..., 1]
    twist = 0.5 * (low + high) + share * (r.random(axes.shape[:-1]) - 0.5) * (high - low)
    return rot.multiply(limits.rest, rot.multiply(swing, rot.from_axis_angle(axes, twist)))


def chains(seed: int, joints: int, count: int = 8, hinges: bool = False, share: float = 1.0) -> Chains:
    """Legs of a creature: a ball at the hip, then balls or hinges, with random rest rotations and ranges."""
    r = np.random.default_rng(seed)
    offsets = rot._unit(np.array([0.0, -1.0, 0.0]) + 0.2 * r.normal(size=(1, joints, 3)))
    offsets *= r.uniform(0.1, 0.5, size=(1, joints, 1))
    is_hinge = (np.arange(joints) > 0) & hinges
    axes = np.where(is_hinge[:, None], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])[None]
    swing = np.where(is_hinge, 0.0, r.uniform(0.5, 1.4, size=joints))[None]
    twist = np.where(is_hinge[:, None], [-0.2, 2.2], [-0.7, 0.7])[None]
    rest = rot.exp(0.3 * r.normal(size=(1, joints, 3)))
    limits = JointLimits(rest, axes, swing, twist)
    places, bases = r.normal(size=(count, 3)), rot.normalize(r.normal(size=(count, 4)))
    poses, starts = (sample(r, count, limits, share) for _ in range(2))
    return Chains(offsets, limits, places, bases, poses, starts)


def free_chains(seed: int, joints: int, count: int = 8) -> Chains:
    made = chains(seed, joints, count)
    swing, twist = np.full((1, joints), np.pi), np.broadcast_to(FREE, (1, joints, 2))
    return made._replace(limits=replace(made.limits, swing=swing, twist=twist))


def assert_within(limits: JointLimits, rotations: FloatArray) -> None:
    swing, twist = rot.swing_twist(rot.multiply(rot.inverse(limits.rest), rotations), limits.axes)
    angle = np.sum(rot.log(twist) * limits.axes, axis=-1)
    assert np.all(rot.angle(swing) <= limits.swing + 1e-7)
    assert np.all((angle >= limits.twist[..., 0] - 1e-7) & (angle <= limits.twist[..., 1] + 1e-7))


@given(SEEDS, st.integers(1, 4), st.booleans(), st.sampled_from([0.5, 1.0, 1.5]))
@settings(max_examples=10)
def test_equals_its_twin(seed: int, joints: int, hinges: bool, far: float) -> None:
    made = chains(seed, joints, 3, hinges)
    goals = made.places + far * (made.tips(made.poses) - made.places)
    got = made.solve(goals, tolerance=1e-3, max_rounds=6)
    for n in range(3):
        limits = made.limits[0]
        chain = twins.Chain(made.offsets[0], made.places[n], made.bases[n], goals[n], limits)
        rotations, error = twins.ccd(chain, made.starts[n], 1e-3, 6)
        assert got.errors[n] == pytest.approx(error, abs=1e-6)
        assert np.all(rot.distance(got.rotations[n], rotations) < 1e-4)


@pytest.mark.parametrize("hinges", [False, True])
@pytest.mark.parametrize("joints", [2, 3, 4, 6, 8])
def test_what_is_reachable_is_reached_from_anywhere(joints: int, hinges: bool) -> None:
    made = chains(joints, joints, 200, hinges)
    goals = made.tips(made.poses)
    got = made.solve(goals)
    length = np.sum(np.linalg.norm(made.offsets, axis=-1))
    np.testing.assert_allclose(np.linalg.norm(made.tips(got.rotations) - goals, axis=1), got.errors, atol=1e-9)
    np.testing.assert_array_equal(got.solved, got.errors <= 1e-3 * length)
    assert np.mean(got.solved) >= 0.97
    near = made.solve(
        goals, rot.multiply(made.poses, rot.exp(0.05 * np.random.default_rng(1).normal(size=(joints, 3))))
    )
    assert np.mean(near.solved) >= 0.99


@given(SEEDS, LENGTHS, st.booleans(), st.floats(0.0, 3.0))
def test_limits_hold_whatever_the_goal(seed: int, joints: int, hinges: bool, far: float) -> None:
    made = chains(seed, joints, hinges=hinges)
    goals = made.places + far * np.random.default_rng(seed).normal(size=made.places.shape)
    wild = rot.normalize(np.random.default_rng(seed).normal(size=made.starts.shape))
    for rounds in (0, 3, 20):
        assert_within(made.limits, made.solve(goals, wild, max_rounds=rounds).rotations)


@given(SEEDS, LENGTHS, st.booleans(), st.floats(0.0, 2.0))
def test_more_rounds_never_make_it_worse(seed: int, joints: int, hinges: bool, far: float) -> None:
    made = chains(seed, joints, hinges=hinges)
    goals = made.places + far * np.random.default_rng(seed).normal(size=made.places.shape)
    errors = [made.solve(goals, max_rounds=rounds, tolerance=1e-6).errors for rounds in (0, 1, 2, 3, 5, 8, 13, 40)]
    assert np.all(np.diff(errors, axis=0) <= 1e-12)


@given(SEEDS, LENGTHS, st.sampled_from([1.0, 1.01, 1.5, 20.0]))
def test_out_of_reach_the_chain_ends_stretched_towards_the_goal(seed: int, joints: int, far: float) -> None:
    made = free_chains(seed, joints)
    length = np.sum(np.linalg.norm(made.offsets, axis=-1))
    ways = rot._unit(np.random.default_rng(seed).normal(size=made.places.shape))
    got = made.solve(made.places + far * length * ways)
    np.testing.assert_allclose(made.tips(got.rotations), made.places + length * ways, atol=1e-9)


@given(SEEDS, st.integers(3, 6))
def test_a_small_move_of_the_goal_moves_the_joints_little(seed: int, joints: int) -> None:
    made = chains(seed, joints, share=0.5)
    goals = made.tips(made.poses)
    step = 1e-4 * rot._unit(np.random.default_rng(seed).normal(size=goals.shape))
    got = made.solve(goals + step, made.poses, tolerance=1e-7)
    shortest = np.min(np.linalg.norm(made.offsets, axis=-1))
    assert np.all(rot.distance(got.rotations, made.poses) < 30 * 1e-4 / shortest)


@given(SEEDS, st.integers(2, 6), st.booleans())
def test_a_chain_at_its_goal_does_not_move(seed: int, joints: int, hinges: bool) -> None:
    made = chains(seed, joints, hinges=hinges)
    got = made.solve(made.tips(made.poses), made.poses)
    assert np.all(got.rounds == 0)
    assert np.all(rot.distance(got.rotations, made.poses) < 1e-7)


def test_chains_may_bring_their_own_bones_and_limits() -> None:
    one, two = chains(1, 3, 4), chains(2, 3, 4)
    goals = np.concatenate([one.tips(one.poses), two.tips(two.poses)])
    both = solve_chains(
        np.concatenate([one.starts, two.starts]),
        np.concatenate([np.repeat(made.offsets, 4, axis=0) for made in (one, two)]),
        np.concatenate([one.places, two.places]),
        np.concatenate([one.bases, two.bases]),
        goals,
        JointLimits(
            *(
                np.concatenate([np.repeat(getattr(made.limits, part), 4, axis=0) for made in (one, two)])
                for part in ("rest", "axes", "swing", "twist")
            )
        ),
    )
    np.testing.assert_array_equal(both.rotations[:4], one.solve(goals[:4]).rotations)
    np.testing.assert_array_equal(both.rotations[4:], two.solve(goals[4:]).rotations)


def test_strange_chains_yield_numbers() -> None:
    made = free_chains(0, 3, 2)
    for offsets in (0.0 * made.offsets, made.offsets):
        for goals in (made.places, made.places + 1e9, made.tips(made.starts)):
            odd = made._replace(offsets=offsets)
            got = odd.solve(goals)
            assert np.all(np.isfinite(got.rotations))
            assert np.all(np.isfinite(got.errors))
