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
from locomote.physics._gait_parameters import knobs, reflex_knobs, start_parameters, turned
from locomote.physics._gait_trials import Push, Trial, driven, trial
from locomote.physics._kernels import animal_model as am
from locomote.physics._reflex_tuning import ReflexJob, evaluate, push_plan, with_reflexes
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


# As measured on dogs; the left hind foot first, but in the rotary gallop, whose right one is.
GRAPHS = {
    "walk": Graph((0.22, 0.72, 0.0, 0.5), 0.59, 0.74),
    "trot": Graph((0.48, 0.98, 0.0, 0.5), 0.43, 0.48),
    "pace": Graph((0.02, 0.52, 0.0, 0.5), 0.55, 0.58),
    "canter": Graph((0.37, 0.74, 0.0, 0.25), 0.38, 0.42),
    "gallop": Graph((0.44, 0.70, 0.0, 0.12), 0.34, 0.38),
    "rotary gallop": Graph((0.38, 0.63, 0.14, 0.0), 0.32, 0.385),
}


# The gait of which the parameters are the beginning of one that is not known yet, and from which it is begun.
BEFORE = {"canter": "trot", "gallop": "canter", "rotary gallop": "gallop", "pace": "trot"}
FASTER = 0.4  # m/s above the fastest of the gait before, up to which it is begun from that one
SETTLES = 2.0  # s after it has reached a speed, before trials of a fast gait begin there
# No trial is quite undisturbed: what is steady only by itself is of no use.
JOSTLED = (Push(1.4, 0.1, (70.0, 0.0, 0.0), "hips"), Push(2.3, 0.1, (-70.0, 0.0, 0.0), "shoulders"))


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


class Setting(NamedTuple):
    """How a gait is tried: its name, and a driver's memory to begin from; a stand without one."""

    name: str
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
    """The cost of one trial of a gait."""
    gait, setting = (job.graph, job.params), job.setting
    if setting.start is None:
        return cost(trial(_simulation(), gait, job.speed, SECONDS, JOSTLED), gait)
    only = TunedGait(setting.name, np.array([job.speed]), job.graph[None], job.params[None])
    driver = Driver(_simulation(), GaitLibrary({setting.name: only}))
    driver.recall(setting.start)
    return cost(driven(driver, job.speed, SECONDS, JOSTLED), gait)


def _withstands(job: ReflexJob) -> float:
    return evaluate(_simulation(), job)


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
    jobs: Callable[[FloatArray], Any],
    measured: Callable[[Any], float],
    knobs: int,
    generations: int,
    pool: Any,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[FloatArray, float]:
    """The best moves of so many knobs, and their cost: ``pool`` maps ``measured`` over the jobs of a generation."""
    done, lowest = 0, np.inf

    def costs(moves: FloatArray) -> FloatArray:
        nonlocal done, lowest
        out = np.array(list(pool.map(measured, [jobs(move) for move in moves], chunksize=1)))
        lowest = min(lowest, float(out.min()))
        if progress is not None:
            progress(done, lowest)
        done += 1
        return out

    return minimise(costs, np.zeros(knobs), np.full(knobs, FIRST), generations, seed, POPULATION)


def tune(
    gait: str,
    speed: float,
    library: GaitLibrary | None = None,
    generations: int = 20,
    seed: int = 0,
    processes: int | None = None,
    progress: Progress | None = None,
) -> GaitLibrary:
    """Tune one gait of the dog at one speed; the library with it comes back.

    Parameters
    ----------
    gait, speed : one of the gaits of dogs, and m/s
    library : where to start from: the same gait at the nearest speeds, or else the one before it (`BEFORE`)
    generations, seed : of the search, 20 trials each
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
    setting = Setting(gait, run_up(gait, speed, known) if gait in FAST else None)

    def jobs(moves: FloatArray) -> _Job:
        return _Job(graph, turned(params, found, moves), speed, setting)

    with _pool(processes) as pool:
        best, least = search(jobs, _evaluate, len(found), generations, pool, seed, progress)
    return stored(known, gait, speed, (graph, turned(params, found, best)), {"score": least, "seed": seed})


def tune_reflexes(
    gait: str,
    speed: float,
    force: float,
    library: GaitLibrary | None = None,
    generations: int = 20,
    seed: int = 0,
    processes: int | None = None,
    progress: Progress | None = None,
) -> GaitLibrary:
    """Tune how a gait of the dog withstands pushes, at all its speeds; the library with it comes back.

    Parameters
    ----------
    gait, speed : a gait of the library, and m/s at which it is pushed
    force : N for 0.35 s that it is to withstand; short pushes are harder
    library : the one that ships without it
    generations, seed : of the search, 20 sets of reflexes each
    processes : that run trials; all cores without it
    progress : called with the generations done, from 0 on, and the least cost up to now
    """
    if not 0.0 < force < np.inf:
        raise LocomoteError(f"force: expected newtons above 0, got {force}")
    known = library or GaitLibrary.default()
    plan, found = push_plan(gait, speed, force, known, seed), reflex_knobs()

    def jobs(moves: FloatArray) -> ReflexJob:
        return ReflexJob(known, found, moves, plan)

    with _pool(processes) as pool:
        best, least = search(jobs, _withstands, len(found), generations, pool, seed, progress)
    told = {"score": least, "seed": seed, "force": force, "speed": speed}
    return replace(
        with_reflexes(known, gait, found, best),
        notes={**known.notes, "mujoco": load_mujoco().__version__, f"{gait} pushed": told},
    )


def _pool(processes: int | None) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(processes or os.cpu_count(), multiprocessing.get_context("spawn"))


def stored(
    library: GaitLibrary, gait: str, speed: float, tuned: tuple[FloatArray, FloatArray], notes: dict[str, Any]
) -> GaitLibrary:
    """The library with a gait at one more speed, or anew at one that it has; it braces itself as it did before."""
    rows = [(speed, *tuned, tuned[1])]
    old = library.gaits.get(gait)
    if old is not None:
        braced = old.params if old.braced is None else old.braced
        more = old.at(speed, braced=True)[1] - old.at(speed)[1]
        rows = [(speed, *tuned, tuned[1] + more)]
        known = zip(old.speeds, old.graphs, old.params, braced, strict=True)
        rows += [row for row in known if abs(row[0] - speed) > 1e-6]
    speeds, graphs, params, braced = (
        np.array(column) for column in zip(*sorted(rows, key=lambda row: row[0]), strict=True)
    )
    made = TunedGait(gait, speeds, graphs, params, None if old is None or old.braced is None else braced)
    told = {**library.notes, "mujoco": load_mujoco().__version__, f"{gait} {speed:g}": notes}
    return replace(library.with_gait(made), notes=told)
