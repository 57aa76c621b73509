"""Tuning a simulated gait (QUA-20): trials in many processes, a cost, CMA-ES, speed after speed."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from locomote.creatures._cma_es import minimise
from locomote.errors import LocomoteError
from locomote.physics._animal import Animal
from locomote.physics._animal_build import load_mujoco
from locomote.physics._driving import FAST, Driver
from locomote.physics._gait_library import GaitLibrary, TunedGait
from locomote.physics._gait_parameters import Knob, knobs, start_parameters, turned
from locomote.physics._gait_trials import Push, Trial, driven, trial
from locomote.physics._kernels import animal_model as am
from locomote.physics._pushes import DIRECTIONS
from locomote.physics._simulation import Simulation
from locomote.rotations import FloatArray

Progress = Callable[[int, float], None]
SYMMETRIC = ("walk", "trot", "pace")
SECONDS = 5.0  # s of a trial
FELL = 1000.0  # cost of a fall, less 100 for each second before it
POPULATION = 20
FIRST = 0.5  # of the steps of knobs, at first


class Graph(NamedTuple):
    """When the feet of a gait land (L1, R1, L2, R2, turns), for how much of the stride they stand, its period (s)."""

    lands: tuple[float, float, float, float]
    duty: float
    period: float

    def swings(self) -> FloatArray:
        """Begins and durations of the swings, ``(4, 2)``."""
        swing = 1.0 - self.duty
        return np.stack([(np.array(self.lands) - swing) % 1.0, np.full(4, swing)], axis=1)


# As measured on dogs; the left hind foot first.
GRAPHS = {
    "walk": Graph((0.22, 0.72, 0.0, 0.5), 0.59, 0.74),
    "trot": Graph((0.48, 0.98, 0.0, 0.5), 0.43, 0.48),
    "pace": Graph((0.02, 0.52, 0.0, 0.5), 0.55, 0.58),
    "canter": Graph((0.37, 0.74, 0.0, 0.25), 0.38, 0.42),
    "gallop": Graph((0.44, 0.70, 0.0, 0.12), 0.34, 0.38),
    "rotary gallop": Graph((0.63, 0.38, 0.0, 0.14), 0.32, 0.40),
}


# The gait of which the parameters are the beginning of one that is not known yet, and from which it is begun.
BEFORE = {"canter": "trot", "gallop": "canter", "rotary gallop": "canter", "pace": "trot"}
FASTER = 0.4  # m/s above the fastest of the gait before, up to which it is begun from that one
SETTLES = 2.0  # s after it has reached a speed, before trials of a fast gait begin there
# No trial is quite undisturbed: what is steady only by itself is of no use.
JOSTLED = (Push(1.4, 0.1, (70.0, 0.0, 0.0), "hips"), Push(2.3, 0.1, (-70.0, 0.0, 0.0), "shoulders"))
SHORT = 2.5  # times the force of a long push that a short one has


def survival(done: Trial, seconds: float) -> float:
    """What a trial with hard pushes or turns is worth: that it stays on its feet, and upright."""
    lost = 0.0 if done.survived else 20.0 + 60.0 * (1.0 - float(done.times[-1]) / seconds)
    return lost + 6.0 * float(np.mean(done.tilts[done.late]))


def cost(done: Trial, gait: tuple[FloatArray, FloatArray]) -> float:
    """What a trial is worth: falls, speed, way, head, how the body tilts and bobs, and how far its style is off."""
    if not done.survived:
        return FELL - 100.0 * float(done.times[-1]) + 10.0 * abs(done.speed - done.asked)
    graph, params = gait
    style = done.style()
    duty, lands, period = 1.0, 0.5, 0.5
    if style.period:
        duty = float(np.abs(style.duty - (1.0 - graph[:, 1])).max())
        meant = (graph[:, 0] + graph[:, 1]) - (graph[2, 0] + graph[2, 1])
        lands = float(np.abs((style.lands - meant + 0.5) % 1.0 - 0.5).max())
        period = abs(style.period / float(params[am.PERIOD]) - 1.0)
    return float(
        15.0 * abs(done.speed - done.asked)
        + 15.0 * np.degrees(done.heading) / 57.3
        + 0.1 * done.shaken
        + 4.0 * float(done.tilts[done.late].mean())
        + 50.0 * done.bob
        + 20.0 * done.pitch
        + 4.0 * done.aside
        + 60.0 * max(0.0, done.drift - 0.003)
        + 20.0 * max(0.0, duty - 0.03)
        + 20.0 * max(0.0, lands - 0.03)
        + 20.0 * max(0.0, period - 0.02)
        + 60.0 * max(0.0, style.slip - 0.01)
    )


class Course(NamedTuple):
    """One trial of a gait: what happens on the way, and for how long (s)."""

    pushes: tuple[Push, ...] = JOSTLED
    seconds: float = SECONDS
    hard: bool = False  # it is enough to stay on the feet


Courses = tuple[Course, ...]
STRAIGHT: Courses = (Course(),)


class Setting(NamedTuple):
    """How a gait is tried: its name, the courses, and a driver's memory to begin from; a stand without one."""

    name: str
    courses: Courses = STRAIGHT
    start: tuple[Any, ...] | None = None


class _Job(NamedTuple):
    graph: FloatArray
    params: FloatArray
    speed: float
    setting: Setting


_worker: Simulation | None = None


def _simulation() -> Simulation:
    global _worker
    if _worker is None:
        _worker = Simulation(Animal.of())
    return _worker


