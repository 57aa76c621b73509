"""The people of the studio as a scene: written as a text file that `locomote script` plays, and taken from one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.human.scenes._scene import Scene, read_scene
from locomote.human.scenes._script import Actor
from locomote.human_body import Body
from locomote.rotations import FloatArray
from locomote.studio._people import MOST_PEOPLE, StudioPeople

SECONDS = 10.0  # s that a person without a goal goes on in a scene
LEAST_STYLE = 0.02  # share of a style that is worth a word
LARGEST = 1 << 20  # bytes of a scene
_FILES = ("model", "ground", "file", "points", "follow", "path")  # keys whose text is the name of a file


def scene_text(people: StudioPeople, fps: float = 60.0) -> str:
    """How things are now, as the text of a scene file."""
    lines = [f"fps = {fps:g}", "seed = 0", ""]
    for one in people.obstacles:
        corners = ", ".join(f"[{x:.4f}, {z:.4f}]" for x, z in people.obstacles.outline(one))
        height = people.obstacles.height(one)
        lines += ["[[obstacle]]", 'kind = "polygon"', f"points = [{corners}]", f"height = {height:.4f}", ""]
    crowd = people.crowd
    avoid = "true" if len(people) > 1 else "false"
    for n, place in enumerate(crowd.positions):
        lines += [
            "[[character]]",
            f'name = "person{n + 1}"',
            f"position = [{place[0]:.4f}, {place[2]:.4f}]",
            f"heading = {crowd.headings[n]:.4f}",
            f"leg_length = {crowd.leg_lengths[n]:.4f}",
            *_body(crowd.bodies[n]),
            f"style = {{ {_style(people, crowd.styles[n])} }}",
            f"avoid = {avoid}",
            *_task(people, n),
            "",
        ]
    return "\n".join(lines)


def _body(body: Body | None) -> list[str]:
    if body is None:
        return []
    stature = [] if body.stature is None else [f"stature = {body.stature:.4f}"]
    return [f'sex = "{body.sex}"', f"age = {body.age:g}", f"build = {body.build:g}", *stature]


def _style(people: StudioPeople, weights: FloatArray) -> str:
    kept = [(name, float(w)) for name, w in zip(people.model.styles, weights, strict=True) if abs(w) > LEAST_STYLE]
    return ", ".join(f"{name} = {weight:.3f}" for name, weight in kept)


def _task(people: StudioPeople, n: int) -> list[str]:
    speed = float(people.crowd.speeds[n])
    way = people.way_of(n)
    if way is not None and len(way) == 1:
        return [f"go_to = [{way[0][0]:.4f}, {way[0][1]:.4f}]", f"speed = {max(speed, 0.3):.3f}"]
    if way is not None:
        points = ", ".join(f"[{x:.4f}, {z:.4f}]" for x, z in way)
        return [f"path = [{points}]", f"speed = {max(speed, 0.3):.3f}"]
    turn = float(np.clip(people.crowd.turn_rates[n], -2.0, 2.0))
    return [f'action = [{{ do = "move", speed = {speed:.3f}, turn_rate = {turn:.4f}, seconds = {SECONDS:g} }}]']


def read_checked(path: Path, folder: Path) -> Scene:
    """A scene file that names no file outside of a folder."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LocomoteError(f"{path.name}: cannot be read: {error.strerror}") from None
    if len(data) > LARGEST:
        raise LocomoteError(f"{path.name}: {len(data)} bytes; a scene has at most {LARGEST}")
    try:
        table = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LocomoteError(f"{path.name}: not a TOML file: {error}") from None
    except RecursionError:
        raise LocomoteError(f"{path.name}: nested too deeply") from None
    _check_files(table, path, folder.resolve())
    return read_scene(path)


def _check_files(value: Any, path: Path, folder: Path) -> None:
    if isinstance(value, list):
        for each in value:
            _check_files(each, path, folder)
    if not isinstance(value, dict):
        return
    for key, each in value.items():
        if key in _FILES and isinstance(each, str):
            named = (path.parent / each).resolve()
            if not named.is_relative_to(folder):
                raise LocomoteError(f"{path.name}: {key} = {each!r} lies outside of the studio's folder")
        _check_files(each, path, folder)


def enact(people: StudioPeople, scene: Scene) -> None:
    """Let the people of a scene take the place of those who are there, and do what their time lines say."""
    if len(scene.characters) > MOST_PEOPLE:
        raise LocomoteError(f"scene: {len(scene.characters)} people; the studio shows at most {MOST_PEOPLE}")
    cast = scene.characters
    played = scene.obstacles.play()
    people.replace(
        positions=np.array([[each.position[0], 0.0, each.position[1]] for each in cast]),
        headings=np.array([each.heading for each in cast]),
        legs=np.array([each.leg_length for each in cast]),
        speeds=np.zeros(len(cast)),
        obstacles=played.obstacles,
        ground=None if scene.ground is None else scene.ground.copy(),
        bodies=[each.body for each in cast],
    )
    people.played = played if scene.obstacles.changes else None
    crowd = people.crowd
    for who, each in enumerate(cast):
        crowd.allow(jumping=each.jumping, going_round=each.going_round, who=who)
        if each.style is not None:
            crowd.command(style=each.style, within=0.0, who=who)
    heedful = len(scene.obstacles) > 0
    people.actors = {
        who: Actor(crowd, who, each, 1.0 / 60.0, heedful=each.avoid or heedful) for who, each in enumerate(cast)
    }
