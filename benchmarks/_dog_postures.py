"""How often the simulated dog sits, lies, stands up, trots from sitting, and gets up after it fell."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from locomote import rotations as rot
from locomote.physics._animal import Animal
from locomote.physics._driving import Driver
from locomote.physics._getting_up import GetUp, Limp
from locomote.physics._postures import LieDown, Sit, Stand, StandUp
from locomote.physics._simulation import Simulation
from locomote.physics._skills import let_go, perform

NOISE = 0.03  # rad of every joint at the start
BALL, HINGE = 1, 3
PUSH, PUSHED = 900.0, 0.2  # N sideways, s

SIM = Simulation(Animal.of("dog"))


def start(seed: int) -> Driver:
    """Stand somewhere, with joints moved a little."""
    random = np.random.default_rng(seed)
    SIM.reset(yaw=random.uniform(-3.0, 3.0))
    places = SIM.data.qpos
    for at, kind in zip(SIM.model.jnt_qposadr, SIM.model.jnt_type, strict=True):
        if kind == HINGE:
            places[at] += random.uniform(-NOISE, NOISE)
        elif kind == BALL:
            places[at : at + 4] = rot.multiply(places[at : at + 4], rot.exp(random.uniform(-NOISE, NOISE, 3)))
    SIM.mujoco.mj_forward(SIM.model, SIM.data)
    driver = Driver(SIM)
    perform(driver, Stand(), 0.6 + random.uniform(0.0, 0.2))
    let_go(driver)
    return driver


def on_side(seed: int, side: float) -> Driver:
    """Lie on the right side (1) or the left (-1), legs anywhere."""
    random = np.random.default_rng(seed)
    SIM.reset()
    turn = rot.multiply(rot.from_yaw(random.uniform(-3.0, 3.0)), rot.exp([0.0, 0.0, 0.5 * np.pi * side]))
    SIM.data.qpos[3:7], SIM.data.qpos[1] = turn, 0.15
    for angles, joints in zip(SIM.body.leg_angles, SIM.body.leg_joints, strict=True):
        hip = slice(angles[0], angles[0] + 4)
        SIM.data.qpos[hip] = rot.multiply(SIM.data.qpos[hip], rot.exp(random.uniform(-0.5, 0.5, 3) * [1.0, 0.3, 0.5]))
        SIM.data.qpos[angles[1]] = np.clip(random.uniform(-0.6, 0.6), *SIM.model.jnt_range[joints[1]])
        SIM.data.qpos[angles[2:]] = random.uniform(-0.4, 0.4, 3)
    SIM.mujoco.mj_forward(SIM.model, SIM.data)
    driver = Driver(SIM)
    perform(driver, Limp(), 1.0)
    return driver


def near(hips: float, shoulders: float, tilt: float) -> bool:
    return bool(np.all(np.abs(SIM.heights - [hips, shoulders]) < 0.03) and SIM.tilt < tilt)


def sits(seed: int) -> tuple[bool, float]:
    driver, skill = start(seed), Sit()
    perform(driver, skill, 1.1)
    soon = near(0.16, 0.46, 1.0)
    perform(driver, skill, 2.0)
    return soon and near(0.16, 0.46, 1.0), skill.duration


def lies(seed: int) -> tuple[bool, float]:
    perform(start(seed), LieDown(), 3.2)
    return near(0.12, 0.15, 0.15), 2.2


def _stands(driver: Driver) -> tuple[bool, float]:
    begin = SIM.time
    done = perform(driver, StandUp(), 3.0)
    took = SIM.time - begin
    driver.step(2.0)
    return done and near(0.46, 0.46, 0.2), took


def stands_from_sitting(seed: int) -> tuple[bool, float]:
    driver = start(seed)
    perform(driver, Sit(), 1.6)
    return _stands(driver)


def stands_from_lying(seed: int) -> tuple[bool, float]:
    driver = start(seed)
    perform(driver, LieDown(), 3.2)
    return _stands(driver)


def trots_from_sitting(seed: int) -> tuple[bool, float]:
    driver = start(seed)
    perform(driver, Sit(), 1.4)
    begin = SIM.time
    perform(driver, StandUp(), 3.0)
    perform(driver, Stand(), 0.5)
    let_go(driver)
    took = SIM.time - begin
    driver.command(speed=1.0)
    driver.step(2.5)
    return not SIM.fallen, took


def gets_up(seed: int) -> tuple[bool, float]:
    driver = on_side(seed, 1.0 if seed % 2 else -1.0)
    begin = SIM.time
    done = perform(driver, GetUp(), 10.0)
    took = SIM.time - begin
    driver.step(2.0)
    return done and near(0.46, 0.46, 0.3), took


def after_a_push(seed: int) -> tuple[bool, float]:
    driver = start(seed)
    driver.command(speed=1.0)
    driver.step(1.5 + 0.03 * seed)
    yaw = SIM.heading
    SIM.push(PUSH * np.array([np.cos(yaw), 0.0, -np.sin(yaw)]), PUSHED)
    driver.step(0.5)
    begin = SIM.time
    perform(driver, Limp(), 1.0)
    done = perform(driver, GetUp(), 10.0)
    took = SIM.time - begin
    driver.command(speed=1.0)
    driver.step(2.0)
    return done and not SIM.fallen, took


TRIALS: list[tuple[str, Callable[[int], tuple[bool, float]]]] = [
    ("sits, and stays", sits),
    ("lies down", lies),
    ("stands up from sitting", stands_from_sitting),
    ("stands up from lying", stands_from_lying),
    ("trots from sitting", trots_from_sitting),
    ("gets up from a side", gets_up),
    ("gets up after a push, and trots", after_a_push),
]


def postures(times: int) -> list[list[str]]:
    """Successes from so many starts that differ, and how long it took."""
    rows = []
    for name, trial in TRIALS:
        found = [trial(seed) for seed in range(times)]
        took = [seconds for good, seconds in found if good]
        rows.append([name, f"{len(took)} of {times}", f"{np.mean(took):.1f}" if took else "-"])
    return rows
