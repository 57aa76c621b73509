"""The parts of packed motion: the transform over time, and numbers as bits."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.formats import _lmz_bands as bands
from locomote.formats._lmz_bytes import Reader
from locomote.formats._lmz_chains import bytes_of_chains, chains, chains_of, fit_chains, size_of
from locomote.formats._lmz_chart import APART, fit_chart
from locomote.formats._lmz_coder import LARGEST, Numbers
from locomote.formats._lmz_numbers import SLOTS, fresh, fresh_sizes
from locomote.formats._lmz_rows import MOST_EXPONENT, Shape, row_gains, row_steps
from locomote.formats._lmz_wavelet import REACH, analyse, synthesise
from locomote.rotations import FloatArray
from locomote.samples import performer

# The 9/7 filters themselves, from their paper's table: an independent form of the lifting.
LOW = np.array([0.026748757411, -0.016864118443, -0.078223266529, 0.266864118443, 0.602949018236])
HIGH = np.array([0.045635881557, -0.028771763114, -0.295635881557, 0.557543526229])


def rows(frames: int, width: int = 3, seed: int = 0) -> FloatArray:
    return np.random.default_rng(seed).normal(size=(frames, width)).cumsum(axis=0)


@given(st.integers(1, 200), st.integers(0, 7))
def test_the_transform_is_undone(frames: int, levels: int) -> None:
    values = rows(frames)
    again = values.copy()
    analyse(again, levels)
    synthesise(again, levels)
    np.testing.assert_allclose(again, values, atol=1e-9)


def test_the_transform_is_the_filter_bank() -> None:
    values = rows(64, 1)
    lifted = values.copy()
    analyse(lifted, 1)
    mirrored = np.pad(values[:, 0], 8, mode="reflect")
    low, high = np.concatenate([LOW, LOW[-2::-1]]), np.concatenate([HIGH, HIGH[-2::-1]])
    smooth = np.convolve(mirrored, low, "same")[8:-8:2]
    detail = np.convolve(mirrored, -high, "same")[9:-8:2]
    np.testing.assert_allclose(lifted[::2, 0] / smooth, lifted[0, 0] / smooth[0], rtol=1e-6)
    np.testing.assert_allclose(lifted[1::2, 0] / detail, lifted[1, 0] / detail[0], rtol=1e-6)


def test_straight_lines_have_no_details() -> None:
    values = np.linspace([0.0, 5.0], [10.0, -3.0], 129)
    analyse(values, 1)
    assert np.abs(values[3:-3:2]).max() < 1e-9


def test_rows_count_what_they_are_worth() -> None:
    """A unit in any row of the transform gives about a unit of energy in the frames."""
    shape = Shape(256, 4, 8)
    gains = row_gains(shape)
    for t in (64, 72, 68, 66, 65):
        unit = np.zeros((256, 1))
        unit[t] = 1.0 / gains[t]
        synthesise(unit, shape.levels)
        assert 0.8 < np.linalg.norm(unit) < 1.25


def test_a_wrong_row_spreads_no_further_than_told() -> None:
    for t in (256, 256 + 16, 256 + 8):
        unit = np.zeros((513, 1))
        unit[t] = 1.0
        synthesise(unit, 5)
        found = np.flatnonzero(unit)
        assert t - found.min() < REACH << 5
        assert found.max() - t < REACH << 5


def coded(numbers: Numbers, exponents: list[int], levels: int) -> int:
    """Through bits and back; how many bytes."""
    shape = Shape(len(numbers), levels, -(-len(numbers) // len(exponents)))
    steps = np.resize(np.array(exponents, dtype=np.int64), shape.pieces)
    _, fineness = row_steps(shape, 0.1, steps)
    smooth, kept = np.ascontiguousarray(numbers[:: 1 << levels]), np.ascontiguousarray(fineness[:: 1 << levels])
    changes, state = np.zeros((2, numbers.shape[1]), dtype=np.int64), bands.new_state()
    out = np.zeros(64 * numbers.size + 4096, dtype=np.uint8)
    total = bands.encode_base(steps, smooth, kept, fresh(), changes, state, out)
    assert total <= len(out)
    contexts, data = fresh(), out[:total].copy()
    read_steps, read_smooth = np.zeros_like(steps), np.zeros_like(smooth)
    bands.decode_steps(read_steps, MOST_EXPONENT, contexts, state, data)
    bands.decode_smooth(read_smooth, kept, contexts, changes, state, data)
    np.testing.assert_array_equal(read_steps, steps)
    np.testing.assert_array_equal(read_smooth, smooth)
    again = np.zeros_like(numbers)
    again[:: 1 << levels] = smooth
    for first in range(0, shape.frames, shape.stretch):
        last = min(first + shape.stretch, shape.frames)
        part, expected = np.array([levels, first, last]), changes[0]
        odds = fresh(), fresh_sizes()
        size = bands.encode_details(numbers, fineness, part, odds, expected, state, out)
        odds = fresh(), fresh_sizes()
        bands.decode_details(again, fineness, part, odds, expected, state, out[:size].copy())
        total += size
    np.testing.assert_array_equal(again, numbers)
    return total


@given(
    st.integers(1, 80),
    st.integers(1, 5),
    st.integers(0, 4),
    st.floats(0.0, 1e6),
    st.lists(st.integers(-MOST_EXPONENT, MOST_EXPONENT), min_size=1, max_size=6),
)
def test_numbers_come_back(frames: int, width: int, levels: int, size: float, exponents: list[int]) -> None:
    rng = np.random.default_rng(frames + 100 * width)
    numbers = np.rint(rng.laplace(size=(frames, width)) * size).astype(np.int32)
    coded(numbers, exponents, levels)


def test_sizes_are_as_likely_at_first_as_their_bits_were() -> None:
    """Odds of symbols begin where those of the bits of the first coding did: one is as likely, all are possible."""
    bits, sizes = fresh(), fresh_sizes()
    for k in (0, 5, 9, 30):  # contexts in which a symbol is one size
        assert sizes[k, 1] / 32768 == pytest.approx(bits[k * SLOTS + 1, 0] / 65536, abs=0.01)
    assert np.all(np.diff(sizes, axis=1) >= 0)
    assert sizes[:, -1].max() < 32768


def test_the_largest_numbers_come_back() -> None:
    numbers = np.array([[LARGEST, -LARGEST], [-LARGEST, LARGEST], [0, 1], [-1, LARGEST]], dtype=np.int32)
    for levels in (0, 1, 2):
        coded(numbers, [0], levels)


@pytest.mark.parametrize("spread", [0.05, 0.5, 4.0])
def test_bytes_are_near_the_entropy(spread: float) -> None:
    """Numbers that tell nothing about each other cost what their distribution says, and a few per cent.

    There are 32 streams, each of which learns the distribution anew.
    """
    rng = np.random.default_rng(3)
    numbers = np.rint(rng.normal(size=(2048, 24)) * spread).astype(np.int32)
    _, counts = np.unique(numbers, return_counts=True)
    share = counts / numbers.size
    entropy = -np.sum(share * np.log2(share)) * numbers.size / 8
    assert coded(numbers, [0], 3) < 1.07 * entropy + 600


def test_silence_costs_nothing() -> None:
    assert coded(np.zeros((4000, 90), dtype=np.int32), [0], 5) < 150


def test_chains_are_joints_without_branches() -> None:
    """Every joint but the root is in one chain, none longer than five, and a chain goes down from child to child."""
    skeleton = performer().motion.skeleton
    parts = chains(skeleton)
    joints = [(part[::3] + APART - 3) // 3 for part in parts]
    assert sorted(int(j) for part in joints for j in part) == list(range(1, len(skeleton)))
    children = np.bincount(skeleton.parents[1:], minlength=len(skeleton))
    for part in joints:
        assert len(part) <= 5
        for parent, child in pairwise(part):
            assert skeleton.parents[child] == parent
            assert children[parent] == 1
    assert max(map(len, joints)) >= 3
    assert size_of(skeleton) == sum(len(part) ** 2 for part in parts)


def test_turns_of_chains_come_back_and_gather_what_goes_together() -> None:
    walk = performer(speed=1.4).motion
    chart = fit_chart(walk)
    turn = fit_chains(chart, walk)
    again = chains_of(Reader(bytes_of_chains(turn, walk.skeleton)), walk.skeleton)
    np.testing.assert_array_equal(again, turn)
    plain, turned = (np.var(each.numbers(walk), axis=0) for each in (chart, replace(chart, turn=turn)))
    for part in chains(walk.skeleton):
        if len(part) > 3 and plain[part + APART].sum() > 1e-6:
            assert turned[part[0] + APART] >= 0.999 * plain[part + APART].max()
            assert turned[part + APART].sum() == pytest.approx(plain[part + APART].sum(), rel=0.05)
