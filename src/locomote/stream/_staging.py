"""Stages made from a few numbers or from the file of a scene, and what leads the characters on them."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike

import numpy as np

from locomote._arguments import Rows
from locomote.creatures import Creature
from locomote.creatures import Crowd as Creatures
from locomote.errors import LocomoteError
from locomote.human._crowd import Crowd as People
from locomote.human._model import HumanModel
from locomote.human.scenes._scene import read_scene
from locomote.human.scenes._script import Actor, cast
from locomote.physics import Dog
from locomote.rotations import FloatArray
from locomote.stream._gestures import Gestures
from locomote.stream._stage import Led, Stage
from locomote.world import Ground, Obstacles

MOST = 1000  # characters
PEOPLE_APART = 1.5  # m, at the beginning
LENGTHS_APART = 3.0  # lengths of a creature, at the beginning
LOOKS = 0.5  # s between looks at who has arrived
PATIENCE = 30.0  # s after which one who has not arrived is sent elsewhere
ROOM_EACH = 16.0  # m^2 of the square in which characters wander, for each of them
LEAST_SIDE = 12.0  # m of that square

REHEARSED = 20  # frames of a rehearsal

Progress = Callable[[int, int], None]

_log = logging.getLogger("locomote")


class Wander:
    """Sends everyone to one place after another in a square about the origin."""

    def __init__(self, crowd: Led, side: float, seed: int) -> None:
        self.crowd, self.side = crowd, side
        self._random = np.random.default_rng(seed)
        self._left = np.zeros(len(crowd), dtype=np.bool_)  # who is led by somebody else
        self._until = np.full(len(crowd), -math.inf)  # s, when each is sent elsewhere at the latest
        self._next_look = 0.0  # s

    def act(self, time: float) -> None:
        """Give a new goal to who has arrived, or has been about it for too long."""
        if time < self._next_look:
            return
        self._next_look = time + LOOKS
        rows = np.flatnonzero(~self._left & (self.crowd.arrived | (time >= self._until)))
        if len(rows):
            x, z = self._random.uniform(-0.5, 0.5, (2, len(rows))) * self.side
            self.crowd.go_to(x, z, who=rows)
            self._until[rows] = time + PATIENCE * self._random.uniform(0.7, 1.3, len(rows))

    def leave(self, rows: Rows) -> None:
        """Lead these characters no longer."""
        self._left[rows] = True


class TimeLines:
    """Leads the characters of a scene, each by its own time line."""

    def __init__(self, crowd: People, actors: Sequence[Actor]) -> None:
        self.crowd = crowd
        self._actors = dict(enumerate(actors))

    def act(self, time: float) -> None:
        """Let everyone do what is due; who is done, or has lost the way, stands."""
        for who, actor in list(self._actors.items()):
            try:
                goes_on = actor.act(time)
            except LocomoteError as error:
                _log.warning("%s; it stands from now on", error)
                goes_on = False
            if not goes_on:
                del self._actors[who]
                self.crowd.command(speed=0.0, turn_rate=0.0, who=who)

    def leave(self, rows: Rows) -> None:
        """Lead these characters no longer."""
        for who in rows.tolist():
            self._actors.pop(who, None)


def stage_of(
    people: int = 0,
    creatures: Mapping[str, int] | None = None,
    *,
    seed: int = 0,
    wander: bool = True,
    model: HumanModel | None = None,
    ground: Ground | None = None,
    obstacles: Obstacles | None = None,
    gestures: bool = False,
) -> Stage:
    """People and built-in creatures side by side.

    Parameters
    ----------
    people : how many
    creatures : name: how many
    seed : of what is drawn at random
    wander : they wander about; else they stand until they are told to go
    model : of the people; the shipped one without it
    ground, obstacles : a level floor and nothing without them
    gestures : people who stand nod, shrug, wave and so on now and then
    """
    kinds = {} if creatures is None else dict(creatures)
    total = people + sum(kinds.values())
    if not 1 <= total <= MOST or min([people, *kinds.values()]) < 0:
        raise LocomoteError(f"a stage has 1 to {MOST} characters, not {total}")
    stage = Stage(ground, obstacles)
    bodies = {name: Creature.build(name) for name, count in kinds.items() if count}
    blocks = {"people": (people, PEOPLE_APART)} if people else {}
    for name, body in bodies.items():
        blocks[name] = kinds[name], LENGTHS_APART * 2.0 * max(body.morphology.box)
    places = _side_by_side(blocks)
    side = max(LEAST_SIDE, math.sqrt(ROOM_EACH * total))
    if people:
        heights = stage.ground.heights(places["people"])
        crowd = People(
            HumanModel.default() if model is None else model,
            people,
            seed=seed,
            positions=np.insert(places["people"], 1, heights, axis=1),
            ground=stage.ground,
            obstacles=stage.obstacles,
            avoid=True,
        )
        group = stage.add("people", crowd, Wander(crowd, side, seed) if wander else None)
        if gestures:
            group.gestures = Gestures(crowd.poses.skeleton, idle=True, seed=seed)
    for number, (name, body) in enumerate(bodies.items(), start=1):
        pack = Creatures(
            body,
            kinds[name],
            seed=seed,
            positions=places[name],
            ground=stage.ground,
            obstacles=stage.obstacles,
        )
        stage.add(name, pack, Wander(pack, side, seed + number) if wander else None)
    return stage


def stage_of_scene(path: str | PathLike[str], rate: float = 60.0, model: HumanModel | None = None) -> Stage:
    """The scene of a file, whose characters follow their time lines until they are told otherwise.

    Parameters
    ----------
    path : a TOML file
    rate : frames a second
    model : in place of the one that the file names
    """
    scene = replace(read_scene(path, model), fps=rate)
    crowd, actors, played = cast(scene)
    stage = Stage(crowd.ground, crowd.obstacles)
    stage.move_obstacles = played.advance_to
    names = tuple(character.name for character in scene.characters)
    stage.add("people", crowd, TimeLines(crowd, actors), names)
    crowd.step(0.0)  # what the time lines commanded at once shows in the first frame
    return stage


def _side_by_side(blocks: Mapping[str, tuple[int, float]]) -> dict[str, FloatArray]:
    """Places ``(N, 2)`` as (x, z) of square blocks in a row about the origin, by how many and how far apart."""
    places, edge = {}, 0.0
    for name, (count, apart) in blocks.items():
        columns = math.ceil(math.sqrt(count))
        row, column = np.divmod(np.arange(count), columns)
        middle = 0.5 * (math.ceil(count / columns) - 1)
        places[name] = np.stack([edge + apart * (column + 0.5), apart * (row - middle)], axis=1)
        edge += apart * columns
    return {name: block - (0.5 * edge, 0.0) for name, block in places.items()}


def rehearse(
    people: bool, creatures: Sequence[str], model: HumanModel | None = None, progress: Progress | None = None
) -> None:
    """Load or compile all that may be asked for, on a small stage, so that no frame has to wait for it later."""
    kinds = (["people"] if people else []) + list(creatures)
    for number, name in enumerate(kinds):
        if progress is not None:
            progress(number, len(kinds))
        alone = name == "people"
        stage = stage_of(1 if alone else 0, {} if alone else {name: 1}, wander=False, model=model)
        crowd = stage.groups[name].crowd
        assert not isinstance(crowd, Dog)
        obstacle = stage.obstacles.add_box((0.0, 3.0), (1.0, 1.0), 1.0, velocity=(0.1, 0.0))
        crowd.follow([(0.0, 0.0), (0.0, 6.0)])
        for _ in range(REHEARSED):
            stage.advance(1.0 / 60.0)
        stage.obstacles.remove(obstacle)
        crowd.go_to(1.0, 5.0)
        stage.advance(1.0 / 60.0)
        if isinstance(crowd, People):
            crowd.jump(1.0)
            stage.advance(1.0 / 60.0)
        crowd.meet([(3.0, 3.0)])
        stage.advance(1.0 / 60.0)
        stage.frame(60.0)
