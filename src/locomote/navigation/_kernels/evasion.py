"""Getting away from what moves by itself and does not wait: of some ways that is taken on which it comes least near.

Who stands in the way of one who flees makes room.
"""

from __future__ import annotations

import math

from locomote.math._compile import inline, part
from locomote.math.vector import Pair
from locomote.navigation._kernels.course import CALM, FLEES, MAKES_ROOM, Course, Escape, Traffic
from locomote.navigation._kernels.steering import DriveLimits, step_aside, velocity_to_drive
from locomote.world._kernels import obstacles as things

AHEAD, STEPS = 4.0, 16  # s for which nothing that moves may touch a walker, and how finely that is looked at
URGENT = 1.6  # s, the same for one who would stand
KEEP = 0.1  # m more than its radius that it keeps from such things
THEIR_WAY = 1.6  # s for which it is known where others go
DIRECTIONS = 12  # in which it may get away
FLEEING = 1.6  # m/s, then
STARTLED = 1.6  # times as quick as else, to get going and to turn
EDGING = 0.6  # m/s, if that is enough
PUSHED = 0.1  # of a touch counts, by somebody who has to get away
LATER = 0.5  # of a touch counts, at the end of that time
SAME = 0.02  # of a touch that a way may be worse for each m^2/s^2 by which it is more as wished, and
STEADY = 0.05  # the same for the way by which it got away up to now


@inline
def escape(me: int, wish: Pair, may: bool, traffic: Traffic, limits: DriveLimits, startled: DriveLimits) -> None:
    """Look whether something that moves would soon touch the walker; if so, set the velocity that gets it away.

    So would somebody who gets away from something, and would be held up.
    """
    obstacles, count = traffic.obstacles, traffic.counts[me]
    table = obstacles.table
    mine: Course = traffic.courses[me]
    flight: Escape = traffic.escapes[me]
    fled = flight.why != CALM
    flight.why = CALM
    comes = False
    for k in range(obstacles.counts[me]):
        m = obstacles.close[me, k]
        if not things.moves(m, table):
            continue
        px, pz = table[m, things.X] - mine.x, table[m, things.Z] - mine.z
        drift = math.sqrt(table[m, things.VX] ** 2 + table[m, things.VZ] ** 2)
        reach = table[m, things.RADIUS] + traffic.radii[me] + KEEP + AHEAD * (drift + max(FLEEING, mine.speed))
        comes = comes or px * px + pz * pz < reach * reach
    pushed = False
    for k in range(count):
        pushed = pushed or traffic.escapes[traffic.near[me, k]].why == FLEES
    if not comes and not pushed:
        return
    # Those who walk are no danger, for them a walker can stop: unless something comes from elsewhere.
    flees = comes and not _is_safe(me, wish, may, 0, traffic, limits)
    if not flees and (not pushed or _is_safe(me, wish, may, count, traffic, limits)):
        return
    least = _danger(me, wish, may, AHEAD, count, traffic, limits)
    if least == 0.0:
        return
    old_x, old_z = flight.x, flight.z
    for k in range(2 * DIRECTIONS + 1):
        angle, pace = 2.0 * math.pi * k / DIRECTIONS, FLEEING if k < DIRECTIONS else EDGING
        away = (pace * math.sin(angle), pace * math.cos(angle)) if k < 2 * DIRECTIONS else (0.0, 0.0)
        danger = _danger(me, away, True, AHEAD, count, traffic, startled)
        # Of ways that are as safe, that which is most as wished; and who gets away does not waver.
        danger -= SAME * (away[0] * wish[0] + away[1] * wish[1])
        if fled:
            danger -= STEADY * (away[0] * old_x + away[1] * old_z)
        if danger < least:
            least = danger
            flight.x, flight.z, flight.why = away[0], away[1], FLEES if flees else MAKES_ROOM


@inline
def _is_safe(me: int, wish: Pair, may: bool, count: int, traffic: Traffic, limits: DriveLimits) -> bool:
    """Whether nothing touches a walker who goes as it wants, nor one who stands."""
    return bool(
        _danger(me, wish, may, AHEAD, count, traffic, limits) == 0.0
        and _danger(me, (0.0, 0.0), may, URGENT, count, traffic, limits) == 0.0
    )


