"""Sectors of gait disks: where they begin and end at a speed, and where the needle is among them."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.creatures._kernels.model import GaitArrays
from locomote.creatures._kernels.state import DURATION, START
from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Pair


class GaitKnot(NamedTuple):
    """A gait at a speed: the knot at or below it, and the share of the next one."""

    gait: int
    below: int
    share: float


@inline
def turned(x: float) -> float:
    """A number of turns brought into [0, 1)."""
    rest = x - math.floor(x)
    return 0.0 if rest >= 1.0 else rest


@part
def inside(needle: float, sectors: Floats) -> int:
    """Which sector ``(K, 2)`` holds the needle, -1 for none."""
    for k in range(len(sectors)):
        if sectors[k, 1] > 0.0 and turned(needle - sectors[k, 0]) < sectors[k, 1]:
            return k
    return -1


@part
def until_start(needle: float, sectors: Floats) -> float:
    """Turns from the needle to the next start of a sector; 1 without any."""
    least = 1.0
    for k in range(len(sectors)):
        if sectors[k, 1] > 0.0:
            least = min(least, turned(sectors[k, 0] - needle))
    return least


@inline
def gait_at(speed: float, gait: int, gaits: GaitArrays) -> GaitKnot:
    """A gait at a speed."""
    speeds = gaits.speeds[gait]
    below = 0
    while below < len(speeds) - 2 and speeds[below + 1] <= speed:
        below += 1
    if len(speeds) < 2 or not speeds[below + 1] > speeds[below]:
        return GaitKnot(gait, below, 0.0)
    share = min(1.0, max(0.0, (speed - speeds[below]) / (speeds[below + 1] - speeds[below])))
    return GaitKnot(gait, below, share)


@inline
def value_at(at: GaitKnot, table: Floats) -> float:
    """A value of a gait that is given at every knot ``(G, M)``, interpolated."""
    low: float = table[at.gait, at.below]
    return low if at.share == 0.0 else low + at.share * (table[at.gait, at.below + 1] - low)


@inline
def life_at(at: GaitKnot, k: int, gaits: GaitArrays) -> float:
    """How much of one of the motions of the body there is in a gait, by its number."""
    low: float = gaits.lives[at.gait, at.below, k]
    return low if at.share == 0.0 else low + at.share * (gaits.lives[at.gait, at.below + 1, k] - low)


@part
def sector_at(at: GaitKnot, foot: int, k: int, sectors: Floats) -> Pair:
    """Start (not brought into one turn) and duration of a sector of a gait."""
    low = sectors[at.gait, at.below, foot, k]
    start, duration = low[START], low[DURATION]
    if at.share == 0.0:
        return start, duration
    high = sectors[at.gait, at.below + 1, foot, k]
    return start + at.share * (high[START] - start), duration + at.share * (high[DURATION] - duration)


@inline
def natural_gait(speed: float, gait: int, gaits: GaitArrays) -> int:
    """The gait for a signed speed, of those in natural order; the one that is gone is kept within its range."""
    count = len(gaits.natural)
    if count == 0:
        return gait
    gait = min(gait, count - 1)
    while gait < count - 1 and speed > gaits.natural[gait, 1]:
        gait += 1
    while gait > 0 and speed < gaits.natural[gait, 0]:
        gait -= 1
    return gait
