"""How a simulated animal in the air comes down: legs pulled in, led down, caught softly, brought to rest or let go."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from locomote import rotations as rot
from locomote.math.constants import GRAVITY
from locomote.physics._driving import CHUNK, Driver
from locomote.physics._getting_up import folded
from locomote.physics._kernels import animal_model as am
from locomote.physics._simulation import Simulation
from locomote.physics._skills import let_go
from locomote.physics._squaring import Squaring
from locomote.physics._stances import FRAME_OF
from locomote.physics._throwing import (
    FELT,
    STANDS_AT,
    Whole,
    calm_back,
    hold_gait,
    let_fall,
    measured,
    plant,
    standing,
    stands_at,
    throw,
    turns_of,
    upright,
)
from locomote.rotations import FloatArray

SWINGS = 2.5  # m/s at which feet are led in the air
LEG, AHEAD = 0.44, 0.02  # m from hips to the feet of legs in the air that are not pulled in; and before the hips
LEVELS, LEAST_LEG = 0.6, 0.26  # share of a difference of heights that legs make up for, and m that they are at least
SPREADS, MOST_REACH = 0.12, 0.2  # m that feet land wider than their hips, and ahead of them at most
LONGEST = 2.0  # s in the air
CAUGHT, SLOWLY = 0.35, 1.4  # s after its first feet landed in which all do, and m/s at which it sinks no faster then
SOFT = 0.4  # stiffness of legs that land
RESTS, OVER = 8.0, 0.05  # 1/s at which it comes to rest, and m before the middle of its feet, where it does
BRAKES, FIRMLY = 3.0, 0.1  # m/s2 at most, and s before which it does not step
STILL, SWAYS, RISES, RESTED = 0.3, 0.6, 0.3, 0.8  # m/s and rad/s at rest; m/s too fast to step; s after which it steps
GAIT, GOES_ON, SLOWEST, FASTEST = "trot", 0.6, 0.3, 1.8  # how it goes on, if it does: s, m/s at least and at most


class Flight:
    """From the air to the ground, and on: ``fly``, ``land``, ``settle``, and ``go`` where it is too fast to stop."""

    def __init__(self, tuck: float, reach: float) -> None:
        self.tuck, self.reach = tuck, reach  # share of the legs' length; s ahead of the hips
        self.stage, self.time, self.begun = "fly", 0.0, 0.0
        self.feet: dict[int, FloatArray] = {}  # where they are led, from their hips
        self.speed = 0.0  # m/s at which it goes on
        self.squaring: Squaring | None = None

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Ask for the next moment; False when it rests, or goes on."""
        stages = {"fly": self._fly, "land": self._land, "settle": self._settle, "square": self._square, "go": self._go}
        if self.stage != "fly" and driver.simulation.fallen:
            return False
        goes_on = stages[self.stage](driver, self.time - self.begun)
        if goes_on and self.stage != "go":
            calm_back(driver.simulation)
        self.time += dt
        return goes_on

    def _begin(self, stage: str) -> None:
        self.stage, self.begun = stage, self.time

    def _fly(self, driver: Driver, t: float) -> bool:
        sim = driver.simulation
        sim.asked.stiff[:3] = 1.0
        if float(sim.state.speeds[:, 1].mean()) > 0.0:
            for leg in range(am.FEET):
                self._lead(sim, leg, np.array([0.0, -LEG * (1.0 - self.tuck), AHEAD]) * sim.animal.length)
            return t < LONGEST
        self._reach(sim, range(am.FEET))
        if np.any(sim.views.touch > FELT) and t > 0.0:
            self._begin("land")
            return self._land(driver, 0.0)
        return t < LONGEST

    def _lead(self, sim: Simulation, leg: int, goal: FloatArray) -> None:
        """Lead a foot in the air to a place from its hip, m in the axes of its frame, as fast as feet go."""
        if leg not in self.feet:
            away = sim.feet[leg] - sim.data.xpos[sim.body.links[leg, am.THIGH]]
            self.feet[leg] = rot.rotate(rot.inverse(turns_of(sim)[FRAME_OF[leg]]), away)
        off = goal - self.feet[leg]
        self.feet[leg] = self.feet[leg] + off * min(SWINGS * CHUNK / max(float(np.linalg.norm(off)), 1e-9), 1.0)
        x, y, z = self.feet[leg].tolist()
        sim.asked.legs[leg] = am.POSED, *folded(sim, leg, (x, y, z), 0.0)

    def _reach(self, sim: Simulation, legs: Iterable[int]) -> None:
        """Lead feet down, ahead of their hips by what the body goes."""
        heading, turns = rot.from_yaw(sim.heading), turns_of(sim)
        heights = sim.data.xpos[sim.body.links[:, am.THIGH], 1]
        tips = rot.rotate(turns, np.array([1.0, 0.0, 0.0]))[list(FRAME_OF), 1]
        heights = heights + tips * np.copysign(SPREADS, sim.body.hips[:, 0])
        for leg in legs:
            frame = FRAME_OF[leg]
            folds = LEVELS * float(heights.max() - heights[leg])  # so that all land together, even if it is tilted
            v = rot.rotate(rot.inverse(heading), sim.state.speeds[frame])
            ahead = float(np.clip(self.reach * v[2], -MOST_REACH, MOST_REACH)) + sim.body.under[leg]
            down = np.array([0.0, -max(LEG - folds, LEAST_LEG) * sim.animal.length, ahead])
            goal = rot.rotate(rot.multiply(rot.inverse(turns[frame]), heading), down)
            # Not against a roll: legs are as heavy as the trunk, and would roll it further aside.
            goal[0] = np.copysign(SPREADS, sim.body.hips[leg, 0])
            self._lead(sim, leg, goal)

    def _land(self, driver: Driver, t: float) -> bool:
        """Feet that touch stand, on soft legs, as long as hips and shoulders sink fast."""
        sim = driver.simulation
        touches = sim.views.touch > FELT
        params = hold_gait(driver)
        sim.asked.speed[:] = np.clip(sim.speed, 0.0, FASTEST), 0.0
        sim.asked.stiff[2] = SOFT
        for leg in range(am.FEET):
            if touches[leg] and sim.asked.legs[leg, 0] != am.BY_GAIT:
                plant(sim, leg)
        self._reach(sim, [leg for leg in range(am.FEET) if sim.asked.legs[leg, 0] != am.BY_GAIT])
        self._catch(sim, params)
        pairs = np.any(touches[:2]) and np.any(touches[2:])
        if (pairs and measured(sim).speed[1] > -SLOWLY) or t > CAUGHT:
            self._begin("settle")
        return True

    def _settle(self, driver: Driver, t: float) -> bool:
        """On all feet it comes to rest; who is too fast for that, or has lost its feet, goes on."""
        sim = driver.simulation
        whole, away = self._catch(sim, hold_gait(driver))
        falls = whole.speed[2] * np.sqrt(STANDS_AT / GRAVITY) > float(away[:, 2].max())  # beyond its fore feet
        steady = abs(float(whole.speed[1])) < RISES
        rests = float(np.abs(whole.speed).max()) < STILL and float(np.abs(whole.spins).max()) < SWAYS
        if (rests and t > FIRMLY) or (falls and steady and t > FIRMLY) or t > RESTED:
            if not falls:
                self.squaring = Squaring(sim)
                self._begin("square")
                return True
            let_fall(sim)
            let_go(driver)
            self._resume(driver)
            self._begin("go")
        return True

    def _catch(self, sim: Simulation, params: FloatArray) -> tuple[Whole, FloatArray]:
        whole = measured(sim)
        away = rot.rotate(rot.from_yaw(-sim.heading), sim.feet - whole.place)
        stands = standing(sim)
        high = stands_at(sim, whole, np.flatnonzero(stands).tolist()) if stands.any() else STANDS_AT
        off = away[stands if stands.any() else slice(None)].mean(axis=0) + np.array([0.0, high, OVER])
        if not stands.all():
            off[[0, 2]] = 0.0
        faster = RESTS**2 * off - 2.0 * RESTS * whole.speed
        faster[2] = np.clip(faster[2], -BRAKES, BRAKES)  # harder would lift its hind feet
        throw(sim, params, whole, faster, upright(whole))
        sim.asked.thrust[:, 4] = 0.0  # damping is welcome
        return whole, away

    def _square(self, driver: Driver, t: float) -> bool:
        """Its feet go under its hips, one after the other."""
        assert self.squaring is not None
        if self.squaring.prepare(driver, CHUNK):
            return True
        let_fall(driver.simulation)
        let_go(driver)
        return False

    def _resume(self, driver: Driver) -> None:
        """Go on with a gait: the fore foot that is farthest back swings first."""
        sim = driver.simulation
        self.speed = float(np.clip(sim.speed, SLOWEST, FASTEST))
        driver.goal, driver.standing = self.speed, False
        driver.gait = GAIT if GAIT in driver.library.gaits else driver.gait
        driver.begin()
        along = rot.rotate(rot.from_yaw(-sim.heading), sim.feet)[:2, 2]
        sim.state.clock[0] = driver.now[0][int(np.argmin(along)), 0]

    def _go(self, driver: Driver, t: float) -> bool:
        """Some steps as fast as it landed; who would stand at once would fall over its feet."""
        driver.held = self.speed if t < GOES_ON else None
        driver.prepare(CHUNK)
        return t < GOES_ON
