"""Recorded steps around a query: against SciPy, linear programming and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, Delaunay

from locomote.steps._blending import outer_faces
from locomote.steps._kernels import choose as at
from locomote.steps._kernels.locate import StepSpace, locate_batch

RANDOM = np.random.default_rng(4)
POINTS = RANDOM.uniform(-0.6, 0.6, (90, 3))
FEATURES = np.concatenate([POINTS, RANDOM.uniform(-np.pi, np.pi, (90, 3)), RANDOM.uniform(0.1, 0.6, (90, 3))], axis=1)
DELAUNAY = Delaunay(POINTS)


def space(features: np.ndarray, triangulation: Delaunay) -> StepSpace:
    return StepSpace(
        features,
        triangulation.simplices.astype(np.int64),
        triangulation.neighbors.astype(np.int64),
        np.ascontiguousarray(triangulation.transform),
        outer_faces(triangulation.simplices, triangulation.neighbors),
        np.ascontiguousarray(features.T),
        np.zeros(len(features)),
    )


STEPS = space(FEATURES, DELAUNAY)


def wishes(
    candidates: int,
    outside: int = at.EXACT,
    soft: float = 1.0,
    groups: tuple[float, float, float] = (1, 1, 1),
) -> at.StepWishes:
    return at.StepWishes(float(groups[0]), float(groups[1]), float(groups[2]), float(soft), candidates, outside, 0.35)


def queries_inside(count: int, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    weights = random.dirichlet(np.ones(4), count)
    corners = DELAUNAY.simplices[random.integers(len(DELAUNAY.simplices), size=count)]
    places = np.einsum("qc,qcd->qd", weights, POINTS[corners])
    rest = [random.uniform(-np.pi, np.pi, (count, 3)), random.uniform(0.1, 0.6, (count, 3))]
    return np.concatenate([places, *rest], axis=1)


def chosen(
    queries: np.ndarray, wish: at.StepWishes, steps: StepSpace = STEPS
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    count = len(queries)
    corners = np.zeros((count, 4), dtype=np.int64)
    turns, weights, off = np.zeros((count, 4)), np.zeros((count, 4)), np.zeros(count)
    at.choose_batch(queries, steps, wish, corners, turns, weights, off)
    return corners, turns, weights, off


def made(corners: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return np.einsum("qc,qcd->qd", weights, POINTS[corners])


def unlike(query: np.ndarray, groups: tuple[float, float, float] = (1, 1, 1)) -> np.ndarray:
    """The nine-dimensional distance of all steps, in NumPy."""
    off = np.abs(FEATURES - query)
    off[:, 3:6] = np.abs((FEATURES[:, 3:6] - query[3:6] + np.pi) % (2 * np.pi) - np.pi)
    scaled = off / np.repeat([at.LENGTH_SCALE, at.ANGLE_SCALE, at.TIME_SCALE], 3)
    scaled = np.where(np.isnan(scaled), 0.0, scaled)
    return scaled @ np.repeat(np.asarray(groups, dtype=float), 3)


def test_walking_through_tetrahedra_finds_what_scipy_finds() -> None:
    queries = np.concatenate([queries_inside(500)[:, :3], RANDOM.uniform(-1.0, 1.0, (500, 3))])
    found, weights = np.zeros(1000, dtype=np.int64), np.zeros((1000, 4))
    locate_batch(queries, STEPS, found, weights)
    np.testing.assert_array_equal(found, DELAUNAY.find_simplex(queries))
    inside = found >= 0
    back = np.einsum("qc,qcd->qd", weights[inside], POINTS[DELAUNAY.simplices[found[inside]]])
    np.testing.assert_allclose(back, queries[inside], atol=1e-9)


@pytest.mark.feature("STR-13")
@pytest.mark.parametrize("candidates", [at.PLAIN, at.REGIONS, at.OPTIMAL])
def test_weights_give_the_query_also_on_corners_edges_and_faces(candidates: int) -> None:
    inside = queries_inside(200)
    simplex = POINTS[DELAUNAY.simplices[:50]]
    special = np.concatenate([POINTS[:50], simplex[:, :2].mean(axis=1), simplex[:, :3].mean(axis=1)])
    rest = np.tile(inside[:1, 3:], (len(special), 1))
    for queries in (inside, np.concatenate([special, rest], axis=1)):
        corners, turns, weights, off = chosen(queries, wishes(candidates))
        assert np.all(np.isfinite(weights))
        assert np.all(off == 0.0)
        assert np.all(weights >= 0.0)
        np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-12)
        np.testing.assert_allclose(made(corners, weights), queries[:, :3], atol=1e-9)
        np.testing.assert_array_equal(turns, weights)


@pytest.mark.feature("STR-13")
@pytest.mark.parametrize("candidates", [at.PLAIN, at.REGIONS, at.OPTIMAL])
@pytest.mark.parametrize("uneven", [0.0, 1e-10])
def test_weights_give_the_query_where_tetrahedra_are_flat(candidates: int, uneven: float) -> None:
    """On a lattice some tetrahedra of the triangulation have no volume, and very many of four other steps have none."""
    line = np.linspace(-0.45, 0.45, 4)
    points = np.stack(np.meshgrid(line, line, line), axis=-1).reshape(-1, 3)
    points += np.random.default_rng(5).uniform(-uneven, uneven, points.shape)
    triangulation = Delaunay(points)
    assert uneven or np.isnan(triangulation.transform).any()
    features = np.concatenate([points, FEATURES[: len(points), 3:]], axis=1)
    random = np.random.default_rng(3)
    places = np.concatenate([random.uniform(-0.44, 0.44, (300, 3)), points, 0.5 * (points[:-1] + points[1:])])
    queries = np.concatenate([places, random.uniform(0.1, 0.6, (len(places), 6))], axis=1)
    corners, _, weights, off = chosen(queries, wishes(candidates), space(features, triangulation))
    assert np.all(np.isfinite(weights))
    assert np.abs(off).max() < 1e-9
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(np.einsum("qc,qcd->qd", weights, points[corners]), places, atol=1e-9)


@pytest.mark.feature("STR-12")
def test_candidates_lie_behind_the_corners_that_they_take_the_place_of() -> None:
    """Each is the likest of its region, or the corner; where that would be flat, some stay as they are."""
    queries = queries_inside(300, seed=7)
    corners, _, weights, _ = chosen(queries, wishes(at.REGIONS))
    changed = likest = 0
    for query, picks in zip(queries, corners, strict=True):
        simplex = DELAUNAY.simplices[int(DELAUNAY.find_simplex(query[:3]))]
        system = np.concatenate([POINTS[simplex].T, np.ones((1, 4))])
        coordinates = np.linalg.solve(system, np.concatenate([POINTS.T, np.ones((1, len(POINTS)))])).T
        costs = unlike(query)
        for i, (corner, pick) in enumerate(zip(simplex, picks, strict=True)):
            behind = np.flatnonzero(np.all(np.delete(coordinates, i, axis=1) <= 1e-9, axis=1))
            assert pick == corner or pick in behind
            changed += pick != corner
            likest += costs[pick] <= costs[np.union1d(behind, corner)].min() + 1e-12
    assert weights.min() >= -1e-12
    np.testing.assert_allclose(made(corners, weights), queries[:, :3], atol=1e-9)
    assert changed > 100
    assert likest > 0.97 * corners.size


def test_one_step_from_behind_each_corner_encloses_the_query() -> None:
    random, tried = np.random.default_rng(1), 0
    for query in queries_inside(300, seed=1)[:, :3]:
        s = int(DELAUNAY.find_simplex(query))
        t = DELAUNAY.transform[s]
        first = (POINTS - t[3]) @ t[:3].T
        coordinates = np.concatenate([first, 1.0 - first.sum(axis=1, keepdims=True)], axis=1)
        picks = []
        for i, corner in enumerate(DELAUNAY.simplices[s]):
            behind = np.flatnonzero(np.all(np.delete(coordinates, i, axis=1) <= 0.0, axis=1))
            picks.append(int(random.choice(np.union1d(behind, corner))))
        system = np.concatenate([POINTS[picks].T, np.ones((1, 4))])
        weights = np.linalg.solve(system, np.append(query, 1.0))
        assert weights.min() >= -1e-9
        tried += picks != DELAUNAY.simplices[s].tolist()
    assert tried > 100


@pytest.mark.feature("STR-11")
def test_weights_of_place_yaw_and_time_decide() -> None:
    queries = queries_inside(100, seed=2)
    plain = chosen(queries, wishes(at.PLAIN))[0]
    by_place = chosen(queries, wishes(at.REGIONS, groups=(1, 0, 0)))[0]
    by_all = chosen(queries, wishes(at.REGIONS))[0]
    for query, corners, near, alike in zip(queries, plain, by_place, by_all, strict=True):
        places, everything = unlike(query, (1, 0, 0)), unlike(query)
        assert np.all(places[near] <= places[corners] + 1e-12)
        assert np.all(everything[alike] <= everything[corners] + 1e-12)
    assert np.any(by_all != plain)
    free = queries.copy()
    free[:, 3:] = np.nan
    np.testing.assert_array_equal(chosen(free, wishes(at.REGIONS))[0], by_place)


@pytest.mark.feature("STR-32")
def test_the_best_four_cost_least() -> None:
    queries = queries_inside(60, seed=3)
    regions = chosen(queries, wishes(at.REGIONS))
    best = chosen(queries, wishes(at.OPTIMAL))
    for n, query in enumerate(queries):
        cost = np.sum((POINTS - query[:3]) ** 2, axis=1) / at.LENGTH_SCALE**2 + unlike(query, (0, 1, 1))
        mine = best[2][n] @ cost[best[0][n]]
        assert mine <= regions[2][n] @ cost[regions[0][n]] + 1e-9
        rows = np.concatenate([POINTS.T, np.ones((1, len(POINTS)))])
        true = linprog(cost, A_eq=rows, b_eq=np.append(query[:3], 1.0))
        assert mine == pytest.approx(true.fun, abs=1e-6)


def test_without_soft_costs_the_best_four_are_those_of_delaunay() -> None:
    queries = queries_inside(100, seed=5)
    best = np.sort(chosen(queries, wishes(at.OPTIMAL, soft=0.0))[0], axis=1)
    np.testing.assert_array_equal(best, np.sort(chosen(queries, wishes(at.PLAIN))[0], axis=1))


@pytest.mark.feature("STR-26")
def test_outside_weights_stay_within_their_bound_and_rotations_are_not_extrapolated() -> None:
    random = np.random.default_rng(6)
    hull = ConvexHull(POINTS)
    face = POINTS[hull.simplices].mean(axis=1)
    far = random.uniform(0.02, 0.6, len(face))
    places = face + far[:, None] * hull.equations[:, :3]
    queries = np.concatenate([places, np.zeros((len(face), 6))], axis=1)
    for candidates in (at.PLAIN, at.OPTIMAL):
        corners, turns, weights, off = chosen(queries, wishes(candidates))
        np.testing.assert_allclose(off, far, atol=1e-9)
        assert np.all(turns >= 0.0)
        np.testing.assert_allclose(made(corners, turns), face, atol=1e-9)
        np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-12)
        assert weights.min() >= -0.35 / 0.5
        assert np.all(weights[far > at.FARTHEST] >= 0.0)
    corners, _, weights, _ = chosen(queries, wishes(at.PLAIN, at.NEAREST))
    nearest = np.argmin(np.linalg.norm(POINTS[None] - places[:, None], axis=2), axis=1)
    np.testing.assert_array_equal(corners[:, 0], nearest)
    np.testing.assert_array_equal(weights, np.tile([1.0, 0.0, 0.0, 0.0], (len(face), 1)))
