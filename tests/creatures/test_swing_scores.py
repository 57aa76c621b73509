"""What footprints and ways are worth: each criterion for itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from locomote.creatures._kernels.swing_scores import (
    distance_score,
    edge_score,
    legs_cross,
    lift_score,
    neighbour_score,
    plan_score,
    reach_score,
)
from locomote.world._kernels.map_layout import CORNER, EDGE, GROWN, INSIDE, LEG, NO_STAND
from tests.creatures.swing_scenes import way_places


@pytest.mark.feature("LEG-32")
def test_worth_falls_evenly_with_the_distance():
    aim = (1.0, 0.3, 2.0)
    assert distance_score(1.0, 2.0, aim, 0.4) == 1.0
    assert distance_score(1.0, 2.1, aim, 0.4) == pytest.approx(0.75)
    assert distance_score(1.3, 2.4, aim, 0.4) == 0.0


@pytest.mark.feature("LEG-32")
def test_free_neighbours_are_counted():
    elev, flags = np.zeros((5, 5)), np.zeros((5, 5), np.uint8)
    assert neighbour_score(2, 2, elev, flags, 0.1) == 1.0
    flags[1, 1], flags[1, 2], flags[3, 3] = NO_STAND, GROWN, LEG
    assert neighbour_score(2, 2, elev, flags, 0.1) == 5 / 8
    elev[2, 3], elev[3, 2] = 0.2, 0.05  # too high, and high enough to stand on
    assert neighbour_score(2, 2, elev, flags, 0.1) == 4 / 8
    flags[2, 2] = GROWN
    assert neighbour_score(2, 2, elev, flags, 0.1) == 4 / 8
    elev[:], flags[:] = 0.4, INSIDE  # on top of the same thing all is free
    assert neighbour_score(2, 2, elev, flags, 0.1) == 1.0


@pytest.mark.feature("LEG-32")
def test_edges_are_worth_less():
    assert edge_score(0, 0.8) == edge_score(INSIDE, 0.8) == 1.0
    assert edge_score(INSIDE | EDGE, 0.8) == edge_score(INSIDE | CORNER, 0.8) == 0.8


@pytest.mark.feature("LEG-23", "LEG-32")
def test_legs_cross_in_the_plan():
    legs = np.full((3, 3, 2), np.nan)
    legs[1] = [[1.0, 0.0], [0.5, 0.2], [0.0, 0.4]]
    hip = (0.0, 1.0, 0.0)
    assert legs_cross(hip, 0.6, 1.0, legs, 0)
    assert not legs_cross(hip, 0.1, 0.2, legs, 0)
    assert not legs_cross(hip, -0.3, 1.0, legs, 0)
    assert not legs_cross(hip, 0.6, 1.0, legs, 1)  # its own
    assert legs_cross(hip, 0.25, 0.28, legs, 0)  # it ends just before the other: it would with the next tremble


@pytest.mark.feature("LEG-32")
def test_out_of_reach_is_worth_nothing_at_touch_down_and_less_at_the_end_of_the_stance():
    hip = (0.0, 0.8, 0.0)
    assert reach_score((0.0, 0.0, 0.5), hip, hip, 1.0) == 1.0
    assert reach_score((0.0, 0.0, 0.7), hip, hip, 1.0) == 0.0
    late = reach_score((0.0, 0.0, 0.5), hip, (0.0, 0.8, 1.3), 1.0)
    assert 0.0 < late < 1.0


def test_straight_ways_and_plain_steps_are_worth_all():
    assert plan_score(way_places([(0.0, 0.0), (3.0, 4.0)]), 2) == 1.0
    bent = way_places([(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)])
    assert plan_score(bent, 3) == pytest.approx(5 / 7 * math.exp(-0.15 * math.pi / 2))
    assert lift_score(1.2, 1.2, 0.1, 0.1, 1.0) == 1.0
    assert lift_score(1.2, 1.5, 0.3, 0.1, 1.0) == pytest.approx(0.8 * math.exp(-0.1))
