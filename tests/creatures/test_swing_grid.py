"""Paths of feet in the plan: waves, lines that touch cells, and the few places between which one sees straight on."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from locomote.creatures._kernels.swing_lines import GridLine, cross_path, reduce_trail
from locomote.creatures._kernels.swing_profile import smooth_path
from locomote.creatures._kernels.swing_scratch import CrossedCell, PathPoint, WayPlace
from locomote.creatures._kernels.swing_wave import flood, open_cells, padded, way_back
from locomote.creatures._kernels.swing_window import MapWindow, inside, look, paint_legs, search_window
from locomote.math.records import zeros
from locomote.world._kernels.map_layout import LEG
from tests.creatures.swing_scenes import way_places

CELL = 0.1
HIGH = 0.5


def random_window(seed: int, share: float = 0.3, rows: int = 18, columns: int = 15):
    """A window full of obstacles whose rectangle covers all of it."""
    random = np.random.default_rng(seed)
    elev = np.where(random.random((rows, columns)) < share, 1.0, 0.0)
    flags = np.where(random.random((rows, columns)) < 0.03, LEG, 0).astype(np.uint8)
    r, c = random.integers(rows), random.integers(columns)
    start = ((c + random.uniform(0.1, 0.9)) * CELL, 0.0, (r + random.uniform(0.1, 0.9)) * CELL)
    return look(start, (0.75, 0.0, 0.9), 10.0, MapWindow(elev, flags, 0.0, 0.0, CELL)), start


def wave(window, level=HIGH):
    free, moves, queue = (np.zeros(40_000, np.int32) for _ in range(3))
    open_cells(window, free)
    flood(level, window, free, moves, queue)
    rows, columns = window.elev.shape
    return moves, moves[: (rows + 2) * (columns + 2)].reshape(rows + 2, columns + 2)[1:-1, 1:-1]


def free_cells(window, level=HIGH) -> np.ndarray:
    free = (window.elev <= level) & (window.flags & LEG == 0)
    free.flat[window.start] = True
    return free


@pytest.mark.feature("LEG-25")
@pytest.mark.parametrize("seed", range(40))
def test_moves_are_those_of_dijkstra(seed):
    window, _ = random_window(seed)
    _, moves = wave(window)
    free = free_cells(window)
    rows, columns = free.shape
    pairs = []
    for r in range(rows):
        for c in range(columns):
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    a, b = r + dr, c + dc
                    if not (0 <= a < rows and 0 <= b < columns) or (dr, dc) == (0, 0):
                        continue
                    if free[r, c] and free[a, b] and free[r, b] and free[a, c]:
                        pairs.append((r * columns + c, a * columns + b))
    graph = csr_array((np.ones(len(pairs)), np.transpose(pairs)), shape=(free.size, free.size))
    expected = dijkstra(graph, unweighted=True, indices=window.start).reshape(free.shape)
    reached = moves > 0
    np.testing.assert_array_equal(reached, np.isfinite(expected))
    np.testing.assert_array_equal(moves[reached] - 1, expected[reached])


@pytest.mark.feature("LEG-24")
@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(0.2, 1.5))
def test_the_wave_keeps_to_the_rectangle_of_the_step(x, z, room):
    start, aim = (0.03, 0.0, 0.02), (x, 0.0, z)
    x_low, z_low, rows, columns = search_window(start, aim, room, 0.07)
    seen = MapWindow(np.zeros((rows, columns)), np.zeros((rows, columns), np.uint8), x_low, z_low, 0.07)
    window = look(start, aim, room, seen)
    _, moves = wave(window)
    way = math.hypot(x - start[0], z - start[2])
    along = np.array([x - start[0], z - start[2]]) / way if way > 1e-9 else np.array([0.0, 1.0])
    for r, c in np.argwhere(moves >= 0):
        off = np.array([x_low + (c + 0.5) * 0.07 - start[0], z_low + (r + 0.5) * 0.07 - start[2]])
        margin, half = max(0.25 * room, 0.21), max(0.5 * room, 0.21)
        assert -margin - 1e-9 <= off @ along <= way + margin + 1e-9
        assert abs(off[0] * along[1] - off[1] * along[0]) <= half + 1e-9
    # All of the rectangle is in the window, and on free ground all of it is visited.
    visited = np.array([[bool(inside(r, c, window)) for c in range(columns)] for r in range(rows)])
    np.testing.assert_array_equal(moves > 0, visited)


def supercover(x0, z0, x1, z1):
    """All cells that a line from middle to middle touches, in whole numbers."""
    dx, dz = abs(x1 - x0), abs(z1 - z0)
    sx, sz = (1 if x1 > x0 else -1), (1 if z1 > z0 else -1)
    x, z, ix, iz, cells = x0, z0, 0, 0, {(x0, z0)}
    while ix < dx or iz < dz:
        t = (1 + 2 * ix) * dz - (1 + 2 * iz) * dx
        if t == 0:
            cells |= {(x + sx, z), (x, z + sz)}
        if t <= 0:
            x, ix = x + sx, ix + 1
        if t >= 0:
            z, iz = z + sz, iz + 1
        cells.add((x, z))
    return cells


def touched(window, line, level=math.inf):
    crossed, points = zeros(CrossedCell, 512), zeros(PathPoint, len(line))
    points["u"], points["v"] = line.T
    count, _ = cross_path(points, len(line), level, window, crossed)
    rows, columns = np.divmod(crossed["number"][: max(count, 0)], window.elev.shape[1])
    return count, set(zip(columns.tolist(), rows.tolist(), strict=True))


@pytest.mark.feature("LEG-26")
def test_every_cell_that_a_line_crosses_is_listed():
    window, _ = random_window(0)
    window.flags[:] = 0
    random = np.random.default_rng(1)
    for _ in range(300):
        x0, x1 = random.integers(15, size=2)
        z0, z1 = random.integers(18, size=2)
        line = np.array([[x0, z0], [x1, z1]]) + 0.5
        assert touched(window, line)[1] == supercover(x0, z0, x1, z1)
    for _ in range(100):  # from anywhere to anywhere: all cells in which fine steps along the line lie
        line = random.uniform(0.0, 15.0, (2, 2))
        fine = line[0] + np.linspace(0, 1, 2000)[:, None] * (line[1] - line[0])
        assert {(int(u), int(v)) for u, v in fine} <= touched(window, line)[1]


@pytest.mark.feature("LEG-26")
@pytest.mark.parametrize("seed", range(30))
def test_kept_lines_touch_no_cell_that_is_not_free(seed):
    window, start = random_window(seed, 0.25)
    moves, numbers = wave(window)
    free, columns = free_cells(window), window.elev.shape[1]
    trail, crossed, ways = np.zeros(4000, np.int32), zeros(CrossedCell, 512), zeros(WayPlace, 64)
    for r, c in np.argwhere(numbers > 1)[::7]:
        count = way_back(r * columns + c, columns, moves, trail)
        assert count == numbers[r, c]
        assert trail[0] == padded(r * columns + c, columns)
        ends = GridLine(start[0] / CELL, start[2] / CELL, c + 0.3, r + 0.6)
        kept = reduce_trail(trail, count, ends, HIGH, window, crossed, ways)
        assert 2 <= kept <= count
        line = np.stack([ways["u"], ways["v"]], axis=1)[:kept]
        np.testing.assert_allclose(line[[0, -1]].ravel(), ends)
        reached, cells = touched(window, line)
        assert reached > 0
        assert all(free[v, u] for u, v in cells)
        assert touched(window, line, HIGH)[0] == reached


@pytest.mark.feature("LEG-27")
def test_smooth_paths_pass_all_places_without_a_bend():
    random = np.random.default_rng(3)
    for _ in range(20):
        line = np.stack([400.0 * np.arange(6), random.uniform(0, 800, 6)], axis=1)  # wide apart: fine points
        path = zeros(PathPoint, 20_000)
        count = smooth_path(way_places(line), 6, 0.0, 0.0, 1.0, path)
        places = np.stack([path["u"], path["v"]], axis=1)[:count]
        for place in line:
            assert np.hypot(*(places - place).T).min() < 1e-9
        steps = np.diff(places, axis=0)
        angles = np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))
        assert np.abs(np.diff(angles)).max() < 0.02
        np.testing.assert_allclose(np.diff(path["way"][:count]), np.hypot(*steps.T), atol=1e-6)
        count = smooth_path(way_places(line, 0.0), 6, 0.0, 0.0, 1.0, path)
        assert path["way"][count - 1] == pytest.approx(np.hypot(*np.diff(line, axis=0).T).sum())


def test_other_legs_are_marked_without_gaps():
    window, _ = random_window(0, 0.0)
    window.flags[:] = 0
    legs = np.full((3, 3, 2), np.nan)
    legs[0] = legs[1] = [[0.12, 0.31], [0.8, 0.4], [1.2, 1.6]]
    paint_legs(legs, 0, 0, window)
    marked = window.flags & LEG != 0
    fine = [0.12 + 0.68 * np.linspace(0, 1, 500), 0.31 + 0.09 * np.linspace(0, 1, 500)]
    hit = marked[(fine[1] / CELL).astype(int), (fine[0] / CELL).astype(int)]
    assert hit.mean() > 0.9
    assert wave(window)[1].max() > 1
    window.flags[:] = 0
    paint_legs(legs[:1], 0, 0, window)
    assert not window.flags.any()
