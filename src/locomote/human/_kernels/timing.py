"""How often a walker steps and when its feet land and leave, by style, gait, speed and size."""

from __future__ import annotations

import math

from locomote.human._kernels.model import LEG_SHARE, REFERENCE_HIP_HEIGHT, Timing
from locomote.human._kernels.state import UNDER_WAY, Walker
from locomote.math._compile import inline, part
from locomote.math.vector import Floats


@part
def set_timing(row: Walker, weights: Floats, timing: Timing) -> None:
    """The frequency of the cycle and the phases of the feet's contacts, from the parameters."""
    # Bodies of different size move alike at the same Froude number.
    slow = math.sqrt(LEG_SHARE * REFERENCE_HIP_HEIGHT / row.leg.value)
    speed = row.stride_speed * slow
    frequency = a = b = c = d = 0.0
    for g in range(2):
        share = row.run.value if g == 1 else 1.0 - row.run.value
        if share <= 0.0:
            continue
        # Beyond its fastest speed a gait is not known.
        cell, t = cell_of(min(speed, timing.fastest[g]) / REFERENCE_HIP_HEIGHT, timing.speeds)
        for k in range(timing.table.shape[0]):
            weight = share * weights[k]
            if weight == 0.0:
                continue
            low, high = timing.table[k, g, cell], timing.table[k, g, cell + 1]
            before, after = weight * (1.0 - t), weight * t
            frequency += before * low[0] + after * high[0]
            a += before * low[2] + after * high[2]
            b += before * low[3] + after * high[3]
            c += before * low[4] + after * high[4]
            d += before * low[5] + after * high[5]
    row.frequency = slow * frequency
    phases = row.contact_phases
    phases[0], phases[1], phases[2], phases[3] = a, b, c, d
    if row.jump.state == UNDER_WAY:
        time_feet(row)


@inline
def time_feet(row: Walker) -> None:
    """The phases of the feet's contacts while a jump is under way."""
    jump, phases = row.jump, row.contact_phases
    leg = jump.leg
    if leg >= 0:
        phases[2 * leg + 1] = phases[2 * leg] + jump.off
        return
    start = jump.start - math.floor(jump.start)
    for leg in range(2):
        phases[2 * leg], phases[2 * leg + 1] = start + jump.land, start + 1.0 + jump.off


@inline
def cycles_to_rest(row: Walker, weights: Floats, timing: Timing) -> float:
    """About the cycles that are left of a character that stops; infinity if it does not."""
    if row.stride_speed == 0.0:
        return 0.0
    if row.speed.target > 0.0 or row.speed.left <= 0.0:
        return math.inf
    left: float = row.speed.left * mean_frequency(row, weights, timing)
    return left


@part
def mean_frequency(row: Walker, weights: Floats, timing: Timing) -> float:
    """The mean frequency over the speeds from 0 to the present one."""
    slow = math.sqrt(LEG_SHARE * REFERENCE_HIP_HEIGHT / row.leg.value)
    speed: float = row.speed.value * slow / REFERENCE_HIP_HEIGHT
    if speed < 1e-9:
        return 0.0
    cell, t = cell_of(speed, timing.speeds)
    width = timing.speeds[cell + 1] - timing.speeds[cell]
    total = 0.0
    for k in range(timing.table.shape[0]):
        weight = weights[k]
        if weight == 0.0:
            continue
        for g in range(2):
            share = row.run.value if g == 1 else 1.0 - row.run.value
            low, high = timing.table[k, g, cell], timing.table[k, g, cell + 1]
            total += weight * share * (low[1] + width * t * (low[0] + 0.5 * t * (high[0] - low[0])))
    return slow * total / speed


@inline
def cell_of(speed: float, speeds: Floats) -> tuple[int, float]:
    """The interval of the table of frequencies that holds a speed, and the place in it; the ends hold on."""
    last = speeds.shape[0] - 2
    low, high = 0, last
    while low < high:
        middle = (low + high + 1) // 2
        if speeds[middle] <= speed:
            low = middle
        else:
            high = middle - 1
    start, stop = speeds[low], speeds[low + 1]
    return low, min(1.0, max(0.0, (speed - start) / (stop - start)))
