"""Walkers who get no nearer to their goals search for a way, keep to it, and wait where there is none."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from locomote.human._crowd import Crowd
from locomote.human._model import HumanModel
from locomote.world import Obstacles

FRAME = 1.0 / 60.0


@pytest.fixture(scope="module")
def model() -> HumanModel:
    return HumanModel.default()


def walk(crowd: Crowd, seconds: float) -> np.ndarray:
    """The places of a walker over time, ``(F, 2)``, until it has arrived."""
    out = []
    for _ in range(round(seconds / FRAME)):
        crowd.obstacles.advance(FRAME)
        crowd.step(FRAME)
        out.append(crowd.positions[0, ::2])
        if crowd.arrived.all():
            break
    return np.array(out)


def pocket() -> Obstacles:
    """A yard that is open towards -Z; one must turn back to get out of it."""
    obstacles = Obstacles()
    obstacles.add_wall((-2.5, 4.0), (2.5, 4.0))
    for side in (-2.5, 2.5):
        obstacles.add_wall((side, -1.0), (side, 4.0))
    return obstacles


@pytest.mark.parametrize("goal", [(0.0, 8.0), (1.5, 6.0), (-6.0, 3.0)])
def test_who_is_in_a_pocket_turns_back_and_finds_the_way_round(model, goal):
    obstacles = pocket()
    crowd = Crowd(model, 1, speed=1.2, obstacles=obstacles, avoid=True)
    crowd.go_to(*goal)
    track = walk(crowd, 40.0)
    assert crowd.arrived.all()
    assert obstacles.distances(track).min() > crowd._ways.rows["radius"][0] - 0.02


def test_the_places_of_a_trail_are_joined_by_free_ways(model):
    obstacles = pocket()
    crowd = Crowd(model, 1, speed=1.2, obstacles=obstacles, avoid=True)
    crowd.go_to(0.0, 6.5)
    rows = crowd._ways.rows
    trail = rows["trail"][0]
    for _ in range(600):
        crowd.step(FRAME)
        if trail["count"] > 0:
            break
    count = int(trail["count"])
    points = np.vstack([crowd.positions[:, ::2], trail["places"][:count]])
    assert count > 1
    for a, b in itertools.pairwise(points):
        legs = a + np.linspace(0.0, 1.0, 50)[:, None] * (b - a)
        assert obstacles.distances(legs).min() > rows["radius"][0] - 0.1
    np.testing.assert_allclose(points[-1], (0.0, 6.5))


def test_who_cannot_reach_its_goal_waits_nearby_and_goes_there_when_it_is_free(model):
    obstacles = Obstacles()
    crowd = Crowd(model, 1, speed=1.2, obstacles=obstacles, avoid=True)
    crowd.go_to(0.0, 6.0)
    box = obstacles.add_box((0.0, 6.0), (1.6, 1.6), 1.5)
    track = walk(crowd, 20.0)
    assert not crowd.arrived.any()
    assert np.hypot(*(track[-1] - (0.0, 6.0))) < 2.0
    assert np.ptp(track[-240:], axis=0).max() < 0.5
    obstacles.remove(box)
    walk(crowd, 10.0)
    assert crowd.arrived.all()


def test_who_sees_its_way_free_searches_nothing(model):
    obstacles = Obstacles()
    obstacles.add_box((1.5, 4.0), (1.0, 1.0), 1.5)
    crowd = Crowd(model, 1, speed=1.2, obstacles=obstacles, avoid=True)
    crowd.go_to(0.0, 10.0)
    for _ in range(900):
        crowd.step(FRAME)
        assert crowd._ways.rows["trail"]["count"][0] == 0
    assert crowd.arrived.all()


def test_a_way_round_is_kept_until_it_is_not_needed(model):
    obstacles = Obstacles()
    obstacles.add_box((0.2, 4.0), (2.0, 1.0), 1.5)
    crowd = Crowd(model, 1, speed=1.2, obstacles=obstacles, avoid=True)
    crowd.go_to(0.0, 10.0)
    trails, track = [], []
    for _ in range(900):
        crowd.step(FRAME)
        trails.append(crowd._ways.rows["trail"]["count"][0] > 0)
        track.append(crowd.positions[0, ::2])
    changes = np.flatnonzero(np.diff([0, *trails]))
    assert len(changes) == 2  # found once, and left behind
    assert track[changes[1]][1] < 7.0
    assert crowd.arrived.all()
    assert np.hypot(*np.diff(track, axis=0).T).sum() < 11.0
    assert obstacles.distances(np.array(track)).min() > crowd._ways.rows["radius"][0]
