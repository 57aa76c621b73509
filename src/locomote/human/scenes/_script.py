"""Characters driven over time into motions: by schedules, along a path, or by the time line of a scene."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from locomote.errors import LocomoteError
from locomote.human._crowd import Crowd
from locomote.human._model import HumanModel
from locomote.human._recording import Recorder
from locomote.human.scenes._path import Route
from locomote.human.scenes._scene import Action, Character, Scene, Style
from locomote.human.scenes._schedule import Ramps, Schedule
from locomote.human.scenes._tasks import JumpTask, LineTask, Task, TravelTask
from locomote.human.scenes._timed_obstacles import Played, TimedObstacles
from locomote.human_body import Body
from locomote.motion import Motion
from locomote.world import Ground

PLAIN_SECONDS = 10.0  # s of a walk of which nothing else says how long it lasts
AFTER_JUMP = 3.0  # s that a walk lasts after its last jump
RESTYLING = 1.0  # s in which a walker takes on another style
_SAME_TIME = 1e-6  # s; times that differ less are one
_STRAIGHT = ("stand", "walk", "run", "move")  # actions that end a turn unless they say otherwise
_BY_COMMAND = (*_STRAIGHT, "turn", "style", "size")  # actions that need no look at the walker

_NOTHING = TimedObstacles()
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
    place: tuple[float, float] | None = None  # x, z to go to
    jumps: tuple[tuple[float, float], ...] = ()  # s at which, and m
    seconds: float | None = None
    toe_out: tuple[float, float] = (0.0, 0.0)  # rad by which the left and the right foot are turned outwards
    wider: float = 0.0  # m by which each foot is set further from the middle


def walk(
    model: HumanModel,
    plan: Plan,
    *,
    leg_length: float | None = None,
    body: Body | None = None,
    fps: float = 60.0,
    seed: int = 0,
    name: str = "walk",
    ground: Ground | None = None,
    feet: bool = True,
    obstacles: TimedObstacles = _NOTHING,
    progress: Progress | None = None,
) -> Motion:
    """The motion of one person who does as planned; a route is walked from its first point to its last.

    Parameters
    ----------
    model : of walking
    plan : speed, turns, style, route and jumps over time
    leg_length : m, hip to ankle; 0.9, or that of the body, without it
    body : sex, age and build
    fps : frames a second
    seed : of what is drawn at random
    name : of the motion
    ground : left as it is; a level floor without it
    feet : held to the ground; else the body goes on as if the floor were level
    obstacles : jumped over or gone round, also on a route
    progress : called with the frames done and the frames in all
    """
    route = plan.route
    start = np.zeros((1, 3))
    if route is not None:
        start[0, [0, 2]] = route.points[0]
    if ground is not None:
        start[0, 1] = ground.heights(start)[0]
    played = obstacles.play()
    crowd = Crowd(
        model,
        1,
        seed=seed,
        leg_length=leg_length,
        body=body,
        style=plan.styles[0][1],
        speed=0.0 if route or plan.place else plan.speed.at(0.0),
        heading=route.first_heading if route else math.atan2(*plan.place) if plan.place else 0.0,
        gait="auto" if plan.gait is None else plan.gait.at(0.0),
        positions=start,
        ground=None if ground is None else ground.copy(),
        feet=feet,
        obstacles=played.obstacles,
    )
    crowd.command(toe_out=plan.toe_out, wider=plan.wider)
    control = _Planned(crowd, plan, heedful=len(obstacles) > 0)
    return _recorded(crowd, [control], played, fps, [name], progress)[0]


def perform(scene: Scene, progress: Progress | None = None) -> list[Motion]:
    """The motions of all characters of a scene, in their order.

    Parameters
    ----------
    scene : its model, characters, ground and obstacles
    progress : called with the frames done and the frames in all
    """
    crowd, actors, played = cast(scene)
    names = [each.name for each in scene.characters]
    return _recorded(crowd, actors, played, scene.fps, names, progress)


def cast(scene: Scene) -> tuple[Crowd, list[Actor], Played]:
    """The characters of a scene before its first frame: as one crowd, the time line of each, and the obstacles."""
    people, firsts = scene.characters, [character.actions[0] for character in scene.characters]
    played = scene.obstacles.play()
    crowd = Crowd(
        scene.model,
        len(people),
        seed=scene.seed,
        leg_length=np.array([each.leg_length for each in people]),
        body=[each.body for each in people],
        speed=np.array([_first_speed(first) for first in firsts]),
        heading=np.array([each.heading for each in people]),
        positions=np.array([[each.position[0], 0.0, each.position[1]] for each in people]),
        ground=None if scene.ground is None else scene.ground.copy(),  # for everybody from time 0 on
        obstacles=played.obstacles,
        avoid=np.array([each.avoid for each in people]),
    )
    for who, each in enumerate(people):
        crowd.allow(jumping=each.jumping, going_round=each.going_round, who=who)
        if each.style is not None:
            crowd.command(style=each.style, within=0.0, who=who)
    actors = [
        Actor(crowd, who, each, 1.0 / scene.fps, heedful=each.avoid or len(scene.obstacles) > 0)
        for who, each in enumerate(people)
    ]
    return crowd, actors, played


def _first_speed(action: Action) -> float:
    """How fast a character is at the beginning: who goes somewhere sets off from a stand."""
    stands = action.transition > 0.0 or action.route is not None or action.place is not None
    return 0.0 if stands else action.speed or 0.0


class _Control(Protocol):
    expected: float  # s

    def act(self, time: float) -> bool:
        """Command what is due at a time; False when all is done."""


class _Planned:
    """One walker by its plan."""

    def __init__(self, crowd: Crowd, plan: Plan, heedful: bool) -> None:
        self.crowd, self.plan = crowd, plan
        self.task = _way(crowd, 0, plan.route, plan.place, 0.0, plan.speed.at(0.0), heedful)
        self.jumps = list(plan.jumps)
        self.leap: JumpTask | None = None
        if self.task is None:
            crowd.command(turn_rate=plan.turn_rate.at(0.0), within=0.0)
        self.styles = list(plan.styles[1:])
        self.ramps = {"gait": Ramps(plan.gait)} if plan.gait else {}
        if self.task is None:
            self.ramps |= {"speed": Ramps(plan.speed), "turn_rate": Ramps(plan.turn_rate)}
        self.expected = PLAIN_SECONDS if plan.seconds is None else plan.seconds
        if plan.seconds is None and self.task is None:
            schedules = (plan.speed, plan.turn_rate, plan.gait)
            ends = [each.end for each in schedules if each] + [when + AFTER_JUMP for when, _ in plan.jumps]
            self.expected = max([PLAIN_SECONDS, *ends])

    def act(self, time: float) -> bool:
        """Begin the ramps, styles and jumps that are due, and steer along the route."""
        for what, ramps in self.ramps.items():
            if (due := ramps.due(time)) is not None:
                self.crowd.command(**{what: due[0]}, within=due[1])
        if self.styles and time >= self.styles[0][0] - _SAME_TIME:
            self.crowd.command(style=self.styles.pop(0)[1], within=RESTYLING)
        self.jump(time)
        if self.task is not None:
            self.task.act(time, self.plan.speed.at(time))
            if self.plan.seconds is None:
                return time < self.task.done_at - _SAME_TIME
        return time < self.expected - _SAME_TIME

    def jump(self, time: float) -> None:
        """Jump when it is time, one jump after the other."""
        if self.leap is None and self.jumps and time >= self.jumps[0][0] - _SAME_TIME:
            self.leap = JumpTask(self.crowd, 0, time, self.jumps.pop(0)[1])
        if self.leap is not None:
            self.leap.act(time)
            if self.leap.done_at <= time:
                self.leap = None


class Actor:
    """One character by its time line."""

    def __init__(self, crowd: Crowd, who: int, character: Character, dt: float, heedful: bool) -> None:
        self.crowd, self.who, self.dt, self.heedful = crowd, who, dt, heedful
        self.name = character.name
        self.waiting = list(character.actions)
        self.expected = sum(action.seconds or PLAIN_SECONDS for action in character.actions)
        self.action = self.waiting.pop(0)
        self.begun = 0.0  # s
        self.before = 0.0  # m/s at the beginning of the action
        self.task: Task | None = None
        self.begin(self.action, 0.0)

    def act(self, time: float) -> bool:
        """Begin the actions that are due, and keep up what needs a command at every frame."""
        while self.waiting and time >= self.end - _SAME_TIME:
            self.begin(self.waiting.pop(0), self.end)
        action, inside = self.action, time - self.begun
        if self.task is not None:
            mix = min(1.0, inside / action.transition) if action.transition > 0.0 else 1.0
            try:
                self.task.act(time, (1.0 - mix) * self.before + mix * (action.speed or 0.0))
            except LocomoteError as error:
                raise LocomoteError(f"character {self.name!r}: {error}") from None
        elif action.angle is not None:
            rate = _turning(action.angle, self.end - self.begun, inside + self.dt)
            self.crowd.command(turn_rate=rate, within=self.dt, who=self.who)
        return bool(self.waiting) or time < self.end - _SAME_TIME

    @property
    def end(self) -> float:
        """When the action that is under way ends; some end when they are done."""
        if self.action.seconds is not None:
            return self.begun + self.action.seconds
        return math.inf if self.task is None else self.task.done_at

    def begin(self, action: Action, time: float) -> None:
        """Command all that an action says, to be reached within its transition."""
        crowd, who = self.crowd, self.who
        self.action, self.begun, self.before = action, time, float(crowd.speeds[who])
        keys = ("gait", "style", "leg_length", "toe_out", "wider")
        asked: dict[str, Any] = {key: getattr(action, key) for key in keys}
        if action.do in _BY_COMMAND:
            asked["speed"] = action.speed
            if action.heading is not None:
                asked["heading"] = action.heading
            elif action.do in _STRAIGHT:
                asked["turn_rate"] = action.turn_rate or 0.0
        asked = {key: value for key, value in asked.items() if value is not None}
        crowd.command(**asked, within=action.transition, who=who)
        if action.do == "release":
            crowd.release(who)
        if action.do == "jump":
            self.task = JumpTask(crowd, who, time, action.jump, action.policy, action.foot, action.flight)
        else:
            speed = action.speed or 0.0
            self.task = _way(crowd, who, action.route, action.place, time, speed, self.heedful, action.heading)


def _way(
    crowd: Crowd,
    who: int,
    route: Route | None,
    place: tuple[float, float] | None,
    time: float,
    speed: float,
    heedful: bool,
    heading: float | None = None,
) -> Task | None:
    """The way that one is to go; where there is nobody and nothing to heed, exactly along the line of a route."""
    if place is not None:
        return TravelTask(crowd, who, place, time, speed, heading)
    if route is None:
        return None
    return TravelTask(crowd, who, route, time, speed) if heedful else LineTask(crowd, who, route, time)


def _turning(angle: float, seconds: float, time: float) -> float:
    """The turn rate, from 0 and back to 0, that makes an angle in a time."""
    share = min(max(time / seconds, 0.0), 1.0)
    return angle / seconds * 6.0 * share * (1.0 - share)


def _recorded(
    crowd: Crowd,
    controls: Sequence[_Control],
    played: Played,
    fps: float,
    names: Sequence[str],
    progress: Progress | None,
) -> list[Motion]:
    """The motions of the characters of a crowd, each under control until it is done, from time 0 on."""
    crowd.step(0.0)  # what the controls commanded at once shows in the first frame
    takes = Recorder(crowd, fps)
    takes.keep()
    frames = [0] * len(controls)  # of who is done
    expected = round(max(control.expected for control in controls) * fps) + 1
    while True:
        time = (len(takes) - 1) / fps
        for who, control in enumerate(controls):
            if frames[who] == 0 and not control.act(time):
                frames[who] = len(takes)
                crowd.command(speed=0.0, turn_rate=0.0, who=who)  # and stands in the way of the others
        if all(frames):
            break
        crowd.ground.advance(1.0 / fps)
        played.advance_to(time + 1.0 / fps)
        crowd.step(1.0 / fps)
        takes.keep()
        if progress is not None:
            progress(len(takes), max(len(takes), expected))
    kept = zip(takes.motions(), frames, names, strict=True)
    return [replace(motion[:count], name=name) for motion, count, name in kept]
