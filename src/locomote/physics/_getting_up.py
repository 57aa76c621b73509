"""Falling and getting up of a simulated animal (QUA-30): limp first, then rolled onto its chest, then on its feet."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.physics._driving import Driver
from locomote.physics._gait_parameters import start_parameters
from locomote.physics._kernels import animal_model as am
from locomote.physics._kernels.animal_joints import level_ankle
from locomote.physics._kernels.animal_legs import leg_angles
from locomote.physics._postures import FLAT, LOW_HIPS, Movement, Stand, StandUp
from locomote.physics._simulation import Simulation
from locomote.physics._stances import FRAME_OF, LEFT, STILL_PERIOD, smooth
from locomote.rotations import FloatArray

LIMP = 0.5  # s
UP = np.array([0.0, 1.0, 0.0])
ONE = (1.0, 0.0, 0.0, 0.0)

# Legs while it rolls: how far feet are below the hips, m; how far legs are turned out to the upper side, rad from
# straight down: at least, at most more, for a rad of lean, and for a rad/s at which the lean shrinks.
OUT = 0.132
ASIDE, MORE_ASIDE, BY_LEAN, BY_RATE = 1.178, 0.342, 5.49, 0.121
READY = 0.14  # rad from upright at which the lower legs are brought to their side
AHEAD, DROP = 0.494, -0.042  # m: where feet of the lower legs pass, along the trunk, which is then free to roll
SPREAD, UNDER, FORE, HIND = 0.01, -0.123, 0.223, 0.127  # m: feet of one that lies on its chest, from their hips
GATHER, ROLL, REACH, TURN, PLANT, FOLD, REST = 0.3, 1.0, 0.186, 0.093, 0.22, 0.482, 0.25  # s of the stages
FIRM, SOFT_NECK, SOFT_TAIL = 1.759, 0.018, 0.1  # stiffness; a neck that holds the head would roll the chest away
CALM, CALM_FOR = 0.1, 0.5  # m/s of its frames and s of standing after which it is on its feet
LIFTED_HEAD = 0.4  # stiffness of the neck before it rises
UPRIGHT = 0.5  # rad within which it lies on its chest
LEVEL, RESTS, WAITS = 0.15, 0.12, 1.0  # rad and m/s within which it rests there, and s that it waits for that


class Limp:
    """What a fall does: no forces, joints that only brake, for half a second."""

    def __init__(self, seconds: float = LIMP) -> None:
        self.seconds, self.time = seconds, 0.0
        self.angles: FloatArray | None = None  # from the beginning: angles that change would be followed

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Ask for nothing; False when it has lain long enough."""
        asked = driver.simulation.asked
        still(driver)
        self.angles = joint_angles(driver.simulation) if self.angles is None else self.angles
        asked.legs[:, 0], asked.legs[:, 1:] = am.POSED, self.angles
        asked.stiff[:] = 0.0
        self.time += dt
        return self.time < self.seconds


