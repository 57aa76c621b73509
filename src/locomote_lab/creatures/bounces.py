"""The bounce of a body, worked out from a gait alone: each foot carries a mass of its own from step to step.

Two ways to push are known. With a *steady* push every foot throws its mass so high that it comes back in time, and what
follows is made of parabolas; `throw` steps it through time. A *springy* push rises and falls like half a sine wave,
as legs do, and is what creatures are moved with.
"""

from __future__ import annotations

import math

import numpy as np

from locomote.errors import LocomoteError
from locomote.math.constants import GRAVITY
from locomote.rotations import ArrayLike, FloatArray

HARDEST = 40.0  # m/s2 that a foot pushes in `throw`, at most over its weight


def steady_bounce(turns: ArrayLike, duty: float, period: float) -> FloatArray:
    """Metres above the height of lift-off of the mass of one foot that pushes steadily, turns after it."""
    swing, stance = _times(duty, period)
    time = np.asarray(turns, dtype=np.float64) % 1.0 * period
    since = time - swing
    aloft = 0.5 * GRAVITY * time * (swing - time)
    standing = -0.5 * GRAVITY * (swing / stance) * since * (stance - since)
    return np.where(time < swing, aloft, standing)


def steady_mean(duty: float, period: float) -> float:
    """The mean of `steady_bounce` over a cycle."""
    swing, stance = _times(duty, period)
    return GRAVITY * swing * (swing - stance) / 12.0


def springy_bounce(turns: ArrayLike, duty: float, period: float) -> FloatArray:
    """Metres above its mean of the mass of one foot that pushes like a spring, turns after the middle of its stance."""
    from locomote.creatures._kernels.bounce import heave_all

    asked = np.asarray(turns, dtype=np.float64)
    _times(duty, period)
    flat = np.ascontiguousarray(asked.ravel())
    out = np.empty_like(flat)
    heave_all(flat, np.full_like(flat, duty), np.full_like(flat, period), out)
    return out.reshape(asked.shape)


def throw(duty: float, period: float, dt: float, cycles: int = 20) -> FloatArray:
    """Heights of the last cycle of a mass that one foot catches and throws again, stepped through time.

    In the first half of its stance the foot stops the fall, in the second it throws the mass so that it is back at
    the height 0 when the foot lands again.
    """
    swing, stance = _times(duty, period)
    height, speed = 0.0, 0.5 * GRAVITY * swing
    steps = round(period / dt)
    out = np.empty(steps)
    for cycle in range(cycles):
        for k in range(steps):
            since = k * dt - swing
            push = 0.0
            if since >= 0.5 * stance:  # propulsion
                left = max(stance - since, dt)
                wanted = (-height - 0.5 * speed * left + 0.5 * GRAVITY * swing**2) / (swing + 0.5 * left)
                push = GRAVITY + (wanted - speed) / left
            elif since >= 0.0:  # reception
                push = GRAVITY - speed / max(0.5 * stance - since, dt)
            speed += dt * (min(max(push, 0.0), GRAVITY + HARDEST) - GRAVITY)
            height += dt * speed
            if cycle == cycles - 1:
                out[k] = height
    return out


def _times(duty: float, period: float) -> tuple[float, float]:
    """Seconds of swing and stance."""
    if not (0.0 < duty < 1.0 and period > 0.0 and math.isfinite(period)):
        raise LocomoteError(f"duty {duty}, period {period}: expected a share between 0 and 1, and seconds")
    return (1.0 - duty) * period, duty * period
