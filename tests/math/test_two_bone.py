"""The analytic two-bone limb: against its twin, and the laws of reach, continuity and hinge."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.math.two_bone import two_bone_ik
from locomote.rotations import FloatArray
from tests.math import twins

SEEDS = st.integers(0, 10**6)


class Limbs(NamedTuple):
    hips: FloatArray
    knees: FloatArray
    ankles: FloatArray
    goals: FloatArray
    poles: FloatArray


def limbs(seed: int, count: int = 40, spread: float = 1.0) -> Limbs:
    r = np.random.default_rng(seed)
    hips = r.normal(size=(count, 3))
    knees = hips + rot._unit(r.normal(size=(count, 3))) * r.uniform(0.2, 0.6, size=(count, 1))
    ankles = knees + rot._unit(r.normal(size=(count, 3))) * r.uniform(0.2, 0.6, size=(count, 1))
    return Limbs(hips, knees, ankles, hips + spread * r.normal(size=(count, 3)), r.normal(size=(count, 3)))


def solve(limb: Limbs, softness: float) -> tuple[FloatArray, FloatArray]:
    upper, lower = np.full((len(limb.hips), 4), np.nan), np.full((len(limb.hips), 4), np.nan)
    two_bone_ik(*limb, softness, upper, lower)
    return upper, lower


def posed(limb: Limbs, softness: float) -> tuple[FloatArray, FloatArray]:
    upper, lower = solve(limb, softness)
    knees = limb.hips + rot.rotate(upper, limb.knees - limb.hips)
    return knees, knees + rot.rotate(lower, limb.ankles - limb.knees)


def lengths(limb: Limbs) -> tuple[FloatArray, FloatArray, FloatArray]:
    a, b = np.linalg.norm(limb.knees - limb.hips, axis=1), np.linalg.norm(limb.ankles - limb.knees, axis=1)
    return a, b, np.linalg.norm(limb.goals - limb.hips, axis=1)


def square_part(v: FloatArray, along: FloatArray) -> FloatArray:
    u = rot._unit(along)
    return v - u * np.sum(v * u, axis=-1, keepdims=True)


def is_bent(limb: Limbs) -> np.ndarray:
    a, b, _ = lengths(limb)
    return np.linalg.norm(square_part(limb.knees - limb.hips, limb.ankles - limb.hips), axis=1) > 0.011 * (a + b)


def has_clear_pole(limb: Limbs) -> np.ndarray:
    return np.linalg.norm(square_part(rot._unit(limb.poles), limb.goals - limb.hips), axis=1) > 0.051


@given(SEEDS, st.sampled_from([0.01, 0.05, 0.3]))
def test_equals_its_twin(seed: int, softness: float) -> None:
    limb = limbs(seed, spread=0.4)
    a, b, distance = lengths(limb)
    # Further beyond its limits the limb is so straight that the twin loses its plane.
    near = (distance < (1 + 3 * softness) * (a + b)) & (distance > (1 - 3 * softness) * np.abs(a - b))
    plain = is_bent(limb) & has_clear_pole(limb) & near
    upper, lower = solve(limb, softness)
    twin_upper, twin_lower = twins.two_bone(*limb, softness)
    assert np.all(rot.distance(upper, twin_upper)[plain] < 1e-6)
    assert np.all(rot.distance(lower, twin_lower)[plain] < 1e-6)


@given(SEEDS, st.sampled_from([0.0, 0.02, 0.1]))
def test_a_goal_within_reach_is_met_exactly_and_the_knee_lies_on_the_side_of_the_pole(
    seed: int, softness: float
) -> None:
    limb = limbs(seed, spread=0.4)
    a, b, distance = lengths(limb)
    within = (distance <= (1 - softness) * (a + b)) & (distance >= (1 + softness) * np.abs(a - b))
    knees, ankles = posed(limb, softness)
    assert np.all(np.linalg.norm(ankles - limb.goals, axis=1)[within] < 1e-12)
    side = square_part(knees - limb.hips, limb.goals - limb.hips)
    pole = square_part(limb.poles, limb.goals - limb.hips)
    clear = has_clear_pole(limb)
    assert np.all(np.sum(side * pole, axis=1)[clear] >= -1e-12)
    assert np.all(np.linalg.norm(np.cross(side, rot._unit(pole)), axis=1)[clear] < 1e-9)


@given(SEEDS)
def test_the_knee_stays_a_hinge(seed: int) -> None:
    limb = limbs(seed)
    upper, lower = solve(limb, 0.02)
    axis = rot._unit(np.cross(limb.knees - limb.hips, limb.ankles - limb.knees))
    knee_turn = rot.log(rot.multiply(rot.inverse(upper), lower))
    off_axis = np.linalg.norm(square_part(knee_turn, axis), axis=1)
    assert np.all(off_axis[is_bent(limb)] < 1e-9)


@given(SEEDS, st.booleans())
def test_a_limb_at_its_goal_stays_as_it_is(seed: int, with_pole: bool) -> None:
    limb = limbs(seed)
    pole = limb.knees - limb.hips if with_pole else np.zeros_like(limb.hips)
    upper, lower = solve(limb._replace(goals=limb.ankles, poles=pole), 0.0)
    keep = is_bent(limb)
    assert np.all(rot.angle(upper)[keep] < 1e-7)
    assert np.all(rot.angle(lower)[keep] < 1e-7)


@given(SEEDS)
def test_a_straight_limb_swings_without_spin(seed: int) -> None:
    limb = limbs(seed)
    a, b, _ = lengths(limb)
    way = rot._unit(limb.knees - limb.hips)
    straight = limb._replace(ankles=limb.hips + way * (a + b)[:, None], goals=limb.hips + limb.goals)
    upper, _ = solve(straight._replace(poles=np.zeros_like(limb.hips)), 0.05)
    # Without bend and pole the limb swings to its goal and then bends: no more spin than those two leave.
    swing = rot.between(way, straight.goals - straight.hips)
    axis = rot.log(rot.multiply(upper, rot.inverse(swing)))
    assert np.all(np.abs(np.sum(axis * rot._unit(straight.goals - straight.hips), axis=1)) < 1e-6)


@pytest.mark.parametrize("softness", [0.02, 0.2])
def test_stretch_is_eased_with_one_slope_and_never_complete(softness: float) -> None:
    far = np.linspace(0.0, 2.0, 40001)[1:]
    count = len(far)
    limb = Limbs(
        np.zeros((count, 3)),
        np.tile([0.0, -0.4, 0.1], (count, 1)),
        np.tile([0.0, -0.7, 0.0], (count, 1)),
        far[:, None] * np.array([0.0, -1.0, 0.0]),
        np.tile([0.0, 0.0, 1.0], (count, 1)),
    )
    a, b, _ = lengths(limb)
    reach = np.linalg.norm(posed(limb, softness)[1], axis=1)
    most, least = a[0] + b[0], abs(a[0] - b[0])
    exact = (far < (1 - softness) * most) & (far > (1 + softness) * least)
    np.testing.assert_allclose(reach[exact], far[exact], atol=1e-12)
    assert np.all(reach[far < (1 + 10 * softness) * most] < most)
    assert np.all(reach > least - 1e-12)
    slope = np.diff(reach) / np.diff(far)
    assert np.all(slope > -1e-9)
    assert np.max(np.abs(np.diff(slope))) < 2 * (far[1] - far[0]) / (softness * least)


@given(SEEDS, st.sampled_from([0.01, 0.1]))
def test_small_moves_of_the_goal_move_the_limb_little(seed: int, softness: float) -> None:
    limb = limbs(seed, spread=0.5)
    _, _, distance = lengths(limb)
    step = 1e-6
    shift = step * rot._unit(np.random.default_rng(seed).normal(size=limb.goals.shape))
    before, after = posed(limb, softness), posed(limb._replace(goals=limb.goals + shift), softness)
    clear = has_clear_pole(limb) & (distance > 0.1)
    moved = np.maximum(*(np.linalg.norm(y - x, axis=1) for x, y in zip(before, after, strict=True)))
    assert np.all(moved[clear] < 300 * step)


@given(SEEDS)
def test_the_whole_scene_may_be_turned(seed: int) -> None:
    limb = limbs(seed)
    turn = rot.normalize(np.random.default_rng(seed).normal(size=4))
    knees, ankles = posed(limb, 0.05)
    turned_knees, turned_ankles = posed(Limbs(*(rot.rotate(turn, x) for x in limb)), 0.05)
    plain = is_bent(limb) & has_clear_pole(limb)
    np.testing.assert_allclose(turned_knees[plain], rot.rotate(turn, knees)[plain], atol=1e-7)
    np.testing.assert_allclose(turned_ankles[plain], rot.rotate(turn, ankles)[plain], atol=1e-7)


CORNERS = st.sampled_from([-1e9, -1.0, -0.5, 0.0, 1e-200, 1e-12, 0.5, 1.0, 1e9])
POINT = st.tuples(CORNERS, CORNERS, CORNERS)


@given(st.tuples(POINT, POINT, POINT, POINT, POINT), st.sampled_from([0.0, 0.02, 1.0]))
def test_no_input_yields_nan(points: tuple[tuple[float, float, float], ...], softness: float) -> None:
    upper, lower = solve(Limbs(*(np.array([p]) for p in points)), softness)
    np.testing.assert_allclose(np.linalg.norm(upper, axis=1), 1.0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(lower, axis=1), 1.0, atol=1e-9)


def test_degenerate_limbs_and_goals() -> None:
    zero, down = np.zeros(3), np.array([0.0, -1.0, 0.0])
    cases = [
        (zero, zero, zero, zero, zero),
        (zero, down, 2 * down, zero, zero),  # goal at the hip, no pole
        (zero, down, zero, zero, down),  # folded flat
        (zero, down, 2 * down, -2 * down, zero),  # goal straight behind
        (zero, zero, down, -down, zero),  # no thigh
        (zero, down, down, -down, np.ones(3)),  # no shank
        (zero, down, 2 * down, 1e9 * down, down),  # far away, pole along the limb
    ]
    limb = Limbs(*(np.array(column) for column in zip(*cases, strict=True)))
    for softness in (0.0, 0.05):
        knees, ankles = posed(limb, softness)
        assert np.all(np.isfinite(knees))
        assert np.all(np.isfinite(ankles))
