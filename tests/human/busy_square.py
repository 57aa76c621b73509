"""A square full of obstacles that appear, move, grow and vanish, and of walkers who go from place to place in it."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from locomote import rotations as rot
from locomote.human._crowd import Crowd
from locomote.human._kernels.model import LEG_SHARE
from locomote.human._kernels.state import NO_JUMP, PLANTED, UNDER_WAY
from locomote.human._model import HumanModel
from locomote.world import Obstacles
from locomote.world._kernels import obstacle_layout as at
from tests.human.free_ways import FreeWays

FRAME = 1.0 / 60.0
TOUCH = 0.001  # m by which bodies may overlap before it counts
DEEP = 0.02  # m by which a body may reach into what it goes round
WET = 0.01  # m by which a foot that stands may reach into an obstacle
# m from every body, at least, at which an obstacle appears or to which it grows, and s more of its way for one that
# moves; and from the way for so many s of one who runs up, or is in the air
CLEAR, SEEN = 1.0, 2.5
# s in which a walker comes no half metre nearer to its goal: straight, or along the shortest way that is free
STUCK, PROGRESS = 15.0, 0.5
JUDGED = 5.0  # s after which the way of one who came nearer along it only is looked at again
MOVING = 0.8  # m/s at most
FEET_EVERY = 6  # frames: a foot stands longer


@dataclass
class Tally:
    """What went wrong, and what was done."""

    bodies: set[tuple[int, int]] = field(default_factory=set)  # pairs that overlapped
    closest: float = math.inf  # m between two bodies
    inside: set[int] = field(default_factory=set)  # walkers in obstacles that they do not jump
    deepest: float = 0.0  # m
    wet: set[int] = field(default_factory=set)  # walkers who stood in an obstacle
    deepest_foot: float = 0.0  # m
    no_nearer: set[int] = field(default_factory=set)  # walkers who came no nearer to their goals, as the crow flies
    no_way: set[int] = field(default_factory=set)  # walkers whose goals could not be reached, or had no room for a body
    turned_back: set[int] = field(
        default_factory=set
    )  # those who came no nearer along the way that is the shortest now, but along what was the shortest before
    stuck: set[int] = field(
        default_factory=set
    )  # those who came no nearer along that either, or said wrongly that there is no way
    jumps: int = 0
    arrivals: int = 0


@dataclass
class Second:
    """Where everybody and everything was."""

    places: np.ndarray
    obstacles: Obstacles
    side: float

    @cached_property
    def free(self) -> FreeWays:
        return FreeWays(self.obstacles, self.side)


class Scene:
    """A square full of obstacles of every kind, and walkers who go from place to place in it."""

    def __init__(self, model: HumanModel, walkers: int, things: int, side: float, seed: int = 0) -> None:
        self.random, self.side = np.random.default_rng(seed), side
        self.obstacles, self.ids = Obstacles(), []
        for _ in range(things):
            self.add(np.zeros((0, 2)))
        places = self.free_places(walkers)
        self.speeds = self.random.uniform(0.9, 1.7, walkers)
        self.crowd = Crowd(
            model, walkers, seed=seed, positions=np.insert(places, 1, 0.0, axis=1), obstacles=self.obstacles,
            avoid=True, heading=self.random.uniform(-math.pi, math.pi, walkers),
        )  # fmt: skip
        self.goals = np.zeros((walkers, 2))
        self.best, self.since = np.full(walkers, math.inf), np.zeros(walkers)
        self.past = [Second(self.places, self.obstacles.copy(), side)]  # the last seconds
        self.asked = np.zeros(walkers)  # s in which nobody asks again
        self.excused, self.flew = np.zeros(walkers, bool), np.zeros(walkers, bool)
        self.tally, self.frame = Tally(), 0
        self.send(np.arange(walkers))

    def add(self, bodies: np.ndarray) -> None:
        """One more obstacle, clear of all bodies; a quarter of them move."""
        r, o = self.random, self.obstacles
        while True:
            place, yaw = r.uniform(0.0, self.side, 2), r.uniform(-math.pi, math.pi)
            kind, size = r.integers(4), r.uniform(0.4, 3.0, 2)
            speed, whither = r.uniform(0.1, MOVING) * (r.random() < 0.33), r.uniform(-math.pi, math.pi)
            velocity = speed * math.sin(whither), speed * math.cos(whither)
            if kind == 0:
                new = o.add_puddle(place, *size, yaw)
                o.move(new, velocity=velocity)
            elif kind == 1:
                new = o.add_box(place, size, r.uniform(0.1, 1.5), yaw, velocity, 0.2 * speed)
            elif kind == 2:
                new = o.add_disk(place, 0.5 * size[0], 1.0, velocity)
            else:
                half = 0.5 * size[0] * np.array([math.sin(yaw), math.cos(yaw)])
                new = o.add_wall(place - half, place + half)
            if len(bodies) == 0 or self.off(new, bodies) >= CLEAR + SEEN * speed:
                self.ids.append(new)
                return
            o.remove(new)

    def off(self, which: int, bodies: np.ndarray, factor: float = 1.0) -> float:
        """How far the nearest body is from one obstacle, if that grows."""
        alone = self.obstacles.copy()
        for other in list(alone._rows):
            if other != which:
                alone.remove(other)
        alone.grow(which, factor)
        return float(alone.distances(bodies).min())

    def free_places(self, count: int, apart: float = 0.7) -> np.ndarray:
        """Places that no obstacle covers, nor will soon."""
        out = np.zeros((0, 2))
        while len(out) < count:
            more = self.random.uniform(1.0, self.side - 1.0, (count, 2))
            clear = [self.obstacles.distances(more, ahead) > 0.6 for ahead in np.arange(0.0, SEEN, 0.5)]
            for place in more[np.all(clear, axis=0)]:
                if len(out) < count and not (np.hypot(*(out - place).T) < apart).any():
                    out = np.vstack([out, place])
        return out

    @property
    def places(self) -> np.ndarray:
        return np.ascontiguousarray(self.crowd.positions[:, ::2])

    def bodies(self) -> np.ndarray:
        """The places of all bodies now; of those who run up or are in the air, soon, too."""
        walkers = self.crowd._people.walkers
        jumping = walkers["jump"]["state"] != NO_JUMP
        yaw, speed = walkers["yaw"][jumping], walkers["speed"]["value"][jumping]
        way = speed[:, None] * np.stack([np.sin(yaw), np.cos(yaw)], axis=1)
        soon = [self.places[jumping] + t * way for t in np.arange(0.25, SEEN + 0.1, 0.25)]
        return np.concatenate([self.places, *soon])

    def send(self, rows: np.ndarray) -> None:
        """Send walkers to new places."""
        if len(rows):
            self.goals[rows] = self.free_places(len(rows), 0.0)
            self.crowd.go_to(*self.goals[rows].T, speed=self.speeds[rows], who=rows)
            self.best[rows], self.since[rows] = math.inf, 0.0

    def change(self) -> None:
        """One in fifty obstacles vanishes, another appears, and another grows or shrinks."""
        bodies = self.bodies()
        for _ in range(max(1, len(self.ids) // 50)):
            self.obstacles.remove(self.ids.pop(int(self.random.integers(len(self.ids)))))
            self.add(bodies)
            which, factor = self.ids[int(self.random.integers(len(self.ids)))], self.random.uniform(0.7, 1.4)
            radius = self.obstacles.arrays.table[self.obstacles._rows[which], at.RADIUS]
            if 0.2 < radius * factor < 2.2 and (factor < 1.0 or self.off(which, bodies, factor) >= CLEAR):
                self.obstacles.grow(which, factor)

    def turn_back(self) -> None:
        """Obstacles that leave the square come back."""
        table, ids = self.obstacles.arrays.table, self.obstacles.arrays.ids
        place, velocity = table[:, [at.X, at.Z]], table[:, [at.VX, at.VZ]]
        out = ((place < 0.0) & (velocity < 0.0)) | ((place > self.side) & (velocity > 0.0))
        for k in np.flatnonzero(out.any(axis=1)):
            self.obstacles.move(int(ids[k]), velocity=np.where(out[k], -velocity[k], velocity[k]))

    def step(self) -> None:
        self.frame += 1
        if self.frame % 60 == 0:
            self.change()
        self.turn_back()
        self.obstacles.advance(FRAME)
        self.crowd.step(FRAME)
        self.check()
        self.send(np.flatnonzero(self.crowd.arrived))
        if self.frame % 60 == 0:
            self.send_elsewhere(np.flatnonzero(self.crowd.blocked))

    def send_elsewhere(self, who: np.ndarray) -> None:
        """Believe those who say that there is no way to their goals, but look whether that is so."""
        free = FreeWays(self.obstacles, self.side) if len(who) else None
        for i in who:
            there_is_one = self.has_room(i) and math.isfinite(free.lengths(self.goals[i], self.places[[i]])[0])
            (self.tally.stuck if there_is_one else self.tally.no_way).add(int(i))
        self.send(who)

    def has_room(self, who: int) -> bool:
        """Whether a body has room at its goal."""
        return bool(self.obstacles.distances(self.goals[[who]])[0] > self.crowd._ways.rows["radius"][who])

    def run(self, seconds: float) -> Tally:
        for _ in range(round(seconds / FRAME)):
            self.step()
        return self.tally

    def check(self) -> None:
        tally, crowd, places = self.tally, self.crowd, self.places
        assert np.isfinite(crowd.positions).all()
        assert np.isfinite(crowd._people.walkers["yaw"]).all()
        radii = crowd._ways.rows["radius"]
        pairs = cKDTree(places).query_pairs(2.0 * radii.max() + 0.3, output_type="ndarray")
        gaps = np.hypot(*(places[pairs[:, 0]] - places[pairs[:, 1]]).T) - radii[pairs].sum(axis=1)
        tally.closest = min(tally.closest, gaps.min(initial=math.inf))
        tally.bodies |= {(int(a), int(b)) for a, b in pairs[gaps < -TOUCH]}
        state = crowd._people.walkers["jump"]["state"]
        flies = state == UNDER_WAY
        tally.jumps += int((self.flew & ~flies).sum())
        self.flew = flies
        off = self.obstacles.distances(places) - radii
        # Who has jumped is still close to what it has jumped.
        self.excused = (self.excused & (off < 0.0)) | (state != NO_JUMP)
        deep = np.where(self.excused, 0.0, -off)
        tally.deepest = max(tally.deepest, deep.max())
        tally.inside |= set(np.flatnonzero(deep > DEEP).tolist())
        if self.frame % FEET_EVERY == 0:
            depth = feet_in_obstacles(crowd)
            tally.deepest_foot = max(tally.deepest_foot, depth.max())
            tally.wet |= set(np.flatnonzero(depth > WET).tolist())
        far = np.hypot(*(self.goals - places).T)
        nearer = far < self.best - PROGRESS
        self.best = np.where(nearer, far, self.best)
        self.since = np.where(nearer, 0.0, self.since + FRAME)
        tally.no_nearer |= set(np.flatnonzero(self.since > STUCK).tolist())
        if self.frame % 60 == 0:
            self.judge()
        tally.arrivals += int(crowd.arrived.sum())

    def judge(self) -> None:
        """See who of those who came no nearer to their goals is stuck, and who goes a long way round."""
        self.asked -= 1.0
        self.past = [*self.past[-round(STUCK) :], Second(self.places, self.obstacles.copy(), self.side)]
        for i in np.flatnonzero((self.since > STUCK) & (self.asked <= 0.0)):
            self.asked[i] = JUDGED
            now, then = self.past[-1].free.lengths(self.goals[i], np.stack([self.places[i], self.past[0].places[i]]))
            if not math.isfinite(now) or not self.has_room(i):
                self.tally.no_way.add(int(i))
            elif now > then - PROGRESS:
                (self.tally.turned_back if self.got_on(i) > PROGRESS else self.tally.stuck).add(int(i))

    def got_on(self, who: int) -> float:
        """How much nearer a walker came in the last seconds, m, each along what was the shortest free way then."""
        total = 0.0
        for before, after in itertools.pairwise(self.past):
            ways = before.free.lengths(self.goals[who], np.stack([before.places[who], after.places[who]]))
            total += float(ways[0] - ways[1]) if np.isfinite(ways).all() else 0.0
        return total


def feet_in_obstacles(crowd: Crowd) -> np.ndarray:
    """How deep heel, ball or tip of a foot that stands is in an obstacle, ``(N,)``."""
    feet, sole = crowd._people.feet, crowd._packed.sole
    flat, ball = feet["flat_turn"], feet["goal"]
    size = crowd.leg_lengths / LEG_SHARE
    along = np.array([sole[0, 2] - sole[1, 2], 0.0, sole[2, 2]])
    points = ball[:, :, None] + rot.rotate(
        flat[:, :, None], size[:, None, None, None] * along[:, None] * [0.0, 0.0, 1.0]
    )
    stands = feet["state"] == PLANTED
    return np.where(stands[..., None], -crowd.obstacles.distances(points), 0.0).max(axis=(1, 2))
