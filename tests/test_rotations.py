"""The laws of rotations, and SciPy as an independent judge."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

SEEDS = st.integers(0, 10**6)
COUNT = 30
ORDERS = ["".join(order) for order in itertools.permutations("xyz")]


def turns(seed: int, *shape: int) -> FloatArray:
    return rot.normalize(np.random.default_rng(seed).normal(size=(*(shape or (COUNT,)), 4)))


def vectors(seed: int, size: float = 1.0) -> FloatArray:
    return size * np.random.default_rng(seed).normal(size=(COUNT, 3))


def same(a: FloatArray, b: FloatArray, tolerance: float = 1e-9) -> bool:
    return bool(np.all(rot.distance(a, b) < tolerance))


def judge(q: FloatArray) -> Rotation:
    return Rotation.from_quat(np.roll(q, -1, axis=-1))


def ours(r: Rotation) -> FloatArray:
    return np.roll(r.as_quat(), 1, axis=-1)


@given(SEEDS)
def test_product_inverse_and_rotation_agree_with_scipy(seed: int) -> None:
    a, b, v = turns(seed), turns(seed + 1), vectors(seed)
    assert same(rot.multiply(a, b), ours(judge(a) * judge(b)))
    assert same(rot.inverse(a), ours(judge(a).inv()))
    np.testing.assert_allclose(rot.rotate(a, v), judge(a).apply(v), atol=1e-12)
    np.testing.assert_allclose(rot.rotate(rot.multiply(a, b), v), rot.rotate(a, rot.rotate(b, v)), atol=1e-12)
    np.testing.assert_allclose(rot.distance(a, b), (judge(a).inv() * judge(b)).magnitude(), atol=1e-9)


@pytest.mark.parametrize(
    ("first", "second"),
    [((9000, 10), (9000, 10)), ((), (90_000,)), ((10,), (9000, 10)), ((9000, 1), (9000, 10)), ((1, 90_000), (1, 1))],
)
def test_large_products_are_those_of_their_pieces(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    r = np.random.default_rng(0)
    a, b, v = r.normal(size=(*first, 4)), r.normal(size=(*second, 4)), r.normal(size=(*second, 3))
    product, turned = rot.multiply(a, b), rot.rotate(a, v)
    shape = np.broadcast_shapes(first, second)
    assert product.shape == (*shape, 4)
    assert turned.shape == (*shape, 3)
    for place in (0, len(product) // 3, len(product) - 1):
        one = np.broadcast_to(a, (*shape, 4))[place]
        assert np.array_equal(product[place], rot.multiply(one, np.broadcast_to(b, (*shape, 4))[place]))
        assert np.array_equal(turned[place], rot.rotate(one, np.broadcast_to(v, (*shape, 3))[place]))


@given(SEEDS)
def test_matrices_agree_with_scipy_and_come_back(seed: int) -> None:
    q = turns(seed)
    np.testing.assert_allclose(rot.to_matrix(q), judge(q).as_matrix(), atol=1e-12)
    np.testing.assert_allclose(rot.from_matrix(rot.to_matrix(q)), rot.canonical(q), atol=1e-12)


def test_matrices_of_half_turns_come_back() -> None:
    axes = rot._unit(np.concatenate([np.eye(3), np.ones((1, 3)), [[1.0, -2.0, 0.0]]]))
    q = rot.from_axis_angle(axes, np.pi)
    assert same(rot.from_matrix(rot.to_matrix(q)), q, 1e-7)


@given(SEEDS, st.sampled_from([0.0, 1e-12, 1e-5, 1e-4, 0.5, 3.0]))
def test_exp_and_log_undo_each_other(seed: int, size: float) -> None:
    v = size * rot._unit(vectors(seed))
    q = rot.exp(v)
    np.testing.assert_allclose(q, rot.canonical(ours(Rotation.from_rotvec(v))), atol=1e-12)
    np.testing.assert_allclose(rot.log(q), v, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(rot.log(-q), v, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(rot.angle(q), size, rtol=1e-9, atol=1e-15)


@given(SEEDS)
def test_both_signs_are_the_same_rotation(seed: int) -> None:
    q, v = turns(seed), vectors(seed)
    np.testing.assert_allclose(rot.rotate(-q, v), rot.rotate(q, v), atol=1e-12)
    assert same(q, -q)
    assert np.all(rot.canonical(q)[:, 0] >= 0.0)
    flipped = q * np.random.default_rng(seed).choice([-1.0, 1.0], size=(COUNT, 1))
    smooth = rot.continuous(flipped)
    assert same(smooth, q)
    assert np.all(np.sum(smooth[1:] * smooth[:-1], axis=-1) >= 0.0)


@given(SEEDS)
def test_slerp_starts_ends_and_runs_at_constant_speed(seed: int) -> None:
    a, b = turns(seed), turns(seed + 1)
    assert same(rot.slerp(a, b, np.zeros(COUNT)), a)
    assert same(rot.slerp(a, b, np.ones(COUNT)), b)
    t = np.random.default_rng(seed).random(COUNT)
    at = rot.slerp(a, b, t)
    np.testing.assert_allclose(rot.distance(a, at), t * rot.distance(a, b), atol=1e-9)
    assert same(at, rot.slerp(b, a, 1.0 - t), 1e-7)
    judged = Slerp([0.0, 1.0], judge(np.stack([a[0], b[0]])))(t[0])
    assert same(at[0], ours(judged), 1e-7)


@given(SEEDS)
def test_swing_and_twist_recombine(seed: int) -> None:
    q, axis = turns(seed), rot._unit(vectors(seed))
    swing, twist = rot.swing_twist(q, axis)
    assert same(rot.multiply(swing, twist), q)
    np.testing.assert_allclose(np.cross(twist[:, 1:], axis), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.sum(swing[:, 1:] * axis, axis=-1), 0.0, atol=1e-12)
    np.testing.assert_allclose(rot.rotate(swing, axis), rot.rotate(q, axis), atol=1e-12)


@given(SEEDS)
def test_between_turns_one_direction_into_the_other_by_the_least_angle(seed: int) -> None:
    a, b = vectors(seed), vectors(seed + 1, 5.0)
    q = rot.between(a, b)
    np.testing.assert_allclose(rot.rotate(q, rot._unit(a)), rot._unit(b), atol=1e-9)
    np.testing.assert_allclose(rot.angle(q), np.arccos(np.sum(rot._unit(a) * rot._unit(b), axis=-1)), atol=1e-7)
    np.testing.assert_allclose(rot.rotate(rot.between(a, -a), a), -a, atol=1e-9)
    assert same(rot.between(a, 3.0 * a), rot.identity(COUNT), 1e-7)


@given(SEEDS)
def test_mean_agrees_with_scipy_on_tight_clusters_and_obeys_its_laws(seed: int) -> None:
    r = np.random.default_rng(seed)
    q = rot.multiply(turns(seed, 1), rot.exp(0.02 * r.normal(size=(7, 3))))
    q *= r.choice([-1.0, 1.0], size=(7, 1))
    w = r.random(7)
    mean = rot.mean(q, w)
    assert same(mean, ours(judge(q).mean(w)), 1e-4)
    turn = turns(seed + 1, 1)[0]
    assert same(rot.mean(rot.multiply(turn, q), w), rot.multiply(turn, mean))
    assert same(rot.mean(rot.multiply(q, turn), w), rot.multiply(mean, turn))
    order = r.permutation(7)
    assert same(rot.mean(q[order], w[order]), mean)
    assert same(rot.mean(q, np.eye(7)[3]), q[3])
    assert same(rot.mean(np.stack([q, q], axis=1), w), np.stack([mean, mean]))


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_agree_with_scipy_and_come_back(order: str) -> None:
    angles = np.random.default_rng(4).uniform(-1.5, 1.5, size=(COUNT, 3))
    q = rot.from_euler(order, angles)
    assert same(q, ours(Rotation.from_euler(order.upper(), angles)))
    np.testing.assert_allclose(rot.to_euler(order, q), angles, atol=1e-9)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("middle", [-np.pi / 2, np.pi / 2])
def test_euler_angles_survive_gimbal_lock(order: str, middle: float) -> None:
    angles = np.random.default_rng(5).uniform(-3.0, 3.0, size=(COUNT, 3))
    angles[:, 1] = middle
    q = rot.from_euler(order, angles)
    assert same(rot.from_euler(order, rot.to_euler(order, q)), q, 1e-5)


def test_yaw_is_zero_along_z_and_positive_about_y() -> None:
    np.testing.assert_allclose(rot.rotate(rot.from_yaw(np.pi / 2), [0.0, 0.0, 1.0]), [1.0, 0.0, 0.0], atol=1e-15)
    angles = np.linspace(-3.0, 3.0, 13)
    np.testing.assert_allclose(rot.yaw(rot.from_yaw(angles)), angles)


def test_zero_quaternions_become_the_identity_and_bad_orders_are_named() -> None:
    np.testing.assert_array_equal(rot.normalize(np.zeros((2, 4))), rot.identity(2))
    with pytest.raises(LocomoteError, match="xyw"):
        rot.from_euler("xyw", np.zeros(3))
    with pytest.raises(LocomoteError, match="zxz"):
        rot.to_euler("zxz", rot.IDENTITY)
