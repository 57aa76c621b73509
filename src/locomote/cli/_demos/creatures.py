"""What ``locomote demo creatures`` shows: bodies with two to thirty legs, each with no recorded motion at all."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from locomote.cli._demos.people import Show
from locomote.creatures import Crowd
from locomote.creatures._metrics import CrowdFigures, Watch
from locomote.creatures._recording import Hook, record_together
from locomote.math.constants import GRAVITY
from locomote.world import Ground, Obstacles

FPS = 60.0
CROWD = (("spider", 2), ("ant", 3), ("wolf", 2), ("lizard", 3), ("robot", 2), ("crab", 2))  # of the mixed one
APART = 1.9  # m between them at the beginning
Facts = tuple[tuple[str, str, str], ...]  # name, value, unit


def spider(seconds: float) -> Show:
    """A spider over crates, some of which drive about."""
    obstacles = _crates(seed=3, count=70, width=3.0, length=9.0, moving=0.3)
    text = (
        "A field of crates: half of them may be stepped on, a third drive about. Every foot looks for the best couple "
        "of foothold and way, and for another one when its way is taken meanwhile."
    )
    crowd = Crowd("spider", 1, obstacles=obstacles)
    crowd.command(speed=0.6)
    return _show("spider", "A spider among crates", text, [crowd], 3.0 * seconds, view="high")


def wolf(seconds: float) -> Show:
    """A wolf that goes faster and faster."""
    crowd = Crowd("wolf", 1)

    def faster(time: float) -> None:
        crowd.command(speed=0.8 if time < seconds else 2.4 if time < 2.0 * seconds else 5.0)

    text = "Walk, trot and gallop follow from the speed; every foot ends its swing before it takes up the new order."
    return _show("wolf", "A wolf at a walk, a trot, a gallop", text, [crowd], 3.0 * seconds, faster, view="side")


def horse(seconds: float) -> Show:
    """A horse at a trot on a wide curve."""
    crowd = Crowd("horse", 1)
    crowd.command(speed=3.0, turn_rate=0.35)
    text = "The same gaits on longer legs: they are counted in the body's own units of length and time."
    return _show("horse", "A horse on a circle", text, [crowd], 1.5 * seconds)


def ant(seconds: float) -> Show:
    """An ant on rough ground."""
    ground = Ground.rough(4, (14.0, 14.0), amplitude=0.22, feature=1.2)
    crowd = Crowd("ant", 1, ground=ground, positions=(0.0, -3.0))
    crowd.command(speed=0.6)
    text = "Two tripods in turn over hills as high as itself; the body goes by its feet and keeps off the ground."
    return _show("ant", "An ant on rough ground", text, [crowd], 2.0 * seconds, view="high")


def lizard(seconds: float) -> Show:
    """A lizard up a slope."""
    ground = Ground()
    ground.add_slope((0.0, 0.6), length=3.0, angle=math.radians(20.0), width=3.0, landing=2.0)
    crowd = Crowd("lizard", 1, ground=ground)
    crowd.command(speed=0.5)
    return _show("lizard", "A lizard up 20 degrees", "", [crowd], 2.0 * seconds, view="side")


def crab(seconds: float) -> Show:
    """A crab that turns on its way."""
    crowd = Crowd("crab", 1)
    crowd.command(speed=0.35, turn_rate=0.5)
    return _show("crab", "A crab in a tight curve", "", [crowd], 1.5 * seconds, view="high")


def centipede(seconds: float) -> Show:
    """Thirty legs over stairs."""
    ground = Ground()
    ground.add_stairs((0.0, 0.9), 4, rise=0.03, tread=0.3, width=2.0, landing=3.0)
    crowd = Crowd("centipede", 1, ground=ground)
    crowd.command(speed=0.35)
    text = "A wave runs along thirty legs; each finds a place of its own on the treads."
    return _show("centipede", "A centipede over stairs", text, [crowd], 2.5 * seconds, view="high")


def bird(seconds: float) -> Show:
    """Two legs, from a walk to a run."""
    crowd = Crowd("bird", 1)

    def run(time: float) -> None:
        crowd.command(speed=0.8 if time < seconds else 2.6)

    return _show("bird", "A bird that walks and runs", "", [crowd], 2.0 * seconds, run, view="side")


def robot(seconds: float) -> Show:
    """Five legs uphill."""
    ground = Ground()
    ground.add_slope((0.0, 0.8), length=4.0, angle=math.radians(15.0), width=4.0, landing=2.0)
    crowd = Crowd("robot", 1, ground=ground)
    crowd.command(speed=0.5)
    text = "Five legs have no sides to alternate: they lift one after the other in the order of a star."
    return _show("robot", "A five-legged robot uphill", text, [crowd], 2.0 * seconds, view="side")


def mixed(seconds: float) -> Show:
    """Many kinds in one world."""
    obstacles = _crates(seed=8, count=90, width=11.0, length=8.0, moving=0.4, tall=0.12)
    ground = Ground.rough(6, (30.0, 30.0), amplitude=0.12, feature=2.5)
    random = np.random.default_rng(2)
    places = iter(random.permutation([(APART * i, APART * k) for i in range(-2, 3) for k in range(-2, 1)]))
    crowds = []
    for name, count in CROWD:
        own = np.array([next(places) for _ in range(count)])
        one = Crowd(name, count, positions=own, ground=ground, obstacles=obstacles)
        pace = 0.35 * math.sqrt(GRAVITY * one.creature.morphology.hip_height)
        one.command(speed=pace, heading=random.uniform(-0.15, 0.15, count))
        crowds.append(one)
    text = "One world, one method: spiders, ants, wolves, lizards, robots and crabs among crates that move."
    title = f"{sum(count for _, count in CROWD)} creatures of {len(CROWD)} kinds"
    return _show("mixed", title, text, crowds, 2.0 * seconds, view="high", size=(800, 450))


CREATURE_SHOWS: tuple[Callable[[float], Show], ...] = (
    spider,
    wolf,
    ant,
    robot,
    centipede,
    mixed,
    horse,
    lizard,
    crab,
    bird,
)


def _show(
    name: str,
    title: str,
    text: str,
    crowds: list[Crowd],
    seconds: float,
    after: Hook | None = None,
    view: str = "three-quarter",
    size: tuple[int, int] = (640, 360),
) -> Show:
    """Let them go, watch them, and keep what they did."""
    maps = crowds[0].maps
    pieces, grid, _ = maps.ground.arrays
    open_floor = len(pieces) == 0 and grid.size == 1 and len(maps.obstacles) == 0
    things = maps.obstacles.copy()
    watches = [Watch(crowd) for crowd in crowds]

    def look(time: float) -> None:
        for watch in watches:
            watch.look(1.0 / FPS)
        if after is not None:
            after(time)

    motions = [motion for part in record_together(crowds, seconds, FPS, look) for motion in part]
    if len(motions) > 1:
        motions = [replace(motion, name=f"{i + 1}-{motion.name}") for i, motion in enumerate(motions)]
    return Show(
        name,
        title,
        text,
        motions,
        view=view,
        ground=None if open_floor else maps.ground,
        obstacles=None if len(things) == 0 else things.at if things.moves else things,
        size=size,
        facts=_facts([watch.figures() for watch in watches]),
    )


def _facts(seen: list[CrowdFigures]) -> Facts:
    """What the page tells of them."""
    plans = sum(each.plans for each in seen)
    return (
        ("legs", ", ".join(dict.fromkeys(str(each.legs) for each in seen)), ""),
        ("speed", f"{np.mean([each.speed for each in seen]):.2f}", "m/s"),
        ("steps planned", f"{plans}", ""),
        ("of these under way", f"{sum(each.replans for each in seen)}", ""),
        ("footholds weighed for each", f"{sum(each.couples for each in seen) / max(plans, 1):.1f}", ""),
        ("stance slip, at most", f"{max(each.stance_slip for each in seen):.2g}", "mm"),
        ("penetration, at most", f"{max(each.penetration for each in seen):.2g}", "mm"),
        ("legs that cross", f"{sum(each.crossings for each in seen)}", ""),
    )


def _crates(seed: int, count: int, width: float, length: float, moving: float, tall: float = 0.25) -> Obstacles:
    """Crates all over a yard whose first metre is free, half of them safe to step on."""
    random = np.random.default_rng(seed)
    obstacles = Obstacles()
    for _ in range(count):
        x, z = random.uniform(-0.5 * width, 0.5 * width), random.uniform(1.2, length)
        moves = random.random() < moving
        obstacles.add_box(
            (x, z),
            random.uniform(0.2, 0.45, 2).tolist(),
            random.uniform(0.05, tall),
            random.uniform(0.0, math.pi),
            velocity=random.uniform(-0.12, 0.12, 2).tolist() if moves else (0.0, 0.0),
            turn_rate=random.uniform(-0.3, 0.3) if moves else 0.0,
            safe=bool(random.random() < 0.5),
        )
    return obstacles
