"""Statistics of rotations, against closed forms and laws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.math.quaternion import exp_batch, log_batch
from locomote.spaces._ellipsoids import MARGIN, enclosing_ellipsoid, joint_ellipsoids
from locomote.spaces._statistics import intrinsic_mean, tangents


@pytest.mark.feature("PGA-01")
def test_exp_is_the_inverse_of_log_up_to_half_a_turn() -> None:
    rng = np.random.default_rng(1)
    q = rot.normalize(rng.normal(size=(1_000_000, 4)))
    axes = q[:2000, 1:] / np.linalg.norm(q[:2000, 1:], axis=1, keepdims=True)
    q[:1000] = rot.from_axis_angle(axes[:1000], np.pi - 1e-6)
    q[1000:2000] = rot.from_axis_angle(axes[1000:], 1e-9)
    vectors, back = np.empty((len(q), 3)), np.empty((len(q), 4))
    log_batch(q, vectors)
    exp_batch(vectors, back)
    assert np.linalg.norm(vectors, axis=1).max() <= np.pi + 1e-12
    np.testing.assert_allclose(np.linalg.norm(vectors[:1000], axis=1), np.pi - 1e-6, rtol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(vectors[1000:2000], axis=1), 1e-9, rtol=1e-6)
    for round_trip in (back, rot.exp(rot.log(q))):
        assert np.abs(rot.canonical(round_trip) - rot.canonical(q)).max() < 1e-10


@pytest.mark.feature("PGA-02")
@pytest.mark.parametrize("width", [0.3, 1.0, 1.9])
def test_the_mean_settles_and_is_where_squared_angles_sum_least(width: float) -> None:
    rng = np.random.default_rng(2)
    v = rng.normal(size=(300, 8, 3))
    v *= width * rng.uniform(size=(300, 8, 1)) / np.linalg.norm(v, axis=-1, keepdims=True)
    q = rot.multiply(rot.normalize(rng.normal(size=(8, 4))), rot.exp(v))
    for mean in (intrinsic_mean(q), rot.mean(q, rounds=20)):
        assert np.linalg.norm(tangents(mean, q).mean(axis=0), axis=-1).max() < 1e-10
        least = np.sum(rot.distance(mean, q) ** 2, axis=0)
        for step in 1e-3 * np.concatenate([np.eye(3), -np.eye(3)]):
            assert (np.sum(rot.distance(rot.multiply(mean, rot.exp(step)), q) ** 2, axis=0) > least).all()


def test_an_ellipsoid_of_a_box_is_known_in_closed_form() -> None:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
    size, place = np.array([0.5, 1.0, 2.0]), np.array([0.3, -0.2, 0.1])
    centre, matrix = enclosing_ellipsoid(corners * size + place)
    np.testing.assert_allclose(centre, place, atol=1e-3)
    np.testing.assert_allclose(1.0 / np.sqrt(np.diag(matrix)), np.sqrt(3.0) * size, rtol=2e-3)
    np.testing.assert_allclose(matrix - np.diag(np.diag(matrix)), 0.0, atol=1e-3)


def test_an_ellipsoid_encloses_all_and_touches_some() -> None:
    rng = np.random.default_rng(3)
    flat = rng.normal(size=(4000, 5, 3)) * [0.5, 0.2, 0.0]  # a joint that is nearly a hinge
    flat[:, 4] = 0.0
    centres, matrices = joint_ellipsoids(flat)
    off = flat - centres
    inside = np.einsum("nja,jab,njb->nj", off, matrices, off)
    assert inside.max() <= 1.0
    assert (np.sqrt(inside.max(axis=0))[:4] > 0.99 / MARGIN).all()
    assert np.isfinite(matrices).all()


@pytest.fixture(scope="module")
def walk() -> lm.Motion:
    return lm.samples.performer(speed=1.3).motion


@pytest.mark.feature("PGA-03")
def test_directions_are_orthonormal_and_do_not_depend_on_the_pose_that_counts_as_unturned(walk: lm.Motion) -> None:
    joints = walk.skeleton.names[1:]
    space = lm.spaces.PoseSpace.fit(walk, keep=1.0, joints=joints, metric="angle")
    assert space.variance.shares.sum() == pytest.approx(1.0, abs=1e-12)
    flat = space.directions.reshape(len(space), -1)
    np.testing.assert_allclose(flat @ flat.T, np.eye(len(flat)), atol=1e-10)
    assert not space.directions[:, 0].any()
    turned = walk.rotations.copy()
    first = rot.normalize(np.random.default_rng(4).normal(size=(len(walk.skeleton), 4)))
    turned[:, 1:] = rot.multiply(first[1:], turned[:, 1:])
    other = lm.spaces.PoseSpace.fit(
        lm.Motion(walk.skeleton, walk.fps, walk.root_positions, turned), keep=1.0, joints=joints, metric="angle"
    )
    variances = [s.variance.total * s.variance.shares for s in (space, other)]
    np.testing.assert_allclose(*variances, atol=1e-8)
    coordinates = space.coordinates(walk)
    np.testing.assert_allclose(coordinates.var(axis=0), variances[0][: len(space)], atol=1e-8)


def test_turning_the_root_changes_nothing(walk: lm.Motion) -> None:
    turned = walk.moved(rot.from_yaw(2.0), (3.0, 0.0, 1.0))
    one, other = (lm.spaces.PoseSpace.fit(m, 8) for m in (walk, turned))
    np.testing.assert_array_equal(one.directions, other.directions)
    np.testing.assert_array_equal(one.coordinates(walk), other.coordinates(turned))


def test_weighed_directions_are_orthonormal_in_their_metric(walk: lm.Motion) -> None:
    space = lm.spaces.PoseSpace.fit(walk, 10, metric="reach")
    flat = (space.directions * space.weights[:, None]).reshape(10, -1)
    np.testing.assert_allclose(flat @ flat.T, np.eye(10), atol=1e-10)
    x = np.random.default_rng(5).normal(size=(20, 10)) * space.deviations
    np.testing.assert_allclose(space.coordinates(space.rotations(x)), x, atol=1e-10)


@pytest.mark.data
@pytest.mark.feature("PGA-04")
def test_few_directions_carry_recorded_motion(data: Path) -> None:
    def counts(pattern: str, share: float) -> list[int]:
        clips = sorted(data.glob(pattern))[::4]
        spaces = (lm.spaces.PoseSpace.fit(lm.load(c, drop_tpose=True), 1, metric="angle") for c in clips)
        return [space.variance.count(share) for space in spaces]

    walks = counts("human/walk/cmu_*", 0.95)
    assert np.bincount(walks).argmax() <= 10
    everything = np.array(counts("human/*/cmu_*", 0.99))
    assert np.mean(everything < 20) > 0.5
