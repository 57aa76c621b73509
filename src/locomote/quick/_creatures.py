"""Creatures: they go in one line."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from locomote.creatures import NAMES, Creature, Crowd, Morphology, record_all, tune_gait
from locomote.creatures._crowd import FASTEST, FASTEST_TURN
from locomote.errors import LocomoteError
from locomote.human.scenes._schedule import Schedule
from locomote.math.constants import GRAVITY
from locomote.motion import Motion
from locomote.quick._asked import FPS, OverTime, World, duration, schedule, way
from locomote.world import Ground, Obstacles

EASY = 0.4  # of the root of gravity times hip height: the speed where none is given


def creature(
    kind: Creature | str | os.PathLike[str] = "spider",
    speed: OverTime | None = None,
    seconds: float = 10.0,
    *,
    turn_rate: OverTime | None = None,
    to: Sequence[float] | None = None,
    gait: str = "auto",
    world: World | None = None,
    seed: int = 0,
) -> Motion:
    """A creature with any number of legs that goes over any ground, at 60 frames a second.

    Parameters
    ----------
    kind : the name of a built-in one, of ``lm.creatures.NAMES``, the file of a rig, or a Creature
    speed : m/s, or {seconds: m/s} with straight lines between; an easy pace for its size without it
    seconds : how long
    turn_rate : rad/s, positive to the left, or over time likewise
    to : (x, z) of a place to find a way to, metres
    gait : by name, "random", "tuned" to the speed, or "auto": by the speed
    world : a TOML file of the ground and the obstacles on it, or a Ground; a level floor without it
    seed : of what is drawn at random
    """
    place, route = way(to)
    if route is not None:
        raise LocomoteError("to: expected one place (x, z) for a creature, not several")
    if to is not None and turn_rate is not None:
        raise LocomoteError("to and turn_rate exclude one another: each says where to go")
    told = Told(
        speed=None if speed is None else schedule("speed", speed, -FASTEST, FASTEST),
        turn_rate=None if turn_rate is None else schedule("turn_rate", turn_rate, -FASTEST_TURN, FASTEST_TURN),
        place=place,
        gait=gait,
    )
    seconds = duration(seconds)
    crowd = told.crowd(kind if isinstance(kind, Creature) else creature_of(kind), 1, world, seed)
    told.command(crowd, 0.0)
    return record_all(crowd, seconds, FPS, after=lambda time: told.command(crowd, time))[0]


@dataclass(frozen=True)
class Told:
    """Where creatures shall go, how fast and how."""

    speed: Schedule | None = None  # m/s
    turn_rate: Schedule | None = None  # rad/s
    heading: float | None = None  # rad
    place: tuple[float, float] | None = None  # m, as (x, z)
    gait: str = "auto"  # or "random", "tuned", or one by name
    step_height: float | None = None  # m

    def crowd(self, kind: Creature, count: int, world: World | None, seed: int) -> Crowd:
        """Creatures that are about to set off.

        Parameters
        ----------
        kind, count : which, and how many
        world, seed : what they go over, and of what is drawn at random
        """
        ground, obstacles = world if isinstance(world, Ground) else Ground(), Obstacles()
        if world is not None and not isinstance(world, Ground):
            ground, obstacles = Ground.read(world), Obstacles.read(world)
        named = self.gait if self.gait not in ("random", "tuned") else "auto"
        crowd = Crowd(kind, count, seed=seed, gait=named, ground=ground, obstacles=obstacles)
        crowd.command(speed=self.first_speed(kind))  # they begin standing
        if self.gait == "random":
            crowd.command(gait=self.gait)
        if self.gait == "tuned":
            tuned = tune_gait(kind, self.first_speed(kind))
            crowd.command(gait=tuned.gait, spacing=tuned.spacing)
        if self.heading is not None:
            crowd.command(heading=self.heading)
        if self.place is not None:
            crowd.go_to(*self.place)
        if self.step_height is not None:
            crowd.command(step_height=self.step_height)
        return crowd

    def first_speed(self, kind: Creature) -> float:
        """The speed at the beginning; an easy one where none was given."""
        if self.speed is not None:
            return self.speed.at(0.0)
        return round(EASY * math.sqrt(GRAVITY * kind.morphology.hip_height), 2)

    def command(self, crowd: Crowd, time: float) -> None:
        """What changes over time (s)."""
        if self.speed is not None and not self.speed.constant:
            crowd.command(speed=self.speed.at(time))
        if self.turn_rate is not None:
            crowd.command(turn_rate=self.turn_rate.at(time))


def creature_of(kind: str | os.PathLike[str], **rig: Any) -> Creature:
    """A built-in creature, one that was saved, or one from a rig.

    Parameters
    ----------
    kind : a name or a file
    rig : legs, forward and height, of the file of a rig
    """
    name, path = os.fspath(kind), Path(kind)
    if name in NAMES:
        return Creature.build(name)
    if not path.exists():
        raise LocomoteError(f"{name}: no such file, and no built-in creature; those are: {', '.join(NAMES)}")
    return Creature.of(Morphology.load(path)) if path.suffix == ".npz" else Creature.from_rig(path, **rig)
