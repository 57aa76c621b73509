from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.creatures._bursts import HOLDS, RESTS, WAVES, Bursts
from locomote.errors import LocomoteError


def trace(bursts: Bursts, dt: float, seconds: float) -> np.ndarray:
    return np.array([bursts.step(dt) for _ in range(round(seconds / dt))])


def test_factors_go_from_rest_to_full_and_back_for_random_times() -> None:
    dt = 0.005
    factors = trace(Bursts(30, seed=3), dt, 120.0)
    assert factors.min() == 0.0
    assert factors.max() == 1.0
    rests, holds, rises = [], [], []
    for one in factors.T:
        edges = np.flatnonzero(np.diff(one > 0.0)) + 1
        begins = edges[one[edges] > 0.0]
        ends = edges[one[edges] == 0.0]
        assert len(begins) > 20
        for begin in begins[:-1]:
            end = ends[ends > begin][0]
            top = np.flatnonzero(one[begin:end] == 1.0)
            wave = one[begin:end]
            assert np.all(np.diff(wave[: top[0] + 1]) >= 0.0)  # up, level, down: nothing else
            assert np.all(wave[top[0] : top[-1] + 1] == 1.0)
            assert np.all(np.diff(wave[top[-1] :]) <= 0.0)
            rises.append((end - begin - len(top)) * dt)
            holds.append(len(top) * dt)
            rests.append((begins[begins > end][0] - end) * dt)
    for seen, (least, most) in ((rests, RESTS), (holds, HOLDS), (rises, WAVES)):
        assert min(seen) >= least - 3 * dt
        assert max(seen) <= most + 3 * dt
        assert np.mean(seen) == pytest.approx(0.5 * (least + most), rel=0.1)
        assert np.std(seen) == pytest.approx((most - least) / np.sqrt(12.0), rel=0.1)


@given(seed=st.integers(0, 2**63), steps=st.lists(st.floats(0.0, 3.0), min_size=1, max_size=12))
def test_the_wave_is_the_same_in_any_steps_of_time(seed: int, steps: list[float]) -> None:
    one, other = Bursts(4, seed), Bursts(4, seed)
    for dt in steps:
        one.step(dt)
    expected = other.step(sum(steps))
    assert np.allclose(one.factors, expected, atol=1e-6)


def test_bursts_are_each_ones_own_and_repeatable() -> None:
    few, many = Bursts(3, seed=7), Bursts(40, seed=7)
    for _ in range(200):
        assert np.array_equal(few.step(0.05), many.step(0.05)[:3])
    assert len(np.unique(many.factors)) > 10
    assert not np.array_equal(trace(Bursts(3, 1), 0.1, 5.0), trace(Bursts(3, 2), 0.1, 5.0))


def test_a_new_burst_begins_at_rest_with_a_choice_of_its_own() -> None:
    bursts = Bursts(20, seed=1)
    began, chosen = 0, set()
    before = bursts.choices(8)
    for _ in range(1500):
        factors = bursts.step(0.02)
        now = bursts.choices(8)
        assert np.all(factors[bursts.began] == 0.0)
        assert np.array_equal(now[~bursts.began], before[~bursts.began])
        began += int(bursts.began.sum())
        chosen |= set(now[bursts.began].tolist())
        before = now
    assert began > 100
    assert chosen == set(range(8))
    with pytest.raises(LocomoteError, match="dt"):
        bursts.step(-1.0)
    with pytest.raises(LocomoteError, match="at least one"):
        Bursts(0)
