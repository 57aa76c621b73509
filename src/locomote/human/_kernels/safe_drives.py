"""Walkers can always stop in time: what their legs make of the velocities that they want.

Everyone keeps the way on which it would stop free of the others' ways and of obstacles. Who jumps cannot stop on the
way to its landing; so it claims that way before the point of no return, or gives the jump up. What moves by itself does
not wait for those who stand: see `fleeing`.
"""

from __future__ import annotations

import math

from locomote.human.jumps._kernels.jump_claims import Claims
from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints
from locomote.navigation._kernels.evasion import STARTLED, escape
from locomote.navigation._kernels.steering import (
    DriveLimits,
    gap_between,
    go_on,
    step_aside,
    stopping_way,
    velocity_to_drive,
)
from locomote.navigation._kernels.velocity_obstacles import CloseObstacles
from locomote.world._kernels import obstacles as things

LOOSE = 1e-9  # m^2 by which those who are too near to each other already may get nearer
DECIDING = 0.6  # s before the last place where a run-up could stop, from when it asks for its way
UNTURNED = 0.03  # rad/s, up to which it is known where a run-up leads


@kernel
def drive_all(
    courses: Floats,
    wanted: Floats,
    radii: Floats,
    heeds: Floats,
    sidles: Ints,
    near: Ints,
    counts: Ints,
    obstacles: CloseObstacles,
    claims: Claims,
    limits: DriveLimits,
    dt: float,
    after: Floats,
    drives: Floats,
    holders: Ints,
    flights: Floats,
) -> None:
    """Fill ``drives (N, 4)``, speed, turn rate and velocity aside for ``dt``, so that everyone can always stop in time.

    ``courses (N, 7)`` holds x, z, yaw, speed, turn rate, velocity aside and ``after`` what they will be. One after the
    other changes its way, or keeps to it and brakes. So nobody is ever touched by one who heeds others, if ``near``
    holds everyone within two stopping ways. ``sidles (N,)`` says who may step aside though nothing comes.
    ``holders (N,)`` is room for those whose jumps have been granted their ways. ``flights (N, 3)`` keeps how who gets
    away from something that moves: velocity, and FLEES or MAKES_ROOM if so.
    """
    after[:] = courses
    startled = DriveLimits(
        STARTLED * limits.accelerate,
        limits.brake,
        STARTLED * limits.turn,
        STARTLED * limits.turn_change,
        limits.sideways,
    )
    held = 0
    for i in range(courses.shape[0]):
        if claims.lengths[i] > 0.0 and claims.granted[i] > 0.0:
            after[i, 3] = _claiming(claims.lengths[i], limits.brake)
            holders[held] = i
            held += 1
    for i in range(courses.shape[0]):
        x, z, yaw, speed = courses[i, 0], courses[i, 1], courses[i, 2], courses[i, 3]
        if claims.lengths[i] > 0.0:
            drives[i, 0], drives[i, 1], flights[i, 2] = speed, 0.0, 0.0
            drives[i, 2] = drives[i, 3] = after[i, 5] = after[i, 6] = 0.0
            # A run-up gets faster by itself.
            go_on(x, z, yaw, speed * dt, speed + limits.accelerate * dt, 0.0, after[i])
            if claims.granted[i] == 0.0:
                if claims.refused[i] == 0:
                    held = _ask(i, after, radii, near[i], counts[i], claims, limits.brake, dt, holders, held)
                if claims.refused[i] == 1:
                    drives[i, 0] = max(0.0, speed - limits.brake * dt)
                    go_on(x, z, yaw, 0.5 * (speed + drives[i, 0]) * dt, drives[i, 0], 0.0, after[i])
                    continue
            if claims.granted[i] > 0.0:
                after[i, 3] = _claiming(claims.lengths[i] - speed * dt, limits.brake)
            continue
        wish, able, may = (wanted[i, 0], wanted[i, 1]), limits, sidles[i] > 0
        if heeds[i] > 0.0:
            escape(i, wish, may, courses, radii, near[i], counts[i], obstacles, limits, startled, flights)
            if flights[i, 2] > 0.0:
                wish, able, may = (flights[i, 0], flights[i, 1]), startled, True
        new, turn = velocity_to_drive(wish[0], wish[1], yaw, speed, courses[i, 4], dt, able)
        sx, sz = step_aside(wish[0], wish[1], yaw, new, courses[i, 5], courses[i, 6], may, dt)
        slowest = max(0.0, speed - limits.brake * dt)
        # What is wanted; slower; braking in the turn, aside, too; then braking straight on, and turning once it stands.
        for attempt in range(5):
            if attempt == 1:
                new = 0.5 * (new + slowest)
            elif attempt == 2:
                new = slowest
            elif attempt == 3:
                if sx == 0.0 and sz == 0.0:
                    continue
                sx, sz = step_aside(0.0, 0.0, yaw, new, courses[i, 5], courses[i, 6], False, dt)
            elif attempt == 4 and speed > 0.0:
                turn = 0.0
            go_on(x, z, yaw, 0.5 * (speed + new) * dt, new, turn * dt, after[i])
            after[i, 0], after[i, 1] = after[i, 0] + sx * dt, after[i, 1] + sz * dt
            after[i, 5], after[i, 6] = sx, sz
            if heeds[i] == 0.0 or (
                _free(i, courses, after, radii, near[i], counts[i], claims, holders, held, limits.brake, dt)
                and _stops(after[i], x, z, radii[i], obstacles, i, limits.brake, dt)
            ):
                break
        drives[i, 0], drives[i, 1], drives[i, 2], drives[i, 3] = new, turn, sx, sz
        after[i, 4] = turn


