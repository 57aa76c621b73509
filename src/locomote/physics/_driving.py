"""Driving a simulated animal: which gait at which speed, how one becomes another, and where it heads (QUA-17, 18, 32)."""

from __future__ import annotations

import numpy as np

from locomote.errors import LocomoteError
from locomote.physics._gait_library import GaitLibrary, blended
from locomote.physics._kernels import animal_model as am
from locomote.physics._simulation import Simulation
from locomote.rotations import FloatArray

CHUNK = 0.01  # s after which speed, gait and heading are looked at again
AHEAD = 0.5  # m/s by which the speed that is asked for may differ from the one that there is
STILL = 0.12  # m/s below which it stands
TURNING = 1.0  # rad/s at most
# Natural gaits by rising speed: name, and m/s below and above which it is left.
NATURAL = (("walk", -np.inf, 1.5), ("trot", 1.25, 2.4), ("canter", 2.15, 3.5), ("gallop", 3.2, np.inf))


class Driver:
    """Leads an animal by a speed and a turn rate, with gaits of a library."""

    def __init__(self, simulation: Simulation, library: GaitLibrary | None = None) -> None:
        self.simulation, self.library = simulation, library or GaitLibrary.default()
        self.speed, self.turn_rate = 0.0, 0.0  # m/s and rad/s that are asked for
        self.locked: str | None = None  # a gait that is to be kept
        self.gait = next(iter(self.library.gaits))
        self.now: tuple[FloatArray, FloatArray] = self.library[self.gait].at(0.0)
        self.standing = True

    def command(self, speed: float | None = None, turn_rate: float | None = None, gait: str | None = None) -> None:
        """Ask for a speed (m/s), a turn rate (rad/s, to the left) and a gait ("auto" lets it choose)."""
        for what, value in (("speed", speed), ("turn_rate", turn_rate)):
            if value is not None and not np.isfinite(value):
                raise LocomoteError(f"{what}: expected a finite number, got {value}")
        if gait is not None and gait != "auto":
            self.library[gait]
        self.speed = self.speed if speed is None else float(speed)
        self.turn_rate = self.turn_rate if turn_rate is None else float(np.clip(turn_rate, -TURNING, TURNING))
        if gait is not None:
            self.locked = None if gait == "auto" else gait

    def step(self, seconds: float) -> None:
        """Let time pass."""
        sim = self.simulation
        for _ in range(max(1, round(seconds / CHUNK))):
            self.prepare(CHUNK)
            sim.advance(round(CHUNK * 1000.0), *self.now)

    def prepare(self, dt: float) -> None:
        """Choose the gait, the speed and the heading for the next moment."""
        sim, asked = self.simulation, self.simulation.asked
        goal = float(np.clip(self.speed, sim.speed - AHEAD, sim.speed + AHEAD))
        self.standing = abs(self.speed) < STILL and abs(sim.speed) < 2.0 * STILL and not self.turn_rate
        asked.speed[:] = goal, 0.0
        asked.yaw[2] = self.turn_rate
        asked.yaw[am.FRONT] += self.turn_rate * dt
        length = float(np.linalg.norm(sim.frames[1] - sim.frames[0]))
        lag = length / max(abs(sim.speed), 0.5)
        asked.yaw[am.REAR] += (asked.yaw[am.FRONT] - asked.yaw[am.REAR]) * min(dt / lag, 1.0)
        asked.legs[:, 0] = am.STANDS if self.standing else am.BY_GAIT
        self._choose(goal)

    def _choose(self, goal: float) -> None:
        if self.locked is not None:
            self.gait = self.locked
        else:
            names = [row for row in NATURAL if row[0] in self.library.gaits]
            at = next((k for k, row in enumerate(names) if row[0] == self.gait), 0)
            if goal > names[at][2] and at + 1 < len(names):
                self.gait = names[at + 1][0]
            elif goal < names[at][1] and at > 0:
                self.gait = names[at - 1][0]
        wanted = self.library[self.gait].at(goal)
        self.now = blended(self.now, wanted, CHUNK / (0.3 + CHUNK))
