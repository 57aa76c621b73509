"""Grounds on which feet are tried, each with the commands that make sense there."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from locomote.human._crowd import Crowd
from locomote.human._model import HumanModel
from locomote.rotations import FloatArray
from locomote.world import Ground
from locomote_lab.human.foot_report import FootReport, compare_feet
from locomote_lab.human.random_commands import KNOBS, RandomDrive

LANE = 1.5  # m between characters
WIDE = 400.0  # m, of what is to hold every lane
RUN_UP = 3.0  # m before the first rise
FLIGHTS = ((0.08, 0.32), (0.12, 0.30), (0.17, 0.29), (0.20, 0.28))  # m: rise and tread
STEPS = 8  # of a flight
SLOPES = (10.0, 20.0, 30.0)  # degrees
SLOPE_LENGTH = 4.0  # m on the plan
LANDING = 2.0  # m
COURSE = 120.0  # m, of flights or slopes one after the other
HILLSIDE = 15.0  # degrees
SLAB = 150.0  # m, side of a moving platform
SLAB_TOP = 0.6  # m
SPEED = 1.2  # m/s with which a drive begins


class Course(NamedTuple):
    """A ground, and how it is crossed."""

    ground: Callable[[], Ground]
    places: Callable[[int], FloatArray]  # where so many characters begin
    knobs: tuple[str, ...] = KNOBS
    fastest: float = math.inf  # m/s
    legs: tuple[float, float] = (0.6, 1.1)  # m

    def crowd(self, model: HumanModel, count: int, seed: int, feet: bool = True) -> Crowd:
        """A crowd at the beginning of the course."""
        legs = np.random.default_rng(seed).uniform(*self.legs, count)
        places = self.places(count)
        return Crowd(
            model,
            count,
            seed=seed,
            speed=SPEED,
            leg_length=legs,
            positions=places,
            ground=self.ground(),
            feet=feet,
        )

    def try_feet(
        self, model: HumanModel, count: int, seconds: float, seed: int = 0, fps: float = 60.0
    ) -> tuple[FootReport, FootReport]:
        """Random commands for so long; the report with held feet, and that of the same drive without holding."""
        return compare_feet(
            lambda feet: self.crowd(model, count, seed, feet),
            seconds,
            lambda: RandomDrive(seed, self.knobs, self.fastest, self.legs),
            fps,
        )


def lanes(count: int) -> FloatArray:
    """Places side by side at the start."""
    x = LANE * (np.arange(count) - 0.5 * (count - 1))
    return np.stack([x, np.zeros(count), np.zeros(count)], axis=1)


def _on_slabs(count: int) -> FloatArray:
    places = lanes(count)
    places[:, 0] = LANE * (np.arange(count) // 3) + 2.0 * SLAB * (np.arange(count) % 3)
    return places


def stairs(flights: tuple[tuple[float, float], ...] = FLIGHTS, length: float = COURSE) -> Ground:
    """Flights up and down again, one after the other along +Z."""
    ground, z = Ground(), RUN_UP
    while z < length:
        for rise, tread in flights:
            ground.add_stairs((0.0, z), STEPS, rise, tread, width=WIDE, landing=LANDING, base=0.0)
            z += (STEPS - 1) * tread + LANDING
            ground.add_stairs((0.0, z), STEPS, rise, tread, width=WIDE, down=True, landing=tread, base=0.0)
            z += STEPS * tread + LANDING
    return ground


def slopes(angles: tuple[float, ...] = SLOPES, length: float = COURSE) -> Ground:
    """Ramps of so many degrees up and down again, one after the other along +Z."""
    ground, z = Ground(), RUN_UP
    while z < length:
        for degrees in angles:
            for angle, landing in ((math.radians(degrees), LANDING), (-math.radians(degrees), 0.0)):
                ground.add_slope((0.0, z), SLOPE_LENGTH, angle, width=WIDE, landing=landing, base=0.0)
                z += SLOPE_LENGTH + landing
            z += LANDING
    return ground


def hillside(degrees: float = HILLSIDE) -> Ground:
    """One great plane that rises along +Z, through the origin."""
    ground, rise = Ground(-WIDE), 0.5 * WIDE * math.tan(math.radians(degrees))
    ground.add_ramp((0.0, -0.5 * WIDE), WIDE, -rise, rise, width=WIDE)
    return ground


def platforms() -> Ground:
    """Three great slabs: one goes to and fro, one rises and sinks, one turns."""
    ground, size = Ground(), (SLAB, SLAB)
    ground.add_shuttle((0.0, 0.0), size, SLAB_TOP, (1.5, 0.0, 1.0), 6.0)
    ground.add_shuttle((2.0 * SLAB, 0.0), size, SLAB_TOP, (0.0, 0.5, 0.0), 5.0)
    ground.add_platform((4.0 * SLAB, 0.0), size, SLAB_TOP, turn_rate=0.2)
    return ground


COURSES = {
    "flat": Course(Ground, lanes),
    "slopes": Course(slopes, lanes, ("speed", "style"), 2.0),
    "hillside": Course(hillside, lanes, KNOBS, 2.5),
    "stairs": Course(stairs, lanes, ("speed", "style"), 1.4, (0.8, 1.0)),
    "rough": Course(lambda: Ground.rough(3, (160.0, 160.0), 0.15, 2.0), lanes, KNOBS, 2.5),
    "platforms": Course(platforms, _on_slabs, KNOBS, 2.0),
}
