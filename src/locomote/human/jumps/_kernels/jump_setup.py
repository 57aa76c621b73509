"""Setting a jump up: which foot, how long in the air, and what it takes of the one who jumps."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from locomote.human._kernels.model import LEG_SHARE, Timing
from locomote.human._kernels.stance import MIDDLE
from locomote.human._kernels.state import COMING, NO_JUMP, STANDING_UNIT, STEPPING, Jump, Walker
from locomote.human._kernels.timing import set_timing
from locomote.human.jumps._kernels.jump_course import JUMP_AIR
from locomote.human.jumps._kernels.runup_phase import Frequencies
from locomote.math._compile import inline, part
from locomote.math.constants import GRAVITY
from locomote.math.records import Record, Records
from locomote.math.vector import Floats, copy_into, smooth_step

RUNS_FROM = 0.5  # share of running, from which a jump is one out of a run

LEAST_FLIGHT, MOST_FLIGHT = 0.33, 2.0
LEGS_APART = 0.15  # hip heights by which the feet of a jump are further apart than the body's way makes them, but
FURTHEST = 0.42  # not further ahead of the body
LIMIT = 0.8  # leg lengths / s^2, of accelerations before a jump
STEPS_LAST = 1.1  # cycles from the strike of the first foot of two that land on lines
STANDING_OFF, STANDING_LAND = 0.4, 0.6  # cycles at which a standing jump leaves and lands


class StandingUnits(Record):
    """Standing jumps; times are in seconds * sqrt(gravity / hip height), lengths in hip heights."""

    push: float
    settle: float
    support: Annotated[Floats, 3]  # linear in 1, length, flight
    landing: Annotated[Floats, 3]
    flight: Annotated[Floats, 2]  # the usual one, linear in 1, length
    lengths: Annotated[Floats, 2]  # shortest and longest recorded
    flights: Annotated[Floats, 2]


class MovingUnits(Record):
    """Jumps from one foot, out of a walk or out of a run; units as in `StandingUnits`."""

    hold: float  # u until which the unit counts fully
    recorded: float  # its support over its flight, as recorded
    short: float  # flights at which nothing
    long: float  # and all of it shows
    lengths: Annotated[Floats, 2]  # shortest and longest recorded
    flights: Annotated[Floats, 2]


class JumpUnits(Record):
    """The numbers of the units of jumps."""

    standing: StandingUnits
    walking: MovingUnits
    running: MovingUnits


class Planner(NamedTuple):
    """What is known of jumps and of one walker who plans one, and scratch for it."""

    weights: Floats  # (K,) scratch: of the styles of the walker, see `plan_for`
    timing: Timing
    places: Floats  # (K, 3, 2) of every style, walk, run and stand: hip heights from the body to the place of a foot in
    # the middle of its support, at a speed of 0 and more for each m/s
    sole: Floats  # (3, 3) hip heights, see `model.Model`
    units: Records  # (1,) `JumpUnits`
    laws: Records  # (3,) `JumpLaw`
    ahead: Records  # (1,) `Walker`, scratch: the walker at another speed
    blank: Records  # (1,) `Jump`, all 0
    rates: Frequencies  # (T,) and (2, T), scratch: of the walker


@inline
def plan_for(weights: Floats, known: Planner) -> None:
    """Let the planner be that of a walker with these style weights ``(2, K)``."""
    copy_into(known.weights, weights[0])


class After(NamedTuple):
    """Speed and gait that come back after a jump."""

    speed: float
    run: float
    auto_gait: bool


@inline
def slowness(row: Walker) -> float:
    """The time in which a body of this size does what one of hip height 1 at gravity 1 does in 1, s."""
    return math.sqrt(row.leg.value / (LEG_SHARE * GRAVITY))


@part
def time_at(row: Walker, speed: float, run: float, known: Planner) -> None:
    """Let ``known.ahead`` be a walker at another speed and share of running, as far as frequency and contacts go."""
    known.ahead[0] = row
    there: Walker = known.ahead[0]
    there.stride_speed, there.run.value = speed, run
    there.jump.state = NO_JUMP
    set_timing(there, known.weights, known.timing)


@part
def flight_for(length: float, speed: float, leg: int, there: Walker) -> float:
    """The time in the air, s, of a jump of ``length`` metres from a foot; ``there`` is `time_at` its speed."""
    phases = there.contact_phases
    land = phases[2 * (1 - leg)] - phases[2 * leg]
    off = land - math.floor(land) - JUMP_AIR
    stance = phases[2 * (1 - leg) + 1] - phases[2 * (1 - leg)]
    on_ground = ((1.0 - MIDDLE) * off + MIDDLE * stance) / there.frequency
    size, unit = there.leg.value / LEG_SHARE, slowness(there)
    ahead = speed * MIDDLE * stance / there.frequency
    apart = max(0.0, min(LEGS_APART * size, FURTHEST * size - ahead))
    flight = (length - apart) / speed - on_ground
    bounded: float = max(LEAST_FLIGHT * unit, min(MOST_FLIGHT * unit, flight))
    return bounded


@part
def set_moving(
    row: Walker, leg: int, count: float, length: float, flight: float, run: float, after: After, known: Planner
) -> None:
    """A jump from one foot is coming: from the leg's strike in the cycle ``count``, with that share of running."""
    jump = row.jump
    unit, size = slowness(row), row.leg.value / LEG_SHARE
    row.jump = known.blank[0]
    jump.state, jump.leg, jump.count = COMING, leg, count
    runs = run >= RUNS_FROM
    units: JumpUnits = known.units[0]
    own = units.running if runs else units.walking
    jump.flight, jump.length = flight, length / size
    jump.posed = min(own.lengths[1], max(own.lengths[0], length / size))
    jump.air = min(own.flights[1], max(own.flights[0], flight / unit))
    jump.unit = 1 + leg + (2 if runs else 0)
    jump.share = smooth_step((flight / unit - own.short) / (own.long - own.short))
    jump.hold, jump.tempo = own.hold, own.recorded
    _keep(jump, after)
    jump.before.leg = -1
    other = jump.beyond
    other.leg = 1 - leg
    other.count = lands_in(leg, count, row)
    other.place = math.nan  # not known before the foot that takes off stands
    row.news = True


