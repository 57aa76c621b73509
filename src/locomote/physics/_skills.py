"""What a simulated animal does instead of going: the form of all skills, and how they let go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from locomote.physics._driving import CHUNK, Driver
from locomote.physics._kernels import animal_model as am

SLOW = 0.3  # m/s below which whoever ends a skill begins a stride, and does not go on with one


class Skill(Protocol):
    """Leads one animal in place of its driver, until it is done. It does not count as fallen meanwhile."""

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Fill ``driver.simulation.asked`` and ``driver.now`` for the next ``dt`` seconds; False when done."""


def let_go(driver: Driver) -> None:
    """Take back all that a skill asked for: the driver begins anew, where the animal points."""
    asked = driver.simulation.asked
    asked.legs[:], asked.frames[:], asked.bend[:], asked.stiff[:] = 0.0, 0.0, 0.0, 1.0
    asked.frames[:, am.HOLDS :] = 1.0
    asked.legs[:, 0], asked.strength[0] = am.STANDS, 1.0
    asked.yaw[:2] = driver.simulation.heading
    driver.going = driver.simulation.speed
    if abs(driver.going) < SLOW:
        driver.goal, driver.trim, driver.simulation.state.clock[0] = 0.0, 0.0, 0.0
    driver.begin()  # blending from a gait that goes nowhere would trip it


def perform(driver: Driver, skill: Skill, seconds: float, each: Callable[[], object] | None = None) -> bool:
    """Lead a driver through a skill for at most some seconds; True if it finished, and the driver goes on.

    ``each`` is called after every moment, for those who watch.
    """
    for _ in range(max(1, round(seconds / CHUNK))):
        goes_on = skill.prepare(driver, CHUNK)
        driver.simulation.advance(round(CHUNK * 1000.0), *driver.now)
        if each is not None:
            each()
        if not goes_on:
            let_go(driver)
            return True
    return False
