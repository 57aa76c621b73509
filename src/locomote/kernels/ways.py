"""Where each walker wants to go next: to its goal, along its path or straight on, round or over what is in the way."""

from __future__ import annotations

import math

from locomote.kernels import drive
from locomote.kernels import jump as leap
from locomote.kernels import obstacles as things
from locomote.kernels._compile import inline, part
from locomote.kernels.detours import SLACK, first_in_way, round_all
from locomote.kernels.jump_over import consider, go_on_jumping
from locomote.kernels.jump_plan import Known
from locomote.kernels.obstacle_buckets import near_segment
from locomote.kernels.steering import follow, reached, steer_to_pose, way_points, wrapped
from locomote.kernels.vector import Floats, Pair
from locomote.kernels.way import (
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
    JUMPING,
    LINE,
    LOOK,
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
    SHARE,
    SIDE,
    STATE,
    STEER,
    THING,
    TO_PLACE,
    Things,
)

VIEW = 10.0  # m that a walker looks ahead
VIEW_TIME = 3.0  # s, for obstacles that move
AROUND = 3.0  # m to either side of its way, in which it takes notice of them
PAST = 0.1  # m more than its own radius that it keeps from obstacles
STRAIGHT = 0.12  # rad off its way, up to which it may jump
LENGTH_SHARE = 0.5  # of an obstacle's length that a free walker keeps from its side
SLOWING = 0.8  # m/s^2, towards a goal
AT_ONCE = 1e6  # m/s^2: others see to it that the speed changes slowly
CREEP = 0.1  # m/s, at the goal
CARROT = 4.0  # m ahead on its path that a walker looks for obstacles
SWERVE = 0.3  # s, in which a turn rate is taken for a direction: the time in which walkers turn to one
ARRIVAL = 0.06  # m
PASSED = 0.3  # m within which a goal that gets farther away again has been reached
SLOW_ENOUGH = 0.5  # m/s, for that
STOPPING = 0.3  # s, at a goal
TURN_THERE = 1.2  # rad/s, at a goal that is to be faced in some direction
RESTORED = 0.02  # m/s off the speed as before


@inline
def _see(x: float, z: float, yaw: float, reach: float, margin: float, near: Things) -> int:
    """Find the obstacles near the way ahead; returns how many."""
    if near.table.shape[0] == 0:
        return 0
    ex, ez = x + reach * math.sin(yaw), z + reach * math.cos(yaw)
    return near_segment(
        x, z, ex, ez, margin + AROUND, VIEW_TIME, near.table, near.starts, near.members, near.found
    )


