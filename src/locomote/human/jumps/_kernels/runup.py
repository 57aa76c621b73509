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

from locomote.human.jumps._kernels.runup_duration import (
    BENT,
    ENDPOINTS,
    LEVEL,
    QUADRATIC,
    QUARTIC,
    RAMP,
    RunUp,
    RunUpRequest,
    cycles_in,
    duration_for,
    is_better,
    path_of,
    plan_of,
    profile_of,
    rough_cost,
)
from locomote.human.jumps._kernels.runup_phase import Frequencies, cell_of, frequency, mean_frequency, mixed_line
from locomote.human.jumps._kernels.runup_profile import (
    easiest_duration,
    level_durations,
    longest_duration,
    peak_of,
    swing,
)
from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats

REQUEST_COLUMNS = 10  # the fields of RunUpRequest, in order
PLAN_COLUMNS = 10  # the fields of RunUp, in order

OVER_LIMIT = 1.25  # of the limit, that the greatest acceleration of a profile may reach: the limit is one of means
LEAST_CYCLES = 0.25  # before a chosen foot, that feet need to adapt
LEAST_RAMP_CYCLES = 0.1  # the same for a run-up that ends anywhere
SURE = 3.0  # times the cost, by which a rough estimate can tell that a profile is dearer
QUARTIC_REACH = 1.25  # of the longest quadratic profile, up to which quartic ones are tried
MOST_TRIES = 64  # phases to each side,
FEW_TRIES = 6  # and those that are not feasible, of a profile of which no closed form says more

NO_PLAN = RunUp(False, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, math.inf, math.inf)


@part
def plan_to_line(asked: RunUpRequest, kind: int, rates: Frequencies) -> RunUp:
    """The cheapest profile (QUADRATIC, QUARTIC or BENT) to a line in so many metres, on an allowed phase.

    From a stand to a stand the slowest is the cheapest; then the first that keeps the limit is taken.
    """
    distance, s1, s2, run1, run2 = asked.distance, asked.s1, asked.s2, asked.run1, asked.run2
    phase, first_phase, phase_step = asked.phase, asked.first_phase, asked.phase_step
    allowed = OVER_LIMIT * asked.limit
    if not (distance > 0.0 and s1 >= 0.0 and s2 >= 0.0 and allowed > 0.0):
        return NO_PLAN
    way = path_of(kind, asked, cell_of(s1, rates.speeds))
    total = s1 + s2
    most, start = math.inf, math.sqrt(6.0 * distance / allowed)
    if total > 0.0:
        most, start = longest_duration(distance, s1, s2), easiest_duration(distance, s1, s2)
    even = 2.0 * distance / total
    hopeless_beyond, tries = False, MOST_TRIES if kind == QUADRATIC else FEW_TRIES
    if kind == QUADRATIC and total > 0.0:
        hopeless_beyond = peak_of(profile_of(way, most), most) > allowed
    elif kind == QUARTIC:
        most, start = QUARTIC_REACH * most, min(start, even)
    elif kind == BENT:
        most, start = 2.0 * even, min(start, even)
    if not start > 0.0:
        return NO_PLAN
    passed = cycles_in(way, start, rates)
    # Were the frequency one straight line over the speed, its intercept would be the cycles of a second more.
    intercept, _ = mixed_line(distance / start, 0.5 * (run1 + run2), rates)
    slope = passed * max(2.0 * intercept, passed / start)
    best = NO_PLAN
    if phase_step <= 0.0:
        if first_phase > phase:
            found, _ = duration_for(first_phase - phase, start, passed, slope, most, way, rates)
            if found > 0.0:
                best = plan_of(way, found, first_phase, allowed)
        return best
    below = math.floor((phase + passed - first_phase) / phase_step)
    lower, upper = first_phase + phase_step * below - phase, first_phase + phase_step * (below + 1) - phase
    above_first = rough_cost(upper, start, passed, slope, way) < rough_cost(lower, start, passed, slope, way)
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
            if best.ok and rough_cost(end - phase, start, passed, slope, way) > SURE * best.cost:
                break
            found, slope = duration_for(end - phase, start, passed, slope, most, way, rates)
            if found == 0.0:
                if above:
                    break
                continue
            # The chord from the start tells more of the other side than the slope here.
            slope = (end - phase - passed) * (end - phase + passed) / (found - start) if found != start else slope
            plan = plan_of(way, found, end, allowed)
            if is_better(plan, best):
                best = plan
            if plan.ok and (kind == QUADRATIC or plan.cost > min(seen, best.cost)):
                break
            # Where a profile is too fierce, shorter ones are fiercer still, and longer ones unless the longest is not.
            if not plan.ok and (k + 1 >= tries or (kind == QUADRATIC and (hopeless_beyond if above else found < even))):
                break
            seen = plan.cost if plan.ok else seen
    return best


