"""How creatures go along their ways: towards a place ahead, slower in bends and before the goal, and into nobody."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.creatures._kernels.state import CreatureState
from locomote.math._compile import inline, kernel
from locomote.math.records import Records
from locomote.math.vector import Floats, Ints, Pair, wrapped
from locomote.navigation._kernels.path_state import ARRIVED, GIVING_WAY, ON_WAY, WAITING, PathState, Survey

BRAKING = 0.8  # s from the goal at cruising speed, from where on a creature slows down: its speed lags by 0.2 s
CRAWL = 0.1  # of the cruising speed, the least before the goal
AHEAD = 0.5  # s of its way, from where a creature takes its direction
TURNING = 0.2  # cosine of the angle off its course from which on a creature turns on the spot
STOPPING = 0.45  # s in which a creature that closes in on another could stop, twice over
BERTH = 0.04  # of the radii, kept free for what a body sways and overshoots
SOON = 0.5  # rad that a creature turns before its speed follows
STILL = 0.02  # of the cruising speed: slower than that a creature does not turn to where it is pushed
STANDS, STEPS_ASIDE = (
    1.5,
    1.2,
)  # s without getting on after which a creature turns off to its right, and rad, at most
ASIDE_WITHIN = 1.0  # s in which it does so
AT_GOAL = 4.0  # tolerances by which one who had arrived must be off to set out again


class PathCourse(NamedTuple):
    """Where everyone is and wants to go; N creatures, then whoever else is about."""

    places: Floats  # (N, 2)
    velocities: Floats  # (N, 2) now
    wanted: Floats  # (N, 2)
    arrivals: Floats  # (N,) s to the goal
    fastest: Floats  # (N,) m/s
    heeds: Floats  # (N,) 1: keeps out of the way of others


@kernel
def want_all(
    dt: float, rows: Records, ways: Records, points: Floats, ahead: float, tolerance: float, out: PathCourse
) -> None:
    """Fill the course of every creature from its way ``points (N, W, 2)``; ``ahead`` is the least foresight (m)."""
    for n in range(rows.shape[0]):
        row: CreatureState = rows[n]
        way: PathState = ways[n]
        x, z, speed = row.x, row.z, row.speed * row.held
        sine, cosine = math.sin(row.yaw), math.cos(row.yaw)
        out.places[n, 0], out.places[n, 1] = x, z
        out.velocities[n, 0], out.velocities[n, 1] = speed * sine, speed * cosine
        own = 0.0 if way.going else speed
        out.wanted[n, 0], out.wanted[n, 1] = own * sine, own * cosine
        out.heeds[n], out.arrivals[n], out.fastest[n] = 0.0, math.inf, 0.0
        count = way.points
        if not way.going or count < 2:
            continue
        end = math.hypot(points[n, count - 1, 0] - x, points[n, count - 1, 1] - z)
        if way.state == ARRIVED:
            if end > AT_GOAL * tolerance:
                way.state, way.points = WAITING, 0
            continue
        left, off = _get_on(x, z, way, points[n])
        if not way.partial and left < AT_GOAL * tolerance and end < tolerance:
            way.state = ARRIVED
            continue
        if left < way.best - tolerance:
            way.best, way.stalled = left, 0.0
        cruise = way.cruise
        way.stalled += dt if cruise > 0.0 else 0.0
        way.left, way.off = left, off
        aim_x, aim_z = _ahead(x, z, max(ahead, AHEAD * abs(speed)), way, points[n])
        far = math.hypot(aim_x - x, aim_z - z)
        pace = min(cruise, max(left / BRAKING, CRAWL * cruise))
        if far > 0.0:
            # Two who stand in each other's way would wait for ever: both go round to the right.
            aside = STEPS_ASIDE * min(max(way.stalled - STANDS, 0.0) / ASIDE_WITHIN, 1.0)
            yaw = math.atan2(aim_x - x, aim_z - z) - aside
            out.wanted[n, 0], out.wanted[n, 1] = pace * math.sin(yaw), pace * math.cos(yaw)
        out.heeds[n], out.arrivals[n], out.fastest[n] = 1.0, left / pace, 1.2 * cruise


@inline
def _get_on(x: float, z: float, way: PathState, points: Floats) -> Pair:
    """Find the nearest place of the way, not back; (m of it left, m off it)."""
    count, at = way.points, way.segment
    share, off = _nearest(x, z, points[at], points[at + 1])
    while at < count - 2:
        next_share, next_off = _nearest(x, z, points[at + 1], points[at + 2])
        if share < 1.0 and next_off > off:
            break
        at, share, off = at + 1, next_share, next_off
    way.segment = at
    left = (1.0 - share) * math.hypot(points[at + 1, 0] - points[at, 0], points[at + 1, 1] - points[at, 1])
    for m in range(at + 1, count - 1):
        left += math.hypot(points[m + 1, 0] - points[m, 0], points[m + 1, 1] - points[m, 1])
    return left, off


@inline
def _nearest(x: float, z: float, a: Floats, b: Floats) -> Pair:
    """The share of a line that is nearest to a place, and how far that is."""
    dx, dz = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dz * dz
    share = min(max(((x - a[0]) * dx + (z - a[1]) * dz) / square, 0.0), 1.0) if square > 0.0 else 1.0
    return share, math.hypot(a[0] + share * dx - x, a[1] + share * dz - z)


@inline
def _ahead(x: float, z: float, ahead: float, way: PathState, points: Floats) -> Pair:
    """The place so far ahead on a way."""
    count, at = way.points, way.segment
    share = _nearest(x, z, points[at], points[at + 1])[0]
    for m in range(at, count - 1):
        dx, dz = points[m + 1, 0] - points[m, 0], points[m + 1, 1] - points[m, 1]
        length = math.hypot(dx, dz)
        if (1.0 - share) * length > ahead:
            share += ahead / length
            return points[m, 0] + share * dx, points[m, 1] + share * dz
        ahead -= (1.0 - share) * length
        share = 0.0
    return points[count - 1, 0], points[count - 1, 1]


@kernel
def drive_all(
    rows: Records,
    ways: Records,
    course: PathCourse,
    new: Floats,
    radii: Floats,
    near: Ints,
    counts: Ints,
    found: Survey,
) -> None:
    """Tell every creature that has a goal its speed and heading, from the velocity ``new (N, 2)`` that it may take."""
    for n in range(rows.shape[0]):
        row: CreatureState = rows[n]
        way: PathState = ways[n]
        if not way.going:
            continue
        row.wanted_speed, row.by_yaw = 0.0, True
        if course.heeds[n] == 0.0:
            at_goal = way.state == ARRIVED and not math.isnan(way.goal_yaw)
            row.wanted_yaw = way.goal_yaw if at_goal else row.yaw
            continue
        x, z, vx, vz = course.places[n, 0], course.places[n, 1], new[n, 0], new[n, 1]
        pace = math.hypot(course.wanted[n, 0], course.wanted[n, 1])
        speed = math.hypot(vx, vz)
        pushed = math.hypot(vx - course.wanted[n, 0], vz - course.wanted[n, 1]) > STILL * pace
        if speed > 0.0 and way.stalled > STANDS:
            if _meets_wall(x, z, vx, vz, speed, found):
                vx, vz, speed = 0.0, 0.0, 0.0
        elif speed > 0.0 and pushed and _meets_wall(x, z, vx, vz, speed, found):
            # Who is pushed off its way does not let itself be pushed into a wall.
            vx, vz, speed = course.wanted[n, 0], course.wanted[n, 1], pace
        way.state = ON_WAY
        if speed < STILL * way.cruise:
            way.state = GIVING_WAY
            continue
        yaw = math.atan2(vx, vz)
        row.wanted_yaw = yaw
        bend = (math.cos(wrapped(yaw - row.yaw)) - TURNING) / (1.0 - TURNING)
        told = speed * max(bend, 0.0)
        turn = min(max(wrapped(yaw - row.yaw), -SOON), SOON)
        safe = _safe_speed(n, told, row.yaw, course, radii, near[n], counts[n])
        safe = _safe_speed(n, safe, row.yaw + turn, course, radii, near[n], counts[n])
        if safe < 0.5 * told:
            way.state = GIVING_WAY
        # The speed lags behind what is told: who is too fast for its neighbours brakes twice as hard.
        row.wanted_speed = safe - max(row.speed - safe, 0.0) if safe < told else told


@inline
def _meets_wall(x: float, z: float, vx: float, vz: float, speed: float, found: Survey) -> bool:
    """Whether a body that is at an open place comes to one where it may not be, before it could stop."""
    look = 2.0 * found.frame[2] / speed + STOPPING
    return _is_open(x, z, found) and not _is_open(x + look * vx, z + look * vz, found)


@inline
def _is_open(x: float, z: float, found: Survey) -> bool:
    """Whether a body may be at a place; outside of the survey it may."""
    r = math.floor(z / found.frame[2] - found.frame[0])
    k = math.floor(x / found.frame[2] - found.frame[1])
    if not (0 <= r < found.open.shape[0] and 0 <= k < found.open.shape[1]):
        return True
    return bool(found.open[r, k] != 0)


@inline
def _safe_speed(me: int, speed: float, yaw: float, course: PathCourse, radii: Floats, near: Ints, count: int) -> float:
    """The speed ahead at which a creature stops before it touches anybody, who may come as fast."""
    sine, cosine = math.sin(yaw), math.cos(yaw)
    for k in range(count):
        other = near[k]
        dx, dz = (
            course.places[other, 0] - course.places[me, 0],
            course.places[other, 1] - course.places[me, 1],
        )
        far = math.hypot(dx, dz)
        if far == 0.0:
            continue
        closing = (sine * dx + cosine * dz) / far
        if closing <= 0.0:
            continue
        gap = far - (1.0 + BERTH) * (radii[me] + radii[other])
        coming = -(course.velocities[other, 0] * dx + course.velocities[other, 1] * dz) / far
        half = gap / (2.0 * STOPPING)
        # One who gives way takes half of the gap, or what it leaves; of one who does not, what it comes nearer is lost.
        left = min(gap / STOPPING - coming, 3.0 * half)
        share = max(half, left) if course.heeds[other] > 0.0 else half - max(coming, 0.0)
        speed = min(speed, max(share, 0.0) / closing)
    return speed
