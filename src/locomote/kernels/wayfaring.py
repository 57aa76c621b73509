"""The ways of a whole crowd, one frame: what each walker wants, and then what it does.

Between the two, `velocity_obstacles` finds what the others leave it.
"""

from __future__ import annotations

import math

import numpy as np

from locomote.kernels import drive
from locomote.kernels import jump as leap
from locomote.kernels import way as columns
from locomote.kernels._compile import inline, kernel
from locomote.kernels.jump_decision import REQUEST_COLUMNS
from locomote.kernels.jump_plan import Known
from locomote.kernels.obstacle_buckets import near_segment
from locomote.kernels.vector import Floats, Ints
from locomote.kernels.way import ROOM, Things
from locomote.kernels.ways import VIEW_TIME, wanted_velocity

BRAKE = 2.5  # m/s^2, of one who must stop
NOTICE = 1.0  # s of its own speed, and
NOTICE_MORE = 1.0  # m, within which obstacles forbid velocities
UNCHANGED = 0.02  # m/s, and
UNTURNED = 0.04  # rad/s, by which a course may change before the feet plan anew


@kernel
def want_all(
    dt: float,
    state: Floats,
    timing: Floats,
    numbers: Floats,
    sole: Floats,
    places: Floats,
    all_ways: Floats,
    paths: Floats,
    laws: Floats,
    units: Floats,
    table: Floats,
    corners: Floats,
    starts: Ints,
    members: Ints,
    ids: Ints,
    courses: Floats,
    wanted: Floats,
    moved: Ints,
    hindered: Floats,
    close: Ints,
    close_counts: Ints,
    arrivals: Floats,
) -> None:
    """Fill ``wanted (N, 2)`` with the velocities that walkers want, and what `velocity_obstacles` takes.

    From ``table`` to ``ids`` the arrays are those of obstacles; for those before see `jump_plan.Known`.
    ``courses (N, 5)`` are x, z, yaw, speed and turn rate; the speed of a jumper is one that stops beyond its landing.
    ``moved`` says who wants another velocity than that of its commands, ``hindered (N,)`` who gives way to others,
    ``close (N, K)`` and ``close_counts`` the rows of the obstacles that are close, ``arrivals`` the seconds to a goal.
    """
    grid = timing.shape[2]
    known = Known(
        timing, numbers, places, units, laws, np.empty(state.shape[1]), np.empty(grid), np.empty((2, grid)),
        np.empty(REQUEST_COLUMNS), np.empty(3),
    )  # fmt: skip
    near = Things(table, corners, starts, members, ids, np.empty(ROOM, np.int64))
    for n in range(state.shape[0]):
        row, way = state[n], all_ways[n]
        vx, vz, moves = wanted_velocity(dt, row, way, paths, known, sole, near)
        wanted[n, 0], wanted[n, 1], moved[n] = vx, vz, 1 if moves else 0
        jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
        jumping = jump[leap.STATE] != leap.NONE
        course = courses[n]
        course[0], course[1], course[2] = row[drive.X], row[drive.Z], row[drive.YAW]
        course[3], course[4] = row[drive.SPEED], row[drive.TURN]
        if jumping:
            course[3] = math.sqrt(course[3] ** 2 + 2.0 * BRAKE * _still_to_jump(row))
        hindered[n] = 0.0 if jumping or way[columns.HEEDS] == 0.0 else 1.0
        close_counts[n] = _close(row, way, jumping, near, close[n])
        arrivals[n] = math.inf
        if way[columns.MODE] == columns.TO_PLACE:
            far = math.hypot(way[columns.GOAL_X] - row[drive.X], way[columns.GOAL_Z] - row[drive.Z])
            arrivals[n] = far / max(way[columns.CRUISE], 0.1)


@inline
def _still_to_jump(row: Floats) -> float:
    """How far a jump that is coming or under way will carry the body, m."""
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    size = row[drive.LEG] / drive.LEG_SHARE
    if jump[leap.STATE] == leap.UNDER_WAY:
        left: float = max(0.0, leap.total(jump) - jump[leap.TIME]) * row[drive.SPEED]
        return left
    if jump[leap.LEG] < 0.0:
        return float(jump[leap.LENGTH] * size)
    here = row[drive.X] * math.sin(row[drive.YAW]) + row[drive.Z] * math.cos(row[drive.YAW])
    away: float = max(0.0, jump[leap.LINES + 2] - here) + (jump[leap.LENGTH] + 0.5) * size
    return away


@inline
def _close(row: Floats, way: Floats, jumping: bool, near: Things, out: Ints) -> int:
    """The rows of the obstacles that a walker must not touch now; what it jumps is none of them."""
    if near.table.shape[0] == 0:
        return 0
    x, z, speed = row[drive.X], row[drive.Z], row[drive.SPEED]
    ahead = NOTICE * speed
    found = near_segment(
        x,
        z,
        x + ahead * math.sin(row[drive.YAW]),
        z + ahead * math.cos(row[drive.YAW]),
        way[columns.RADIUS] + NOTICE_MORE,
        VIEW_TIME,
        near.table,
        near.starts,
        near.members,
        out,
    )
    if not jumping:
        return found
    return 0


@kernel
def go_all(
    dt: float, state: Floats, all_ways: Floats, wanted: Floats, moved: Ints, hindered: Floats, drives: Floats
) -> None:
    """Put speeds and turn rates ``drives (N, 2)`` into the courses of those who do not simply go on as told."""
    for n in range(state.shape[0]):
        row, way = state[n], all_ways[n]
        if row[drive.JUMP + leap.STATE] != leap.NONE:
            continue
        speed, turn = drives[n, 0], drives[n, 1]
        if moved[n] == 0:
            wish = math.hypot(wanted[n, 0], wanted[n, 1])
            if hindered[n] == 0.0 or (abs(speed - wish) < 1e-3 and abs(turn) < 1e-3):
                if way[columns.STATE] == columns.AVOIDING:
                    way[columns.STATE] = columns.NEUTRAL
                    _ramp_to(row, way[columns.CRUISE])
                continue
            if way[columns.STATE] == columns.NEUTRAL:
                way[columns.STATE] = columns.AVOIDING
        elif (
            way[columns.STATE] == columns.AVOIDING
            and abs(speed - way[columns.CRUISE]) < 1e-2
            and abs(turn) < 1e-2
        ):
            way[columns.STATE] = columns.NEUTRAL
            _ramp_to(row, way[columns.CRUISE])
            continue
        if (
            abs(speed - row[drive.SPEED]) > UNCHANGED * dt * 60.0
            or abs(turn - row[drive.TURN]) > UNTURNED * dt * 60.0
        ):
            row[drive.NEWS] = 1.0
        row[drive.SPEED + 1], row[drive.SPEED + 2], row[drive.FREE_STOP] = speed, dt, 0.0
        row[drive.TURN + 1], row[drive.TURN + 2], row[drive.STEERING] = turn, dt, 0.0


@inline
def _ramp_to(row: Floats, speed: float) -> None:
    row[drive.SPEED + 1], row[drive.SPEED + 2] = speed, abs(speed - row[drive.SPEED])
    row[drive.TURN + 1], row[drive.TURN + 2] = 0.0, 0.25
    row[drive.NEWS] = 1.0
