"""A damped spring told by times: how soon it is still, and how much it swings on the way."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

STILL = 0.05  # share of the first error that counts as settled
_BENT = 0.9  # damping from which the law of settling goes straight to its value at critical damping


@dataclass(frozen=True)
class Spring:
    """A spring of unit mass: ``rate`` in rad/s (the root of its stiffness); from ``damping`` 1 on it does not swing."""

    rate: float
    damping: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.rate) and self.rate > 0.0):
            raise LocomoteError(f"a spring's rate must be positive, got {self.rate}")
        if not 0.0 < self.damping <= 1.0:
            raise LocomoteError(f"a spring's damping must lie above 0 and at most at 1, got {self.damping}")

    @classmethod
    def settling(cls, seconds: float = 0.5, damping: float = 0.5, mode: str = "safe") -> Spring:
        """A spring that, let go at rest, stays within 5 % of its first error after some time or sooner.

        >>> round(Spring.settling(0.5, damping=1.0).rate, 2)
        9.49

        Parameters
        ----------
        seconds : of that time
        damping : ratio, 1 critical
        mode : "safe", or "source": the envelope of light damping alone, up to 58 % late near critical damping
        """
        _check(seconds, damping)
        if mode == "source":
            return cls(-math.log(STILL) / (damping * seconds), damping)
        if mode != "safe":
            raise LocomoteError(f"a spring settles by mode 'safe' or 'source', not {mode!r}")
        bent = min(damping, _BENT)
        turns = -math.log(STILL * math.sqrt(1.0 - bent * bent)) / bent
        return cls(_towards_critical(turns, damping, STILL) / seconds, damping)

    @classmethod
    def half_life(cls, seconds: float, damping: float = 1.0) -> Spring:
        """A spring whose swings halve in some time; at critical damping, half its error is gone by then.

        Parameters
        ----------
        seconds, damping : in which they halve, and the ratio, 1 critical
        """
        _check(seconds, damping)
        turns = math.log(2.0) / min(damping, _BENT)
        return cls(_towards_critical(turns, damping, 0.5) / seconds, damping)

    def transition(self, dt: float) -> FloatArray:
        """The exact step over ``dt``: the matrix ``(2, 2)`` that brings (offset, velocity) on, for any ``dt``."""
        decay = math.exp(-self.damping * self.rate * dt)
        swinging = self.rate * math.sqrt(1.0 - self.damping * self.damping)
        slow = swinging * dt
        # sin(w dt) / w: near critical damping w is too small to divide by.
        sine = dt * (1.0 - slow * slow / 6.0) if slow < 1e-4 else math.sin(slow) / swinging
        cosine, drag = math.cos(slow), self.damping * self.rate * sine
        return decay * np.array([[cosine + drag, sine], [-self.rate * self.rate * sine, cosine - drag]])


def _towards_critical(turns: float, damping: float, left: float) -> float:
    """Rate times seconds: ``turns`` up to the bend, then straight to what critical damping needs."""
    if damping <= _BENT:
        return turns
    critical = -math.log(left)
    for _ in range(60):  # (1 + x) exp(-x) = left
        critical = math.log1p(critical) - math.log(left)
    return turns + (critical - turns) * (damping - _BENT) / (1.0 - _BENT)


def _check(seconds: float, damping: float) -> None:
    if not (math.isfinite(seconds) and seconds > 0.0):
        raise LocomoteError(f"a spring's time must be positive, got {seconds}")
    if not 0.0 < damping <= 1.0:
        raise LocomoteError(f"a spring's damping must lie above 0 and at most at 1, got {damping}")
