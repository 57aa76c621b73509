"""Going in bursts, as lizards and beetles do: at rest, off, at full speed for a while, to rest again.

The share of the full speed is a wave from 0 to 1 and back, with rests and spells at full speed of random lengths
between. What is drawn depends on the seed, the creature and how many bursts it has made, and on nothing else: any
steps of time give the same wave.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

WAVES = (0.6, 2.5)  # s of rising and falling together
RESTS = (0.1, 1.5)  # s at rest
HOLDS = (0.2, 2.0)  # s at full speed

_DRAWS = 4  # numbers drawn for each burst: rest, wave, hold, and one for the caller

BoolArray = npt.NDArray[np.bool_]
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
