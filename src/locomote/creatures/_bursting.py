"""Creatures of a crowd that go in bursts: off and to rest again, another gait each time if theirs are at random."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote._arguments import Rows
from locomote.creatures._bursts import Bursts
from locomote.creatures._creature import Creature
from locomote.creatures._kernels import gait_layout as g
from locomote.creatures._kernels import layout as c
from locomote.creatures._queries import BoolArray
from locomote.creatures._random_gaits import random_gait
from locomote.rotations import FloatArray

POOL = 8  # gaits at random among which a new one is taken at every rest
RANDOM = "random"
_STUCK = 0.5  # share of feet without a way at which a creature stops, and is left alone


class Bursting:
    """Speeds that come in bursts; `Crowd` has all of this."""

    creature: Creature
    _rows: FloatArray
    _gait_rows: FloatArray
    _feet: FloatArray
    _random: np.random.Generator
    _bursts: Bursts | None = None
    _bursting: BoolArray
    _full: FloatArray  # m/s, at which each goes in the middle of a burst
    _burst_speeds: FloatArray  # m/s, that were asked for last

    def _pack(self) -> None:
        raise NotImplementedError

    def _set_bursts(self, rows: Rows, on: bool) -> None:
        """Let some creatures go in bursts up to the speed they were told, or evenly again."""
        if self._bursts is None:
            if not on:
                return
            self._bursts = Bursts(len(self._rows), int(self._random.integers(2**62)))
            self._bursting = np.zeros(len(self._rows), dtype=np.bool_)
            self._full = self._rows[:, c.WANTED_SPEED].copy()
            self._burst_speeds = self._full.copy()
        off = rows[self._bursting[rows]] if not on else rows[:0]
        self._rows[off, c.WANTED_SPEED] = self._full[off]
        new = rows[~self._bursting[rows]] if on else rows[:0]
        self._full[new] = self._burst_speeds[new] = self._rows[new, c.WANTED_SPEED]
        self._bursting[rows] = on

    def _told_speeds(self, rows: Rows) -> None:
        """Take the speeds that were just written as the full ones."""
        if self._bursts is not None:
            self._full[rows] = self._burst_speeds[rows] = self._rows[rows, c.WANTED_SPEED]

    def _burst(self, dt: float) -> None:
        """Give those who go in bursts their speed of the moment."""
        if self._bursts is None:
            return
        factors = self._bursts.step(dt)
        state, on = self._rows, self._bursting
        # Who finds a way of its own writes its speed anew in every step.
        steered = on & (state[:, c.WANTED_SPEED] != self._burst_speeds)
        self._full[steered] = state[steered, c.WANTED_SPEED]
        state[on, c.WANTED_SPEED] = (self._full * factors)[on]
        self._burst_speeds[on] = state[on, c.WANTED_SPEED]
        free = on & (state[:, c.STUCK] < _STUCK * self._feet.shape[1])
        state[free, c.SPEED] = state[free, c.WANTED_SPEED]
        if dt > 0.0:
            self._change_random_gaits(on & self._bursts.began)

    def _change_random_gaits(self, who: BoolArray) -> None:
        """Give those who rest and go by a gait at random another one."""
        names = np.array([gait.name for gait in self.creature.gaits.gaits])
        by_chance = np.char.startswith(names, RANDOM)[self._gait_rows[:, g.WANTED].astype(int)]
        rows = np.flatnonzero(who & by_chance & (self._rows[:, c.AUTO_GAIT] == 0.0))
        if not len(rows) or self._bursts is None:
            return
        if f"{RANDOM} {POOL}" not in names:
            for k in range(POOL):
                drawn = random_gait(self.creature.gaits.gaits[0].feet, self._random)
                self.creature = self.creature.with_gait(replace(drawn, name=f"{RANDOM} {k + 1}"))
            self._pack()
        first = self.creature.gaits.index(f"{RANDOM} 1")
        self._gait_rows[rows, g.WANTED] = first + self._bursts.choices(POOL)[rows]
        self._gait_rows[rows, g.TRANSITION] = 0.0
