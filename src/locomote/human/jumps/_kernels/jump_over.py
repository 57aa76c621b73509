"""Over what is in the way: a jump planned, kept to its aim while that moves, and given up if it must be."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human._kernels.model import LEG_SHARE
from locomote.human._kernels.state import (
    ADAPT,
    COMING,
    FREE,
    HALTING,
    NEUTRAL,
    NO_JUMP,
    STEPPING,
    STEPPING_OVER,
    WAIT,
    Walker,
    Way,
)
from locomote.human.jumps._kernels import jump_decision as decision
from locomote.human.jumps._kernels import jump_setup as setup
from locomote.human.jumps._kernels.jump_claims import can_stop
from locomote.human.jumps._kernels.jump_course import RESTORING
from locomote.human.jumps._kernels.jump_curves import (
    end_turn_in_time,
    hold_turn,
    mean_speed,
    put_back,
    turns_evenly,
    unroll,
)
from locomote.human.jumps._kernels.jump_plan import (
    EITHER,
    Pace,
    TakeOffLine,
    across,
    along,
    plan_jump,
    plan_steps,
    replan_jump,
)
from locomote.human.jumps._kernels.jump_setup import After, Planner
from locomote.math._compile import inline, part
from locomote.math.vector import Pair
from locomote.navigation._kernels.detours import strip
from locomote.world._kernels import obstacles as things
from locomote.world._kernels.obstacle_buckets import NearObstacles

UNTURNED = 0.25  # rad/s, up to which a walker may begin a run-up
AGAIN = 3  # times that a run-up along a curve is planned: each time its duration is known better
SLOWEST = 0.4  # m/s
STRIP = 0.24  # hip heights to either side of the middle that the feet need
INNER = 0.03  # hip heights of it, that a foot takes on the other side of the middle
FOOT_ASIDE = 0.08  # hip heights from the middle to the toes of a foot that lands, about
THIN = 1e-4  # m of a line
ROUNDED = 1e-3  # m that rounding may leave between a corner and a straight edge
ON_TOES, ON_LANDING = 0.35, 0.65  # cycles for which a foot stands before and after a jump, about
IN_THE_AIR = 0.4  # s between them
BESIDE = 0.1  # m more, in which nothing may be where it lands
FRONT, LANDING = 0.03, 0.10  # m between obstacle and toes, and obstacle and heel
GROWN = 0.02  # m by which an obstacle may grow during the run-up
MOVED = 0.03  # m by which an obstacle must have moved for that
GIVE_UP = 2  # adaptations that fail, after which a run-up is given up
STEP_ROOM = 0.25  # hip heights more before, and behind, the highest that is stepped over
STEP_BEFORE = 0.4  # of what a step is longer than it must be, before it
STEP_SLOWING = 0.4  # of the speed, before the highest that is stepped over
MOST_STEP = 0.9  # hip heights that a step over something may be long, and
SLOWEST_STEP = 0.65  # of its usual rhythm, in which it is made
OVER = 0.02  # hip heights between feet and obstacle
HIGHER = 0.1  # of its height more: the higher it is, the less surely feet keep to their way over it
FOOT_AHEAD = 0.3  # hip heights from the body to a foot that lands, about


@inline
def row_of(thing: int, near: NearObstacles) -> int:
    """The row of an obstacle, -1 if it is gone."""
    for m in range(near.ids.shape[0]):
        if near.ids[m] == thing:
            return m
    return -1


@inline
def _strip(row: Walker, inner: float, outer: float, ahead: float, o: int, near: NearObstacles) -> Pair:
    """From where to where an obstacle lies ahead, from ``inner`` to ``outer`` metres to the left of the way."""
    middle, yaw = 0.5 * (inner + outer), row.yaw
    x, z = row.x + middle * math.cos(yaw), row.z - middle * math.sin(yaw)
    return strip(x, z, yaw, 0.5 * abs(outer - inner), ahead, o, near)


@part
def edge_before(row: Walker, leg: int, eta: float, o: int, near: NearObstacles) -> tuple[float, float]:
    """How far ahead the near edge of an obstacle is where a foot lands, ``eta`` seconds from now, and its slant.

    It must be there as long as that foot stands, too.
    """
    size = (1.0 if leg == 0 else -1.0) * row.leg.value / LEG_SHARE
    inner, outer = -INNER * size, STRIP * size
    off = eta + ON_TOES / max(row.frequency, SLOWEST)
    nearest, _ = _strip(row, inner, outer, eta, o, near)
    later, _ = _strip(row, inner, outer, off, o, near)
    when = off if later < nearest else eta
    nearest = min(nearest, later)
    a, _ = _strip(row, inner - THIN, inner + THIN, when, o, near)
    b, _ = _strip(row, outer - THIN, outer + THIN, when, o, near)
    if a == math.inf or b == math.inf or nearest < min(a, b) - ROUNDED:
        return nearest, 0.0  # a corner
    slant = (b - a) / (outer - inner)
    return a + slant * (FOOT_ASIDE * size - inner), slant


@part
def edge_behind(
    row: Walker, leg: int, eta: float, first: int, behind: float, count: int, near: NearObstacles
) -> tuple[float, float]:
    """How far ahead the far edge of an obstacle is where a foot lands after a jump, and how high all that is.

    What lies closer behind it than ``behind``, so that nobody could land between, counts with it; and so does all as
    long as the foot stands there.
    """
    size = (1.0 if leg == 0 else -1.0) * row.leg.value / LEG_SHARE
    inner, outer = -INNER * size, STRIP * size
    lands = eta + ON_TOES / max(row.frequency, SLOWEST) + IN_THE_AIR
    leaves = lands + ON_LANDING / max(row.frequency, SLOWEST)
    end = -math.inf
    for when in (eta, lands, leaves):
        end = max(end, _strip(row, inner, outer, when, first, near)[1])
    height, half = near.table[first, things.HEIGHT], abs(outer) + BESIDE
    for _ in range(3):
        for k in range(count):
            o = near.found[k]
            if o == first:
                continue
            for when in (lands, leaves):
                a, b = _strip(row, -half, half, when, o, near)
                if a <= b and a < end + behind and b > end:
                    end, height = b, max(height, near.table[o, things.HEIGHT])
    return end, height


@inline
def _arrival(row: Walker, o: int, near: NearObstacles) -> float:
    """In how many seconds a walker comes to an obstacle, about; infinity if it is not in its way."""
    half, eta = STRIP * row.leg.value / LEG_SHARE, 0.0
    for _ in range(2):
        start, end = _strip(row, -half, half, eta, o, near)
        if start > end:
            return math.inf
        eta = max(0.0, start) / max(row.speed.value, SLOWEST)
    return eta


class Edges(NamedTuple):
    """What a walker sees of something in its way, m ahead."""

    left: float  # where the left foot and the right foot would take off
    left_slant: float
    right: float
    right_slant: float
    end: float
    deep: float  # the longest way over it
    height: float


@part
def _edges(row: Walker, eta: float, first: int, room: float, count: int, near: NearObstacles) -> Edges:
    """The edges of what a walker comes to in ``eta`` seconds, with all that leaves no ``room`` to land behind it."""
    left, left_slant = edge_before(row, 0, eta, first, near)
    right, right_slant = edge_before(row, 1, eta, first, near)
    left_end, left_height = edge_behind(row, 0, eta, first, room, count, near)
    right_end, right_height = edge_behind(row, 1, eta, first, room, count, near)
    end, height = max(left_end, right_end), max(left_height, right_height)
    if max(left, right) == math.inf or min(left_end, right_end) == -math.inf:
        start = min(left, right)  # it lies before one foot only: that one decides
        return Edges(start, 0.0, start, 0.0, end, end - start, height)
    # An oblique one is longer for who takes off on one foot than on the other.
    return Edges(left, left_slant, right, right_slant, end, max(right_end - left, left_end - right), height)


@inline
def _lines(row: Walker, seen: Edges, margin: float) -> tuple[TakeOffLine, TakeOffLine]:
    """Where the balls of the feet would land to take off."""
    here, middle = along(row) - margin, across(row)
    aside = FOOT_ASIDE * row.leg.value / LEG_SHARE
    left = TakeOffLine(here + seen.left, seen.left_slant, middle + aside)
    return left, TakeOffLine(here + seen.right, seen.right_slant, middle - aside)


@part
def consider(row: Walker, way: Way, first: int, known: Planner, count: int, near: NearObstacles) -> int:
    """Decide what to do about what is first in the way, and begin it if it is a step or a jump: see `jump_decision`."""
    if way.mode != FREE or not turns_evenly(row):
        return _consider(row, way, first, known, count, near)
    # How long the way is depends on where its curve leads, and that on how long the run-up takes.
    turn, eta, pace = row.turn.value, _arrival(row, first, near), row.speed.value
    place = unroll(row, eta, pace)
    eta = _arrival(row, first, near)
    put_back(row, place)
    if eta == math.inf:  # the curve leads past it
        return _consider(row, way, first, known, count, near)
    action = decision.GET_ROUND
    for attempt in range(AGAIN):
        if attempt > 0:
            eta, pace = row.profile.duration, mean_speed(row)
            give_up(row, way)
        place = unroll(row, eta, pace)
        action = _consider(row, way, first, known, count, near)
        put_back(row, place)
        if action >= decision.GET_ROUND:
            break
        hold_turn(row, turn)
    return action


@part
def _consider(row: Walker, way: Way, first: int, known: Planner, count: int, near: NearObstacles) -> int:
    """The same for a way that is straight, or unrolled."""
    size, leg, speed = row.leg.value / LEG_SHARE, row.leg.value, row.speed.value
    sole = known.sole
    toe, heel = size * sole[2, 2], size * (sole[1, 2] - sole[0, 2])
    eta = _arrival(row, first, near)
    if eta == math.inf:
        return decision.GET_ROUND
    room = LANDING + 2.0 * (heel + toe)
    seen = _edges(row, eta, first, room, count, near)
    start, end, height = min(seen.left, seen.right), seen.end, seen.height
    if start > end:
        return decision.GET_ROUND
    laws = known.laws
    able = speed >= SLOWEST and abs(row.turn.value) <= UNTURNED and way.may_jump
    step, limit = 0.5 * speed / max(row.frequency, SLOWEST), setup.LIMIT * leg
    obstruction = decision.Obstruction(
        length=seen.deep,
        width=2.0 * near.table[first, things.RADIUS],
        height=height,
        distance=start - FRONT - toe - FOOT_AHEAD * size,
        speed=speed,
        run=row.run.value,
        leg=leg,
        step_length=step,
        limit=limit,
        front_margin=FRONT,
        landing_margin=LANDING,
        may_jump=able,
        may_get_round=way.may_round,
    )
    what = decision.decide(obstruction, laws)
    margin = FRONT
    after = After(way.cruise, row.run.target, row.auto_gait)
    least, begun = seen.deep + FRONT + LANDING + toe + heel, False
    if able and what.action == decision.STEP_OVER:
        extra = _step_over(row, start - toe, end - start - seen.deep, least, height, step, after, known)
        begun, margin = extra >= 0.0, margin + extra
        way.state = STEPPING_OVER if begun else way.state
    elif what.action == decision.JUMP_WALKING or what.action == decision.JUMP_RUNNING:
        run = 1.0 if what.action == decision.JUMP_RUNNING else 0.0
        band = laws[decision.RUNNING if run > 0.0 else decision.WALKING].band
        length = max(what.length + toe + heel, least)
        pace = Pace(what.speed, band, run, limit)
        left, right = _lines(row, seen, FRONT + toe)
        begun = plan_jump(row, left, right, length, pace, after, known)
        if begun and (near.table[first, things.VX] != 0.0 or near.table[first, things.VZ] != 0.0):
            # Only now is it known when the walker will be there.
            seen = _edges(row, row.profile.duration, first, room, count, near)
            left, right = _lines(row, seen, FRONT + toe)
            plan_jump(row, left, right, length, pace, after, known)
        way.state = ADAPT if begun else way.state
    if begun:
        row.jump.clear = (1.0 + HIGHER) * height + OVER * size
        row.jump.deep, row.jump.margin = end - start, margin
        way.thing, way.refused, way.margin = near.ids[first], 0, margin + toe
        way.length = row.jump.length * size - margin - LANDING - toe - heel
        return what.action
    if way.may_round and what.action < decision.GET_ROUND:
        return decision.GET_ROUND
    if what.action == decision.STOP or what.action == decision.STOP_AND_JUMP or not way.may_round:
        scale = leg / decision.REFERENCE_LEG
        fits = end - start + FRONT + LANDING <= scale * laws[decision.STANDING].longest
        way.state, way.thing, way.halt = HALTING, near.ids[first], 0.0
        # From a stand nobody can see whether those beyond it will still be there: who heeds others goes round.
        able = way.may_jump and (not way.heeds or not way.may_round)
        way.jumps = able and fits and height <= scale * decision.FLAT
        way.length, way.margin = LANDING + heel, FRONT + toe
        return decision.STOP
    return what.action


@part
def _step_over(
    row: Walker, toes: float, oblique: float, least: float, height: float, step: float, after: After, known: Planner
) -> float:
    """Set out to step over something whose edge is ``toes`` metres from the toes of a foot that is ahead of the body.

    The shortest step over it is of ``least`` metres, a usual one of ``step``. Returned is how much further away than
    `FRONT` the foot before it is to stand; below 0 if there is no such step.
    """
    size, speed = row.leg.value / LEG_SHARE, row.speed.value
    high = min(1.0, height / (decision.STEPPED * size))
    slower = 1.0 - STEP_SLOWING * high
    step *= math.sqrt(slower)
    longest = max(step, min(MOST_STEP * size, step / SLOWEST_STEP))
    if least > longest:
        return -1.0
    # The higher it is, the longer is the step: feet rise before it and come down behind it.
    length = max(oblique + least, step, min(least + 2.0 * STEP_ROOM * size * math.sqrt(high), longest))
    extra = STEP_BEFORE * (length - least)
    pace = Pace(slower * speed, 0.0, row.run.value, setup.LIMIT * row.leg.value)
    if not plan_steps(row, along(row) + toes - FRONT - extra, length, EITHER, pace, after, known):
        return -1.0
    row.jump.tempo = min(1.0, step / length)
    return extra


@part
def go_on_jumping(row: Walker, way: Way, known: Planner, near: NearObstacles) -> None:
    """Keep a run-up to what it is for: that may move, grow or vanish."""
    if row.jump.state == COMING:
        way.state = ADAPT if row.profile.duration > 0.0 else WAIT
    if way.thing < 0 or way.look > 0.0:
        return
    o = row_of(way.thing, near)
    jump = row.jump
    leg, eta = jump.leg, max(0.0, row.profile.duration - row.profile.time)
    if way.mode == FREE:
        end_turn_in_time(row, eta)
    # Who has a goal turns for a moment only, and straightens at once.
    place = unroll(row, eta if way.mode == FREE else math.inf, mean_speed(row))
    start, end, slant = math.inf, -math.inf, 0.0
    if o >= 0:
        start, slant = edge_before(row, leg, eta, o, near)
        other, _ = edge_before(row, 1 - leg, eta, o, near)
        end, _ = edge_behind(row, 1 - leg, eta, o, 0.0, 0, near)
        if jump.state == STEPPING or max(start, other) == math.inf:
            start, slant = min(start, other), 0.0
            end = max(end, edge_behind(row, leg, eta, o, 0.0, 0, near)[0])
    grown = end - start > way.length + GROWN
    if o < 0 or start > end or grown:
        put_back(row, place)
        if can_stop(row, way, near):  # else it jumps whatever is there
            give_up(row, way)
        return
    line = along(row) + start - way.margin
    if replan_jump(row, line, setup.LIMIT * row.leg.value, known):
        aside = (FOOT_ASIDE if leg == 0 else -FOOT_ASIDE) * row.leg.value / LEG_SHARE
        way.refused, jump.slant, jump.side = 0, slant, across(row) + aside
        put_back(row, place)
        return
    put_back(row, place)
    # A run-up that cannot be bettered is kept while its aim stays.
    if abs(line - row.jump.before.place) < MOVED:
        return
    way.refused += 1
    if way.refused >= GIVE_UP and can_stop(row, way, near):
        give_up(row, way)


@inline
def give_up(row: Walker, way: Way) -> None:
    """Call a jump that is coming off."""
    jump = row.jump
    row.auto_gait = jump.after.auto_gait
    row.run.target, row.run.left = jump.after.run, 0.5
    wanted = jump.after.speed
    row.speed.target, row.speed.left = wanted, abs(wanted - row.speed.value) / RESTORING
    row.profile.duration, row.news = 0.0, True
    jump.state = NO_JUMP
    way.state, way.thing = NEUTRAL, -1
