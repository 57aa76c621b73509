"""The grid finds the same neighbours as a look at everybody."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.navigation._kernels.neighbours import find_neighbours, grid_for


def brute_force(places: np.ndarray, radius: float, room: int) -> list[list[int]]:
    out = []
    for i, place in enumerate(places):
        squares = (places[:, 0] - place[0]) ** 2 + (places[:, 1] - place[1]) ** 2
        order = np.lexsort((np.arange(len(places)), squares))
        out.append([int(j) for j in order if j != i and squares[j] < radius**2][:room])
    return out


def found(places: np.ndarray, radius: float, room: int, grid=None) -> list[list[int]]:
    near, counts = np.full((len(places), room), -1), np.zeros(len(places), np.int64)
    find_neighbours(places, radius, grid or grid_for(len(places)), near, counts)
    return [list(row[:n]) for row, n in zip(near, counts, strict=True)]


@given(
    st.integers(0, 10**6),
    st.integers(1, 120),
    st.sampled_from([0.1, 3.0, 20.0, 1e4]),
    st.floats(0.3, 6.0),
    st.integers(1, 12),
)
def test_it_finds_what_brute_force_finds(seed, count, spread, radius, room):
    places = np.random.default_rng(seed).normal(0.0, spread, (count, 2))
    assert found(places, radius, room) == brute_force(places, radius, room)


@pytest.mark.parametrize("room", [1, 3, 8, 30])
def test_ties_go_to_the_smaller_number(room):
    places = np.stack(np.meshgrid(np.arange(12.0), np.arange(12.0)), axis=-1).reshape(-1, 2)
    places = np.concatenate([places, places[:20]])
    for radius in (1.0, 1.5, 2.0, 4.0):
        assert found(places, radius, room) == brute_force(places, radius, room)


def test_the_grid_is_used_again_and_agents_may_be_anywhere():
    grid = grid_for(200)
    random = np.random.default_rng(0)
    for shift in (0.0, -1e5, 1e5, 37.3):
        places = random.uniform(-10.0, 10.0, (200, 2)) + shift
        places[0] = 1e6
        assert found(places, 2.5, 10, grid) == brute_force(places, 2.5, 10)
        assert found(places, 2.5, 10, grid) == found(places, 2.5, 10)
