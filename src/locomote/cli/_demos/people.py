"""What the demo shows: each function makes one section of its page with the walking engine."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from locomote.human._crowd import Crowd
from locomote.human._model import HumanModel
from locomote.human._recording import record_all
from locomote.human.scenes._path import Route
from locomote.human.scenes._scene import Style
from locomote.human.scenes._schedule import parse_schedule
from locomote.human.scenes._script import Plan, walk
from locomote.measures import measure
from locomote.motion import Motion
from locomote.world import Ground

if TYPE_CHECKING:
    from locomote.contacts.footing import ObstaclesOrTimes
    from locomote.rotations import FloatArray

FPS = 60.0
PEOPLE = 12  # in the crowd
STEPS = 4  # up, and as many down
CURVE = ((0, 0), (0, 2), (0.8, 3.6), (2.4, 4.2), (4, 3.6), (4.8, 2), (5.6, 0.4), (7.2, -0.2), (9, 0.4))


@dataclass(frozen=True, eq=False)
class Show:
    """One section of the page: one motion, or several seen together."""

    name: str
    title: str
    text: str
    motions: list[Motion]
    source: Motion | None = None  # what a motion comes from, shown beside it
    view: str = "three-quarter"
    ground: Ground | None = None
    obstacles: ObstaclesOrTimes = None
    closeup: str | None = None
    size: tuple[int, int] = (640, 360)  # pixels of the film
    follow: bool = True  # whether the camera goes along with several people
    facts: tuple[tuple[str, str, str], ...] = ()  # name, value and unit: told in place of measures


def start_and_stop(model: HumanModel, seconds: float) -> Show:
    """Standing, starting, walking, running, stopping."""
    knots = ((0, 0), (0.2, 0), (0.6, 1.4), (1.1, 1.4), (1.5, 3.2), (2.0, 3.2), (2.5, 0), (2.75, 0))
    speed = ",".join(f"{share * seconds:.3f}:{value}" for share, value in knots)
    text = "One schedule of speeds; when to walk and when to run follows from the speed."
    motion = _walk(model, "start", speed, 2.75 * seconds)
    return Show("start", "Stand, start, walk, run, stop", text, [motion], view="side")


def stroll(model: HumanModel, seconds: float) -> Show:
    """A slow walk."""
    motion = _walk(model, "stroll", "0.7", seconds)
    return Show("stroll", "A stroll at 0.7 m/s", "", [motion])


def steady_walk(model: HumanModel, seconds: float) -> Show:
    """The walk of an adult."""
    return Show("walk", "A walk at 1.4 m/s", "", [_walk(model, "walk", "1.4", seconds)])


def steady_run(model: HumanModel, seconds: float) -> Show:
    """A run."""
    return Show("run", "A run at 3.5 m/s", "", [_walk(model, "run", "3.5", seconds)])


def curve(model: HumanModel, seconds: float) -> Show:
    """A path with bends both ways."""
    points = np.array(CURVE) * min(0.75, seconds / 5.0)
    motion = _walk(model, "curve", "1.4", None, route=Route(points))
    text = "A line of points, followed from the first to the last."
    return Show("curve", "Along a path", text, [motion])


def stairs(model: HumanModel, seconds: float) -> Show:
    """Up some steps and down again."""
    ground = Ground()
    ground.add_stairs((0.0, 0.9), STEPS, rise=0.17, tread=0.29)
    ground.add_stairs((0.0, 0.9 + 0.29 * (STEPS - 1)), STEPS, down=True, landing=1.0, base=0.0)
    motion = _walk(model, "stairs", "0.6", 1.75 * seconds, ground=ground)
    text = "Up four steps and down again: the feet find their own places on the treads and stay there."
    return Show("stairs", "Stairs", text, [motion], view="side", ground=ground)


def hill(model: HumanModel, seconds: float) -> Show:
    """Up a slope and down again."""
    ground = Ground()
    ground.add_slope((0.0, 0.8), length=1.8, angle=math.radians(12.0), landing=0.5)
    ground.add_slope((0.0, 3.0), length=1.8, angle=math.radians(-12.0), landing=0.4, base=0.0)
    motion = _walk(model, "hill", "1.1", 1.35 * seconds, ground=ground)
    text = "Up and down 12 degrees: soles lie on the slope, the body goes by what is under the feet."
    return Show("hill", "A slope", text, [motion], view="side", ground=ground)


def held(model: HumanModel, seconds: float) -> Show:
    """Feet in a curve, held to the ground and as the recorded motion has them."""
    motion, raw = (
        _walk(model, name, "1.2", 0.8 * seconds, turn_rate="40deg", feet=feet)
        for name, feet in (("held", True), ("not held", False))
    )
    text = (
        "A curve, close up: on the left the feet stand where they were put; on the right, in the same walk "
        f"without that, they slide by {measure(raw).drift_p95:.0f} mm (drift p95)."
    )
    return Show("held", "Feet that stay", text, [motion], source=raw, closeup="feet")


def styles(model: HumanModel, seconds: float) -> Show:
    """The same speed in the manner of different people."""
    chosen = _different(model, 4)
    motions = [
        _aside(_walk(model, f"style{i + 1}", "1.3", seconds, style=name), 1.1 * i) for i, name in enumerate(chosen)
    ]
    text = f"The same speed in four manners, from the left: {', '.join(chosen)}. Styles mix freely."
    return Show("styles", "Styles", text, motions, view="front")


def sizes(model: HumanModel, seconds: float) -> Show:
    """Small and large people, each at the speed that is natural for their size."""
    motions = [
        _aside(_walk(model, name, f"{1.4 * math.sqrt(leg / 0.9):.3f}", seconds, leg=leg), place)
        for name, leg, place in (("child", 0.55, 0.0), ("adult", 0.9, 1.0), ("giant", 1.3, 2.3))
    ]
    text = "Legs of 0.55, 0.9 and 1.3 m, each at the speed that is as brisk for its size."
    return Show("sizes", "Sizes", text, motions)


def crowd(model: HumanModel, seconds: float) -> Show:
    """Many people at once, each with a style, a size and a speed of its own."""
    random = np.random.default_rng(5)
    columns = PEOPLE // 3
    places = np.zeros((PEOPLE, 3))
    places[:, 0] = 1.5 * (np.arange(PEOPLE) % columns) + random.uniform(-0.25, 0.25, PEOPLE)
    places[:, 2] = 1.9 * (np.arange(PEOPLE) // columns) + random.uniform(-0.4, 0.4, PEOPLE)
    legs = random.uniform(0.75, 1.0, PEOPLE)
    speeds = 1.4 * np.sqrt(legs / 0.9) * random.uniform(0.93, 1.07, PEOPLE)
    people = Crowd(model, PEOPLE, seed=5, leg_length=legs, speed=speeds, positions=places)
    motions = [replace(motion, name=f"{i + 1}") for i, motion in enumerate(record_all(people, seconds, FPS))]
    text = "One crowd, stepped together: everybody has a style, a size and a phase of their own."
    return Show("crowd", f"A crowd of {PEOPLE}", text, motions)


def retargeted(model: HumanModel, seconds: float) -> Show:
    """The walk on a smaller body."""
    from locomote.retargeting import retarget
    from locomote.samples import human_skeleton

    source = _walk(model, "walk", "1.4", seconds)
    other = retarget(source, human_skeleton(0.5))
    text = "Any rig with two or four legs takes part: here the walk above on a small body, beside its source."
    return Show("retargeted", "On another rig", text, [replace(other, name="retargeted")], source=source)


SHOWS: tuple[Callable[[HumanModel, float], Show], ...] = (
    start_and_stop,
    crowd,
    stairs,
    hill,
    held,
    steady_walk,
    steady_run,
    stroll,
    curve,
    styles,
    sizes,
    retargeted,
)


def _walk(
    model: HumanModel,
    name: str,
    speed: str,
    seconds: float | None,
    *,
    style: Style | None = None,
    leg: float = 0.9,
    turn_rate: str = "0",
    route: Route | None = None,
    ground: Ground | None = None,
    feet: bool = True,
) -> Motion:
    plan = Plan(
        parse_schedule(speed, "speed", 0.0, 12.0),
        parse_schedule(turn_rate, "turn rate", -2.0, 2.0, angle=True),
        styles=((0.0, style),),
        route=route,
        seconds=seconds,
    )
    return walk(model, plan, leg_length=leg, fps=FPS, name=name, ground=ground, feet=feet)


def _aside(motion: Motion, x: float) -> Motion:
    return motion.moved(offset=(x, 0.0, 0.0))


def _different(model: HumanModel, count: int) -> list[str]:
    """Styles that differ as much as possible in how they walk: each is the farthest from those before it."""
    at: FloatArray = model.coordinates(0, 1.3)
    chosen = [int(np.argmax(np.linalg.norm(at - at.mean(axis=0), axis=1)))]
    while len(chosen) < min(count, len(at)):
        gaps = np.linalg.norm(at[:, None] - at[chosen], axis=-1).min(axis=1)
        chosen.append(int(np.argmax(gaps)))
    return [model.styles[i] for i in chosen]


def mean_style(model: HumanModel) -> dict[str, float]:
    """The manner of nobody in particular."""
    return dict.fromkeys(model.styles, 1.0)
