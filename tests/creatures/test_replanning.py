"""Feet in mid-swing are planned anew when something changes, once, from where they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from locomote.creatures import Crowd
from locomote.world import Obstacles

DT = 1.0 / 60.0


def _turn(crowd: Crowd, _foot: int, _crate: int) -> None:
    crowd.command(heading=0.4)


def _hurry(crowd: Crowd, _foot: int, _crate: int) -> None:
    crowd.command(speed=0.9)


def _spread(crowd: Crowd, foot: int, _crate: int) -> None:
    spacing = crowd.spacing[0]
    spacing[foot, 0] += 0.1 * np.sign(spacing[foot, 0])
    crowd.command(spacing=spacing)


def _in_its_way(crowd: Crowd, foot: int, crate: int) -> None:
    curve = crowd._curves[0, foot]
    place = curve[len(curve) // 2 + 2]
    crowd.maps.obstacles.move(crate, centre=(place[0], place[2]))


def _on_its_goal(crowd: Crowd, foot: int, crate: int) -> None:
    x, _, z = crowd.footholds[0, foot]
    crowd.maps.obstacles.move(crate, centre=(x, z))


@pytest.mark.feature("LEG-07")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_turn, "heading"),
        (_hurry, "speed"),
        (_spread, "spacing"),
        (_in_its_way, "path"),
        (_on_its_goal, "target"),
    ],
)
def test_a_change_in_mid_swing_makes_one_new_plan_from_where_the_foot_is(
    change: Callable[[Crowd, int, int], None], reason: str
) -> None:
    obstacles = Obstacles()
    crate = obstacles.add_box((9.0, 9.0), (0.1, 0.1), 0.3, safe=False)
    crowd = Crowd("spider", 1, speed=0.5, obstacles=obstacles)
    foot = _lifted(crowd)
    plans, place = crowd._feet["plans"][0, foot], crowd.feet[0, foot].copy()
    change(crowd, foot, crate)
    crowd.step(DT)
    assert crowd.reasons[0, foot] == reason
    assert crowd._feet["plans"][0, foot] == plans + 1
    assert np.linalg.norm(crowd._curves[0, foot, 0] - place) < 1e-9
    while not crowd.planted[0, foot]:
        crowd.step(DT)
    assert crowd._feet["plans"][0, foot] == plans + 1


def _lifted(crowd: Crowd) -> int:
    """Step until some foot has just begun to swing."""
    for _ in range(300):
        before = crowd.planted[0].copy()
        crowd.step(DT)
        lifted = np.flatnonzero(before & ~crowd.planted[0])
        if len(lifted) and crowd.positions[0, 2] > 0.5:
            for _ in range(3):
                crowd.step(DT)
            return int(lifted[0])
    raise AssertionError("no foot lifted")
