"""Over what is in the way: a jump planned, kept to its aim while that moves, and given up if it must be."""

from __future__ import annotations

from locomote.kernels import drive
from locomote.kernels import jump as leap
from locomote.kernels import jump_decision as decision
from locomote.kernels import jump_setup as setup
from locomote.kernels import obstacles as things
from locomote.kernels._compile import inline, part
from locomote.kernels.detours import strip
from locomote.kernels.jump_plan import EITHER, Known, along, plan_jump, plan_steps, replan_jump
from locomote.kernels.vector import Floats
from locomote.kernels.way import (
    ADAPT,
    CRUISE,
    HALT,
    HALTING,
    JUMPS,
    LENGTH,
    LOOK,
    MARGIN,
    MAY_JUMP,
    MAY_ROUND,
    NEUTRAL,
    REFUSED,
    STATE,
    STEPPING,
    THING,
    WAIT,
    Things,
)

UNTURNED = 0.25  # rad/s, up to which a walker may begin a run-up
SLOWEST = 0.4  # m/s
STRIP = 0.24  # hip heights to either side of the middle that the feet need
BESIDE = 0.1  # m more, in which nothing may be where it lands
FRONT, LANDING = 0.03, 0.10  # m between obstacle and toes, and obstacle and heel
GROWN = 0.02  # m by which an obstacle may grow during the run-up
MOVED = 0.03  # m by which an obstacle must have moved for that
GIVE_UP = 2  # adaptations that fail, after which a run-up is given up if there is still
WAY_TO_STOP = 1.5  # m
LONGER_STEP = 0.2  # hip heights more than an ordinary step, that a step over something may be
OVER = 0.02  # hip heights between feet and obstacle
HIGHER = 0.1  # of its height more: the higher it is, the less surely feet keep to their way over it
FOOT_AHEAD = 0.3  # hip heights from the body to a foot that lands, about


@inline
def row_of(thing: float, near: Things) -> int:
    """The row of an obstacle, -1 if it is gone."""
    for m in range(near.ids.shape[0]):
        if near.ids[m] == thing:
            return m
    return -1


@part
def extent_ahead(
    row: Floats, first: int, half: float, behind: float, count: int, near: Things
) -> tuple[float, float, float]:
    """From where to where an obstacle lies in the way of a walker, when it gets there, and how high it is.

    What lies closer behind it than ``behind``, so that nobody could land between, counts with it.
    """
    x, z, yaw, speed = row[drive.X], row[drive.Z], row[drive.YAW], row[drive.SPEED]
    eta = start = end = 0.0
    for _ in range(2):
        start, end = strip(x, z, yaw, half, eta, first, near)
        eta = max(0.0, start) / max(speed, SLOWEST) if start <= end else 0.0
    height = near.table[first, things.HEIGHT]
    for _ in range(3):
        for k in range(count):
            o = near.found[k]
            a, b = strip(x, z, yaw, half + BESIDE, eta, o, near)
            if a <= b and a < end + behind and b > end:
                end, height = b, max(height, near.table[o, things.HEIGHT])
    return start, end, height


@part
def consider(
    row: Floats, way: Floats, first: int, known: Known, sole: Floats, count: int, near: Things
) -> int:
    """Decide what to do about what is first in the way, and begin it if it is a step or a jump: see `jump_decision`."""
    size, leg, speed = row[drive.LEG] / drive.LEG_SHARE, row[drive.LEG], row[drive.SPEED]
    toe, heel = size * sole[2, 2], size * (sole[1, 2] - sole[0, 2])
    start, end, height = extent_ahead(row, first, STRIP * size, LANDING + 2.0 * (heel + toe), count, near)
    if start > end:
        return decision.GET_ROUND
    request, laws, after = known.request, known.laws, known.after
    able = speed >= SLOWEST and abs(row[drive.TURN]) <= UNTURNED and way[MAY_JUMP] > 0.0
    request[decision.LENGTH], request[decision.WIDTH] = end - start, 2.0 * near.table[first, things.RADIUS]
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
    line = along(row) + start - FRONT - toe
    least = end - start + FRONT + LANDING + toe + heel
    begun = False
    if able and what.action == decision.STEP_OVER and least < step + LONGER_STEP * size:
        begun = plan_steps(row, line, max(least, step), speed, row[drive.RUN], EITHER, limit, known)
        way[STATE] = STEPPING if begun else way[STATE]
    elif what.action == decision.JUMP_WALKING or what.action == decision.JUMP_RUNNING:
        run = 1.0 if what.action == decision.JUMP_RUNNING else 0.0
        band = laws[decision.RUNNING if run > 0.0 else decision.WALKING, decision.BAND]
        length = max(what.length + toe + heel, least)
        begun = plan_jump(row, line, length, what.speed, band, run, limit, known)
        way[STATE] = ADAPT if begun else way[STATE]
    if begun:
        row[drive.JUMP + leap.CLEAR] = (1.0 + HIGHER) * height + OVER * size
        way[THING], way[REFUSED], way[LENGTH], way[MARGIN] = near.ids[first], 0.0, end - start, FRONT + toe
        return what.action
    if way[MAY_ROUND] > 0.0 and what.action < decision.GET_ROUND:
        return decision.GET_ROUND
    if what.action == decision.STOP or what.action == decision.STOP_AND_JUMP or way[MAY_ROUND] == 0.0:
        standing = laws[decision.STANDING]
        scale = leg / decision.REFERENCE_LEG
        fits = end - start + FRONT + LANDING <= scale * standing[decision.LONGEST]
        way[STATE], way[THING], way[HALT] = HALTING, near.ids[first], 0.0
        way[JUMPS] = 1.0 if way[MAY_JUMP] > 0.0 and fits and height <= scale * decision.FLAT else 0.0
        way[LENGTH], way[MARGIN] = LANDING + heel, FRONT + toe
        return decision.STOP
    return what.action


@part
def go_on_jumping(row: Floats, way: Floats, known: Known, near: Things) -> None:
    """Keep a run-up to what it is for: that may move, grow or vanish."""
    if row[drive.JUMP + leap.STATE] == leap.COMING:
        way[STATE] = ADAPT if row[drive.PROFILE_DURATION] > 0.0 else WAIT
    if way[THING] < 0.0 or way[LOOK] > 0.0:
        return
    o = row_of(way[THING], near)
    left = row[drive.PROFILE_DURATION] - row[drive.PROFILE_TIME]
    start = end = 0.0
    if o >= 0:
        start, end = strip(
            row[drive.X],
            row[drive.Z],
            row[drive.YAW],
            STRIP * row[drive.LEG] / drive.LEG_SHARE,
            left,
            o,
            near,
        )
    grown = end - start > way[LENGTH] + GROWN
    if o < 0 or start > end or grown:
        give_up(row, way)
        return
    line = along(row) + start - way[MARGIN]
    if replan_jump(row, line, setup.LIMIT * row[drive.LEG], known):
        way[REFUSED] = 0.0
        return
    # A run-up that cannot be bettered is kept while its aim stays.
    if abs(line - row[drive.JUMP + leap.LINES + 2]) < MOVED:
        return
    way[REFUSED] += 1.0
    if way[REFUSED] >= GIVE_UP and start > WAY_TO_STOP:
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
