"""The quaternion batches against `locomote.rotations`, and the laws of the weighted mean."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.math import quaternion as kernels
from locomote.rotations import FloatArray

SEEDS = st.integers(0, 10**6)
COUNT = 50


def turns(seed: int, *shape: int) -> FloatArray:
    return rot.normalize(np.random.default_rng(seed).normal(size=(*shape, 4)))


def means(rotations: FloatArray, weights: FloatArray) -> FloatArray:
    out = np.empty((len(rotations), 4))
    kernels.weighted_mean_batch(rotations, weights, out)
    return out


def clusters(seed: int, count: int = COUNT, members: int = 5, spread: float = 0.3) -> tuple[FloatArray, FloatArray]:
    """Rotations that lie together, with random signs, and weights."""
    r = np.random.default_rng(seed)
    centres = turns(seed, count, 1)
    rotations = rot.multiply(centres, rot.exp(spread * r.normal(size=(count, members, 3))))
    return rotations * r.choice([-1.0, 1.0], size=(count, members, 1)), r.random((count, members))


@given(SEEDS, st.sampled_from([1e-9, 1e-5, 1e-4, 1.0, 3.0]))
def test_exp_and_log_equal_their_twins(seed: int, size: float) -> None:
    vectors = size * rot._unit(np.random.default_rng(seed).normal(size=(COUNT, 3)))
    out, back = np.empty((COUNT, 4)), np.empty((COUNT, 3))
    kernels.exp_batch(vectors, out)
    np.testing.assert_allclose(out, rot.exp(vectors), atol=1e-15)
    kernels.log_batch(out, back)
    np.testing.assert_allclose(back, vectors, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(back, rot.log(out), atol=1e-14)
    kernels.log_batch(-out, back)
    np.testing.assert_allclose(back, vectors, rtol=1e-9, atol=1e-15)


@given(SEEDS)
def test_slerp_equals_its_twin(seed: int) -> None:
    a, b, t = turns(seed, COUNT), turns(seed + 1, COUNT), np.random.default_rng(seed).random(COUNT)
    out = np.empty((COUNT, 4))
    kernels.slerp_batch(a, b, t, out)
    np.testing.assert_allclose(out, rot.slerp(a, b, t), atol=1e-12)


@given(SEEDS)
def test_swing_and_twist_equal_their_twins(seed: int) -> None:
    q, axes = turns(seed, COUNT), rot._unit(np.random.default_rng(seed).normal(size=(COUNT, 3)))
    swings, twists = np.empty((COUNT, 4)), np.empty((COUNT, 4))
    kernels.swing_twist_batch(q, axes, swings, twists)
    for ours, theirs in zip((swings, twists), rot.swing_twist(q, axes), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


@given(SEEDS)
def test_mean_equals_its_twin(seed: int) -> None:
    rotations, weights = clusters(seed)
    theirs = rot.mean(rotations.swapaxes(0, 1), weights.swapaxes(0, 1), rounds=30)
    assert np.all(rot.distance(means(rotations, weights), theirs) < 1e-9)


@given(SEEDS)
def test_mean_moves_with_its_rotations_and_knows_no_order(seed: int) -> None:
    rotations, weights = clusters(seed)
    mean, turn = means(rotations, weights), turns(seed + 1)
    order = np.random.default_rng(seed).permutation(rotations.shape[1])
    for other, expected in [
        (rot.multiply(turn, rotations), rot.multiply(turn, mean)),
        (rot.multiply(rotations, turn), rot.multiply(mean, turn)),
        (rot.inverse(rotations), rot.inverse(mean)),
        (-rotations, mean),
    ]:
        assert np.all(rot.distance(means(other, weights), expected) < 1e-9)
    assert np.all(rot.distance(means(rotations[:, order], weights[:, order]), mean) < 1e-9)
    assert np.all(rot.distance(means(rotations, 7.0 * weights), mean) < 1e-9)


@given(SEEDS)
def test_mean_of_one_weight_is_that_rotation_and_of_two_lies_between(seed: int) -> None:
    rotations, _ = clusters(seed)
    for k in range(rotations.shape[1]):
        weights = np.zeros(rotations.shape[:2])
        weights[:, k] = 0.3
        assert np.all(rot.distance(means(rotations, weights), rotations[:, k]) < 1e-9)
    pair, t = rotations[:, :2], np.random.default_rng(seed).random(COUNT)
    middle = rot.slerp(pair[:, 0], pair[:, 1], t)
    assert np.all(rot.distance(means(pair, np.stack([1 - t, t], axis=1)), middle) < 1e-9)


def test_mean_without_weights_is_the_identity() -> None:
    np.testing.assert_array_equal(means(turns(0, 2, 3), np.zeros((2, 3))), rot.identity(2))
