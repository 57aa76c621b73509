"""How a body rises and falls with its steps: as if every foot carried a mass of its own and threw it from step to step.

While it stands, a foot pushes with a force that rises and falls like half a sine wave, on the average of a cycle just
as much as the weight. The height that follows is a sum of waves, of which four are kept.
"""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel
from locomote.math.constants import GRAVITY
from locomote.math.vector import Floats

WAVES = 4
_EVEN = 1e-3  # of 2 k duty from 1, within which the limit is taken


@inline
def strength(k: int, duty: float, cosine: float) -> float:
    """How strong the k-th wave of a foot's force is, over its weight; ``cosine`` is that of k pi duty."""
    off = 1.0 - (2.0 * k * duty) ** 2
    if abs(off) < 2.0 * _EVEN:
        return 0.5 * math.pi
    return 2.0 * cosine / off


@inline
def heave(turns: float, duty: float, period: float) -> float:
    """Metres above its mean of the mass of one foot, so many turns of its cycle after the middle of the stance."""
    return thrown(turns, duty, math.cos(math.pi * duty), period)


@inline
def thrown(turns: float, duty: float, push: float, period: float) -> float:
    """`heave` with the cosine of pi times the duty, which many feet share."""
    wave, before, pushed = math.cos(2.0 * math.pi * turns), 1.0, 1.0
    twice_wave, twice_push = 2.0 * wave, 2.0 * push
    unit = period / (2.0 * math.pi)
    height = 0.0
    for k in range(1, WAVES + 1):
        height -= strength(k, duty, push) * wave / (k * k)
        wave, before = twice_wave * wave - before, wave
        push, pushed = twice_push * push - pushed, push
    return height * GRAVITY * unit * unit


@kernel
def heave_all(turns: Floats, duties: Floats, periods: Floats, out: Floats) -> None:
    """`heave` for many feet."""
    for n in range(len(turns)):
        out[n] = heave(turns[n], duties[n], periods[n])
