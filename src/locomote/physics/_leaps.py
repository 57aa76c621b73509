"""Leaps of a simulated animal (QUA-24): it gathers its feet, crouches, is launched, flies, lands and goes on.

The launch is a closed loop: every moment the forces under the feet are those that would bring the whole body to the
speed, pitch and spin that are wanted at take-off, wherever its feet are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.math.constants import GRAVITY
from locomote.physics._driving import CHUNK, Driver
from locomote.physics._kernels import animal_model as am
from locomote.physics._landing import Flight
from locomote.physics._simulation import Simulation
from locomote.physics._stances import FRAME_OF, smooth
from locomote.physics._throwing import FELT, STANDS_AT, hold_gait, let_fall, measured, plant, throw, upright
from locomote.rotations import FloatArray

STRENGTH = 2.0  # times the torque that joints give when it goes
HOLDS, BOWS = 12.0, 10.0  # 1/s: how quickly its place is held while it loads, and its pitch brought to what is wanted
LEVELS = 20.0  # 1/s: how quickly it stops to roll, when it goes: what is left goes on in the air
DROPS = 6.0  # m/s2 at most, downwards: who falls freely cannot keep its balance
NEARLY, LATE = 0.02, 0.25  # m above its crouch, from where it is launched, and s after which in any case
CREEPS, WAITS, FRESH = 0.3, 1.0, 0.2  # m/s from which it gathers its feet; s for which it waits; of a stance
WIDER, LIFTS, SEEKS, MISSED = 0.2, 0.06, 0.02, 0.08  # of the hips' width; m; m; s: how feet are gathered
SLIDES = 0.2  # what a slide aside counts at take-off: who goes a little aside still lands, who rolls does not
SOONEST = 0.03  # s to take-off below which nothing is asked more sharply
LEAVES, SHOT = 0.03, 0.5  # s of a launch before it may be in the air, and at most
PAIRED = 0.5  # of the speed at take-off from which one foot of a pair does not push alone: it would roll the body
TOES = 0.3  # rad that metapodia are turned when it leaves the ground
PAIRS = ((0, 3), (1, 2))  # diagonal feet


class Launch(NamedTuple):
    """The 16 numbers of a leap: m, s, m/s, rad and factors."""

    crouch: float = 0.2  # of the centre of mass, while it loads
    lean: float = 0.05  # ahead of the middle of its feet, where it is launched out of a stand
    loads: float = 0.3
    up: float = 3.0  # at take-off
    forward: float = 0.5
    pitch: float = 0.2  # nose up, at take-off
    lands: float = 0.0  # and when it lands
    leaves: float = 0.0  # above its stand, where it leaves the ground
    neck: float = 1.5  # stiffness of neck, spine and legs
    spine: float = 3.0
    legs: float = 0.7
    tuck: float = 0.3  # of the length of the legs
    reach: float = 0.07  # feet are put down where the hips will be then
    fore: float = 0.1  # ahead of their hips, where feet are gathered out of a gait
    hind: float = 0.1
    gathers: float = 0.13  # for a step of those


LOW = Launch(0.05, -0.15, 0.10, 0.5, -0.5, -0.3, -1.0, -0.06, 1.0, 1.0, 0.3, 0.0, 0.0, -0.1, -0.1, 0.08)
HIGH = Launch(0.25, 0.2, 0.4, 5.0, 5.0, 1.0, 1.0, 0.06, 5.0, 6.0, 2.0, 0.7, 0.2, 0.3, 0.3, 0.25)


class Leap:
    """One leap, out of a stand or out of a trot; it comes to rest where it lands, or goes on if it is too fast."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.time, self.begun = 0.0, 0.0
        self.own = "wait"  # stage up to take-off
        self.flight: Flight | None = None
        self.pairs: list[tuple[int, int]] = []  # feet that are still to step together
        self.steps: dict[int, FloatArray] = {}  # feet that step, and where they come from
        self.stepped = 0.0  # s when they began to
        self.speed = 0.0  # m/s with which it came

    @property
    def stage(self) -> str:
        """``wait``, ``load``, ``launch``, and those of `Flight`."""
        return self.own if self.flight is None else self.flight.stage

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Ask for the next moment; False when it has landed."""
        stages = {"wait": self._wait, "load": self._load, "launch": self._launch}
        if self.flight is None:
            goes_on = stages[self.own](driver, self.time - self.begun)
        if self.flight is not None:
            goes_on = self.flight.prepare(driver, dt)
        self.time += dt
        return goes_on and driver.simulation.sound

    def _begin(self, stage: str) -> None:
        self.own, self.begun = stage, self.time

    def _wait(self, driver: Driver, t: float) -> bool:
        """Out of a gait it begins when one diagonal pair of feet has just landed, and the other has left the ground."""
        sim, asked = driver.simulation, driver.simulation.asked
        if abs(sim.speed) > CREEPS:
            self.pairs = steps_of(sim)
            if not self.pairs and t < WAITS:
                driver.prepare(CHUNK)
                return True
            self.speed = sim.speed
        self._begin("load")
        asked.legs[:], asked.frames[:], asked.stiff[:] = 0.0, 0.0, 1.0
        asked.yaw[:], asked.strength[0] = (sim.heading, sim.heading, 0.0), STRENGTH
        return self._load(driver, 0.0)

    def _gather(self, sim: Simulation, t: float) -> None:
        """Two quick steps of diagonal pairs, that bring all feet under the body."""
        given, heading = self.launch, rot.from_yaw(sim.heading)
        if not self.steps and self.pairs:
            self.steps, self.stepped = {leg: sim.feet[leg] for leg in self.pairs.pop(0)}, t
        t -= self.stepped
        share = min(t / given.gathers, 1.0)
        for leg, origin in list(self.steps.items()):
            if (sim.views.touch[leg] > FELT and share > 0.6) or t > given.gathers + MISSED:
                plant(sim, leg)
                del self.steps[leg]
                continue
            frame = FRAME_OF[leg]
            ahead = (given.fore if frame == am.FRONT else given.hind) + sim.body.under[leg]
            hip = sim.data.xpos[sim.body.links[leg, am.THIGH]] + (given.gathers - t) * sim.state.speeds[frame]
            goal = hip + rot.rotate(heading, np.array([WIDER * sim.body.hips[leg, 0], 0.0, ahead]))
            goal[1] = sim.asked.ground[leg, 1] - (0.0 if share < 1.0 else SEEKS)
            place = origin + smooth(share) * (goal - origin)
            place[1] += LIFTS * np.sin(np.pi * share)
            sim.asked.legs[leg, :4] = am.REACHES, *place

    def _load(self, driver: Driver, t: float) -> bool:
        """Feet gather and stay; the body goes down, and leans forward where it stands."""
        sim, given, whole = driver.simulation, self.launch, measured(driver.simulation)
        params = hold_gait(driver)
        self._gather(sim, t)
        share = min(t / given.loads, 1.0)
        high = STANDS_AT - given.crouch * smooth(share) + floor_of(sim) - float(whole.place[1])
        low = STANDS_AT - given.crouch + floor_of(sim) - whole.place[1] > -NEARLY
        if share == 1.0 and not self.steps and not self.pairs and (low or self.speed or t > given.loads + LATE):
            self._begin("launch")
            return self._launch(driver, 0.0)
        self._stiffen(sim, smooth(share))
        off = rot.rotate(rot.from_yaw(-sim.heading), sim.feet.mean(axis=0) - whole.place)
        off[1:] = high, off[2] + given.lean * smooth(share)
        goes = np.array([0.0, -6.0 * share * (1.0 - share) * given.crouch / given.loads, self.speed])
        if self.speed:
            off[[0, 2]], goes[0] = 0.0, whole.speed[0]
        faster = HOLDS**2 * off + 2.0 * HOLDS * (goes - whole.speed)
        faster[1] = max(faster[1], -DROPS)
        throw(sim, params, whole, faster, upright(whole), SLIDES)
        return True

    def _stiffen(self, sim: Simulation, share: float) -> None:
        given = self.launch
        sim.asked.stiff[:3] = 1.0 + share * (np.array([given.neck, given.spine, given.legs]) - 1.0)

    def _launch(self, driver: Driver, t: float) -> bool:
        sim, given, whole = driver.simulation, self.launch, measured(driver.simulation)
        params = hold_gait(driver)
        top = STANDS_AT + given.leaves + floor_of(sim)
        way, rises = max(top - float(whole.place[1]), 0.0), float(whole.speed[1])
        if (t > LEAVES and not np.any(sim.views.touch > FELT)) or way == 0.0 or t > SHOT:
            let_fall(sim)
            self.flight = Flight(given.tuck, given.reach)
            return True
        push = max((given.up**2 - rises**2) / (2.0 * max(way, 0.5 * SOONEST * given.up)), 0.0)
        left = max((given.up - rises) / max(push, 1.0), SOONEST)  # s
        faster = (np.array([0.0, 0.0, given.forward]) - whole.speed) / left
        faster[0] = 0.0
        # The pitch comes to what is wanted at take-off from where the spin that is wanted in the air would have it now.
        spin = (given.lands - given.pitch) / flight_time(given)
        turning = upright(whole)
        turning[2] = -(LEVELS**2) * whole.angles[2] - 2.0 * LEVELS * whole.spins[2]
        bows = spin * left - given.pitch - whole.angles[0]
        turning[0] = BOWS**2 * bows - 2.0 * BOWS * (spin + whole.spins[0])
        throw(sim, params, whole, np.array([faster[0], push, faster[2]]), turning, SLIDES, rises > PAIRED * given.up)
        sim.asked.thrust[:, 3] = TOES * (1.0 - min(way / max(given.crouch + given.leaves, 0.01), 1.0))
        return True


def steps_of(sim: Simulation) -> list[tuple[int, int]]:
    """The pairs of feet that are to step before a leap; none where a trot has no window for one at this moment."""
    stands = (sim.views.touch > FELT) & (sim.state.modes[:, 0] == 1)
    fresh = stands & (sim.state.legs[:, am.PHASE] < 1.0 + FRESH)
    for pair, other in (PAIRS, PAIRS[::-1]):
        if fresh[list(pair)].all() and not stands[list(other)].any():
            return [other, pair]
    return []


def flight_time(launch: Launch) -> float:
    """s in the air, about."""
    return float(launch.up + np.sqrt(launch.up**2 + 2.0 * GRAVITY * max(launch.leaves + 0.05, 0.0))) / GRAVITY


def floor_of(sim: Simulation) -> float:
    """Height of the feet that touch the ground, m; of the lowest where none does."""
    feet, touches = sim.feet[:, 1], sim.views.touch > FELT
    return float(feet[touches].mean() if touches.any() else feet.min())


def launch_of(values: FloatArray) -> Launch:
    """Numbers within their bounds, as a launch."""
    return Launch(*np.clip(values, LOW, HIGH))
