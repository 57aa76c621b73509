"""Feet in mid-swing are planned anew when something changes, once, from where they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from locomote.creatures import Creature, Crowd
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


@pytest.mark.parametrize("duty", [0.25, 0.22])
def test_short_stances_of_a_gallop_are_stood_to_their_end(duty: float) -> None:
    """A foot that has just landed looks ahead no further than it will stand, and so does not step at once again."""
    wolf = Creature.build("wolf")
    gallop = wolf.gaits.gaits[wolf.gaits.index("gallop")]
    durations = gallop.durations.copy()
    durations[2:, :2] = 1.0 - duty
    starts = gallop.touch_downs() - durations
    crowd = Crowd(wolf.with_gait(replace(gallop, starts=starts, durations=durations)), speed=4.9, gait="gallop")
    down = []
    for frame in range(round(6.0 / DT)):
        crowd.step(DT)
        down.append(crowd.planted[0].copy())
        assert frame * DT < 2.0 or set(crowd.reasons[0]) == {"begin"}
    least = 0.8 * duty * float(crowd.periods[0])
    for stood in np.array(down)[round(2.0 / DT) :].T:
        edges = np.flatnonzero(np.diff(stood))
        lengths = [b - a for a, b in pairwise(edges) if stood[b]]
        assert len(lengths) > 6
        assert min(lengths) * DT >= least


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
