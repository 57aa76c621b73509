"""Where each walker wants to go next: to its goal, along its path or straight on, round or over what is in the way."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human._kernels import drive
from locomote.human._kernels.local_search import Desk
from locomote.human._kernels.trails import PAST, keep_trail, search, see
from locomote.human._kernels.way import (
    ADAPT,
    ARRIVED,
    AVOIDING,
    BLEND_IN,
    BLEND_OUT,
    COUNT,
    COURSE,
    CRUISE,
    FIRST,
    FREE,
    GOAL_X,
    GOAL_YAW,
    GOAL_Z,
    HALTING,
    HEEDS,
    JUMPING,
    LINE,
    LOOK,
    LOST,
    MAY_JUMP,
    MAY_ROUND,
    MODE,
    NEUTRAL,
    NEXT,
    ON_PATH,
    PERIOD,
    POINTS,
    PROGRESS,
    RADIUS,
    RESTORE,
    RETURN,
    SCOUT,
    SHARE,
    SIDE,
    STATE,
    STEER,
    STEPPING,
    THING,
    TO_PLACE,
    TRAIL,
    TRAIL_COUNT,
    TRAIL_NEXT,
    TRAIL_WAITS,
)
from locomote.human.jumps._kernels import jump as leap
from locomote.human.jumps._kernels.jump_decision import GET_ROUND
from locomote.human.jumps._kernels.jump_over import STRIP, consider, go_on_jumping, row_of
from locomote.human.jumps._kernels.jump_plan import Known
from locomote.human.jumps._kernels.stopping import halt
from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Pair, wrapped
from locomote.navigation._kernels.detours import SLACK, first_in_way, round_all
from locomote.navigation._kernels.steering import ASIDE, follow, reached, steer_to_pose, way_points
from locomote.world._kernels import obstacles as things
from locomote.world._kernels.obstacle_buckets import NearObstacles

VIEW = 10.0  # m that a walker looks ahead
AT_HAND = 3.0  # m, within which it looks for a way round what it does not go straight at
ASTRAY = 0.8  # rad off its way, beyond which it searches for a trail rather than go round the nearest things
STRAIGHT = 0.12  # rad off its way, up to which it may jump
LENGTH_SHARE = 0.5  # of an obstacle's length that a free walker keeps from its side
SLOWING = 0.8  # m/s^2, towards a goal
AT_ONCE = 1e6  # m/s^2: others see to it that the speed changes slowly
CREEP = 0.1  # m/s, at the goal
CARROT = 4.0  # m ahead on its path that a walker looks for obstacles
SWERVE = 0.3  # s, in which a turn rate is taken for a direction: the time in which walkers turn to one
ARRIVAL = 0.06  # m
PASSED = 0.3  # m within which a goal has been reached that gets farther away again, or
SETTLED = 2.0  # s, no nearer, because something is too close to it
SLOW_ENOUGH = 0.5  # m/s, for that
STOPPING = 0.3  # s, at a goal
TURN_THERE = 1.2  # rad/s, at a goal that is to be faced in some direction
BACK_TO_HEADING = 0.5  # s, on its line again
NO_WAY = 1e-6  # m
BESIDE_GOAL = 0.1  # m before a goal, within which a walker may come nearer to obstacles than elsewhere
TURNING = 0.8  # 1/s: half of the turn rate with which a walker comes round to its goal
AT_WAIT = 0.2  # m, the same where a walker waits
RESTORED = 0.02  # m/s off the speed as before


@part
def _leave_line(row: Floats, way: Floats, o: int, near: NearObstacles) -> None:
    """Set the places that lead a free walker round an obstacle and back to its line."""
    x, z, yaw = row[drive.X], row[drive.Z], row[drive.YAW]
    hx, hz = math.sin(yaw), math.cos(yaw)
    first, last, left, right = things.extent(x, z, hx, hz, o, near.table, near.corners)
    middle, aside = 0.5 * (first + last), 0.5 * (left + right)
    beside, leave, back, side = way_points(
        x, z, yaw, x + middle * hx + aside * hz, z + middle * hz - aside * hx, last - first, left - right,
        LENGTH_SHARE, way[RADIUS] + PAST, 0.0,
    )  # fmt: skip
    way[LINE], way[LINE + 1], way[LINE + 2] = x, z, yaw
    for k in range(2):
        way[POINTS + k], way[POINTS + 2 + k], way[POINTS + 4 + k] = beside[k], leave[k], back[k]
    way[NEXT], way[STATE], way[SIDE], way[THING] = 0.0, STEER, side, near.ids[o]


@part
def wanted_velocity(
    dt: float,
    row: Floats,
    way: Floats,
    paths: Floats,
    known: Known,
    sole: Floats,
    near: NearObstacles,
    room: Desk,
) -> tuple[float, float, bool]:
    """The velocity that a walker wants, and whether it wants another one than that of its commands."""
    x, z, yaw, speed = row[drive.X], row[drive.Z], row[drive.YAW], row[drive.SPEED]
    straight_on = speed * math.sin(yaw), speed * math.cos(yaw), False
    if way[ARRIVED] > 0.0 and way[MODE] != FREE:
        return 0.0, 0.0, False
    way[LOOK] -= dt
    if _is_busy(dt, row, way, known, near):
        way[LOOK] = PERIOD if way[LOOK] <= 0.0 else way[LOOK]
        return straight_on
    if way[MODE] == TO_PLACE:
        keep_trail(dt, row, way, near, room)
    target = _target(dt, row, way, paths)
    if way[ARRIVED] > 0.0 and way[MODE] != FREE:
        return 0.0, 0.0, False
    if way[LOOK] <= 0.0:
        way[LOOK], way[COURSE] = PERIOD, math.nan
        target, begun = _look(dt, row, way, target, paths, known, sole, near, room)
        if begun:
            return straight_on
    if way[MODE] == FREE and way[STATE] != STEER and way[STATE] != RETURN:
        if way[STATE] == AVOIDING:
            return way[CRUISE] * math.sin(yaw), way[CRUISE] * math.cos(yaw), True
        return straight_on
    cruise, course = target.cruise, _yaw_to(row, target)
    if way[COURSE] == way[COURSE]:
        course, cruise = way[COURSE], cruise * way[SHARE]
    elif target.heading == target.heading:
        wanted, turn = steer_to_pose(x, z, yaw, speed, target.x, target.z, target.heading, cruise, AT_ONCE, dt)
        # What is further aside is slowed down for: a curve is not.
        swerve = min(ASIDE, max(-ASIDE, turn * speed / max(wanted, CREEP) * SWERVE))
        course, cruise = yaw + swerve, wanted
    elif target.turn == target.turn:
        course = yaw + target.turn * SWERVE
    return cruise * math.sin(course), cruise * math.cos(course), True


class Target(NamedTuple):
    """Where to, and how."""

    x: float
    z: float
    heading: float  # NaN: any
    turn: float  # rad/s, that leads along a path; NaN: straight there
    cruise: float  # m/s


@inline
def _yaw_to(row: Floats, target: Target) -> float:
    dx, dz = target.x - row[drive.X], target.z - row[drive.Z]
    yaw: float = row[drive.YAW]
    return math.atan2(dx, dz) if dx * dx + dz * dz > NO_WAY * NO_WAY else yaw


@inline
def _is_busy(dt: float, row: Floats, way: Floats, known: Known, near: NearObstacles) -> bool:
    """Whether a walker jumps, steps over something or halts before it; keeps its state."""
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    if jump[leap.STATE] == leap.UNDER_WAY:
        flown = leap.flown(jump)
        way[STATE] = BLEND_IN if flown < 0.0 else JUMPING if flown < 1.0 else BLEND_OUT
        return True
    if jump[leap.STATE] != leap.NONE:
        go_on_jumping(row, way, known, near)
        return True
    if way[STATE] == HALTING:
        half = STRIP * row[drive.LEG] / drive.LEG_SHARE
        halt(dt, row, way, known, half, near, row_of(way[THING], near))
        return True
    if (way[STATE] >= ADAPT and way[STATE] <= BLEND_OUT) or way[STATE] == STEPPING:
        way[STATE], way[THING] = RESTORE, -1.0
    if way[STATE] == RESTORE and abs(row[drive.SPEED] - way[CRUISE]) < RESTORED:
        way[STATE] = NEUTRAL
    return False


@part
def _target(dt: float, row: Floats, way: Floats, paths: Floats) -> Target:
    """Where a walker wants to go; notices when it has arrived."""
    x, z, yaw, speed = row[drive.X], row[drive.Z], row[drive.YAW], row[drive.SPEED]
    if way[MODE] == TO_PLACE:
        tx, tz = way[GOAL_X], way[GOAL_Z]
        far = math.hypot(tx - x, tz - z)
        ahead = (tx - x) * math.sin(yaw) + (tz - z) * math.cos(yaw)
        passed = ahead < 0.0 or way[LOST] > SETTLED
        if far < ARRIVAL or (far < PASSED and passed and speed < SLOW_ENOUGH):
            _arrive(row, way)
        heading = way[GOAL_YAW]
        if way[TRAIL_COUNT] > 0.0:
            k = TRAIL + 2 * int(way[TRAIL_NEXT])
            last = way[TRAIL_NEXT] == way[TRAIL_COUNT] - 1.0
            if not last or way[TRAIL_WAITS] > 0.0:
                tx, tz, heading = way[k], way[k + 1], math.nan
                far, ahead = math.hypot(tx - x, tz - z), (tx - x) * math.sin(yaw) + (tz - z) * math.cos(yaw)
            if not last:
                return Target(tx, tz, heading, math.nan, way[CRUISE])
            if way[TRAIL_WAITS] > 0.0 and far < AT_WAIT:
                return Target(tx, tz, heading, math.nan, 0.0)
        cruise = min(way[CRUISE], math.sqrt(2.0 * SLOWING * far))
        if heading != heading:
            # What lies within the circle that a walker can turn in must be gone to slowly; to a heading one bends out.
            across = abs((tx - x) * math.cos(yaw) - (tz - z) * math.sin(yaw)) if ahead > 0.0 else far
            cruise = min(cruise, TURNING * far * far / max(across, NO_WAY))
        return Target(tx, tz, heading, math.nan, max(CREEP, cruise))
    if way[MODE] == ON_PATH:
        path = paths[int(way[FIRST]) : int(way[FIRST] + way[COUNT])]
        cruise, turn, way[PROGRESS] = follow(
            x, z, yaw, max(speed, CREEP), path, way[PROGRESS], way[CRUISE], 0.0, SLOWING, max(dt, 1e-3)
        )
        last = path[path.shape[0] - 1]
        if way[PROGRESS] > way[COUNT] - 2.0 and math.hypot(last[0] - x, last[1] - z) < ARRIVAL:
            _arrive(row, way)
        cruise = max(cruise, CREEP)
        tx, tz = _carrot(path, way[PROGRESS])
        return Target(tx, tz, math.nan, turn, cruise)
    if way[STATE] == STEER or way[STATE] == RETURN:
        k, heading = POINTS + 2 * int(way[NEXT]), way[LINE + 2]
        if reached(x, z, way[k], way[k + 1], heading):
            way[NEXT] += 1.0
            k += 2
            way[STATE] = RETURN if way[NEXT] == 2.0 else way[STATE]
        if way[NEXT] < 3.0:
            return Target(way[k], way[k + 1], heading, math.nan, way[CRUISE])
        way[STATE], way[THING], way[COURSE], way[SIDE] = NEUTRAL, -1.0, math.nan, 0.0
        row[drive.STEERING], row[drive.HEADING] = 1.0, yaw + wrapped(heading - yaw)
        row[drive.TURN + 2] = BACK_TO_HEADING
        row[drive.SPEED + 1], row[drive.NEWS] = way[CRUISE], 1.0
        row[drive.SPEED + 2] = max(BACK_TO_HEADING, abs(way[CRUISE] - speed))
    return Target(x + VIEW * math.sin(yaw), z + VIEW * math.cos(yaw), math.nan, math.nan, way[CRUISE])


@part
def _look(
    dt: float,
    row: Floats,
    way: Floats,
    target: Target,
    paths: Floats,
    known: Known,
    sole: Floats,
    near: NearObstacles,
    room: Desk,
) -> tuple[Target, bool]:
    """Look what is in the way and deal with it: returns the target then, and whether a step, jump or halt has begun."""
    x, z, yaw, speed = row[drive.X], row[drive.Z], row[drive.YAW], row[drive.SPEED]
    margin, pace = way[RADIUS] + PAST, max(speed, target.cruise)
    steering = way[STATE] == STEER or way[STATE] == RETURN
    there = _yaw_to(row, target)
    reach = min(VIEW, max(0.0, math.hypot(target.x - x, target.z - z) - BESIDE_GOAL))
    count = see(x, z, there, reach, margin, near)
    if count == 0:
        return target, False
    first, far = first_in_way(x, z, there, pace, reach, margin - SLACK, count, near)
    if first < 0:
        return target, False
    round_now = far < AT_HAND
    # Who avoids others stops in time anyway; it does not stand at an edge that it may not jump but can go round.
    round_it = way[TRAIL_COUNT] > 0.0 or (way[HEEDS] > 0.0 and way[MAY_JUMP] == 0.0)
    if abs(wrapped(there - yaw)) < STRAIGHT and not steering and not (round_it and way[MAY_ROUND] > 0.0):
        ahead, _ = first_in_way(x, z, yaw, speed, reach, margin, count, near)
        if ahead >= 0 and consider(row, way, ahead, known, sole, count, near) != GET_ROUND:
            return target, True
        round_now = round_now or ahead >= 0
    if way[MODE] == FREE and not steering:
        _leave_line(row, way, first, near)
        target = Target(way[POINTS], way[POINTS + 1], way[LINE + 2], math.nan, target.cruise)
        there = _yaw_to(row, target)
        reach = min(VIEW, math.hypot(target.x - x, target.z - z))
        first, _ = first_in_way(x, z, there, pace, reach, margin - SLACK, count, near)
    elif way[MODE] == TO_PLACE and way[MAY_ROUND] > 0.0 and way[SCOUT] <= 0.0 and (round_now or round_it):
        search(row, way, near, room)
        target = _target(dt, row, way, paths)
        there = _yaw_to(row, target)
        reach = min(VIEW, max(0.0, math.hypot(target.x - x, target.z - z) - BESIDE_GOAL))
        count = see(x, z, there, reach, margin, near)
        first, _ = first_in_way(x, z, there, pace, reach, margin - SLACK, count, near)
    # A trail leads round everything; what comes across it is given way to, not gone round on the other side.
    if first >= 0 and (way[MODE] != TO_PLACE or way[TRAIL_COUNT] == 0.0):
        course, share, side = round_all(x, z, there, reach, margin, pace, way[SIDE], count, near)
        far_round = abs(wrapped(course - there)) > ASTRAY and way[MODE] == TO_PLACE and way[MAY_ROUND] > 0.0
        if far_round and way[SCOUT] <= 0.0:
            search(row, way, near, room)
            return _target(dt, row, way, paths), False
        way[COURSE], way[SHARE], way[SIDE] = course, share, side
    return target, False


@inline
def _arrive(row: Floats, way: Floats) -> None:
    """Stop at the goal, and turn where it is to be faced."""
    if way[ARRIVED] > 0.0:
        return
    way[ARRIVED], way[STATE], way[THING] = 1.0, NEUTRAL, -1.0
    row[drive.SPEED + 1], row[drive.SPEED + 2], row[drive.NEWS] = 0.0, STOPPING, 1.0
    row[drive.TURN + 1], row[drive.TURN + 2] = 0.0, STOPPING
    if way[MODE] == TO_PLACE and way[GOAL_YAW] == way[GOAL_YAW]:
        turn = wrapped(way[GOAL_YAW] - row[drive.YAW])
        row[drive.STEERING], row[drive.HEADING] = 1.0, row[drive.YAW] + turn
        row[drive.TURN + 2] = max(2.0 * STOPPING, abs(turn) / TURN_THERE)


@inline
def _carrot(path: Floats, progress: float) -> Pair:
    """A place some way further along a path."""
    last = path.shape[0] - 1
    piece = min(int(progress), last - 1)
    share, left = progress - piece, CARROT
    while True:
        dx, dz = path[piece + 1, 0] - path[piece, 0], path[piece + 1, 1] - path[piece, 1]
        length = math.hypot(dx, dz)
        rest = (1.0 - share) * length
        if rest >= left or piece == last - 1:
            share = min(1.0, share + left / max(length, 1e-9))
            return path[piece, 0] + share * dx, path[piece, 1] + share * dz
        left, piece, share = left - rest, piece + 1, 0.0
