"""Round what is in the way: which obstacle comes first, and the nearest direction that passes all of them."""

from __future__ import annotations

import math

from locomote.math._compile import part
from locomote.math.vector import wrapped
from locomote.world._kernels import obstacles as things
from locomote.world._kernels.obstacle_buckets import NearObstacles

SLOWEST = 0.3  # m/s, at which a walker looks where its way leads
LEAVING = 0.1  # cosine of the angle between its way and straight away from something that is left behind
OTHER_SIDE = 4.0  # m by which the other way round must be shorter to be taken after all
BEYOND = 1.0  # m past a corner that a way round it must be free
ONWARD = 0.15  # rad further, where the tangent to something that moves is not enough
NO_WAY = 20.0  # m that a way counts as longer that does not lead round
ROUND = 2.6  # rad off its way that a walker goes at most to get round something
MOST_TURNS = 8
BESIDE = 1e-3  # m less than its distance, at which a walker that is near a corner passes it
SLACK = 0.06  # m of the margin that a walker may lose on its way past a corner
TOO_NEAR = 0.13  # m less than the margin, from where a walker does not go along something but away from it
CROWDED = 0.5  # of its speed, of a walker for whom there is no way round


@part
def strip(
    x: float, z: float, yaw: float, half: float, ahead: float, o: int, near: NearObstacles
) -> tuple[float, float]:
    """From where to where, in metres ahead, an obstacle lies in the strip that a walker takes; empty if first > last.

    The obstacle is taken where it will be ``ahead`` seconds from now.
    """
    hx, hz = math.sin(yaw), math.cos(yaw)
    table, corners = near.table, near.corners
    count = int(table[o, things.CORNERS])
    middle_x, middle_z, turned = things.place(ahead, o, table)
    s, c = math.sin(turned - table[o, things.YAW]), math.cos(turned - table[o, things.YAW])
    first, last = math.inf, -math.inf
    before_a = before_s = 0.0
    for k in range(count + 1):
        dx, dz = corners[o, k % count, 0] - table[o, things.X], corners[o, k % count, 1] - table[o, things.Z]
        px, pz = middle_x + c * dx + s * dz - x, middle_z + c * dz - s * dx - z
        a, side = px * hx + pz * hz, px * hz - pz * hx
        if abs(side) <= half:
            first, last = min(first, a), max(last, a)
        if k > 0:
            for edge in (-half, half):
                if (before_s - edge) * (side - edge) < 0.0:
                    cut = before_a + (a - before_a) * (edge - before_s) / (side - before_s)
                    first, last = min(first, cut), max(last, cut)
        before_a, before_s = a, side
    return first, last


@part
def first_in_way(
    x: float, z: float, yaw: float, speed: float, reach: float, margin: float, count: int, near: NearObstacles
) -> tuple[int, float]:
    """The first of the obstacles found that a walker would meet straight ahead, -1 for none, and in how many metres."""
    best, where = reach, -1
    pace = max(speed, SLOWEST)
    for k in range(count):
        o = near.found[k]
        enter, leave = things.crossing(
            x, z, pace * math.sin(yaw), pace * math.cos(yaw), margin, o, near.table, near.corners
        )
        if not (leave > 0.0 and enter < leave and pace * max(0.0, enter) < best):
            continue
        if enter <= 0.0:
            # Already near it: what a walker leaves behind does not matter.
            _, away_x, away_z = things.distance(x, z, o, near.table, near.corners)
            if away_x * math.sin(yaw) + away_z * math.cos(yaw) > LEAVING:
                continue
        best, where = pace * max(0.0, enter), o
    return where, best


@part
def free_yaw(
    x: float,
    z: float,
    yaw: float,
    reach: float,
    margin: float,
    speed: float,
    side: float,
    count: int,
    near: NearObstacles,
) -> tuple[float, float, float]:
    """The yaw nearest to the wanted one, to one side of it, along which the way is free; how far off, and how long.

    It must be free as far as the corner that is passed, from where the walker goes straight again: the length is that
    to the corner and on to the place ``reach`` metres away where it wanted to be.
    """
    course, off, free = yaw, 0.0, reach
    tx, tz = x + reach * math.sin(yaw), z + reach * math.cos(yaw)
    length = reach
    for _ in range(MOST_TURNS):
        o, _ = first_in_way(x, z, course, speed, free, margin - SLACK, count, near)
        if o < 0:
            return course, off, length
        far, _, _ = things.distance(x, z, o, near.table, near.corners)
        keep = min(margin, far - BESIDE) if far > margin - TOO_NEAR else margin
        left_corner, left, right_corner, right = things.tangents(x, z, keep, o, near.table, near.corners)
        if left_corner < 0:
            return left, math.pi, length + NO_WAY  # too near: away from it
        corner, new = (left_corner, left) if side > 0.0 else (right_corner, right)
        turned = side * wrapped(new - course)
        if turned <= 1e-6:
            turned += 2.0 * math.pi if turned < -1.0 else ONWARD
        off += turned
        course += side * turned
        cx, cz = near.corners[o, corner, 0], near.corners[o, corner, 1]
        ahead = math.hypot(cx - x, cz - z)
        free = min(reach, ahead + BEYOND)
        length = ahead + math.hypot(tx - cx, tz - cz)
        if off > ROUND:
            return course, off, length + NO_WAY
    return course, off, length + NO_WAY


@part
def round_all(
    x: float,
    z: float,
    yaw: float,
    reach: float,
    margin: float,
    speed: float,
    side: float,
    count: int,
    near: NearObstacles,
) -> tuple[float, float, float]:
    """The yaw to take round everything in the way, the share of the speed, and the side: 1 left, -1 right, 0 none.

    ``side`` is the one that was taken up to now.
    """
    left, left_off, left_way = free_yaw(x, z, yaw, reach, margin, speed, 1.0, count, near)
    if left_off == 0.0:
        return yaw, 1.0, 0.0
    right, right_off, right_way = free_yaw(x, z, yaw, reach, margin, speed, -1.0, count, near)
    if left_way - OTHER_SIDE * side <= right_way:
        return left, CROWDED if left_off > ROUND else 1.0, 1.0
    return right, CROWDED if right_off > ROUND else 1.0, -1.0
