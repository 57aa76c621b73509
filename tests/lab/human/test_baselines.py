"""The ways to predict a movement, on performers whose movement is affine in speed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.human._encoding import channel_weights
from locomote.human.fitting._cycles import SAMPLES
from locomote.math.components import principal_components
from locomote_lab.human import baselines
from locomote_lab.human.baselines import SLOW_EXPONENT, SpeedFit, inman_frequency
from locomote_lab.human.cross_validation import Cycles
from tests.human.affine_units import truth, units

HELD = 1.3  # m/s


@pytest.fixture(scope="module")
def cycles() -> Cycles:
    return Cycles.of(units(noise=0.0))


@pytest.fixture(scope="module")
def noisy() -> Cycles:
    return Cycles.of(units())


def _without_speed(cycles: Cycles, subject: str, gait: str, speed: float) -> tuple[np.ndarray, np.ndarray]:
    mine = cycles.rows(subject, gait)
    held = mine[np.abs(cycles.speeds[mine] - speed) < 0.05]
    return cycles.without(held), held


# The hierarchy keeps 95 % of each performer and one component of each gait: it cannot be exact.
@pytest.mark.parametrize(("name", "bound"), [("pooled", 0.6), ("hierarchy", 4.0), ("flat", 0.6)])
@pytest.mark.parametrize(("gait", "speed"), [("walk", 1.3), ("walk", 1.9), ("run", 2.0)])
def test_affine_truth_is_recovered_inside_and_outside(
    cycles: Cycles, name: str, bound: float, gait: str, speed: float
) -> None:
    known, held = _without_speed(cycles, "p2", gait, speed)
    assert len(held)
    predicted = getattr(baselines, name)(cycles, known)("p2", gait, cycles.speeds[held])
    assert cycles.errors(predicted, held).max() < bound  # degrees


def test_noise_is_averaged_away(noisy: Cycles) -> None:
    known, held = _without_speed(noisy, "p1", "walk", HELD)
    predicted = baselines.pooled(noisy, known)("p1", "walk", noisy.speeds[held[:1]])
    _, turns = noisy.encoding.decode(noisy.frames(predicted[0]))
    clean = noisy.encoding.encode(*truth(1, "walk", HELD))
    from_truth = noisy.errors(predicted, held[:1])[0]
    away = np.degrees(np.sqrt(np.mean((noisy.encoding.encode(np.zeros((SAMPLES, 3)), turns) - clean)[:, 3:] ** 2)))
    assert away < 0.6 * from_truth


def test_radial_functions_pass_through_what_they_know(cycles: Cycles) -> None:
    known, _ = _without_speed(cycles, "p0", "run", 3.2)
    row = cycles.rows("p0", "run")[:1]
    predicted = baselines.radial(cycles, known)("p0", "run", cycles.speeds[row])
    assert cycles.errors(predicted, row)[0] < 0.5


def test_nearest_and_mean_use_only_known_cycles_of_the_performer(cycles: Cycles) -> None:
    known, held = _without_speed(cycles, "p3", "walk", HELD)
    nearest = baselines.nearest(cycles, known)("p3", "walk", cycles.speeds[held])
    own = np.intersect1d(cycles.rows("p3", "walk"), known)
    assert all(np.any(np.all(row == cycles.coordinates[own], axis=1)) for row in nearest)
    mean = baselines.own_mean(cycles, known)("p3", "walk", cycles.speeds[held])
    np.testing.assert_allclose(mean[0], cycles.coordinates[own].mean(axis=0))


def test_an_unknown_performer_is_better_known_from_one_cycle(noisy: Cycles) -> None:
    mine = noisy.rows("p4", "walk")
    known = noisy.without(noisy.rows("p4"))
    space, fitted = baselines.pooled_fit(noisy, known)
    shown, held = int(mine[6]), mine[9:]
    speeds = noisy.speeds[held]
    one = noisy.errors(baselines.from_one_cycle(noisy, space, fitted["walk"], shown)(speeds), held).mean()
    none = noisy.errors(space.vectors(fitted["walk"][0].population(speeds)), held).mean()
    copied = noisy.errors(noisy.coordinates[[shown] * len(held)], held).mean()
    assert one < 0.7 * none
    assert one < copied


def test_a_missing_gait_keeps_part_of_the_offset(noisy: Cycles) -> None:
    known = noisy.without(noisy.rows("p0", "run"))
    space, fitted = baselines.pooled_fit(noisy, known)
    made = baselines.from_other_gait(space, fitted, "p0", "run")(np.array([3.0]))
    plain = space.vectors(fitted["run"][0].population(np.array([3.0])))
    offset = fitted["walk"][1]["p0"].offset
    np.testing.assert_allclose(space.scores(made) - space.scores(plain), 0.5 * offset[None], atol=1e-9)


def test_coordinates_are_a_rotation_of_the_weighted_channels(noisy: Cycles) -> None:
    weights = np.tile(channel_weights(), SAMPLES)
    vectors = np.stack([noisy.encoding.encode(u.root, u.rotations).ravel() for u in noisy.units]) * weights
    long = principal_components(vectors)
    short = principal_components(noisy.coordinates)
    np.testing.assert_allclose(short.shares[:20], long.shares[:20], atol=1e-12)
    np.testing.assert_allclose(noisy.frames(noisy.coordinates[3]).ravel() * weights, vectors[3], atol=1e-9)
    np.testing.assert_allclose(
        noisy.coordinates_of(noisy.frames(noisy.coordinates[3])), noisy.coordinates[3], atol=1e-9
    )


@pytest.mark.feature("PCA-018")
@given(
    slope=st.floats(0.1, 3.0),
    level=st.floats(-2.0, 2.0),
    stand=st.floats(-3.0, -2.5),
    slowest=st.floats(0.4, 1.5),
)
def test_the_fit_is_continuous_exact_at_rest_and_one_to_one(
    slope: float, level: float, stand: float, slowest: float
) -> None:
    speeds = slowest + np.array([0.0, 0.3, 0.7, 1.2])
    scores = np.stack([level + slope * speeds, level - slope * speeds], axis=1)
    fit = SpeedFit.of(speeds, scores, np.array([stand, stand]))
    np.testing.assert_allclose(fit.at(speeds), scores, atol=1e-9)  # linear above the slowest captured speed
    np.testing.assert_allclose(fit.at(np.array([0.0]))[0], [stand, stand], atol=1e-12)  # exact at speed 0
    below, above = fit.at(slowest * np.array([1.0 - 1e-9, 1.0 + 1e-9]))
    np.testing.assert_allclose(below, above, atol=1e-6)  # C0 at the junction
    half = fit.at(np.array([0.5 * slowest]))[0, 0]
    np.testing.assert_allclose(half, stand + (scores[0, 0] - stand) * 0.5**SLOW_EXPONENT)  # the power law below it
    if scores[0, 0] > stand:
        assert np.all(np.diff(fit.at(np.linspace(0.0, 4.0, 200))[:, 0]) > 0.0)  # bijective in the first component


def test_one_speed_gives_a_constant() -> None:
    fit = SpeedFit.of(np.array([1.0, 1.01]), np.array([[1.0], [3.0]]))
    np.testing.assert_allclose(fit.at(np.array([0.2, 2.0])), [[2.0], [2.0]])


def test_inman_frequency() -> None:
    np.testing.assert_allclose(inman_frequency(1.4 / 0.9), 0.93, atol=0.005)
    np.testing.assert_allclose(inman_frequency(np.array([1.0, 4.0])), [0.743, 1.486])
