"""Paths: the steering rule keeps an ideal walker, and the engine's, near a gentle line and ends at its end."""

import contextlib
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote.errors import FormatError, LocomoteError
from locomote.human.scenes._path import Route, read_points, steer

TURN = 1.2  # rad/s that the ideal walker can turn
CHANGE = 2.0  # m/s² by which it can change its speed


def gentle(bends: list[float], start: float) -> Route:
    """Stretches of 2 m with a bend between each two."""
    headings = start + np.cumsum([0.0, *bends])
    steps = 2.0 * np.stack([np.sin(headings), np.cos(headings)], axis=1)
    return Route(np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)]))


def follow(route: Route, wanted: float, dt: float = 1 / 30) -> tuple[np.ndarray, bool]:
    """An ideal walker that turns and speeds up at limited rates, and stops evenly when told."""
    spot, heading, speed, progress = route.points[0].copy(), route.first_heading, 0.0, 0.0
    spots = [spot.copy()]
    for _ in range(int((4.0 * route.length / wanted + 10.0) / dt)):
        to = steer(route, spot, heading, speed, progress, wanted)
        progress = to.progress
        if to.stop_within is not None and to.stop_within <= 2.0 * dt:
            return np.array(spots), True
        off = math.remainder(to.heading - heading, math.tau)
        heading += float(np.clip(4.0 * off, -TURN, TURN)) * dt
        change = CHANGE * dt if to.stop_within is None else speed * dt / to.stop_within
        speed += float(np.clip(to.speed - speed, -change, change))
        spot += speed * dt * np.array([math.sin(heading), math.cos(heading)])
        spots.append(spot.copy())
    return np.array(spots), False


@settings(max_examples=20)
@given(st.lists(st.floats(-0.6, 0.6), min_size=1, max_size=6), st.floats(-3.0, 3.0), st.floats(0.5, 1.8))
def test_a_walker_stays_on_a_gentle_path_and_arrives(bends: list[float], start: float, wanted: float) -> None:
    route = gentle(bends, start)
    spots, arrived = follow(route, wanted)
    assert arrived
    assert max(route.distance(spot) for spot in spots[::5]) < 0.3
    assert np.hypot(*(spots[-1] - route.points[-1])) < 0.3


@given(st.floats(0.0, 1.0), st.floats(-1.0, 1.0))
def test_nearest_is_nearest(share: float, aside: float) -> None:
    route = gentle([0.4, -0.3], 0.5)
    arc = share * route.length
    assert route.nearest(route.at(arc)) == pytest.approx(arc, abs=1e-9)
    spot = route.at(arc) + aside
    gaps = [np.hypot(*(route.at(a) - spot)) for a in np.linspace(0.0, route.length, 400)]
    assert route.distance(spot) <= min(gaps) + 1e-9


def test_a_path_that_crosses_itself_is_walked_once_round() -> None:
    loop = [[0, 0], [0, 6], [3, 8], [6, 6], [3, 3.5], [-4, 3]]
    spots, arrived = follow(Route(np.array(loop, dtype=float)), 1.2)
    assert arrived
    assert spots[:, 0].max() > 4.0


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
