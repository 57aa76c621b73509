"""Live gait disks: the needle turns, feet are told to swing and to stand, and gaits change while they are gone.

What a foot's disk should be follows from the gait, the speed and the transition under way; the foot takes it over only
while it stands and the needle is outside the new sectors, so that no swing is altered while it runs.
"""

from __future__ import annotations

import math

from locomote.creatures._kernels import gait_layout as g
from locomote.creatures._kernels.gait_layout import GaitArrays
from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints, Pair

LATEST = 0.25  # of a sector: a foot that could not lift in time may still do so until then
FEWEST_STEPS = 4.0  # of time in a period; coarser ones would miss swings
LONGEST = 0.95  # turns: the swings of a foot may not take more of a cycle together
HASTIEST = 0.5  # of the period, at least, for the sake of swings that run while it becomes longer
SAME = 1e-12  # turns


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
def knot(speed: float, gait: int, gaits: GaitArrays) -> tuple[int, float]:
    """The knot at or below a speed, and the share of the next one."""
    speeds = gaits.speeds[gait]
    below = 0
    while below < len(speeds) - 2 and speeds[below + 1] <= speed:
        below += 1
    if len(speeds) < 2 or not speeds[below + 1] > speeds[below]:
        return below, 0.0
    return below, min(1.0, max(0.0, (speed - speeds[below]) / (speeds[below + 1] - speeds[below])))


@inline
def at_knot(table: Floats, gait: int, below: int, share: float) -> float:
    """A value of a gait that is given at every knot ``(G, M)``, interpolated."""
    low: float = table[gait, below]
    return low if share == 0.0 else low + share * (table[gait, below + 1] - low)


@inline
def _life(k: int, gait: int, below: int, share: float, gaits: GaitArrays) -> float:
    """Bounce, sway or nod of a gait."""
    low: float = gaits.lives[gait, below, k]
    return low if share == 0.0 else low + share * (gaits.lives[gait, below + 1, k] - low)


@part
def sector_at(gait: int, below: int, share: float, foot: int, k: int, sectors: Floats) -> Pair:
    """Start (not brought into one turn) and duration of a sector of a gait."""
    start, duration = sectors[gait, below, foot, k, 0], sectors[gait, below, foot, k, 1]
    if share == 0.0:
        return start, duration
    return (
        start + share * (sectors[gait, below + 1, foot, k, 0] - start),
        duration + share * (sectors[gait, below + 1, foot, k, 1] - duration),
    )


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


@part
def start_disks(
    needle: float, gait: int, speed: float, time_unit: float, row: Floats, disks: Floats, gaits: GaitArrays
) -> None:
    """Begin with a gait, all feet standing (the caller clears ``swinging``)."""
    below, share = knot(abs(speed), gait, gaits)
    row[g.NEEDLE] = turned(needle)
    row[g.WANTED] = row[g.GAIT] = row[g.FROM] = gait
    row[g.PROGRESS] = 1.0
    row[g.RUNNING] = 0.0
    row[g.FROM_PERIOD] = at_knot(gaits.periods, gait, below, share)
    row[g.PERIOD] = time_unit * row[g.FROM_PERIOD]
    row[g.FROM_LIFT] = row[g.LIFT] = at_knot(gaits.lifts, gait, below, share)
    for k in range(g.LIVES):
        row[g.BOUNCE + k] = row[g.FROM_BOUNCE + k] = _life(k, gait, below, share, gaits)
    for foot in range(disks.shape[1]):
        for k in range(disks.shape[2]):
            start, duration = sector_at(gait, below, share, foot, k, gaits.sectors)
            for which in range(g.DISKS):
                disks[which, foot, k, g.START], disks[which, foot, k, g.DURATION] = turned(start), duration


