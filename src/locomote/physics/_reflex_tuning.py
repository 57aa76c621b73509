"""Tuning how a gait withstands pushes (QUA-20): its reflexes, searched by pushes under a driver, from many moments."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.physics._animal import Animal
from locomote.physics._driving import Driver
from locomote.physics._gait_library import GaitLibrary, TunedGait
from locomote.physics._gait_parameters import Knob, turned
from locomote.physics._kernels.animal_model import PERIOD
from locomote.physics._pushes import DIRECTIONS, pushed_from
from locomote.physics._simulation import Simulation
from locomote.rotations import FloatArray

MOMENTS = 6  # of strides, from which pushes begin
ADAPTS, WATCHED = 0.8, 2.4  # s with other reflexes before a push, and after it
LOOKS = 0.03  # s between two looks
LONG, SHORT = (0.35, 1.0), (0.1, 2.2)  # s, and times the force that is asked for
HARDER = (1.25, 1.25, 1.1)  # times the force, by turns
# Sideways pushes are the hard ones; numbers are those of `DIRECTIONS`.
SIDES = (0, 1, 4, 5, 2, 6, 0, 1, 4, 5, 2, 6, 0, 1, 4, 5, 0, 1, 4, 5)
FELL = 1.0  # cost of a fall, and as much again for one at once
UNSTEADY = 3.0  # cost of a fall without a push


class Moment(NamedTuple):
    """A driver's memory on the way, and what it does not tell."""

    kept: tuple[Any, ...]
    gait: str


class PushPlan(NamedTuple):
    """What one set of reflexes goes through."""

    gait: str
    speed: float  # m/s
    moments: tuple[Moment, ...]
    pushes: tuple[tuple[int, int, float, float], ...]  # moment, direction, N, s


class ReflexJob(NamedTuple):
    """A set of reflexes to be tried."""

    library: GaitLibrary
    knobs: list[Knob]
    moves: FloatArray
    plan: PushPlan


def push_plan(gait: str, speed: float, force: float, library: GaitLibrary, seed: int) -> PushPlan:
    """Pushes of a force (N, for 0.35 s) from all sides, at moments of a gait at a speed."""
    driver = Driver(Simulation(Animal.of()), library)
    driver.command(speed, gait=gait)
    if not driver.reach(speed):
        raise LocomoteError(f"{gait} at {speed:g} m/s is not steady: tune it without pushes first")
    random = np.random.default_rng(seed)
    period, moments = float(driver.now[1][PERIOD]), []
    for _ in range(MOMENTS):
        driver.step(period * (random.integers(0, 2) + random.uniform(1.0, 1.5) / MOMENTS))
        moments.append(Moment(driver.remember(), driver.gait))
    pushes = []
    for k, side in enumerate(SIDES):
        seconds, times = SHORT if k % 4 == 3 else LONG
        at = k if k < MOMENTS else int(random.integers(MOMENTS))
        pushes.append((at, side, HARDER[k % 3] * times * force, seconds))
    return PushPlan(gait, speed, tuple(moments), tuple(pushes))


def with_reflexes(library: GaitLibrary, gait: str, knobs: list[Knob], moves: FloatArray) -> GaitLibrary:
    """The library with knobs of a gait turned at all its speeds, for when it is thrown aside."""
    old = library[gait]
    before = old.params if old.braced is None else old.braced
    braced = np.array([turned(row, knobs, moves) for row in before])
    return library.with_gait(TunedGait(gait, old.speeds, old.graphs, old.params, braced))


def evaluate(simulation: Simulation, job: ReflexJob) -> float:
    """The mean cost of the pushes of a plan: falls, and how far it tilts and how slow it gets."""
    plan = job.plan
    driver = Driver(simulation, with_reflexes(job.library, plan.gait, job.knobs, job.moves))
    costs = []
    for at, side, force, seconds in plan.pushes:
        moment = plan.moments[at]
        driver.recall(moment.kept)
        driver.gait, driver.locked, driver.speed = moment.gait, plan.gait, plan.speed
        driver.step(ADAPTS)
        costs.append(UNSTEADY if simulation.fallen else _pushed(driver, DIRECTIONS[side], force, seconds))
    return float(np.mean(costs))


def _pushed(driver: Driver, direction: tuple[str, int, int], force: float, seconds: float) -> float:
    """The cost of one push."""
    sim = driver.simulation
    tilts = [sim.tilt]
    pushed_from(sim, direction, force, seconds)
    end = sim.time + WATCHED
    while sim.time < end and not sim.fallen:
        driver.step(LOOKS)
        tilts.append(sim.tilt)
    if sim.fallen:
        return FELL + (end - sim.time) / WATCHED
    late = tilts[3 * len(tilts) // 4 :]
    off = 0.05 * abs(driver.going - driver.speed)
    return 0.35 * float(np.mean(tilts)) + 0.3 * float(np.mean(late)) + 0.5 * tilts[0] + off
