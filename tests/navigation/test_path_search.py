"""Ways of bodies over surveys, against plain versions of both."""

from __future__ import annotations

import heapq
import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import ndimage

from locomote.navigation._kernels.path_cells import CLIMB, NEAR, STRIDE
from locomote.navigation._kernels.path_search import WayPoints, plan_way
from locomote.navigation._kernels.path_state import (
    BEYOND,
    CLOSED,
    FOUND,
    MATTER,
    NARROW,
    NEARBY,
    STEEP,
    Bounds,
    Survey,
    blank_survey,
)
from locomote.navigation._kernels.traversability import survey
from locomote.world import Ground, Maps, Obstacles

CELL, GROUP = 0.1, 2
SIDE = CELL * GROUP
BOUNDS = Bounds(half_width=0.35, step=0.4, rough=0.2, slope=0.7, baseline=0.8, over=0.4, gap=0.5)
NOBODY = np.zeros((0, 3))


def surveyed(maps: Maps, low: tuple[float, float] = (-5.0, -5.0), high: tuple[float, float] = (5.0, 5.0)) -> Survey:
    column, row = (math.floor(each / SIDE) for each in low)
    columns, rows = (math.ceil(b / SIDE) - first for b, first in zip(high, (column, row), strict=True))
    out = blank_survey(row, column, rows, columns, SIDE)
    survey(maps.arrays, GROUP, BOUNDS, out)
    return out


def way(
    found: Survey, start: tuple[float, float], *goals: tuple[float, float], loose: bool = False, strict: bool = False,
    standing: np.ndarray = NOBODY,
) -> tuple[np.ndarray, int]:  # fmt: skip
    points, passed = np.full((96, 2), np.nan), np.zeros(96, dtype=np.int64)
    ends = np.array(goals, dtype=float)
    begin = np.array(start, dtype=float)
    count, _, came = plan_way(found, BOUNDS, begin, ends, loose, strict, standing, WayPoints(points, passed))
    return points[:count], came


def cell_of(place: tuple[float, float] | np.ndarray, found: Survey) -> tuple[int, int]:
    return math.floor(place[1] / SIDE - found.frame[0]), math.floor(place[0] / SIDE - found.frame[1])


def passes(a: tuple[int, int], b: tuple[int, int], found: Survey) -> bool:
    distance = SIDE * math.hypot(a[0] - b[0], a[1] - b[1])
    least = BOUNDS.step if found.thing[a] or found.thing[b] else BOUNDS.rough
    return bool(abs(found.level[a] - found.level[b]) <= max(least, BOUNDS.slope * distance))


def dearness(found: Survey) -> np.ndarray:
    near = np.clip((2.0 * BOUNDS.half_width - found.clear) / BOUNDS.half_width, 0.0, 1.0)
    return 1.0 + NEAR * near + STRIDE * (found.kind == NARROW)


def cheapest(found: Survey, start: tuple[float, float], goal: tuple[float, float]) -> float:
    """What the cheapest way over the cells costs, by trying all of them; infinite for none."""
    dear, first, end = dearness(found), cell_of(start, found), cell_of(goal, found)
    best, heap = {first: 0.0}, [(0.0, first)]
    while heap:
        cost, at = heapq.heappop(heap)
        if at == end:
            return cost
        if cost > best[at]:
            continue
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                to = at[0] + dr, at[1] + dc
                if to == at or not (0 <= to[0] < found.open.shape[0] and 0 <= to[1] < found.open.shape[1]):
                    continue
                beside = (at[0] + dr, at[1]), (at[0], at[1] + dc)
                if not (found.open[to] and all(found.open[each] for each in beside) and passes(at, to, found)):
                    continue
                total = cost + 0.5 * SIDE * math.hypot(dr, dc) * (dear[at] + dear[to])
                total += CLIMB * abs(found.level[to] - found.level[at])
                if total < best.get(to, math.inf):
                    best[to] = total
                    heapq.heappush(heap, (total, to))
    return math.inf