@part
def _origin_of(foot: int, disks: Floats, gait: int, below: int, share: float, gaits: GaitArrays) -> None:
    """Pair the sectors a foot has with those it will have, the nearest first, and unwrap their starts the right way."""
    live, origin = disks[g.LIVE, foot], disks[g.ORIGIN, foot]
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
                start, duration = sector_at(gait, below, share, foot, k, gaits.sectors)
                if duration <= 0.0 or origin[k, 1] >= 0.0:
                    continue
                apart = turned(start + 0.5 * duration - live[i, 0] - 0.5 * live[i, 1])
                apart = min(apart, 1.0 - apart)
                if apart < nearest:
                    nearest, best, place = apart, i, k
        if best < 0:
            break
        start, duration = sector_at(gait, below, share, foot, place, gaits.sectors)
        origin[place, 0] = start - _way(live[best, 0], live[best, 1], start, duration)
        origin[place, 1] = live[best, 1]
        taken |= 1 << best
    for i in range(count):  # what has no partner goes where there is none
        if live[i, 1] > 0.0 and not taken >> i & 1:
            for k in range(count):
                if origin[k, 1] < 0.0 and sector_at(gait, below, share, foot, k, gaits.sectors)[1] <= 0.0:
                    origin[k, 0], origin[k, 1] = live[i, 0], live[i, 1]
                    break
    for k in range(count):
        if origin[k, 1] < 0.0:
            origin[k, 0], origin[k, 1] = sector_at(gait, below, share, foot, k, gaits.sectors)[0], 0.0


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
def _take_over(foot: int, step: float, row: Floats, disks: Floats, below: int, share: float, gaits: GaitArrays) -> None:
    """Give a standing foot the disk it should have now, if the needle is outside the new sectors or stands still.

    Where old and new sectors cover the whole turn the needle is never outside: then at once, and the foot waits for
    the next start.
    """
    gait, u, needle = int(row[g.GAIT]), row[g.PROGRESS], row[g.NEEDLE]
    live, origin = disks[g.LIVE, foot], disks[g.ORIGIN, foot]
    within, differs, total = False, False, 0.0
    goal = disks[g.GOAL, foot]
    for k in range(len(live)):
        start, duration = sector_at(gait, below, share, foot, k, gaits.sectors)
        if u < 1.0:
            if origin[k, 1] > 0.0 and duration > 0.0:
                start = (1.0 - u) * origin[k, 0] + u * start
                duration = (1.0 - u) * origin[k, 1] + u * duration
            elif u < 0.5:  # sectors without a partner come and go half-way: no swing is ever too short
                start, duration = origin[k, 0], origin[k, 1]
        goal[k, 0], goal[k, 1] = turned(start), duration
        total += duration
        within = within or (duration > 0.0 and turned(needle - start) < duration)
        differs = differs or goal[k, 0] != live[k, 0] or duration != live[k, 1]
    if total > LONGEST and u < 1.0:
        return  # two swings of a foot on their way past each other
    if differs and (not within or row[g.RUNNING] == 0.0 or not _uncovered(live, goal, step)):
        for k in range(len(live)):
            live[k, 0], live[k, 1] = goal[k, 0], goal[k, 1]


