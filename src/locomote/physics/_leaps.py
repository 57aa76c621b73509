"""Leaps of a simulated animal out of a stand (QUA-24): it crouches, is launched, flies, lands and goes on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.physics._driving import CHUNK, Driver
from locomote.physics._gait_parameters import fitted, start_parameters
from locomote.physics._getting_up import folded
from locomote.physics._kernels import animal_model as am
from locomote.physics._simulation import Simulation
from locomote.physics._skills import feet_of, let_go
from locomote.physics._stances import FRAME_OF, smooth
from locomote.rotations import FloatArray

STRENGTH = 2.0  # times the torque that joints give when it goes
STIFFENS = 0.05  # s in which neck, spine and legs become stiff
REACHED_UP = 0.12  # m that legs are stretched beyond their stance when they launch
LEAVES, SHOT = 0.04, 0.15  # s after the hips are launched, and after that launch, when it may and must be in the air
SWINGS = 2.5  # m/s at which feet are led in the air
LEG, AHEAD = 0.44, 0.02  # m from hips to the feet of legs in the air that are not pulled in; and before the hips
REACHES_BY, MOST_REACH = 0.07, 0.2  # s: feet are put down where the hips will be then; m at most
LONGEST = 2.0  # s in the air
SETTLES, SINKS = 0.35, 0.2  # s after its first feet landed in which all do, and m/s at which it is caught
GAIT, GOES_ON, SLOWEST, FASTEST = "trot", 0.6, 0.3, 1.5  # how it goes on after it landed: s, m/s at least and at most


class Launch(NamedTuple):
    """The 16 numbers of a leap: m, s, N, rad and factors."""

    dip: float = 0.12  # of the shoulders while it loads
    lean: float = 0.02  # forward, while it loads
    loads: float = 0.3
    crouch: float = 0.12  # of the hips, until they are launched
    neck: float = 1.5  # stiffness of neck, spine and legs
    spine: float = 2.0
    legs: float = 0.7
    fore_up: float = 1000.0
    fore_forward: float = 0.0
    fore_seconds: float = 0.15
    delay: float = 0.08  # from the launch of the shoulders to that of the hips
    hind_up: float = 700.0
    hind_forward: float = 60.0
    hind_seconds: float = 0.16
    pitch: float = 0.2  # of the hips, nose up
    tuck: float = 0.4  # of the length of the legs


LOW = Launch(0.0, -0.1, 0.10, 0.0, 1.0, 1.0, 0.5, 0.0, -200.0, 0.03, 0.0, 0.0, -200.0, 0.03, -0.3, 0.0)
HIGH = Launch(0.2, 0.1, 0.4, 0.22, 5.0, 5.0, 3.0, 2000.0, 800.0, 0.25, 0.25, 2000.0, 1200.0, 0.25, 1.0, 0.7)


class Leap:
    """One leap out of a stand; afterwards it goes some steps, and then on as it was told to."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.stage, self.time, self.begun = "", 0.0, 0.0
        self.feet: dict[int, FloatArray] = {}  # in the air: where they are led
        self.speed = 0.0  # m/s that is asked for while its feet stand
        self.params = np.zeros(am.PARAMETERS)

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Ask for the next moment; False when it has landed and goes on."""
        if not self.stage:
            self._load(driver)
        stages = {
            "load": self._loading, "launch": self._launching, "fly": self._flying, "land": self._landing,
            "go": self._going,
        }  # fmt: skip
        goes_on = stages[self.stage](driver, self.time - self.begun)
        self.time += dt
        return goes_on and driver.simulation.sound

    def _begin(self, stage: str) -> None:
        self.stage, self.begun = stage, self.time

    def _load(self, driver: Driver) -> None:
        """Feet stay; the body goes down and leans forward."""
        sim, given = driver.simulation, self.launch
        self._begin("load")
        self.speed = given.lean / given.loads
        self.params = fitted(start_parameters(0.5), sim.animal)
        asked = sim.asked
        asked.legs[:], asked.frames[:], asked.stiff[:] = 0.0, 0.0, 1.0
        asked.frames[:, am.HOLDS :] = 1.0
        asked.yaw[2], asked.strength[0] = 0.0, STRENGTH
        sim.state.clock[0] = 0.0
        driver.now = np.zeros((am.FEET, 2)), self.params  # no foot swings

    def _loading(self, driver: Driver, t: float) -> bool:
        given, asked = self.launch, driver.simulation.asked
        asked.speed[:] = self.speed, 0.0
        share = smooth(t / given.loads)
        asked.frames[:, am.MORE_HEIGHT] = -given.crouch * share, -given.dip * share
        driver.simulation.state.clock[0] = 0.0
        if t > given.loads:
            self._begin("launch")
        return True

    def _launching(self, driver: Driver, t: float) -> bool:
        sim, given = driver.simulation, self.launch
        asked = sim.asked
        ramp = min(t / STIFFENS, 1.0)
        asked.stiff[:3] = 1.0 + ramp * (np.array([given.neck, given.spine, given.legs]) - 1.0)
        asked.frames[:, am.MORE_PITCH] = given.pitch * ramp
        self._thrust(sim, am.FRONT, t, (given.fore_up, given.fore_forward, given.fore_seconds), -given.dip)
        hind = given.hind_up, given.hind_forward, given.hind_seconds
        self._thrust(sim, am.REAR, t - given.delay, hind, -given.crouch)
        sim.state.clock[0] = 0.0
        if t > given.fore_seconds + 0.03 and not np.any(sim.views.touch[:2] > 1.0):
            self._tuck(sim, (0, 1))
        touches = bool(np.any(sim.views.touch > 1.0))
        if (t > given.delay + LEAVES and not touches) or t > given.delay + given.hind_seconds + SHOT:
            asked.frames[:, am.FORCE_FORWARD : am.HOLDS] = 0.0
            asked.frames[:, am.MORE_HEIGHT] = 0.0
            self._begin("fly")
        return True

    def _thrust(self, sim: Simulation, frame: int, t: float, push: tuple[float, float, float], before: float) -> None:
        """Forces on a frame for a while; its legs stretch."""
        up, forward, seconds = push
        row = sim.asked.frames[frame]
        on = float(np.clip((seconds - t) / 0.01, 0.0, 1.0)) if t >= 0.0 else 0.0
        row[am.FORCE_UP], row[am.FORCE_FORWARD] = on * up, on * forward
        if t >= 0.0:
            row[am.MORE_HEIGHT] = before + (REACHED_UP - before) * min(t / max(0.5 * seconds, 0.02), 1.0)

    def _lead(self, sim: Simulation, leg: int, goal: FloatArray) -> None:
        """Lead a foot in the air to a place from its hip, m in the axes of its frame, as fast as feet go."""
        if leg not in self.feet:
            link = sim.body.frames[FRAME_OF[leg]]
            away = feet_of(sim)[leg] - sim.data.xpos[sim.body.links[leg, am.THIGH]]
            self.feet[leg] = rot.rotate(rot.inverse(_turn(sim, int(link))), away)
        off = goal - self.feet[leg]
        self.feet[leg] = self.feet[leg] + off * min(SWINGS * CHUNK / max(float(np.linalg.norm(off)), 1e-9), 1.0)
        x, y, z = self.feet[leg].tolist()
        sim.asked.legs[leg] = am.POSED, *folded(sim, leg, (x, y, z), 0.0)

    def _tuck(self, sim: Simulation, legs: Iterable[int]) -> None:
        """Pull legs in."""
        for leg in legs:
            self._lead(sim, leg, np.array([0.0, -LEG * (1.0 - self.launch.tuck), AHEAD]) * sim.animal.length)

    def _flying(self, driver: Driver, t: float) -> bool:
        sim, asked = driver.simulation, driver.simulation.asked
        if float(sim.state.speeds[:, 1].mean()) > 0.0 and t < LONGEST:
            self._tuck(sim, range(am.FEET))
            return True
        asked.frames[:, am.MORE_PITCH] = 0.0
        asked.stiff[:3] = 1.0
        self._reach(sim, range(am.FEET))
        if np.any(sim.views.touch > 1.0):
            self._begin("land")
        return t < LONGEST

    def _reach(self, sim: Simulation, legs: Iterable[int]) -> None:
        """Lead feet down, ahead of their hips by what the body goes."""
        heading = rot.from_yaw(sim.heading)
        for leg in legs:
            frame = FRAME_OF[leg]
            v = rot.rotate(rot.inverse(heading), sim.state.speeds[frame])
            ahead = float(np.clip(REACHES_BY * v[2], -MOST_REACH, MOST_REACH)) + sim.body.under[leg]
            down = np.array([0.0, -LEG * sim.animal.length, ahead])
            turn = _turn(sim, int(sim.body.frames[frame]))
            self._lead(sim, leg, rot.rotate(rot.inverse(turn), rot.rotate(heading, down)))

    def _landing(self, driver: Driver, t: float) -> bool:
        """Feet that touch stand; when all have landed it goes on."""
        sim = driver.simulation
        touches = sim.views.touch > 1.0
        sim.state.clock[0] = 0.0
        sim.asked.speed[:] = np.clip(sim.speed, 0.0, max(driver.goal, self.speed)), 0.0
        standing = sim.asked.legs[:, 0] == am.BY_GAIT
        for leg in range(am.FEET):
            if touches[leg] and not standing[leg]:
                sim.asked.legs[leg] = 0.0
                sim.state.modes[leg] = 1, 0, am.BY_GAIT
                sim.state.legs[leg, am.PHASE] = 1.0
        self._reach(sim, [leg for leg in range(am.FEET) if sim.asked.legs[leg, 0] != am.BY_GAIT])
        pairs = np.any(touches[:2]) and np.any(touches[2:])
        caught = bool(np.all(sim.state.speeds[:, 1] > -SINKS))
        if (pairs and caught) or t > SETTLES:
            let_go(driver)
            self._resume(driver)
            self._begin("go")
        return True

    def _going(self, driver: Driver, t: float) -> bool:
        """Some steps as fast as it landed; who would stand at once would fall over its feet."""
        driver.held = self.speed if t < GOES_ON else None
        driver.prepare(CHUNK)
        return t < GOES_ON

    def _resume(self, driver: Driver) -> None:
        """Go on with a gait: the fore foot that is farthest back swings first."""
        sim = driver.simulation
        self.speed = float(np.clip(sim.speed, SLOWEST, FASTEST))
        driver.goal, driver.standing = self.speed, False
        driver.gait = GAIT if GAIT in driver.library.gaits else driver.gait
        driver.begin()
        along = rot.rotate(rot.from_yaw(-sim.heading), feet_of(sim))[:2, 2]
        sim.state.clock[0] = driver.now[0][int(np.argmin(along)), 0]


def _turn(sim: Simulation, link: int) -> FloatArray:
    """The rotation of a body from rest."""
    return np.asarray(rot.multiply(sim.data.xquat[link], rot.inverse(sim.body.rest[link])))


def launch_of(values: FloatArray) -> Launch:
    """Numbers within their bounds, as a launch."""
    return Launch(*np.clip(values, LOW, HIGH))
