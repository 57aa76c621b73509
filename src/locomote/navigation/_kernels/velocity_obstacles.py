"""Walkers keep out of each other's way: the velocity nearest to the wanted one that leads into nobody.

What moves towards an agent forbids it a set of velocities: those that lead to a touch within a time horizon. That set
is convex, so one half-plane of velocities keeps clear of it; two who both avoid each take half of the change. The
velocity is the solution of a small linear programme over all of them (`half_planes`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints, Pair
from locomote.navigation._kernels.half_planes import solve
from locomote.navigation._kernels.steering import STILL, nearest_on
from locomote.world._kernels import obstacle_layout as things
from locomote.world._kernels.obstacles import crossing, distance

RECOVERY = 0.5  # s in which those who overlap part
FAN = 6  # directions on each side of the preferred one that are looked at
FAN_STEP = 0.25  # rad between them
PACES = (1.0, 0.6, 0.25)  # of the speed it wants, that are looked at
RIGHT = 0.03  # rad by which all are turned to the right, so that two who meet choose the same side
FORESIGHT = 4.0  # s for which a way is wanted free at most
BERTH = 0.15  # m more than its radius that a walker keeps from obstacles that move
RESTLESS = 1.5  # times as impatient as one who gets on, from when a walker looks all round
HABIT = 1.0  # of the cost of a blocked way, for a direction half a turn off the present one


class Agents(NamedTuple):
    """Who moves: N discs."""

    places: Floats  # (N, 2) x, z
    velocities: Floats  # (N, 2)
    radii: Floats  # (N,)
    # (N,) 1 for those who avoid others, 0 for those who do not; between: who does less than its half;
    # more: who does its half, but stands firm rather than be pushed back by those who do theirs
    heeds: Floats


class WantedVelocities(NamedTuple):
    """What they want."""

    velocities: Floats  # (N, 2)
    arrivals: Floats  # (N,) s to everyone's goal, beyond which nobody needs to be avoided from afar
    fastest: Floats  # (N,) m/s at which each may get out of the way
    impatience: Floats  # (N,) what it costs to stand in a way that is blocked, 1 as a rule


class CloseObstacles(NamedTuple):
    """What is in the way, as `world.Obstacles` lays it out, and which of it is close to whom."""

    table: Floats  # (M, 9)
    corners: Floats  # (M, 16, 2)
    close: Ints  # (N, C) rows
    counts: Ints  # (N,) how many


class Horizons(NamedTuple):
    """How far ahead touches are avoided, s."""

    agents: float
    obstacles: float
    moving: float  # of obstacles that move


@kernel
def avoid_all(
    agents: Agents,
    wishes: WantedVelocities,
    near: Ints,
    counts: Ints,
    obstacles: CloseObstacles,
    horizons: Horizons,
    planes: Floats,
    new: Floats,
) -> None:
    """Fill ``new (N, 2)`` with the velocities to take; those of agents who do not heed others are as wished.

    ``planes (2, K + C, 3)`` is room to work in.
    """
    met = np.empty((near.shape[1], 5))
    for i in range(agents.places.shape[0]):
        wish = wishes.velocities[i, 0], wishes.velocities[i, 1]
        if agents.heeds[i] > 0.0:
            arrival, impatience = wishes.arrivals[i], wishes.impatience[i]
            wish = clear_way(i, wish, arrival, impatience, agents, near[i], counts[i], obstacles, met)
            wish = avoid(i, wish, wishes.fastest[i], agents, near[i], counts[i], obstacles, horizons, planes)
        new[i, 0], new[i, 1] = wish


@inline
def avoid(
    me: int,
    preferred: Pair,
    fastest: float,
    agents: Agents,
    near: Ints,
    count: int,
    obstacles: CloseObstacles,
    horizons: Horizons,
    planes: Floats,
) -> Pair:
    """The velocity nearest to the preferred one that keeps an agent clear of its neighbours and of obstacles."""
    rows = planes[0]
    x, z = agents.places[me, 0], agents.places[me, 1]
    vx, vz = agents.velocities[me, 0], agents.velocities[me, 1]
    radius = agents.radii[me]
    hard = 0
    table = obstacles.table
    for k in range(obstacles.counts[me]):
        m = obstacles.close[me, k]
        ox, oz = table[m, things.VX], table[m, things.VZ]
        drift = math.hypot(ox, oz)
        horizon, keep = horizons.obstacles, radius
        if drift > 0.0 or table[m, things.TURN] != 0.0:
            # What comes does not wait: it is given way early, and its corners their swing.
            # One who has nowhere to go steps aside twice as early.
            waits = abs(preferred[0]) + abs(preferred[1]) < STILL
            horizon, keep = horizons.moving * (2.0 if waits else 1.0), radius + BERTH
        reach = table[m, things.RADIUS] + keep + horizon * (fastest + drift)
        if math.hypot(table[m, things.X] - x, table[m, things.Z] - z) < reach:
            polygon = obstacles.corners[m, : int(table[m, things.CORNERS])]
            _plane_of_polygon(polygon, (x, z), (vx - ox, vz - oz), (ox, oz), keep, horizon, rows[hard])
            hard += 1
    total = hard
    for k in range(count):
        other = near[k]
        ux, uz = agents.velocities[other, 0], agents.velocities[other, 1]
        offset = agents.places[other, 0] - x, agents.places[other, 1] - z
        apart = radius + agents.radii[other]
        reach = apart + horizons.agents * (fastest + math.hypot(ux, uz))
        if offset[0] * offset[0] + offset[1] * offset[1] > reach * reach:
            continue  # cannot be met
        nx, nz, c = _plane_of_disc(offset, (vx - ux, vz - uz), apart, horizons.agents)
        # The whole change relative to the other, less the part of the other, who does the same.
        now = nx * (vx - ux) + nz * (vz - uz)
        share = 1.0 - 0.5 * min(1.0, agents.heeds[other])
        rows[total, 0], rows[total, 1] = nx, nz
        rows[total, 2] = nx * vx + nz * vz + share * (c - now)
        if agents.heeds[me] > 1.0 and agents.heeds[other] == 1.0:
            rows[total, 2] = min(0.0, rows[total, 2])  # it may stand, for the other can stop
        total += 1
    return solve(preferred, fastest, planes, hard, total)


@part
def clear_way(
    me: int,
    preferred: Pair,
    arrival: float,
    impatience: float,
    agents: Agents,
    near: Ints,
    count: int,
    obstacles: CloseObstacles,
    met: Floats,
) -> Pair:
    """The preferred velocity turned to where the way is freer: out of crowds, round those who stand.

    Of a fan of directions the one is taken on which the first touch leaves the walker nearest to where it wanted to be.
    Who is impatient looks farther round, and at obstacles. ``met`` is room for a row for each neighbour.
    """
    speed = math.hypot(preferred[0], preferred[1])
    if speed < STILL or count == 0 or arrival <= 0.0:
        return preferred
    foresight = min(FORESIGHT, arrival)
    x, z = agents.places[me, 0], agents.places[me, 1]
    some, free = 0, foresight
    for n in range(count):
        other = near[n]
        px, pz = agents.places[other, 0] - x, agents.places[other, 1] - z
        ux, uz = agents.velocities[other, 0], agents.velocities[other, 1]
        apart = agents.radii[me] + agents.radii[other]
        reach = apart + foresight * (speed + math.sqrt(ux * ux + uz * uz))
        square = px * px + pz * pz
        if square > reach * reach:
            continue
        row = met[some]
        row[0], row[1], row[2], row[3], row[4] = px, pz, ux, uz, square - apart * apart
        free = min(free, _first_touch(preferred[0] - ux, preferred[1] - uz, row))
        some += 1
    if free == foresight:
        return preferred
    vx, vz = agents.velocities[me, 0], agents.velocities[me, 1]
    pace = math.sqrt(vx * vx + vz * vz)
    best, least = preferred, math.inf
    restless = impatience > RESTLESS
    for k in range((4 if restless else 2) * FAN + 1):
        # 0, then to the right and to the left in turn.
        off = FAN_STEP * ((k + 1) // 2) * (1.0 if k % 2 == 0 else -1.0)
        aside = 1.0 - math.cos(off)
        if least <= (2.0 * aside - aside * aside / impatience if aside < impatience else impatience):
            break  # not even a way that is quite free would be better
        cosine, sine = math.cos(off - RIGHT), math.sin(off - RIGHT)
        for slower in PACES:
            wx = slower * (preferred[0] * cosine + preferred[1] * sine)
            wz = slower * (preferred[1] * cosine - preferred[0] * sine)
            free = foresight
            for n in range(some):
                free = min(free, _first_touch(wx - met[n, 2], wz - met[n, 3], met[n]))
            if restless:
                free = _free_of_obstacles(x, z, wx, wz, agents.radii[me], free, me, obstacles)
            share = slower * free / foresight
            cost = impatience * (1.0 - share) * (1.0 - share) + 2.0 * share * aside
            if pace > STILL:
                cost += 0.5 * HABIT * (1.0 - (wx * vx + wz * vz) / (slower * speed * pace))
            if cost < least:
                best, least = (wx, wz), cost
            if free == foresight:
                break  # slower is no better
    return best


@part
def _free_of_obstacles(
    x: float, z: float, vx: float, vz: float, radius: float, most: float, me: int, obstacles: CloseObstacles
) -> float:
    """For how many seconds a velocity leads into no obstacle, at most so many."""
    for k in range(obstacles.counts[me]):
        m = obstacles.close[me, k]
        enter, leave = crossing(x, z, vx, vz, radius, m, obstacles.table, obstacles.corners)
        if enter < leave and leave > 0.0 and enter < most:
            if enter <= 0.0:
                # Who is too near already may leave.
                _, away_x, away_z = distance(x, z, m, obstacles.table, obstacles.corners)
                if away_x * vx + away_z * vz >= 0.0:
                    continue
            most = max(0.0, enter)
    return most


@inline
def _first_touch(ux: float, uz: float, row: Floats) -> float:
    """After how many seconds at a relative velocity another is touched, who is a row of offset (2), -, -, room."""
    closing = row[0] * ux + row[1] * uz
    if closing <= 0.0:
        return math.inf
    if row[4] <= 0.0:
        return 0.0
    square = ux * ux + uz * uz
    under = closing * closing - square * row[4]
    return (closing - math.sqrt(under)) / square if under > 0.0 else math.inf


@inline
def _plane_of_disc(offset: Pair, velocity: Pair, radius: float, horizon: float) -> tuple[float, float, float]:
    """The half-plane of relative velocities that do not lead into a disc at ``offset``, nearest to the present one."""
    px, pz = offset
    square = px * px + pz * pz
    if square <= radius * radius:
        distance = math.sqrt(square)
        nx, nz = (-px / distance, -pz / distance) if distance > 1e-9 else (1.0, 0.0)
        return nx, nz, (radius - distance) / RECOVERY
    wx, wz = velocity[0] - px / horizon, velocity[1] - pz / horizon
    length = math.hypot(wx, wz)
    along = wx * px + wz * pz
    if length > 1e-9 and along < 0.0 and along * along > radius * radius * length * length:
        # Towards the round front, which is where the disc is reached at the horizon.
        nx, nz = wx / length, wz / length
        return nx, nz, nx * px / horizon + nz * pz / horizon + radius / horizon
    # Towards the leg on the side of the present velocity; straight ahead both see the other on the same side.
    tangent = math.sqrt(square - radius * radius)
    if px * wz - pz * wx > 0.0:
        return (-pz * tangent - px * radius) / square, (px * tangent - pz * radius) / square, 0.0
    return (pz * tangent - px * radius) / square, (-px * tangent - pz * radius) / square, 0.0


@part
def _plane_of_polygon(
    polygon: Floats, place: Pair, velocity: Pair, drift: Pair, radius: float, horizon: float, out: Floats
) -> None:
    """The half-plane of velocities that do not lead into a polygon moving at ``drift``; ``velocity`` is relative."""
    count = polygon.shape[0]
    x, z = place
    cx, cz, inside = nearest_on(polygon, x, z)
    distance = math.hypot(x - cx, z - cz)
    if inside or distance <= radius:
        sign = -1.0 if inside else 1.0
        nx, nz = (sign * (x - cx) / distance, sign * (z - cz) / distance) if distance > 1e-9 else (1.0, 0.0)
        best = (radius - sign * distance) / RECOVERY
    else:
        # Beyond the horizon everything is passed on one of two sides: the tangents to its rounded corners.
        nx, nz, best, most = 0.0, 0.0, 0.0, -math.inf
        for side in (1.0, -1.0):
            lx, lz, least = 0.0, 0.0, math.inf
            for k in range(count):
                px, pz = polygon[k, 0] - x, polygon[k, 1] - z
                square = px * px + pz * pz
                tangent = math.sqrt(max(0.0, square - radius * radius))
                tx, tz = (
                    (-side * pz * tangent - px * radius) / square,
                    (side * px * tangent - pz * radius) / square,
                )
                # The outermost normal has every other corner behind it.
                worst = -math.inf
                for j in range(count):
                    worst = max(worst, tx * (polygon[j, 0] - x) + tz * (polygon[j, 1] - z) + radius)
                if worst < least:
                    lx, lz, least = tx, tz, worst
            if lx * velocity[0] + lz * velocity[1] > most:
                nx, nz, most = lx, lz, lx * velocity[0] + lz * velocity[1]
        # Or it is not reached at all: the side of it that is nearest at the horizon.
        qx, qz = x + horizon * velocity[0], z + horizon * velocity[1]
        fx, fz, inside = nearest_on(polygon, qx, qz)
        gap = math.hypot(qx - fx, qz - fz)
        sign = -1.0 if inside else 1.0
        for front in range(2):
            if front == 0:
                if gap < 1e-9:
                    continue
                mx, mz = sign * (qx - fx) / gap, sign * (qz - fz) / gap
            else:
                fx, fz, mx, mz = cx, cz, (x - cx) / distance, (z - cz) / distance
            support = mx * (fx - x) + mz * (fz - z) + radius
            out_by = mx * velocity[0] + mz * velocity[1] - support / horizon
            if support <= 0.0 and out_by > most:
                nx, nz, best, most = mx, mz, support / horizon, out_by
    out[0], out[1], out[2] = nx, nz, best + nx * drift[0] + nz * drift[1]
