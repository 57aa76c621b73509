"""The way round obstacles: free as far as the corner that is passed, on the shorter side, and kept to."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote.navigation._kernels.detours import SLACK, first_in_way, round_all
from locomote.world import Obstacles
from locomote.world._kernels.obstacle_buckets import MOST_NEAR, NearObstacles

MARGIN, REACH, SPEED = 0.4, 10.0, 1.3


def seen(obstacles: Obstacles) -> tuple[NearObstacles, int]:
    found = np.zeros(MOST_NEAR, np.int64)
    found[: len(obstacles)] = np.arange(len(obstacles))
    return NearObstacles(*obstacles.arrays, found), len(obstacles)


def course_round(obstacles: Obstacles, side: float = 0.0) -> tuple[float, float, float]:
    near, count = seen(obstacles)
    return round_all(0.0, 0.0, 0.0, REACH, MARGIN, SPEED, side, count, near)


def test_a_free_way_is_left_as_it_is():
    obstacles = Obstacles()
    obstacles.add_box((3.0, 4.0), (1.0, 1.0), 1.0)
    assert course_round(obstacles) == (0.0, 1.0, 0.0)
    near, count = seen(obstacles)
    assert first_in_way(0.0, 0.0, 0.0, SPEED, REACH, MARGIN, count, near)[0] == -1


@given(st.floats(-1.2, 1.2), st.floats(2.0, 7.0), st.floats(0.4, 3.0), st.floats(-3.0, 3.0))
@settings(max_examples=60, deadline=None)
def test_one_obstacle_is_passed_at_the_margin_on_the_shorter_side(x, z, width, yaw):
    obstacles = Obstacles()
    obstacles.add_box((x, z), (width, 0.5), 1.0, yaw)
    course, share, side = course_round(obstacles)
    way = np.linspace(0.0, REACH, 400)[:, None] * [math.sin(course), math.cos(course)]
    if obstacles.distances((0.0, 0.0)) > MARGIN:
        assert obstacles.distances(way).min() > MARGIN - SLACK - 1e-3
        assert share == 1.0
    if abs(x) > 0.3 and side != 0.0 and abs(math.sin(yaw)) < 1e-3:
        assert side == -math.copysign(1.0, x)


def test_it_must_be_free_only_as_far_as_the_corner():
    obstacles = Obstacles()
    obstacles.add_box((0.0, 2.5), (2.0, 0.5), 1.0)
    near_course, _, _ = course_round(obstacles, 1.0)
    # A wall far behind the corner does not drive the walker further off its way.
    corner = 6.5 * np.array([math.sin(near_course), math.cos(near_course)])
    obstacles.add_box(corner, (3.0, 0.5), 1.0)
    assert course_round(obstacles, 1.0)[0] == near_course


def test_what_overlaps_is_passed_as_one():
    obstacles = Obstacles()
    for x in (-0.6, 0.6, 1.8):
        obstacles.add_box((x, 3.0), (1.6, 0.5), 1.0)
    course, share, side = course_round(obstacles)
    assert side == -1.0  # left is +x: the row is shorter to the right
    assert share == 1.0
    way = np.linspace(0.0, 4.0, 200)[:, None] * [math.sin(course), math.cos(course)]
    assert obstacles.distances(way).min() > MARGIN - SLACK - 1e-3


def test_a_side_is_kept_unless_the_other_is_much_shorter():
    obstacles = Obstacles()
    obstacles.add_box((0.2, 3.0), (3.0, 0.5), 1.0)
    assert course_round(obstacles)[2] == -1.0
    assert course_round(obstacles, 1.0)[2] == 1.0
    obstacles.add_box((9.0, 3.0), (15.0, 0.5), 1.0)
    assert course_round(obstacles, 1.0)[2] == -1.0
