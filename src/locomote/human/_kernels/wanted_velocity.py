"""Where each walker wants to go next: to its goal, along its path or straight on, round or over what is in the way."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human._kernels.model import LEG_SHARE
from locomote.human._kernels.state import (
    ADAPT,
    AVOIDING,
    BLEND_IN,
    BLEND_OUT,
    FREE,
    HALTING,
    JUMPING,
    NEUTRAL,
    NO_JUMP,
    ON_PATH,
    PERIOD,
    RESTORE,
    RETURN,
    STEER,
    STEPPING_OVER,
    TO_PLACE,
    UNDER_WAY,
    Walker,
    Way,
)
from locomote.human._kernels.trails import PAST, keep_trail, search, see
from locomote.human.jumps._kernels import jump as leap
from locomote.human.jumps._kernels.jump_decision import GET_ROUND
from locomote.human.jumps._kernels.jump_over import STRIP, consider, go_on_jumping, row_of
from locomote.human.jumps._kernels.jump_setup import Planner
from locomote.human.jumps._kernels.stopping import halt
from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Pair, wrapped
from locomote.navigation._kernels.detours import SLACK, first_in_way, round_all
from locomote.navigation._kernels.local_search import SearchScratch
from locomote.navigation._kernels.steering import ASIDE, follow, reached, steer_to_pose, way_points
from locomote.navigation._kernels.trail import GOES_ON
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
def _leave_line(row: Walker, way: Way, o: int, near: NearObstacles) -> None:
    """Set the places that lead a free walker round an obstacle and back to its line."""
    x, z, yaw = row.x, row.z, row.yaw
    hx, hz = math.sin(yaw), math.cos(yaw)
    first, last, left, right = things.extent(x, z, hx, hz, o, near.table, near.corners)
    middle, aside = 0.5 * (first + last), 0.5 * (left + right)
    beside, leave, back, side = way_points(
        x, z, yaw, x + middle * hx + aside * hz, z + middle * hz - aside * hx, last - first, left - right,
        LENGTH_SHARE, way.radius + PAST, 0.0,
    )  # fmt: skip
    way.line.x, way.line.z, way.line.yaw = x, z, yaw
    for k in range(2):
        way.points[0, k], way.points[1, k], way.points[2, k] = beside[k], leave[k], back[k]
    way.next, way.state, way.side, way.thing = 0, STEER, side, near.ids[o]


@part
def wanted_velocity(
    dt: float, row: Walker, way: Way, known: Planner, around: Surroundings
) -> tuple[float, float, bool]:
    """The velocity that a walker wants, and whether it wants another one than that of its commands."""
    x, z, yaw, speed = row.x, row.z, row.yaw, row.speed.value
    straight_on = speed * math.sin(yaw), speed * math.cos(yaw), False
    if way.arrived and way.mode != FREE:
        return 0.0, 0.0, False
    way.look -= dt
    if _is_busy(dt, row, way, known, around.near):
        way.look = PERIOD if way.look <= 0.0 else way.look
        return straight_on
    if way.mode == TO_PLACE:
        keep_trail(dt, row, way, around.near, around.search)
    target = _target(dt, row, way, around.paths)
    if way.arrived and way.mode != FREE:
        return 0.0, 0.0, False
    if way.look <= 0.0:
        way.look, way.course = PERIOD, math.nan
        target, begun = _look(dt, row, way, target, known, around)
        if begun:
            return straight_on
    if way.mode == FREE and way.state != STEER and way.state != RETURN:
        if way.state == AVOIDING:
            return way.cruise * math.sin(yaw), way.cruise * math.cos(yaw), True
        return straight_on
    cruise, course = target.cruise, _yaw_to(row, target)
    if way.course == way.course:
        course, cruise = way.course, cruise * way.share
    elif target.heading == target.heading:
        wanted, turn = steer_to_pose(x, z, yaw, speed, target.x, target.z, target.heading, cruise, AT_ONCE, dt)
        # What is further aside is slowed down for: a curve is not.
        swerve = min(ASIDE, max(-ASIDE, turn * speed / max(wanted, CREEP) * SWERVE))
        course, cruise = yaw + swerve, wanted
    elif target.turn == target.turn:
        course = yaw + target.turn * SWERVE
    return cruise * math.sin(course), cruise * math.cos(course), True


class Surroundings(NamedTuple):
    """What walkers go by: the paths of all, obstacles, and scratch for those who search for a way."""

    paths: Floats  # (P, 2)
    near: NearObstacles
    search: SearchScratch


class Target(NamedTuple):
    """Where to, and how."""

    x: float
    z: float
    heading: float  # NaN: any
    turn: float  # rad/s, that leads along a path; NaN: straight there
    cruise: float  # m/s


@inline
def _yaw_to(row: Walker, target: Target) -> float:
    dx, dz = target.x - row.x, target.z - row.z
    yaw: float = row.yaw
    return math.atan2(dx, dz) if dx * dx + dz * dz > NO_WAY * NO_WAY else yaw


@inline
def _is_busy(dt: float, row: Walker, way: Way, known: Planner, near: NearObstacles) -> bool:
    """Whether a walker jumps, steps over something or halts before it; keeps its state."""
    jump = row.jump
    if jump.state == UNDER_WAY:
        flown = leap.flown(jump)
        way.state = BLEND_IN if flown < 0.0 else JUMPING if flown < 1.0 else BLEND_OUT
        return True
    if jump.state != NO_JUMP:
        go_on_jumping(row, way, known, near)
        return True
    if way.state == HALTING:
        half = STRIP * row.leg.value / LEG_SHARE
        halt(dt, row, way, known, half, near, row_of(way.thing, near))
        return True
    if (way.state >= ADAPT and way.state <= BLEND_OUT) or way.state == STEPPING_OVER:
        way.state, way.thing = RESTORE, -1
    if way.state == RESTORE and abs(row.speed.value - way.cruise) < RESTORED:
        way.state = NEUTRAL
    return False


@part
def _target(dt: float, row: Walker, way: Way, paths: Floats) -> Target:
    """Where a walker wants to go; notices when it has arrived."""
    x, z, yaw, speed = row.x, row.z, row.yaw, row.speed.value
    if way.mode == TO_PLACE:
        tx, tz = way.goal_x, way.goal_z
        far = math.hypot(tx - x, tz - z)
        ahead = (tx - x) * math.sin(yaw) + (tz - z) * math.cos(yaw)
        passed = ahead < 0.0 or way.lost > SETTLED
        if far < ARRIVAL or (far < PASSED and passed and speed < SLOW_ENOUGH):
            _arrive(row, way)
        heading = way.goal_yaw
        trail = way.trail
        if trail.count > 0:
            place, last = trail.places[trail.next], trail.next == trail.count - 1
            if not last or trail.waits != GOES_ON:
                tx, tz, heading = place[0], place[1], math.nan
                far, ahead = math.hypot(tx - x, tz - z), (tx - x) * math.sin(yaw) + (tz - z) * math.cos(yaw)
            if not last:
                return Target(tx, tz, heading, math.nan, way.cruise)
            if trail.waits != GOES_ON and far < AT_WAIT:
                return Target(tx, tz, heading, math.nan, 0.0)
        cruise = min(way.cruise, math.sqrt(2.0 * SLOWING * far))
        if heading != heading:
            # What lies within the circle that a walker can turn in must be gone to slowly; to a heading one bends out.
            across = abs((tx - x) * math.cos(yaw) - (tz - z) * math.sin(yaw)) if ahead > 0.0 else far
            cruise = min(cruise, TURNING * far * far / max(across, NO_WAY))
        return Target(tx, tz, heading, math.nan, max(CREEP, cruise))
    if way.mode == ON_PATH:
        path = paths[way.first : way.first + way.count]
        cruise, turn, way.progress = follow(
            x, z, yaw, max(speed, CREEP), path, way.progress, way.cruise, 0.0, SLOWING, max(dt, 1e-3)
        )
        last = path[path.shape[0] - 1]
        if way.progress > way.count - 2.0 and math.hypot(last[0] - x, last[1] - z) < ARRIVAL:
            _arrive(row, way)
        cruise = max(cruise, CREEP)
        tx, tz = _carrot(path, way.progress)
        return Target(tx, tz, math.nan, turn, cruise)
    if way.state == STEER or way.state == RETURN:
        heading = way.line.yaw
        if reached(x, z, way.points[way.next, 0], way.points[way.next, 1], heading):
            way.next += 1
            way.state = RETURN if way.next == 2 else way.state
        if way.next < 3:
            return Target(way.points[way.next, 0], way.points[way.next, 1], heading, math.nan, way.cruise)
        way.state, way.thing, way.course, way.side = NEUTRAL, -1, math.nan, 0.0
        row.steering, row.heading = True, yaw + wrapped(heading - yaw)
        row.turn.left = BACK_TO_HEADING
        row.speed.target, row.news = way.cruise, True
        row.speed.left = max(BACK_TO_HEADING, abs(way.cruise - speed))
    return Target(x + VIEW * math.sin(yaw), z + VIEW * math.cos(yaw), math.nan, math.nan, way.cruise)


@part
def _look(
    dt: float, row: Walker, way: Way, target: Target, known: Planner, around: Surroundings
) -> tuple[Target, bool]:
    """Look what is in the way and deal with it: returns the target then, and whether a step, jump or halt has begun."""
    near = around.near
    x, z, yaw, speed = row.x, row.z, row.yaw, row.speed.value
    margin, pace = way.radius + PAST, max(speed, target.cruise)
    steering = way.state == STEER or way.state == RETURN
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
    round_it = way.trail.count > 0 or (way.heeds and not way.may_jump)
    if abs(wrapped(there - yaw)) < STRAIGHT and not steering and not (round_it and way.may_round):
        ahead, _ = first_in_way(x, z, yaw, speed, reach, margin, count, near)
        if ahead >= 0 and consider(row, way, ahead, known, count, near) != GET_ROUND:
            return target, True
        round_now = round_now or ahead >= 0
    if way.mode == FREE and not steering:
        _leave_line(row, way, first, near)
        target = Target(way.points[0, 0], way.points[0, 1], way.line.yaw, math.nan, target.cruise)
        there = _yaw_to(row, target)
        reach = min(VIEW, math.hypot(target.x - x, target.z - z))
        first, _ = first_in_way(x, z, there, pace, reach, margin - SLACK, count, near)
    elif way.mode == TO_PLACE and way.may_round and way.scout <= 0.0 and (round_now or round_it):
        search(row, way, near, around.search)
        target = _target(dt, row, way, around.paths)
        there = _yaw_to(row, target)
        reach = min(VIEW, max(0.0, math.hypot(target.x - x, target.z - z) - BESIDE_GOAL))
        count = see(x, z, there, reach, margin, near)
        first, _ = first_in_way(x, z, there, pace, reach, margin - SLACK, count, near)
    # A trail leads round everything; what comes across it is given way to, not gone round on the other side.
    if first >= 0 and (way.mode != TO_PLACE or way.trail.count == 0):
        course, share, side = round_all(x, z, there, reach, margin, pace, way.side, count, near)
        far_round = abs(wrapped(course - there)) > ASTRAY and way.mode == TO_PLACE and way.may_round
        if far_round and way.scout <= 0.0 and search(row, way, near, around.search):
            return _target(dt, row, way, around.paths), False
        way.course, way.share, way.side = course, share, side
    return target, False


@inline
def _arrive(row: Walker, way: Way) -> None:
    """Stop at the goal, and turn where it is to be faced."""
    if way.arrived:
        return
    way.arrived, way.state, way.thing = True, NEUTRAL, -1
    row.speed.target, row.speed.left, row.news = 0.0, STOPPING, True
    row.turn.target, row.turn.left = 0.0, STOPPING
    if way.mode == TO_PLACE and way.goal_yaw == way.goal_yaw:
        turn = wrapped(way.goal_yaw - row.yaw)
        row.steering, row.heading = True, row.yaw + turn
        row.turn.left = max(2.0 * STOPPING, abs(turn) / TURN_THERE)


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
