"""Profiles of a run-up by their duration: how many cycles pass in one, and which one has a given number of them."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human.jumps._kernels.runup_phase import Coefficients, Frequencies, cell_of, mean_frequency
from locomote.human.jumps._kernels.runup_profile import (
    cost_of,
    knee_speed,
    least_of,
    level_ramps,
    peak_of,
    quadratic,
    quartic,
)
from locomote.math._compile import inline, part
from locomote.math.vector import Pair

# Ways to plan. BENT: two even ramps of half the time each. RAMP: one even ramp, wherever it ends.
# ENDPOINTS and RAMP_ENDPOINTS count cycles by the mean of the first and the last frequency, as the source does.
# LEVEL: two even ramps, one as steep as the other, which reach what no gentler profile does.
QUADRATIC, QUARTIC, BENT, ENDPOINTS, RAMP, RAMP_ENDPOINTS, LEVEL = 0, 1, 2, 3, 4, 5, 6

LAST_STEP = 1e-5  # cycles of error, from which one more step along a measured slope leaves next to nothing
PHASE_ERROR = 1e-8  # cycles, where no slope was measured
BACKWARDS = 1e-9  # m/s that rounding may take from a speed of 0
ROUNDED = 1e-9  # of a limit, that rounding may add
SLOW_ROUNDS = 12  # after which the interval is halved: where few cycles more or less pass, slopes lead nowhere
ROUNDS = 40  # at most, to find a duration


class RunUpRequest(NamedTuple):
    """Where a run-up begins and ends, and on which phases it may end."""

    distance: float  # m; matters to no RAMP
    s1: float  # m/s now,
    a1: float  # m/s^2, which matters to QUARTIC alone,
    s2: float  # m/s at the line
    run1: float  # share of running now,
    run2: float  # and at the line
    phase: float  # cycles now
    first_phase: float  # cycles at the line, or
    phase_step: float  # so many times this more; 0 for none but the first
    limit: float  # m/s^2


class RunUp(NamedTuple):
    """A plan: the profile of speed over ``u = t / duration``.

    For BENT and LEVEL, al and be are the gains of the two ramps.
    """

    ok: bool  # never backwards and within the limit; if not, this is the gentlest that there is, or lasts 0 s
    duration: float  # s
    s1: float  # m/s, as the next four
    al: float
    be: float
    ga: float
    de: float
    phase: float  # cycles at the end
    peak: float  # m/s^2, the greatest acceleration or deceleration
    cost: float  # m^2/s^3, the integral of the squared acceleration


class RunUpPath(NamedTuple):
    """What a profile must fulfil, whatever its duration."""

    kind: int
    distance: float
    s1: float
    a1: float
    s2: float
    run1: float
    run2: float
    cell: int  # of s1 in the table of frequencies


@inline
def path_of(kind: int, asked: RunUpRequest, cell: int) -> RunUpPath:
    """What the profile of a request must fulfil."""
    return RunUpPath(kind, asked.distance, asked.s1, asked.a1, asked.s2, asked.run1, asked.run2, cell)


@inline
def profile_of(way: RunUpPath, duration: float) -> Coefficients:
    if way.kind == QUARTIC:
        return quartic(way.distance, way.s1, way.a1, way.s2, 0.0, duration)
    return quadratic(way.distance, way.s1, way.s2, duration)


@part
def cycles_in(way: RunUpPath, duration: float, rates: Frequencies) -> float:
    """The cycles that pass on the way."""
    if way.kind != BENT and way.kind != LEVEL:
        c = profile_of(way, duration)
        return duration * mean_frequency(c, way.run1, way.run2, way.cell, rates)
    share, knee = 0.5, 0.0
    if way.kind == BENT:
        knee = knee_speed(way.distance, way.s1, way.s2, duration)
    else:
        _, gain, share = level_ramps(way.distance, way.s1, way.s2, duration)
        knee = way.s1 + gain
    run = way.run1 + share * (way.run2 - way.run1)
    before, after = (way.s1, knee - way.s1, 0.0, 0.0, 0.0), (knee, way.s2 - knee, 0.0, 0.0, 0.0)
    first = mean_frequency(before, way.run1, run, way.cell, rates)
    second = mean_frequency(after, run, way.run2, cell_of(knee, rates.speeds), rates)
    return duration * (share * first + (1.0 - share) * second)


@part
def duration_for(
    wanted: float, at: float, passed: float, slope: float, most: float, way: RunUpPath, rates: Frequencies
) -> Pair:
    """The duration in which so many cycles pass, and the slope there; 0 where it would be above ``most``.

    In the duration ``at`` pass ``passed`` cycles. The slope is that of the squared cycles over the duration: about as
    frequency goes with the root of the speed, it hardly changes.
    """
    low, high = 0.0, math.inf
    for k in range(ROUNDS):
        off = (wanted - passed) * (wanted + passed)
        if off > 0.0:
            low = at
        else:
            high = at
        new = at + off / slope
        close = abs(wanted - passed) < (LAST_STEP if k > 0 else PHASE_ERROR)
        if high > most and new >= most:
            if close:
                return at, slope
            if at == most:
                break
            new = most
        elif close:
            return new, slope
        elif not low < new < high or (k >= SLOW_ROUNDS and high < math.inf):
            new = 0.5 * (low + high) if high < math.inf else 2.0 * at
        then = cycles_in(way, new, rates)
        steep = (then - passed) * (then + passed) / (new - at)
        if steep > 0.0:
            slope = steep
        at, passed = new, then
    return 0.0, slope


@part
def plan_of(way: RunUpPath, duration: float, phase: float, allowed: float) -> RunUp:
    """The plan of a known duration."""
    if way.kind == LEVEL:
        steep, gain, _ = level_ramps(way.distance, way.s1, way.s2, duration)
        ok = way.s1 + gain >= -BACKWARDS and steep <= allowed * (1.0 + ROUNDED)
        rest, cost = way.s2 - way.s1 - gain, steep * steep * duration
        return RunUp(ok, duration, way.s1, gain, rest, 0.0, 0.0, phase, steep, cost)
    if way.kind == BENT:
        knee = knee_speed(way.distance, way.s1, way.s2, duration)
        before, after = knee - way.s1, way.s2 - knee
        peak, cost = 2.0 * max(abs(before), abs(after)) / duration, 2.0 * (before**2 + after**2) / duration
        ok = knee >= 0.0 and peak <= allowed
        return RunUp(ok, duration, way.s1, before, after, 0.0, 0.0, phase, peak, cost)
    c = profile_of(way, duration)
    peak = peak_of(c, duration)
    ok = peak <= allowed and least_of(c) >= -BACKWARDS
    return RunUp(ok, duration, c[0], c[1], c[2], c[3], c[4], phase, peak, cost_of(c, duration))


@part
def is_better(plan: RunUp, best: RunUp) -> bool:
    """Whether a plan beats the best one up to now: what is feasible by its cost, what is not by its peak."""
    if plan.ok != best.ok:
        return plan.ok
    return plan.cost < best.cost if plan.ok else plan.peak < best.peak


@part
def rough_cost(wanted: float, at: float, passed: float, slope: float, way: RunUpPath) -> float:
    """About the cost of the profile in which so many cycles pass (see `duration_for`)."""
    duration = max(at + (wanted - passed) * (wanted + passed) / slope, 0.1 * at)
    if way.kind == BENT:
        return plan_of(way, duration, 0.0, math.inf).cost
    return cost_of(profile_of(way, duration), duration)
