"""Who has no time to turn steps aside; who stands in the way of one who must get away makes room; feet keep dry."""

from __future__ import annotations

import math

import numpy as np
import pytest

from locomote.human._crowd import Crowd
from locomote.human._model import HumanModel
from locomote.navigation._kernels.steering import FASTEST_ASIDE
from locomote.world import Obstacles
from locomote_lab.human.foot_report import record_feet
from tests.human.busy_square import DEEP, FRAME, TOUCH, WET, feet_in_obstacles
from tests.human.drift import drifts

BALL = 1
NEAR, LONG = 0.9, 1.2  # m before a walker at which a puddle appears, and of its length


@pytest.fixture(scope="module")
def model() -> HumanModel:
    return HumanModel.default()


@pytest.mark.parametrize("whither", [0.5 * math.pi, -0.5 * math.pi, math.pi])
def test_feet_stay_put_and_apart_while_the_body_steps_aside(model, whither):
    crowd = Crowd(model, 8, seed=2)
    places = []

    def push(crowd, time):
        speed = FASTEST_ASIDE if 0.5 < time < 2.5 else 0.0
        walkers = crowd._people.walkers
        wish = speed * np.array([math.sin(whither), math.cos(whither)])
        change = np.clip(wish - walkers["aside"], -2.5 * FRAME, 2.5 * FRAME)
        walkers["aside"] += change
        walkers["news"] |= np.abs(change).max(axis=1) > 1e-3
        places.append(crowd.positions[:, ::2].copy())

    record = record_feet(crowd, 4.0, push, 60.0)
    gone = places[-1] - places[0]
    assert gone @ [math.sin(whither), math.cos(whither)] == pytest.approx(2.0 * FASTEST_ASIDE, abs=0.1)
    planted, points = record.planted, record.points
    assert drifts(points, planted).max() < 0.002
    # The left foot stays on the left of the right one: legs do not cross.
    both = planted[:, :, :, BALL].all(axis=2)
    apart = (points[:, :, 0, BALL, 0] - points[:, :, 1, BALL, 0])[both]
    assert apart.min() > 0.0


def alley(*ends: float) -> Obstacles:
    """Two walls with room for one person between them."""
    obstacles = Obstacles()
    for side in (-0.6, 0.6):
        obstacles.add_wall((side, ends[0]), (side, ends[1]))
    return obstacles


def test_who_stands_in_the_way_of_one_who_must_get_away_makes_room(model):
    obstacles = alley(-6.0, 12.0)
    obstacles.add_box((0.0, -3.0), (1.0, 1.0), 1.0, velocity=(0.0, 0.4))
    crowd = Crowd(
        model, 2, positions=[(0.0, 0.0, 0.0), (0.0, 0.0, 0.8)], heading=math.pi, obstacles=obstacles, avoid=True
    )  # fmt: skip
    for _ in range(round(12.0 / FRAME)):
        obstacles.advance(FRAME)
        crowd.step(FRAME)
        places, radius = crowd.positions[:, ::2], crowd._ways.rows["radius"][0]
        assert obstacles.distances(np.ascontiguousarray(places)).min() > radius - DEEP
        assert np.hypot(*(places[1] - places[0])) > 2.0 * radius - TOUCH
    assert places[0, 1] > 1.5


def test_feet_keep_out_of_a_puddle_that_appears_one_step_ahead(model):
    count = 120
    obstacles, random = Obstacles(), np.random.default_rng(3)
    lanes = 8.0 * np.arange(count)
    crowd = Crowd(
        model, count, seed=3, speed=random.uniform(1.1, 1.7, count), obstacles=obstacles, avoid=True,
        positions=np.stack([lanes, 0.0 * lanes, 0.0 * lanes], axis=1),
    )  # fmt: skip
    crowd.allow(jumping=False)
    crowd.go_to(lanes, 30.0, speed=crowd.speeds)
    for _ in range(round(random.uniform(1.0, 2.0) / FRAME)):
        crowd.step(FRAME)
    for x, z in crowd.positions[:, ::2]:
        ahead = z + NEAR + 0.5 * LONG
        obstacles.add_puddle((x + random.uniform(-0.3, 0.3), ahead), LONG, 2.0, random.uniform(-0.5, 0.5))
    deepest = np.zeros(count)
    for _ in range(round(3.0 / FRAME)):
        crowd.step(FRAME)
        deepest = np.maximum(deepest, feet_in_obstacles(crowd))
    assert (deepest > WET).sum() == 0, np.sort(deepest)[-5:]
