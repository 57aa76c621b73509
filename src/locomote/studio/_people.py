"""People on the page: a crowd, what they are told, and what is put in their way. Knows nothing of the page itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from locomote import rotations as rot
from locomote._arguments import Values
from locomote.errors import LocomoteError
from locomote.human._crowd import Crowd
from locomote.human._model import HumanModel
from locomote.human.scenes._script import Actor
from locomote.human.scenes._timed_obstacles import Played
from locomote.human_body import Body
from locomote.human_skeleton import heel_offset, human_skeleton
from locomote.mannequin import mannequin
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.studio._feet import BodyMeter, FootprintTrail, SkateMeter
from locomote.studio._frames import PageFrame, posed
from locomote.studio._helm import Helm
from locomote.studio._pieces import Look, look_of
from locomote.world import Ground, Obstacles

MOST_PEOPLE = 500
MOST_THINGS = 200
MOST_POINTS = 200  # of a path
LEG = 0.9  # m, of the body that is shown; others are scaled
LEGS = (0.78, 0.98)  # m, of those who come to a crowd
ROOM = 1.6  # m between people who come to a crowd
FARTHEST = 1000.0  # m from the origin
KINDS = ("puddle", "box", "wall")
PUDDLE = (0.9, 3.0)  # m, along and across
BOX = (0.8, 0.8, 0.5)  # m, across, along, high
WALL = (2.4, 0.2, 2.0)  # m, long, thick, high
RANDOM_AHEAD, RANDOM_ASIDE, RANDOM_SLANT = (3.0, 8.0), (-0.4, 0.4), (-0.3, 0.3)  # m, m, rad: where random things come,
RANDOM_LONG, RANDOM_WIDE, RANDOM_HIGH = (0.3, 1.8), (0.8, 3.5), (0.05, 0.9)  # m, and how large they are
AHEAD = 4.5  # m at which things are dropped before a walker, and more for one who runs
BETWEEN_ERRANDS = 0.5  # s between looks for people who have nothing to do
GRAB = 0.3  # m beyond the outline of a thing at which it is still meant
SIDES = ("left", "right")
SPOKEN = 3  # styles of somebody that are named

OWN = "own"  # a person's style as it came

Place = tuple[float, float]  # x, z
Bodies = Sequence[Body | None] | None


@dataclass(frozen=True)
class Manner:
    """What somebody was told of how to move: a style, a second one and its share, and a gait."""

    style: str = OWN
    second: str = "swagger"
    share: float = 0.0
    gait: str = "auto"


class StudioPeople:
    """A crowd that can be told things at any time, one person or all."""

    def __init__(self, model: HumanModel, count: int = 1, seed: int = 0) -> None:
        self.model = model
        self.obstacles = Obstacles()
        self.meter, self.body_meter, self.prints = SkateMeter(), BodyMeter(), FootprintTrail((0, 1))
        self.chosen = 0
        self.everyone = False  # whether all are meant by what is told, or the chosen one
        self.mingle = False  # whether those who have arrived go somewhere else
        self.path: list[Place] = []
        self.helm = Helm()
        self.ground = Ground()
        self.time = 0.0  # s
        self.actors: dict[int, Actor] = {}  # people who do what a scene says, until they are told otherwise
        self.played: Played | None = None  # obstacles that come and go as a scene says
        self._ways: dict[int, tuple[Place, ...]] = {}  # the goal of each, or the points of its path
        self._passed = 0.0  # s since the feet were looked at
        self._send_on_in = 0.0  # s until a look for people who have nothing to do
        self._random = np.random.default_rng(seed)
        self.within = 0.0  # s in which what is told is reached; 0: in the time that a person takes
        self._seed = seed
        self._others()
        positions, headings = self._places(count), np.zeros(count)
        legs = np.full(count, LEG)
        legs[1:] = self._random.uniform(*LEGS, count - 1)
        self.crowd = self._crowd(positions, headings, legs, np.full(count, 1.3))
        self._begin()

    def _others(self) -> None:
        """Forget who was told what."""
        self.manners: dict[int, Manner] = {}
        self._own = np.zeros((0, len(self.model.styles)))

    def _crowd(
        self,
        positions: FloatArray,
        headings: FloatArray,
        legs: FloatArray,
        speeds: FloatArray,
        styles: FloatArray | None = None,
        bodies: Bodies = None,
    ) -> Crowd:
        return Crowd(
            self.model,
            len(positions),
            seed=self._seed,
            positions=positions,
            heading=headings,
            leg_length=legs,
            body=bodies,
            speed=speeds,
            style=styles,
            ground=self.ground,
            obstacles=self.obstacles,
            avoid=len(positions) > 1,
        )

    def replace(
        self,
        positions: FloatArray,
        headings: FloatArray,
        legs: FloatArray,
        speeds: FloatArray,
        obstacles: Obstacles,
        ground: Ground | None,
        bodies: Bodies = None,
    ) -> None:
        """Other people in another world."""
        before = self.obstacles, self.ground
        self.obstacles, self.ground = obstacles, Ground() if ground is None else ground
        places = positions.copy()
        places[:, 1] = self.ground.heights(places)
        try:
            self.crowd = self._crowd(places, headings, legs, speeds, bodies=bodies)
        except LocomoteError:
            self.obstacles, self.ground = before
            raise
        self.chosen, self.time, self.path = 0, 0.0, []
        self.actors, self.played, self._ways = {}, None, {}
        self.mingle = False
        self.prints.clear()
        self._others()
        self._begin()

    def _places(self, count: int) -> FloatArray:
        """Places ``(count, 3)`` in rings about the origin, the first one in the middle."""
        at = np.arange(count)
        golden = math.pi * (3.0 - math.sqrt(5.0))
        radius = ROOM * np.sqrt(at) * 0.75
        return np.column_stack([radius * np.sin(golden * at), np.zeros(count), radius * np.cos(golden * at)])

    @cached_property
    def look(self) -> Look:
        """The body that all of them share."""
        skeleton = human_skeleton(LEG)
        return look_of(skeleton, mannequin(skeleton))

    def __len__(self) -> int:
        return len(self.crowd)

    @property
    def who(self) -> int | None:
        """Who is meant by what is told: the chosen one, or None for all."""
        return None if self.everyone else self.chosen

    def set_count(self, count: int) -> None:
        """More or fewer people; those who stay go on from where they are."""
        if not 1 <= count <= MOST_PEOPLE:
            raise LocomoteError(f"people: expected 1 to {MOST_PEOPLE}, got {count}")
        old, stay = self.crowd, min(count, len(self.crowd))
        positions, headings = self._places(count), self._random.uniform(-math.pi, math.pi, count)
        positions[:, [0, 2]] += old.positions[self.chosen, [0, 2]]
        positions[:stay], headings[:stay] = old.positions[:stay], old.headings[:stay]
        legs, speeds = self._random.uniform(*LEGS, count), np.full(count, 1.2)
        legs[:stay], speeds[:stay] = old.leg_lengths[:stay], old.speeds[:stay]
        styles = self._random.dirichlet(np.full(len(self.model.styles), 0.25), count)
        styles[:stay] = old.styles[:stay]
        positions[:, 1] = self.ground.heights(positions)
        bodies = [*old.bodies[:stay], *(None for _ in range(count - stay))]
        self.crowd = self._crowd(positions, headings, legs, speeds, styles, bodies)
        self.chosen = min(self.chosen, count - 1)
        self.actors, self._ways = {}, {}
        self._begin()

    def choose(self, who: int) -> None:
        """Speak to another one."""
        if not 0 <= who < len(self.crowd):
            raise LocomoteError(f"who: expected 0 to {len(self.crowd) - 1}, got {who}")
        self.chosen = who
        self.body_meter.forget()

    def nearest(self, place: Place) -> int:
        """The one who is nearest to a place."""
        at = self.crowd.positions[:, [0, 2]]
        return int(np.argmin(np.hypot(at[:, 0] - place[0], at[:, 1] - place[1])))

    def tell(
        self,
        *,
        speed: Values | None = None,
        turn_rate: Values | None = None,
        gait: str | None = None,
        leg_length: Values | None = None,
    ) -> None:
        """New targets for those who are meant."""
        self.crowd.command(
            speed=speed,
            turn_rate=turn_rate,
            gait=gait,
            leg_length=leg_length,
            within=self.within if self.within > 0.0 else None,
            who=self.who,
        )
        if gait is not None:
            for n in self._rows().tolist():
                self.manners[n] = replace(self.manners[n], gait=gait)
        self._told(None if turn_rate is not None else "same")

    def turn(self, presses: int) -> None:
        """Let those who are meant go more to the left, or to the right below 0, by so many presses of a key."""
        headings = [self.helm.turn(n, float(self.crowd.headings[n]), presses) for n in self._rows().tolist()]
        self.crowd.command(heading=np.array(headings), who=self.who)
        self._told(None)

    def mix_styles(self, first: str, second: str, share: float) -> None:
        """Two styles for those who are meant, the second one in a share of 0 to 1; their own is one for each."""
        if not 0.0 <= share <= 1.0:
            raise LocomoteError(f"style mix: expected 0 to 1, got {share}")
        rows = self._rows()
        weights = (1.0 - share) * self._weights(first, rows) + share * self._weights(second, rows)
        self.crowd.command(style=weights, who=self.who)
        for n in rows.tolist():
            self.manners[n] = replace(self.manners[n], style=first, second=second, share=share)

    def _rows(self) -> IntArray:
        """Those who are meant."""
        return np.arange(len(self.crowd)) if self.everyone else np.array([self.chosen])

    def _weights(self, style: str, rows: IntArray) -> FloatArray:
        """The weights ``(n, K)`` of a style for some people."""
        if style == OWN:
            return self._own[rows]
        out = np.zeros((len(rows), len(self.model.styles)))
        out[:, self.model.style_index(style)] = 1.0
        return out

    def style_in_words(self, who: int) -> str:
        """The styles of somebody that count most, and how much."""
        weights = self.crowd.styles[who]
        most = np.argsort(-np.abs(weights), kind="stable")[:SPOKEN]
        return ", ".join(f"{self.model.styles[k]} {weights[k]:.2f}" for k in most if abs(weights[k]) > 0.02)

    def go_to(self, place: Place) -> None:
        """Send those who are meant to a place, several of them to places around it."""
        x, z = _checked(place)
        self._told(None)
        around = self._places(len(self.crowd)) if self.everyone else np.zeros((1, 3))
        self._send(self._rows(), np.array([x, z]) + around[:, [0, 2]])

    def add_to_path(self, place: Place) -> None:
        """One more point of a path that is drawn."""
        if len(self.path) >= MOST_POINTS:
            raise LocomoteError(f"path: it has {MOST_POINTS} points already")
        self.path.append(_checked(place))

    def walk_path(self) -> None:
        """Send those who are meant along the path that was drawn."""
        if len(self.path) < 2:
            raise LocomoteError("path: click at least two points on the floor first")
        self._told(None)
        self.crowd.follow(np.array(self.path), who=self.who)
        for who in self._rows().tolist():
            self._ways[who] = tuple(self.path)

    def release(self) -> None:
        """Let them walk on freely."""
        self._told(None)
        self.crowd.release(who=self.who)

    def way_of(self, who: int) -> tuple[Place, ...] | None:
        """The goal of one, or the points of its path; None for one who has none, or has arrived."""
        return None if self.crowd.arrived[who] else self._ways.get(who)

    def _send(self, rows: IntArray, places: FloatArray, speed: FloatArray | None = None) -> None:
        self.crowd.go_to(places[:, 0], places[:, 1], speed=speed, who=rows)
        for who, (x, z) in zip(rows.tolist(), places.tolist(), strict=True):
            self._ways[who] = ((x, z),)

    def _told(self, way: str | None) -> None:
        """Who is told something no longer does what a scene says; without a way it has no goal any more."""
        for who in self._rows().tolist():
            self.actors.pop(who, None)
            if way is None:
                self._ways.pop(who, None)

    def jump(self, length: float) -> None:
        """Let those who are meant jump."""
        if not np.any(self.crowd.jump(length, who=self.who)):
            raise LocomoteError("jump: nobody can jump just now")

    def drop(self, kind: str, place: Place, yaw: float = 0.0) -> int:
        """Put a thing on the floor; its broad side lies across ``yaw``."""
        if len(self.obstacles) >= MOST_THINGS:
            raise LocomoteError(f"things: there are {MOST_THINGS} already; take some away first")
        x, z = _checked(place)
        if kind == "puddle":
            return self.obstacles.add_puddle((x, z), *PUDDLE, yaw=yaw)
        if kind == "box":
            return self.obstacles.add_box((x, z), BOX[:2], BOX[2], yaw=yaw)
        if kind == "wall":
            along = 0.5 * WALL[0] * np.array([math.cos(yaw), -math.sin(yaw)])
            return self.obstacles.add_wall((x - along[0], z - along[1]), (x + along[0], z + along[1]), WALL[2], WALL[1])
        raise LocomoteError(f"thing {kind!r}: expected {', '.join(KINDS)}")

    def drop_ahead(self, kind: str) -> int:
        """Put a thing in the way of the chosen one."""
        x, _, z = self.crowd.positions[self.chosen]
        yaw = float(self.crowd.headings[self.chosen])
        far = AHEAD + 0.6 * max(0.0, float(self.crowd.speeds[self.chosen]) - 1.3)
        return self.drop(kind, (float(x + far * math.sin(yaw)), float(z + far * math.cos(yaw))), yaw)

    def drop_random(self) -> int:
        """Put a thing of any kind, size and slant in the way of the chosen one, now near, now far."""
        if len(self.obstacles) >= MOST_THINGS:
            raise LocomoteError(f"things: there are {MOST_THINGS} already; take some away first")
        x, _, z = self.crowd.positions[self.chosen]
        heading = float(self.crowd.headings[self.chosen])
        far, aside, slant = (float(self._random.uniform(*of)) for of in (RANDOM_AHEAD, RANDOM_ASIDE, RANDOM_SLANT))
        s, c = math.sin(heading), math.cos(heading)
        centre = _checked((float(x) + far * s + aside * c, float(z) + far * c - aside * s))
        long, wide, high = (float(self._random.uniform(*of)) for of in (RANDOM_LONG, RANDOM_WIDE, RANDOM_HIGH))
        if self._random.random() < 0.5:
            return self.obstacles.add_puddle(centre, long, wide, yaw=heading + slant)
        return self.obstacles.add_box(centre, (wide, long), high, yaw=heading + slant)

    def move(self, thing: int, place: Place) -> None:
        """Put a thing elsewhere."""
        self.obstacles.move(thing, centre=_checked(place))

    def thing_at(self, place: Place) -> int | None:
        """The thing that lies at a place, or next to it."""
        best: tuple[float, int] | None = None
        for one in self.obstacles:
            alone = Obstacles()
            alone.add_polygon(self.obstacles.outline(one))
            away = float(alone.distances(place))
            if away < GRAB and (best is None or away < best[0]):
                best = away, one
        return None if best is None else best[1]

    def remove_at(self, place: Place) -> None:
        """Take away the thing at a place."""
        thing = self.thing_at(place)
        if thing is None:
            raise LocomoteError("remove: there is nothing here; click a puddle, a box or a wall")
        self.remove(thing)

    def remove(self, thing: int) -> None:
        """Take a thing away."""
        self.played = None  # from now on things are as one puts them
        self.obstacles.remove(thing)

    def clear_things(self) -> None:
        """Take all things away."""
        self.played = None
        self.obstacles.clear()

    def advance(self, dt: float) -> None:
        """Let time pass."""
        self._send_on_in -= dt
        if self.mingle and len(self.crowd) > 1 and self._send_on_in <= 0.0:
            self._send_on()
            self._send_on_in = BETWEEN_ERRANDS
        self.time += dt
        for who, actor in list(self.actors.items()):
            if not actor.act(self.time):
                del self.actors[who]
                self.crowd.command(speed=0.0, turn_rate=0.0, who=who)
        if self.played is not None:
            self.played.advance_to(self.time)
        else:
            self.obstacles.advance(dt)
        self.ground.advance(dt)
        poses = self.crowd.step(dt)
        self.body_meter.watch(poses.joint_positions()[self.chosen], dt)
        self._passed += dt

    def _send_on(self) -> None:
        """Somewhere else to go for everybody who has no goal, but for the chosen one unless all are meant."""
        idle = self.crowd.arrived | self.crowd.blocked
        idle[[who for who in range(len(idle)) if who not in self._ways]] = True
        idle[[*self.actors, *([] if self.everyone else [self.chosen])]] = False
        who = np.flatnonzero(idle)
        if not len(who):
            return
        reach = 2.0 + 0.9 * ROOM * math.sqrt(len(self.crowd))
        middle = np.median(self.crowd.positions[:, [0, 2]], axis=0)
        places = middle + self._random.uniform(-reach, reach, (len(who), 2))
        if len(self.obstacles):
            free = self.obstacles.distances(places) > 0.5
            who, places = who[free], places[free]
        if len(who):
            self._send(who, places, self._random.uniform(0.9, 1.6, len(who)))

    def _begin(self) -> None:
        """Look at people who are new, or elsewhere; those who stay in their places keep what they were told."""
        count, known = len(self.crowd), len(self._own)
        self.manners = {n: self.manners.get(n, Manner()) for n in range(count)}
        self._own = np.concatenate([self._own[:count], self.crowd.styles[known:]])
        self.meter.forget()
        self.body_meter.forget()
        self.prints.forget()
        self._passed = self._send_on_in = 0.0
        self.look_at_feet()

    def look_at_feet(self) -> None:
        """What is to be seen now; feet are measured and leave their prints."""
        self.frame = self._frame()
        dt, self._passed = self._passed, 0.0
        self.meter.watch(self.frame.points[:, :, :2], self.frame.standing[:, :, :2], dt)
        heel, tip = self.frame.points[:, :, 0], self.frame.points[:, :, 2]
        along = tip - heel
        middles = 0.5 * (heel + tip)
        middles[..., 1] = np.minimum(heel[..., 1], tip[..., 1])
        yaws = np.arctan2(along[..., 0], along[..., 2])
        self.prints.watch(middles, yaws, self.frame.standing[:, :, 1], self.frame.scales)

    def _frame(self) -> PageFrame:
        poses, scales = self.crowd.poses, self.crowd.leg_lengths / LEG
        positions, turns = posed(poses.skeleton, poses.root_positions, poses.rotations, poses.scales, poses.offsets)
        return PageFrame(positions, turns, scales, self._foot_points(positions, turns, scales), self.crowd.planted)

    def _foot_points(self, positions: FloatArray, turns: FloatArray, scales: FloatArray) -> FloatArray:
        """Heel, ball and tip of the toes of both feet, ``(N, 2, 3, 3)``."""
        legs = self.look.skeleton.roles.legs
        ankles, balls = [leg.ankle for leg in legs], [leg.ball for leg in legs]
        size = scales[:, None, None]
        heels = positions[:, ankles] + rot.rotate(turns[:, ankles], size * heel_offset(LEG))
        tips = positions[:, balls] + rot.rotate(turns[:, balls], size * np.array(legs[0].toe_offset))
        return np.stack([heels, positions[:, balls], tips], axis=2)


def warm_up(model: HumanModel) -> None:
    """Do once what compiles on first use, so that nothing waits for it later."""
    people = StudioPeople(model, 2)
    people.drop_ahead("puddle")
    people.go_to((0.0, 3.0))
    people.crowd.jump(0.8)
    people.advance(1.0 / 60.0)


def _checked(place: Place) -> Place:
    x, z = float(place[0]), float(place[1])
    if not (abs(x) <= FARTHEST and abs(z) <= FARTHEST):
        raise LocomoteError(f"place: expected to lie within {FARTHEST:g} m, got ({x:g}, {z:g})")
    return x, z
