"""Obstacles inside kernels, against half-planes, dense samples and brute force."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from locomote.world import Obstacles
from locomote.world._kernels import obstacle_buckets, obstacles
from locomote.world._kernels.obstacle_layout import HORIZON

seeds = st.integers(0, 2**31)
yaws = st.floats(-math.pi, math.pi)


def some_obstacle(seed: int, moving: bool = False) -> Obstacles:
    """One convex outline with 3 to 16 corners on an ellipse."""
    r = np.random.default_rng(seed)
    count = int(r.integers(3, 17))
    angle = (np.arange(count) + r.uniform(-0.4, 0.4, count)) * 2.0 * math.pi / count
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1) * r.uniform(0.2, 3.0, 2) + r.uniform(-4.0, 4.0, 2)
    out = Obstacles()
    index = out.add_polygon(points, height=float(r.uniform(0.0, 2.0)))
    out.move(index, yaw=float(r.uniform(-3.0, 3.0)))
    if moving:
        out.move(index, velocity=r.normal(size=2), turn_rate=float(r.normal()))
    return out


def flat(found: Obstacles) -> tuple[np.ndarray, np.ndarray]:
    return found.arrays.table, found.arrays.corners


def dense(outline: np.ndarray, count: int = 400) -> np.ndarray:
    """Points all along an outline."""
    share = np.linspace(0.0, 1.0, count)[:, None, None]
    return ((1.0 - share) * outline + share * np.roll(outline, -1, axis=0)).reshape(-1, 2)


def behind_all_edges(outline: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The sign by half-planes: the inside lies to the left of every edge."""
    edge = np.roll(outline, -1, axis=0) - outline
    off = points[:, None] - outline
    return np.all(edge[:, 1] * off[..., 0] - edge[:, 0] * off[..., 1] >= 0.0, axis=1)


def far_from(found: Obstacles, points: np.ndarray) -> np.ndarray:
    """The signed distance in plain NumPy."""
    (index,) = found
    a = found.outline(index)
    edge = np.roll(a, -1, axis=0) - a
    off = points[:, None] - a
    share = np.clip((off * edge).sum(axis=-1) / (edge * edge).sum(axis=-1), 0.0, 1.0)
    far = np.linalg.norm(off - share[..., None] * edge, axis=-1).min(axis=1)
    return np.where(behind_all_edges(a, points), -far, far)


@given(seeds)
def test_distances_are_those_of_the_outline_and_signed_by_half_planes(seed):
    found = some_obstacle(seed)
    (index,) = found
    points = np.random.default_rng(seed).uniform(-8.0, 8.0, (60, 2))
    table, corners = flat(found)
    mine = np.array([obstacles.distance(x, z, 0, table, corners)[0] for x, z in points])
    np.testing.assert_allclose(mine, far_from(found, points), atol=1e-9)
    sampled = np.linalg.norm(points[:, None] - dense(found.outline(index)), axis=-1).min(axis=1)
    np.testing.assert_allclose(np.abs(mine), sampled, atol=0.02)


@given(seeds, st.floats(-8.0, 8.0), st.floats(-8.0, 8.0), yaws, st.floats(1e-6, 3.0))
def test_distance_grows_by_a_metre_a_metre_at_most_and_just_so_along_its_direction(seed, x, z, yaw, step):
    table, corners = flat(some_obstacle(seed))
    here, away_x, away_z = obstacles.distance(x, z, 0, table, corners)
    there = obstacles.distance(x + step * math.sin(yaw), z + step * math.cos(yaw), 0, table, corners)[0]
    assert abs(there - here) <= step + 1e-9
    assert math.hypot(away_x, away_z) == 1.0 or abs(math.hypot(away_x, away_z) - 1.0) < 1e-9
    if here > 1e-6:
        onwards = obstacles.distance(x + step * away_x, z + step * away_z, 0, table, corners)[0]
        assert abs(onwards - here - step) < 1e-7


