"""Over what is in the way: a jump planned, kept to its aim while that moves, and given up if it must be."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human._kernels import drive
from locomote.human._kernels.way import (
    ADAPT,
    CRUISE,
    FREE,
    HALT,
    HALTING,
    HEEDS,
    JUMPS,
    LENGTH,
    LOOK,
    MARGIN,
    MAY_JUMP,
    MAY_ROUND,
    MODE,
    NEUTRAL,
    REFUSED,
    STATE,
    STEPPING,
    THING,
    WAIT,
)
from locomote.human.jumps._kernels import jump as leap
from locomote.human.jumps._kernels import jump_decision as decision
from locomote.human.jumps._kernels import jump_setup as setup
from locomote.human.jumps._kernels.jump_claims import can_stop
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
    Known,
    Line,
    across,
    along,
    plan_jump,
    plan_steps,
    replan_jump,
)
from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Pair
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
LONGER_STEP = 0.2  # hip heights more than an ordinary step, that a step over something may be
OVER = 0.02  # hip heights between feet and obstacle
HIGHER = 0.1  # of its height more: the higher it is, the less surely feet keep to their way over it
FOOT_AHEAD = 0.3  # hip heights from the body to a foot that lands, about


@inline
def row_of(thing: float, near: NearObstacles) -> int:
    """The row of an obstacle, -1 if it is gone."""
    for m in range(near.ids.shape[0]):
        if near.ids[m] == thing:
            return m
    return -1


@inline
def _strip(row: Floats, inner: float, outer: float, ahead: float, o: int, near: NearObstacles) -> Pair:
    """From where to where an obstacle lies ahead, from ``inner`` to ``outer`` metres to the left of the way."""
    middle, yaw = 0.5 * (inner + outer), row[drive.YAW]
    x, z = row[drive.X] + middle * math.cos(yaw), row[drive.Z] - middle * math.sin(yaw)
    return strip(x, z, yaw, 0.5 * abs(outer - inner), ahead, o, near)


@part
def edge_before(row: Floats, leg: int, eta: float, o: int, near: NearObstacles) -> tuple[float, float]:
    """How far ahead the near edge of an obstacle is where a foot lands, ``eta`` seconds from now, and its slant.

    It must be there as long as that foot stands, too.
    """
    size = (1.0 if leg == 0 else -1.0) * row[drive.LEG] / drive.LEG_SHARE
    inner, outer = -INNER * size, STRIP * size
    off = eta + ON_TOES / max(row[drive.FREQUENCY], SLOWEST)
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
    row: Floats, leg: int, eta: float, first: int, behind: float, count: int, near: NearObstacles
) -> tuple[float, float]:
    """How far ahead the far edge of an obstacle is where a foot lands after a jump, and how high all that is.

    What lies closer behind it than ``behind``, so that nobody could land between, counts with it; and so does all as
    long as the foot stands there.
    """
    size = (1.0 if leg == 0 else -1.0) * row[drive.LEG] / drive.LEG_SHARE
    inner, outer = -INNER * size, STRIP * size
    lands = eta + ON_TOES / max(row[drive.FREQUENCY], SLOWEST) + IN_THE_AIR
    leaves = lands + ON_LANDING / max(row[drive.FREQUENCY], SLOWEST)
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
def _arrival(row: Floats, o: int, near: NearObstacles) -> float:
    """In how many seconds a walker comes to an obstacle, about; infinity if it is not in its way."""
    half, eta = STRIP * row[drive.LEG] / drive.LEG_SHARE, 0.0
    for _ in range(2):
        start, end = _strip(row, -half, half, eta, o, near)
        if start > end:
            return math.inf
        eta = max(0.0, start) / max(row[drive.SPEED], SLOWEST)
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
def _edges(row: Floats, eta: float, first: int, room: float, count: int, near: NearObstacles) -> Edges:
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
def _lines(row: Floats, seen: Edges, margin: float) -> tuple[Line, Line]:
    """Where the balls of the feet would land to take off."""
    here, middle = along(row) - margin, across(row)
    aside = FOOT_ASIDE * row[drive.LEG] / drive.LEG_SHARE
    left = Line(here + seen.left, seen.left_slant, middle + aside)
    return left, Line(here + seen.right, seen.right_slant, middle - aside)


@part
def consider(row: Floats, way: Floats, first: int, known: Known, sole: Floats, count: int, near: NearObstacles) -> int:
    """Decide what to do about what is first in the way, and begin it if it is a step or a jump: see `jump_decision`."""
    if way[MODE] != FREE or not turns_evenly(row):
        return _consider(row, way, first, known, sole, count, near)
    # How long the way is depends on where its curve leads, and that on how long the run-up takes.
    turn, eta, pace = row[drive.TURN], _arrival(row, first, near), row[drive.SPEED]
    place = unroll(row, eta, pace)
    eta = _arrival(row, first, near)
    put_back(row, place)
    if eta == math.inf:  # the curve leads past it
        return _consider(row, way, first, known, sole, count, near)
    action = decision.GET_ROUND
    for attempt in range(AGAIN):
        if attempt > 0:
            eta, pace = row[drive.PROFILE_DURATION], mean_speed(row)
            give_up(row, way)
        place = unroll(row, eta, pace)
        action = _consider(row, way, first, known, sole, count, near)
        put_back(row, place)
        if action >= decision.GET_ROUND:
            break
        hold_turn(row, turn)
    return action


@part
def _consider(row: Floats, way: Floats, first: int, known: Known, sole: Floats, count: int, near: NearObstacles) -> int:
    """The same for a way that is straight, or unrolled."""
    size, leg, speed = row[drive.LEG] / drive.LEG_SHARE, row[drive.LEG], row[drive.SPEED]
    toe, heel = size * sole[2, 2], size * (sole[1, 2] - sole[0, 2])
    eta = _arrival(row, first, near)
    if eta == math.inf:
        return decision.GET_ROUND
    room = LANDING + 2.0 * (heel + toe)
    seen = _edges(row, eta, first, room, count, near)
    start, end, height = min(seen.left, seen.right), seen.end, seen.height
    if start > end:
        return decision.GET_ROUND
    request, laws, after = known.request, known.laws, known.after
    able = speed >= SLOWEST and abs(row[drive.TURN]) <= UNTURNED and way[MAY_JUMP] > 0.0
    request[decision.LENGTH], request[decision.WIDTH] = seen.deep, 2.0 * near.table[first, things.RADIUS]
    request[decision.HEIGHT] = height
    request[decision.DISTANCE] = start - FRONT - toe - FOOT_AHEAD * size
    request[decision.SPEED], request[decision.RUN], request[decision.LEG] = speed, row[drive.RUN], leg
    request[decision.STEP_LENGTH] = step = 0.5 * speed / max(row[drive.FREQUENCY], SLOWEST)
    request[decision.LIMIT] = limit = setup.LIMIT * leg
    request[decision.FRONT_MARGIN], request[decision.LANDING_MARGIN] = FRONT, LANDING
    request[decision.MAY_JUMP] = 1.0 if able else 0.0
    request[decision.MAY_GET_ROUND] = way[MAY_ROUND]
    what = decision.decide(request, laws)
    after[0], after[1], after[2] = way[CRUISE], row[drive.RUN + 1], row[drive.AUTO]
    least, begun = seen.deep + FRONT + LANDING + toe + heel, False
    if able and what.action == decision.STEP_OVER and least < step + LONGER_STEP * size:
        length = max(end - start - seen.deep + least, step)
        line = along(row) + start - FRONT - toe
        begun = plan_steps(row, line, length, speed, row[drive.RUN], EITHER, limit, known)
        way[STATE] = STEPPING if begun else way[STATE]
    elif what.action == decision.JUMP_WALKING or what.action == decision.JUMP_RUNNING:
        run = 1.0 if what.action == decision.JUMP_RUNNING else 0.0
        band = laws[decision.RUNNING if run > 0.0 else decision.WALKING, decision.BAND]
        length = max(what.length + toe + heel, least)
        left, right = _lines(row, seen, FRONT + toe)
        begun = plan_jump(row, left, right, length, what.speed, band, run, limit, known)
        if begun and (near.table[first, things.VX] != 0.0 or near.table[first, things.VZ] != 0.0):
            # Only now is it known when the walker will be there.
            seen = _edges(row, row[drive.PROFILE_DURATION], first, room, count, near)
            left, right = _lines(row, seen, FRONT + toe)
            plan_jump(row, left, right, length, what.speed, band, run, limit, known)
        way[STATE] = ADAPT if begun else way[STATE]
    if begun:
        row[drive.JUMP + leap.CLEAR] = (1.0 + HIGHER) * height + OVER * size
        way[THING], way[REFUSED], way[MARGIN] = near.ids[first], 0.0, FRONT + toe
        way[LENGTH] = row[drive.JUMP + leap.LENGTH] * size - FRONT - LANDING - toe - heel
        return what.action
    if way[MAY_ROUND] > 0.0 and what.action < decision.GET_ROUND:
        return decision.GET_ROUND
    if what.action == decision.STOP or what.action == decision.STOP_AND_JUMP or way[MAY_ROUND] == 0.0:
        standing = laws[decision.STANDING]
        scale = leg / decision.REFERENCE_LEG
        fits = end - start + FRONT + LANDING <= scale * standing[decision.LONGEST]
        way[STATE], way[THING], way[HALT] = HALTING, near.ids[first], 0.0
        # From a stand nobody can see whether those beyond it will still be there: who heeds others goes round.
        able = way[MAY_JUMP] > 0.0 and (way[HEEDS] == 0.0 or way[MAY_ROUND] == 0.0)
        way[JUMPS] = 1.0 if able and fits and height <= scale * decision.FLAT else 0.0
        way[LENGTH], way[MARGIN] = LANDING + heel, FRONT + toe
        return decision.STOP
    return what.action


@part
def go_on_jumping(row: Floats, way: Floats, known: Known, near: NearObstacles) -> None:
    """Keep a run-up to what it is for: that may move, grow or vanish."""
    if row[drive.JUMP + leap.STATE] == leap.COMING:
        way[STATE] = ADAPT if row[drive.PROFILE_DURATION] > 0.0 else WAIT
    if way[THING] < 0.0 or way[LOOK] > 0.0:
        return
    o = row_of(way[THING], near)
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    leg, eta = int(jump[leap.LEG]), max(0.0, row[drive.PROFILE_DURATION] - row[drive.PROFILE_TIME])
    if way[MODE] == FREE:
        end_turn_in_time(row, eta)
    # Who has a goal turns for a moment only, and straightens at once.
    place = unroll(row, eta if way[MODE] == FREE else math.inf, mean_speed(row))
    start, end, slant = math.inf, -math.inf, 0.0
    if o >= 0:
        start, slant = edge_before(row, leg, eta, o, near)
        other, _ = edge_before(row, 1 - leg, eta, o, near)
        end, _ = edge_behind(row, 1 - leg, eta, o, 0.0, 0, near)
        if jump[leap.STATE] == leap.STEPPING or max(start, other) == math.inf:
            start, slant = min(start, other), 0.0
            end = max(end, edge_behind(row, leg, eta, o, 0.0, 0, near)[0])
    grown = end - start > way[LENGTH] + GROWN
    if o < 0 or start > end or grown:
        put_back(row, place)
        if can_stop(row, way, near):  # else it jumps whatever is there
            give_up(row, way)
        return
    line = along(row) + start - way[MARGIN]
    if replan_jump(row, line, setup.LIMIT * row[drive.LEG], known):
        aside = (FOOT_ASIDE if leg == 0 else -FOOT_ASIDE) * row[drive.LEG] / drive.LEG_SHARE
        way[REFUSED], jump[leap.SLANT], jump[leap.SIDE] = 0.0, slant, across(row) + aside
        put_back(row, place)
        return
    put_back(row, place)
    # A run-up that cannot be bettered is kept while its aim stays.
    if abs(line - row[drive.JUMP + leap.LINES + 2]) < MOVED:
        return
    way[REFUSED] += 1.0
    if way[REFUSED] >= GIVE_UP and can_stop(row, way, near):
        give_up(row, way)


@inline
def give_up(row: Floats, way: Floats) -> None:
    """Call a jump that is coming off."""
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    row[drive.AUTO] = jump[leap.AFTER + 2]
    row[drive.RUN + 1], row[drive.RUN + 2] = jump[leap.AFTER + 1], 0.5
    wanted = jump[leap.AFTER]
    row[drive.SPEED + 1], row[drive.SPEED + 2] = wanted, abs(wanted - row[drive.SPEED]) / drive.RESTORING
    row[drive.PROFILE_DURATION], row[drive.NEWS] = 0.0, 1.0
    jump[leap.STATE] = leap.NONE
    way[STATE], way[THING] = NEUTRAL, -1.0
