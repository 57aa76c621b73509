"""The learned controller: what it changes, what it withstands, how it is kept."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.physics import Dog, Policy
from locomote.physics._animal import Animal
from locomote.physics._driving import Driver
from locomote.physics._policy import ACTIONS, LEAST, SEEN, applied, observe
from locomote.physics._pushes import DIRECTIONS, pushed_from
from locomote.physics._simulation import Simulation

pytest.importorskip("mujoco")


def going(policy: Policy | None, speed: float, gait: str, seconds: float = 2.5) -> Driver:
    driver = Driver(Simulation(Animal.of()), None, policy)
    driver.command(speed, gait=gait)
    driver.step(seconds)
    return driver


def silent() -> Policy:
    """The policy with a last layer of zeros."""
    quiet = {}
    for gait, network in Policy.default().networks.items():
        weights = (*network.weights[:-1], np.zeros_like(network.weights[-1]))
        quiet[gait] = replace(network, weights=weights, biases=(*network.biases[:-1], np.zeros(ACTIONS)))
    return Policy(quiet)


def test_a_policy_that_says_nothing_changes_nothing() -> None:
    tuned, led = (going(policy, 1.4, "trot", 1.5) for policy in (None, silent()))
    np.testing.assert_allclose(led.simulation.data.qpos, tuned.simulation.data.qpos, atol=1e-9)


def test_it_rests_while_the_animal_stands() -> None:
    driver = going(Policy.default(), 0.5 * LEAST, "walk", 0.5)
    assert not np.any(driver._moves)
    assert not np.any(driver.simulation.asked.thrust)


def test_what_it_sees_does_not_depend_on_where_the_animal_is_or_points() -> None:
    seen = []
    for place, yaw in (((0.0, 0.0), 0.0), ((3.0, -2.0), 2.1)):
        sim = Simulation(Animal.of())
        sim.reset(place, yaw)
        driver = Driver(sim)
        driver.command(1.4, gait="trot")
        driver.step(0.6)
        seen.append(observe(driver))
    assert seen[0].shape == (SEEN,)
    np.testing.assert_allclose(seen[1], seen[0], atol=0.02)


def test_an_action_is_bounded() -> None:
    driver = going(None, 1.4, "trot", 0.3)
    one = applied(driver, driver.now, np.full(ACTIONS, 1e6))
    driver.simulation.asked.speed[:] = 0.0
    assert np.all(np.isfinite(one[1]))
    assert np.abs(one[1] - driver.now[1]).max() < 1.0
    assert np.abs(driver.simulation.asked.thrust).max() < 300.0


def stays(driver: Driver, seconds: float) -> bool:
    """Whether it is on its feet all the time: who rolls over may come to stand again."""
    for _ in range(round(seconds / 0.02)):
        driver.step(0.02)
        if driver.simulation.fallen:
            return False
    return True


def test_it_withstands_pushes_that_the_tuned_canter_does_not() -> None:
    fell = []
    for policy in (None, Policy.default()):
        driver = going(policy, 3.0, "canter", 8.0)
        before, gait, falls = driver.remember(), driver.gait, 0
        assert gait == "canter"
        for moment, (force, seconds) in itertools.product((0, 2), ((400.0, 0.1), (120.0, 0.35))):
            for direction in DIRECTIONS:
                driver.recall(before)
                driver.gait = gait
                driver.step(0.09 * moment)
                pushed_from(driver.simulation, direction, force, seconds)
                falls += not stays(driver, 2.0)
        fell.append(falls)
    assert fell[1] <= fell[0] - 4


def test_it_is_kept_in_a_file(tmp_path) -> None:
    policy = Policy.default()
    policy.save(tmp_path / "policy.npz")
    again = Policy.load(tmp_path / "policy.npz")
    assert list(again.networks) == list(policy.networks)
    seen = np.random.default_rng(0).normal(size=SEEN)
    for gait, network in policy.networks.items():
        np.testing.assert_array_equal(again.networks[gait].answer(seen), network.answer(seen))
    assert (tmp_path / "policy.npz").stat().st_size < 400_000


def test_a_policy_of_another_kind_is_refused(tmp_path) -> None:
    network = next(iter(Policy.default().networks.values()))
    wrong = replace(network, weights=(network.weights[0][1:], *network.weights[1:]))
    Policy({"walk": wrong}).save(tmp_path / "policy.npz")
    with pytest.raises(LocomoteError, match="expected layers from 54 to 33"):
        Policy.load(tmp_path / "policy.npz")


def test_a_dog_is_led_by_it() -> None:
    with pytest.raises(LocomoteError, match="controller 'brain': expected tuned or policy"):
        Dog(controller="brain")
    dogs = {controller: Dog(controller=controller) for controller in ("tuned", "policy")}
    for dog in dogs.values():
        dog.command(speed=1.0)
        dog.step(3.0)
    assert not np.array_equal(dogs["tuned"].poses.rotations, dogs["policy"].poses.rotations)
    assert all(abs(float(dog.speeds[0]) - 1.0) < 0.15 for dog in dogs.values())
