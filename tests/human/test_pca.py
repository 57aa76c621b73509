from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.human.fitting._pca import guard
from locomote.math.components import principal_components, smallest_count


def samples(seed: int, n: int = 12, p: int = 400) -> np.ndarray:
    random = np.random.default_rng(seed)
    return random.normal(size=(n, 5)) @ random.normal(size=(5, p)) + 0.3 * random.normal(size=(n, p))


@pytest.mark.feature("PCA-010")
@given(st.integers(0, 10_000))
def test_both_routes_agree(seed: int) -> None:
    x = samples(seed)
    dual, direct = principal_components(x), principal_components(x, dual=False)
    assert len(dual.basis) == len(direct.basis) == len(x) - 1
    np.testing.assert_allclose(dual.basis, direct.basis, atol=1e-8)
    np.testing.assert_allclose(dual.shares[:11], direct.shares[:11], atol=1e-8)
    for found in (dual, direct):
        np.testing.assert_allclose(found.basis @ found.basis.T, np.eye(11), atol=1e-10)
    np.testing.assert_allclose(dual.vectors(dual.scores(x)), x, atol=1e-10)


def test_signs_are_fixed() -> None:
    x = samples(4)
    flipped = principal_components(2.0 * x.mean(axis=0) - x)
    np.testing.assert_allclose(principal_components(x).basis, flipped.basis, atol=1e-9)


@pytest.mark.feature("PCA-012")
@given(
    st.lists(st.floats(0.001, 1.0), min_size=1, max_size=30),
    st.floats(0.01, 1.0),
)
def test_the_count_is_the_smallest_that_reaches_the_target(values: list[float], target: float) -> None:
    shares = np.sort(np.array(values))[::-1] / np.sum(values)
    count = smallest_count(shares, target)
    assert shares[:count].sum() >= target - 1e-9
    assert count == 1 or shares[: count - 1].sum() < target
    random = np.random.default_rng(0)
    kept = principal_components(random.normal(size=(9, 40)), target)
    assert kept.shares[: len(kept.basis)].sum() >= target - 1e-9


@pytest.mark.feature("PCA-011")
@pytest.mark.parametrize(("ratio", "warns"), [(19.9, False), (20.1, True)])
def test_the_guard_warns_from_twenty_times_the_median_on(ratio: float, warns: bool) -> None:
    x = np.random.default_rng(2).normal(size=(12, 9))
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    x[:, 4] *= ratio
    found = guard(x)
    assert found.ratio == pytest.approx(ratio)
    assert bool(found.warnings) == warns


@pytest.mark.feature("PCA-011")
def test_the_guard_warns_of_variables_that_drown_the_others() -> None:
    x = samples(1)
    quiet = guard(x)
    assert quiet.ratio < 20.0
    assert quiet.warnings == ()
    x[:, 7] *= 1000.0
    loud = guard(x)
    assert loud.ratio > 20.0
    assert len(loud.warnings) == 1
    assert "times the median" in loud.warnings[0]
    for shares in (loud.covariance, loud.correlation):
        assert shares.sum() == pytest.approx(1.0)
        assert np.all(np.diff(shares) <= 1e-12)
    assert loud.covariance[0] > 0.9 > loud.correlation[0]