@inline
def _claiming(length: float, brake: float) -> float:
    """The speed of one who stops after so many metres."""
    return math.sqrt(2.0 * brake * max(0.0, length))


@part
def _ask(
    me: int,
    courses: Floats,
    radii: Floats,
    near: Ints,
    count: int,
    claims: Claims,
    brake: float,
    dt: float,
    holders: Ints,
    held: int,
) -> int:
    """Ask for the way of a jump: it is granted if it is free, refused if it must be; returns how many hold theirs."""
    x, z, dx, dz = stopping_way(courses[me], brake, dt)
    length = claims.lengths[me]
    lx, lz = length * math.sin(courses[me, 2]), length * math.cos(courses[me, 2])
    # Not before it must be decided: else others would stand about for a jump that is still far off.
    free = abs(courses[me, 4]) < UNTURNED and claims.spare[me] < DECIDING * courses[me, 3]
    for other in range(courses.shape[0] if free else 0):
        px, pz = courses[other, 0] - x - 0.5 * lx, courses[other, 1] - z - 0.5 * lz
        apart = radii[me] + radii[other]
        reach = 0.5 * length + apart + 0.5 * courses[other, 3] * courses[other, 3] / brake + dt
        if other == me or px * px + pz * pz > reach * reach:
            continue
        ux, uz, ex, ez = stopping_way(courses[other], brake, dt)
        if gap_between(x, z, lx, lz, ux, uz, ex, ez) < apart * apart:
            free = False
            break
    if free:
        claims.granted[me] = 1.0
        holders[held] = me
        return held + 1
    if claims.spare[me] < 0.0:
        claims.refused[me] = 1
        return held
    # The run-up goes on while its own stopping way is free.
    for k in range(count + held):
        other = near[k] if k < count else holders[k - count]
        ux, uz, ex, ez = stopping_way(courses[other], brake, dt)
        apart = radii[me] + radii[other]
        if gap_between(x, z, dx, dz, ux, uz, ex, ez) < apart * apart:
            claims.refused[me] = 1
            break
    return held


@inline
def _free(
    me: int,
    before: Floats,
    courses: Floats,
    radii: Floats,
    near: Ints,
    count: int,
    claims: Claims,
    holders: Ints,
    held: int,
    brake: float,
    dt: float,
) -> bool:
    """Whether the way on which a walker would stop is free of those of its neighbours and of those who jump."""
    x, z, dx, dz = stopping_way(courses[me], brake, dt)
    for k in range(count + held):
        other = near[k] if k < count else holders[k - count]
        if k < count and claims.granted[other] > 0.0 and claims.lengths[other] > 0.0:
            continue  # is among the holders
        ux, uz, ex, ez = stopping_way(courses[other], brake, dt)
        apart = radii[me] + radii[other]
        px, pz = ux - x, uz - z
        reach = apart + math.sqrt(dx * dx + dz * dz) + math.sqrt(ex * ex + ez * ez)
        if px * px + pz * pz >= reach * reach:
            continue
        gap = gap_between(x, z, dx, dz, ux, uz, ex, ez)
        if gap < apart * apart:
            # Who is in the way of the other already, or too near to it, may leave.
            hx, hz = before[me, 0], before[me, 1]
            now = gap_between(hx, hz, 0.0, 0.0, ux, uz, ex, ez)
            if now >= apart * apart or gap < now - LOOSE:
                return False
            body = px * px + pz * pz
            if body < apart * apart and body < (hx - ux) ** 2 + (hz - uz) ** 2 - LOOSE:
                return False
    return True


@inline
def _stops(
    course: Floats,
    x: float,
    z: float,
    radius: float,
    obstacles: CloseObstacles,
    me: int,
    brake: float,
    dt: float,
) -> bool:
    """Whether the way on which a walker would stop is free of obstacles that stand; it comes from (x, z)."""
    table, corners = obstacles.table, obstacles.corners
    nx, nz, dx, dz = stopping_way(course, brake, dt)
    stop = math.sqrt(dx * dx + dz * dz)
    for k in range(obstacles.counts[me]):
        m = obstacles.close[me, k]
        if things.moves(m, table):
            continue  # who stands still is not safe from it
        px, pz = table[m, things.X] - nx, table[m, things.Z] - nz
        reach = table[m, things.RADIUS] + radius + stop
        if px * px + pz * pz < reach * reach and not _stops_before(nx, nz, dx, dz, x, z, radius, m, table, corners):
            return False
    return True


@part
def _stops_before(
    x: float,
    z: float,
    dx: float,
    dz: float,
    from_x: float,
    from_z: float,
    radius: float,
    m: int,
    table: Floats,
    corners: Floats,
) -> bool:
    """Whether a way keeps clear of an obstacle that stands; who is too near to it already may leave it."""
    now, away_x, away_z = things.distance(from_x, from_z, m, table, corners)
    if now < radius:
        return bool((x + dx - from_x) * away_x + (z + dz - from_z) * away_z >= 0.0)
    count = int(table[m, things.CORNERS])
    for c in range(count):
        ux, uz = corners[m, c, 0], corners[m, c, 1]
        to = c + 1 if c + 1 < count else 0
        ex, ez = corners[m, to, 0] - ux, corners[m, to, 1] - uz
        if gap_between(x, z, dx, dz, ux, uz, ex, ez) < radius * radius:
            return False
    return True
