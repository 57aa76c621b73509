"""The ways of a whole crowd, one frame: what each walker wants, and then what it does.

Between the two, `velocity_obstacles` finds what the others leave it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human._kernels.model import LEG_SHARE, REFERENCE_HIP_HEIGHT
from locomote.human._kernels.state import (
    AT_ONCE,
    AVOIDING,
    FREE,
    NEUTRAL,
    NO_JUMP,
    PERIOD,
    RADIUS,
    STAGGER,
    TO_PLACE,
    People,
    Walker,
    Way,
)
from locomote.human._kernels.trails import VIEW_TIME
from locomote.human._kernels.wanted_velocity import Surroundings, wanted_velocity
from locomote.human.jumps._kernels.jump_claims import LEAST, Claims, claim
from locomote.human.jumps._kernels.jump_over import give_up
from locomote.human.jumps._kernels.jump_setup import Planner, plan_for
from locomote.math._compile import inline, kernel
from locomote.math.records import Records
from locomote.math.vector import Floats, Ints
from locomote.navigation._kernels.course import Course, Drive
from locomote.navigation._kernels.local_search import SearchScratch, close_budget, open_budget
from locomote.navigation._kernels.steering import BRAKE
from locomote.world._kernels import obstacles as shapes
from locomote.world._kernels.obstacle_buckets import NearObstacles, near_segment

NOTICE = 1.0  # s of its own speed, and
NOTICE_MORE = 1.0  # m, within which obstacles forbid velocities
HURRIED = 1.4  # m/s at which a walker may get out of the way whatever it wants, for one with something near that moves
STEP_TIME, STEP_LOOKS = 0.6, 4  # s of a step, in which a foot looks so many times where it is set down
FOOT = 0.25  # m from the middle of the way, within which a foot is
SIDLES_AFTER = 3.0  # s without progress, from when on one steps aside for others without turning there first
STANDS, HARDLY_GOING = 0.1, 0.5  # m/s; who is slower stands, or hardly gets on
PATIENCE = 3.0  # s for which a walker whose jump was refused goes round
UNCHANGED = 0.02  # m/s by which the pace aside may change in a frame before the feet plan anew
EXPECTED, EXPECTED_CHANGE = 1.0, 0.5  # s, and m/s, for which a change of speed is expected to go on at most


class Wishes(NamedTuple):
    """What N walkers want in a frame, for those who find out what the others leave them."""

    courses: Records  # (N,) `Course` that they are on
    velocities: Floats  # (N, 2) m/s
    moved: Ints  # (N,) 1: wants another velocity than that of its commands
    hindered: Floats  # (N,) 1: gives way to others
    close: Ints  # (N, C) rows of the obstacles that are close,
    close_counts: Ints  # (N,) and how many
    arrivals: Floats  # (N,) s to the goal
    fastest: Floats  # (N,) m/s at which it may get out of the way
    patience: Floats  # (N,) s for which one whose jump was refused plans none


@kernel
def want_all(
    dt: float, people: People, ways: Records, known: Planner, around: Surroundings, claims: Claims, wishes: Wishes
) -> None:
    """Fill in the wishes of all walkers, and the claims of those who jump."""
    near, patience = around.near, wishes.patience
    _measure(dt, people, ways, around.search)
    open_budget(people.walkers.shape[0], around.search)
    for n in range(people.walkers.shape[0]):
        row: Walker = people.walkers[n]
        way: Way = ways[n]
        at_once = way.look <= 0.5 * AT_ONCE
        may_jump = way.may_jump
        patience[n] = max(0.0, patience[n] - dt)
        if patience[n] > 0.0:
            way.may_jump = False
        plan_for(people.weights[n], known)
        vx, vz, moves = wanted_velocity(dt, row, way, known, around)
        way.may_jump = may_jump
        if at_once and way.look == PERIOD:
            way.look = PERIOD * (1.0 - (STAGGER * n) % 1.0)
        if way.arrived and way.mode != FREE:
            # Who arrives stops no later than it could.
            row.speed.left = min(row.speed.left, row.speed.value / BRAKE)
        wishes.velocities[n, 0], wishes.velocities[n, 1], wishes.moved[n] = vx, vz, 1 if moves else 0
        jumping = row.jump.state != NO_JUMP
        course: Course = wishes.courses[n]
        course.x, course.z, course.yaw = row.x, row.z, row.yaw
        course.speed, course.turn = row.speed.value, row.turn.value
        if jumping:
            row.aside[0] = row.aside[1] = 0.0
        course.aside_x, course.aside_z = row.aside[0], row.aside[1]
        claims.refused[n] = 0
        if jumping:
            claim(dt, n, row, way, claims, near)
        else:
            claims.lengths[n] = claims.spare[n] = claims.granted[n] = 0.0
        wishes.hindered[n] = 0.0 if jumping or not way.heeds else 1.0
        close, table = wishes.close[n], near.table
        wishes.close_counts[n] = 0 if jumping else _close(row, way, near, close)
        _keep_feet_off(row, way, near, close, wishes.close_counts[n])
        wishes.fastest[n] = max(LEAST, math.hypot(vx, vz))
        for k in range(wishes.close_counts[n]):
            if table[close[k], shapes.VX] != 0.0 or table[close[k], shapes.VZ] != 0.0:
                wishes.fastest[n] = max(wishes.fastest[n], HURRIED)
        wishes.arrivals[n] = math.inf
        if way.mode == TO_PLACE:
            far = math.hypot(way.goal_x - row.x, way.goal_z - row.z)
            wishes.arrivals[n] = far / max(way.cruise, 0.1)
    close_budget(dt, around.search)


@inline
def _measure(dt: float, people: People, ways: Records, search: SearchScratch) -> None:
    """How large the bodies are, and for how long each has stood."""
    for n in range(people.walkers.shape[0]):
        row: Walker = people.walkers[n]
        way: Way = ways[n]
        way.radius = RADIUS / REFERENCE_HIP_HEIGHT / LEG_SHARE * row.leg.value
        speed = row.speed.value
        stands = speed < STANDS or (way.lost > SIDLES_AFTER and speed < HARDLY_GOING)
        search.stood[n] = search.stood[n] + dt if stands else 0.0


@inline
def _close(row: Walker, way: Way, near: NearObstacles, out: Ints) -> int:
    """The rows of the obstacles that a walker must not touch now."""
    if near.table.shape[0] == 0:
        return 0
    x, z, ahead = row.x, row.z, NOTICE * row.speed.value
    ex, ez = x + ahead * math.sin(row.yaw), z + ahead * math.cos(row.yaw)
    margin = way.radius + NOTICE_MORE
    return near_segment(x, z, ex, ez, margin, VIEW_TIME, near, out)


@inline
def _keep_feet_off(row: Walker, way: Way, near: NearObstacles, close: Ints, count: int) -> None:
    """Say where the feet must not be set down: beyond the near side of what their way leads into."""
    line = row.keep_off
    line[0] = line[1] = line[2] = 0.0
    x, z = row.x, row.z
    for k in range(1, STEP_LOOKS + 1):
        time = k / STEP_LOOKS * STEP_TIME
        ahead, yaw = k / STEP_LOOKS * way.radius + time * row.speed.value, row.yaw
        yaw += 0.5 * time * row.turn.value
        for n in range(count):
            o = close[n]
            fx = x + ahead * math.sin(yaw) + time * row.aside[0]
            fz = z + ahead * math.cos(yaw) + time * row.aside[1]
            # Obstacles that move are taken where they will be while the foot stands.
            px, pz = shapes.as_of(fx, fz, STEP_TIME, o, near.table)
            if shapes.distance(px, pz, o, near.table, near.corners)[0] > FOOT:
                continue
            px, pz = shapes.as_of(x, z, STEP_TIME, o, near.table)
            far, away_x, away_z = shapes.distance(px, pz, o, near.table, near.corners)
            if far > 0.0:  # who is in it goes out
                line[0], line[1], line[2] = -away_x, -away_z, far - away_x * x - away_z * z
                return


@kernel
def go_all(
    dt: float, people: People, ways: Records, taken: Floats, drives: Records, claims: Claims, wishes: Wishes
) -> None:
    """Put the drives that were found into the courses of those who do not simply go on as told.

    ``taken (N, 2)`` are the velocities that others leave them.
    """
    for n in range(people.walkers.shape[0]):
        row: Walker = people.walkers[n]
        way: Way = ways[n]
        drive: Drive = drives[n]
        if claims.refused[n] == 1:
            give_up(row, way)
            wishes.patience[n] = PATIENCE
        elif row.jump.state != NO_JUMP:
            continue
        speed, turn, aside = drive.speed, drive.turn, (drive.aside_x, drive.aside_z)
        for i in range(2):
            if abs(aside[i] - row.aside[i]) > UNCHANGED * dt * 60.0:
                row.news = True
            row.aside[i] = aside[i]
        if claims.refused[n] == 1:
            row.news = True
        elif way.arrived and way.mode != FREE:
            if math.hypot(taken[n, 0], taken[n, 1]) < LEAST:
                if way.state == AVOIDING:
                    way.state = NEUTRAL
                    _ramp_to(row, 0.0)
                continue
            way.state = AVOIDING
        elif wishes.moved[n] == 0:
            wish = math.hypot(wishes.velocities[n, 0], wishes.velocities[n, 1])
            unhindered = abs(speed - wish) < 1e-3 and abs(turn) < 1e-3
            if not unhindered and abs(speed - wish) < 1e-3 and 0.0 <= turn * row.turn.value <= row.turn.value**2:
                # The drive only ends a turn that was told. Whom the others leave its velocity goes on turning.
                off_x, off_z = taken[n, 0] - wishes.velocities[n, 0], taken[n, 1] - wishes.velocities[n, 1]
                unhindered = math.hypot(off_x, off_z) < 1e-3
            if wishes.hindered[n] == 0.0 or unhindered:
                if way.state == AVOIDING:
                    way.state = NEUTRAL
                    _ramp_to(row, way.cruise)
                continue
            if way.state == NEUTRAL:
                way.state = AVOIDING
        elif way.state == AVOIDING and abs(speed - way.cruise) < 1e-2 and abs(turn) < 1e-2:
            way.state = NEUTRAL
            _ramp_to(row, way.cruise)
            continue
        _speed_up(row, speed, dt)
        row.turn.target, row.turn.left, row.steering = turn, dt, False


@inline
def _speed_up(row: Walker, speed: float, dt: float) -> None:
    """Have a speed after this frame; until they hear otherwise, feet may expect it to go on changing like that."""
    ramp, change = row.speed, speed - row.speed.value
    row.free_stop = False
    ramp.target, ramp.left = speed, dt
    if change == 0.0 or dt == 0.0:
        return
    left = min(EXPECTED, EXPECTED_CHANGE * dt / abs(change))
    if change < 0.0:
        left = min(left, -dt * ramp.value / change)  # until it stands
    if left > dt:
        ramp.target, ramp.left = max(0.0, ramp.value + change / dt * left), left


@inline
def _ramp_to(row: Walker, speed: float) -> None:
    row.speed.target, row.speed.left = speed, abs(speed - row.speed.value)
    row.turn.target, row.turn.left = 0.0, 0.25
    row.news = True
