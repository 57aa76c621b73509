"""Walkers can always stop in time: what their legs make of the velocities that they want.

Everyone keeps the way on which it would stop free of the others' ways and of obstacles. Who jumps cannot stop on the
way to its landing; so it claims that way before the point of no return, or gives the jump up. What moves by itself does
not wait for those who stand: of some ways to get away that is taken which keeps a walker clear for longest.
"""

from __future__ import annotations

import math

from locomote.kernels import obstacles as things
from locomote.kernels._compile import inline, kernel, part
from locomote.kernels.jump_claims import Claims
from locomote.kernels.steering import Limits, gap_between, go_on, stopping_way, velocity_to_drive
from locomote.kernels.vector import Floats, Ints, Pair
from locomote.kernels.velocity_obstacles import Obstacles

AHEAD, STEPS = 4.0, 16  # s for which nothing that moves may touch a walker, and how finely that is looked at
URGENT = 1.6  # s, the same for one who would stand
KEEP = 0.1  # m more than its radius that it keeps from such things
THEIR_WAY = 1.6  # s for which it is known where others go
DIRECTIONS = 12  # in which it may get away
FLEEING = 1.6  # m/s, then
STARTLED = 1.6  # times as quick as else, to get going and to turn
EDGING = 0.6  # m/s, if that is enough
SAME = 0.02  # s for each m^2/s^2, and
STEADY = 0.2  # s, the same for the way by which it got away up to now
LOOSE = 1e-9  # m^2 by which those who are too near to each other already may get nearer
DECIDING = 0.6  # s before the last place where a run-up could stop, from when it asks for its way
UNTURNED = 0.03  # rad/s, up to which it is known where a run-up leads


@kernel
def drive_all(
    courses: Floats,
    wanted: Floats,
    radii: Floats,
    heeds: Floats,
    near: Ints,
    counts: Ints,
    obstacles: Obstacles,
    claims: Claims,
    limits: Limits,
    dt: float,
    after: Floats,
    drives: Floats,
    holders: Ints,
    flights: Floats,
) -> None:
    """Fill ``drives (N, 2)``, speed and turn rate for the next ``dt``, so that everyone can always stop in time.

    ``courses (N, 5)`` holds x, z, yaw, speed, turn rate and ``after`` what they will be. One after the other changes
    its way, or keeps to it and brakes. So nobody is ever touched by one who heeds others, if ``near`` holds everyone
    within two stopping ways. ``holders (N,)`` is room for those whose jumps have been granted their ways.
    ``flights (N, 3)`` keeps how who gets away from something that moves: velocity, and 1 if so.
    """
    after[:] = courses
    startled = Limits(
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
        wish, able = (wanted[i, 0], wanted[i, 1]), limits
        if heeds[i] > 0.0:
            _escape(i, wish, courses, radii, near[i], counts[i], obstacles, limits, startled, flights[i])
            if flights[i, 2] > 0.0:
                wish, able = (flights[i, 0], flights[i, 1]), startled
        new, turn = velocity_to_drive(wish[0], wish[1], yaw, speed, courses[i, 4], dt, able)
        slowest = max(0.0, speed - limits.brake * dt)
        # What is wanted; slower; braking in the turn; then braking straight on, and turning once it stands.
        for attempt in range(4):
            if attempt == 1:
                new = 0.5 * (new + slowest)
            elif attempt == 2:
                new = slowest
            elif attempt == 3 and speed > 0.0:
                turn = 0.0
            go_on(x, z, yaw, 0.5 * (speed + new) * dt, new, turn * dt, after[i])
            if heeds[i] == 0.0 or (
                _free(i, courses, after, radii, near[i], counts[i], claims, holders, held, limits.brake, dt)
                and _stops(after[i], x, z, radii[i], obstacles, i, limits.brake, dt)
            ):
                break
        drives[i, 0], drives[i, 1] = new, turn
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
    course: Floats, x: float, z: float, radius: float, obstacles: Obstacles, me: int, brake: float, dt: float
) -> bool:
    """Whether the way on which a walker would stop is free of obstacles that stand; it comes from (x, z)."""
    table, corners = obstacles.table, obstacles.corners
    nx, nz, dx, dz = stopping_way(course, brake, dt)
    stop = math.sqrt(dx * dx + dz * dz)
    for k in range(obstacles.counts[me]):
        m = obstacles.close[me, k]
        if _moves(m, table):
            continue  # who stands still is not safe from it
        px, pz = table[m, things.X] - nx, table[m, things.Z] - nz
        reach = table[m, things.RADIUS] + radius + stop
        if px * px + pz * pz < reach * reach and not _stops_before(
            nx, nz, dx, dz, x, z, radius, m, table, corners
        ):
            return False
    return True


@inline
def _moves(m: int, table: Floats) -> bool:
    return bool(table[m, things.VX] != 0.0 or table[m, things.VZ] != 0.0 or table[m, things.TURN] != 0.0)


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


