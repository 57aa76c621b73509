"""Paths: a walker keeps near its line and stops at its end."""

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote.errors import FormatError, LocomoteError
from locomote.human._crowd import Crowd
from locomote.human._model import HumanModel
from locomote.human.scenes._path import Route, read_points
from locomote.human.scenes._tasks import TravelTask


def gentle(bends: list[float], start: float) -> Route:
    """Stretches of 2 m with a bend between each two."""
    headings = start + np.cumsum([0.0, *bends])
    steps = 2.0 * np.stack([np.sin(headings), np.cos(headings)], axis=1)
    return Route(np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)]))


def distance(route: Route, spot: np.ndarray) -> float:
    """From a place to the nearest of a path."""
    starts, ways = route.points[:-1], np.diff(route.points, axis=0)
    shares = np.clip(((spot - starts) * ways).sum(axis=1) / (ways**2).sum(axis=1), 0.0, 1.0)
    return float(np.hypot(*(starts + shares[:, None] * ways - spot).T).min())


def follow(route: Route, speed: float) -> np.ndarray:
    """Where a walker goes who is told to walk along a path."""
    start = np.array([[route.points[0, 0], 0.0, route.points[0, 1]]])
    crowd = Crowd(HumanModel.default(), speed=0.0, heading=route.first_heading, positions=start)
    task, time, spots = TravelTask(crowd, 0, route, 0.0, speed), 0.0, []
    while time < task.done_at:
        task.act(time, speed)
        crowd.step(1.0 / 30.0)
        spots.append(crowd.positions[0, [0, 2]])
        time += 1.0 / 30.0
    return np.array(spots)


@settings(max_examples=10)
@given(st.lists(st.floats(-0.6, 0.6), min_size=1, max_size=4), st.floats(-3.0, 3.0), st.floats(0.5, 1.8))
def test_a_walker_stays_on_a_gentle_path_and_arrives(bends: list[float], start: float, speed: float) -> None:
    route = gentle(bends, start)
    spots = follow(route, speed)
    assert max(distance(route, spot) for spot in spots[::3]) < 0.15
    assert np.hypot(*(spots[-1] - route.points[-1])) < 0.15


def test_a_runner_slows_down_for_corners() -> None:
    route = Route(np.array([[0, 0], [0, 4], [4, 4], [4, 8]], dtype=float))
    assert max(distance(route, spot) for spot in follow(route, 3.0)) < 0.4


def test_a_path_that_crosses_itself_is_walked_once_round() -> None:
    loop = [[0, 0], [0, 6], [3, 8], [6, 6], [3, 3.5], [-4, 3]]
    spots = follow(Route(np.array(loop, dtype=float)), 1.2)
    assert spots[:, 0].max() > 4.0
    assert np.hypot(*(spots[-1] - [-4, 3])) < 0.15


def test_points_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    file.write_text("x,z\n# a remark\n0, 0\n\n1,2.5\n")
    assert read_points(file).points.tolist() == [[0.0, 0.0], [1.0, 2.5]]
    file.write_text("0,0\n0,3\n")
    assert read_points(file).length == 3.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x,z\n0,0\n1\n", "line 3: expected x,z"),
        ("0,0\n1,two\n", "line 2: expected x,z"),
        ("x,z\nx,z\n0,0\n1,1\n", "line 2: expected x,z"),
        ("0,0\n1,1\n1,1\n", "line 3: the same point"),
        ("0,0\n", "at least two points, got 1"),
        ("0,0,0\n1,1,1\n", "line 1: expected x,z"),
        ("1,2\n3,nan\n", "line 2: expected x,z"),
    ],
)
def test_a_wrong_file_is_named_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "points.csv"
    file.write_text(text)
    with pytest.raises(FormatError, match=words):
        read_points(file)


@given(st.binary(min_size=1, max_size=60))
def test_any_bytes_are_a_path_or_an_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any.csv"
    file.write_bytes(data)
    with contextlib.suppress(LocomoteError):
        assert len(read_points(file).points) >= 2


def test_a_route_refuses_what_is_no_path() -> None:
    for points in ([[0, 0]], [[0, 0], [0, 0]], [[0, 0, 0], [1, 1, 1]], [[0, 0], [0, np.inf]]):
        with pytest.raises(LocomoteError):
            Route(np.array(points, dtype=float))