class GetUp:
    """From any side, or after a fall, onto the chest and then on its feet.

    Legs are pulled in and turned to the upper side: their weight rolls the trunk, which is round. Once it is upright
    the lower legs pass along the trunk to their own side, all four fold under it, and it stands up.
    """

    def __init__(self) -> None:
        self.stage, self.time, self.begun = "", 0.0, 0.0
        self.side = 1.0  # 1: it lies on its left
        self.start, self.rolls = np.zeros((am.FEET, 7)), np.zeros(2)
        self.rise: Movement | None = None

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Ask for the next moment; False when it stands."""
        sim = driver.simulation
        if self.rise is not None:
            if np.all(np.abs(rolls_of(sim)) < 1.5 * UPRIGHT):
                return self._rise(driver, dt)
            self.rise, self.stage = None, ""  # it tipped over on the way
        now = rolls_of(sim)
        if not self.stage:
            self.rolls = now
            upright = bool(np.all(np.abs(now) < UPRIGHT))
            self._begin("fold" if upright else "gather", joint_angles(sim))
        rates = (now - self.rolls) / dt
        self.rolls = now
        still(driver)
        folds = self.stage == "fold" and bool(np.all(np.abs(now) < UPRIGHT))
        head = smooth((self.time - self.begun - FOLD) / REST) if folds else 0.0  # it lifts its head when it lies
        sim.asked.stiff[:] = SOFT_NECK + LIFTED_HEAD * head, 1.0, FIRM, 1.0, SOFT_TAIL
        angles = self._angles(sim, rates)
        sim.asked.legs[:, 0], sim.asked.legs[:, 1:] = am.POSED, angles
        self.time += dt
        rests = float(np.abs(sim.state.speeds).max()) < RESTS and bool(np.all(np.abs(now) < LEVEL))
        self._next(angles, rests)
        return True

    def _rise(self, driver: Driver, dt: float) -> bool:
        """From the chest on its feet, and stand there until it is calm."""
        assert self.rise is not None
        if self.rise.prepare(driver, dt):
            calm = float(np.abs(driver.simulation.state.speeds).max()) < CALM
            return not (isinstance(self.rise, Stand) and self.rise.time > CALM_FOR and calm)
        self.rise = Stand()
        return True

    def _begin(self, stage: str, angles: FloatArray) -> None:
        self.stage, self.begun, self.start = stage, self.time, angles.copy()
        if stage == "gather":
            self.side = 1.0 if self.rolls.mean() < 0.0 else -1.0

    def _angles(self, sim: Simulation, rates: FloatArray) -> FloatArray:
        """Angles of the legs in this moment of the stage."""
        t = self.time - self.begun
        pulled = np.array([folded(sim, leg, (0.0, -OUT, 0.02), 0.0) for leg in range(am.FEET)])
        if self.stage == "gather":
            return self.start + smooth(t / GATHER) * (pulled - self.start)
        chest = np.array([folded(sim, leg, _under(leg), FLAT) for leg in range(am.FEET)])
        if self.stage == "fold":
            return self.start + smooth(t / FOLD) * (chest - self.start)
        lean = -self.side * (self.rolls + BY_RATE * rates)
        more = ASIDE + np.clip(BY_LEAN * lean, 0.0, MORE_ASIDE)
        for leg, frame in enumerate(FRAME_OF):
            pulled[leg, 4] = -self.side * more[frame] - self.rolls[frame]
        if self.stage == "roll":
            return self.start + smooth(t / 0.1) * (pulled - self.start)
        for leg in (0, 2) if self.side > 0.0 else (1, 3):
            if self.stage == "pass":
                along = folded(sim, leg, (0.0, DROP, AHEAD), FLAT)
                pulled[leg] = self.start[leg] + smooth(t / REACH) * (along - self.start[leg])
                turn = smooth((t - 0.8 * REACH) / TURN)
                pulled[leg, 4] = self.start[leg, 4] + turn * (along[4] - self.start[leg, 4])
            else:
                pulled[leg] = self.start[leg] + smooth(t / PLANT) * (chest[leg] - self.start[leg])
        return pulled

    def _next(self, angles: FloatArray, rests: bool) -> None:
        """Go on to another stage when this one is over; who is to rise ``rests`` on its chest before."""
        t = self.time - self.begun
        lean = float(np.max(-self.side * self.rolls))
        if self.stage == "gather" and t > GATHER:
            self._begin("roll", angles)
        elif self.stage == "roll" and lean < READY:
            self._begin("pass", angles)
        elif self.stage == "roll" and t > ROLL:
            self._begin("gather", angles)
        elif self.stage == "pass" and t > 0.8 * REACH + TURN:
            self._begin("plant", angles)
        elif self.stage == "plant" and t > PLANT:
            self._begin("fold", angles)
        elif self.stage == "fold" and t > FOLD + REST:
            if not np.all(np.abs(self.rolls) < UPRIGHT):
                self._begin("gather", angles)
            elif rests or t > FOLD + REST + WAITS:
                self.rise = StandUp()


class Rise:
    """Stand up: from sitting or lying, or from wherever it fell."""

    def __init__(self) -> None:
        self.way: StandUp | GetUp | None = None

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Ask for the next moment; False when it stands."""
        if self.way is None:
            down = bool(np.any(np.abs(rolls_of(driver.simulation)) > UPRIGHT))
            if not down and float(driver.simulation.heights.min()) > LOW_HIPS:
                return False  # it is on its feet
            self.way = GetUp() if down else StandUp()
        return self.way.prepare(driver, dt)


class Recover:
    """After a fall: lie as it fell, then get up."""

    def __init__(self) -> None:
        self.limp, self.up = Limp(), GetUp()

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Ask for the next moment; False when it is on its feet."""
        if self.limp.time < self.limp.seconds:
            return self.limp.prepare(driver, dt) or True
        return self.up.prepare(driver, dt)


def still(driver: Driver) -> None:
    """Ask for no forces of frames, and a heading as it is."""
    sim = driver.simulation
    driver.now = driver.now[0], start_parameters(STILL_PERIOD)
    sim.asked.speed[:], sim.asked.bend[:], sim.asked.frames[:], sim.asked.legs[:] = 0.0, 0.0, 0.0, 0.0
    sim.asked.yaw[:] = sim.heading, sim.heading, 0.0


def rolls_of(sim: Simulation) -> FloatArray:
    """How far hips and shoulders are rolled, rad: 0 upright, above 0 with the left side up."""
    turns = rot.multiply(sim.data.xquat[sim.body.frames], rot.inverse(sim.body.frame_rest))
    return np.arctan2(rot.rotate(turns, LEFT)[:, 1], rot.rotate(turns, UP)[:, 1])


def folded(sim: Simulation, leg: int, foot: tuple[float, float, float], rock: float) -> FloatArray:
    """What is asked of a posed leg whose foot is at a place from its hip, in the axes of its frame."""
    angles = leg_angles(sim.body, ONE, (0.0, 0.0, 0.0), foot, rock, 0.0, leg)
    ankle, roll = level_ankle(ONE, angles, rock, 0.0)
    return np.array([roll, -rock, 0.0, *angles, ankle])


def _under(leg: int) -> tuple[float, float, float]:
    return SPREAD if leg % 2 == 0 else -SPREAD, UNDER, FORE if FRAME_OF[leg] == am.FRONT else HIND


def joint_angles(sim: Simulation) -> FloatArray:
    """The angles of the legs, as they are asked of posed ones, ``(4, 7)``."""
    body, found = sim.body, np.zeros((am.FEET, 7))
    for leg, frame in enumerate(FRAME_OF):
        links = [int(body.frames[frame]), int(body.links[leg, am.THIGH])]
        turns = rot.multiply(sim.data.xquat[links], rot.inverse(body.rest[links]))
        thigh = rot.multiply(rot.inverse(turns[0]), turns[1])
        down = rot.rotate(thigh, -UP)
        aside = float(np.arctan2(down[0], -down[1]))
        level = rot.rotate(rot.exp([0.0, 0.0, -aside]), down)
        hinges = [float(sim.data.qpos[at]) if at >= 0 else 0.0 for at in body.leg_angles[leg, 1:]]
        knee, ankle, roll, paw = hinges
        found[leg] = roll, paw, 0.0, np.arctan2(-level[2], -level[1]), aside, knee, ankle
    return found