@part
def _danger(me: int, wish: Pair, may: bool, seconds: float, count: int, traffic: Traffic, limits: DriveLimits) -> float:
    """How near something that moves by itself comes to a walker who turns to a velocity and goes there.

    0 if it stays away, 1 if both touch now, and the less the later. The walker stops before what stands, and before
    its first ``count`` neighbours, who go on as they do; of them those count, too, who flee.
    """
    obstacles, radii = traffic.obstacles, traffic.radii
    table, corners, keep = obstacles.table, obstacles.corners, radii[me] + KEEP
    mine: Course = traffic.courses[me]
    x, z, yaw, speed, turn = mine.x, mine.z, mine.yaw, mine.speed, mine.turn
    sx, sz = mine.aside_x, mine.aside_z
    dt, stopped, worst = AHEAD / STEPS, False, 0.0
    for step in range(1, round(seconds / dt) + 1):
        time, old_x, old_z = step * dt, x, z
        if not stopped:
            new, turn = velocity_to_drive(wish[0], wish[1], yaw, speed, turn, dt, limits)
            way, middle = 0.5 * (speed + new) * dt, yaw + 0.5 * turn * dt
            sx, sz = step_aside(wish[0], wish[1], yaw, new, sx, sz, may, dt)
            x, z = x + way * math.sin(middle) + sx * dt, z + way * math.cos(middle) + sz * dt
            yaw, speed = yaw + turn * dt, new
            stopped = _is_in_the_way((x, z), (old_x, old_z), time, me, count, traffic)
            if stopped:
                x, z = old_x, old_z
        weight = 1.0 - (1.0 - LATER) * time / AHEAD
        for k in range(obstacles.counts[me]):
            m = obstacles.close[me, k]
            if not things.moves(m, table):
                continue
            px = table[m, things.X] + time * table[m, things.VX] - x
            pz = table[m, things.Z] + time * table[m, things.VZ] - z
            reach = table[m, things.RADIUS] + keep
            if px * px + pz * pz < reach * reach:
                ox, oz = things.as_of(x, z, time, m, table)
                into = (keep - things.distance(ox, oz, m, table, corners)[0]) / KEEP
                worst = max(worst, weight * into * abs(into))
        for k in range(count if time <= THEIR_WAY else 0):
            other = traffic.near[me, k]
            flight: Escape = traffic.escapes[other]
            if flight.why != FLEES:
                continue
            px = traffic.courses[other].x + time * flight.x - x
            pz = traffic.courses[other].z + time * flight.z - z
            reach = keep + radii[other]
            if px * px + pz * pz < reach * reach:
                into = (reach - math.sqrt(px * px + pz * pz)) / KEEP
                worst = max(worst, PUSHED * weight * into)
    return worst


@inline
def _is_in_the_way(place: Pair, old: Pair, time: float, me: int, count: int, traffic: Traffic) -> bool:
    """Whether something that stands, or somebody, is at a place to which a walker comes; it may leave them."""
    obstacles, radii = traffic.obstacles, traffic.radii
    table, corners = obstacles.table, obstacles.corners
    x, z = place
    old_x, old_z = old
    for k in range(obstacles.counts[me]):
        m = obstacles.close[me, k]
        if things.moves(m, table):
            continue
        px, pz = table[m, things.X] - x, table[m, things.Z] - z
        reach = table[m, things.RADIUS] + radii[me]
        if px * px + pz * pz < reach * reach:
            off = things.distance(x, z, m, table, corners)[0]
            if off < radii[me] and off < things.distance(old_x, old_z, m, table, corners)[0]:
                return True
    for k in range(count if time <= THEIR_WAY else 0):
        other: Course = traffic.courses[traffic.near[me, k]]
        way = time * other.speed
        ux, uz = other.x + way * math.sin(other.yaw), other.z + way * math.cos(other.yaw)
        apart = radii[me] + radii[traffic.near[me, k]]
        off = (ux - x) ** 2 + (uz - z) ** 2
        if off < apart * apart and off < (ux - old_x) ** 2 + (uz - old_z) ** 2:
            return True
    return False