def cost_of(points: np.ndarray, found: Survey) -> float:
    """What a way costs, by small pieces; infinite where it leaves the open cells."""
    dear, total = dearness(found), 0.0
    for a, b in pairwise(points):
        length = float(np.hypot(*(b - a)))
        count = max(2, math.ceil(length / 0.002))
        cells = [cell_of(a + (m + 0.5) / count * (b - a), found) for m in range(count)]
        if not all(found.open[each] for each in cells):
            return math.inf
        total += length / count * sum(dear[each] for each in cells)
        total += CLIMB * sum(abs(found.level[p] - found.level[q]) for p, q in pairwise(cells))
    return total


@pytest.mark.parametrize("seed", range(6))
def test_ways_through_mazes_are_no_dearer_than_the_cheapest_over_the_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    obstacles, ground = Obstacles(), Ground()
    for _ in range(14):
        start = rng.uniform(-4.5, 4.5, 2)
        along = rng.uniform(1.0, 3.5) * np.array([(1.0, 0.0), (0.0, 1.0)][rng.integers(2)])
        obstacles.add_wall(start, start + along, 1.0, 0.2, safe=bool(rng.integers(2)))
    for _ in range(3):
        ground.add_box(rng.uniform(-4.0, 4.0, 2), rng.uniform(0.8, 2.0, 2), top=float(rng.uniform(0.1, 0.6)))
    found = surveyed(Maps(ground, obstacles, CELL))
    places = [(float(x), float(z)) for x, z in rng.uniform(-4.9, 4.9, (200, 2)) if found.open[cell_of((x, z), found)]][
        :24
    ]
    reached = 0
    for start, goal in zip(places[::2], places[1::2], strict=False):
        least = cheapest(found, start, goal)
        points, came = way(found, start, goal)
        assert (came == FOUND) == math.isfinite(least)
        if came == FOUND:
            reached += 1
            np.testing.assert_allclose(points[[0, -1]], [start, goal], atol=1e-9)
            assert cost_of(points, found) <= 1.01 * least + 4.0 * SIDE
    assert reached >= 3


def test_bodies_keep_their_half_width_from_walls_that_are_too_high() -> None:
    obstacles = Obstacles()
    obstacles.add_wall((-2.0, 0.0), (2.0, 0.5), 1.0, 0.2)
    obstacles.add_disk((1.0, 3.0), 0.5)
    found = surveyed(Maps(None, obstacles, CELL))
    away = SIDE * ndimage.distance_transform_edt(found.kind != MATTER)
    np.testing.assert_allclose(found.clear, np.minimum(away, 2.0 * BOUNDS.half_width), atol=1e-9)
    np.testing.assert_array_equal(found.open != 0, away >= BOUNDS.half_width)
    middles = SIDE * (np.stack(np.indices(found.open.shape)[::-1], axis=-1) + 0.5 + found.frame[1::-1])
    assert obstacles.distances(middles[found.open != 0]).min() > BOUNDS.half_width - SIDE


def test_thin_walls_are_seen() -> None:
    obstacles = Obstacles()
    obstacles.add_wall((-9.0, 0.0), (9.0, 0.0), 1.0, 0.01)  # between the middles of two rows of cells
    found = surveyed(Maps(None, obstacles, CELL))
    assert way(found, (0.0, -2.0), (0.0, 2.0))[1] == BEYOND


def test_narrow_puddles_and_low_crates_are_crossed_and_wide_ones_passed_by() -> None:
    for length, straight in ((0.4, True), (1.5, False)):
        obstacles = Obstacles()
        obstacles.add_puddle((0.0, 0.0), length, 4.0)
        points, came = way(surveyed(Maps(None, obstacles, CELL)), (0.0, -2.0), (0.0, 2.0))
        assert came == FOUND
        assert (np.abs(points[:, 0]).max() < 1.0) == straight
    for height, straight in ((0.3, True), (0.5, False)):
        obstacles = Obstacles()
        obstacles.add_box((0.0, 0.0), (4.0, 0.4), height=height)
        points, came = way(surveyed(Maps(None, obstacles, CELL)), (0.0, -2.0), (0.0, 2.0))
        assert came == FOUND
        assert (np.abs(points[:, 0]).max() < 1.0) == straight


