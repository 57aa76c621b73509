"""What keeps creatures from being machines: no stride takes as long as the last, and no foot is quite in time.

The rhythm is slow noise that goes smoothly from one random number to the next, one in a few strides; every foot draws
a lateness of its own when it comes down. Only when feet swing is changed, never where they stand.
"""

from __future__ import annotations

import math

from locomote.creatures._kernels.state import StrideNoise
from locomote.math._compile import inline
from locomote.math.noise import normal

SLOW = 0.5  # random numbers a turn of the needle
TEMPO_SPREAD = 0.022  # of the period, standard deviation at the random numbers
# Turns by which a foot is late: those of pairs that carry half of the body each are well in time.
LATE_FEW, LATE_MANY = 0.006, 0.014
FEW = 4  # legs
_TEMPO, _LATE = 0, 8  # channels; feet have one each


@inline
def tempo(noise: StrideNoise) -> float:
    """By how much the period is longer now."""
    u = SLOW * noise.turns - noise.knot
    share = u * u * (3.0 - 2.0 * u)
    return 1.0 + noise.amount * TEMPO_SPREAD * (noise.tempo + share * (noise.next_tempo - noise.tempo))


@inline
def go_on(step: float, noise: StrideNoise) -> None:
    """The needle has gone on by so many turns."""
    noise.turns += step
    knot = math.floor(SLOW * noise.turns)
    if knot != noise.knot:
        noise.knot = knot
        noise.tempo = normal(noise.seed, _TEMPO, knot)
        noise.next_tempo = normal(noise.seed, _TEMPO, knot + 1)


@inline
def lateness(foot: int, feet: int, noise: StrideNoise) -> float:
    """Turns by which the next swing of a foot is late; below 0 early."""
    spread = LATE_FEW if feet <= FEW else LATE_MANY
    late: float = noise.amount * spread * normal(noise.seed, _LATE + foot, math.floor(noise.turns))
    return late
