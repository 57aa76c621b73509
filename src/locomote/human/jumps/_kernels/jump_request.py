"""Jumps that characters are told to do, wherever they are: standing, walking or running."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human._kernels.model import LEG_SHARE
from locomote.human._kernels.state import NO_JUMP, People, Walker
from locomote.human.jumps._kernels import jump_decision as decision
from locomote.human.jumps._kernels import jump_setup as setup
from locomote.human.jumps._kernels.jump_plan import (
    EITHER,
    TWO_FEET,
    Pace,
    along,
    frequencies,
    plan_steps,
    set_profile,
)
from locomote.human.jumps._kernels.jump_setup import After, Planner, plan_for
from locomote.human.jumps._kernels.runup import plan_ramp
from locomote.human.jumps._kernels.runup_duration import RAMP, RunUpRequest
from locomote.human.jumps._kernels.stopping import stand_at, standing_ball, stop_in
from locomote.math._compile import kernel, part
from locomote.math.vector import Floats, Ints


class JumpOrders(NamedTuple):
    """Who is told to jump, how far and how."""

    rows: Ints  # (M,) of the walkers
    lengths: Floats  # (M,) m from ball to ball
    flights: Floats  # (M,) s in the air; 0: as speed and length have it
    now: bool  # with the next step, as far as suits the speed
    foot: int  # 0 left, 1 right, -1 either
    sole_length: float  # hip heights that lengths of jumps from one foot are longer than those of the laws


@kernel
def ask(orders: JumpOrders, people: People, known: Planner, told: Ints) -> None:
    """Let walkers jump; ``told`` says who will (1), or cannot now (0).

    Who does not jump with its next step first takes the speed of the length.
    """
    for k in range(orders.rows.shape[0]):
        n = orders.rows[k]
        row: Walker = people.walkers[n]
        told[k] = 0
        if row.jump.state != NO_JUMP:
            continue
        told[k] = 1
        plan_for(people.weights[n], known)
        if row.stride_speed == 0.0 and row.speed.target == 0.0:
            after = After(row.speed.target, row.run.target, row.auto_gait)
            setup.set_standing(row, orders.lengths[k], orders.flights[k], after, known)
        else:
            more = orders.sole_length * row.leg.value / LEG_SHARE
            _ask_moving(row, orders.lengths[k] - more, orders.flights[k], more, orders, known)


@part
def _ask_moving(row: Walker, length: float, flight: float, more: float, orders: JumpOrders, known: Planner) -> None:
    now, foot = orders.now, orders.foot
    after = After(row.speed.target, row.run.target, row.auto_gait)
    leg_length, speed, laws = row.leg.value, row.speed.value, known.laws
    scale = leg_length / decision.REFERENCE_LEG
    kind = decision.RUNNING if row.run.value >= decision.RUNS_FROM else decision.WALKING
    if kind == decision.WALKING and not now and length > scale * laws[kind].longest:
        kind = decision.RUNNING
    if now:
        length = decision.jump_length(speed, kind, leg_length, laws)
    length = max(scale * laws[kind].shortest, min(scale * laws[kind].longest, length))
    wanted = speed if now else decision.take_off_speed(length, kind, leg_length, laws)
    band = scale * laws[kind].band
    if abs(wanted - speed) <= band:
        wanted = speed
    run = row.run.value if now else 1.0 if kind == decision.RUNNING else 0.0
    frequencies(row, known)
    setup.time_at(row, wanted, run, known)
    there: Walker = known.ahead[0]
    left, right = there.contact_phases[0], there.contact_phases[2]
    first, step = left if foot == 0 else right, TWO_FEET if foot == EITHER else 1.0
    asked = RunUpRequest(0.0, speed, 0.0, wanted, row.run.value, run, row.cycles, first, step, setup.LIMIT * leg_length)
    plan = plan_ramp(asked, True, known.rates)
    leg = foot
    if foot == EITHER:
        leg = 1 if math.floor(2.0 * (plan.phase - right) + 0.5) % 2.0 == 0.0 else 0
    count = math.floor(plan.phase - (right if leg == 1 else left) + 0.5)
    if flight <= 0.0:
        flight = setup.flight_for(length + more, wanted, leg, there)
    setup.set_moving(row, leg, count, length + more, flight, run, after, known)
    row.auto_gait = False
    if abs(wanted - speed) > 0.0 or run != row.run.value:
        set_profile(row, plan, RAMP)
        row.run.target, row.run.left = run, plan.duration
    else:
        row.speed.target, row.speed.left = speed, 0.0


@kernel
def reach(
    rows: Ints, distances: Floats, to_speeds: Floats, foot: int, people: People, known: Planner, told: Ints
) -> None:
    """Let the toes of a foot (-1: either) come to lines so many metres ahead, at speeds; at 0 both stop there.

    ``told`` says who can (1): there must be room for it without accelerating harder than the limit.
    """
    for k in range(rows.shape[0]):
        row: Walker = people.walkers[rows[k]]
        told[k] = 0
        if row.jump.state != NO_JUMP or row.speed.value <= 0.0:
            continue
        plan_for(people.weights[rows[k]], known)
        toe, limit = known.sole[2, 2] * row.leg.value / LEG_SHARE, setup.LIMIT * row.leg.value
        if to_speeds[k] == 0.0:
            if stop_in(row, distances[k] - toe - standing_ball(row, known), limit):
                stand_at(row, along(row) + distances[k] - toe)
                told[k] = 1
            continue
        line = along(row) + distances[k] - toe
        pace = Pace(to_speeds[k], 0.0, row.run.value, limit)
        if plan_steps(row, line, 0.0, foot, pace, After(to_speeds[k], row.run.target, row.auto_gait), known):
            told[k] = 1
