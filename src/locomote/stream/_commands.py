"""What a message does to the stage: all of it, or an error and nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.human._crowd import Crowd as People
from locomote.physics import Dog
from locomote.stream._fields import shown
from locomote.stream._messages import Message
from locomote.stream._stage import Group, Stage

MOST_OBSTACLES = 200  # that are there when another is added
_PEOPLE_ONLY = ("style", "leg_length")
_CREATURES_ONLY = ("step_height",)
_NOT_FOR_DOGS = ("within", "step_height")


def obey(stage: Stage, message: Message) -> dict[str, Any]:
    """Do what a message says; what is to be answered beyond that it is done."""
    kind, values = message.type, dict(message.values)
    if kind.startswith("add_"):
        return {"obstacle": _add(stage, kind, values)}
    if kind.endswith("_obstacle"):
        _change(stage, kind, values)
        return {}
    group = stage.group(values.pop("group"))
    who = values.pop("who", None)
    _check_who(group, who, values)
    if kind == "gesture":  # laid over what they do: nobody is led away by it
        stage.gesture(group.name, values["gesture"], who)
        return {}
    if kind == "command":
        _command(group, who, values)
    elif isinstance(group.crowd, Dog):
        raise LocomoteError(f"{kind}: simulated dogs are led by the speed and heading of a command")
    elif kind == "go_to":
        group.crowd.go_to(**values, who=who)
    elif kind == "follow":
        group.crowd.follow(values.pop("path"), **values, who=who)
    elif kind == "release":
        group.crowd.release(who)
    elif isinstance(group.crowd, People):
        jumps = group.crowd.jump(values.pop("length", None), **values, who=who)
        stage.lead(group.name, who)
        return {"jumps": jumps.tolist()}
    else:
        raise LocomoteError(f"jump: only people jump; {group.name} are creatures")
    stage.lead(group.name, who)
    return {}


def _check_who(group: Group, who: list[int] | None, values: dict[str, Any]) -> None:
    count = len(group.crowd)
    if who is not None and max(who) >= count:
        raise LocomoteError(f"who: {group.name} has characters 0 to {count - 1}, not {max(who)}")
    meant = count if who is None else len(who)
    for key, value in values.items():
        if key != "path" and isinstance(value, list) and len(value) != meant:
            raise LocomoteError(f"{key}: {len(value)} numbers for {meant} characters")


def _command(group: Group, who: list[int] | None, values: dict[str, Any]) -> None:
    crowd = group.crowd
    people = isinstance(crowd, People)
    whom = "people" if people else "simulated dogs" if isinstance(crowd, Dog) else "creatures"
    refused = {"people": _CREATURES_ONLY, "creatures": _PEOPLE_ONLY, "simulated dogs": _PEOPLE_ONLY + _NOT_FOR_DOGS}
    for key in refused[whom]:
        if key in values:
            raise LocomoteError(f"{key}: not for {whom}")
    if not values.keys() - {"within"}:
        raise LocomoteError("command: nothing is commanded")
    gait = values.get("gait")
    numeric = people and isinstance(gait, float)
    if gait is not None and not numeric and gait not in group.layout.gaits:
        raise LocomoteError(f"gait: expected {', '.join(group.layout.gaits)}, not {shown(gait)}")
    crowd.command(**values, who=who)


def _add(stage: Stage, kind: str, values: dict[str, Any]) -> int:
    if len(stage.obstacles) >= MOST_OBSTACLES:
        raise LocomoteError(f"{kind}: there are {MOST_OBSTACLES} obstacles already; remove some")
    for key in ("centre", "start", "end"):
        _check_place(stage, key, values)
    added: int = getattr(stage.obstacles, kind)(**values)
    stage.told.add(added)
    return added


def _change(stage: Stage, kind: str, values: dict[str, Any]) -> None:
    obstacle = values.pop("obstacle")
    if stage.move_obstacles is not None and obstacle in stage.obstacles and obstacle not in stage.told:
        raise LocomoteError(f"obstacle: {obstacle} belongs to the scene, which moves it")
    if kind == "remove_obstacle":
        stage.obstacles.remove(obstacle)
        stage.told.discard(obstacle)
        return
    _check_place(stage, "centre", values)
    stage.obstacles.move(obstacle, **values)


def _check_place(stage: Stage, key: str, values: dict[str, Any]) -> None:
    if key in values and np.abs(values[key]).max() > stage.reach:
        raise LocomoteError(f"{key}: expected a place within {stage.reach:.0f} m of the origin on either axis")