@part
def turn_disks(
    dt: float,
    speed: float,
    time_unit: float,
    moving: bool,
    row: Floats,
    disks: Floats,
    gaits: GaitArrays,
    swinging: Ints,
    left: Floats,
    stance: Floats,
) -> None:
    """Advance a character's needle by ``dt`` and say what its feet do.

    ``speed`` is in units of sqrt(g h), ``time_unit`` is sqrt(h / g) in seconds. ``swinging (F,)`` is kept from step to
    step. ``left (F,)`` is the time to touch-down of a foot that swings and to lift-off of one that stands; ``stance
    (F,)`` how long the stance after the present or next swing will last. A character that does not move lifts no foot;
    its needle stops once all are down, and begins again where the next foot lifts.
    """
    feet = disks.shape[1]
    gait = int(row[g.WANTED])
    below, share = knot(abs(speed), gait, gaits)
    if gait != int(row[g.GAIT]):
        row[g.FROM], row[g.GAIT], row[g.PROGRESS] = row[g.GAIT], gait, 0.0
        row[g.FROM_PERIOD], row[g.FROM_LIFT] = row[g.PERIOD] / time_unit, row[g.LIFT]
        for k in range(g.LIVES):
            row[g.FROM_BOUNCE + k] = row[g.BOUNCE + k]
        for foot in range(feet):
            _origin_of(foot, disks, gait, below, share, gaits)
    period, lift = at_knot(gaits.periods, gait, below, share), at_knot(gaits.lifts, gait, below, share)
    if row[g.PROGRESS] < 1.0:
        takes = row[g.TRANSITION] if row[g.TRANSITION] > 0.0 else row[g.PERIOD]
        row[g.PROGRESS] = u = min(1.0, row[g.PROGRESS] + dt / takes)
        period = row[g.FROM_PERIOD] ** (1.0 - u) * period**u
        lift = (1.0 - u) * row[g.FROM_LIFT] + u * lift
    for k in range(g.LIVES):
        u = row[g.PROGRESS]
        row[g.BOUNCE + k] = (1.0 - u) * row[g.FROM_BOUNCE + k] + u * _life(k, gait, below, share, gaits)
    down, slowed = 0, 1.0
    for foot in range(feet):
        live = disks[g.LIVE, foot]
        k = -1 if swinging[foot] == g.STANCE else inside(row[g.NEEDLE], live)
        if k >= 0:
            # A creature that slows down turns to longer cycles with shorter swings: those that run take no longer.
            wanted = sector_at(gait, below, share, foot, k, gaits.sectors)[1]
            slowed = min(slowed, max(HASTIEST, wanted / live[k, 1]))
        elif swinging[foot] == g.STANCE:
            down += 1
    period = max(period * slowed * time_unit, FEWEST_STEPS * dt)
    row[g.PERIOD], row[g.LIFT] = period, lift

    if not moving and down == feet:
        row[g.RUNNING] = 0.0
    elif row[g.RUNNING] == 0.0:
        row[g.RUNNING] = 1.0
        soonest = 1.0
        for foot in range(feet):
            soonest = min(soonest, until_start(row[g.NEEDLE], disks[g.LIVE, foot]))
        if soonest < 1.0:
            row[g.NEEDLE] = turned(row[g.NEEDLE] + soonest - SAME)
    was = row[g.NEEDLE]
    step = dt / period if row[g.RUNNING] == 1.0 else 0.0
    needle = row[g.NEEDLE] = turned(was + step)

    flies = gaits.flights[gait] == 1 or (row[g.PROGRESS] < 1.0 and gaits.flights[int(row[g.FROM])] == 1)
    for foot in range(feet):
        live = disks[g.LIVE, foot]
        sector = inside(needle, live)
        if swinging[foot] == g.SWING and sector < 0:
            swinging[foot] = g.STANCE
            down += 1
    for foot in range(feet):
        live = disks[g.LIVE, foot]
        if swinging[foot] == g.STANCE and moving and (flies or down > 1):
            for k in range(len(live)):
                gone = turned(needle - live[k, 0])
                if live[k, 1] > 0.0 and gone < max(LATEST * live[k, 1], step):
                    swinging[foot] = g.SWING
                    down -= 1
                    break
        if swinging[foot] == g.STANCE:
            _take_over(foot, step, row, disks, below, share, gaits)
        k = inside(needle, live)
        if swinging[foot] == g.SWING:
            left[foot] = turned(live[k, 0] + live[k, 1] - needle) * period if k >= 0 else 0.0
            stance[foot] = period * (until_start(live[k, 0] + live[k, 1], live) if k >= 0 else 1.0)
        else:
            wait = until_start(needle, live)
            left[foot] = period * wait
            stance[foot] = period
            for j in range(len(live)):
                if live[j, 1] > 0.0 and turned(live[j, 0] - needle) == wait:
                    stance[foot] = period * until_start(live[j, 0] + live[j, 1], live)


@kernel
def turn_all(
    dt: float,
    speeds: Floats,
    time_units: Floats,
    moving: Ints,
    rows: Floats,
    disks: Floats,
    gaits: GaitArrays,
    swinging: Ints,
    left: Floats,
    stance: Floats,
) -> None:
    """`turn_disks` for many characters."""
    for n in range(len(rows)):
        turn_disks(
            dt,
            speeds[n],
            time_units[n],
            moving[n] != 0,
            rows[n],
            disks[n],
            gaits,
            swinging[n],
            left[n],
            stance[n],
        )


@kernel
def start_all(
    needles: Floats,
    gait: int,
    speeds: Floats,
    time_units: Floats,
    rows: Floats,
    disks: Floats,
    gaits: GaitArrays,
) -> None:
    """`start_disks` for many characters."""
    for n in range(len(rows)):
        start_disks(needles[n], gait, speeds[n], time_units[n], rows[n], disks[n], gaits)
