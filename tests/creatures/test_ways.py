"""Creatures with goals: they get there, round and over what is in the way, and into nobody."""

from __future__ import annotations

import logging
import math

import numpy as np
import pytest

from locomote.creatures import Creature, Crowd
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.world import Maps, Obstacles

FPS = 60.0


@pytest.fixture(scope="module")
def wolf() -> Creature:
    return Creature.build("wolf")


def walk(crowd: Crowd, seconds: float) -> FloatArray:
    """Step until all have arrived, at most so long; the places (x, z) over time ``(T, N, 2)``."""
    track = [crowd.positions[:, [0, 2]]]
    for _ in range(round(seconds * FPS)):
        crowd.step(1.0 / FPS)
        track.append(crowd.positions[:, [0, 2]])
        if crowd.arrived.all():
            break
    return np.array(track)


def test_a_creature_crosses_a_field_of_crates(wolf: Creature) -> None:
    rng = np.random.default_rng(3)
    obstacles, tall = Obstacles(), Obstacles()
    for place in np.array([0.0, 4.0]) + rng.uniform(-3.0, 3.0, (30, 2)):
        if min(math.dist(place, (0.0, 0.0)), math.dist(place, (0.0, 8.0))) < 1.1:
            continue
        size, height = rng.uniform(0.3, 0.8, 2), float(rng.choice([0.12, 1.0]))
        obstacles.add_box(place, size, height=height, safe=bool(rng.random() < 0.4))
        if height == 1.0:
            tall.add_box(place, size, height=height)
    crowd = Crowd(wolf, 1, positions=(0.0, 0.0), obstacles=obstacles)
    crowd.go_to(0.0, 8.0)
    track = walk(crowd, 25.0)
    assert crowd.arrived.tolist() == [True]
    assert math.dist(track[-1, 0], (0.0, 8.0)) < 0.1
    assert tall.distances(track[:, 0]).min() > wolf.morphology.box[0]
    assert np.abs(crowd.speeds[0]) < 0.3
    for _ in range(60):
        crowd.step(1.0 / FPS)
    assert np.abs(crowd.speeds[0]) < 0.01
    assert math.dist(crowd.positions[0, [0, 2]], (0.0, 8.0)) < 0.1


