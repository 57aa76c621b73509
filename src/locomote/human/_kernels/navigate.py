"""The ways of a whole crowd, one frame: what each walker wants, and then what it does.

Between the two, `velocity_obstacles` finds what the others leave it.
"""

from __future__ import annotations

import math

import numpy as np

from locomote.human._kernels import drive
from locomote.human._kernels import way as columns
from locomote.human._kernels.local_search import Desk
from locomote.human._kernels.trails import VIEW_TIME
from locomote.human._kernels.wanted_velocity import wanted_velocity
from locomote.human.jumps._kernels import jump as leap
from locomote.human.jumps._kernels.jump_claims import LEAST, Claims, claim
from locomote.human.jumps._kernels.jump_decision import REQUEST_COLUMNS
from locomote.human.jumps._kernels.jump_over import give_up
from locomote.human.jumps._kernels.jump_plan import Known
from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats, Ints
from locomote.navigation._kernels.steering import BRAKE
from locomote.world._kernels import obstacles as shapes
from locomote.world._kernels.obstacle_buckets import MOST_NEAR, NearObstacles, near_segment

NOTICE = 1.0  # s of its own speed, and
NOTICE_MORE = 1.0  # m, within which obstacles forbid velocities
HURRIED = 1.4  # m/s at which a walker may get out of the way whatever it wants, for one with something near that moves
STEP_TIME, STEP_LOOKS = 0.6, 4  # s of a step, in which a foot looks so many times where it is set down
FOOT = 0.25  # m from the middle of the way, within which a foot is
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
    ``courses (N, 7)`` are those of `safe_drives`. ``moved`` says who wants another velocity than that of its
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
    near = NearObstacles(table, corners, starts, members, ids, np.empty(MOST_NEAR, np.int64))
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
        if jumping:
            row[drive.ASIDE] = row[drive.ASIDE + 1] = 0.0
        course[5], course[6] = row[drive.ASIDE], row[drive.ASIDE + 1]
        claims.refused[n] = 0
        if jumping:
            claim(dt, n, row, way, claims, near)
        else:
            claims.lengths[n] = claims.spare[n] = claims.granted[n] = 0.0
        hindered[n] = 0.0 if jumping or way[columns.HEEDS] == 0.0 else 1.0
        close_counts[n] = 0 if jumping else _close(row, way, near, close[n])
        _keep_feet_off(row, way, near, close[n], close_counts[n])
        fastest[n] = max(LEAST, math.hypot(vx, vz))
        for k in range(close_counts[n]):
            if table[close[n, k], shapes.VX] != 0.0 or table[close[n, k], shapes.VZ] != 0.0:
                fastest[n] = max(fastest[n], HURRIED)
        arrivals[n] = math.inf
        if way[columns.MODE] == columns.TO_PLACE:
            far = math.hypot(way[columns.GOAL_X] - row[drive.X], way[columns.GOAL_Z] - row[drive.Z])
            arrivals[n] = far / max(way[columns.CRUISE], 0.1)


@inline
def _close(row: Floats, way: Floats, near: NearObstacles, out: Ints) -> int:
    """The rows of the obstacles that a walker must not touch now."""
    if near.table.shape[0] == 0:
        return 0
    x, z, ahead = row[drive.X], row[drive.Z], NOTICE * row[drive.SPEED]
    ex, ez = x + ahead * math.sin(row[drive.YAW]), z + ahead * math.cos(row[drive.YAW])
    margin = way[columns.RADIUS] + NOTICE_MORE
    return near_segment(x, z, ex, ez, margin, VIEW_TIME, near.table, near.starts, near.members, out)


@inline
def _keep_feet_off(row: Floats, way: Floats, near: NearObstacles, close: Ints, count: int) -> None:
    """Say where the feet must not be set down: beyond the near side of what their way leads into."""
    line = row[drive.KEEP_OFF : drive.KEEP_OFF + 3]
    line[0] = line[1] = line[2] = 0.0
    x, z = row[drive.X], row[drive.Z]
    for k in range(1, STEP_LOOKS + 1):
        time = k / STEP_LOOKS * STEP_TIME
        ahead, yaw = k / STEP_LOOKS * way[columns.RADIUS] + time * row[drive.SPEED], row[drive.YAW]
        yaw += 0.5 * time * row[drive.TURN]
        for n in range(count):
            o = close[n]
            fx = x + ahead * math.sin(yaw) + time * row[drive.ASIDE]
            fz = z + ahead * math.cos(yaw) + time * row[drive.ASIDE + 1]
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
    """Put what `safe_drives` found, ``drives (N, 4)``, into the courses of those who do not simply go on as told."""
    for n in range(state.shape[0]):
        row, way = state[n], all_ways[n]
        if claims.refused[n] == 1:
            give_up(row, way)
            patience[n] = PATIENCE
        elif row[drive.JUMP + leap.STATE] != leap.NONE:
            continue
        speed, turn = drives[n, 0], drives[n, 1]
        for i in range(2):
            if abs(drives[n, 2 + i] - row[drive.ASIDE + i]) > UNCHANGED * dt * 60.0:
                row[drive.NEWS] = 1.0
            row[drive.ASIDE + i] = drives[n, 2 + i]
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
        elif way[columns.STATE] == columns.AVOIDING and abs(speed - way[columns.CRUISE]) < 1e-2 and abs(turn) < 1e-2:
            way[columns.STATE] = columns.NEUTRAL
            _ramp_to(row, way[columns.CRUISE])
            continue
        if abs(speed - row[drive.SPEED]) > UNCHANGED * dt * 60.0 or abs(turn - row[drive.TURN]) > UNTURNED * dt * 60.0:
            row[drive.NEWS] = 1.0
        row[drive.SPEED + 1], row[drive.SPEED + 2], row[drive.FREE_STOP] = speed, dt, 0.0
        row[drive.TURN + 1], row[drive.TURN + 2], row[drive.STEERING] = turn, dt, 0.0


@inline
def _ramp_to(row: Floats, speed: float) -> None:
    row[drive.SPEED + 1], row[drive.SPEED + 2] = speed, abs(speed - row[drive.SPEED])
    row[drive.TURN + 1], row[drive.TURN + 2] = 0.0, 0.25
    row[drive.NEWS] = 1.0
