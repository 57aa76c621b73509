"""A field to try creatures on: hills, crates of which some move, and many who wander among them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from locomote.creatures._crowd import Crowd
from locomote.creatures._metrics import BoolArray, CrowdFigures, Watch
from locomote.rotations import FloatArray
from locomote.world import Ground, Maps, Obstacles
from locomote_lab.creatures.foot_boxes import FootBoxes

if TYPE_CHECKING:
    from locomote.creatures._creature import Creature

SIDE = 100.0  # m, of the field
INSIDE = 45.0  # m from the middle: creatures and crates that move begin no farther out
CRATES, MOVING = 3000, 0.4  # how many, and the share of them that moves
CRATE = (0.2, 0.5)  # m, their sides
HEIGHTS = (0.05, 0.3)  # m
FASTEST_CRATE, FASTEST_TURN = 0.5, 0.5  # m/s, rad/s
SAFE = 0.5  # share of the crates that may be stepped on
HILLS = 0.4  # m high, and so many metres apart:
APART = 6.0
CELL = 0.07  # m, of the maps
FRAME = 1.0 / 60.0  # s
SPEED = 0.6  # m/s
SETTLED = 90  # frames after which every foot has come down where it chose; some begin in crates

Tell = Callable[[int, int], None]


class Terrain(StrEnum):
    """What the field is like."""

    FLAT = "flat"
    HILLS = "heightmap"
    CRATES = "heightmap and crates"


class View(StrEnum):
    """Who is seen; legs of the others are not posed."""

    ALL = "all in view"
    HALF = "half in view"


def make_maps(terrain: Terrain, seed: int = 1) -> Maps:
    """The field, its crates as they are at the beginning."""
    if terrain is Terrain.FLAT:
        return Maps(Ground(), Obstacles(), CELL)
    ground = Ground.rough(seed, (SIDE, SIDE), amplitude=HILLS, feature=APART, cell=0.25)
    obstacles = Obstacles()
    if terrain is Terrain.CRATES:
        random = np.random.default_rng(seed)
        for k in range(CRATES):
            _add_crate(obstacles, random, moves=k < MOVING * CRATES)
    return Maps(ground, obstacles, CELL)


def _add_crate(obstacles: Obstacles, random: np.random.Generator, moves: bool) -> None:
    angle = random.uniform(-math.pi, math.pi)
    speed = random.uniform(0.1, FASTEST_CRATE) if moves else 0.0
    out = INSIDE if moves else 0.5 * SIDE - 1.0
    obstacles.add_box(
        random.uniform(-out, out, 2).tolist(),
        random.uniform(*CRATE, 2).tolist(),
        random.uniform(*HEIGHTS),
        random.uniform(-math.pi, math.pi),
        velocity=(speed * math.sin(angle), speed * math.cos(angle)),
        turn_rate=random.uniform(-FASTEST_TURN, FASTEST_TURN) if moves else 0.0,
        safe=bool(random.random() < SAFE),
    )


def make_crowd(creature: Creature | str, count: int, maps: Maps, seed: int = 2, threads: int = 1) -> Crowd:
    """Creatures all over the field, each with a heading of its own."""
    random = np.random.default_rng(seed)
    side = math.ceil(math.sqrt(count))
    row, column = np.divmod(np.arange(count), side)
    cell = 2.0 * INSIDE / side
    places = np.stack([column, row], axis=1) + random.uniform(0.25, 0.75, (count, 2))
    return Crowd(
        creature,
        count,
        seed=seed,
        speed=SPEED,
        heading=random.uniform(-math.pi, math.pi, count),
        positions=cell * places - INSIDE,
        maps=maps,
        threads=threads,
    )


def wander(crowd: Crowd) -> None:
    """Turn those who come to the rim towards the middle, and those who find no way aside."""
    places = crowd.positions[:, [0, 2]]
    inwards = np.arctan2(-places[:, 0], -places[:, 1])
    off = np.abs(np.angle(np.exp(1j * (inwards - crowd.headings))))
    out = (np.abs(places).max(axis=1) > INSIDE + 1.0) & (off > 1.0)
    lost = ~out & (crowd.blocked.sum(axis=1) >= 0.5 * crowd.blocked.shape[1])
    if np.any(out):
        crowd.command(heading=inwards[out], who=out)
    if np.any(lost):
        crowd.command(heading=crowd.headings[lost] + 1.2, who=lost)


def look(crowd: Crowd, view: View) -> None:
    """An eye over the middle of the field's rim, which sees all of the creatures or half of them."""
    if view is View.ALL:
        crowd.in_view()
        return
    ahead = np.abs(np.arctan2(crowd.positions[:, 0], crowd.positions[:, 2] + 0.5 * SIDE))
    crowd.in_view(ahead <= np.median(ahead))


@dataclass(frozen=True)
class Run:
    """What a number of frames cost, milliseconds each frame, and what was seen in them."""

    steps: FloatArray  # of the creatures
    maps: FloatArray  # of bringing the maps up to date
    legs: FloatArray  # of folding the legs: steps less those of a twin that leaves it out; empty where there is none
    visible: BoolArray
    figures: CrowdFigures | None = field(default=None)
    boxes: FootBoxes | None = field(default=None)


def run(
    crowd: Crowd,
    view: View,
    frames: int,
    warm: int = 30,
    *,
    watched: bool = False,
    twin: Crowd | None = None,
    tell: Tell | None = None,
) -> Run:
    """Let a crowd wander and take the processor time of every frame; ``twin`` is the same crowd once more.

    In the time of the maps crates go on and are drawn anew, in that of the step creatures are told where to go and go.
    """
    steps, maps, legs = np.zeros(frames), np.zeros(frames), np.zeros(frames if twin is not None else 0)
    watch: Watch | None = None
    boxes: FootBoxes | None = None
    for frame in range(-warm, frames):
        for each in [crowd] if twin is None else [crowd, twin]:
            if frame % 15 == 0 or frame == -warm:
                look(each, view)
        if frame == 0 and watched:
            watch, boxes = Watch(crowd), FootBoxes(crowd)
        preparing = _milliseconds(lambda: _prepare(crowd.maps))
        stepping = _milliseconds(lambda: _go(crowd))
        if twin is not None:
            twin._rows["visible"] = False
            bare = _milliseconds(lambda: _go(twin))
        if frame >= 0:
            steps[frame], maps[frame] = stepping, preparing
            if twin is not None:
                legs[frame] = stepping - bare
        if watch is not None and boxes is not None:
            watch.look(FRAME)
            boxes.look()
        if tell is not None:
            tell(frame + warm + 1, frames + warm)
    figures = None if watch is None else watch.figures()
    return Run(steps, maps, legs, crowd._rows["visible"].copy(), figures, boxes)


def _prepare(maps: Maps) -> None:
    maps.ground.advance(FRAME)
    maps.obstacles.advance(FRAME)
    maps.update()


def _go(crowd: Crowd) -> None:
    wander(crowd)
    crowd.step(FRAME)


def _milliseconds(work: Callable[[], object]) -> float:
    """Processor time of this thread: what else the machine does is left out."""
    start = time.thread_time()
    work()
    return 1e3 * (time.thread_time() - start)
