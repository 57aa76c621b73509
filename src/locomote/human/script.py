"""Characters driven over time into motions: by schedules, along a path, or by the time line of a scene."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from locomote.errors import LocomoteError
from locomote.human.crowd import Crowd
from locomote.human.model import HumanModel
from locomote.human.path import Route, steer
from locomote.human.scene import LONGEST, Action, Character, Scene, Style
from locomote.human.schedule import Ramps, Schedule
from locomote.human.takes import Takes
from locomote.motion import Motion
from locomote.world import Ground

PLAIN_SECONDS = 10.0  # s of a walk of which nothing else says how long it lasts
RESTED = 1.0  # s that a walker stands at the end of a path
RESTYLING = 1.0  # s in which a walker takes on another style
_LOST = 4.0  # times as long as a path should take, after which the walker is lost
_LOST_SLOWEST = 0.1  # m/s, the least speed at which a path should be walked
_STRAIGHT_ENOUGH = 0.02  # rad off the wanted heading, at which a walker need not turn
_SAME_TIME = 1e-6  # s; times that differ less are one
_STRAIGHT = ("stand", "walk", "run", "move")  # actions that end a turn unless they say otherwise

_NO_TURN = Schedule((0.0,), (0.0,))

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Plan:
    """What one walker is told."""

    speed: Schedule  # m/s
    turn_rate: Schedule = _NO_TURN  # rad/s; not used on a route
    gait: Schedule | None = None  # 0 walk .. 1 run; None chooses by itself
    styles: tuple[tuple[float, Style | None], ...] = ((0.0, None),)  # from which time on
    route: Route | None = None
    seconds: float | None = None
    toe_out: tuple[float, float] = (0.0, 0.0)  # rad by which the left and the right foot are turned outwards
    wider: float = 0.0  # m by which each foot is set further from the middle


def walk(
    model: HumanModel,
    plan: Plan,
    *,
    leg_length: float = 0.9,
    fps: float = 60.0,
    seed: int = 0,
    name: str = "walk",
    ground: Ground | None = None,
    feet: bool = True,
    progress: Progress | None = None,
) -> Motion:
    """The motion of one person who does as planned; a route is walked from its first point to its last.

    It goes over ``ground``, which is left as it is, level floor without one. Without ``feet`` they are not held to it,
    and the body goes on as if the floor were level.
    """
    route = plan.route
    start = np.zeros((1, 3))
    if route is not None:
        start[0, [0, 2]] = route.points[0]
    if ground is not None:
        start[0, 1] = ground.heights(start)[0]
    crowd = Crowd(
        model,
        1,
        seed=seed,
        leg_length=leg_length,
        style=plan.styles[0][1],
        speed=0.0 if route else plan.speed.at(0.0),
        heading=route.first_heading if route else 0.0,
        gait="auto" if plan.gait is None else plan.gait.at(0.0),
        positions=start,
        ground=None if ground is None else ground.copy(),
        feet=feet,
    )
    crowd.command(toe_out=plan.toe_out, wider=plan.wider)
    return _recorded(crowd, _Planned(crowd, plan), fps, name, progress)


def perform(scene: Scene, progress: Progress | None = None) -> list[Motion]:
    """The motions of all characters of a scene, in their order."""
    motions = []
    for i, character in enumerate(scene.characters):
        first = character.actions[0]
        crowd = Crowd(
            scene.model,
            1,
            seed=scene.seed + i,
            leg_length=character.leg_length,
            style=character.style,
            speed=(first.speed or 0.0) if first.transition == 0.0 and first.route is None else 0.0,
            heading=character.heading,
            positions=np.array([[character.position[0], 0.0, character.position[1]]]),
            ground=None if scene.ground is None else scene.ground.copy(),  # for everybody from time 0 on
        )
        motions.append(
            _recorded(crowd, _Actor(crowd, character, 1.0 / scene.fps), scene.fps, character.name, None)
        )
        if progress is not None:
            progress(i + 1, len(scene.characters))
    return motions


class _Control(Protocol):
    expected: float  # s

    def act(self, time: float) -> bool:
        """Command what is due at a time; False when all is done."""


class _Follower:
    """Keeps one walker on a route and stops it at the end."""

    def __init__(self, crowd: Crowd, route: Route, start: float) -> None:
        self.crowd, self.route, self.start = crowd, route, start
        self.progress = 0.0
        self.arrival = math.inf  # s

    def act(self, time: float, wanted: float) -> None:
        """Head along the route, at the wanted speed where it is straight."""
        if time >= self.arrival:
            return
        crowd, route = self.crowd, self.route
        spot, heading, speed = crowd.positions[0, [0, 2]], float(crowd.headings[0]), float(crowd.speeds[0])
        to = steer(route, spot, heading, speed, self.progress, wanted)
        self.progress = to.progress
        # A turn that is nearly done is left to come to its end: who stops sets the feet together when going straight.
        if abs(math.remainder(to.heading - heading, math.tau)) > _STRAIGHT_ENOUGH:
            crowd.command(heading=to.heading)
        if self.arrival < math.inf:
            return
        if to.stop_within is not None:
            crowd.command(speed=0.0, within=to.stop_within)
            self.arrival = time + to.stop_within
        else:
            crowd.command(speed=to.speed)
            self.check(time, wanted)

    def check(self, time: float, wanted: float) -> None:
        """Give up when the walker has lost its way."""
        patience = min(LONGEST, 10.0 + _LOST * self.route.length / max(wanted, _LOST_SLOWEST))
        if time - self.start > patience:
            raise LocomoteError(
                f"only {self.progress:.1f} of {self.route.length:.1f} m of the path are walked after "
                f"{patience:.0f} s: go faster, or give seconds"
            )


class _Planned:
    """One walker by its plan."""

    def __init__(self, crowd: Crowd, plan: Plan) -> None:
        self.crowd, self.plan = crowd, plan
        self.follower = None if plan.route is None else _Follower(crowd, plan.route, 0.0)
        if self.follower is None:
            crowd.command(turn_rate=plan.turn_rate.at(0.0), within=0.0)
        self.styles = list(plan.styles[1:])
        self.ramps = {"gait": Ramps(plan.gait)} if plan.gait else {}
        if self.follower is None:
            self.ramps |= {"speed": Ramps(plan.speed), "turn_rate": Ramps(plan.turn_rate)}
        self.expected = PLAIN_SECONDS if plan.seconds is None else plan.seconds
        if plan.seconds is None and plan.route is None:
            schedules = (plan.speed, plan.turn_rate, plan.gait)
            self.expected = max([PLAIN_SECONDS, *(each.end for each in schedules if each)])

    def act(self, time: float) -> bool:
        """Begin the ramps and styles that are due, and steer along the route."""
        for what, ramps in self.ramps.items():
            if (due := ramps.due(time)) is not None:
                self.crowd.command(**{what: due[0]}, within=due[1])
        if self.styles and time >= self.styles[0][0] - _SAME_TIME:
            self.crowd.command(style=self.styles.pop(0)[1], within=RESTYLING)
        if self.follower is not None:
            self.follower.act(time, self.plan.speed.at(time))
            if self.plan.seconds is None:
                return time < self.follower.arrival + RESTED - _SAME_TIME
        return time < self.expected - _SAME_TIME


class _Actor:
    """One character by its time line."""

    def __init__(self, crowd: Crowd, character: Character, dt: float) -> None:
        self.crowd, self.dt = crowd, dt
        self.waiting = list(character.actions)
        self.expected = sum(action.seconds or PLAIN_SECONDS for action in character.actions)
        self.action = self.waiting.pop(0)
        self.begun = 0.0  # s
        self.before = 0.0  # m/s at the beginning of the action
        self.follower: _Follower | None = None
        self.begin(self.action, 0.0)

    def act(self, time: float) -> bool:
        """Begin the actions that are due, and keep up what needs a command at every frame."""
        while self.waiting and time >= self.end - _SAME_TIME:
            self.begin(self.waiting.pop(0), self.end)
        action, inside = self.action, time - self.begun
        if self.follower is not None and action.speed is not None:
            mix = min(1.0, inside / action.transition) if action.transition > 0.0 else 1.0
            self.follower.act(time, (1.0 - mix) * self.before + mix * action.speed)
        elif action.angle is not None:
            rate = _turning(action.angle, self.end - self.begun, inside + self.dt)
            self.crowd.command(turn_rate=rate, within=self.dt)
        return time < self.end - _SAME_TIME

    @property
    def end(self) -> float:
        """When the action that is under way ends; for a path that shows only at its end."""
        if self.action.seconds is not None:
            return self.begun + self.action.seconds
        return math.inf if self.follower is None else self.follower.arrival + RESTED

    def begin(self, action: Action, time: float) -> None:
        """Command all that an action says, to be reached within its transition."""
        crowd = self.crowd
        self.action, self.begun, self.before = action, time, float(crowd.speeds[0])
        self.follower = None if action.route is None else _Follower(crowd, action.route, time)
        keys = ("gait", "style", "leg_length", "toe_out", "wider")
        asked: dict[str, Any] = {key: getattr(action, key) for key in keys}
        if self.follower is None:
            asked["speed"] = action.speed
        if action.heading is not None:
            asked["heading"] = action.heading
        elif action.do in _STRAIGHT:
            asked["turn_rate"] = action.turn_rate or 0.0
        crowd.command(
            **{key: value for key, value in asked.items() if value is not None}, within=action.transition
        )


def _turning(angle: float, seconds: float, time: float) -> float:
    """The turn rate, from 0 and back to 0, that makes an angle in a time."""
    share = min(max(time / seconds, 0.0), 1.0)
    return angle / seconds * 6.0 * share * (1.0 - share)


def _recorded(crowd: Crowd, control: _Control, fps: float, name: str, progress: Progress | None) -> Motion:
    """The motion of the first character of a crowd under control, from time 0 on."""
    crowd.step(0.0)  # what the control commanded at once shows in the first frame
    takes = Takes(crowd, fps)
    takes.keep()
    while control.act((len(takes) - 1) / fps):
        crowd.ground.advance(1.0 / fps)
        crowd.step(1.0 / fps)
        takes.keep()
        if progress is not None:
            progress(len(takes), max(len(takes), round(control.expected * fps) + 1))
    return replace(takes.motions()[0], name=name)
