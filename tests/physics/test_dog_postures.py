"""The simulated dog sits, lies, stands up, and gets up after a fall."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("mujoco")

from locomote import rotations as rot
from locomote.physics import Dog
from locomote.physics._animal import Animal
from locomote.physics._driving import Driver
from locomote.physics._getting_up import GetUp, Limp
from locomote.physics._postures import LieDown, Sit, Stand, StandUp
from locomote.physics._simulation import Simulation
from locomote.physics._skills import let_go, perform
from locomote.world import Ground

SEEDS = range(5)
BALL, HINGE = 1, 3  # kinds of joints in MuJoCo


@pytest.fixture(scope="module")
def sim() -> Simulation:
    return Simulation(Animal.of("dog"))


def standing(sim: Simulation, seed: int) -> Driver:
    """A dog that stands somewhere after its joints were moved by up to 0.03 rad."""
    random = np.random.default_rng(seed)
    sim.reset(yaw=random.uniform(-3.0, 3.0))
    model, places = sim.model, sim.data.qpos
    for at, kind in zip(model.jnt_qposadr, model.jnt_type, strict=True):
        if kind == HINGE:
            places[at] += random.uniform(-0.03, 0.03)
        elif kind == BALL:
            places[at : at + 4] = rot.multiply(places[at : at + 4], rot.exp(random.uniform(-0.03, 0.03, 3)))
    sim.mujoco.mj_forward(model, sim.data)
    driver = Driver(sim)
    perform(driver, Stand(), 0.7)
    let_go(driver)
    return driver


def pitches(sim: Simulation) -> np.ndarray:
    """Of hips and shoulders, rad, nose up."""
    return np.arcsin(sim.data.xmat[sim.body.frames].reshape(2, 3, 3)[:, 1, 2])


@pytest.mark.feature("QUA-29")
@pytest.mark.parametrize("seed", SEEDS)
def test_sits_within_about_a_second_stays_and_stands_up_within_about_another(sim: Simulation, seed: int) -> None:
    driver = standing(sim, seed)
    fore = sim.feet[:2].copy()
    skill = Sit()
    perform(driver, skill, 1.1)
    assert sim.heights == pytest.approx([0.16, 0.46], abs=0.03)
    assert np.all(pitches(sim) > [0.5, 0.2])  # the back slopes
    perform(driver, skill, 2.0)
    assert sim.heights == pytest.approx([0.16, 0.46], abs=0.03)
    assert np.all(np.linalg.norm(sim.feet[:2] - fore, axis=1) < 0.04)  # its fore feet stay
    begin = sim.time
    assert perform(driver, StandUp(), 3.0)
    assert sim.time - begin < 1.7
    driver.step(2.0)
    assert sim.heights == pytest.approx([0.46, 0.46], abs=0.03)
    assert sim.tilt < 0.2


@pytest.mark.feature("QUA-29")
@pytest.mark.parametrize("seed", SEEDS)
def test_lies_down_on_hips_and_shoulders_and_stands_up_from_there(sim: Simulation, seed: int) -> None:
    driver = standing(sim, seed)
    perform(driver, LieDown(), 3.2)
    assert sim.heights == pytest.approx([0.12, 0.15], abs=0.03)
    assert sim.tilt < 0.15
    assert perform(driver, StandUp(), 3.0)
    driver.step(2.0)
    assert sim.heights == pytest.approx([0.46, 0.46], abs=0.03)
    assert sim.tilt < 0.2


@pytest.mark.feature("QUA-29")
def test_lies_down_with_its_hind_feet_on_a_block_of_8_cm() -> None:
    ground = Ground()
    ground.add_box((0.0, -0.255), (0.8, 0.69), 0.08)
    sim = Simulation(Animal.of("dog"), ground)
    sim.reset(place=(0.0, 0.1))
    sim.data.qpos[1] += 0.082  # hind feet on the block, fore feet find the ground
    sim.mujoco.mj_forward(sim.model, sim.data)
    driver = Driver(sim)
    perform(driver, Stand(), 0.8)
    assert sim.feet[2:, 1] == pytest.approx([0.08, 0.08], abs=0.015)
    perform(driver, LieDown(), 3.2)
    assert sim.frames[:, 1] == pytest.approx([0.20, 0.15], abs=0.03)
    assert sim.tilt < 0.25
    assert sim.feet[2:, 1] == pytest.approx([0.08, 0.08], abs=0.02)


@pytest.mark.feature("QUA-29")
def test_trots_from_sitting(sim: Simulation) -> None:
    went = 0
    for seed in SEEDS:
        driver = standing(sim, seed)
        perform(driver, Sit(), 1.4)
        perform(driver, StandUp(), 3.0)
        perform(driver, Stand(), 0.5)
        let_go(driver)
        begin = sim.frames.mean(axis=0)
        driver.command(speed=1.0)
        driver.step(2.5)
        went += not sim.fallen and float(np.linalg.norm(sim.frames.mean(axis=0) - begin)) > 1.2
    assert went >= 4


def test_legs_that_are_limp_have_no_torque_and_the_body_falls(sim: Simulation) -> None:
    driver = standing(sim, 0)
    perform(driver, Limp(2.0), 1.9)
    assert sim.heights.max() < 0.2
    assert np.abs(sim.data.qfrc_applied[6:]).max() < 3.0  # brakes only


def on_side(sim: Simulation, side: float, seed: int) -> Driver:
    """A dog that lies on its right side (1) or its left (-1), its legs anywhere."""
    random = np.random.default_rng(seed)
    sim.reset()
    turn = rot.multiply(rot.from_yaw(random.uniform(-3.0, 3.0)), rot.exp([0.0, 0.0, 0.5 * np.pi * side]))
    sim.data.qpos[3:7], sim.data.qpos[1] = turn, 0.15
    for angles in sim.body.leg_angles:
        sim.data.qpos[angles[1:]] += random.uniform(-0.4, 0.4, 4)
    sim.mujoco.mj_forward(sim.model, sim.data)
    driver = Driver(sim)
    perform(driver, Limp(), 1.0)
    assert sim.tilt > 1.2
    return driver


@pytest.mark.feature("QUA-30")
@pytest.mark.parametrize("side", [1.0, -1.0], ids=["right", "left"])
def test_gets_up_from_a_side_and_stands_or_trots(sim: Simulation, side: float) -> None:
    up = 0
    for seed in SEEDS:
        driver = on_side(sim, side, seed)
        done = perform(driver, GetUp(), 10.0)
        let_go(driver)
        driver.command(speed=1.0 if seed % 2 else 0.0)
        driver.step(3.0)
        steady = sim.tilt < 0.3 and np.all(np.abs(sim.heights - 0.46) < 0.06)
        up += bool(done and steady and not sim.fallen and (not seed % 2 or sim.speed > 0.6))
    assert up >= 4


def brought_to(dog: Dog, state: str, seconds: float = 8.0) -> float:
    """s until a dog is in a state."""
    begin = dog.time
    while dog.states != [state] and dog.time < begin + seconds:
        dog.step(0.01)
    assert dog.states == [state]
    return dog.time - begin


@pytest.mark.parametrize("speed", [1.0, 2.2])
def test_who_is_told_to_sit_in_a_trot_comes_to_rest_and_sits(speed: float) -> None:
    dog = Dog()
    dog.command(speed=speed, turn_rate=0.2)
    dog.step(3.0)
    dog.sit()
    assert dog.states == ["going"]
    brought_to(dog, "sit")
    assert abs(float(dog.speeds[0])) < 0.1
    yaw, feet = dog.headings[0], dog.feet[0]
    apart = (feet[::2] - feet[1::2]) @ [np.sin(yaw), 0.0, np.cos(yaw)]
    assert np.abs(apart).max() < 0.1  # side by side
    dog.step(2.0)
    assert dog.heights[0] == pytest.approx([0.16, 0.46], abs=0.03)
    assert dog.falls[0] == 0


def test_a_speed_that_is_told_while_it_comes_to_rest_is_for_later() -> None:
    dog = Dog()
    dog.command(speed=1.0)
    dog.step(2.0)
    dog.lie()
    dog.command(speed=0.8)
    brought_to(dog, "lie")
    dog.step(3.2)
    assert dog.heights[0] == pytest.approx([0.12, 0.15], abs=0.03)
    dog.stand()
    brought_to(dog, "going")
    dog.step(2.0)
    assert dog.speeds[0] > 0.5
    assert dog.falls[0] == 0


def test_who_stands_steadily_sits_at_once_and_who_is_on_its_feet_need_not_stand_up() -> None:
    dog = Dog()
    dog.step(0.5)
    dog.stand()
    dog.step(0.1)
    assert dog.states == ["standing"]
    assert dog.heights.min() > 0.43
    dog.sit()
    assert dog.states == ["sit"]


def test_a_fall_on_the_way_to_sitting_is_got_up_from_first() -> None:
    dog = Dog()
    dog.command(speed=1.0)
    dog.step(2.0)
    dog.sit()
    dog.push((900.0, 0.0, 0.0), 0.25)
    brought_to(dog, "fallen")
    brought_to(dog, "sit", 20.0)
    dog.step(2.0)
    assert dog.heights[0] == pytest.approx([0.16, 0.46], abs=0.04)
