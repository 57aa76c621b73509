"""The course of a walker while it jumps: its way, its cycles, and what comes back afterwards."""

from __future__ import annotations

import math

from locomote.human._kernels.model import Timing
from locomote.human._kernels.state import NO_JUMP, STANDING_UNIT, UNDER_WAY, Jump, Walker
from locomote.human._kernels.timing import set_timing, time_feet
from locomote.human.jumps._kernels import jump as leap
from locomote.math._compile import inline, part
from locomote.math.vector import Floats

INSTANT = 1e-9  # s that rounding may leave of a jump
END_OF_CHANGE = 0.05  # s that a change of gait may lack when a jump begins
JUMP_AIR = 0.18  # cycles that the flight of a jump takes the place of, at most
JUMP_LANDING = 0.4  # cycles after touch-down, in which the body comes back to its gait
RESTORING = 0.7  # m/s^2, with which a character goes back to its speed after a jump


@part
def go_on(row: Walker, dt: float) -> float:
    """The clock of a jump goes on; returns how far the character goes."""
    jump = row.jump
    if jump.unit != STANDING_UNIT:
        jump.time += dt
        way: float = row.speed.value * dt
        return way
    before = leap.travelled(jump)
    jump.time += dt
    row.speed.value = row.speed.target = leap.speed_now(jump)
    return leap.travelled(jump) - before


@part
def begin_jump(row: Walker, weights: Floats, timing: Timing) -> bool:
    """Begin a jump that is coming if its foot has landed; returns whether that ended a change of gait."""
    jump = row.jump
    leg = jump.leg
    start, ends_change = row.cycles, False
    if leg >= 0:
        start = jump.count + row.contact_phases[2 * leg]
        if row.cycles < start:
            return False
        if 0.0 < row.run.left < END_OF_CHANGE:
            # Feet count their cycles frame by frame, and may land by a part of one before the run-up is over.
            row.run.value, row.run.left, ends_change = row.run.target, 0.0, True
            set_timing(row, weights, timing)
        other = row.contact_phases[2 * (1 - leg)] - row.contact_phases[2 * leg]
        jump.land = other - math.floor(other)
        jump.end = min(0.95, jump.land + JUMP_LANDING)
        jump.support = (jump.land - JUMP_AIR) / row.frequency
        jump.off = jump.land - _cycles_in_air(jump, row.frequency)
        jump.landing = (jump.end - jump.land) / row.frequency
        jump.tempo *= jump.flight / jump.support
        jump.time = (row.cycles - start) / row.frequency
    elif row.stride_speed > 0.0 or row.speed.value > 0.0:
        return False  # the body must have come to rest
    jump.state, jump.start, jump.launched = UNDER_WAY, start, False
    row.speed.target, row.speed.left, row.profile.duration = row.speed.value, 0.0, 0.0
    row.news = True
    time_feet(row)
    return ends_change


@inline
def _cycles_in_air(jump: Jump, frequency: float) -> float:
    """The part of a cycle that the flight of a jump takes the place of.

    In a short flight the legs would have to fly. They hurry before it, too: just so much that they leave the ground at
    the mean pace of the flight.
    """
    support = jump.support
    even: float = (2.0 * jump.land / support - frequency) / (1.0 / jump.flight + 2.0 / support)
    return min(JUMP_AIR, even)


@part
def end_steps(row: Walker) -> None:
    """Forget the lines of the feet when the last foot stands well beyond them."""
    jump = row.jump
    if row.cycles > jump.start + jump.end:
        jump.state = NO_JUMP
        _restore(row, jump)


@part
def follow_jump(row: Walker, weights: Floats, dt: float, timing: Timing) -> bool:
    """Count the cycles of a jump; returns whether it is over and the motion another one."""
    jump = row.jump
    before = row.cycles
    over = jump.time - leap.total(jump)
    if over < -INSTANT:
        row.cycles = jump.start + leap.cycles_since(jump)
        row.pace = (row.cycles - before) / dt if dt > 0.0 else row.pace
        return False
    jump.state = NO_JUMP
    standing = jump.unit == STANDING_UNIT
    row.cycles = jump.start + jump.end + (0.0 if standing else over * row.frequency)
    row.pace = (row.cycles - before) / dt if dt > 0.0 else row.pace
    _restore(row, jump)
    set_timing(row, weights, timing)
    return True


@inline
def _restore(row: Walker, jump: Jump) -> None:
    """Go back to speed and gait as they were before a jump, or as told since."""
    wanted, run = jump.after.speed, jump.after.run
    row.speed.target, row.speed.left = wanted, abs(wanted - row.speed.value) / RESTORING
    row.auto_gait = jump.after.auto_gait
    if not row.auto_gait and run != row.run.value:
        row.run.target, row.run.left = run, max(row.speed.left, 1.0 / max(row.frequency, 0.5))
    row.news = True