@given(seeds, st.floats(-2.0, 4.0))
def test_points_of_a_later_moment_lie_to_the_obstacle_as_it_then_is(seed, ahead):
    found = some_obstacle(seed, moving=True)
    table, corners = flat(found)
    later = found.at(ahead)
    np.testing.assert_allclose(obstacles.place(ahead, 0, table), later.arrays.table[0, :3], atol=1e-12)
    points = np.random.default_rng(seed).uniform(-8.0, 8.0, (20, 2))
    here = [obstacles.distance(*obstacles.as_of(x, z, ahead, 0, table), 0, table, corners)[0] for x, z in points]
    np.testing.assert_allclose(here, far_from(later, points), atol=1e-9)
    np.testing.assert_allclose(found.distances(points, ahead), here, atol=1e-12)


@given(seeds, yaws, st.floats(0.2, 3.0), st.sampled_from([0.0, 0.05, 0.4, 1.5]))
def test_a_way_is_within_the_margin_just_between_its_times(seed, yaw, speed, margin):
    found = some_obstacle(seed, moving=True)
    (index,) = found
    found.move(index, turn_rate=0.0)
    table, corners = flat(found)
    r = np.random.default_rng(seed)
    start = r.uniform(-8.0, 8.0, 2)
    velocity = speed * np.array([math.sin(yaw), math.cos(yaw)])
    moving = velocity - table[0, [obstacles.VX, obstacles.VZ]]
    assume(np.linalg.norm(moving) > 0.05)
    first, last = obstacles.crossing(*start, *velocity, margin, 0, table, corners)
    times = np.linspace(-40.0, 40.0, 3001)
    gaps = far_from(found, start + times[:, None] * moving)
    within = gaps <= margin
    inside = (times > first) & (times < last)
    assert not np.any(inside & (gaps > margin + 1e-7))
    assert not np.any(within & ~inside & (gaps < margin - 1e-7))
    for time in (first, last):
        if math.isfinite(time):
            gap = far_from(found, (start + time * moving)[None])[0]
            assert abs(gap - margin) < 1e-7 * max(1.0, abs(time))


def test_a_way_through_a_corner_enters_there():
    found = Obstacles()
    found.add_box((0.0, 5.0), (2.0, 2.0), 1.0)
    table, corners = flat(found)
    across = obstacles.crossing(-2.0, 3.0, 1.0, 1.0, 0.0, 0, table, corners)
    np.testing.assert_allclose(across, (1.0, 3.0))
    ahead = obstacles.crossing(0.0, 0.0, 0.0, 2.0, 0.5, 0, table, corners)
    np.testing.assert_allclose(ahead, (1.75, 3.25))
    assert obstacles.crossing(0.0, 0.0, 0.0, -2.0, 0.0, 0, table, corners)[1] < 0.0
    assert obstacles.crossing(1.6, 0.0, 0.0, 1.0, 0.5, 0, table, corners) == (math.inf, -math.inf)
    assert obstacles.crossing(0.0, 0.0, 0.0, 0.0, 0.5, 0, table, corners) == (math.inf, -math.inf)
    assert obstacles.crossing(0.0, 5.0, 0.0, 0.0, 0.5, 0, table, corners) == (-math.inf, math.inf)


@given(seeds, yaws)
def test_the_extent_holds_all_corners_and_touches_four_sides(seed, yaw):
    found = some_obstacle(seed)
    (index,) = found
    table, corners = flat(found)
    heading = np.array([math.sin(yaw), math.cos(yaw)])
    left_of_it = np.array([heading[1], -heading[0]])
    off = found.outline(index) - (1.0, 2.0)
    near, far, left, right = obstacles.extent(1.0, 2.0, *heading, 0, table, corners)
    ahead, aside = off @ heading, off @ left_of_it
    np.testing.assert_allclose((near, far), (ahead.min(), ahead.max()))
    np.testing.assert_allclose((left, right), (aside.max(), aside.min()))