@part
def plan_level(asked: RunUpRequest, rates: Frequencies) -> RunUp:
    """The gentlest LEVEL profile to a line in so many metres, on an allowed phase.

    For each duration it has the least peak of all shapes, which rises to both sides of the duration of one even ramp.
    """
    distance, s1, s2, run1, run2 = asked.distance, asked.s1, asked.s2, asked.run1, asked.run2
    phase, first_phase, phase_step = asked.phase, asked.first_phase, asked.phase_step
    allowed = OVER_LIMIT * asked.limit
    if not (distance > 0.0 and s1 >= 0.0 and s2 >= 0.0 and allowed > 0.0):
        return NO_PLAN
    least, most = level_durations(distance, s1, s2, allowed)
    if most <= 0.0:
        return NO_PLAN
    way = path_of(LEVEL, asked, cell_of(s1, rates.speeds))
    even = 2.0 * distance / (s1 + s2)
    start = min(max(even, least), most)
    passed = cycles_in(way, start, rates)
    intercept, _ = mixed_line(distance / start, 0.5 * (run1 + run2), rates)
    slope = passed * max(2.0 * intercept, passed / start)
    above = _first_above(phase + passed, first_phase, phase_step)
    best = NO_PLAN
    for side in range(2 if phase_step > 0.0 else 1):
        end = above - side * phase_step
        if end - phase < LEAST_CYCLES:
            continue
        found, _ = duration_for(end - phase, start, passed, slope, most, way, rates)
        if found > 0.0:
            plan = plan_of(way, found, end, allowed)
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
def plan_by_endpoints(asked: RunUpRequest, rates: Frequencies) -> RunUp:
    """The search of the source: a quadratic profile whose cycles are counted by the mean of the end frequencies."""
    distance, s1, s2, run1, run2 = asked.distance, asked.s1, asked.s2, asked.run1, asked.run2
    phase, first_phase, phase_step = asked.phase, asked.first_phase, asked.phase_step
    total = s1 + s2
    rate = 0.5 * (frequency(s1, run1, rates) + frequency(s2, run2, rates))
    if not (distance > 0.0 and s1 >= 0.0 and s2 >= 0.0 and total > 0.0 and rate > 0.0):
        return NO_PLAN
    way = path_of(QUADRATIC, asked, 0)
    most = longest_duration(distance, s1, s2)
    least = _first_above(phase, first_phase, phase_step)
    end = least
    if phase_step > 0.0:
        wanted = phase + rate * 2.0 * distance / total
        end = max(least, first_phase + phase_step * math.floor((wanted - first_phase) / phase_step + 0.5))
    duration = (end - phase) / rate
    if not duration > 0.0:
        return NO_PLAN
    c = profile_of(way, duration)
    best, least_swing = end, swing(c, duration)
    # More cycles where the profile bulges upwards.
    step = phase_step if c[2] < 0.0 else -phase_step
    while step != 0.0:
        end += step
        duration = (end - phase) / rate
        backwards = (best - phase) / rate > most
        if end < least or (duration > most and not backwards):
            break
        there = swing(profile_of(way, duration), duration)
        if there >= least_swing and not backwards:
            break
        best, least_swing = end, there
    return plan_of(way, (best - phase) / rate, best, OVER_LIMIT * asked.limit)


@part
def plan_ramp(asked: RunUpRequest, exact: bool, rates: Frequencies) -> RunUp:
    """The shortest even ramp from one speed to another within the limit that ends on an allowed phase, anywhere."""
    s1, s2, run1, run2, limit = asked.s1, asked.s2, asked.run1, asked.run2, asked.limit
    phase, first_phase, phase_step = asked.phase, asked.first_phase, asked.phase_step
    rate = 0.5 * (frequency(s1, run1, rates) + frequency(s2, run2, rates))
    if exact:
        line = (s1, s2 - s1, 0.0, 0.0, 0.0)
        rate = mean_frequency(line, run1, run2, cell_of(s1, rates.speeds), rates)
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
        q, out = requests[n], plans[n]
        asked = RunUpRequest(q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8], q[9])
        rates = Frequencies(speeds, tables[n if tables.shape[0] > 1 else 0])
        if kind <= BENT:
            plan = plan_to_line(asked, kind, rates)
        elif kind == LEVEL:
            plan = plan_level(asked, rates)
        elif kind == ENDPOINTS:
            plan = plan_by_endpoints(asked, rates)
        else:
            plan = plan_ramp(asked, kind == RAMP, rates)
        out[0], out[1], out[2], out[3], out[4] = 1.0 if plan.ok else 0.0, plan.duration, plan.s1, plan.al, plan.be
        out[5], out[6], out[7], out[8], out[9] = plan.ga, plan.de, plan.phase, plan.peak, plan.cost
