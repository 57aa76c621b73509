"""The cycles that pass while the speed follows a polynomial: the exact integral of a piecewise linear frequency.

The frequency of the cycle is the mixture by the share of running of two rows of ``table (2, G)``, walk and run, linear
between the ascending ``speeds (G,)`` and level beyond them. A fixed quadrature stumbles over its kinks; here the way is
cut where the speed turns round and where it crosses a knot, and between cuts the integrand is a polynomial.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Pair, Vector

# S(u) = s1 + al u + be u^2 + ga u^3 + de u^4
Coefficients: TypeAlias = tuple[float, float, float, float, float]

SPEED_ERROR = 1e-6  # m/s, at a cut; the integral is wrong by about its square
TURN_ERROR = 1e-9  # of the time, of a point at which the speed turns round
ROUNDS = 40  # at most, to find a cut


class Frequencies(NamedTuple):
    """Cycles a second over the speed."""

    speeds: Floats  # (G,) m/s, ascending
    table: Floats  # (2, G) of walk and run


@inline
def speed_at(c: Coefficients, u: float) -> float:
    """The polynomial ``S(u)``."""
    return c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4])))


@inline
def slope_at(c: Coefficients, u: float) -> float:
    """Its derivative."""
    return c[1] + u * (2.0 * c[2] + u * (3.0 * c[3] + u * 4.0 * c[4]))


@inline
def cell_of(speed: float, speeds: Floats) -> int:
    """The interval between knots that holds a speed: -1 below the first knot, G - 1 from the last one on."""
    low, high = -1, speeds.shape[0] - 1
    while low < high:
        middle = (low + high + 1) // 2
        if speeds[middle] <= speed:
            low = middle
        else:
            high = middle - 1
    return low


@inline
def line_of(cell: int, row: int, rates: Frequencies) -> Pair:
    """Intercept and slope of the frequency of walk or run in an interval between knots."""
    speeds, table = rates.speeds, rates.table
    if cell < 0 or cell >= speeds.shape[0] - 1:
        return table[row, max(cell, 0)], 0.0
    slope = (table[row, cell + 1] - table[row, cell]) / (speeds[cell + 1] - speeds[cell])
    return table[row, cell] - slope * speeds[cell], slope


@inline
def mixed_line(speed: float, run: float, rates: Frequencies) -> Pair:
    """Intercept and slope of the frequency around a speed."""
    cell = cell_of(speed, rates.speeds)
    walk, walk_slope = line_of(cell, 0, rates)
    fast, fast_slope = line_of(cell, 1, rates)
    return walk + run * (fast - walk), walk_slope + run * (fast_slope - walk_slope)


@inline
def frequency(speed: float, run: float, rates: Frequencies) -> float:
    """Cycles a second at a speed."""
    intercept, slope = mixed_line(speed, run, rates)
    return intercept + slope * speed


@inline
def bends(c: Coefficients) -> Pair:
    """Where the acceleration is greatest or least within 0..1, in order; 1 where it is nowhere."""
    half = 1.5 * c[3]
    inside = half * half - 6.0 * c[4] * c[2]
    if inside < 0.0:
        return 1.0, 1.0
    q = -(half + math.copysign(math.sqrt(inside), half))
    if q == 0.0:
        return 1.0, 1.0
    one, other = c[2] / q, q / (6.0 * c[4]) if c[4] != 0.0 else 1.0
    one, other = min(max(one, 0.0), 1.0), min(max(other, 0.0), 1.0)
    return min(one, other), max(one, other)


@inline
def turns(c: Coefficients) -> Vector:
    """Cuts in order, so that the speed only rises or only falls between 0, the three of them, and 1."""
    if c[3] == 0.0 and c[4] == 0.0:
        turn = -0.5 * c[1] / c[2] if c[2] != 0.0 else 0.0
        return turn if 0.0 < turn < 1.0 else 0.0, 0.0, 0.0
    one, other = bends(c)
    return _turn_between(c, 0.0, one), _turn_between(c, one, other), _turn_between(c, other, 1.0)


@part
def _turn_between(c: Coefficients, low: float, high: float) -> float:
    """Where the derivative, which only rises or only falls from ``low`` to ``high``, is 0; or ``low``."""
    start = slope_at(c, low)
    if not start * slope_at(c, high) < 0.0:
        return low
    at, begin = 0.5 * (low + high), low
    for _ in range(ROUNDS):
        slope = slope_at(c, at)
        if slope * start > 0.0:
            begin = at
        else:
            high = at
        new = at - slope / (2.0 * c[2] + at * (6.0 * c[3] + at * 12.0 * c[4]))
        if not begin < new < high:
            new = 0.5 * (begin + high)
        if abs(new - at) < TURN_ERROR:
            break
        at = new
    return at


@inline
def _crossing(c: Coefficients, knot: float, low: float, high: float, sense: float) -> float:
    """Where the speed reaches a knot on a way on which it only rises (sense 1) or only falls (-1)."""
    if c[3] == 0.0 and c[4] == 0.0:
        off = knot - c[0]
        steep = math.copysign(math.sqrt(max(0.0, c[1] * c[1] + 4.0 * c[2] * off)), sense)
        at = 2.0 * off / (c[1] + steep) if c[1] * sense > 0.0 else 0.5 * (steep - c[1]) / c[2]
        return min(max(at, low), high)
    at = low
    off = knot - speed_at(c, at)
    for _ in range(ROUNDS):
        # To where the parabola that touches here reaches the knot.
        slope = slope_at(c, at)
        bend = 2.0 * c[2] + at * (6.0 * c[3] + at * 12.0 * c[4])
        inside = slope * slope + 2.0 * bend * off
        new = at + 2.0 * off / (slope + math.copysign(math.sqrt(inside), sense)) if inside >= 0.0 else -1.0
        if not low <= new <= high:
            new = 0.5 * (low + high)
        at = new
        off = knot - speed_at(c, at)
        if abs(off) < SPEED_ERROR:
            break
        if off * sense > 0.0:
            low = at
        else:
            high = at
    return at


@part
def mean_frequency(c: Coefficients, run1: float, run2: float, cell: int, rates: Frequencies) -> float:
    """The mean of the cycles a second over the way from u = 0, in the interval ``cell``, to 1."""
    speeds = rates.speeds
    cuts = turns(c)
    gained = run2 - run1
    half, third, fourth, fifth = c[1] / 2.0, c[2] / 3.0, c[3] / 4.0, c[4] / 5.0  # of the integral of S
    c1, c2, c3, c4 = c[1] / 3.0, c[2] / 4.0, c[3] / 5.0, c[4] / 6.0  # of that of u S
    total = begin = begin_way = begin_moment = 0.0
    for piece in range(4):
        end = cuts[piece] if piece < 3 else 1.0
        if end <= begin:
            continue
        last = speed_at(c, end)
        rising = last > speed_at(c, begin)
        crossing = True
        while crossing:
            ahead = cell + 1 if rising else cell
            crossing = False
            if 0 <= ahead < speeds.shape[0]:
                crossing = speeds[ahead] < last if rising else speeds[ahead] > last
            u = _crossing(c, speeds[ahead], begin, end, 1.0 if rising else -1.0) if crossing else end
            # Integrals from 0 to u of S and of u S.
            way = u * (c[0] + u * (half + u * (third + u * (fourth + u * fifth))))
            moment = u * u * (0.5 * c[0] + u * (c1 + u * (c2 + u * (c3 + u * c4))))
            walk, walk_slope = line_of(cell, 0, rates)
            fast, fast_slope = line_of(cell, 1, rates)
            more, more_slope = fast - walk, fast_slope - walk_slope
            total += (walk + run1 * more) * (u - begin) + (walk_slope + run1 * more_slope) * (way - begin_way)
            total += gained * (0.5 * more * (u * u - begin * begin) + more_slope * (moment - begin_moment))
            begin, begin_way, begin_moment = u, way, moment
            if crossing:
                cell += 1 if rising else -1
    return total
