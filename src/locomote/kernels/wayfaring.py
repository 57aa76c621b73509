"""The ways of a whole crowd, one frame: what each walker wants, and then what it does.

Between the two, `velocity_obstacles` finds what the others leave it.
"""

from __future__ import annotations

import math

import numpy as np

from locomote.kernels import drive
from locomote.kernels import jump as leap
from locomote.kernels import obstacles as shapes
from locomote.kernels import way as columns
from locomote.kernels._compile import inline, kernel, part
from locomote.kernels.jump_decision import REQUEST_COLUMNS
from locomote.kernels.jump_over import give_up
from locomote.kernels.jump_plan import Known
from locomote.kernels.obstacle_buckets import near_segment
from locomote.kernels.safe_drives import Claims
from locomote.kernels.scouting import Desk
from locomote.kernels.vector import Floats, Ints
from locomote.kernels.way import ROOM, Things
from locomote.kernels.ways import VIEW_TIME, wanted_velocity

BRAKE = 2.5  # m/s^2, of one who must stop
NOTICE = 1.0  # s of its own speed, and
NOTICE_MORE = 1.0  # m, within which obstacles forbid velocities
LEAST = 0.3  # m/s at which a walker may get out of the way whatever it wants
HURRIED = 1.4  # m/s, the same for one with something near that moves
BODY = 0.5  # hip heights from the ball of a foot that lands to where the body is when the landing is over
CLAIM_SPARE = 0.2  # m more than a jump needs, since it is planned anew all the time
RECOVERING = 0.8  # s after a landing, in which nothing that moves may come there
UNDECIDED = 0.1  # m before the last place where it could stop, at which a run-up must have its way
PATIENCE = 3.0  # s for which a walker whose jump was refused goes round
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
    fastest: Floats,
    claims: Claims,
    patience: Floats,
    room: Desk,
) -> None:
    """Fill ``wanted (N, 2)`` with the velocities that walkers want, and what `velocity_obstacles` takes.

    From ``table`` to ``ids`` the arrays are those of obstacles; for those before see `jump_plan.Known`.
    ``courses (N, 5)`` are x, z, yaw, speed and turn rate. ``moved`` says who wants another velocity than that of its
    commands, ``hindered (N,)`` who gives way to others, ``close (N, K)`` and ``close_counts`` the rows of the
    obstacles that are close, ``arrivals`` the seconds to a goal, ``fastest`` how fast a walker may get out of the way,
    ``claims`` the ways of jumps, and ``patience`` the seconds for which a walker whose jump was refused plans none.
    ``room`` is where those who are lost search for a way.
    """
    grid = timing.shape[2]
    known = Known(
        timing, numbers, places, units, laws, np.empty(state.shape[1]), np.empty(grid), np.empty((2, grid)),
        np.empty(REQUEST_COLUMNS), np.empty(3),
    )  # fmt: skip
    near = Things(table, corners, starts, members, ids, np.empty(ROOM, np.int64))
    for n in range(state.shape[0]):
        row, way = state[n], all_ways[n]
        may_jump = way[columns.MAY_JUMP]
        patience[n] = max(0.0, patience[n] - dt)
        if patience[n] > 0.0:
            way[columns.MAY_JUMP] = 0.0
        vx, vz, moves = wanted_velocity(dt, row, way, paths, known, sole, near, room)
        way[columns.MAY_JUMP] = may_jump
        if way[columns.ARRIVED] > 0.0 and way[columns.MODE] != columns.FREE:
            # Who arrives stops no later than it could.
            row[drive.SPEED + 2] = min(row[drive.SPEED + 2], row[drive.SPEED] / BRAKE)
        wanted[n, 0], wanted[n, 1], moved[n] = vx, vz, 1 if moves else 0
        jumping = row[drive.JUMP + leap.STATE] != leap.NONE
        course = courses[n]
        course[0], course[1], course[2] = row[drive.X], row[drive.Z], row[drive.YAW]
        course[3], course[4] = row[drive.SPEED], row[drive.TURN]
        claims.refused[n] = 0
        if jumping:
            _claim(dt, n, row, way, claims, near)
        else:
            claims.lengths[n] = claims.spare[n] = claims.granted[n] = 0.0
        hindered[n] = 0.0 if jumping or way[columns.HEEDS] == 0.0 else 1.0
        close_counts[n] = 0 if jumping else _close(row, way, near, close[n])
        fastest[n] = max(LEAST, math.hypot(vx, vz))
        for k in range(close_counts[n]):
            if table[close[n, k], shapes.VX] != 0.0 or table[close[n, k], shapes.VZ] != 0.0:
                fastest[n] = max(fastest[n], HURRIED)
        arrivals[n] = math.inf
        if way[columns.MODE] == columns.TO_PLACE:
            far = math.hypot(way[columns.GOAL_X] - row[drive.X], way[columns.GOAL_Z] - row[drive.Z])
            arrivals[n] = far / max(way[columns.CRUISE], 0.1)