@part
def _leave_line(row: Floats, way: Floats, o: int, near: Things) -> None:
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
    near: Things,
) -> tuple[float, float, bool]:
    """The velocity that a walker wants, and whether it wants another one than that of its commands."""
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    x, z, yaw, speed = row[drive.X], row[drive.Z], row[drive.YAW], row[drive.SPEED]
    straight_on = speed * math.sin(yaw), speed * math.cos(yaw), False
    if way[ARRIVED] > 0.0 and way[MODE] != FREE:
        return straight_on
    way[LOOK] -= dt
    if jump[leap.STATE] == leap.UNDER_WAY:
        flown = leap.flown(jump)
        way[STATE] = BLEND_IN if flown < 0.0 else JUMPING if flown < 1.0 else BLEND_OUT
        return straight_on
    if jump[leap.STATE] == leap.COMING:
        go_on_jumping(row, way, known, near)
        if way[LOOK] <= 0.0:
            way[LOOK] = PERIOD
        return straight_on
    if way[STATE] >= ADAPT and way[STATE] <= BLEND_OUT:
        way[STATE], way[THING] = RESTORE, -1.0
    if way[STATE] == RESTORE and abs(speed - way[CRUISE]) < RESTORED:
        way[STATE] = NEUTRAL
    margin = way[RADIUS] + PAST
    steering = way[STATE] == STEER or way[STATE] == RETURN
    # Where to, with which heading, and how fast there.
    tx, tz, heading, cruise = x + VIEW * math.sin(yaw), z + VIEW * math.cos(yaw), math.nan, way[CRUISE]
    turn = math.nan
    if way[MODE] == TO_PLACE:
        tx, tz, heading = way[GOAL_X], way[GOAL_Z], way[GOAL_YAW]
        far = math.hypot(tx - x, tz - z)
        ahead = (tx - x) * math.sin(yaw) + (tz - z) * math.cos(yaw)
        if far < ARRIVAL or (far < PASSED and ahead < 0.0 and speed < SLOW_ENOUGH):
            _arrive(row, way)
        cruise = min(cruise, math.sqrt(CREEP * CREEP + 2.0 * SLOWING * far))
    elif way[MODE] == ON_PATH:
        path = paths[int(way[FIRST]) : int(way[FIRST] + way[COUNT])]
        cruise, turn, way[PROGRESS] = follow(
            x, z, yaw, speed, path, way[PROGRESS], cruise, 0.0, SLOWING, max(dt, 1e-3)
        )
        if way[PROGRESS] >= way[COUNT] - 1.0 - 1e-6:
            _arrive(row, way)
        tx, tz = _carrot(path, way[PROGRESS])
    elif steering:
        k = POINTS + 2 * int(way[NEXT])
        tx, tz, heading = way[k], way[k + 1], way[LINE + 2]
        if reached(x, z, tx, tz, heading):
            way[NEXT] += 1.0
            way[STATE] = RETURN if way[NEXT] == 2.0 else way[STATE]
            if way[NEXT] == 3.0:
                way[STATE], way[THING], way[COURSE], way[SIDE] = NEUTRAL, -1.0, math.nan, 0.0
                row[drive.STEERING], row[drive.HEADING] = 1.0, yaw + wrapped(heading - yaw)
                row[drive.TURN + 2] = 0.5
                return straight_on
    if way[ARRIVED] > 0.0 and way[MODE] != FREE:
        return straight_on
    far = math.hypot(tx - x, tz - z)
    there = math.atan2(tx - x, tz - z) if far > 1e-6 else yaw
    if way[LOOK] <= 0.0:
        way[LOOK] = PERIOD
        reach = min(VIEW, far)
        count = _see(x, z, there, reach, margin, near)
        way[COURSE] = math.nan
        if count > 0:
            first, _ = first_in_way(x, z, there, max(speed, cruise), reach, margin - SLACK, count, near)
            if first >= 0:
                if abs(wrapped(there - yaw)) < STRAIGHT and not steering:
                    ahead, _ = first_in_way(x, z, yaw, speed, reach, margin, count, near)
                    if ahead >= 0 and consider(row, way, ahead, known, sole, count, near):
                        return straight_on
                if way[MODE] == FREE and not steering:
                    _leave_line(row, way, first, near)
                    steering = True
                    tx, tz, heading = way[POINTS], way[POINTS + 1], way[LINE + 2]
                    far = math.hypot(tx - x, tz - z)
                    there = math.atan2(tx - x, tz - z)
                    reach = min(VIEW, far)
                    first, _ = first_in_way(x, z, there, speed, reach, margin - SLACK, count, near)
                if first >= 0:
                    way[COURSE], way[SHARE], way[SIDE] = round_all(
                        x, z, there, reach, margin, max(speed, cruise), way[SIDE], count, near
                    )
    if way[MODE] == FREE and not steering:
        if way[STATE] == AVOIDING:
            return way[CRUISE] * math.sin(yaw), way[CRUISE] * math.cos(yaw), True
        return straight_on
    course = there
    if way[COURSE] == way[COURSE]:
        course, cruise = way[COURSE], cruise * way[SHARE]
    elif heading == heading:
        wanted, turn = steer_to_pose(x, z, yaw, speed, tx, tz, heading, cruise, AT_ONCE, dt)
        course, cruise = yaw + turn * speed / max(wanted, CREEP) * SWERVE, wanted
    elif turn == turn:
        course = yaw + turn * SWERVE
    return cruise * math.sin(course), cruise * math.cos(course), True


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