def _evaluate(job: _Job) -> float:
    """The mean of the trials of a gait, and a little more of the worst."""
    costs = []
    gait, setting = (job.graph, job.params), job.setting
    for course in setting.courses:
        if setting.start is None:
            done = trial(_simulation(), gait, job.speed, course.seconds, course.pushes)
        else:
            only = TunedGait(setting.name, np.array([job.speed]), job.graph[None], job.params[None])
            driver = Driver(_simulation(), GaitLibrary({setting.name: only}))
            driver.recall(setting.start)
            done = driven(driver, job.speed, course.seconds, course.pushes)
        costs.append(survival(done, course.seconds) if course.hard else cost(done, gait))
    return float(np.mean(costs) + 0.3 * max(costs)) if len(costs) > 1 else costs[0]


def disturbances(force: float) -> Courses:
    """A straight way, and one with twelve pushes from all sides, long and short by turns, harder and harder."""
    sides = (0, 5, 3, 6, 1, 4, 2, 7)
    pushes = []
    for k in range(12):
        at, x, z = DIRECTIONS[sides[k % 8]]
        seconds, size = ((0.35, force), (0.1, SHORT * force))[(k + k // 8) % 2]
        size *= 0.6 + 0.07 * k
        pushes.append(Push(2.5 + 1.27 * k, seconds, (size * x, 0.0, size * z), at))
    return Course(), Course(tuple(pushes), 18.5, hard=True)


def run_up(gait: str, speed: float, library: GaitLibrary) -> tuple[Any, ...]:
    """A driver's memory of an animal that goes nearly as fast: in the gait before, or in this one beyond it."""
    driver = Driver(Simulation(Animal.of()), library)
    slower = BEFORE[gait]
    if gait in library.gaits and speed > library[slower].speeds[-1] + FASTER:
        slower = gait
    known = library[slower].speeds
    below = known[known < speed - 1e-6]
    pace = float(below[-1]) if len(below) else float(known[0])
    driver.command(pace, gait=slower)
    reached = driver.reach(pace)
    driver.step(SETTLES)
    if driver.simulation.fallen or not reached:
        raise LocomoteError(f"{gait} at {speed:g} m/s: {slower} at {pace:g} m/s, from which it begins, is not steady")
    return driver.remember()


def search(
    gait: tuple[FloatArray, FloatArray],
    found: list[Knob],
    speed: float,
    generations: int,
    pool: Any,
    setting: Setting,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[FloatArray, float]:
    """Better parameters for a gait at a speed, and their cost; ``pool`` has a ``map``."""
    graph, params = gait
    done, lowest = 0, np.inf

    def costs(moves: FloatArray) -> FloatArray:
        nonlocal done, lowest
        jobs = [_Job(graph, turned(params, found, move), speed, setting) for move in moves]
        out = np.array(list(pool.map(_evaluate, jobs, chunksize=1)))
        lowest = min(lowest, float(out.min()))
        if progress is not None:
            progress(done, lowest)
        done += 1
        return out

    best, least = minimise(costs, np.zeros(len(found)), np.full(len(found), FIRST), generations, seed, POPULATION)
    return turned(params, found, best), least


def tune(
    gait: str,
    speed: float,
    library: GaitLibrary | None = None,
    generations: int = 20,
    seed: int = 0,
    pushes: float = 0.0,
    processes: int | None = None,
    progress: Progress | None = None,
) -> GaitLibrary:
    """Tune one gait of the dog at one speed; the library with it comes back.

    Parameters
    ----------
    gait, speed : one of the gaits of dogs, and m/s
    library : where to start from: the same gait at the nearest speeds, or else the one before it (`BEFORE`)
    generations, seed : of the search, 20 trials each
    pushes : N for 0.35 s that it is to withstand while it is tuned; 0 for none
    processes : that run trials; all cores without it
    progress : called with the generations done, from 0 on, and the least cost up to now
    """
    if gait not in GRAPHS:
        raise LocomoteError(f"no gait {gait!r}; the gaits are: {', '.join(GRAPHS)}")
    if not 0.0 < speed < 10.0:
        raise LocomoteError(f"speed: expected m/s above 0, got {speed}")
    known = library or GaitLibrary({})
    goal = GRAPHS[gait]
    graph, params = goal.swings(), start_parameters(goal.period)
    if gait in known.gaits:
        graph, params = known[gait].at(speed)
    elif BEFORE.get(gait) in known.gaits:
        params = known[BEFORE[gait]].at(speed)[1]
        params[am.PERIOD] = goal.period
    found = knobs(gait in SYMMETRIC, goal.period)
    start = run_up(gait, speed, known) if gait in FAST else None
    setting = Setting(gait, disturbances(pushes) if pushes > 0.0 else STRAIGHT, start)
    with ProcessPoolExecutor(processes or os.cpu_count(), multiprocessing.get_context("spawn")) as pool:
        tuned, least = search((graph, params), found, speed, generations, pool, setting, seed, progress)
    return stored(known, gait, speed, (graph, tuned), {"score": least, "seed": seed, "pushes": pushes})


def stored(
    library: GaitLibrary, gait: str, speed: float, tuned: tuple[FloatArray, FloatArray], notes: dict[str, Any]
) -> GaitLibrary:
    """The library with a gait at one more speed, or anew at one that it has."""
    speeds, graphs, params = [], [], []
    if gait in library.gaits:
        old = library[gait]
        kept = [k for k, known in enumerate(old.speeds) if abs(known - speed) > 1e-6]
        speeds, graphs, params = [list(column[kept]) for column in (old.speeds, old.graphs, old.params)]
    speeds, graphs, params = [*speeds, speed], [*graphs, tuned[0]], [*params, tuned[1]]
    order = np.argsort(speeds)
    made = TunedGait(gait, *(np.array(column)[order] for column in (speeds, graphs, params)))
    told = {**library.notes, "mujoco": load_mujoco().__version__, f"{gait} {speed:g}": notes}
    return replace(library.with_gait(made), notes=told)
