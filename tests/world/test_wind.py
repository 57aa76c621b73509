"""Winds: what each model promises, and what none accepts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.world import Wind

PLACES = np.array([[0.0, 0.0], [15.0, 0.0], [0.0, 40.0], [-22.0, 7.0]])
FIELD = np.random.default_rng(0).normal(0.0, 2.0, (8, 6, 2))
WINDS = {
    "steady": Wind.steady(5.0, 0.4),
    "gusty": Wind.gusty(5.0, 0.4, gust=6.0),
    "turbulent": Wind.turbulent(5.0, 0.4),
    "flow": Wind.flow(FIELD, 5.0, speed=5.0, heading=0.4),
}


@pytest.mark.feature("WND-09")
@pytest.mark.parametrize("model", list(WINDS))
def test_each_model_blows_and_differs_between_places(model: str) -> None:
    wind = WINDS[model]
    assert wind.model == model
    blown = np.array([wind.at(PLACES, t) for t in np.linspace(0.0, 60.0, 121)])
    assert blown.shape == (121, 4, 3)
    assert np.isfinite(blown).all()
    assert not np.any(blown[..., 1])
    apart = np.abs(blown - blown[:, :1]).max()
    assert (apart > 0.5) == (model != "steady")
    along = blown[..., 0] * math.sin(0.4) + blown[..., 2] * math.cos(0.4)
    assert 3.5 < along.mean() < 9.0
    with_height = np.insert(PLACES, 1, 9.0, axis=1)
    np.testing.assert_array_equal(wind.at(with_height, 3.0), wind.at(PLACES, 3.0))
    np.testing.assert_array_equal(wind.at(PLACES[2:3], 3.0)[0], wind.at(PLACES, 3.0)[2])


def test_a_steady_wind_goes_where_it_is_told_and_follows_its_schedule() -> None:
    wind = Wind.steady([(0.0, 2.0), (5.0, 12.0)], math.pi / 2)
    np.testing.assert_allclose(wind.at(PLACES[:1], 0.0), [[2.0, 0.0, 0.0]], atol=1e-12)
    np.testing.assert_allclose(wind.at(PLACES[:1], 2.5), [[7.0, 0.0, 0.0]], atol=1e-12)
    np.testing.assert_allclose(wind.at(PLACES[:1], 50.0), [[12.0, 0.0, 0.0]], atol=1e-12)
    assert wind.travelled(5.0) == pytest.approx(35.0)
    assert wind.travelled(7.0) == pytest.approx(59.0)
    assert wind.travelled(-2.0) == pytest.approx(-4.0)


def test_a_front_reaches_one_place_after_the_other() -> None:
    wind = Wind.gusty(6.0, 0.0, gust=8.0, period=20.0, seed=3)
    pace = 6.0 + 0.5 * 8.0
    times = np.arange(0.0, 60.0, 0.05)
    near, far = (np.array([wind.at([(0.0, z)], t)[0, 2] for t in times]) for z in (0.0, 50.0))
    lag = round(50.0 / pace / 0.05)
    np.testing.assert_allclose(far[lag:], near[:-lag], atol=1e-9)
    assert near.max() <= 6.0 + 8.0 * 1.05
    assert near.min() >= 6.0
    assert near.max() > 6.0 + 0.5 * 8.0 - 1e-6


def test_turbulence_has_the_strength_and_size_that_was_asked_for() -> None:
    random = np.random.default_rng(1)
    places = random.uniform(-2000.0, 2000.0, (4000, 2))
    wind = Wind.turbulent(10.0, 0.0, intensity=0.25, eddy=12.0, seed=5)
    more = wind.at(places, 0.0) - np.array([0.0, 0.0, 10.0])
    assert more[:, [0, 2]].std(axis=0) == pytest.approx([2.5, 2.5], rel=0.15)
    assert np.abs(more.mean(axis=0)).max() < 0.2
    # Neighbours feel nearly the same, places an eddy apart do not.
    near, far = (wind.at(places + np.array([d, 0.0]), 0.0) - np.array([0.0, 0.0, 10.0]) for d in (0.3, 12.0))
    assert np.corrcoef(more[:, 2], near[:, 2])[0, 1] > 0.9
    assert np.corrcoef(more[:, 2], far[:, 2])[0, 1] < 0.5
    # Air is nowhere pressed together.
    step = 0.01
    along = [wind.at(places + np.array(d), 0.0) - wind.at(places - np.array(d), 0.0) for d in ((step, 0), (0, step))]
    spread = (along[0][:, 0] + along[1][:, 2]) / (2.0 * step)
    assert np.abs(spread).max() < 1e-3 * np.abs(along[0][:, 2]).max() / step
    again = Wind.turbulent(10.0, 0.0, intensity=0.25, eddy=12.0, seed=5)
    np.testing.assert_array_equal(wind.at(places, 7.0), again.at(places, 7.0))
    assert not np.array_equal(wind.at(places, 7.0), Wind.turbulent(10.0, seed=6).at(places, 7.0))


def test_eddies_are_blown_along() -> None:
    wind = Wind.turbulent(8.0, 0.0, eddy=20.0)
    places = np.random.default_rng(0).uniform(-50.0, 50.0, (500, 2))
    now, later = wind.at(places, 10.0), wind.at(places + np.array([0.0, 8.0 * 0.5]), 10.5)
    stays = wind.at(places, 10.5)
    assert np.abs(now - later).mean() < 0.35 * np.abs(now - stays).mean()


def test_a_field_is_blown_along_and_begins_anew() -> None:
    wind = Wind.flow(FIELD, 5.0, speed=2.0, heading=0.0)
    corners = np.array([[10.0, 15.0]])
    np.testing.assert_allclose(wind.at(corners, 0.0)[0, [0, 2]], FIELD[3, 2] + (0.0, 2.0))
    np.testing.assert_allclose(wind.at(corners + np.array([0.0, 2.0 * 3.0]), 3.0), wind.at(corners, 0.0))
    np.testing.assert_allclose(wind.at(corners + np.array([30.0, -40.0]), 0.0), wind.at(corners, 0.0))
    half = wind.at(np.array([[12.5, 15.0]]), 0.0)[0, [0, 2]]
    np.testing.assert_allclose(half, 0.5 * (FIELD[3, 2] + FIELD[3, 3]) + (0.0, 2.0))


@pytest.mark.parametrize(
    "call",
    [
        lambda: Wind.steady(math.nan),
        lambda: Wind.steady(100.0),
        lambda: Wind.steady([(0.0, 1.0), (0.0, 2.0)]),
        lambda: Wind.steady([]),
        lambda: Wind.steady(3.0, math.inf),
        lambda: Wind.gusty(3.0, gust=-1.0),
        lambda: Wind.gusty(3.0, period=0.0),
        lambda: Wind.turbulent(3.0, eddy=0.0),
        lambda: Wind.turbulent(3.0, intensity=math.nan),
        lambda: Wind.flow(np.zeros((3, 3)), 1.0),
        lambda: Wind.flow(np.full((3, 3, 2), math.nan), 1.0),
        lambda: Wind.flow(np.zeros((3, 3, 2)), 0.0),
        lambda: Wind.steady(3.0).at([(math.nan, 0.0)], 0.0),
        lambda: Wind.steady(3.0).at([0.0, 0.0], 0.0),
        lambda: Wind.steady(3.0).at([(0.0, 0.0)], math.nan),
    ],
)
def test_what_cannot_blow_is_refused_in_one_line(call: object) -> None:
    with pytest.raises(LocomoteError) as error:
        call()  # type: ignore[operator]
    assert "\n" not in str(error.value)