@given(seeds, st.floats(-8.0, 8.0), st.floats(-8.0, 8.0), st.sampled_from([0.0, 0.3, 1.0]))
def test_tangents_pass_at_the_margin_with_all_between_them(seed, x, z, margin):
    found = some_obstacle(seed)
    table, corners = flat(found)
    left_corner, left, right_corner, right = obstacles.tangents(x, z, margin, 0, table, corners)
    here = far_from(found, np.array([[x, z]]))[0]
    assume(abs(here - margin) > 1e-6)
    if here < margin:
        assert left_corner == right_corner == -1
        return
    assert 0.0 < left - right < math.pi
    for yaw, corner, outwards in ((left, left_corner, 1.0), (right, right_corner, -1.0)):
        along = np.array([math.sin(yaw), math.cos(yaw)])
        off = corners[0, corner] - (x, z)
        assert abs(abs(off[0] * along[1] - off[1] * along[0]) - margin) < 1e-7
        way = (x, z) + np.linspace(0.0, 30.0, 2000)[:, None] * along
        assert abs(far_from(found, way).min() - margin) < 0.01
        beside, between = (
            obstacles.crossing(x, z, math.sin(each), math.cos(each), margin, 0, table, corners)
            for each in (yaw + 1e-4 * outwards, yaw - 1e-4 * outwards)
        )
        assert not beside[1] > max(beside[0], 0.0)
        assert between[1] > between[0] > 0.0


def many_obstacles(seed: int, count: int = 60) -> Obstacles:
    r = np.random.default_rng(seed)
    out = Obstacles()
    for k in range(count):
        velocity = r.normal(size=2) * (k % 3 == 0) * 3.0
        out.add_box(r.uniform(-30.0, 30.0, 2), r.uniform(0.2, 3.0, 2), 1.0, float(r.uniform(-3.0, 3.0)), velocity)
    out.add_wall((-90.0, -20.0), (90.0, 25.0))
    out.add_disk((9e5, -9e5), 2.0)
    out.add_disk((0.0, 300.0), 250.0)
    return out


def found_near(found: Obstacles, start, end, reach: float, ahead: float, room: int) -> list[int]:
    arrays = found.arrays
    out = np.full(room, -1, dtype=np.int64)
    count = obstacle_buckets.near_segment(*start, *end, reach, ahead, arrays, out)
    return out[:count].tolist()


@given(seeds, st.floats(0.0, 2.0), st.sampled_from([0.0, 1.5, HORIZON]), st.floats(0.0, 1.0))
def test_all_obstacles_near_a_segment_are_found_once(seed, reach, ahead, passed):
    found = many_obstacles(seed)
    assert found.arrays.starts[-1] == len(found.arrays.members)
    found.advance(passed)
    r = np.random.default_rng(seed)
    start = r.uniform(-30.0, 30.0, 2)
    end = start + r.uniform(-15.0, 15.0, 2) * (seed % 5 > 0)
    rows = found_near(found, start, end, reach, ahead, 64)
    assert len(rows) == len(set(rows))
    way = start + np.linspace(0.0, 1.0, 60)[:, None] * (end - start)
    table, corners = flat(found)
    for time in {0.0, 0.5 * ahead, ahead}:
        for o in range(len(table)):
            near = min(obstacles.distance(*obstacles.as_of(x, z, time, o, table), o, table, corners)[0] for x, z in way)
            assert near > reach or o in rows
    few = found_near(found, start, end, reach, ahead, 3)
    assert set(few) <= set(rows)
    assert len(few) == min(3, len(rows))

    def gap(o: int) -> float:
        off = math.hypot(*(table[o, :2] - start)) - table[o, obstacles.RADIUS]
        return off - ahead * math.hypot(*table[o, [obstacles.VX, obstacles.VZ]])

    if len(rows) > len(few):
        assert max(map(gap, few)) <= min(gap(o) for o in rows if o not in few) + 1e-9


def test_few_obstacles_far_away_are_looked_at():
    found = many_obstacles(3)
    rows = found_near(found, (9e5, -9e5), (9e5 + 5.0, -9e5), 0.5, HORIZON, 64)
    assert rows == [61]
    assert found_near(Obstacles(), (0.0, 0.0), (5.0, 5.0), 1.0, 1.0, 8) == []
