"""The run-up to a jump over something ahead: speed, foot and place at once."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human._kernels import drive
from locomote.human._kernels.stance import MIDDLE
from locomote.human.jumps._kernels import jump as leap
from locomote.human.jumps._kernels import jump_setup as setup
from locomote.human.jumps._kernels.runup import LEVEL, QUADRATIC, QUARTIC, RunUp, plan_level, plan_to_line
from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Pair

EITHER = -1  # foot
STRAIGHTEN = 0.25  # s in which a turn ends before a run-up
TWO_FEET = 0.5  # cycles from one take-off foot to the other
SAME = 1e-6  # m between lines that are one
FROZEN = 0.3  # s before the take-off foot lands, in which a run-up is left as it is


class Known(NamedTuple):
    """What a planner knows of walkers and of jumps, and room for its work."""

    timing: Floats  # see `drive`
    numbers: Floats
    places: Floats  # (K, 3, 2) of every style, walk, run and stand: hip heights from the body to the place of a foot in
    # the middle of its support, at a speed of 0 and more for each m/s
    units: Floats  # see `jump_setup`
    laws: Floats  # see `jump_decision`
    row: Floats  # room for a state
    speeds: Floats  # (T,)
    table: Floats  # (2, T)
    request: Floats  # of `jump_decision`
    after: Floats  # (3,)


@part
def frequencies(row: Floats, known: Known) -> None:
    """Fill in the frequency of the cycle of one character over its speed, for walk and run."""
    timing, numbers, speeds, table = known.timing, known.numbers, known.speeds, known.table
    slow = math.sqrt(drive.LEG_SHARE * drive.REFERENCE_HIP_HEIGHT / row[drive.LEG])
    for t in range(speeds.shape[0]):
        speeds[t] = numbers[drive.GRID + t] * drive.REFERENCE_HIP_HEIGHT / slow
        table[0, t] = table[1, t] = 0.0
    for k in range(timing.shape[0]):
        weight = slow * row[drive.WEIGHTS + k]
        if weight == 0.0:
            continue
        for g in range(2):
            for t in range(speeds.shape[0]):
                table[g, t] += weight * timing[k, g, t, 0]


@part
def ball_at_strike(speed: float, run: float, there: Floats, known: Known) -> float:
    """How far ahead of the body the place is on which a foot lands to take off, m.

    ``there`` has the timing of that speed and share of running.
    """
    size = there[drive.LEG] / drive.LEG_SHARE
    pace = speed * math.sqrt(drive.REFERENCE_HIP_HEIGHT / size)
    ahead = 0.0
    for k in range(known.places.shape[0]):
        weight = there[drive.WEIGHTS + k]
        if weight > 0.0:
            walk, gait = known.places[k, 0], known.places[k, 1]
            ahead += weight * (1.0 - run) * (walk[0] + pace * walk[1])
            ahead += weight * run * (gait[0] + pace * gait[1])
    strikes = there[drive.STRIKE_OFF : drive.STRIKE_OFF + 4]
    land = strikes[0] - strikes[2]
    standing = MIDDLE * (land - math.floor(land) - drive.JUMP_AIR)
    there_ahead: float = size * ahead + speed * standing / there[drive.FREQUENCY]
    return there_ahead


@inline
def along(row: Floats) -> float:
    """The place of a character along its heading, m."""
    place: float = row[drive.X] * math.sin(row[drive.YAW]) + row[drive.Z] * math.cos(row[drive.YAW])
    return place


@inline
def across(row: Floats) -> float:
    """The place of a character to the left of the origin, across its heading, m."""
    place: float = row[drive.X] * math.cos(row[drive.YAW]) - row[drive.Z] * math.sin(row[drive.YAW])
    return place


@part
def run_up(
    row: Floats, line: float, speed: float, run: float, foot: int, limit: float, kind: int, known: Known
) -> tuple[RunUp, int, float, float]:
    """The run-up that brings the ball of a foot (-1: of either) to ``line`` along the heading, with a speed and gait.

    Returned are the plan, the foot, its cycle, and how far ahead of the body it lands. `known.row` then has the timing
    of that speed.
    """
    there = setup.timed(row, speed, run, known.row, known.timing, known.numbers)
    ahead = ball_at_strike(speed, run, there, known)
    left, right = there[drive.STRIKE_OFF], there[drive.STRIKE_OFF + 2]
    way, first, step = line - ahead - along(row), left if foot == 0 else right, TWO_FEET if foot < 0 else 1.0
    if kind == LEVEL:
        plan = plan_level(
            way, row[drive.SPEED], speed, row[drive.RUN], run, row[drive.CYCLES], first, step, limit,
            known.speeds, known.table,
        )  # fmt: skip
    else:
        plan = plan_to_line(
            way, row[drive.SPEED], 0.0, speed, row[drive.RUN], run, row[drive.CYCLES], first, step, limit, kind,
            known.speeds, known.table,
        )  # fmt: skip
    leg = foot
    if foot < 0:
        leg = 1 if math.floor(2.0 * (plan.phase - right) + 0.5) % 2.0 == 0.0 else 0
    return plan, leg, math.floor(plan.phase - (right if leg == 1 else left) + 0.5), ahead


class Line(NamedTuple):
    """Where the ball of one foot is to land before something."""

    place: float  # m along the heading
    slant: float  # see `jump`
    side: float


@part
def plan_jump(
    row: Floats,
    left: Line,
    right: Line,
    length: float,
    speed: float,
    band: float,
    run: float,
    limit: float,
    known: Known,
) -> bool:
    """Set out for a jump of ``length`` m from ball to ball, from its line with one foot or the other.

    An oblique edge is nearer to one of them.
    If no run-up to the speed fits, one to an end of the band of speeds is taken; and if no smooth one does, one of two
    ramps. Returns whether there is one; without one nothing is changed.
    """
    frequencies(row, known)
    for attempt in range(6):
        kind = QUADRATIC if attempt < 3 else LEVEL
        wanted = speed + (band if attempt % 3 == 1 else -band if attempt % 3 == 2 else 0.0)
        if wanted <= 0.0:
            continue
        between = 0.5 * (left.place + right.place)
        plan, leg, count, ahead = run_up(row, between, wanted, run, EITHER, limit, kind, known)
        if abs(left.place - right.place) > SAME:
            for other in range(2):
                leg = 1 - leg if other == 1 else leg
                line = left.place if leg == 0 else right.place
                plan, leg, count, ahead = run_up(row, line, wanted, run, leg, limit, kind, known)
                if plan.ok:
                    break
        if not plan.ok:
            continue
        chosen = left if leg == 0 else right
        flight = setup.flight_for(length, wanted, leg, known.row)
        setup.set_moving(row, leg, count, length, flight, run, known.after, known.units)
        _set_out(row, plan, kind, chosen.place, ahead, run)
        row[drive.JUMP + leap.SLANT], row[drive.JUMP + leap.SIDE] = chosen.slant, chosen.side
        return True
    return False


@part
def plan_steps(
    row: Floats, line: float, length: float, speed: float, run: float, foot: int, limit: float, known: Known
) -> bool:
    """Set out to land with a foot (-1: either) on ``line`` at a speed; the other ``length`` m further, 0: anywhere."""
    frequencies(row, known)
    plan, leg, count, ahead = run_up(row, line, speed, run, foot, limit, QUADRATIC, known)
    if not plan.ok:
        return False
    setup.set_steps(row, leg, count, length, known.after)
    _set_out(row, plan, QUADRATIC, line, ahead, run)
    return True


@inline
def _set_out(row: Floats, plan: RunUp, kind: int, line: float, ahead: float, run: float) -> None:
    row[drive.JUMP + leap.AHEAD] = ahead
    take_off_at(row, line)
    set_profile(row, plan, kind)
    row[drive.RUN + 1], row[drive.RUN + 2], row[drive.AUTO] = run, plan.duration, 0.0
    row[drive.TURN + 1], row[drive.TURN + 2], row[drive.STEERING] = 0.0, STRAIGHTEN, 0.0


@inline
def take_off_at(row: Floats, line: float) -> None:
    """Where along the heading the ball of the take-off foot is to land."""
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    places = jump[leap.LINES : leap.LINES + 5]
    places[0], places[1], places[2] = jump[leap.LEG], jump[leap.COUNT], line
    places[3], places[4] = math.sin(row[drive.YAW]), math.cos(row[drive.YAW])
    if jump[leap.STATE] == leap.STEPPING:
        beyond = jump[leap.LINES + 5 : leap.LINES + 10]
        beyond[2] = line + jump[leap.LENGTH] * row[drive.LEG] / drive.LEG_SHARE
        beyond[3], beyond[4] = places[3], places[4]


@inline
def set_profile(row: Floats, plan: RunUp, kind: int) -> None:
    """Let the speed go as a run-up of some kind has it."""
    profile = row[drive.PROFILE : drive.PROFILE + 5]
    profile[0], profile[1], profile[2], profile[3], profile[4] = plan.s1, plan.al, plan.be, plan.ga, plan.de
    row[drive.PROFILE_TIME], row[drive.PROFILE_DURATION] = 0.0, plan.duration
    row[drive.PROFILE_RAMPS] = 1.0 if kind == LEVEL else 0.0
    row[drive.NEWS] = 1.0


@inline
def _now(row: Floats) -> Pair:
    """The acceleration of the run-up now, and the speed at its end."""
    c, duration = row[drive.PROFILE : drive.PROFILE + 5], row[drive.PROFILE_DURATION]
    u = row[drive.PROFILE_TIME] / duration
    if row[drive.PROFILE_RAMPS] > 0.0:
        steep = (abs(c[1]) + abs(c[2])) / duration
        return math.copysign(steep, c[1] if u < drive.knee_of(c) else c[2]), c[0] + c[1] + c[2]
    slope = c[1] + u * (2.0 * c[2] + u * (3.0 * c[3] + u * 4.0 * c[4]))
    return slope / duration, c[0] + c[1] + c[2] + c[3] + c[4]


@part
def replan_jump(row: Floats, line: float, limit: float, known: Known) -> bool:
    """Adapt a run-up to where the body is and where the line is now: same foot, same speed at its end.

    The acceleration goes on smoothly. Returns whether that is possible; if not, all stays as it was.
    """
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    left = row[drive.PROFILE_DURATION] - row[drive.PROFILE_TIME]
    if row[drive.PROFILE_DURATION] <= 0.0 or left < FROZEN:
        take_off_at(row, line)
        return True
    acceleration, speed = _now(row)
    leg, run = int(jump[leap.LEG]), row[drive.RUN + 1]
    frequencies(row, known)
    there = setup.timed(row, speed, run, known.row, known.timing, known.numbers)
    phase = jump[leap.COUNT] + there[drive.STRIKE_OFF + 2 * leg]
    plan = plan_to_line(
        line - jump[leap.AHEAD] - along(row), row[drive.SPEED], acceleration, speed, row[drive.RUN], run,
        row[drive.CYCLES], phase, 0.0, limit, QUARTIC, known.speeds, known.table,
    )  # fmt: skip
    kind = QUARTIC
    if not plan.ok and row[drive.PROFILE_RAMPS] > 0.0:
        kind = LEVEL
        plan = plan_level(
            line - jump[leap.AHEAD] - along(row), row[drive.SPEED], speed, row[drive.RUN], run, row[drive.CYCLES],
            phase, 0.0, limit, known.speeds, known.table,
        )  # fmt: skip
    if not plan.ok:
        return False
    news = row[drive.NEWS]
    set_profile(row, plan, kind)
    row[drive.NEWS] = news
    row[drive.RUN + 2] = plan.duration if row[drive.RUN + 2] > 0.0 else 0.0
    take_off_at(row, line)
    return True
