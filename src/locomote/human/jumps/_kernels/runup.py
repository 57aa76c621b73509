"""A run-up: how the speed goes on so that a line is reached with a chosen speed and on a chosen foot.

The speed is a polynomial of the part ``u`` of the time that is over, ``S(u) = s1 + al u + be u^2 + ga u^3 + de u^4``:
quadratic, or quartic where the acceleration must go on smoothly. Speeds and distance leave one number free, the
duration; the count of cycles at the line decides it. For the frequency of the cycle see `runup_phase`; the share of
running goes evenly from ``run1`` to ``run2``.

Phases are counts of cycles that go on: those allowed at the line are ``first_phase + k phase_step`` for every whole k,
or ``first_phase`` alone where the step is 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human.jumps._kernels.runup_phase import (
    Coefficients,
    cell_of,
    frequency,
    mean_frequency,
    mixed_line,
)
from locomote.human.jumps._kernels.runup_profile import (
    cost_of,
    easiest_duration,
    knee_speed,
    least_of,
    level_durations,
    level_ramps,
    longest_duration,
    peak_of,
    quadratic,
    quartic,
    swing,
)
from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Pair

# Ways to plan. BENT: two even ramps of half the time each. RAMP: one even ramp, wherever it ends.
# ENDPOINTS and RAMP_ENDPOINTS count cycles by the mean of the first and the last frequency, as the source does.
# LEVEL: two even ramps, one as steep as the other, which reach what no gentler profile does.
QUADRATIC, QUARTIC, BENT, ENDPOINTS, RAMP, RAMP_ENDPOINTS, LEVEL = 0, 1, 2, 3, 4, 5, 6

# Columns of a request; the acceleration at the start matters to QUARTIC alone, the distance to no RAMP.
DISTANCE, S1, A1, S2, RUN1, RUN2, PHASE, FIRST_PHASE, PHASE_STEP, LIMIT = range(10)
REQUEST_COLUMNS = 10
PLAN_COLUMNS = 10  # the fields of RunUp, in order

OVER_LIMIT = 1.25  # of the limit, that the greatest acceleration of a profile may reach: the limit is one of means
LEAST_CYCLES = 0.25  # before a chosen foot, that feet need to adapt
LEAST_RAMP_CYCLES = 0.1  # the same for a run-up that ends anywhere
LAST_STEP = 1e-5  # cycles of error, from which one more step along a measured slope leaves next to nothing
PHASE_ERROR = 1e-8  # cycles, where no slope was measured
SURE = 3.0  # times the cost, by which a rough estimate can tell that a profile is dearer
BACKWARDS = 1e-9  # m/s that rounding may take from a speed of 0
ROUNDED = 1e-9  # of a limit, that rounding may add
QUARTIC_REACH = 1.25  # of the longest quadratic profile, up to which quartic ones are tried
MOST_TRIES = 64  # phases to each side,
FEW_TRIES = 6  # and those that are not feasible, of a profile of which no closed form says more
ROUNDS = 40  # at most, to find a duration


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


NO_PLAN = RunUp(False, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, math.inf, math.inf)


@inline
def _profile(way: RunUpPath, duration: float) -> Coefficients:
    if way.kind == QUARTIC:
        return quartic(way.distance, way.s1, way.a1, way.s2, 0.0, duration)
    return quadratic(way.distance, way.s1, way.s2, duration)


@part
def _cycles(way: RunUpPath, duration: float, speeds: Floats, table: Floats) -> float:
    """The cycles that pass on the way."""
    if way.kind != BENT and way.kind != LEVEL:
        c = _profile(way, duration)
        return duration * mean_frequency(c, way.run1, way.run2, way.cell, speeds, table)
    share, knee = 0.5, 0.0
    if way.kind == BENT:
        knee = knee_speed(way.distance, way.s1, way.s2, duration)
    else:
        _, gain, share = level_ramps(way.distance, way.s1, way.s2, duration)
        knee = way.s1 + gain
    run = way.run1 + share * (way.run2 - way.run1)
    before, after = (way.s1, knee - way.s1, 0.0, 0.0, 0.0), (knee, way.s2 - knee, 0.0, 0.0, 0.0)
    first = mean_frequency(before, way.run1, run, way.cell, speeds, table)
    second = mean_frequency(after, run, way.run2, cell_of(knee, speeds), speeds, table)
    return duration * (share * first + (1.0 - share) * second)


@part
def _duration_for(
    wanted: float,
    at: float,
    passed: float,
    slope: float,
    most: float,
    way: RunUpPath,
    speeds: Floats,
    table: Floats,
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
        elif not low < new < high:
            new = 0.5 * (low + high) if high < math.inf else 2.0 * at
        then = _cycles(way, new, speeds, table)
        steep = (then - passed) * (then + passed) / (new - at)
        if steep > 0.0:
            slope = steep
        at, passed = new, then
    return 0.0, slope


@part
def _plan(way: RunUpPath, duration: float, phase: float, allowed: float) -> RunUp:
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
    c = _profile(way, duration)
    peak = peak_of(c, duration)
    ok = peak <= allowed and least_of(c) >= -BACKWARDS
    return RunUp(ok, duration, c[0], c[1], c[2], c[3], c[4], phase, peak, cost_of(c, duration))


@part
def _better(plan: RunUp, best: RunUp) -> bool:
    """Whether a plan beats the best one up to now: what is feasible by its cost, what is not by its peak."""
    if plan.ok != best.ok:
        return plan.ok
    return plan.cost < best.cost if plan.ok else plan.peak < best.peak


@part
def _rough_cost(wanted: float, at: float, passed: float, slope: float, way: RunUpPath) -> float:
    """About the cost of the profile in which so many cycles pass (see `_duration_for`)."""
    duration = max(at + (wanted - passed) * (wanted + passed) / slope, 0.1 * at)
    if way.kind == BENT:
        return _plan(way, duration, 0.0, math.inf).cost
    return cost_of(_profile(way, duration), duration)


@part
def plan_to_line(
    distance: float,
    s1: float,
    a1: float,
    s2: float,
    run1: float,
    run2: float,
    phase: float,
    first_phase: float,
    phase_step: float,
    limit: float,
    kind: int,
    speeds: Floats,
    table: Floats,
) -> RunUp:
    """The cheapest profile (QUADRATIC, QUARTIC or BENT) to a line in so many metres, on an allowed phase.

    From a stand to a stand the slowest is the cheapest; then the first that keeps the limit is taken.
    """
    allowed = OVER_LIMIT * limit
    if not (distance > 0.0 and s1 >= 0.0 and s2 >= 0.0 and allowed > 0.0):
        return NO_PLAN
    way = RunUpPath(kind, distance, s1, a1, s2, run1, run2, cell_of(s1, speeds))
    total = s1 + s2
    most, start = math.inf, math.sqrt(6.0 * distance / allowed)
    if total > 0.0:
        most, start = longest_duration(distance, s1, s2), easiest_duration(distance, s1, s2)
    even = 2.0 * distance / total
    hopeless_beyond, tries = False, MOST_TRIES if kind == QUADRATIC else FEW_TRIES
    if kind == QUADRATIC and total > 0.0:
        hopeless_beyond = peak_of(_profile(way, most), most) > allowed
    elif kind == QUARTIC:
        most, start = QUARTIC_REACH * most, min(start, even)
    elif kind == BENT:
        most, start = 2.0 * even, min(start, even)
    if not start > 0.0:
        return NO_PLAN
    passed = _cycles(way, start, speeds, table)
    # Were the frequency one straight line over the speed, its intercept would be the cycles of a second more.
    intercept, _ = mixed_line(distance / start, 0.5 * (run1 + run2), speeds, table)
    slope = passed * max(2.0 * intercept, passed / start)
    best = NO_PLAN
    if phase_step <= 0.0:
        if first_phase > phase:
            found, _ = _duration_for(first_phase - phase, start, passed, slope, most, way, speeds, table)
            if found > 0.0:
                best = _plan(way, found, first_phase, allowed)
        return best
    below = math.floor((phase + passed - first_phase) / phase_step)
    lower, upper = first_phase + phase_step * below - phase, first_phase + phase_step * (below + 1) - phase
    above_first = _rough_cost(upper, start, passed, slope, way) < _rough_cost(lower, start, passed, slope, way)
    for side in range(2):
        above = (side == 0) == above_first
        seen = math.inf
        for k in range(MOST_TRIES):
            end = first_phase + phase_step * (below + 1 + k if above else below - k)
            if end - phase < LEAST_CYCLES:
                if above:
                    continue
                break
            # Costs rise to both sides of the easiest, of which the start is only an estimate but for the quadratic.
            if best.ok and _rough_cost(end - phase, start, passed, slope, way) > SURE * best.cost:
                break
            found, slope = _duration_for(end - phase, start, passed, slope, most, way, speeds, table)
            if found == 0.0:
                if above:
                    break
                continue
            # The chord from the start tells more of the other side than the slope here.
            slope = (end - phase - passed) * (end - phase + passed) / (found - start) if found != start else slope
            plan = _plan(way, found, end, allowed)
            if _better(plan, best):
                best = plan
            if plan.ok and (kind == QUADRATIC or plan.cost > min(seen, best.cost)):
                break
            # Where a profile is too fierce, shorter ones are fiercer still, and longer ones unless the longest is not.
            if not plan.ok and (k + 1 >= tries or (kind == QUADRATIC and (hopeless_beyond if above else found < even))):
                break
            seen = plan.cost if plan.ok else seen
    return best


@part
def plan_level(
    distance: float,
    s1: float,
    s2: float,
    run1: float,
    run2: float,
    phase: float,
    first_phase: float,
    phase_step: float,
    limit: float,
    speeds: Floats,
    table: Floats,
) -> RunUp:
    """The gentlest LEVEL profile to a line in so many metres, on an allowed phase.

    For each duration it has the least peak of all shapes, which rises to both sides of the duration of one even ramp.
    """
    allowed = OVER_LIMIT * limit
    if not (distance > 0.0 and s1 >= 0.0 and s2 >= 0.0 and allowed > 0.0):
        return NO_PLAN
    least, most = level_durations(distance, s1, s2, allowed)
    if most <= 0.0:
        return NO_PLAN
    way = RunUpPath(LEVEL, distance, s1, 0.0, s2, run1, run2, cell_of(s1, speeds))
    even = 2.0 * distance / (s1 + s2)
    start = min(max(even, least), most)
    passed = _cycles(way, start, speeds, table)
    intercept, _ = mixed_line(distance / start, 0.5 * (run1 + run2), speeds, table)
    slope = passed * max(2.0 * intercept, passed / start)
    above = _first_above(phase + passed, first_phase, phase_step)
    best = NO_PLAN
    for side in range(2 if phase_step > 0.0 else 1):
        end = above - side * phase_step
        if end - phase < LEAST_CYCLES:
            continue
        found, _ = _duration_for(end - phase, start, passed, slope, most, way, speeds, table)
        if found > 0.0:
            plan = _plan(way, found, end, allowed)
            if plan.ok and (not best.ok or plan.peak < best.peak):
                best = plan
    return best


@inline
def _first_above(phase: float, first_phase: float, phase_step: float) -> float:
    """The first allowed phase that is later than a phase."""
    if phase_step <= 0.0:
        return first_phase
    return first_phase + phase_step * (math.floor((phase - first_phase) / phase_step) + 1.0)


@part
def plan_by_endpoints(
    distance: float,
    s1: float,
    s2: float,
    run1: float,
    run2: float,
    phase: float,
    first_phase: float,
    phase_step: float,
    limit: float,
    speeds: Floats,
    table: Floats,
) -> RunUp:
    """The search of the source: a quadratic profile whose cycles are counted by the mean of the end frequencies."""
    total = s1 + s2
    rate = 0.5 * (frequency(s1, run1, speeds, table) + frequency(s2, run2, speeds, table))
    if not (distance > 0.0 and s1 >= 0.0 and s2 >= 0.0 and total > 0.0 and rate > 0.0):
        return NO_PLAN
    way = RunUpPath(QUADRATIC, distance, s1, 0.0, s2, run1, run2, 0)
    most = longest_duration(distance, s1, s2)
    least = _first_above(phase, first_phase, phase_step)
    end = least
    if phase_step > 0.0:
        wanted = phase + rate * 2.0 * distance / total
        end = max(least, first_phase + phase_step * math.floor((wanted - first_phase) / phase_step + 0.5))
    duration = (end - phase) / rate
    if not duration > 0.0:
        return NO_PLAN
    c = _profile(way, duration)
    best, least_swing = end, swing(c, duration)
    # More cycles where the profile bulges upwards.
    step = phase_step if c[2] < 0.0 else -phase_step
    while step != 0.0:
        end += step
        duration = (end - phase) / rate
        backwards = (best - phase) / rate > most
        if end < least or (duration > most and not backwards):
            break
        there = swing(_profile(way, duration), duration)
        if there >= least_swing and not backwards:
            break
        best, least_swing = end, there
    return _plan(way, (best - phase) / rate, best, OVER_LIMIT * limit)


@part
def plan_ramp(
    s1: float,
    s2: float,
    run1: float,
    run2: float,
    phase: float,
    first_phase: float,
    phase_step: float,
    limit: float,
    exact: bool,
    speeds: Floats,
    table: Floats,
) -> RunUp:
    """The shortest even ramp from one speed to another within the limit that ends on an allowed phase, anywhere."""
    rate = 0.5 * (frequency(s1, run1, speeds, table) + frequency(s2, run2, speeds, table))
    if exact:
        line = (s1, s2 - s1, 0.0, 0.0, 0.0)
        rate = mean_frequency(line, run1, run2, cell_of(s1, speeds), speeds, table)
    if not (rate > 0.0 and limit > 0.0 and s1 >= 0.0 and s2 >= 0.0):
        return NO_PLAN
    gain = abs(s2 - s1)
    end = _first_above(phase + max(LEAST_RAMP_CYCLES, rate * gain / limit) - 1e-12, first_phase, phase_step)
    duration = (end - phase) / rate
    if not duration > 0.0:
        return NO_PLAN
    peak = gain / duration
    ok = peak <= limit * (1.0 + 1e-9)
    return RunUp(ok, duration, s1, s2 - s1, 0.0, 0.0, 0.0, end, peak, gain * peak)


@kernel
def plan_many(requests: Floats, kind: int, speeds: Floats, tables: Floats, plans: Floats) -> None:
    """Plan a run-up for every row of ``requests (N, 10)`` into ``plans (N, 10)``, by ``tables (1 or N, 2, G)``."""
    for n in range(requests.shape[0]):
        row, out = requests[n], plans[n]
        table = tables[n if tables.shape[0] > 1 else 0]
        phase, first, step, limit = row[PHASE], row[FIRST_PHASE], row[PHASE_STEP], row[LIMIT]
        distance, s1, s2, run1, run2 = row[DISTANCE], row[S1], row[S2], row[RUN1], row[RUN2]
        if kind <= BENT:
            plan = plan_to_line(distance, s1, row[A1], s2, run1, run2, phase, first, step, limit, kind, speeds, table)
        elif kind == LEVEL:
            plan = plan_level(distance, s1, s2, run1, run2, phase, first, step, limit, speeds, table)
        elif kind == ENDPOINTS:
            plan = plan_by_endpoints(distance, s1, s2, run1, run2, phase, first, step, limit, speeds, table)
        else:
            plan = plan_ramp(s1, s2, run1, run2, phase, first, step, limit, kind == RAMP, speeds, table)
        out[0], out[1], out[2], out[3], out[4] = (
            1.0 if plan.ok else 0.0,
            plan.duration,
            plan.s1,
            plan.al,
            plan.be,
        )
        out[5], out[6], out[7], out[8], out[9] = plan.ga, plan.de, plan.phase, plan.peak, plan.cost
