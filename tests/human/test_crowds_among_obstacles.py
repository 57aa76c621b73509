"""Crowds with goals among obstacles that appear, move, grow and vanish, and among each other: nobody is touched."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial import cKDTree

from locomote.errors import LocomoteError
from locomote.human._crowd import Crowd
from locomote.human._model import HumanModel
from locomote.world import Obstacles
from tests.human.busy_square import DEEP, FRAME, TOUCH, Scene
from tests.human.state_table import state_table


@pytest.fixture(scope="module")
def model() -> HumanModel:
    return HumanModel.default()


@pytest.fixture(scope="module")
def busy_square(model):
    return Scene(model, 150, 80, 40.0).run(20.0)


def test_nobody_is_touched_in_a_busy_square(busy_square):
    assert not busy_square.bodies
    assert not busy_square.inside
    assert busy_square.arrivals > 50


def test_nobody_is_stuck_in_a_busy_square(busy_square):
    assert not busy_square.stuck


def test_the_same_seed_gives_the_same_bits(model):
    first, second = (Scene(model, 30, 20, 15.0, seed=5) for _ in range(2))
    first.run(3.0)
    second.run(3.0)
    np.testing.assert_array_equal(state_table(first.crowd._people), state_table(second.crowd._people))


def steps(crowd: Crowd, seconds: float) -> np.ndarray:
    """The places of everyone over time, ``(F, N, 2)``."""
    out = []
    for _ in range(round(seconds / FRAME)):
        crowd.obstacles.advance(FRAME)
        crowd.step(FRAME)
        out.append(crowd.positions[:, ::2])
    track = np.array(out)
    assert np.isfinite(track).all()
    return track


def least_gap(track: np.ndarray, diameter: float) -> float:
    return min(float(cKDTree(places).query(places, k=2)[0][:, 1].min()) for places in track) - diameter


def test_who_is_covered_by_an_obstacle_walks_out_of_it(model):
    obstacles = Obstacles()
    crowd = Crowd(model, 1, speed=1.2, obstacles=obstacles, avoid=True)
    crowd.go_to(0.0, 8.0)
    steps(crowd, 1.0)
    x, _, z = crowd.positions[0]
    obstacles.add_box((x + 0.1, z + 0.2), (1.5, 1.5), 1.0)
    track = steps(crowd, 12.0)
    assert obstacles.distances(track[-1])[0] > 0.25
    assert crowd.arrived.all()


def test_who_stands_steps_aside_for_what_comes(model):
    obstacles = Obstacles()
    crowd = Crowd(model, 1, obstacles=obstacles, avoid=True)
    obstacles.add_box((0.1, 4.0), (1.6, 1.0), 1.0, velocity=(0.0, -0.8))
    closest = math.inf
    for _ in range(600):
        obstacles.advance(FRAME)
        crowd.step(FRAME)
        closest = min(closest, float(obstacles.distances(crowd.positions[:, ::2])[0]))
    assert closest > crowd._ways.rows["radius"][0] - DEEP
    assert crowd.speeds[0] < 0.05


def test_two_who_meet_head_on_pass_each_other(model):
    crowd = Crowd(model, 2, positions=[(0.0, 0.0, 0.0), (0.0, 0.0, 10.0)], heading=[0.0, math.pi], avoid=True)
    crowd.go_to([0.0, 0.0], [10.0, 0.0])
    track = steps(crowd, 14.0)
    assert crowd.arrived.all()
    assert least_gap(track, 2.0 * crowd._ways.rows["radius"][0]) > -TOUCH


def test_everybody_gets_through_a_corridor(model):
    obstacles = Obstacles()
    for side in (-1.2, 1.2):
        obstacles.add_wall((side, 0.0), (side, 20.0))
    line = np.arange(12)
    positions = np.stack([np.where(line % 2, 0.4, -0.4), 0.0 * line, -1.0 - 0.6 * line], axis=1)
    crowd = Crowd(model, 12, positions=positions, obstacles=obstacles, avoid=True)
    crowd.go_to(2.0 * positions[:, 0], 32.0 + positions[:, 2], speed=1.3)
    track = steps(crowd, 45.0)
    assert crowd.arrived.all()
    assert least_gap(track, 2.0 * crowd._ways.rows["radius"][0]) > -TOUCH
    assert obstacles.distances(track).min() > crowd._ways.rows["radius"][0] - DEEP


def test_others_who_are_about_are_given_way(model):
    crowd = Crowd(model, 1, avoid=True)
    crowd.go_to(0.0, 8.0, speed=1.2)
    closest = math.inf
    for frame in range(600):
        other = np.array([[-3.0 + 0.8 * frame * FRAME, 4.0]])
        crowd._ways.meet(other, (0.8, 0.0), 0.5)
        crowd.step(FRAME)
        closest = min(closest, float(np.hypot(*(crowd.positions[0, ::2] - other[0]))))
    assert closest > 0.5 + crowd._ways.rows["radius"][0] - TOUCH
    assert crowd.arrived.all()
    crowd._ways.meet(np.zeros((0, 2)))
    assert len(crowd._ways.others) == 0
    with pytest.raises(LocomoteError, match="radii of 0 or more"):
        crowd._ways.meet([(0.0, 1.0)], radii=-1.0)


def test_who_cannot_get_to_its_goal_says_so_until_it_can(model):
    obstacles = Obstacles()
    cover = obstacles.add_box((0.0, 5.0), (1.0, 1.0), 1.0)
    crowd = Crowd(model, 2, positions=[(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)], obstacles=obstacles, avoid=True)
    crowd.go_to([0.0, 4.0], 5.0, speed=1.2)
    steps(crowd, 5.0)
    assert not crowd.blocked[1]
    assert crowd.arrived[1]
    steps(crowd, 6.0)
    assert crowd.blocked.tolist() == [True, False]
    assert np.hypot(*(crowd.positions[0, ::2] - [0.0, 5.0])) < 1.3  # as near as it can get
    obstacles.remove(cover)
    steps(crowd, 6.0)
    assert not crowd.blocked.any()
    assert crowd.arrived.all()


def test_who_stands_in_the_way_is_gone_round(model):
    """Between a wall and somebody who stays, straight ahead: on the other side there is room."""
    obstacles = Obstacles()
    obstacles.add_wall((-0.55, -2.0), (-0.55, 8.0))
    crowd = Crowd(model, 2, positions=[(0.0, 0.0, 0.0), (0.0, 0.0, 3.0)], obstacles=obstacles, avoid=True)
    crowd.go_to(0.0, 8.0, speed=1.3, who=0)
    track = steps(crowd, 12.0)
    assert crowd.arrived[0]
    assert least_gap(track, 2.0 * crowd._ways.rows["radius"][0]) > -TOUCH


def test_nobody_waits_for_a_jump_that_is_far_off(model):
    """One runs up to a wide puddle from afar; another crosses long before, at its usual speed."""
    obstacles = Obstacles()
    obstacles.add_puddle((0.0, 9.5), 1.6, 30.0)
    crowd = Crowd(
        model, 2, speed=[1.6, 0.0], positions=[(0.0, 0.0, 0.0), (-2.5, 0.0, 6.0)], heading=[0.0, 0.5 * math.pi],
        obstacles=obstacles, avoid=True,
    )  # fmt: skip
    crowd.go_to([0.0, 3.0], [16.0, 6.0], speed=[1.6, 1.3])
    slow, ran = 0, False
    for frame in range(300):
        crowd.step(FRAME)
        ran = ran or crowd.states[0] == "run-up"
        slow += frame > 120 and crowd.speeds[1] < 0.9 and not crowd.arrived[1] and crowd.positions[1, 0] < 2.0
    assert ran
    assert slow == 0


def test_a_goal_close_beside_something_is_reached(model):
    obstacles = Obstacles()
    crowd = Crowd(model, 1, obstacles=obstacles, avoid=True)
    obstacles.add_wall((-2.0, 5.45), (2.0, 5.45))
    crowd.go_to(0.0, 5.0, speed=1.2)
    crowd.step(FRAME)
    room = obstacles.distances(np.array([[0.0, 5.0]]))[0] - crowd._ways.rows["radius"][0]
    assert 0.0 < room < 0.03  # less than a walker keeps from what it passes
    track = steps(crowd, 12.0)
    assert crowd.arrived.all()
    assert np.hypot(*(track[-1, 0] - [0.0, 5.0])) < 0.3
    assert obstacles.distances(track).min() > crowd._ways.rows["radius"][0] - DEEP
