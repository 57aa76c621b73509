"""Where all want the same, nobody costs more than its share of a frame: looks are spread, searches take turns."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.human import Crowd, HumanModel
from locomote.human._kernels.state import PERIOD
from locomote.human._kernels.trails import SCOUT_AGAIN
from locomote.navigation._kernels.local_search import LEAST_SEARCHES, PEOPLE_A_SEARCH
from locomote.world import Obstacles

FRAME = 1.0 / 60.0
PEOPLE = 400


@pytest.fixture(scope="module")
def jam() -> tuple[np.ndarray, np.ndarray]:
    """Of four hundred people who want to one place: who searched in which frame, and s without progress, ``(F, N)``."""
    side = np.arange(20) * 0.9
    places = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)[:, [0, 0, 1]] * (1.0, 0.0, 1.0)
    crowd = Crowd(HumanModel.default(), PEOPLE, positions=places, avoid=True)
    crowd.go_to(8.5, 8.5, speed=1.4)
    rows, searched, lost = crowd._ways.rows, [], []
    before = rows["scout"].copy()
    for _ in range(900):
        crowd.step(FRAME)
        searched.append((rows["scout"] == SCOUT_AGAIN) & (before < SCOUT_AGAIN))
        lost.append(rows["lost"].copy())
        before = rows["scout"].copy()
    return np.array(searched), np.array(lost)


def test_searches_of_a_frame_are_few_however_many_are_lost(jam: tuple[np.ndarray, np.ndarray]) -> None:
    searched, lost = jam
    assert (lost[-1] > 4.0).sum() > 0.6 * PEOPLE
    # Who keeps to its way waits as long as who has found another: both are counted here, and only searches take turns.
    most = max(LEAST_SEARCHES, PEOPLE / PEOPLE_A_SEARCH)
    assert searched[-300:].sum(axis=1).max() <= most
    assert searched[-300:].sum() > 300


def test_everyone_who_is_lost_has_its_turn(jam: tuple[np.ndarray, np.ndarray]) -> None:
    searched, lost = jam
    always = np.flatnonzero((lost[-480:] > 3.5).all(axis=0))
    assert len(always) > 60
    assert searched[-480:, always].any(axis=0).mean() > 0.95


def test_all_look_when_something_is_new_and_then_one_after_the_other() -> None:
    obstacles = Obstacles()
    crowd = Crowd(HumanModel.default(), 120, speed=1.4, obstacles=obstacles, avoid=True)
    rows, looked = crowd._ways.rows, []
    for frame in range(30):
        if frame == 10:
            obstacles.add_box((500.0, 500.0), (1.0, 1.0), 1.0)
        before = rows["look"].copy()
        crowd.step(FRAME)
        looked.append(np.abs(before - FRAME - rows["look"]) > 1e-9)
    looks = np.array(looked)
    assert looks[10].all()
    assert np.delete(looks, (0, 10), axis=0).sum(axis=1).max() <= 0.3 * len(crowd)
    assert looks[11:18].any(axis=0).all()  # nobody waits longer than the time between two looks
    assert rows["look"].max() <= PERIOD