@inline
def _claim(dt: float, n: int, row: Floats, way: Floats, claims: Claims, near: Things) -> None:
    """What way a jump needs until the walker could stand again, and how long that may still be left open."""
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    here = row[drive.X] * math.sin(row[drive.YAW]) + row[drive.Z] * math.cos(row[drive.YAW])
    size, speed = row[drive.LEG] / drive.LEG_SHARE, row[drive.SPEED]
    away = max(0.0, jump[leap.LINES + 2] - here)
    if jump[leap.STATE] == leap.UNDER_WAY:
        needed = max(0.0, leap.total(jump) - jump[leap.TIME]) * speed
    elif jump[leap.LEG] < 0.0:
        needed = jump[leap.LENGTH] * size
    else:
        needed = away + (jump[leap.LENGTH] + BODY) * size
        if row[drive.PROFILE_DURATION] > 0.0:
            speed = max(speed, np.sum(row[drive.PROFILE : drive.PROFILE + 5]))  # at the end of the run-up
    needed += 0.5 * speed * speed / BRAKE
    told = way[columns.THING] < 0.0 or jump[leap.LEG] < 0.0
    left = claims.lengths[n] - row[drive.SPEED] * dt
    if jump[leap.STATE] == leap.UNDER_WAY or told or way[columns.HEEDS] == 0.0:
        claims.granted[n] = 1.0
    elif claims.granted[n] > 0.0 and needed > left and claims.spare[n] > 0.0:
        claims.granted[n] = 0.0  # what is jumped has moved, and the walker can still stop
    claims.lengths[n] = max(needed, left) if claims.granted[n] > 0.0 else needed + CLAIM_SPARE
    if claims.granted[n] == 0.0:
        landing = away + jump[leap.LENGTH] * size
        claims.refused[n] = 0 if _lands_freely(landing, claims.lengths[n], row, way, near) else 1
    stop = 0.5 * row[drive.SPEED] * row[drive.SPEED] / BRAKE
    claims.spare[n] = away - stop - way[columns.RADIUS] - UNDECIDED


@part
def _lands_freely(landing: float, end: float, row: Floats, way: Floats, near: Things) -> bool:
    """Whether there is room to stop behind what is jumped: between so many metres ahead nothing else is in the way."""
    hx, hz = math.sin(row[drive.YAW]), math.cos(row[drive.YAW])
    x, z, length = row[drive.X] + landing * hx, row[drive.Z] + landing * hz, max(0.0, end - landing)
    ex, ez = x + length * hx, z + length * hz
    table, corners = near.table, near.corners
    found = near_segment(
        x, z, ex, ez, way[columns.RADIUS], VIEW_TIME, table, near.starts, near.members, near.found
    )
    speed = max(row[drive.SPEED], LEAST)
    for k in range(found):
        o = near.found[k]
        if near.ids[o] == way[columns.THING]:
            continue
        # As it will be when the walker lands there and goes on, and still is while that takes up its way again.
        for when in (landing / speed, end / speed, end / speed + RECOVERING):
            ox, oz = shapes.as_of(x, z, when, o, table)
            fx, fz = shapes.as_of(x + hx, z + hz, when, o, table)
            margin = way[columns.RADIUS]
            enter, leave = _strip_of(ox, oz, fx - ox, fz - oz, margin, o, table, corners)
            if enter < leave and leave > 0.0 and enter < length:
                return False
    return True


@inline
def _strip_of(
    x: float, z: float, hx: float, hz: float, margin: float, o: int, table: Floats, corners: Floats
) -> tuple[float, float]:
    """From where to where, in metres ahead, a way leads through an obstacle as if that stood still."""
    vx, vz = hx + table[o, shapes.VX], hz + table[o, shapes.VZ]
    return shapes.crossing(x, z, vx, vz, margin, o, table, corners)


@inline
def _close(row: Floats, way: Floats, near: Things, out: Ints) -> int:
    """The rows of the obstacles that a walker must not touch now."""
    if near.table.shape[0] == 0:
        return 0
    x, z, ahead = row[drive.X], row[drive.Z], NOTICE * row[drive.SPEED]
    ex, ez = x + ahead * math.sin(row[drive.YAW]), z + ahead * math.cos(row[drive.YAW])
    margin = way[columns.RADIUS] + NOTICE_MORE
    return near_segment(x, z, ex, ez, margin, VIEW_TIME, near.table, near.starts, near.members, out)


@kernel
def go_all(
    dt: float,
    state: Floats,
    all_ways: Floats,
    wanted: Floats,
    taken: Floats,
    moved: Ints,
    hindered: Floats,
    drives: Floats,
    claims: Claims,
    patience: Floats,
) -> None:
    """Put speeds and turn rates ``drives (N, 2)`` into the courses of those who do not simply go on as told."""
    for n in range(state.shape[0]):
        row, way = state[n], all_ways[n]
        if claims.refused[n] == 1:
            give_up(row, way)
            patience[n] = PATIENCE
        elif row[drive.JUMP + leap.STATE] != leap.NONE:
            continue
        speed, turn = drives[n, 0], drives[n, 1]
        if claims.refused[n] == 1:
            row[drive.NEWS] = 1.0
        elif way[columns.ARRIVED] > 0.0 and way[columns.MODE] != columns.FREE:
            if math.hypot(taken[n, 0], taken[n, 1]) < LEAST:
                if way[columns.STATE] == columns.AVOIDING:
                    way[columns.STATE] = columns.NEUTRAL
                    _ramp_to(row, 0.0)
                continue
            way[columns.STATE] = columns.AVOIDING
        elif moved[n] == 0:
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
