"""Blends of four steps, against plain rotations in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.steps._kernels import blend as at

SAMPLES = 61
RANDOM = np.random.default_rng(2)


def clips(spread: float) -> at.StepRecords:
    """Four steps whose rotations lie within about ``spread`` radians of one another."""
    base = rot.exp(RANDOM.normal(size=(1, at.JOINTS, 1, 3)))
    away = RANDOM.normal(size=(4, at.JOINTS, 1, 3))
    away *= 0.5 * spread * RANDOM.uniform(0.2, 1.0, (4, at.JOINTS, 1, 1)) / np.linalg.norm(away, axis=-1, keepdims=True)
    turns = np.broadcast_to(rot.multiply(base, rot.exp(away)), (4, at.JOINTS, SAMPLES, 4))
    sheets = RANDOM.normal(size=(4, at.ROWS, SAMPLES))
    sheets[:, : at.ROOT] = turns.transpose(0, 1, 3, 2).reshape(4, at.ROOT, SAMPLES)
    twins = np.array([0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 6, 7, 8, 9])
    return at.StepRecords(sheets.astype(np.float32), np.zeros((4, 3)), np.zeros((4, 3)), twins, 12, 48)


def blended(some: at.StepRecords, corners: list[int], weights: list[float], upper: int = 0) -> np.ndarray:
    out = np.zeros((1, at.ROWS, SAMPLES))
    w = np.array([weights])
    at.blend_batch(np.array([corners]), w, w, some, upper, out)
    return out[0]


def quaternions(sheet: np.ndarray) -> np.ndarray:
    return sheet[: at.ROOT].reshape(at.JOINTS, 4, SAMPLES).transpose(0, 2, 1)


@pytest.mark.feature("STR-14")
def test_one_step_alone_comes_out_as_it_is() -> None:
    some = clips(1.0)
    out = blended(some, [2, 0, 1, 3], [1.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(out[at.ROOT :], some.sheets[2, at.ROOT :], atol=1e-6)
    away = rot.distance(quaternions(out), quaternions(some.sheets[2].astype(float)))
    assert away.max() < 1e-6


@pytest.mark.feature("STR-14")
@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 0.9])
def test_two_steps_blend_like_slerp(share: float) -> None:
    some = clips(np.radians(60.0))
    out = quaternions(blended(some, [0, 1, 2, 3], [1.0 - share, share, 0.0, 0.0]))
    a, b = (quaternions(some.sheets[k].astype(float)) for k in range(2))
    assert rot.distance(out, rot.slerp(a, b, np.full(a.shape[:-1], share))).max() < 1e-6


def test_four_steps_blend_to_their_mean_and_places_to_theirs() -> None:
    some, weights = clips(np.radians(50.0)), np.array([0.4, 0.3, 0.2, 0.1])
    out = blended(some, [0, 1, 2, 3], weights.tolist())
    all_four = np.stack([quaternions(s.astype(float)) for s in some.sheets])
    mean = rot.mean(all_four, weights)
    assert rot.distance(quaternions(out), mean).max() < 0.02
    assert rot.distance(quaternions(out)[0], mean[0]).max() < 1e-3  # the pelvis takes a second round
    places = np.einsum("k,krt->rt", weights, some.sheets[:, at.ROOT : at.FEET + 3].astype(float))
    np.testing.assert_allclose(out[at.ROOT : at.FEET + 3], places, atol=1e-6)


@pytest.mark.feature("STR-30")
def test_the_dominant_upper_body_is_that_of_the_heaviest_step() -> None:
    some = clips(1.0)
    out = quaternions(blended(some, [0, 1, 2, 3], [0.2, 0.5, 0.2, 0.1], upper=1))
    np.testing.assert_allclose(out[1:], quaternions(some.sheets[1])[1:], atol=1e-7)


def test_rotation_vectors_without_branches_are_true() -> None:
    from locomote.steps._kernels.blend import turn_of, turn_vector

    for angle in np.linspace(0.0, np.pi, 50):
        axis = np.array([0.48, -0.6, 0.64])
        np.testing.assert_allclose(turn_of(*(angle * axis)), rot.exp(angle * axis), atol=1e-11)
        np.testing.assert_allclose(turn_vector(*rot.exp(angle * axis)), angle * axis, atol=2e-7)
        np.testing.assert_allclose(turn_vector(*-rot.exp(0.9 * angle * axis)), 0.9 * angle * axis, atol=2e-7)
