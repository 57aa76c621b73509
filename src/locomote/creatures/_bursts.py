"""Going in bursts, as lizards and beetles do: at rest, off, at full speed for a while, to rest again.

The share of the full speed is a wave from 0 to 1 and back, with rests and spells at full speed of random lengths
between. What is drawn depends on the seed, the creature and how many bursts it has made, and on nothing else: any
steps of time give the same wave. Whose gaits are at random has another one in each burst.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from locomote._arguments import Rows
from locomote.creatures._creature import Creature
from locomote.creatures._queries import BoolArray
from locomote.creatures._random_gaits import random_gait
from locomote.errors import LocomoteError
from locomote.math.records import Records
from locomote.rotations import FloatArray

WAVES = (0.6, 2.5)  # s of rising and falling together
RESTS = (0.1, 1.5)  # s at rest
HOLDS = (0.2, 2.0)  # s at full speed
POOL = 8  # gaits at random among which a new one is taken at every rest
RANDOM = "random"
_STUCK = 0.5  # share of feet without a way at which a creature stops, and is left alone

_DRAWS = 4  # numbers drawn for each burst: rest, wave, hold, and one for the caller

Whole = npt.NDArray[np.uint64]


class Bursts:
    """The bursts of ``count`` creatures. A burst is a rest, a rise, a spell at full speed and a fall."""

    def __init__(self, count: int, seed: int = 0) -> None:
        if count < 1:
            raise LocomoteError(f"count {count}: bursts are for at least one creature")
        self._seed = np.array([seed % 2**64], dtype=np.uint64)
        self._numbers = np.arange(count, dtype=np.uint64)
        self._made = np.zeros(count, dtype=np.uint64)  # bursts behind each
        self._time = np.zeros(count)  # s into the present one
        self._spans = np.zeros((count, 3))  # s of its rest, its wave and its hold
        self._draw(np.ones(count, dtype=np.bool_))
        self._began = np.zeros(count, dtype=np.bool_)

    def __len__(self) -> int:
        return len(self._time)

    def _draw(self, who: BoolArray) -> None:
        spans = np.array([RESTS, WAVES, HOLDS])
        drawn = np.stack([self._uniform(k)[who] for k in range(3)], axis=1)
        self._spans[who] = spans[:, 0] + drawn * (spans[:, 1] - spans[:, 0])

    def _uniform(self, which: int) -> FloatArray:
        """A number in [0, 1) for each creature, one of several for its present burst."""
        return np.asarray(self._hashed(which) >> np.uint64(11), dtype=np.float64) / 2.0**53

    def _hashed(self, which: int) -> Whole:
        """Well mixed bits of seed, creature, burst and which of its numbers is meant."""
        with np.errstate(over="ignore"):  # whole numbers wrap around
            bits = _mixed(self._seed + np.uint64(0x9E3779B97F4A7C15))
            bits = _mixed(bits + self._numbers)
            return _mixed(bits + np.uint64(_DRAWS) * self._made + np.uint64(which))

    def step(self, dt: float) -> FloatArray:
        """Advance by ``dt`` seconds; the share of its full speed for each creature ``(N,)``, 0 to 1."""
        if not 0.0 <= dt < math.inf:
            raise LocomoteError(f"dt {dt}: expected seconds, 0 or more")
        self._time += dt
        self._began[:] = False
        while True:
            over = self._time >= self._spans.sum(axis=1)
            if not over.any():
                break
            self._time[over] -= self._spans[over].sum(axis=1)
            self._made[over] += np.uint64(1)
            self._began |= over
            self._draw(over)
        return self.factors

    @property
    def factors(self) -> FloatArray:
        """The share of its full speed for each creature now ``(N,)``."""
        rest, wave, hold = self._spans.T
        rising = (self._time - rest) / (0.5 * wave)
        falling = (self._time - rest - 0.5 * wave - hold) / (0.5 * wave)
        up = 0.5 - 0.5 * np.cos(np.pi * np.clip(rising, 0.0, 1.0))
        down = 0.5 + 0.5 * np.cos(np.pi * np.clip(falling, 0.0, 1.0))
        return np.asarray(np.minimum(up, down), dtype=np.float64)

    @property
    def began(self) -> BoolArray:
        """Who came to rest in the last step and began a new burst ``(N,)``: the time for another gait."""
        return self._began.copy()

    def choices(self, count: int) -> npt.NDArray[np.int64]:
        """One of ``count`` things for each creature ``(N,)``, another one in every burst."""
        return np.asarray(self._hashed(3) % np.uint64(count), dtype=np.int64)


def _mixed(bits: Whole) -> Whole:
    """Each whole number thoroughly mixed: numbers in a row become as good as random."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


class Bursting:
    """Speeds that come in bursts; `Crowd` has all of this."""

    creature: Creature
    _rows: Records
    _gait_rows: Records
    _feet: Records
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
            self._full = self._rows["wanted_speed"].copy()
            self._burst_speeds = self._full.copy()
        off = rows[self._bursting[rows]] if not on else rows[:0]
        self._rows["wanted_speed"][off] = self._full[off]
        new = rows[~self._bursting[rows]] if on else rows[:0]
        self._full[new] = self._burst_speeds[new] = self._rows["wanted_speed"][new]
        self._bursting[rows] = on

    def _told_speeds(self, rows: Rows) -> None:
        """Take the speeds that were just written as the full ones."""
        if self._bursts is not None:
            self._full[rows] = self._burst_speeds[rows] = self._rows["wanted_speed"][rows]

    def _burst(self, dt: float) -> None:
        """Give those who go in bursts their speed of the moment."""
        if self._bursts is None:
            return
        factors = self._bursts.step(dt)
        wanted, on = self._rows["wanted_speed"], self._bursting
        # Who finds a way of its own writes its speed anew in every step.
        steered = on & (wanted != self._burst_speeds)
        self._full[steered] = wanted[steered]
        wanted[on] = (self._full * factors)[on]
        self._burst_speeds[on] = wanted[on]
        free = on & (self._rows["stuck"] < _STUCK * self._feet.shape[1])
        self._rows["speed"][free] = wanted[free]
        if dt > 0.0:
            self._change_random_gaits(on & self._bursts.began)

    def _change_random_gaits(self, who: BoolArray) -> None:
        """Give those who rest and go by a gait at random another one."""
        names = np.array([gait.name for gait in self.creature.gaits.gaits])
        by_chance = np.char.startswith(names, RANDOM)[self._gait_rows["wanted"]]
        rows = np.flatnonzero(who & by_chance & ~self._rows["auto_gait"])
        if not len(rows) or self._bursts is None:
            return
        if f"{RANDOM} {POOL}" not in names:
            for k in range(POOL):
                drawn = random_gait(self.creature.gaits.gaits[0].feet, self._random)
                self.creature = self.creature.with_gait(replace(drawn, name=f"{RANDOM} {k + 1}"))
            self._pack()
        first = self.creature.gaits.index(f"{RANDOM} 1")
        self._gait_rows["wanted"][rows] = first + self._bursts.choices(POOL)[rows]
        self._gait_rows["transition"][rows] = 0.0