def test_steps_are_climbed_as_high_as_legs_can() -> None:
    for top, came in ((0.35, FOUND), (0.5, CLOSED)):
        ground = Ground()
        ground.add_box((0.0, 2.0), (3.0, 3.0), top=top)
        assert way(surveyed(Maps(ground, None, CELL)), (0.0, -2.0), (0.0, 2.0))[1] == came
    for rise, came in ((1.0, FOUND), (2.4, CLOSED)):
        ground = Ground()
        ground.add_box((0.0, 3.0), (2.0, 2.0), top=rise)
        ground.add_ramp((0.0, -0.5), 2.5, 0.0, rise, width=2.0)
        assert way(surveyed(Maps(ground, None, CELL)), (0.0, -3.0), (0.0, 3.0))[1] == came


def test_slopes_of_the_ground_that_are_too_steep_are_passed_by() -> None:
    x, z = np.meshgrid(np.linspace(-5.0, 5.0, 101), np.linspace(-5.0, 5.0, 101))
    for height, straight in ((0.3, True), (2.0, False)):
        ridge = height * np.exp(-(z**2)) * (1.0 / (1.0 + np.exp(-8.0 * (x + 1.5))))
        ground = Ground.from_heights(ridge, 0.1, (-5.0, -5.0))
        found = surveyed(Maps(ground, None, CELL))
        assert (found.kind == STEEP).any() != straight
        points, came = way(found, (0.0, -3.0), (0.0, 3.0))
        assert came == FOUND
        assert (points[:, 0].min() > -1.0) == straight


def test_goals_within_things_are_taken_as_the_nearest_place_beside_them() -> None:
    obstacles = Obstacles()
    obstacles.add_disk((0.0, 2.0), 0.8)
    found = surveyed(Maps(None, obstacles, CELL))
    points, came = way(found, (0.0, -2.0), (0.0, 1.9))
    assert came == NEARBY
    assert abs(math.dist(points[-1], (0.0, 2.0)) - 0.8 - BOUNDS.half_width) < 2.0 * SIDE
    points, came = way(found, (0.0, 1.4), (0.0, -2.0))  # one who stands there gets out
    assert came == FOUND


def test_closed_yards_are_known_at_once_and_others_sought_beyond_the_window() -> None:
    obstacles = Obstacles()
    for a, b in (((-1, -1), (1, -1)), ((1, -1), (1, 1)), ((1, 1), (-1, 1)), ((-1, 1), (-1, -1))):
        obstacles.add_wall(2.0 * np.array(a), 2.0 * np.array(b))
    found = surveyed(Maps(None, obstacles, CELL))
    assert way(found, (-4.0, 0.0), (0.0, 0.0))[1] == CLOSED
    assert way(found, (0.0, 0.0), (-4.0, 0.0))[1] == CLOSED
    assert way(found, (0.0, 0.0), (-4.0, 0.0), loose=True)[1] == NEARBY
    assert way(found, (0.0, 4.0), (0.0, -4.0))[1] == FOUND


def test_ways_over_several_goals_keep_to_the_lines_between_them_and_pass_by_who_stands() -> None:
    found = surveyed(Maps(None, Obstacles(), CELL))
    goals = [(2.0, 0.0), (2.0, 2.0), (-2.0, 2.0)]
    points, came = way(found, (0.0, 0.0), *goals, strict=True)
    assert came == FOUND
    np.testing.assert_allclose(points, [(0.0, 0.0), *goals])
    points, _ = way(found, (0.0, -3.0), (0.0, 3.0), standing=np.array([[0.0, 0.0, 0.5]]))
    assert np.abs(points[:, 0]).max() > 0.7


@pytest.mark.compiler
def test_nothing_of_a_search_is_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.core.runtime import _nrt_python, rtsys

    monkeypatch.setattr(plan_way, "_run", plan_way.dispatcher)  # type: ignore[attr-defined]
    obstacles = Obstacles()
    obstacles.add_wall((-4.0, 0.0), (4.0, 0.0), 1.0, 0.2)
    found = surveyed(Maps(None, obstacles, CELL))
    _nrt_python.memsys_enable_stats()
    way(found, (0.0, -3.0), (0.0, 3.0))
    before = rtsys.get_allocation_stats()
    assert way(found, (0.0, -3.0), (0.0, 3.0))[1] == FOUND
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free
