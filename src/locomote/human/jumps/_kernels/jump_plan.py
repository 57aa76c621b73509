"""The run-up to a jump over something ahead: speed, foot and place at once."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human._kernels.drive import knee_of
from locomote.human._kernels.model import LEG_SHARE, REFERENCE_HIP_HEIGHT
from locomote.human._kernels.stance import MIDDLE
from locomote.human._kernels.state import STEPPING, Walker
from locomote.human.jumps._kernels import jump_setup as setup
from locomote.human.jumps._kernels.jump_course import JUMP_AIR
from locomote.human.jumps._kernels.jump_setup import After, Planner
from locomote.human.jumps._kernels.runup import plan_level, plan_to_line
from locomote.human.jumps._kernels.runup_duration import LEVEL, QUADRATIC, QUARTIC, RunUp, RunUpRequest
from locomote.math._compile import inline, part
from locomote.math.vector import Pair

EITHER = -1  # foot
STRAIGHTEN = 0.25  # s in which a turn ends before a run-up
TWO_FEET = 0.5  # cycles from one take-off foot to the other
SAME = 1e-6  # m between lines that are one
FROZEN = 0.3  # s before the take-off foot lands, in which a run-up is left as it is


@part
def frequencies(row: Walker, known: Planner) -> None:
    """Fill in the frequency of the cycle of one character over its speed, for walk and run."""
    timing, speeds, table = known.timing, known.rates.speeds, known.rates.table
    slow = math.sqrt(LEG_SHARE * REFERENCE_HIP_HEIGHT / row.leg.value)
    for t in range(speeds.shape[0]):
        speeds[t] = timing.speeds[t] * REFERENCE_HIP_HEIGHT / slow
        table[0, t] = table[1, t] = 0.0
    for k in range(timing.table.shape[0]):
        weight = slow * known.weights[k]
        if weight == 0.0:
            continue
        for g in range(2):
            for t in range(speeds.shape[0]):
                table[g, t] += weight * timing.table[k, g, t, 0]


@part
def ball_at_strike(speed: float, run: float, known: Planner) -> float:
    """How far ahead of the body the place is on which a foot lands to take off, m.

    ``known.ahead`` has the timing of that speed and share of running.
    """
    there: Walker = known.ahead[0]
    size = there.leg.value / LEG_SHARE
    pace = speed * math.sqrt(REFERENCE_HIP_HEIGHT / size)
    ahead = 0.0
    for k in range(known.places.shape[0]):
        weight = known.weights[k]
        if weight > 0.0:
            walk, gait = known.places[k, 0], known.places[k, 1]
            ahead += weight * (1.0 - run) * (walk[0] + pace * walk[1])
            ahead += weight * run * (gait[0] + pace * gait[1])
    strikes = there.contact_phases
    land = strikes[0] - strikes[2]
    standing = MIDDLE * (land - math.floor(land) - JUMP_AIR)
    there_ahead: float = size * ahead + speed * standing / there.frequency
    return there_ahead


@inline
def along(row: Walker) -> float:
    """The place of a character along its heading, m."""
    place: float = row.x * math.sin(row.yaw) + row.z * math.cos(row.yaw)
    return place


@inline
def across(row: Walker) -> float:
    """The place of a character to the left of the origin, across its heading, m."""
    place: float = row.x * math.cos(row.yaw) - row.z * math.sin(row.yaw)
    return place


@part
def run_up(
    row: Walker, line: float, speed: float, run: float, foot: int, limit: float, kind: int, known: Planner
) -> tuple[RunUp, int, float, float]:
    """The run-up that brings the ball of a foot (-1: of either) to ``line`` along the heading, with a speed and gait.

    Returned are the plan, the foot, its cycle, and how far ahead of the body it lands. `known.ahead` then has the
    timing of that speed.
    """
    setup.time_at(row, speed, run, known)
    there: Walker = known.ahead[0]
    ahead = ball_at_strike(speed, run, known)
    left, right = there.contact_phases[0], there.contact_phases[2]
    way, first, step = line - ahead - along(row), left if foot == 0 else right, TWO_FEET if foot < 0 else 1.0
    asked = RunUpRequest(way, row.speed.value, 0.0, speed, row.run.value, run, row.cycles, first, step, limit)
    plan = plan_level(asked, known.rates) if kind == LEVEL else plan_to_line(asked, kind, known.rates)
    leg = foot
    if foot < 0:
        leg = 1 if math.floor(2.0 * (plan.phase - right) + 0.5) % 2.0 == 0.0 else 0
    return plan, leg, math.floor(plan.phase - (right if leg == 1 else left) + 0.5), ahead


class Pace(NamedTuple):
    """How fast one is to arrive, and how hard one may accelerate for it."""

    speed: float  # m/s
    band: float  # m/s, by which it may be another speed
    run: float  # share of running
    limit: float  # m/s^2


class TakeOffLine(NamedTuple):
    """Where the ball of one foot is to land before something."""

    place: float  # m along the heading
    slant: float  # see `jump`
    side: float


@part
def plan_jump(
    row: Walker, left: TakeOffLine, right: TakeOffLine, length: float, pace: Pace, after: After, known: Planner
) -> bool:
    """Set out for a jump of ``length`` m from ball to ball, from its line with one foot or the other.

    An oblique edge is nearer to one of them.
    If no run-up to the speed fits, one to an end of the band of speeds is taken; and if no smooth one does, one of two
    ramps. Returns whether there is one; without one nothing is changed.
    """
    frequencies(row, known)
    for attempt in range(6):
        kind = QUADRATIC if attempt < 3 else LEVEL
        wanted = pace.speed + (pace.band if attempt % 3 == 1 else -pace.band if attempt % 3 == 2 else 0.0)
        if wanted <= 0.0:
            continue
        between = 0.5 * (left.place + right.place)
        plan, leg, count, ahead = run_up(row, between, wanted, pace.run, EITHER, pace.limit, kind, known)
        if abs(left.place - right.place) > SAME:
            for other in range(2):
                leg = 1 - leg if other == 1 else leg
                line = left.place if leg == 0 else right.place
                plan, leg, count, ahead = run_up(row, line, wanted, pace.run, leg, pace.limit, kind, known)
                if plan.ok:
                    break
        if not plan.ok:
            continue
        chosen = left if leg == 0 else right
        flight = setup.flight_for(length, wanted, leg, known.ahead[0])
        setup.set_moving(row, leg, count, length, flight, pace.run, after, known)
        _set_out(row, plan, kind, chosen.place, ahead, pace.run)
        row.jump.slant, row.jump.side = chosen.slant, chosen.side
        return True
    return False


@part
def plan_steps(row: Walker, line: float, length: float, foot: int, pace: Pace, after: After, known: Planner) -> bool:
    """Set out to land with a foot (-1: either) on ``line`` at a speed; the other ``length`` m further, 0: anywhere."""
    frequencies(row, known)
    plan, leg, count, ahead = run_up(row, line, pace.speed, pace.run, foot, pace.limit, QUADRATIC, known)
    if not plan.ok:
        return False
    setup.set_steps(row, leg, count, length, after, known)
    _set_out(row, plan, QUADRATIC, line, ahead, pace.run)
    return True


@inline
def _set_out(row: Walker, plan: RunUp, kind: int, line: float, ahead: float, run: float) -> None:
    row.jump.ahead = ahead
    take_off_at(row, line)
    set_profile(row, plan, kind)
    row.run.target, row.run.left, row.auto_gait = run, plan.duration, False
    row.turn.target, row.turn.left, row.steering = 0.0, STRAIGHTEN, False


@inline
def take_off_at(row: Walker, line: float) -> None:
    """Where along the heading the ball of the take-off foot is to land."""
    jump = row.jump
    before = jump.before
    before.leg, before.count, before.place = jump.leg, jump.count, line
    before.x, before.z = math.sin(row.yaw), math.cos(row.yaw)
    if jump.state == STEPPING:
        beyond = jump.beyond
        beyond.place = line + jump.length * row.leg.value / LEG_SHARE
        beyond.x, beyond.z = before.x, before.z


@inline
def set_profile(row: Walker, plan: RunUp, kind: int) -> None:
    """Let the speed go as a run-up of some kind has it."""
    profile = row.profile.coefficients
    profile[0], profile[1], profile[2], profile[3], profile[4] = plan.s1, plan.al, plan.be, plan.ga, plan.de
    row.profile.time, row.profile.duration = 0.0, plan.duration
    row.profile.ramps = kind == LEVEL
    row.news = True


@inline
def _now(row: Walker) -> Pair:
    """The acceleration of the run-up now, and the speed at its end."""
    c, duration = row.profile.coefficients, row.profile.duration
    u = row.profile.time / duration
    if row.profile.ramps:
        steep = (abs(c[1]) + abs(c[2])) / duration
        return math.copysign(steep, c[1] if u < knee_of(c) else c[2]), c[0] + c[1] + c[2]
    slope = c[1] + u * (2.0 * c[2] + u * (3.0 * c[3] + u * 4.0 * c[4]))
    return slope / duration, c[0] + c[1] + c[2] + c[3] + c[4]


@part
def replan_jump(row: Walker, line: float, limit: float, known: Planner) -> bool:
    """Adapt a run-up to where the body is and where the line is now: same foot, same speed at its end.

    The acceleration goes on smoothly. Returns whether that is possible; if not, all stays as it was.
    """
    jump = row.jump
    left = row.profile.duration - row.profile.time
    if row.profile.duration <= 0.0 or left < FROZEN:
        take_off_at(row, line)
        return True
    acceleration, speed = _now(row)
    leg, run = jump.leg, row.run.target
    frequencies(row, known)
    setup.time_at(row, speed, run, known)
    there: Walker = known.ahead[0]
    phase = jump.count + there.contact_phases[2 * leg]
    way = line - jump.ahead - along(row)
    asked = RunUpRequest(way, row.speed.value, acceleration, speed, row.run.value, run, row.cycles, phase, 0.0, limit)
    plan = plan_to_line(asked, QUARTIC, known.rates)
    kind = QUARTIC
    if not plan.ok and row.profile.ramps:
        kind = LEVEL
        plan = plan_level(asked, known.rates)
    if not plan.ok:
        return False
    news = row.news
    set_profile(row, plan, kind)
    row.news = news
    row.run.left = plan.duration if row.run.left > 0.0 else 0.0
    take_off_at(row, line)
    return True
