"""Profiles of speed of a known duration that cover a distance, and what they demand: closed forms.

The speed is a polynomial ``S(u)`` of the part ``u`` of the time that is over (see `runup_phase.Coefficients`).
"""

from __future__ import annotations

import math

from locomote.human.jumps._kernels.runup_phase import Coefficients, bends, slope_at, speed_at, turns
from locomote.math._compile import inline
from locomote.math.vector import Pair, Vector


@inline
def quadratic(distance: float, s1: float, s2: float, duration: float) -> Coefficients:
    """The only quadratic profile with these speeds at the ends that covers the distance."""
    be = 3.0 * (s1 + s2) - 6.0 * distance / duration
    return s1, s2 - s1 - be, be, 0.0, 0.0


@inline
def quartic(distance: float, s1: float, a1: float, s2: float, a2: float, duration: float) -> Coefficients:
    """The only quartic profile with these speeds and accelerations at the ends that covers the distance."""
    al = a1 * duration
    a, b, c = s2 - s1 - al, a2 * duration - al, distance / duration - s1 - 0.5 * al
    be = -12.0 * a + 1.5 * b + 30.0 * c
    return s1, al, be, 28.0 * a - 4.0 * b - 60.0 * c, -15.0 * a + 2.5 * b + 30.0 * c


@inline
def knee_speed(distance: float, s1: float, s2: float, duration: float) -> float:
    """The speed in the middle of the time of two even ramps that cover the distance."""
    return 2.0 * distance / duration - 0.5 * (s1 + s2)


@inline
def level_ramps(distance: float, s1: float, s2: float, duration: float) -> Vector:
    """Two even ramps, one as steep as the other, that cover the distance: steepness, gain of the first, its share.

    Of all profiles of a duration, whatever their shape, this has the least peak. The acceleration changes its sign
    once, so that its mean and its moment about the middle of the time give both where and how steep.
    """
    mean = (s2 - s1) / duration
    tilt = (s1 + s2 - 2.0 * distance / duration) / duration  # above 0: slower first
    steep = abs(tilt) + math.hypot(tilt, mean)
    if steep == 0.0:
        return 0.0, 0.0, 0.0
    sense = -1.0 if tilt >= 0.0 else 1.0
    share = 0.5 * (1.0 + sense * mean / steep)
    return steep, sense * steep * share * duration, share


@inline
def level_durations(distance: float, s1: float, s2: float, most: float) -> Pair:
    """The shortest and the longest of such profiles that stay below a peak and never go backwards; 0, 0: none."""
    squares = 0.5 * (s1 * s1 + s2 * s2)
    if abs(s2 * s2 - s1 * s1) > 2.0 * most * distance or s1 + s2 <= 0.0:
        return 0.0, 0.0
    shortest = (2.0 * math.sqrt(squares + most * distance) - s1 - s2) / most
    gentle = min(most, squares / distance)  # less needs no stop on the way
    return shortest, (s1 + s2 - 2.0 * math.sqrt(max(0.0, squares - gentle * distance))) / gentle


@inline
def longest_duration(distance: float, s1: float, s2: float) -> float:
    """The longest quadratic profile that never goes backwards."""
    return 3.0 * distance / (s1 + s2 - math.sqrt(s1 * s2))


@inline
def easiest_duration(distance: float, s1: float, s2: float) -> float:
    """The quadratic profile of least cost; the cost rises from it to both sides, up to the longest."""
    return 3.0 * distance / (s1 + s2 + math.sqrt(s1 * s2))


@inline
def swing(c: Coefficients, duration: float) -> float:
    """How much the acceleration of a quadratic profile changes from start to end, m/s^2."""
    return 2.0 * abs(c[2]) / duration


@inline
def peak_of(c: Coefficients, duration: float) -> float:
    """The greatest acceleration or deceleration of a profile."""
    one, other = bends(c)
    ends = max(abs(c[1]), abs(slope_at(c, 1.0)))
    return max(ends, abs(slope_at(c, one)), abs(slope_at(c, other))) / duration


@inline
def least_of(c: Coefficients) -> float:
    """The lowest speed of a profile."""
    one, two, three = turns(c)
    return min(c[0], speed_at(c, 1.0), speed_at(c, one), speed_at(c, two), speed_at(c, three))


@inline
def cost_of(c: Coefficients, duration: float) -> float:
    """The integral of the squared acceleration."""
    a, b, g, d = c[1], 2.0 * c[2], 3.0 * c[3], 4.0 * c[4]
    squares = a * a + b * b / 3.0 + g * g / 5.0 + d * d / 7.0
    return (squares + a * b + (2.0 / 3.0) * a * g + 0.5 * (a * d + b * g) + 0.4 * b * d + g * d / 3.0) / duration
