"""The common timeline of a jump unit, and how the reference that carries it travels over the floor.

Lengths are in hip heights and times in ``sqrt(hip height / g)`` throughout, so that bodies of every size share one
model: gravity is 1 in these units.
"""

from __future__ import annotations

import numpy as np

from locomote.math.constants import GRAVITY
from locomote.rotations import FloatArray

SAMPLES = 51  # poses in a unit, both ends included
U_OFF = 0.35  # the last foot leaves the floor
U_LAND = 0.55  # the first foot touches it again
# Over these times the reference of a standing jump starts before toe-off and stops after touch-down; 0.42 s on hips
# 0.9 m high. With them it goes about as fast as the body in flight and stays near the pelvis.
PUSH = 1.4
SETTLE = 1.4


def time_unit(hip_height: float) -> float:
    """Seconds in one unit of time for hips ``hip_height`` metres high."""
    return float(np.sqrt(hip_height / GRAVITY))


def nodes() -> FloatArray:
    """Where the poses of a unit lie on its timeline."""
    return np.linspace(0.0, 1.0, SAMPLES)


def times(u: FloatArray, support: float, flight: float, landing: float) -> FloatArray:
    """The time since the start at places ``u`` of the timeline; it stretches each of the three phases."""
    ends = np.cumsum([0.0, support, flight, landing])
    out: FloatArray = np.interp(u, [0.0, U_OFF, U_LAND, 1.0], ends)
    return out


def standing_speed(length: float, flight: float, push: float = PUSH, settle: float = SETTLE) -> float:
    """The speed in flight of the reference of a standing jump that goes ``length`` in all."""
    return length / (0.5 * push + flight + 0.5 * settle)


def standing_travel(
    t: FloatArray, length: float, support: float, flight: float, push: float = PUSH, settle: float = SETTLE
) -> FloatArray:
    """How far the reference of a standing jump has come at times ``t`` since the start."""
    speed = standing_speed(length, flight, push, settle)
    pushed = (t - support + push) / push
    settled = (t - support - flight) / settle
    flown = np.clip(t - support, 0.0, flight)
    return speed * (push * _area(pushed) + flown + settle * (np.clip(settled, 0.0, 1.0) - _area(settled)))


def _area(x: FloatArray) -> FloatArray:
    """The integral of ``3 x^2 - 2 x^3`` from 0 to x, for x within 0 and 1."""
    x = np.clip(x, 0.0, 1.0)
    out: FloatArray = x**3 - 0.5 * x**4
    return out
