"""Setting a jump up: which foot, how long in the air, and what it takes of the one who jumps."""

from __future__ import annotations

import math

from locomote.human._kernels import drive
from locomote.human._kernels.stance import MIDDLE
from locomote.human.jumps._kernels import jump as leap
from locomote.math._compile import inline, part
from locomote.math.vector import Floats, copy_into, smooth_step

# Numbers of the units of jumps; times are in seconds * sqrt(gravity / hip height), lengths in hip heights.
PUSH, SETTLE = 0, 1  # of standing jumps
SUPPORT, LANDING = 2, 5  # of standing jumps, linear in 1, length, flight (3 each)
USUAL_FLIGHT = 8  # of standing jumps, linear in 1, length (2)
LENGTHS, FLIGHTS = 10, 12  # of standing jumps, shortest and longest recorded
WALKING, RUNNING = 14, 22  # where those of jumps from one foot out of a walk and out of a run begin:
HOLD = 0  # u until which the unit counts fully
RECORDED = 1  # its support over its flight, as recorded
SHORT, LONG = 2, 3  # flights at which nothing and all of it shows
KNOWN_LENGTHS, KNOWN_FLIGHTS = 4, 6  # shortest and longest recorded
NUMBERS = 30
RUNS_FROM = 0.5  # share of running, from which a jump is one out of a run

LEAST_FLIGHT, MOST_FLIGHT = 0.33, 2.0
LEGS_APART = 0.15  # hip heights by which the feet of a jump are further apart than the body's way makes them, but
FURTHEST = 0.42  # not further ahead of the body
LIMIT = 0.8  # leg lengths / s^2, of accelerations before a jump
STEPS_LAST = 1.1  # cycles from the strike of the first foot of two that land on lines
STANDING_OFF, STANDING_LAND = 0.4, 0.6  # cycles at which a standing jump leaves and lands


@inline
def slowness(row: Floats) -> float:
    """The time in which a body of this size does what one of hip height 1 at gravity 1 does in 1, s."""
    return math.sqrt(row[drive.LEG] / (drive.LEG_SHARE * drive.GRAVITY))


@part
def timed(row: Floats, speed: float, run: float, scratch: Floats, timing: Floats, numbers: Floats) -> Floats:
    """A character as it would be at another speed and share of running, as far as frequency and contacts go."""
    copy_into(scratch, row)
    scratch[drive.STRIDE_SPEED], scratch[drive.RUN] = speed, run
    scratch[drive.JUMP + leap.STATE] = leap.NONE
    drive.set_timing(scratch, timing, numbers)
    return scratch


@part
def flight_for(length: float, speed: float, leg: int, there: Floats) -> float:
    """The time in the air, s, of a jump of ``length`` metres from a foot; ``there`` is `timed` for its speed."""
    phases = there[drive.STRIKE_OFF : drive.STRIKE_OFF + 4]
    land = phases[2 * (1 - leg)] - phases[2 * leg]
    off = land - math.floor(land) - drive.JUMP_AIR
    stance = phases[2 * (1 - leg) + 1] - phases[2 * (1 - leg)]
    on_ground = ((1.0 - MIDDLE) * off + MIDDLE * stance) / there[drive.FREQUENCY]
    size, unit = there[drive.LEG] / drive.LEG_SHARE, slowness(there)
    ahead = speed * MIDDLE * stance / there[drive.FREQUENCY]
    apart = max(0.0, min(LEGS_APART * size, FURTHEST * size - ahead))
    flight = (length - apart) / speed - on_ground
    bounded: float = max(LEAST_FLIGHT * unit, min(MOST_FLIGHT * unit, flight))
    return bounded


