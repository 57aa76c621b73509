"""Live gait disks: the needle turns, feet are told to swing and to stand, and gaits change while they are gone.

What a foot's disk should be follows from the gait, the speed and the transition under way; the foot takes it over only
while it stands and the needle is outside the new sectors, so that no swing is altered while it runs.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.creatures._kernels.gait_life import keep_life, live_up_to
from locomote.creatures._kernels.gait_sectors import (
    GaitKnot,
    gait_at,
    inside,
    sector_at,
    turned,
    until_start,
    value_at,
)
from locomote.creatures._kernels.model import GaitArrays
from locomote.creatures._kernels.state import (
    DISKS,
    DURATION,
    GOAL,
    LATE,
    LIVE,
    ORIGIN,
    STANCE,
    START,
    SWING,
    GaitState,
)
from locomote.creatures._kernels.stride_noise import go_on, lateness, tempo
from locomote.math._compile import inline, kernel, part
from locomote.math.records import Records
from locomote.math.vector import Floats, Ints

LATEST = 0.25  # of a sector: a foot that could not lift in time may still do so until then
FEWEST_STEPS = 4.0  # of time in a period; coarser ones would miss swings
LONGEST = 0.95  # turns: the swings of a foot may not take more of a cycle together
SHORTEST_SWING = 0.4  # of sqrt(h / g): no period is cut so short that swings take less
HASTIEST = 0.5  # of the period, at least, for the sake of swings that run while it becomes longer
SAME = 1e-12  # turns


class GaitPace(NamedTuple):
    """What a body asks of its gait."""

    speed: float  # in units of sqrt(g h), with h the height of the hips
    time_unit: float  # s, sqrt(h / g)
    moving: bool  # one that does not move lifts no foot
    longest: float  # s that a foot can stand before its leg no longer reaches it


class StepTimes(NamedTuple):
    """When feet come down and lift, by the gait; seconds."""

    left: Floats  # (F,) to touch-down of a foot that swings, to lift-off of one that stands
    stance: Floats  # (F,) how long the stance after the present or next swing will last


@part
def start_disks(
    needle: float, gait: int, speed: float, time_unit: float, state: GaitState, disks: Floats, gaits: GaitArrays
) -> None:
    """Begin with a gait, all feet standing (the caller clears ``swinging``)."""
    at = gait_at(abs(speed), gait, gaits)
    state.needle = turned(needle)
    state.wanted = state.current = state.before = gait
    state.progress, state.running = 1.0, False
    state.from_period = value_at(at, gaits.periods)
    state.period = time_unit * state.from_period
    state.from_lift = state.lift = value_at(at, gaits.lifts)
    live_up_to(at, state, gaits)
    keep_life(state)
    for foot in range(disks.shape[1]):
        for k in range(disks.shape[2]):
            start, duration = sector_at(at, foot, k, gaits.sectors)
            for which in range(DISKS):
                disks[which, foot, k, START], disks[which, foot, k, DURATION] = turned(start), duration
        disks[LATE, foot, 0, START] = 0.0


@part
def _origin_of(foot: int, disks: Floats, at: GaitKnot, gaits: GaitArrays) -> None:
    """Pair the sectors a foot has with those it will have, the nearest first, and unwrap their starts the right way."""
    live, origin = disks[LIVE, foot], disks[ORIGIN, foot]
    count = len(live)
    for k in range(count):
        origin[k, 1] = -1.0  # a duration below 0: the place is free
    taken = 0
    for _ in range(count):
        nearest, best, place = 2.0, -1, -1
        for i in range(count):
            if live[i, 1] <= 0.0 or taken >> i & 1:
                continue
            for k in range(count):
                start, duration = sector_at(at, foot, k, gaits.sectors)
                if duration <= 0.0 or origin[k, 1] >= 0.0:
                    continue
                apart = turned(start + 0.5 * duration - live[i, 0] - 0.5 * live[i, 1])
                apart = min(apart, 1.0 - apart)
                if apart < nearest:
                    nearest, best, place = apart, i, k
        if best < 0:
            break
        start, duration = sector_at(at, foot, place, gaits.sectors)
        origin[place, 0] = start - _way(live[best, 0], live[best, 1], start, duration)
        origin[place, 1] = live[best, 1]
        taken |= 1 << best
    for i in range(count):  # what has no partner goes where there is none
        if live[i, 1] > 0.0 and not taken >> i & 1:
            for k in range(count):
                if origin[k, 1] < 0.0 and sector_at(at, foot, k, gaits.sectors)[1] <= 0.0:
                    origin[k, 0], origin[k, 1] = live[i, 0], live[i, 1]
                    break
    for k in range(count):
        if origin[k, 1] < 0.0:
            origin[k, 0], origin[k, 1] = sector_at(at, foot, k, gaits.sectors)[0], 0.0


@part
def _way(start: float, duration: float, goal: float, goal_duration: float) -> float:
    """Turns from one start to another: not over the finish of the new sector; the short way where they lie apart."""
    ahead = turned(goal - start)
    if ahead < SAME or ahead > 1.0 - SAME:
        return 0.0
    apart = ahead >= duration and 1.0 - ahead >= goal_duration
    if apart:
        return ahead if ahead <= 0.5 else ahead - 1.0
    passes = turned(goal + goal_duration - start) < ahead
    return ahead - 1.0 if passes else ahead


@part
def _uncovered(old: Floats, new: Floats, step: float) -> bool:
    """Whether the needle will come to stand outside both: a free phase begins where some sector ends."""
    for k in range(2 * len(old)):
        sectors = old if k < len(old) else new
        start, duration = sectors[k % len(old), 0], sectors[k % len(old), 1]
        if duration > 0.0:
            soon, last = start + duration, start + duration + step
            if inside(soon, old) < 0 and inside(soon, new) < 0 and inside(last, old) < 0 and inside(last, new) < 0:
                return True
    return False


@part
def _take_over(foot: int, step: float, state: GaitState, disks: Floats, at: GaitKnot, gaits: GaitArrays) -> None:
    """Give a standing foot the disk it should have now, if the needle is outside the new sectors or stands still.

    Where old and new sectors cover the whole turn the needle is never outside: then at once, and the foot waits for
    the next start.
    """
    u, needle = state.progress, state.needle
    live, origin = disks[LIVE, foot], disks[ORIGIN, foot]
    within, differs, total = False, False, 0.0
    goal = disks[GOAL, foot]
    for k in range(len(live)):
        start, duration = sector_at(at, foot, k, gaits.sectors)
        if u < 1.0:
            if origin[k, 1] > 0.0 and duration > 0.0:
                start = (1.0 - u) * origin[k, 0] + u * start
                duration = (1.0 - u) * origin[k, 1] + u * duration
            elif u < 0.5:  # sectors without a partner come and go half-way: no swing is ever too short
                start, duration = origin[k, 0], origin[k, 1]
        start += disks[LATE, foot, 0, START]
        goal[k, 0], goal[k, 1] = turned(start), duration
        total += duration
        within = within or (duration > 0.0 and turned(needle - start) < duration)
        differs = differs or goal[k, 0] != live[k, 0] or duration != live[k, 1]
    if total > LONGEST and u < 1.0:
        return  # two swings of a foot on their way past each other
    if differs and (not within or not state.running or not _uncovered(live, goal, step)):
        for k in range(len(live)):
            live[k, 0], live[k, 1] = goal[k, 0], goal[k, 1]


@inline
def _begin_transition(at: GaitKnot, time_unit: float, state: GaitState, disks: Floats, gaits: GaitArrays) -> None:
    """Remember what is left behind for another gait."""
    state.before, state.current, state.progress = state.current, at.gait, 0.0
    state.from_period, state.from_lift = state.period / time_unit, state.lift
    keep_life(state)
    for foot in range(disks.shape[1]):
        _origin_of(foot, disks, at, gaits)


@inline
def _go_over(dt: float, at: GaitKnot, state: GaitState, gaits: GaitArrays) -> float:
    """Let a transition go on: the period in time units; lift and life are written down."""
    period, lift = value_at(at, gaits.periods), value_at(at, gaits.lifts)
    if state.progress < 1.0:
        takes = state.transition if state.transition > 0.0 else state.period
        state.progress = u = min(1.0, state.progress + dt / takes)
        period = state.from_period ** (1.0 - u) * period**u
        lift = (1.0 - u) * state.from_lift + u * lift
    state.lift = lift
    live_up_to(at, state, gaits)
    return period


@inline
def _turn_needle(dt: float, rests: bool, state: GaitState, disks: Floats) -> float:
    """Turn the needle, or let it stand where all feet are to rest; the turns that it went."""
    if rests:
        state.running = False
    elif not state.running:
        state.running = True
        soonest = 1.0
        for foot in range(disks.shape[1]):
            soonest = min(soonest, until_start(state.needle, disks[LIVE, foot]))
        if soonest < 1.0:
            state.needle = turned(state.needle + soonest - SAME)
    step = dt / state.period if state.running else 0.0
    state.needle = turned(state.needle + step)
    return step


@inline
def _lifts(needle: float, step: float, live: Floats) -> bool:
    """Whether the swing of a standing foot begins now, or began a moment ago."""
    for k in range(len(live)):
        gone = turned(needle - live[k, 0])
        if live[k, 1] > 0.0 and gone < max(LATEST * live[k, 1], step):
            return True
    return False


@inline
def _foresee(foot: int, swings: bool, state: GaitState, live: Floats, times: StepTimes) -> None:
    """Write down how long a foot will stay as it is, and how long it will stand then."""
    needle, period = state.needle, state.period
    if swings:
        k = inside(needle, live)
        times.left[foot] = turned(live[k, 0] + live[k, 1] - needle) * period if k >= 0 else 0.0
        times.stance[foot] = period * (until_start(live[k, 0] + live[k, 1], live) if k >= 0 else 1.0)
        return
    wait = until_start(needle, live)
    times.left[foot] = period * wait
    times.stance[foot] = period
    for j in range(len(live)):
        if live[j, 1] > 0.0 and turned(live[j, 0] - needle) == wait:
            times.stance[foot] = period * until_start(live[j, 0] + live[j, 1], live)


@part
def turn_disks(
    dt: float, pace: GaitPace, state: GaitState, disks: Floats, swinging: Ints, times: StepTimes, gaits: GaitArrays
) -> None:
    """Advance a character's needle by ``dt`` and say what its feet do.

    ``swinging (F,)`` is kept from step to step. A character that does not move lifts no foot; its needle stops once
    all are down, and begins again where the next foot lifts.
    """
    feet = disks.shape[1]
    at = gait_at(abs(pace.speed), state.wanted, gaits)
    if at.gait != state.current:
        _begin_transition(at, pace.time_unit, state, disks, gaits)
    period = _go_over(dt, at, state, gaits)
    down, slowed, standing = 0, 1.0, 0.0
    for foot in range(feet):
        live = disks[LIVE, foot]
        standing = max(standing, 1.0 - live[0, 1])
        k = -1 if swinging[foot] == STANCE else inside(state.needle, live)
        if k >= 0:
            # A creature that slows down turns to longer cycles with shorter swings: those that run take no longer.
            wanted = sector_at(at, foot, k, gaits.sectors)[1]
            slowed = min(slowed, max(HASTIEST, wanted / live[k, 1]))
        elif swinging[foot] == STANCE:
            down += 1
    # Who goes faster than its legs reach steps quicker; in gaits that fly, feet leave the ground sooner instead.
    most = math.inf
    if gaits.flights[at.gait] == 0:
        most = max(pace.longest / standing, SHORTEST_SWING * pace.time_unit / (1.0 - standing))
    state.period = max(min(period * slowed * pace.time_unit * tempo(state.noise), most), FEWEST_STEPS * dt)
    step = _turn_needle(dt, not pace.moving and down == feet, state, disks)
    go_on(step, state.noise)
    for foot in range(feet):
        if swinging[foot] == SWING and inside(state.needle, disks[LIVE, foot]) < 0:
            swinging[foot] = STANCE
            disks[LATE, foot, 0, START] = lateness(foot, feet, state.noise)
            down += 1
    flies = gaits.flights[at.gait] == 1 or (state.progress < 1.0 and gaits.flights[state.before] == 1)
    for foot in range(feet):
        live = disks[LIVE, foot]
        may_lift = swinging[foot] == STANCE and pace.moving and (flies or down > 1)
        if may_lift and _lifts(state.needle, step, live):
            swinging[foot] = SWING
            down -= 1
        if swinging[foot] == STANCE:
            _take_over(foot, step, state, disks, at, gaits)
        _foresee(foot, swinging[foot] == SWING, state, live, times)


@kernel
def turn_all(
    dt: float,
    speeds: Floats,
    time_unit: float,
    moving: bool,
    states: Records,
    disks: Floats,
    swinging: Ints,
    times: StepTimes,
    gaits: GaitArrays,
) -> None:
    """`turn_disks` for many characters; ``times`` of all of them ``(N, F)``."""
    for n in range(len(states)):
        pace = GaitPace(speeds[n], time_unit, moving, math.inf)
        own = StepTimes(times.left[n], times.stance[n])
        turn_disks(dt, pace, states[n], disks[n], swinging[n], own, gaits)


@kernel
def start_all(
    needles: Floats,
    gait: int,
    speeds: Floats,
    time_units: Floats,
    states: Records,
    disks: Floats,
    gaits: GaitArrays,
) -> None:
    """`start_disks` for many characters."""
    for n in range(len(states)):
        start_disks(needles[n], gait, speeds[n], time_units[n], states[n], disks[n], gaits)
