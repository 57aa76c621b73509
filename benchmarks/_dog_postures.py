"""How often a simulated dog that is told so sits, lies, stands up, trots from sitting, and gets up after a fall."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from locomote import rotations as rot
from locomote.physics._animal import Animal
from locomote.physics._animal_build import FRICTION
from locomote.physics._gait_library import GaitLibrary
from locomote.physics._getting_up import Limp
from locomote.physics._one_dog import OneDog, Place
from locomote.physics._repertoire import make_skill

NOISE = 0.03  # rad of every joint at the start
BALL, HINGE = 1, 3
PUSH, PUSHED = 900.0, 0.2  # N sideways, s
LONGEST = 15.0  # s for which anything is waited for

DOG = OneDog(Animal.of("dog"), GaitLibrary.default(), None, FRICTION)
SIM = DOG.simulation


def start(seed: int, speed: float = 0.0) -> None:
    """Stand somewhere, with joints moved a little, and go for a while where a speed is given."""
    random = np.random.default_rng(seed)
    DOG.driver.command(speed=0.0)
    DOG.begin(Place(0.0, 0.0, random.uniform(-3.0, 3.0)), 0.0)
    places = SIM.data.qpos
    for at, kind in zip(SIM.model.jnt_qposadr, SIM.model.jnt_type, strict=True):
        if kind == HINGE:
            places[at] += random.uniform(-NOISE, NOISE)
        elif kind == BALL:
            places[at : at + 4] = rot.multiply(places[at : at + 4], rot.exp(random.uniform(-NOISE, NOISE, 3)))
    SIM.mujoco.mj_forward(SIM.model, SIM.data)
    DOG.advance(600 + int(random.uniform(0.0, 200.0)))
    if speed:
        DOG.driver.command(speed=speed)
        DOG.advance(3000 + int(random.uniform(0.0, 500.0)))


def on_side(seed: int, side: float) -> None:
    """Lie on the right side (1) or the left (-1), legs anywhere, limp for a second."""
    random = np.random.default_rng(seed)
    DOG.driver.command(speed=0.0)
    DOG.begin(Place(0.0, 0.0, 0.0), 0.0)
    turn = rot.multiply(rot.from_yaw(random.uniform(-3.0, 3.0)), rot.exp([0.0, 0.0, 0.5 * np.pi * side]))
    SIM.data.qpos[3:7], SIM.data.qpos[1] = turn, 0.15
    for angles, joints in zip(SIM.body.leg_angles, SIM.body.leg_joints, strict=True):
        hip = slice(angles[0], angles[0] + 4)
        SIM.data.qpos[hip] = rot.multiply(SIM.data.qpos[hip], rot.exp(random.uniform(-0.5, 0.5, 3) * [1.0, 0.3, 0.5]))
        SIM.data.qpos[angles[1]] = np.clip(random.uniform(-0.6, 0.6), *SIM.model.jnt_range[joints[1]])
        SIM.data.qpos[angles[2:]] = random.uniform(-0.4, 0.4, 3)
    SIM.mujoco.mj_forward(SIM.model, SIM.data)
    DOG.do("limp", Limp(1.0))
    until(lambda: DOG.skill_name != "limp")


def until(so: Callable[[], bool]) -> float:
    """s that go by until something is so."""
    begin = SIM.time
    while not so() and SIM.time < begin + LONGEST:
        DOG.advance(10)
    return SIM.time - begin


def tell(name: str) -> None:
    """Have it begin a skill; who goes comes to rest before."""
    DOG.do(name, make_skill(name, {}))
    until(lambda: DOG.about == name)


def near(hips: float, shoulders: float, tilt: float) -> bool:
    return bool(np.all(np.abs(SIM.heights - [hips, shoulders]) < 0.03) and SIM.tilt < tilt)


def sits(seed: int, speed: float = 0.0) -> tuple[bool, float]:
    start(seed, speed)
    tell("sit")
    DOG.advance(1100)
    soon = near(0.16, 0.46, 1.0)
    DOG.advance(2000)
    return soon and near(0.16, 0.46, 1.0), 1.0


def sits_out_of_a_trot(seed: int) -> tuple[bool, float]:
    return sits(seed, 1.0 if seed % 2 else 2.2)


def lies(seed: int) -> tuple[bool, float]:
    start(seed)
    tell("lie")
    DOG.advance(3200)
    return near(0.12, 0.15, 0.15), 2.2


def _stands() -> tuple[bool, float]:
    tell("stand")
    took = until(lambda: DOG.skill is None)
    DOG.advance(2000)
    return took < 3.0 and near(0.46, 0.46, 0.2), took


def stands_from_sitting(seed: int) -> tuple[bool, float]:
    start(seed)
    tell("sit")
    DOG.advance(1600)
    return _stands()


def stands_from_lying(seed: int) -> tuple[bool, float]:
    start(seed)
    tell("lie")
    DOG.advance(3200)
    return _stands()


def trots_from_sitting(seed: int) -> tuple[bool, float]:
    start(seed)
    tell("sit")
    DOG.advance(1400)
    tell("stand")
    DOG.driver.command(speed=1.0)
    took = until(lambda: DOG.skill is None)
    DOG.advance(2500)
    return DOG.falls == 0 and not SIM.fallen and SIM.speed > 0.7, took


def gets_up(seed: int) -> tuple[bool, float]:
    on_side(seed, 1.0 if seed % 2 else -1.0)
    DOG.do("stand", make_skill("stand", {}))
    took = until(lambda: DOG.about == "standing")
    DOG.advance(2000)
    return took < 10.0 and near(0.46, 0.46, 0.3), took


def after_a_push(seed: int) -> tuple[bool, float]:
    start(seed)
    DOG.driver.command(speed=1.0)
    DOG.advance(1500 + 30 * seed)
    yaw = SIM.heading
    SIM.push(PUSH * np.array([np.cos(yaw), 0.0, -np.sin(yaw)]), PUSHED)
    DOG.advance(1000)
    took = until(lambda: DOG.about == "going")
    DOG.advance(2000)
    return took < LONGEST and DOG.about == "going", took


TRIALS: list[tuple[str, Callable[[int], tuple[bool, float]]]] = [
    ("sits, and stays", sits),
    ("sits, told so in a trot of 1.0 and 2.2 m/s", sits_out_of_a_trot),
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
        found = []
        for seed in range(times):
            DOG.falls = 0
            found.append(trial(seed))
        took = [seconds for good, seconds in found if good]
        rows.append([name, f"{len(took)} of {times}", f"{np.mean(took):.1f}" if took else "-"])
    return rows
