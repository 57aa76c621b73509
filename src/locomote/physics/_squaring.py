"""Feet that stand anywhere are brought under the hips, one after the other, while the other three carry the body."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.physics._driving import Driver
from locomote.physics._kernels import animal_model as am
from locomote.physics._simulation import Simulation
from locomote.physics._stances import FRAME_OF, smooth
from locomote.physics._throwing import FELT, Whole, hold_gait, measured, plant, standing, stands_at, throw, upright
from locomote.rotations import FloatArray

LEVEL = 0.04  # m by which the ground may be higher or lower where a foot steps to
NEAR = 0.06  # m from its place at which a foot stays
LEANS, INSIDE, WAITS = 10.0, 0.02, 0.3  # 1/s at which it goes over the feet that stay; m inside of them; s at most
STEPS, LIFTS, SEEKS, MISSED = 0.16, 0.05, 0.02, 0.1  # s, m, m below the ground where it is looked for, and s for that
BRAKES, LONGEST = 3.0, 1.2  # m/s2 at most, and s after which what is off stays so
UPSET, TILTED = 0.45, 0.45  # m/s along the ground and rad of roll at which it gives up: quick steps catch it then


class Squaring:
    """Brings all feet to where they stand at rest; the body rises meanwhile."""

    def __init__(self, sim: Simulation) -> None:
        away = rot.rotate(rot.from_yaw(-sim.heading), sim.feet)
        lies = np.stack([sim.body.hips[:, 0], np.zeros(am.FEET), sim.body.under], axis=1)
        along = rot.rotate(rot.from_yaw(-sim.heading), sim.frames)
        lies[:, 2] += np.where(np.array(FRAME_OF) == am.FRONT, 0.5, -0.5) * float(along[1, 2] - along[0, 2])
        lies += away.mean(axis=0) - lies.mean(axis=0)
        self.places = rot.rotate(rot.from_yaw(sim.heading), lies)
        if sim.ground is not None:  # no foot steps down, or up
            level = np.abs(sim.ground.heights(self.places) - sim.ground.heights(sim.feet)) < LEVEL
            self.places = np.where(level[:, None], self.places, sim.feet)
        self.leg: int | None = None  # that steps, or is about to
        self.origin: FloatArray | None = None  # from where it does
        self.time = 0.0  # s since it was chosen, or left the ground
        self.left = LONGEST

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Ask for the next moment; False when all feet are where they should be."""
        sim, whole = driver.simulation, measured(driver.simulation)
        params = hold_gait(driver)
        off = np.hypot(*(self.places - sim.feet)[:, [0, 2]].T)
        self.left -= dt
        if np.hypot(whole.speed[0], whole.speed[2]) > UPSET or abs(whole.angles[2]) > TILTED:
            return False
        if self.leg is None:
            if off.max() < NEAR or self.left < 0.0:
                return False
            self.leg, self.time = int(np.argmax(off)), 0.0
        self.time += dt
        if self.origin is None and self._is_free(sim, whole):
            self.origin, self.time = sim.feet[self.leg].copy(), 0.0
        if self.origin is not None:
            self._step(sim)
        self._carry(sim, whole, params)
        return True

    def _carry(self, sim: Simulation, whole: Whole, params: FloatArray) -> None:
        carries = [leg for leg in range(am.FEET) if leg != self.leg]
        off = rot.rotate(rot.from_yaw(-sim.heading), sim.feet[carries].mean(axis=0) - whole.place)
        off[1] += stands_at(sim, whole, carries)
        faster = LEANS**2 * off - 2.0 * LEANS * whole.speed
        faster[[0, 2]] = np.clip(faster[[0, 2]], -BRAKES, BRAKES)
        throw(sim, params, whole, faster, upright(whole))

    def _is_free(self, sim: Simulation, whole: Whole) -> bool:
        """Whether the body is over the other feet."""
        others = [leg for leg in range(am.FEET) if leg != self.leg]
        if self.time > WAITS:
            return True
        return bool(standing(sim)[others].all()) and _inside(sim.feet[others][:, [0, 2]], whole.place[[0, 2]]) > INSIDE

    def _step(self, sim: Simulation) -> None:
        leg, origin = self.leg, self.origin
        assert leg is not None
        assert origin is not None
        share = min(self.time / STEPS, 1.0)
        if (sim.views.touch[leg] > FELT and share > 0.6) or self.time > STEPS + MISSED:
            plant(sim, leg)
            self.leg = self.origin = None
            return
        place = origin + smooth(share) * (self.places[leg] - origin)
        floor = float(sim.asked.ground[leg, 0])  # it may hang in the air where it comes from
        place[1] = origin[1] + smooth(share) * (floor - origin[1]) + LIFTS * np.sin(np.pi * share)
        place[1] -= SEEKS if share == 1.0 else 0.0
        sim.asked.legs[leg, :4] = am.REACHES, *place


def _inside(corners: FloatArray, point: FloatArray) -> float:
    """m that a point is inside of a triangle, or less than 0."""
    sides = np.roll(corners, -1, axis=0) - corners
    normals = np.stack([-sides[:, 1], sides[:, 0]], axis=1) / np.linalg.norm(sides, axis=1)[:, None]
    away = np.einsum("kc,kc->k", normals, point - corners)
    third = np.einsum("kc,kc->k", normals, np.roll(corners, 1, axis=0) - corners)
    return float((away * np.sign(third)).min())