def test_behind_a_closed_wall_there_is_no_way_until_it_opens(wolf: Creature) -> None:
    obstacles = Obstacles()
    corners = 1.5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) + (0.0, 4.0)
    walls = [obstacles.add_wall(a, b) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    crowd = Crowd(wolf, 1, positions=(0.0, 0.0), obstacles=obstacles)
    crowd.go_to(0.0, 4.0)
    track = walk(crowd, 1.0)
    assert crowd.states == ["no way"]
    assert np.abs(track - track[0]).max() < 0.05
    assert len(crowd.way()) == 0
    obstacles.remove(walls[2])  # the far one
    track = walk(crowd, 25.0)
    assert crowd.states == ["arrived"]
    obstacles.clear()
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if (a[1] + b[1]) / 2.0 < 5.0:
            obstacles.add_wall(a, b)
    assert obstacles.distances(track[:, 0]).min() > wolf.morphology.box[0]


def test_a_wall_that_comes_into_the_way_is_passed_by(wolf: Creature) -> None:
    obstacles = Obstacles()
    crowd = Crowd(wolf, 1, positions=(0.0, 0.0), obstacles=obstacles)
    crowd.go_to(0.0, 6.0)
    walk(crowd, 1.0)
    assert len(crowd.way()) == 2
    obstacles.add_wall((-1.0, 4.0), (1.0, 4.0))
    track = walk(crowd, 20.0)
    assert crowd.arrived.all()
    assert obstacles.distances(track[:, 0]).min() > wolf.morphology.box[0]


def sides(crowd: Crowd) -> tuple[FloatArray, FloatArray]:
    """Corners ``(N, 4, 2)`` of the trunks and their two directions ``(N, 2, 2)``, in the plan."""
    width, length = crowd.creature.morphology.box
    sine, cosine = np.sin(crowd.headings), np.cos(crowd.headings)
    ahead, aside = np.column_stack([sine, cosine]), np.column_stack([cosine, -sine])
    places = crowd.positions[:, [0, 2]]
    signs = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    corners = np.stack([places + a * width * aside + b * length * ahead for a, b in signs], axis=1)
    return corners, np.stack([ahead, aside], axis=1)


def least_gap(corners: FloatArray, directions: FloatArray) -> float:
    """The least distance between the trunks of any two, by separating lines; negative where they overlap."""
    own = np.einsum("aed,akd->aek", directions, corners)
    other = np.einsum("aed,bkd->abek", directions, corners)
    apart = np.maximum(other.min(axis=3) - own.max(axis=2)[:, None], own.min(axis=2)[:, None] - other.max(axis=3))
    gaps = apart.max(axis=2)
    gaps = np.maximum(gaps, gaps.T)
    np.fill_diagonal(gaps, np.inf)
    return float(gaps.min())


def test_two_crowds_pass_through_each_other_without_touching(wolf: Creature) -> None:
    maps = Maps(cell=wolf.cell)
    column, row = np.arange(20) % 5 - 2, np.arange(20) // 5
    south = np.column_stack([1.6 * column, -3.5 - 1.6 * row])
    north = south * (1.0, -1.0)
    up = Crowd(wolf, 20, maps=maps, positions=south, speed=1.6)
    down = Crowd(wolf, 20, maps=maps, positions=north, heading=math.pi, speed=1.6, seed=1)
    up.go_to(*north[::-1].T)
    down.go_to(*south[::-1].T)
    gaps = []
    for _ in range(round(50.0 * FPS)):
        for one, other in ((up, down), (down, up)):
            velocities = other.speeds[:, None] * np.column_stack([np.sin(other.headings), np.cos(other.headings)])
            one.meet(other.positions[:, [0, 2]], velocities, other.radius, mutual=True)
        up.step(1.0 / FPS)
        down.step(1.0 / FPS)
        both = [np.concatenate(each) for each in zip(sides(up), sides(down), strict=True)]
        gaps.append(least_gap(*both))
        if up.arrived.all() and down.arrived.all():
            break
    assert min(gaps) > 0.0
    assert up.arrived.all()
    assert down.arrived.all()


def test_a_path_is_followed_to_its_end(wolf: Creature) -> None:
    crowd = Crowd(wolf, 1, positions=(0.0, 0.0), speed=1.0)
    path = np.array([(0.0, 2.0), (2.0, 2.0), (2.0, 4.0)])
    crowd.follow(path, speed=1.2)
    track = walk(crowd, 15.0)
    assert crowd.arrived.all()
    for place in path:
        assert np.hypot(*(track[:, 0] - place).T).min() < 0.35
    assert np.hypot(*np.diff(track[:, 0], axis=0).T).max() * FPS < 1.3


def test_each_of_many_follows_a_path_of_its_own(wolf: Creature) -> None:
    places = np.array([(0.0, 0.0), (4.0, 0.0)])
    paths = [[(0.0, 2.0), (1.0, 4.0)], [(4.0, 2.0), (4.0, 3.0), (3.0, 4.0)]]
    together, singly = Crowd(wolf, 2, positions=places), Crowd(wolf, 2, positions=places)
    together.follow(paths, speed=1.2)
    for k in range(2):
        singly.follow(paths[k], speed=1.2, who=k)
    tracks = [walk(crowd, 8.0) for crowd in (together, singly)]
    assert tracks[0].tobytes() == tracks[1].tobytes()
    assert together.arrived.all()
    with pytest.raises(LocomoteError, match="path: 2 paths, expected one for all, or one for each of 1"):
        together.follow(paths, who=0)


def test_they_face_where_they_were_told_and_go_on_when_released(wolf: Creature) -> None:
    crowd = Crowd(wolf, 2, positions=[(0.0, 0.0), (3.0, 0.0)])
    crowd.go_to(0.0, 1.5, heading=-1.5, who=0)
    assert crowd.states == ["waiting", "free"]
    track = walk(crowd, 8.0)
    assert crowd.arrived.tolist() == [True, False]
    assert abs(crowd.headings[0] + 1.5) < 0.1
    assert np.abs(track[:, 1] - track[0, 1]).max() < 1e-9
    crowd.release()
    assert crowd.states == ["free", "free"]
    crowd.go_to(0.0, 9.0)
    crowd.command(heading=0.3, speed=0.5, who=0)
    assert crowd.states == ["free", "waiting"]


def test_goals_that_cannot_be_are_refused_or_moved(wolf: Creature, caplog: pytest.LogCaptureFixture) -> None:
    obstacles = Obstacles()
    obstacles.add_disk((0.0, 3.0), 0.6, height=2.0)
    crowd = Crowd(wolf, 1, positions=(0.0, 0.0), obstacles=obstacles)
    with pytest.raises(LocomoteError, match="x: nan is not a finite number"):
        crowd.go_to(math.nan, 1.0)
    with pytest.raises(LocomoteError, match=r"path: shape \(1, 2\)"):
        crowd.follow([(0.0, 1.0)])
    with pytest.raises(LocomoteError, match="more than 0 m/s"):
        crowd.go_to(0.0, 1.0, speed=-1.0)
    with pytest.raises(LocomoteError, match="others"):
        crowd.meet([(0.0, math.inf)])
    with caplog.at_level(logging.WARNING, logger="locomote"):
        crowd.go_to(0.0, 3.0)
        walk(crowd, 10.0)
    assert caplog.text.count("no room for a body there") == 1
    assert crowd.arrived.all()
    assert 0.6 < math.dist(crowd.positions[0, [0, 2]], (0.0, 3.0)) < 1.3


def test_far_goals_are_reached_piece_by_piece(wolf: Creature) -> None:
    crowd = Crowd(wolf, 1, positions=(0.0, 0.0), speed=2.0)
    crowd.go_to(30.0, 400.0)
    track = walk(crowd, 2.0)
    assert crowd.states == ["going"]
    assert 20.0 < np.hypot(*crowd.way()[-1]) < 100.0
    assert track[-1, 0, 1] > 2.0
