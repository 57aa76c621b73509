"""Paths that walkers are sent along: one for all, one for each, and what becomes of paths that are left."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.human import _navigation
from locomote.human._crowd import Crowd
from locomote.human._kernels.state import ON_PATH
from locomote.human._model import HumanModel

FRAME = 1.0 / 60.0


@pytest.fixture(scope="module")
def model() -> HumanModel:
    return HumanModel.default()


def random_paths(count: int, seed: int = 0) -> list[np.ndarray]:
    """Paths of 2 to 30 places, some of which come twice in a row."""
    r = np.random.default_rng(seed)
    paths = [np.cumsum(r.normal(size=(int(r.integers(2, 20)), 2)), axis=0) for _ in range(count)]
    return [np.repeat(path, r.integers(1, 3, len(path)), axis=0) for path in paths]


def kept(crowd: Crowd, row: int) -> np.ndarray:
    """The path that a walker is on."""
    way = crowd._ways.rows[row]
    return crowd._ways.paths[way["first"] : way["first"] + way["count"]]


def without_repeats(path: np.ndarray) -> np.ndarray:
    return path[np.concatenate([[True], (np.diff(path, axis=0) != 0.0).any(axis=1)])]


def test_paths_for_all_at_once_are_those_for_each_bit_for_bit(model):
    paths, speeds = random_paths(40), np.linspace(0.8, 1.6, 40)
    together, singly = (Crowd(model, 40, avoid=True, seed=3) for _ in range(2))
    together.follow(paths, speed=speeds)
    for k, path in enumerate(paths):
        singly.follow(path, speed=speeds[k], who=k)
    for _ in range(120):
        a, b = (crowd.step(FRAME).joint_positions() for crowd in (together, singly))
    assert a.tobytes() == b.tobytes()


def test_some_walkers_get_paths_of_their_own_and_the_others_keep_theirs(model):
    crowd, paths, more = Crowd(model, 6), random_paths(6), random_paths(2, seed=1)
    crowd.follow(paths)
    crowd.follow([more[0], more[1].tolist()], who=[4, 1])
    paths[4], paths[1] = more
    for row, path in enumerate(paths):
        np.testing.assert_array_equal(kept(crowd, row), without_repeats(path))


def test_paths_that_nobody_is_on_are_forgotten(model):
    crowd, r = Crowd(model, 30), np.random.default_rng(2)
    paths = random_paths(30)
    crowd.follow(paths)
    crowd.follow([(0.0, 0.0), (5.0, 5.0)], who=slice(20, 30))
    paths[20:] = [np.array([(0.0, 0.0), (5.0, 5.0)])] * 10
    for turn in range(2000):
        row = int(r.integers(30))
        paths[row] = random_paths(1, seed=turn)[0]
        crowd.follow(paths[row], who=row)
        if turn % 100 == 0:
            crowd.release(who=int(r.integers(30)))
    on_path = np.flatnonzero(crowd._ways.rows["mode"] == ON_PATH)
    for row in on_path:
        np.testing.assert_array_equal(kept(crowd, row), without_repeats(paths[row]))
    assert len(crowd._ways.paths) < 4 * 30 * 20


def test_a_shared_path_is_kept_once(model):
    crowd = Crowd(model, 50)
    path = np.cumsum(np.ones((200, 2)), axis=0)
    for _ in range(20):
        crowd.follow(path, who=slice(0, 25))
        crowd.follow(path, who=slice(25, 50))
    assert len(set(crowd._ways.rows["first"].tolist())) == 2
    assert len(crowd._ways.paths) <= 2 * 2 * 200


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ([[(0, 0), (1, 1)]] * 2, "path: 2 paths, expected one for all, or one for each of 3"),
        ([[(0, 0), (1, 1)], [(0, 0)], [(0, 0), (1, 1)]], r"path 1: shape \(1, 2\), expected two or more places"),
        ([[(0, 0), (1, 1)], [(0, 0), (1, 1)], [(0, 0), (0, 1), (np.nan, 1)]], "path 2: place 2 is not finite"),
        ([[(0, 0), (1, 1)], [(2, 0), (2, 0)], [(0, 0), (1, 1)]], "path 1: all its places are the same"),
        ([(2, 0), (2, 0)], "path: all its places are the same"),
        ([(0, 0), (0, np.inf)], "path: place 1 is not finite"),
        ([], "path: shape"),
        (3.0, "path: shape"),
    ],
)
def test_what_is_no_path_is_refused_and_nothing_changes(model, path, message):
    crowd = Crowd(model, 3)
    crowd.follow([(0, 0), (0, 4)], speed=1.1)
    before = crowd._ways.rows.tobytes(), crowd._ways.paths.tobytes()
    with pytest.raises(LocomoteError, match=message):
        crowd.follow(path, speed=0.5)
    assert (crowd._ways.rows.tobytes(), crowd._ways.paths.tobytes()) == before


def test_more_places_than_there_may_be_are_refused(model, monkeypatch):
    monkeypatch.setattr(_navigation, "MOST_POINTS", 100)
    crowd, path = Crowd(model, 2), np.cumsum(np.ones((50, 2)), axis=0)
    crowd.follow([path, path])
    crowd.follow(path, who=0)  # in place of the one before
    with pytest.raises(LocomoteError, match="more than 100 places in all"):
        crowd.follow(np.cumsum(np.ones((51, 2)), axis=0), who=1)
    for row in range(2):
        np.testing.assert_array_equal(kept(crowd, row), path)
