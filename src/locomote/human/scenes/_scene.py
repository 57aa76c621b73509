"""A scene as a text file: characters, obstacles, and what happens over time. All is checked before anything moves."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from locomote.errors import FormatError, LocomoteError
from locomote.human._commands import MOST_TOE_OUT, MOST_WIDER
from locomote.human._model import HumanModel
from locomote.human.scenes._path import Route, read_points
from locomote.human.scenes._schedule import GAITS
from locomote.human.scenes._timed_obstacles import TimedObstacles
from locomote.human_body import Body
from locomote.world import Ground
from locomote.world import _tables as tables
from locomote.world._reading import build_ground

FASTEST = 12.0  # m/s
FASTEST_TURN = 2.0  # rad/s
TURN_PEAK = 1.5  # largest over mean turn rate of the action "turn"
LEG_LENGTHS = (0.3, 1.5)  # m
LONGEST = 3600.0  # s
JUMPS = (0.2, 3.0)  # m
FLIGHTS = (0.05, 1.0)  # s
POLICIES = ("exact", "now")
FEET = ("either", "left", "right")
TRANSITION = 1.0  # s to take up a new action, unless the action says otherwise
DEFAULT_SPEED = {"walk": 1.3, "run": 2.8, "move": 1.3, "path": 1.3, "go_to": 1.3}  # m/s

Style = str | dict[str, float]

_SCENE = ("fps", "seed", "model", "ground", "obstacle", "character")
_TASKS = ("action", "go_to", "path")  # a character has one of these
_FLAGS = ("avoid", "jumping", "going_round")
_BODY = ("sex", "age", "build", "stature")
_CHARACTER = ("name", "leg_length", *_BODY, "style", "position", "heading", *_FLAGS, "speed", *_TASKS)
_ALWAYS = ("do", "at", "seconds", "transition", "style", "leg_length", "toe_out", "wider")
_ACTIONS: dict[str, tuple[str, ...]] = {
    "stand": (),
    "walk": ("speed", "turn_rate", "heading"),
    "run": ("speed", "turn_rate", "heading"),
    "move": ("speed", "gait", "turn_rate", "heading"),
    "turn": ("angle",),
    "path": ("points", "speed", "gait"),
    "go_to": ("go_to", "speed", "gait", "heading"),
    "release": ("release",),
    "jump": ("jump", "policy", "foot", "flight"),
    "style": (),
    "size": (),
}
_SAY_IT_ALL = ("go_to", "follow", "release", "jump")  # keys with which an action needs no `do`
_AT_ONCE = ("turn", "go_to", "release", "jump")  # actions that grow and fade by themselves
_UNTIL_DONE = ("path", "go_to", "jump")  # actions that end by themselves
_NEEDED = (
    ("style", "style"),
    ("size", "leg_length"),
    ("turn", "angle"),
    ("turn", "seconds"),
    ("path", "points"),
    ("go_to", "go_to"),
)


@dataclass(frozen=True, eq=False)
class Action:
    """One entry of a time line; None leaves what was before."""

    do: str
    start: float | None  # s; None after one that lasts until it is done
    seconds: float | None  # s from start to end, transition and all; None: until it is done
    transition: float  # s at the start in which the new values are reached
    speed: float | None = None
    gait: float | str | None = None  # 0 walk .. 1 run, or "auto"
    turn_rate: float | None = None
    heading: float | None = None
    angle: float | None = None
    style: Style | None = None
    leg_length: float | None = None
    toe_out: tuple[float, float] | None = None  # rad, left and right
    wider: float | None = None  # m
    route: Route | None = None
    place: tuple[float, float] | None = None  # x, z to go to
    jump: float | None = None  # m
    policy: str = "exact"
    foot: str = "either"
    flight: float | None = None  # s


@dataclass(frozen=True, eq=False)
class Character:
    """One person of a scene."""

    name: str
    leg_length: float
    style: Style | None
    position: tuple[float, float]  # x, z
    heading: float
    avoid: bool  # whether it keeps out of the way of the others
    jumping: bool  # whether it may jump over obstacles
    going_round: bool  # whether it may go round them
    actions: tuple[Action, ...]
    body: Body | None = None


@dataclass(frozen=True, eq=False)
class Scene:
    """All that a file says."""

    characters: tuple[Character, ...]
    fps: float
    seed: int
    model: HumanModel
    ground: Ground | None  # None is a level floor
    obstacles: TimedObstacles


def read_scene(path: str | PathLike[str], model: HumanModel | None = None) -> Scene:
    """Read and check a scene.

    Parameters
    ----------
    path : a TOML file
    model : in place of the one that the file names
    """
    return _SceneReader(Path(path), model).scene(tables.read_table(path))


class _SceneReader:
    """Checks the tables of one file; errors name the place."""

    def __init__(self, path: Path, model: HumanModel | None) -> None:
        self.path = path
        self.model = model

    def scene(self, table: dict[str, Any]) -> Scene:
        tables.check_keys(self.path, "the scene", table, _SCENE)
        if self.model is None:
            named = table.get("model")
            if named is not None and not isinstance(named, str):
                raise self.wrong("model", "expected the name of a file")
            self.model = HumanModel.default() if named is None else HumanModel.load(self.path.parent / named)
        fps = self.number(table, "fps", "the scene", 1.0, 240.0, 60.0)
        seed = table.get("seed", 0)
        if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
            raise self.wrong("seed", f"expected a whole number from 0 on instead of {seed!r}")
        ground = self.ground(table["ground"]) if "ground" in table else None
        obstacles = TimedObstacles.build(self.path, table.get("obstacle", []))
        people = self.tables(table, "character", "the scene")
        characters = tuple(self.character(each, i) for i, each in enumerate(people))
        names = [each.name for each in characters]
        for name in names:
            if names.count(name) > 1:
                raise self.wrong("character", f"two are named {name!r}; every name must be its own")
        return Scene(characters, fps, seed, self.model, ground, obstacles)

    def ground(self, value: object) -> Ground:
        if isinstance(value, str):
            return Ground.read(self.path.parent / value)
        if not isinstance(value, dict):
            raise self.wrong("ground", f"expected a table, or the name of a file, instead of {value!r}")
        return build_ground(self.path, value)

    def character(self, table: dict[str, Any], index: int) -> Character:
        name = table.get("name", f"character{index + 1}")
        where = f"character {index + 1}"
        if not isinstance(name, str) or not name.strip() or not set(name).isdisjoint('/\\:*?"<>|\0') or name[0] == ".":
            raise self.wrong(where, f"name: expected a word that can be a file name instead of {name!r}")
        where = f"character {name!r}"
        tables.check_keys(self.path, where, table, _CHARACTER)
        avoid, jumping, going_round = (table.get(key, key != "avoid") for key in _FLAGS)
        for key in _FLAGS:
            if not isinstance(table.get(key, False), bool):
                raise self.wrong(where, f"{key}: expected true or false instead of {table[key]!r}")
        actions = self.timeline(self.tasks(table, where), where)
        begins, faces = self.pair(table.get("position", [0.0, 0.0]), f"{where}, position"), 0.0
        if "path" in table and (route := actions[0].route) is not None:
            begins = begins if "position" in table else (float(route.points[0, 0]), float(route.points[0, 1]))
            faces = route.first_heading
        elif "go_to" in table and (place := actions[0].place) is not None:
            faces = math.atan2(place[0] - begins[0], place[1] - begins[1])
        heading = self.angle(table, "heading", where)
        body = self.body(table, where)
        usual = 0.9 if body is None else body.leg_length
        return Character(
            name=name,
            leg_length=self.number(table, "leg_length", where, *LEG_LENGTHS, usual),
            style=self.style(table, where),
            position=begins,
            heading=faces if heading is None else heading,
            avoid=avoid,
            jumping=jumping,
            going_round=going_round,
            actions=actions,
            body=body,
        )

    def body(self, table: dict[str, Any], where: str) -> Body | None:
        given = {key: table[key] for key in _BODY if key in table}
        try:
            return Body(**given) if given else None
        except LocomoteError as error:
            raise self.wrong(where, str(error)) from None

    def tasks(self, table: dict[str, Any], where: str) -> list[dict[str, Any]]:
        """The actions of a character; a single place or path may stand without one."""
        given = [key for key in _TASKS if key in table]
        if len(given) > 1:
            raise self.wrong(where, f"{' and '.join(given)} exclude one another; give one")
        if given in (["go_to"], ["path"]):
            key = "go_to" if given == ["go_to"] else "follow"
            speed = {"speed": table["speed"]} if "speed" in table else {}
            return [{key: table[given[0]], **speed}]
        if "speed" in table:
            raise self.wrong(where, "speed: goes with go_to or path; in an action it stands there")
        return self.tables(table, "action", where)

    def timeline(self, tables: list[dict[str, Any]], where: str) -> tuple[Action, ...]:
        actions: list[Action] = []
        for i, table in enumerate(tables):
            here = f"{where}, action {i + 1}"
            at = self.optional(table, "at", here, 0.0, LONGEST)
            if i == 0:
                if at:
                    raise self.wrong(here, f"at: the first action begins at 0, not at {at:g} s")
                start: float | None = 0.0
            elif at is None:
                start = self.end(actions[-1], f"{where}, action {i}")
            else:
                start = at
                actions[-1] = self.held(actions[-1], at, here)
            actions.append(self.action(table, here, i == 0, start))
        self.end(actions[-1], f"{where}, action {len(tables)}")
        return tuple(actions)

    def end(self, action: Action, where: str) -> float | None:
        """When an action ends; None where that shows only when it is done."""
        if action.seconds is None and action.do not in _UNTIL_DONE:
            raise self.wrong(
                where, f"seconds: say how long the action {action.do} lasts, or begin the next one with at"
            )
        return None if action.seconds is None or action.start is None else action.start + action.seconds

    def held(self, action: Action, until: float, where: str) -> Action:
        """An action that lasts until the next one begins."""
        if action.start is None:
            raise self.wrong(where, "at: what is before it ends when it is done; give it seconds")
        end = action.start + (action.seconds or 0.0)
        if until < end:
            raise self.wrong(where, f"at: {until:g} s is before the end of the last action at {end:g} s")
        return replace(action, seconds=until - action.start)

    def action(self, table: dict[str, Any], where: str, first: bool, start: float | None) -> Action:
        table, do = self.spelt_out(table, where)
        if not isinstance(do, str) or do not in _ACTIONS:
            raise self.wrong(where, f"do: expected one of {', '.join(_ACTIONS)} instead of {do!r}")
        tables.check_keys(self.path, f"{where} ({do})", table, _ALWAYS + _ACTIONS[do])
        at_once = first or do in _AT_ONCE
        transition = self.number(table, "transition", where, 0.0, 60.0, 0.0 if at_once else TRANSITION)
        seconds = self.optional(table, "seconds", where, 0.0, LONGEST)
        if seconds is not None:
            seconds += transition
        speed = self.optional(table, "speed", where, 0.0, FASTEST)
        turn_rate, heading = self.angle(table, "turn_rate", where), self.angle(table, "heading", where)
        if turn_rate is not None and heading is not None:
            raise self.wrong(where, "turn_rate and heading exclude one another; give one")
        if turn_rate is not None and abs(turn_rate) > FASTEST_TURN:
            raise self.wrong(where, f"turn_rate: {turn_rate:.3g} rad/s; at most {FASTEST_TURN:g}")
        for key, needed in _NEEDED:
            if do == key and needed not in table:
                raise self.wrong(where, f"{needed}: missing; the action {do} needs it")
        angle = self.angle(table, "angle", where)
        if angle is not None and abs(angle) * TURN_PEAK > FASTEST_TURN * (seconds or 0.0):
            raise self.wrong(
                where,
                f"angle: {abs(angle):.3g} rad needs {abs(angle) * TURN_PEAK / FASTEST_TURN:.2g} s or more",
            )
        return Action(
            do=do,
            start=start,
            seconds=seconds,
            transition=transition,
            speed=0.0 if do == "stand" else DEFAULT_SPEED.get(do) if speed is None else speed,
            gait=GAITS.get(do) if do in GAITS else self.gait(table, where, do),
            turn_rate=turn_rate,
            heading=heading,
            angle=angle,
            style=self.style(table, where),
            leg_length=self.optional(table, "leg_length", where, *LEG_LENGTHS),
            toe_out=self.toe_out(table, where),
            wider=self.optional(table, "wider", where, *MOST_WIDER),
            route=self.route(table["points"], where) if do == "path" else None,
            place=self.pair(table["go_to"], f"{where}, go_to") if do == "go_to" else None,
            jump=self.optional(table, "jump", where, *JUMPS),
            policy=self.word(table, "policy", where, POLICIES),
            foot=self.word(table, "foot", where, FEET),
            flight=self.optional(table, "flight", where, *FLIGHTS),
        )

    def spelt_out(self, table: dict[str, Any], where: str) -> tuple[dict[str, Any], object]:
        """An action with its `do`, which one that says jump, go_to, follow or release does without."""
        do = table.get("do")
        if do is None and len(said := [key for key in _SAY_IT_ALL if key in table]) == 1:
            do = said[0]
        if do == "release" and table.get("release", True) is not True:
            raise self.wrong(where, f"release: expected true instead of {table['release']!r}")
        if do == "jump" and "jump" not in table and table.get("policy") != "now":
            raise self.wrong(where, 'jump: missing; say how far, metres, or policy = "now"')
        if do != "follow":
            return table, do
        if "follow" not in table:
            raise self.wrong(where, "follow: missing; expected a list of [x, z], or the name of a file")
        return {
            **{key: value for key, value in table.items() if key != "follow"},
            "points": table["follow"],
        }, "path"

    def word(self, table: dict[str, Any], key: str, where: str, words: tuple[str, ...]) -> str:
        value = table.get(key, words[0])
        if value not in words:
            raise self.wrong(where, f"{key}: expected {', '.join(words)} instead of {value!r}")
        return str(value)

    def gait(self, table: dict[str, Any], where: str, do: str) -> float | str | None:
        value = table.get("gait", "auto" if do in ("move", "path", "go_to") else None)
        if value is None or value == "auto":
            return value
        if isinstance(value, str) and value in GAITS:
            return GAITS[value]
        if tables.is_number(value) and 0.0 <= value <= 1.0:
            return float(value)
        raise self.wrong(where, f"gait: expected auto, walk, run or 0 to 1 instead of {value!r}")

    def toe_out(self, table: dict[str, Any], where: str) -> tuple[float, float] | None:
        value = table.get("toe_out")
        if value is None:
            return None
        sides = value if isinstance(value, list) else [value, value]
        if len(sides) != 2:
            raise self.wrong(where, f"toe_out: expected an angle, or [left, right], instead of {value!r}")
        left, right = (self.angle({"toe_out": side}, "toe_out", where) or 0.0 for side in sides)
        if max(abs(left), abs(right)) > MOST_TOE_OUT:
            raise self.wrong(where, f"toe_out: expected at most {MOST_TOE_OUT:g} rad either way")
        return left, right

    def style(self, table: dict[str, Any], where: str) -> Style | None:
        value: Any = table.get("style")
        if value is None:
            return None
        if not (isinstance(value, str) or (isinstance(value, dict) and all(map(tables.is_number, value.values())))):
            raise self.wrong(where, "style: expected a name, or a table of names and weights")
        assert self.model is not None
        try:
            self.model.weights(value)
        except LocomoteError as error:
            raise self.wrong(where, str(error)) from None
        style: Style = value
        return style

    def route(self, value: object, where: str) -> Route:
        if isinstance(value, str):
            return read_points(self.path.parent / value)
        if not isinstance(value, list):
            raise self.wrong(where, "points: expected a list of [x, z], or the name of a file")
        points = [self.pair(each, f"{where}, point {i + 1}") for i, each in enumerate(value)]
        try:
            return Route(np.array(points, dtype=np.float64).reshape(-1, 2))
        except LocomoteError as error:
            raise self.wrong(where, str(error)) from None

    def pair(self, value: object, where: str) -> tuple[float, float]:
        if not (isinstance(value, list) and len(value) == 2 and all(map(tables.is_number, value))):
            raise self.wrong(where, f"expected [x, z] in metres instead of {value!r}")
        return float(value[0]), float(value[1])

    def angle(self, table: dict[str, Any], key: str, where: str) -> float | None:
        if key not in table:
            return None
        try:
            return tables.angle(table[key])
        except LocomoteError as error:
            raise self.wrong(where, f"{key}: {error}") from None

    def number(self, table: dict[str, Any], key: str, where: str, low: float, high: float, default: float) -> float:
        value = self.optional(table, key, where, low, high)
        return default if value is None else value

    def optional(self, table: dict[str, Any], key: str, where: str, low: float, high: float) -> float | None:
        value = table.get(key)
        if value is None:
            return None
        if not tables.is_number(value) or not low <= value <= high:
            raise self.wrong(where, f"{key}: expected a number from {low:g} to {high:g} instead of {value!r}")
        return float(value)

    def tables(self, table: dict[str, Any], key: str, where: str) -> list[dict[str, Any]]:
        value = table.get(key)
        if not isinstance(value, list) or not value or not all(isinstance(each, dict) for each in value):
            raise self.wrong(where, f"expected at least one table [[{key}]]")
        return value

    def wrong(self, where: str, what: str) -> FormatError:
        return FormatError(self.path, what, where)
