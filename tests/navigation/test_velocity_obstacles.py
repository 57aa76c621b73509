"""Walkers keep out of each other's way: the mathematics of one moment, and whole walks of crowds."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.human._kernels.safe_drives import Asked, DriveArrays, drive_all
from locomote.human.jumps._kernels.jump_claims import Claims
from locomote.math.records import zeros
from locomote.navigation._kernels import half_planes
from locomote.navigation._kernels.course import Course, Drive, Escape, Traffic, gap_between
from locomote.navigation._kernels.neighbours import find_neighbours, grid_for
from locomote.navigation._kernels.steering import DriveLimits, nearest_on, velocity_to_drive
from locomote.navigation._kernels.velocity_obstacles import (
    Agents,
    CloseObstacles,
    Horizons,
    WantedVelocities,
    avoid_all,
)
from locomote.world._kernels import obstacle_layout as things

FRAME = 1.0 / 30.0
ROOM = 16  # neighbours
SIGHT = 4.0  # m
RADIUS = 0.25  # m
SPARE = 0.05  # m more than the radius that walkers keep if they can
LIMITS = DriveLimits(1.0, 2.0, 2.5, 20.0, 3.5)
MOST_WALKERS = 10_000
HORIZONS = Horizons(1.5, 0.5, 0.5)


def obstacles_of(polygons, velocities=None) -> CloseObstacles:
    """The polygons, all of them close to everyone."""
    count = len(polygons)
    table, corners = np.zeros((count, things.COLUMNS)), np.zeros((count, things.MOST_CORNERS, 2))
    for m, polygon in enumerate(polygons):
        middle = np.mean(polygon, axis=0)
        corners[m, : len(polygon)] = polygon[::-1]  # ours go round the other way in the plane of x and z
        table[m, [things.X, things.Z]], table[m, things.CORNERS] = middle, len(polygon)
        table[m, things.RADIUS] = np.hypot(*(np.array(polygon) - middle).T).max()
        if velocities is not None:
            table[m, [things.VX, things.VZ]] = velocities[m]
    close = np.tile(np.arange(count), (MOST_WALKERS, 1))
    return CloseObstacles(table, corners, close, np.full(MOST_WALKERS, count))


NOTHING = obstacles_of([])


class Walkers:
    """A crowd of walkers with goals, each a place, a yaw and a speed: what a host of the kernels does."""

    def __init__(self, places, goals, obstacles=NOTHING, limits=LIMITS, seed=0):
        count = len(places)
        ahead = goals - places
        self.goals, self.obstacles, self.limits = goals, obstacles, limits
        self.courses, self.after, self.drives = zeros(Course, count), zeros(Course, count), zeros(Drive, count)
        self.courses["x"], self.courses["z"] = places.T
        self.courses["yaw"] = np.arctan2(*ahead.T)
        self.radii, self.heeds = np.full(count, RADIUS), np.ones(count)
        self.cruise = np.random.default_rng(seed).uniform(1.15, 1.45, count)
        self.near, self.counts = np.zeros((count, ROOM), np.int64), np.zeros(count, np.int64)
        self.grid, self.planes = grid_for(count), np.zeros((2, ROOM + len(obstacles.table), 3))
        self.wanted, self.arrived, self.closest = np.zeros((count, 2)), np.zeros(count, bool), math.inf
        self.claims = Claims(*np.zeros((3, count)), np.zeros(count, np.int64))
        self.holders, self.escapes = np.zeros(count, np.int64), zeros(Escape, count)
        self.sidles = np.zeros(count, np.int64)
        self.look()

    @property
    def places(self) -> np.ndarray:
        return np.stack([self.courses["x"], self.courses["z"]], axis=1)

    def look(self) -> None:
        find_neighbours(self.places, SIGHT, self.grid, self.near, self.counts)

    def step(self) -> None:
        ahead = self.goals - self.places
        distance = np.maximum(np.hypot(*ahead.T), 1e-9)
        preferred = ahead * (np.minimum(self.cruise, np.sqrt(distance)) / distance)[:, None]
        # What everyone wanted last, not what its legs made of it: who wants to go is let through.
        agents = Agents(self.places, self.wanted.copy(), self.radii + SPARE, self.heeds)
        near, counts = self.near, self.counts
        wishes = WantedVelocities(preferred, distance / self.cruise, 1.1 * self.cruise, np.ones(len(distance)))
        avoid_all(agents, wishes, near, counts, self.obstacles, HORIZONS, self.planes, self.wanted)
        self.drive()

    def drive(self) -> None:
        traffic = Traffic(self.courses, self.radii, self.near, self.counts, self.obstacles, self.escapes)
        asked = Asked(self.wanted, self.heeds, self.sidles)
        out = DriveArrays(self.after, self.drives, self.holders)
        drive_all(FRAME, traffic, asked, self.claims, self.limits, out)
        self.courses, self.after = self.after, self.courses
        self.look()
        some = self.counts > 0
        gaps = np.hypot(*(self.places - self.places[self.near[:, 0]]).T) - 2.0 * RADIUS
        self.closest = min(self.closest, gaps[some].min(initial=math.inf))

    def walk(self, seconds: float, arrived) -> float:
        """Walk until everyone has arrived once; gives the seconds that took."""
        for frame in range(round(seconds / FRAME)):
            self.step()
            self.arrived |= arrived(self)
            if self.arrived.all():
                return frame * FRAME
        return math.inf


def spread(random, count: int, width: float, length: float) -> np.ndarray:
    """Places in a rectangle, no two nearer than 0.7 m."""
    out = np.zeros((0, 2))
    while len(out) < count:
        place = random.uniform(0.0, (width, length))
        if not (np.hypot(*(out - place).T) < 0.7).any():
            out = np.vstack([out, place])
    return out


def at_goals(walkers: Walkers) -> np.ndarray:
    return np.hypot(*(walkers.goals - walkers.places).T) < 0.5


def circle_swap(count: int = 100, radius: float = 12.0):
    """Everyone on a circle goes to the opposite side."""
    angles = np.arange(count) * 2.0 * math.pi / count
    places = radius * np.stack([np.sin(angles), np.cos(angles)], axis=1)
    return Walkers(places, -places), at_goals


def opposing_streams(count: int = 100, width: float = 6.0):
    """Two streams in a corridor, each to the other's side."""
    random = np.random.default_rng(1)
    length = count / (width - 1.0)
    first = spread(random, count // 2, width - 1.0, length) - (0.5 * width - 0.5, length + 4.0)
    second = spread(random, count // 2, width - 1.0, length) - (0.5 * width - 0.5, -4.0)
    wall = np.array([(-0.5, -200.0), (0.5, -200.0), (0.5, 200.0), (-0.5, 200.0)])
    walls = obstacles_of([wall - (-0.5 * width - 0.5, 0.0), wall - (0.5 * width + 0.5, 0.0)])
    way = np.repeat([[0.0, 1000.0], [0.0, -1000.0]], count // 2, axis=0)
    places = np.concatenate([first, second])
    return Walkers(places, places + way, walls), lambda w: w.places[:, 1] * np.sign(way[:, 1]) > 6.0


def crossing_flows(count: int = 100):
    """Two streams that cross at right angles."""
    random = np.random.default_rng(2)
    length = count / 6.0
    first, second = (spread(random, count // 2, 6.0, length) - (3.0, length + 4.0) for _ in range(2))
    way = np.repeat([[0.0, 1000.0], [1000.0, 0.0]], count // 2, axis=0)
    places = np.concatenate([first, second[:, ::-1]])
    return Walkers(places, places + way), lambda w: (w.places * np.sign(way)).sum(1) > 10.0


def random_goals(count: int = 200, each: float = 1.67):
    """A crowd in a square with ``each`` square metres for everyone; who arrives goes on to another place."""
    random = np.random.default_rng(3)
    side = math.sqrt(count * each)
    line = math.ceil(math.sqrt(count))
    places = np.array(list(itertools.product(range(line), repeat=2))[:count]) * side / line
    places = places + random.uniform(-0.2, 0.2, places.shape)

    def arrived(walkers: Walkers) -> np.ndarray:
        there = at_goals(walkers)
        walkers.goals[there] = random.uniform(0.0, side, (there.sum(), 2))
        return there

    return Walkers(places, random.uniform(0.0, side, places.shape)), arrived


@pytest.mark.parametrize("scene", [circle_swap, opposing_streams, crossing_flows])
def test_everyone_arrives_and_nobody_is_touched(scene):
    walkers, arrived = scene()
    assert walkers.walk(120.0, arrived) < math.inf
    assert walkers.closest >= -0.001


def test_a_dense_crowd_with_random_goals_keeps_apart_and_keeps_going():
    walkers, arrived = random_goals()
    speeds = []
    for _ in range(900):
        walkers.step()
        walkers.arrived |= arrived(walkers)
        speeds.append(walkers.courses["speed"].mean())
    assert walkers.closest >= -0.001
    assert walkers.arrived.mean() > 0.8
    assert np.mean(speeds[450:]) > 0.4


@given(st.integers(0, 10**6))
def test_whatever_walkers_want_they_never_touch(seed):
    random = np.random.default_rng(seed)
    box = obstacles_of([[(2.0, 2.0), (3.0, 2.0), (3.0, 3.5), (2.0, 3.5)]])
    places = spread(random, 25, 5.5, 5.5)
    places = places[[_off_polygon(p, box.corners[0, :4]) > 0.3 for p in places]]
    walkers = Walkers(places, places + random.normal(size=places.shape), box)
    for k in range(60):
        if k % 10 == 0:
            walkers.wanted[:] = random.normal(0.0, 1.2, places.shape)
        before = walkers.courses["speed"].copy()
        walkers.drive()
        change = walkers.courses["speed"] - before
        assert (change <= LIMITS.accelerate * FRAME + 1e-9).all()
        assert (change >= -LIMITS.brake * FRAME - 1e-9).all()
        assert (np.abs(walkers.drives["turn"]) <= LIMITS.turn).all()
        assert min(_off_polygon(p, box.corners[0, :4]) for p in walkers.places) >= RADIUS - 1e-6
    assert walkers.closest >= -1e-6


def _off_polygon(place, polygon) -> float:
    x, z, inside = nearest_on(polygon, float(place[0]), float(place[1]))
    return -1.0 if inside else math.hypot(place[0] - x, place[1] - z)


def two_agents(random, heeds: float) -> Agents:
    places = np.array([[0.0, 0.0], random.uniform(0.6, 3.0) * _direction(random)])
    return Agents(places, random.normal(0.0, 1.0, (2, 2)), np.array([0.25, 0.3]), np.array([1.0, heeds]))


def _direction(random) -> np.ndarray:
    angle = random.uniform(-math.pi, math.pi)
    return np.array([math.sin(angle), math.cos(angle)])


def avoided(agents: Agents, preferred: np.ndarray, obstacles=NOTHING) -> np.ndarray:
    count = len(agents.places)
    near = np.array([[j for j in range(count) if j != i] for i in range(count)], np.int64)
    new = np.zeros((count, 2))
    planes = np.zeros((2, count + len(obstacles.counts), 3))
    many = np.full(count, count - 1)
    wishes = WantedVelocities(preferred, np.full(count, 10.0), np.full(count, 5.0), np.ones(count))
    avoid_all(agents, wishes, near, many, obstacles, Horizons(2.0, 1.0, 1.0), planes, new)
    return new


def closest_approach(offset: np.ndarray, velocity: np.ndarray, seconds: float) -> float:
    times = np.linspace(0.0, seconds, 400)
    return float(np.hypot(*(offset[:, None] - velocity[:, None] * times)).min())


@given(st.integers(0, 10**6), st.sampled_from([0.0, 1.0]))
def test_two_do_not_touch_within_the_horizon(seed, heeds):
    random = np.random.default_rng(seed)
    agents = two_agents(random, heeds)
    preferred = random.normal(0.0, 1.0, (2, 2))
    preferred[1] = preferred[1] if heeds else agents.velocities[1]  # who does not avoid keeps its velocity
    new = avoided(agents, preferred)
    offset = agents.places[1] - agents.places[0]
    assert closest_approach(offset, new[0] - new[1], 2.0) >= 0.55 - 1e-6


def test_who_has_nobody_near_gets_what_it_prefers():
    agents = Agents(np.zeros((1, 2)), np.zeros((1, 2)), np.array([0.25]), np.ones(1))
    np.testing.assert_array_equal(avoided(agents, np.array([[0.3, 1.2]])), [[0.3, 1.2]])


@given(st.integers(0, 10**6), st.integers(1, 7))
def test_a_polygon_is_not_touched_within_the_horizon(seed, count):
    random = np.random.default_rng(seed)
    angles = np.sort(random.uniform(-math.pi, math.pi, count))
    middle = random.uniform(0.9, 3.0) * _direction(random)
    polygon = middle + 0.6 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    drift = random.normal(0.0, 0.5, (1, 2))
    agents = Agents(np.zeros((1, 2)), random.normal(0.0, 1.0, (1, 2)), np.array([0.25]), np.ones(1))
    new = avoided(agents, random.normal(0.0, 1.5, (1, 2)), obstacles_of([polygon], drift))
    for t in np.linspace(0.0, 1.0, 60):
        assert _off_polygon(t * (new[0] - drift[0]), polygon) >= 0.25 - 1e-6


def brute_force(preferred: np.ndarray, fastest: float, rows: np.ndarray) -> np.ndarray | None:
    """The allowed velocity nearest to the preferred one, by trying every place where it can be."""
    n, c = rows[:, :2], rows[:, 2]
    tries = [preferred, preferred * fastest / np.hypot(*preferred)]
    tries += [preferred - (preferred @ n[i] - c[i]) * n[i] for i in range(len(rows))]
    for i in range(len(rows)):
        if abs(c[i]) <= fastest:
            side = math.sqrt(fastest**2 - c[i] ** 2) * np.array([-n[i, 1], n[i, 0]])
            tries += [c[i] * n[i] + side, c[i] * n[i] - side]
        for j in range(i):
            if abs(np.linalg.det(n[[i, j]])) > 1e-6:
                tries.append(np.linalg.solve(n[[i, j]], c[[i, j]]))
    allowed = [v for v in tries if (n @ v >= c - 1e-7).all() and np.hypot(*v) <= fastest + 1e-7]
    return min(allowed, key=lambda v: np.hypot(*(v - preferred))) if allowed else None


@given(st.integers(0, 10**6), st.integers(1, 9), st.integers(0, 3))
def test_the_programme_finds_the_best_or_the_least_violating(seed, count, hard):
    random = np.random.default_rng(seed)
    hard = min(hard, count)
    rows = np.array([[*_direction(random), random.normal(-0.2, 0.5)] for _ in range(count)])
    preferred = random.normal(0.0, 1.0, 2)
    planes = np.stack([rows, np.zeros_like(rows)])
    new = np.array(half_planes.solve(tuple(map(float, preferred)), 1.5, planes, hard, count))
    assert np.hypot(*new) <= 1.5 + 1e-9
    best = brute_force(preferred, 1.5, rows)
    if best is not None:
        np.testing.assert_allclose(new, best, atol=1e-5)
        return
    trials = 1.5 * np.sqrt(random.uniform(size=4000))[:, None] * np.array([_direction(random) for _ in range(4000)])
    missed = rows[:, 2] - trials @ rows[:, :2].T
    ours = rows[:, 2] - rows[:, :2] @ new
    met = (missed[:, :hard] <= 0.0).all(axis=1)
    if brute_force(preferred, 1.5, rows[:hard]) is None:
        assert ours.max() <= missed.max(axis=1).min() + 1e-6
    else:
        assert ours[:hard].max(initial=0.0) <= 1e-6
        if met.any():
            assert ours[hard:].max() <= missed[met][:, hard:].max(axis=1).min() + 1e-6


def test_the_way_of_a_jump_is_granted_when_it_is_free_and_then_kept():
    places = np.array([[0.0, 0.0], [0.0, 3.0], [2.0, 2.0]])
    walkers = Walkers(places, np.array([[0.0, 9.0], [0.0, 3.5], [-3.0, 2.0]]))
    walkers.courses["yaw"][0], walkers.courses["speed"][0] = 0.0, 1.2
    walkers.claims.lengths[0], walkers.claims.spare[0] = 4.0, 1.0
    walkers.wanted[1] = walkers.wanted[2] = 0.0
    walkers.drive()
    assert walkers.claims.granted[0] == 0.0  # somebody stands there
    assert walkers.claims.refused[0] == 0
    walkers.claims.spare[0] = -0.1
    walkers.drive()
    assert walkers.claims.refused[0] == 1  # it cannot be put off any longer
    walkers.courses["x"][1], walkers.claims.refused[0] = -3.0, 0
    walkers.drive()
    assert walkers.claims.granted[0] == 1.0
    for _ in range(90):
        walkers.courses[0] = 0.0, 0.0, 0.0, 1.2, 0.0, 0.0, 0.0  # it comes all the time
        walkers.wanted[2] = -1.2, 0.0
        walkers.drive()
    assert walkers.courses["x"][2] > 2.0 * RADIUS  # nobody steps onto a way that was granted


def test_who_is_in_the_way_of_a_jump_leaves_it():
    walkers = Walkers(np.array([[0.0, 0.0], [0.45, 3.0]]), np.array([[0.0, 9.0], [9.0, 3.0]]))
    walkers.courses["speed"][0], walkers.claims.lengths[0], walkers.claims.granted[0] = 1.0, 8.0, 1.0
    for _ in range(30):
        walkers.wanted[:] = [[0.0, 1.0], [1.2, 0.0]]
        walkers.drive()
        walkers.claims.lengths[0] -= FRAME
    assert walkers.courses["x"][1] > 2.0 * RADIUS


def test_who_stands_firm_is_not_pushed_back():
    agents = Agents(
        np.array([[0.0, 0.0], [0.0, 0.8]]),
        np.array([[0.0, 0.0], [0.0, -1.0]]),
        np.full(2, 0.3),
        np.array([2.0, 1.0]),
    )
    new, near = np.zeros((2, 2)), np.array([[1], [0]])
    wishes = WantedVelocities(np.array([[0.0, 1.0], [0.0, -1.0]]), np.full(2, 5.0), np.full(2, 1.4), np.ones(2))
    avoid_all(agents, wishes, near, np.ones(2, np.int64), NOTHING, HORIZONS, np.zeros((2, 1, 3)), new)
    assert new[0, 1] > -1e-6
    assert new[1, 1] > -1.0


@given(st.integers(0, 10**6))
def test_the_gap_between_two_segments(seed):
    random = np.random.default_rng(seed)
    a, d, b, e = random.normal(size=(4, 2))
    s = np.linspace(0.0, 1.0, 101)
    between = (a + s[:, None] * d)[:, None] - (b + s[:, None] * e)[None]
    gap = math.sqrt(gap_between(*map(float, (*a, *d, *b, *e))))
    assert gap <= np.hypot(between[..., 0], between[..., 1]).min() + 1e-9
    assert gap >= np.hypot(between[..., 0], between[..., 1]).min() - 0.05


@given(st.floats(-3.1, 3.1), st.floats(0.1, 1.5), st.floats(-3.0, 3.0), st.floats(0.0, 1.5))
def test_a_walker_comes_to_go_as_wanted_without_dithering(direction, wish, yaw, speed):
    vx, vz = wish * math.sin(direction), wish * math.cos(direction)
    turn, turns = 0.0, []
    for _ in range(400):
        new, turn = velocity_to_drive(vx, vz, yaw, speed, turn, FRAME, LIMITS)
        assert -LIMITS.brake * FRAME - 1e-9 <= new - speed <= LIMITS.accelerate * FRAME + 1e-9
        speed, yaw = new, yaw + turn * FRAME
        turns.append(turn)
    assert speed == pytest.approx(wish, abs=0.02)
    assert math.cos(yaw - direction) > 0.999
    moving = [t for t in turns if abs(t) > 1e-6]
    assert all(t > 0.0 for t in moving) or all(t < 0.0 for t in moving)
