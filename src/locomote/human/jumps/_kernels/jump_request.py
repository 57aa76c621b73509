"""Jumps that characters are told to do, wherever they are: standing, walking or running."""

from __future__ import annotations

import math

import numpy as np

from locomote.human._kernels import drive
from locomote.human.jumps._kernels import jump as leap
from locomote.human.jumps._kernels import jump_decision as decision
from locomote.human.jumps._kernels import jump_setup as setup
from locomote.human.jumps._kernels.jump_plan import (
    EITHER,
    TWO_FEET,
    Known,
    along,
    frequencies,
    plan_steps,
    set_profile,
)
from locomote.human.jumps._kernels.runup import RAMP, plan_ramp
from locomote.human.jumps._kernels.stopping import stand_at, standing_ball, stop_in
from locomote.math._compile import kernel, part
from locomote.math.vector import Floats, Ints


@kernel
def ask(
    state: Floats,
    rows: Ints,
    lengths: Floats,
    flights: Floats,
    now: bool,
    foot: int,
    sole_length: float,
    laws: Floats,
    units: Floats,
    timing: Floats,
    numbers: Floats,
    places: Floats,
    told: Ints,
) -> None:
    """Let characters jump so many metres from ball to ball; ``told`` says who will (1), or cannot now (0).

    With ``now`` they jump with their next step as far as suits their speed; if not they first take the speed of the
    length. Without a flight (0) it follows from speed and length. Lengths of jumps from one foot are those of the laws
    and ``sole_length`` hip heights more.
    """
    grid = timing.shape[2]
    known = Known(
        timing, numbers, places, units, laws, np.empty(state.shape[1]), np.empty(grid), np.empty((2, grid)),
        np.empty(0), np.empty(3),
    )  # fmt: skip
    after = known.after
    for k in range(rows.shape[0]):
        row = state[rows[k]]
        told[k] = 0
        if row[drive.JUMP + leap.STATE] != leap.NONE:
            continue
        after[0], after[1], after[2] = row[drive.SPEED + 1], row[drive.RUN + 1], row[drive.AUTO]
        told[k] = 1
        if row[drive.STRIDE_SPEED] == 0.0 and row[drive.SPEED + 1] == 0.0:
            setup.set_standing(row, lengths[k], flights[k], after, units)
        else:
            more = sole_length * row[drive.LEG] / drive.LEG_SHARE
            _ask_moving(row, lengths[k] - more, flights[k], more, now, foot, known)


@part
def _ask_moving(
    row: Floats,
    length: float,
    flight: float,
    more: float,
    now: bool,
    foot: int,
    known: Known,
) -> None:
    leg_length, speed, laws = row[drive.LEG], row[drive.SPEED], known.laws
    scale = leg_length / decision.REFERENCE_LEG
    kind = decision.RUNNING if row[drive.RUN] >= decision.RUNS_FROM else decision.WALKING
    if kind == decision.WALKING and not now and length > scale * laws[kind, decision.LONGEST]:
        kind = decision.RUNNING
    if now:
        length = decision.jump_length(speed, kind, leg_length, laws)
    length = max(scale * laws[kind, decision.SHORTEST], min(scale * laws[kind, decision.LONGEST], length))
    wanted = speed if now else decision.take_off_speed(length, kind, leg_length, laws)
    band = scale * laws[kind, decision.BAND]
    if abs(wanted - speed) <= band:
        wanted = speed
    run = row[drive.RUN] if now else 1.0 if kind == decision.RUNNING else 0.0
    frequencies(row, known)
    there = setup.timed(row, wanted, run, known.row, known.timing, known.numbers)
    left, right = there[drive.STRIKE_OFF], there[drive.STRIKE_OFF + 2]
    plan = plan_ramp(
        speed, wanted, row[drive.RUN], run, row[drive.CYCLES], left if foot == 0 else right,
        TWO_FEET if foot == EITHER else 1.0, setup.LIMIT * leg_length, True, known.speeds, known.table,
    )  # fmt: skip
    leg = foot
    if foot == EITHER:
        leg = 1 if math.floor(2.0 * (plan.phase - right) + 0.5) % 2.0 == 0.0 else 0
    count = math.floor(plan.phase - (right if leg == 1 else left) + 0.5)
    if flight <= 0.0:
        flight = setup.flight_for(length + more, wanted, leg, there)
    setup.set_moving(row, leg, count, length + more, flight, run, known.after, known.units)
    row[drive.AUTO] = 0.0
    if abs(wanted - speed) > 0.0 or run != row[drive.RUN]:
        set_profile(row, plan, RAMP)
        row[drive.RUN + 1], row[drive.RUN + 2] = run, plan.duration
    else:
        row[drive.SPEED + 1], row[drive.SPEED + 2] = speed, 0.0


@kernel
def reach(
    state: Floats,
    rows: Ints,
    distances: Floats,
    to_speeds: Floats,
    foot: int,
    laws: Floats,
    units: Floats,
    timing: Floats,
    numbers: Floats,
    places: Floats,
    sole: Floats,
    told: Ints,
) -> None:
    """Let the toes of a foot (-1: either) come to lines so many metres ahead, at speeds; at 0 both stop there.

    ``told`` says who can (1): there must be room for it without accelerating harder than the limit.
    """
    grid = timing.shape[2]
    known = Known(
        timing, numbers, places, units, laws, np.empty(state.shape[1]), np.empty(grid), np.empty((2, grid)),
        np.empty(0), np.empty(3),
    )  # fmt: skip
    after = known.after
    for k in range(rows.shape[0]):
        row = state[rows[k]]
        told[k] = 0
        if row[drive.JUMP + leap.STATE] != leap.NONE or row[drive.SPEED] <= 0.0:
            continue
        toe, limit = sole[2, 2] * row[drive.LEG] / drive.LEG_SHARE, setup.LIMIT * row[drive.LEG]
        if to_speeds[k] == 0.0:
            if stop_in(row, distances[k] - toe - standing_ball(row, places), limit):
                stand_at(row, along(row) + distances[k] - toe)
                told[k] = 1
            continue
        after[0], after[1], after[2] = to_speeds[k], row[drive.RUN + 1], row[drive.AUTO]
        line = along(row) + distances[k] - toe
        if plan_steps(row, line, 0.0, to_speeds[k], row[drive.RUN], foot, limit, known):
            told[k] = 1
