"""Where a simulated dog goes: on its line, off it when it is pushed round, and back to its course."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("mujoco")

from locomote.physics import _driving
from locomote.physics._animal import Animal
from locomote.physics._driving import Driver
from locomote.physics._simulation import Simulation


def going(gait: str, speed: float) -> Driver:
    driver = Driver(Simulation(Animal.of()))
    driver.command(speed, gait=gait)
    assert driver.reach(speed)
    return driver


@pytest.mark.parametrize(("gait", "speed"), [("pace", 1.4), ("canter", 3.0), ("walk", 1.0)])
def test_it_keeps_its_line(gait: str, speed: float) -> None:
    driver = going(gait, speed)
    begin = driver.simulation.frames.mean(axis=0)
    driver.step(15.0)
    way = driver.simulation.frames.mean(axis=0) - begin
    assert abs(way[0]) < 0.012 * way[2]
    assert driver.course == pytest.approx(0.0, abs=1e-9)  # as it was told: what it does about it is no new course


def test_nobody_keeps_its_line_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_driving, "KEEPS_ITS", 0.0)
    driver = going("pace", 1.4)
    begin = driver.simulation.frames.mean(axis=0)
    driver.step(15.0)
    way = driver.simulation.frames.mean(axis=0) - begin
    assert abs(way[0]) > 0.02 * way[2]


def test_a_push_turns_it_and_it_comes_back_to_its_course() -> None:
    driver = going("gallop", 4.1)
    driver.simulation.push(np.array([100.0, 0.0, 0.0]), 0.35, "shoulders")
    driver.step(0.6)
    assert abs(driver.yielded) > np.radians(5.0)
    assert driver.course == pytest.approx(0.0, abs=1e-9)
    driver.step(4.0)
    assert not driver.simulation.fallen
    assert driver.yielded == pytest.approx(0.0, abs=0.02)
    assert abs(driver.simulation.heading) < np.radians(10.0)
