"""Who flees from what moves is not held up by those who stand about, and steps aside where it has no time to turn."""

from __future__ import annotations

import numpy as np

from locomote.navigation._kernels.course import FLEES, MAKES_ROOM
from locomote.world._kernels import obstacle_layout as things
from tests.navigation.test_velocity_obstacles import FRAME, RADIUS, Walkers, obstacles_of

DRIFT = 0.4  # m/s of what comes
HALF = 0.5  # m, of an alley and of what comes along it


def alley_with_a_cart(far: float):
    """Two walls with room for one, and a cart that comes along between them from ``far`` metres behind."""
    walls = [np.array([(s, -6.0), (s + 0.05, -6.0), (s + 0.05, 16.0), (s, 16.0)]) for s in (-HALF - 0.05, HALF)]
    cart = np.array([(-HALF, -far - 1.0), (HALF, -far - 1.0), (HALF, -far), (-HALF, -far)])
    return obstacles_of([*walls, cart], [(0.0, 0.0), (0.0, 0.0), (0.0, DRIFT)])


def run(walkers: Walkers, seconds: float):
    """Let the cart come; yields the gap from its front to the nearest walker."""
    for _ in range(round(seconds / FRAME)):
        walkers.obstacles.table[2, things.Z] += FRAME * DRIFT
        walkers.obstacles.corners[2, :4, 1] += FRAME * DRIFT
        walkers.drive()
        yield walkers.courses["z"].min() - walkers.obstacles.corners[2, :4, 1].max()


def test_who_stands_in_the_way_of_one_who_flees_makes_room():
    places = np.array([(0.0, 0.0), (0.0, 0.6), (0.0, 1.2)])
    walkers = Walkers(places, places + np.array([0.0, 1.0]), alley_with_a_cart(1.2))  # nobody wants to go anywhere
    flights = []
    for gap in run(walkers, 8.0):
        assert gap > RADIUS - 0.02
        flights.append(walkers.escapes["why"].copy())
    assert walkers.closest > -1e-3
    assert walkers.courses["z"].min() > 1.0
    assert {FLEES, MAKES_ROOM} <= set(np.unique(flights))


def test_who_has_no_time_to_turn_steps_back():
    places = np.zeros((1, 2))
    walkers = Walkers(places, places - np.array([0.0, 1.0]), alley_with_a_cart(RADIUS + 0.15))  # faces the cart
    back = []
    for gap in run(walkers, 3.0):
        assert gap > RADIUS - 0.02
        back.append(walkers.courses["aside_z"][0])
    assert max(back) > 0.1
    assert walkers.courses["z"][0] > 0.5