@part
def set_steps(row: Walker, leg: int, count: float, length: float, after: After, known: Planner) -> None:
    """A foot is to land on a line in the cycle ``count``, and the other one ``length`` metres further on; 0: anywhere.

    The lines themselves are still to be given.
    """
    jump = row.jump
    row.jump = known.blank[0]
    jump.state, jump.leg, jump.count = STEPPING, leg, count
    jump.start, jump.end = count + row.contact_phases[2 * leg], STEPS_LAST
    jump.length = length / (row.leg.value / LEG_SHARE)
    _keep(jump, after)
    jump.before.leg = jump.beyond.leg = -1
    if length > 0.0:
        jump.beyond.leg, jump.beyond.count = 1 - leg, lands_in(leg, count, row)
    row.news = True


@inline
def _keep(jump: Jump, after: After) -> None:
    jump.after.speed, jump.after.run, jump.after.auto_gait = after.speed, after.run, after.auto_gait


@inline
def lands_in(leg: int, count: float, row: Walker) -> float:
    """The cycle of the other leg in which it lands after a leg has landed in its cycle ``count``."""
    later = count + row.contact_phases[2 * leg] + 0.5 - row.contact_phases[2 * (1 - leg)]
    lands: float = math.floor(later + 0.5)
    return lands


@part
def set_standing(row: Walker, length: float, flight: float, after: After, known: Planner) -> None:
    """A jump with both feet is coming, as soon as the body stands; without a flight (0) it takes the usual one."""
    jump = row.jump
    unit, size = slowness(row), row.leg.value / LEG_SHARE
    own: StandingUnits = known.units[0].standing
    far = min(own.lengths[1], max(own.lengths[0], length / size))
    f = flight / unit if flight > 0.0 else own.flight[0] + far * own.flight[1]
    seen = min(own.flights[1], max(own.flights[0], f))
    support = own.support[0] + far * own.support[1] + seen * own.support[2]
    landing = own.landing[0] + far * own.landing[1] + seen * own.landing[2]
    push, settle = min(own.push, support), min(own.settle, landing)
    row.jump = known.blank[0]
    jump.state, jump.leg, jump.unit = COMING, -1, STANDING_UNIT
    jump.support, jump.flight, jump.landing = support * unit, f * unit, landing * unit
    jump.off, jump.land, jump.end = STANDING_OFF, STANDING_LAND, 1.0
    jump.length = jump.posed = far
    jump.air, jump.tempo = seen, 1.0
    jump.push, jump.settle = push * unit, settle * unit
    jump.speed = length / (unit * (0.5 * push + f + 0.5 * settle))
    _keep(jump, after)
    jump.before.leg = jump.beyond.leg = -1
    row.news = True
