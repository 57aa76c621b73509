"""Walkers can always stop in time: what their legs make of the velocities that they want.

Everyone keeps the way on which it would stop free of the others' ways and of obstacles. Who jumps cannot stop on the
way to its landing; so it claims that way before the point of no return, or gives the jump up. What moves by itself does
not wait for those who stand: see `evasion`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human.jumps._kernels.jump_claims import Claims
from locomote.math._compile import inline, kernel, part
from locomote.math.records import Records
from locomote.math.vector import Floats, Ints, Pair
from locomote.navigation._kernels.course import (
    CALM,
    Course,
    Drive,
    Escape,
    Traffic,
    gap_between,
    go_on,
    stopping_way,
)
from locomote.navigation._kernels.evasion import STARTLED, escape
from locomote.navigation._kernels.steering import DriveLimits, step_aside, velocity_to_drive
from locomote.navigation._kernels.velocity_obstacles import CloseObstacles
from locomote.world._kernels import obstacles as things

LOOSE = 1e-9  # m^2 by which those who are too near to each other already may get nearer
DECIDING = 0.6  # s before the last place where a run-up could stop, from when it asks for its way
UNTURNED = 0.03  # rad/s, up to which it is known where a run-up leads


class Asked(NamedTuple):
    """What N walkers want of their legs."""

    velocities: Floats  # (N, 2) m/s
    heeds: Floats  # (N,) above 0: keeps out of the way of others
    sidles: Ints  # (N,) 1: may step aside though nothing comes


class DriveArrays(NamedTuple):
    """What comes of it."""

    after: Records  # (N,) `Course` that they will be on
    drives: Records  # (N,) `Drive` for this frame
    holders: Ints  # (N,) scratch: those whose jumps have been granted their ways


@kernel
def drive_all(dt: float, traffic: Traffic, asked: Asked, claims: Claims, limits: DriveLimits, out: DriveArrays) -> None:
    """Fill in the drives of all for ``dt``, so that everyone can always stop in time.

    One after the other changes its way, or keeps to it and brakes. So nobody is ever touched by one who heeds others,
    if ``traffic.near`` holds everyone within two stopping ways.
    """
    courses, after, drives = traffic.courses, out.after, out.drives
    for i in range(courses.shape[0]):
        after[i] = courses[i]
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
            after[i].speed = _claiming(claims.lengths[i], limits.brake)
            out.holders[held] = i
            held += 1
    for i in range(courses.shape[0]):
        mine: Course = courses[i]
        then: Course = after[i]
        drive: Drive = drives[i]
        flight: Escape = traffic.escapes[i]
        x, z, yaw, speed = mine.x, mine.z, mine.yaw, mine.speed
        if claims.lengths[i] > 0.0:
            drive.speed, drive.turn, flight.why = speed, 0.0, CALM
            drive.aside_x = drive.aside_z = then.aside_x = then.aside_z = 0.0
            # A run-up gets faster by itself.
            go_on(x, z, yaw, speed * dt, speed + limits.accelerate * dt, 0.0, then)
            if claims.granted[i] == 0.0:
                if claims.refused[i] == 0:
                    held = _ask(i, held, traffic, out, claims, limits.brake, dt)
                if claims.refused[i] == 1:
                    drive.speed = max(0.0, speed - limits.brake * dt)
                    go_on(x, z, yaw, 0.5 * (speed + drive.speed) * dt, drive.speed, 0.0, then)
                    continue
            if claims.granted[i] > 0.0:
                then.speed = _claiming(claims.lengths[i] - speed * dt, limits.brake)
            continue
        wish, able, may = (asked.velocities[i, 0], asked.velocities[i, 1]), limits, asked.sidles[i] > 0
        if asked.heeds[i] > 0.0:
            escape(i, wish, may, traffic, limits, startled)
            if flight.why != CALM:
                wish, able, may = (flight.x, flight.z), startled, True
        new, turn = velocity_to_drive(wish[0], wish[1], yaw, speed, mine.turn, dt, able)
        sx, sz = step_aside(wish[0], wish[1], yaw, new, mine.aside_x, mine.aside_z, may, dt)
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
                sx, sz = step_aside(0.0, 0.0, yaw, new, mine.aside_x, mine.aside_z, False, dt)
            elif attempt == 4 and speed > 0.0:
                turn = 0.0
            go_on(x, z, yaw, 0.5 * (speed + new) * dt, new, turn * dt, then)
            then.x, then.z = then.x + sx * dt, then.z + sz * dt
            then.aside_x, then.aside_z = sx, sz
            if asked.heeds[i] == 0.0 or (
                _free(i, held, traffic, out, claims, limits.brake, dt) and _stops(i, traffic, then, limits.brake, dt)
            ):
                break
        drive.speed, drive.turn, drive.aside_x, drive.aside_z = new, turn, sx, sz
        then.turn = turn


@inline
def _claiming(length: float, brake: float) -> float:
    """The speed of one who stops after so many metres."""
    return math.sqrt(2.0 * brake * max(0.0, length))


@part
def _ask(me: int, held: int, traffic: Traffic, out: DriveArrays, claims: Claims, brake: float, dt: float) -> int:
    """Ask for the way of a jump: it is granted if it is free, refused if it must be; returns how many hold theirs."""
    courses, radii, near, count, holders = out.after, traffic.radii, traffic.near[me], traffic.counts[me], out.holders
    mine: Course = courses[me]
    x, z, dx, dz = stopping_way(mine, brake, dt)
    length = claims.lengths[me]
    lx, lz = length * math.sin(mine.yaw), length * math.cos(mine.yaw)
    # Not before it must be decided: else others would stand about for a jump that is still far off.
    free = abs(mine.turn) < UNTURNED and claims.spare[me] < DECIDING * mine.speed
    for other in range(courses.shape[0] if free else 0):
        theirs: Course = courses[other]
        px, pz = theirs.x - x - 0.5 * lx, theirs.z - z - 0.5 * lz
        apart = radii[me] + radii[other]
        reach = 0.5 * length + apart + 0.5 * theirs.speed * theirs.speed / brake + dt
        if other == me or px * px + pz * pz > reach * reach:
            continue
        ux, uz, ex, ez = stopping_way(theirs, brake, dt)
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
def _free(me: int, held: int, traffic: Traffic, out: DriveArrays, claims: Claims, brake: float, dt: float) -> bool:
    """Whether the way on which a walker would stop is free of those of its neighbours and of those who jump."""
    courses, radii, near, count, holders = out.after, traffic.radii, traffic.near[me], traffic.counts[me], out.holders
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
            hx, hz = traffic.courses[me].x, traffic.courses[me].z
            now = gap_between(hx, hz, 0.0, 0.0, ux, uz, ex, ez)
            if now >= apart * apart or gap < now - LOOSE:
                return False
            body = px * px + pz * pz
            if body < apart * apart and body < (hx - ux) ** 2 + (hz - uz) ** 2 - LOOSE:
                return False
    return True


@inline
def _stops(me: int, traffic: Traffic, then: Course, brake: float, dt: float) -> bool:
    """Whether the way on which a walker would stop is free of obstacles that stand."""
    obstacles, radius = traffic.obstacles, traffic.radii[me]
    table, start = obstacles.table, (traffic.courses[me].x, traffic.courses[me].z)
    nx, nz, dx, dz = stopping_way(then, brake, dt)
    stop = math.sqrt(dx * dx + dz * dz)
    for k in range(obstacles.counts[me]):
        m = obstacles.close[me, k]
        if things.moves(m, table):
            continue  # who stands still is not safe from it
        px, pz = table[m, things.X] - nx, table[m, things.Z] - nz
        reach = table[m, things.RADIUS] + radius + stop
        if px * px + pz * pz < reach * reach and not _stops_before((nx, nz), (dx, dz), start, radius, m, obstacles):
            return False
    return True


@part
def _stops_before(place: Pair, way: Pair, start: Pair, radius: float, m: int, obstacles: CloseObstacles) -> bool:
    """Whether a way keeps clear of an obstacle that stands; who is too near to it already may leave it."""
    table, corners = obstacles.table, obstacles.corners
    x, z = place
    dx, dz = way
    from_x, from_z = start
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
