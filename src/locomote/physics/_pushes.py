"""How hard a simulated animal can be pushed (QUA-22): eight directions, eight moments of the stride."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.physics._animal import Animal
from locomote.physics._driving import Driver
from locomote.physics._gait_library import GaitLibrary
from locomote.physics._kernels.animal_model import PERIOD
from locomote.physics._policy import Policy
from locomote.physics._simulation import Simulation

# Four directions at shoulders and hips each: to the left, to the right, forward, back.
DIRECTIONS = tuple((at, x, z) for at in ("shoulders", "hips") for x, z in ((1, 0), (-1, 0), (0, 1), (0, -1)))
STEADY = 3.0  # s before the push, from the beginning
AFTER = 3.0  # s for which it has to stay on its feet


class Row(NamedTuple):
    """What the source reports: the largest push of every direction that was survived, at one moment."""

    gait: str
    speed: float  # m/s
    force: float  # N
    seconds: float


SOURCE = (
    Row("walk", 1.0, 80.0, 0.30),
    Row("walk", 1.0, 230.0, 0.10),
    Row("trot", 2.2, 100.0, 0.35),
    Row("trot", 2.2, 200.0, 0.10),
    Row("canter", 3.0, 120.0, 0.35),
    Row("canter", 3.0, 400.0, 0.10),
    Row("gallop", 5.0, 100.0, 0.35),
    Row("gallop", 5.0, 400.0, 0.10),
)


@dataclass(frozen=True, eq=False)
class Withstood:
    """Which pushes were survived: directions by moments, in the order of `DIRECTIONS`."""

    survived: npt.NDArray[np.bool_]  # (D, P)

    @property
    def share(self) -> float:
        """Of all pushes."""
        return float(self.survived.mean())


class _Job(NamedTuple):
    row: Row
    moment: float  # share of a stride by which the push comes later
    directions: int
    library: GaitLibrary | None
    policy: Policy | None


def pushed_from(simulation: Simulation, direction: tuple[str, int, int], force: float, seconds: float) -> None:
    """Push with N for s in one of `DIRECTIONS`, which are those of its heading."""
    at, x, z = direction
    yaw = simulation.asked.yaw[1]
    along = np.array([x * np.cos(yaw) + z * np.sin(yaw), 0.0, z * np.cos(yaw) - x * np.sin(yaw)])
    simulation.push(force * along, seconds, at)


def _run(job: _Job) -> list[bool]:
    """Go until the moment of the push, then every direction from that same state."""
    driver = Driver(Simulation(Animal.of()), job.library, job.policy)
    sim, row = driver.simulation, job.row
    driver.command(speed=row.speed, gait=row.gait)
    driver.reach(row.speed)
    driver.step(job.moment * float(driver.now[1][PERIOD]))
    before, gait = driver.remember(), driver.gait
    out = []
    for direction in DIRECTIONS[: job.directions]:
        driver.recall(before)
        driver.gait = gait
        pushed_from(sim, direction, row.force, row.seconds)
        end = sim.time + AFTER
        while sim.time < end and not sim.fallen:
            driver.step(0.02)
        out.append(not sim.fallen)
    return out


def withstand(
    gait: str,
    speed: float,
    force: float,
    seconds: float,
    directions: int = 8,
    phases: int = 8,
    library: GaitLibrary | None = None,
    processes: int | None = None,
    policy: Policy | None = None,
) -> Withstood:
    """Push an animal that goes steadily, and see what it survives.

    Parameters
    ----------
    gait, speed : that it keeps, m/s
    force, seconds : N and s of each push
    directions, phases : how many of the eight directions, and moments of the stride
    library : of its gaits
    processes : that run; all cores without it
    policy : that moves them, if any
    """
    for what, value in (("force", force), ("seconds", seconds), ("speed", speed)):
        if not (np.isfinite(value) and value > 0.0):
            raise LocomoteError(f"{what}: expected a number above 0, got {value}")
    (library or GaitLibrary.default())[gait]
    jobs = [_Job(Row(gait, speed, force, seconds), k / phases, directions, library, policy) for k in range(phases)]
    count = processes or os.cpu_count() or 1
    if count == 1:
        return Withstood(np.array([_run(job) for job in jobs]).T)
    with ProcessPoolExecutor(min(count, phases), multiprocessing.get_context("spawn")) as pool:
        return Withstood(np.array(list(pool.map(_run, jobs))).T)
