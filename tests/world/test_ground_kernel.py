"""Heights of the ground against their twin."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locomote.world._kernels import ground as kernel

FRAME = np.array([-1.0, -2.0, 0.5])


def random_ground(seed: int, count: int, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    r = np.random.default_rng(seed)
    pieces = r.uniform(-2.0, 2.0, size=(count, kernel.COLUMNS))
    pieces[:, [kernel.HALF_WIDTH, kernel.HALF_LENGTH]] = r.uniform(0.2, 2.0, size=(count, 2))
    pieces[:, [kernel.SLOPE_X, kernel.SLOPE_Z]] *= 0.3
    return pieces, r.normal(size=(rows, columns))


def twin_base(points: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """Linear along rows, then along columns, with NumPy's own interpolation, which holds beyond the ends."""
    x, z = ((points[:, k] - FRAME[k]) / FRAME[2] for k in range(2))
    rows = np.array([np.interp(x, np.arange(grid.shape[1]), row) for row in grid])  # (R, N)
    return np.array([np.interp(at, np.arange(grid.shape[0]), rows[:, n]) for n, at in enumerate(z)])


def twin_heights(points: np.ndarray, ahead: float, pieces: np.ndarray, grid: np.ndarray):
    best, which = twin_base(points, grid), np.full(len(points), kernel.BASE)
    for p, row in enumerate(pieces):
        yaw = row[kernel.YAW] + ahead * row[kernel.TURN]
        middle = row[[kernel.X, kernel.Y, kernel.Z]] + ahead * row[[kernel.VX, kernel.VY, kernel.VZ]]
        axes = np.array([[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]])  # rows: local x, local z
        local = (points - middle[[0, 2]]) @ axes.T
        inside = np.all(np.abs(local) <= row[[kernel.HALF_WIDTH, kernel.HALF_LENGTH]], axis=1)
        top = middle[1] + local @ row[[kernel.SLOPE_X, kernel.SLOPE_Z]]
        better = inside & (top >= best)
        best, which = np.where(better, top, best), np.where(better, p, which)
    return best, which


def run(points, ahead, pieces, grid):
    out, which = np.empty(len(points)), np.empty(len(points), dtype=np.int64)
    kernel.heights(points, ahead, kernel.Terrain(pieces, grid, FRAME), out, which)
    return out, which


grounds = st.tuples(st.integers(0, 10**6), st.integers(0, 6), st.integers(1, 5), st.integers(1, 5))


@given(grounds, st.floats(-2.0, 2.0))
def test_equals_its_twin(ground, ahead):
    pieces, grid = random_ground(*ground)
    points = np.random.default_rng(ground[0]).uniform(-4.0, 4.0, size=(60, 2))
    heights, which = run(points, ahead, pieces, grid)
    expected, owner = twin_heights(points, ahead, pieces, grid)
    np.testing.assert_allclose(heights, expected, atol=1e-12)
    assert np.array_equal(which, owner)


@given(grounds, st.floats(-1.0, 1.0))
def test_slopes_are_differences_of_heights(ground, ahead):
    pieces, grid = random_ground(*ground)
    points = np.random.default_rng(ground[0]).uniform(-4.0, 4.0, size=(40, 2))
    slopes = np.empty((len(points), 2))
    kernel.slopes(points, ahead, kernel.Terrain(pieces, grid, FRAME), slopes)
    which = run(points, ahead, pieces, grid)[1]
    step = 1e-6
    for axis in range(2):
        shift = np.eye(2)[axis] * step
        before, after = run(points - shift, ahead, pieces, grid), run(points + shift, ahead, pieces, grid)
        cells = np.floor((points[:, axis] + np.array([[-step], [step]]) - FRAME[axis]) / FRAME[2])
        same = (before[1] == which) & (after[1] == which) & (cells[0] == cells[1])
        found = (after[0] - before[0]) / (2 * step)
        np.testing.assert_allclose(slopes[same, axis], found[same], atol=1e-6)


def test_looking_ahead_is_moving_the_pieces():
    pieces, grid = random_ground(5, 6, 3, 4)
    points = np.random.default_rng(1).uniform(-4.0, 4.0, size=(200, 2))
    moved = pieces.copy()
    moved[:, [kernel.X, kernel.Y, kernel.Z]] += 0.7 * pieces[:, [kernel.VX, kernel.VY, kernel.VZ]]
    moved[:, kernel.YAW] += 0.7 * pieces[:, kernel.TURN]
    np.testing.assert_allclose(run(points, 0.7, pieces, grid)[0], run(points, 0.0, moved, grid)[0], atol=1e-12)


def test_a_piece_that_lies_flush_with_the_base_counts():
    pieces = np.zeros((1, kernel.COLUMNS))
    pieces[0, [kernel.HALF_WIDTH, kernel.HALF_LENGTH]] = 1.0
    assert run(np.zeros((1, 2)), 0.0, pieces, np.zeros((1, 1)))[1][0] == 0


def test_places_that_are_no_places_do_no_harm():
    pieces, grid = random_ground(2, 3, 4, 4)
    points = np.array([[np.nan, 0.0], [np.inf, -np.inf], [1e300, -1e300]])
    heights, which = run(points, 0.0, pieces, grid)
    assert np.all(which == kernel.BASE)
    assert np.all(np.isfinite(heights))