@part
def set_moving(
    row: Floats,
    leg: int,
    count: float,
    length: float,
    flight: float,
    run: float,
    after: Floats,
    units: Floats,
) -> None:
    """A jump from one foot is coming: from the leg's strike in the cycle ``count``, with that share of running."""
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    unit, size = slowness(row), row[drive.LEG] / drive.LEG_SHARE
    jump[:] = 0.0
    jump[leap.STATE], jump[leap.LEG], jump[leap.COUNT] = leap.COMING, leg, count
    runs = run >= RUNS_FROM
    own = units[RUNNING:] if runs else units[WALKING:]
    jump[leap.FLIGHT], jump[leap.LENGTH] = flight, length / size
    jump[leap.POSED] = min(own[KNOWN_LENGTHS + 1], max(own[KNOWN_LENGTHS], length / size))
    jump[leap.AIR] = min(own[KNOWN_FLIGHTS + 1], max(own[KNOWN_FLIGHTS], flight / unit))
    jump[leap.UNIT] = 1.0 + leg + (2.0 if runs else 0.0)
    jump[leap.SHARE] = smooth_step((flight / unit - own[SHORT]) / (own[LONG] - own[SHORT]))
    jump[leap.HOLD], jump[leap.TEMPO] = own[HOLD], own[RECORDED]
    for k in range(3):
        jump[leap.AFTER + k] = after[k]
    jump[leap.LINES] = -1.0
    other = jump[leap.LINES + 5 : leap.LINES + 10]
    other[0] = 1.0 - leg
    other[1] = lands_in(leg, count, row)
    other[2] = math.nan  # not known before the foot that takes off stands
    row[drive.NEWS] = 1.0


@part
def set_steps(row: Floats, leg: int, count: float, length: float, after: Floats) -> None:
    """A foot is to land on a line in the cycle ``count``, and the other one ``length`` metres further on; 0: anywhere.

    The lines themselves are still to be given.
    """
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    jump[:] = 0.0
    jump[leap.STATE], jump[leap.LEG], jump[leap.COUNT] = leap.STEPPING, leg, count
    jump[leap.FROM], jump[leap.END] = count + row[drive.STRIKE_OFF + 2 * leg], STEPS_LAST
    jump[leap.LENGTH] = length / (row[drive.LEG] / drive.LEG_SHARE)
    for k in range(3):
        jump[leap.AFTER + k] = after[k]
    jump[leap.LINES] = jump[leap.LINES + 5] = -1.0
    if length > 0.0:
        jump[leap.LINES + 5], jump[leap.LINES + 6] = 1.0 - leg, lands_in(leg, count, row)
    row[drive.NEWS] = 1.0


@inline
def lands_in(leg: int, count: float, row: Floats) -> float:
    """The cycle of the other leg in which it lands after a leg has landed in its cycle ``count``."""
    later = count + row[drive.STRIKE_OFF + 2 * leg] + 0.5 - row[drive.STRIKE_OFF + 2 * (1 - leg)]
    lands: float = math.floor(later + 0.5)
    return lands


@part
def set_standing(row: Floats, length: float, flight: float, after: Floats, units: Floats) -> None:
    """A jump with both feet is coming, as soon as the body stands; without a flight (0) it takes the usual one."""
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    unit, size = slowness(row), row[drive.LEG] / drive.LEG_SHARE
    far = min(units[LENGTHS + 1], max(units[LENGTHS], length / size))
    f = flight / unit if flight > 0.0 else units[USUAL_FLIGHT] + far * units[USUAL_FLIGHT + 1]
    seen = min(units[FLIGHTS + 1], max(units[FLIGHTS], f))
    support = units[SUPPORT] + far * units[SUPPORT + 1] + seen * units[SUPPORT + 2]
    landing = units[LANDING] + far * units[LANDING + 1] + seen * units[LANDING + 2]
    push, settle = min(units[PUSH], support), min(units[SETTLE], landing)
    jump[:] = 0.0
    jump[leap.STATE], jump[leap.LEG], jump[leap.UNIT] = leap.COMING, -1.0, leap.STANDING
    jump[leap.SUPPORT], jump[leap.FLIGHT], jump[leap.LANDING] = support * unit, f * unit, landing * unit
    jump[leap.OFF], jump[leap.LAND], jump[leap.END] = STANDING_OFF, STANDING_LAND, 1.0
    jump[leap.LENGTH] = jump[leap.POSED] = far
    jump[leap.AIR], jump[leap.TEMPO] = seen, 1.0
    jump[leap.PUSH], jump[leap.SETTLE] = push * unit, settle * unit
    jump[leap.SPEED] = length / (unit * (0.5 * push + f + 0.5 * settle))
    for k in range(3):
        jump[leap.AFTER + k] = after[k]
    jump[leap.LINES] = jump[leap.LINES + 5] = -1.0
    row[drive.NEWS] = 1.0
