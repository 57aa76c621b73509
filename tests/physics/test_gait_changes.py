"""One gait becomes another while it goes."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.physics._animal import Animal
from locomote.physics._driving import WAITS, Driver
from locomote.physics._kernels.animal_model import PERIOD
from locomote.physics._simulation import Simulation

pytest.importorskip("mujoco")

SPEED = 2.2  # m/s
TIMES = 8


def standing(driver: Driver, gait: str) -> np.ndarray:
    """Which feet stand at this moment of the stride in a gait of the library."""
    swings = driver.library[gait].at(SPEED)[0]
    return (driver.simulation.state.clock[0] - swings[:, 0]) % 1.0 >= swings[:, 1]


def test_a_trot_becomes_a_canter_and_a_canter_a_trot_when_the_same_feet_stand() -> None:
    driver = Driver(Simulation(Animal.of()))
    driver.command(speed=SPEED, gait="trot")
    assert driver.reach(SPEED)
    period, kept = float(driver.now[1][PERIOD]), driver.remember()
    cantered = trotted = 0
    for k in range(TIMES):
        driver.recall(kept)
        driver.gait = "trot"
        driver.step(round(k / TIMES * period, 3))
        driver.command(speed=SPEED, gait="canter")
        driver.step(0.01)
        assert driver.gait == "canter"
        driver.step(3.0)
        cantered += not driver.simulation.fallen
        driver.command(speed=SPEED, gait="trot")
        waited = 0.0
        while driver.gait == "canter":
            same = np.array_equal(standing(driver, "canter"), standing(driver, "trot"))
            driver.step(0.01)
            waited += 0.01
        assert same
        assert waited < WAITS
        driver.step(2.0)
        trotted += not driver.simulation.fallen
    assert cantered == TIMES
    assert trotted >= TIMES - 1