@inline
def _escape(
    me: int,
    wish: Pair,
    courses: Floats,
    radii: Floats,
    near: Ints,
    count: int,
    obstacles: Obstacles,
    limits: Limits,
    startled: Limits,
    flight: Floats,
) -> None:
    """Look whether something that moves would soon touch the walker; if so, set the velocity that gets it away."""
    table = obstacles.table
    fled = flight[2] > 0.0
    flight[2] = 0.0
    comes = False
    for k in range(obstacles.counts[me]):
        m = obstacles.close[me, k]
        if not _moves(m, table):
            continue
        px, pz = table[m, things.X] - courses[me, 0], table[m, things.Z] - courses[me, 1]
        drift = math.sqrt(table[m, things.VX] ** 2 + table[m, things.VZ] ** 2)
        reach = table[m, things.RADIUS] + radii[me] + KEEP + AHEAD * (drift + max(FLEEING, courses[me, 3]))
        comes = comes or px * px + pz * pz < reach * reach
    if not comes:
        return
    # Those who walk and what stands are no danger, for them a walker can stop: unless something comes from elsewhere.
    if _safe_for(me, wish, True, courses, radii, near, count, obstacles, limits) >= AHEAD and (
        _safe_for(me, (0.0, 0.0), True, courses, radii, near, count, obstacles, limits) >= URGENT
    ):
        return
    longest = _safe_for(me, wish, False, courses, radii, near, count, obstacles, limits)
    if longest >= AHEAD:
        return
    old_x, old_z = flight[0], flight[1]
    for k in range(2 * DIRECTIONS + 1):
        angle, pace = 2.0 * math.pi * k / DIRECTIONS, FLEEING if k < DIRECTIONS else EDGING
        away = (pace * math.sin(angle), pace * math.cos(angle)) if k < 2 * DIRECTIONS else (0.0, 0.0)
        seconds = _safe_for(me, away, False, courses, radii, near, count, obstacles, startled)
        # Of ways that are as safe, that which is most as wished; and who gets away does not waver.
        seconds += SAME * (away[0] * wish[0] + away[1] * wish[1])
        if fled:
            seconds += STEADY * (away[0] * old_x + away[1] * old_z)
        if seconds > longest:
            longest = seconds
            flight[0], flight[1], flight[2] = away[0], away[1], 1.0


@part
def _safe_for(
    me: int,
    wish: Pair,
    moving: bool,
    courses: Floats,
    radii: Floats,
    near: Ints,
    count: int,
    obstacles: Obstacles,
    limits: Limits,
) -> float:
    """How long nothing that moves by itself touches a walker who turns to a velocity and goes there.

    It stops before others, who go on as they do, and before what stands; unless only what is ``moving`` counts.
    """
    table, corners = obstacles.table, obstacles.corners
    x, z, yaw, speed, turn = courses[me, 0], courses[me, 1], courses[me, 2], courses[me, 3], courses[me, 4]
    dt, stopped = AHEAD / STEPS, False
    for step in range(1, STEPS + 1):
        time, old_x, old_z = step * dt, x, z
        if not stopped:
            new, turn = velocity_to_drive(wish[0], wish[1], yaw, speed, turn, dt, limits)
            way, middle = 0.5 * (speed + new) * dt, yaw + 0.5 * turn * dt
            x, z = x + way * math.sin(middle), z + way * math.cos(middle)
            yaw, speed = yaw + turn * dt, new
            stopped = not moving and _is_in_the_way(
                x, z, old_x, old_z, time, me, courses, radii, near, count, obstacles
            )
            if stopped:
                x, z = old_x, old_z
        for k in range(obstacles.counts[me]):
            m = obstacles.close[me, k]
            if not _moves(m, table):
                continue
            px = table[m, things.X] + time * table[m, things.VX] - x
            pz = table[m, things.Z] + time * table[m, things.VZ] - z
            keep = radii[me] + KEEP
            reach = table[m, things.RADIUS] + keep
            if px * px + pz * pz < reach * reach:
                ox, oz = things.as_of(x, z, time, m, table)
                off = things.distance(ox, oz, m, table, corners)[0]
                if off < keep:
                    # Who is too near already may leave.
                    ox, oz = things.as_of(old_x, old_z, time - dt, m, table)
                    if off <= things.distance(ox, oz, m, table, corners)[0]:
                        return time
    return AHEAD


@inline
def _is_in_the_way(
    x: float,
    z: float,
    old_x: float,
    old_z: float,
    time: float,
    me: int,
    courses: Floats,
    radii: Floats,
    near: Ints,
    count: int,
    obstacles: Obstacles,
) -> bool:
    """Whether something that stands, or somebody, is at a place to which a walker comes; it may leave them."""
    table, corners = obstacles.table, obstacles.corners
    for k in range(obstacles.counts[me]):
        m = obstacles.close[me, k]
        if _moves(m, table):
            continue
        px, pz = table[m, things.X] - x, table[m, things.Z] - z
        reach = table[m, things.RADIUS] + radii[me]
        if px * px + pz * pz < reach * reach:
            off = things.distance(x, z, m, table, corners)[0]
            if off < radii[me] and off <= things.distance(old_x, old_z, m, table, corners)[0]:
                return True
    for k in range(count if time <= THEIR_WAY else 0):
        other = courses[near[k]]
        way = time * other[3]
        ux, uz = other[0] + way * math.sin(other[2]), other[1] + way * math.cos(other[2])
        apart = radii[me] + radii[near[k]]
        off = (ux - x) ** 2 + (uz - z) ** 2
        if off < apart * apart and off <= (ux - old_x) ** 2 + (uz - old_z) ** 2:
            return True
    return False
