"""The course of the fitted gait over the plants of a chain: phase, speed, heading and place, and its pose at a time."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.math._compile import inline, part
from locomote.math.quaternion import about_up, multiply
from locomote.math.vector import Floats, Ints, smooth_step, wrapped
from locomote.steps._kernels.blend import FEET, FOOT_ROWS, ROOT, ROWS, YAW, Singles
from locomote.steps._kernels.layout import ChosenSteps, GaitSheets, PlayedChains

STEP_PHASE = 0.5
AROUND = 3  # samples of a sheet that stand for others, around the end of the cycle
MID_STANCE = 0.30  # of the cycle after its strike, at which a foot says where the gait is
EVENED = 0.125  # of what the feet to either side say about that: the body does not go all the way over each foot
# What is ordinary walking: the first number wholly so, the second no more. Lengths in hip heights.
SHORT, LONG = (0.35, 0.15), (1.0, 1.25)  # from foot to foot along the way
ASIDE = (0.16, 0.30)  # from the usual width
USUAL_WIDTH = 0.10
TURN = (math.radians(15.0), math.radians(40.0))  # of the way from step to step
FACING = (math.radians(40.0), math.radians(70.0))  # between a foot and the way
CLIMB = (0.04, 0.12)
HASTE = (1.35, 1.7)  # between the duration of a step and that of the gait at its speed, either way
CREEP = (0.45, 0.25)  # hip heights a second


class GaitCourse(NamedTuple):
    """Where the gait is at the plants of a chain; columns have a row for each plant, as `row_of` says."""

    times: Floats  # (P,) s, when the foot comes down
    phases: Floats  # (P,) of the cycle then, growing
    paces: Floats  # (P,) cycles a second then
    speeds: Floats  # (P,) hip heights a second
    headings: Floats  # (P,) rad
    shares: Floats  # (P,) of the gait
    knots: Floats  # (P, 3) m, where its frame is when the foot on the plant is in the middle of its stance
    rows: Floats  # (5, ROWS) room for a pose, those at the ends of its swing, and those a moment inside of them


@part
def lay_course(first: int, last: int, played: PlayedChains, size: float, course: GaitCourse) -> bool:
    """Phase, speed, heading and place of the gait at the plants of a chain; whether any of it is walked ordinarily."""
    chosen, sides, gait = played.chosen, played.plants.sides, played.gait
    count = last - first
    way = 0.0
    for k in range(1, count):
        p = first + k
        course.times[k] = chosen.lands[p] if k > 1 else 0.0
        if k == 1:
            continue
        x, z = (
            _middle(p, 0, chosen) - _middle_before(p, 0, chosen),
            _middle(p, 2, chosen) - _middle_before(p, 2, chosen),
        )
        course.speeds[k] = math.sqrt(x * x + z * z) / (size * max(course.times[k] - course.times[k - 1], 1e-3))
        way = course.headings[k - 1] if x * x + z * z < 1e-6 else math.atan2(x, z)
        course.headings[k] = way if k == 2 else course.headings[k - 1] + wrapped(way - course.headings[k - 1])
    course.speeds[0] = course.speeds[1] = course.speeds[2]
    course.headings[0] = course.headings[1] = course.headings[2]
    course.times[0] = course.times[1] - (course.times[2] - course.times[1])
    for k in range(2, count):
        course.shares[k] = gait.share * _ordinary(first + k, k, first, gait, size, chosen, course)
    course.shares[1] = course.shares[2] * _apart(first, size, chosen, course.headings[2])
    course.shares[0] = course.shares[1]
    # From here on values hold at the landings: what the steps before and after have in common.
    some = 0.0
    for k in range(1, count - 1):
        if k > 1:
            course.shares[k] = min(course.shares[k], course.shares[k + 1])
        some = max(some, course.shares[k])
    if max(some, course.shares[count - 1]) <= 0.0:
        return False
    if count > 3:
        course.speeds[2] = course.speeds[3]  # how long the first step takes often nobody knows
    _between_steps(count, course.speeds)
    _between_steps(count, course.headings)
    half = 0.0
    for k in range(count):
        side = sides[_plant_of(k, first, chosen)]
        if k > 0:
            half += STEP_PHASE if side != sides[_plant_of(k - 1, first, chosen)] else 2.0 * STEP_PHASE
        else:
            half = STEP_PHASE if side == 0 else 0.0
        off = _of_speed(gait.strikes[:, side], course.speeds[k], gait)
        course.phases[k] = half + off - (STEP_PHASE if side == 0 else 0.0)
    _lay_paces(count, course)
    _lay_knots(first, count, sides, gait, size, chosen, course)
    return True


@inline
def _plant_of(k: int, first: int, chosen: ChosenSteps) -> int:
    """The plant of a row: of the two that stand first, the one that the first step leaves comes before the other."""
    if k < 2:
        return int(chosen.starts[first + 2] if k == 0 else chosen.supports[first + 2])
    return first + k


@inline
def row_of(plant: int, first: int, chosen: ChosenSteps) -> int:
    """The row of a plant."""
    if plant < first + 2:
        return 0 if plant == chosen.starts[first + 2] else 1
    return plant - first


@inline
def _middle(p: int, axis: int, chosen: ChosenSteps) -> float:
    """Between the feet when the one on a plant has come down."""
    out: float = 0.5 * (chosen.places[p, axis] + chosen.places[chosen.supports[p], axis])
    return out


@inline
def _middle_before(p: int, axis: int, chosen: ChosenSteps) -> float:
    """Between the feet before that one has left."""
    out: float = 0.5 * (chosen.places[chosen.starts[p], axis] + chosen.places[chosen.supports[p], axis])
    return out


@inline
def _fall(value: float, full: float, none: float) -> float:
    """1 as far as ``full``, 0 from ``none`` on, to whichever side that is."""
    return 1.0 - smooth_step((value - full) / (none - full))


@inline
def _ordinary(
    p: int, k: int, first: int, gait: GaitSheets, size: float, chosen: ChosenSteps, course: GaitCourse
) -> float:
    """How far the step to a plant is one of ordinary walking, 0 to 1."""
    heading = course.headings[k]
    support = chosen.supports[p]
    x = (chosen.places[p, 0] - chosen.places[support, 0]) / size
    z = (chosen.places[p, 2] - chosen.places[support, 2]) / size
    s, c = math.sin(heading), math.cos(heading)
    ahead, aside = s * x + c * z, abs(c * x - s * z)
    usual = _of_speed(gait.rates, course.speeds[k], gait) * (course.times[k] - course.times[k - 1]) / STEP_PHASE
    out = _fall(ahead, SHORT[0], SHORT[1]) * _fall(ahead, LONG[0], LONG[1])
    out *= _fall(abs(aside - USUAL_WIDTH), ASIDE[0], ASIDE[1])
    if k > 2:
        out *= _fall(abs(wrapped(heading - course.headings[k - 1])), TURN[0], TURN[1])
    out *= _fall(abs(wrapped(chosen.foot_yaws[p] - heading)), FACING[0], FACING[1])
    out *= _fall(abs(wrapped(chosen.foot_yaws[support] - heading)), FACING[0], FACING[1])
    out *= _fall(abs(chosen.places[p, 1] - chosen.places[support, 1]) / size, CLIMB[0], CLIMB[1])
    out *= _fall(max(usual, 1.0 / usual), HASTE[0], HASTE[1])
    return out * _fall(course.speeds[k], CREEP[0], CREEP[1])


@inline
def _apart(first: int, size: float, chosen: ChosenSteps, heading: float) -> float:
    """How far the chain begins in the middle of a walk, one foot ahead of the other."""
    p = first + 2
    support, start = chosen.supports[p], chosen.starts[p]
    x = (chosen.places[support, 0] - chosen.places[start, 0]) / size
    z = (chosen.places[support, 2] - chosen.places[start, 2]) / size
    return _fall(math.sin(heading) * x + math.cos(heading) * z, SHORT[0], SHORT[1])


@inline
def _between_steps(count: int, column: Floats) -> None:
    """Values of the steps become values at their ends: of both steps beside them, and less of the next ones."""
    before, here = column[2], column[2]
    for k in range(2, count):
        after, later = column[min(k + 1, count - 1)], column[min(k + 2, count - 1)]
        column[k] = (before + 2.0 * here + 2.0 * after + later) / 6.0
        before, here = here, after
    column[0] = column[1] = column[2]


@part
def _lay_paces(count: int, course: GaitCourse) -> None:
    """The pace of the phase at each landing: no faster than the steps beside it allow, so that it never goes back."""
    for k in range(1, count):
        rate = (course.phases[k] - course.phases[k - 1]) / (course.times[k] - course.times[k - 1])
        course.paces[k] = rate
        if k > 1:
            course.paces[k - 1] = 2.0 * course.paces[k - 1] * rate / (course.paces[k - 1] + rate)
    course.paces[0] = course.paces[1]


@part
def _lay_knots(
    first: int, count: int, sides: Ints, gait: GaitSheets, size: float, chosen: ChosenSteps, course: GaitCourse
) -> None:
    """Where the frame of the gait is in the middle of each stance, evened out from foot to foot."""
    for k in range(count):
        plant = _plant_of(k, first, chosen)
        row = FEET + FOOT_ROWS * sides[plant]
        after = min(k + 1, count - 1)
        heading = course.headings[k] + MID_STANCE / STEP_PHASE * (course.headings[after] - course.headings[k])
        s, c = math.sin(heading), math.cos(heading)
        phase = course.phases[k] + MID_STANCE
        x = size * _value(row, phase, course.speeds[k], gait)
        z = size * _value(row + 2, phase, course.speeds[k], gait)
        course.knots[k, 0] = chosen.places[plant, 0] - c * x - s * z
        course.knots[k, 1] = chosen.places[plant, 1]
        course.knots[k, 2] = chosen.places[plant, 2] + s * x - c * z
    for axis in range(3):
        before = course.knots[0, axis]
        for k in range(1, count - 1):
            here = course.knots[k, axis]
            course.knots[k, axis] = here + EVENED * (before - 2.0 * here + course.knots[k + 1, axis])
            before = here


@inline
def mixed(column: Floats, k: int, u: float) -> float:
    out: float = column[k - 1] + u * (column[k] - column[k - 1])
    return out


@inline
def _of_speed(column: Floats, speed: float, gait: GaitSheets) -> float:
    """A value that goes with the speed."""
    row, rest = _row(speed, gait)
    out: float = column[row] + rest * (column[row + 1] - column[row])
    return out


@inline
def _row(speed: float, gait: GaitSheets) -> tuple[int, float]:
    """The sheet before a speed, and how far it is to the next; sheets are evenly spaced."""
    last = gait.speeds.shape[0] - 1
    along = (speed - gait.speeds[0]) / (gait.speeds[last] - gait.speeds[0]) * last
    along = min(max(along, 0.0), last - 1e-9)
    row = int(along)
    return row, along - row


@inline
def _value(r: int, phase: float, speed: float, gait: GaitSheets) -> float:
    """One row of the gait."""
    row, rest = _row(speed, gait)
    i, u = _sample(phase, gait)
    slow, fast = _cubic(gait.sheets[row, r], i, u), _cubic(gait.sheets[row + 1, r], i, u)
    out: float = slow + rest * (fast - slow)
    return out


@inline
def _sample(phase: float, gait: GaitSheets) -> tuple[int, float]:
    """The sample before a phase, and how far it is to the next."""
    samples = gait.sheets.shape[2] - AROUND
    along = (phase - math.floor(phase)) * samples
    i = min(int(along), samples - 1)
    return i, along - i


@inline
def _cubic(row: Singles, i: int, u: float) -> float:
    """Between samples, without a break of slope; the first sample of a row is the one before phase 0."""
    before, a, b, after = row[i], row[i + 1], row[i + 2], row[i + 3]
    out: float = a + 0.5 * u * (
        b - before + u * (2.0 * before - 5.0 * a + 4.0 * b - after + u * (3.0 * (a - b) + after - before))
    )
    return out


@inline
def phase_at(time: float, k: int, course: GaitCourse) -> float:
    """The phase, by a cubic between the landings ``k - 1`` and ``k``; after the last one it goes on evenly."""
    long = course.times[k] - course.times[k - 1]
    u = (time - course.times[k - 1]) / long
    if u >= 1.0:
        out: float = course.phases[k] + course.paces[k] * (time - course.times[k])
        return out
    whole = course.phases[k] - course.phases[k - 1]
    rest = 1.0 - u
    bend = course.paces[k - 1] * long * u * rest * rest - course.paces[k] * long * u * u * rest
    out = course.phases[k - 1] + whole * u * u * (3.0 - 2.0 * u) + bend
    return out


@part
def pose_at(time: float, k: int, gait: GaitSheets, size: float, course: GaitCourse, pose: Floats) -> None:
    """The pose ``(ROWS,)`` of the gait in the world at a time between the landings ``k - 1`` and ``k``."""
    phase = phase_at(time, k, course)
    u = smooth_step((time - course.times[k - 1]) / (course.times[k] - course.times[k - 1]))
    speed, heading = mixed(course.speeds, k, u), mixed(course.headings, k, u)
    row, rest = _row(speed, gait)
    i, u = _sample(phase, gait)
    slow, fast = gait.sheets[row], gait.sheets[row + 1]
    for r in range(ROWS):
        a = _cubic(slow[r], i, u)
        pose[r] = a + rest * (_cubic(fast[r], i, u) - a)
    turned = multiply(about_up(heading), (pose[0], pose[1], pose[2], pose[3]))
    pose[0], pose[1], pose[2], pose[3] = turned
    j = _knot_before(phase, k, course)
    x, y, z = _place(0, j, phase, course), _place(1, j, phase, course), _place(2, j, phase, course)
    s, c = math.sin(heading), math.cos(heading)
    for r in (ROOT, FEET, FEET + FOOT_ROWS):
        px, pz = size * pose[r], size * pose[r + 2]
        pose[r], pose[r + 1], pose[r + 2] = x + c * px + s * pz, y + size * pose[r + 1], z - s * px + c * pz
    pose[FEET + YAW] += heading
    pose[FEET + FOOT_ROWS + YAW] += heading


@inline
def _knot_before(phase: float, k: int, course: GaitCourse) -> int:
    j = int(min(k, course.phases.shape[0] - 2))
    while j > 0 and course.phases[j] + MID_STANCE > phase:
        j -= 1
    return j


@inline
def _place(axis: int, j: int, phase: float, course: GaitCourse) -> float:
    """Where the frame of the gait is, by a cubic through the knots."""
    a, b = course.knots[j, axis], course.knots[j + 1, axis]
    long = course.phases[j + 1] - course.phases[j]
    u = (phase - MID_STANCE - course.phases[j]) / long
    here, there = b - a, b - a
    if j > 0:
        here = long * (b - course.knots[j - 1, axis]) / (course.phases[j + 1] - course.phases[j - 1])
    if j + 2 < course.knots.shape[0]:
        there = long * (course.knots[j + 2, axis] - a) / (course.phases[j + 2] - course.phases[j])
    rest = 1.0 - u
    out: float = a + (b - a) * u * u * (3.0 - 2.0 * u) + here * u * rest * rest - there * u * u * rest
    return out
