"""Obstacles in the plan: how far they are, when a way meets them, and what of them a walker sees.

Every function takes the row of one obstacle in the ``table (M, 12)`` and ``corners (M, 16, 2)`` of `obstacle_layout`.
They see it as it stands now: `as_of` brings a point of a later moment into the present of an obstacle that moves.
"""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Pair, Vector
from locomote.world._kernels.obstacle_layout import (
    COLUMNS,
    CORNERS,
    HEIGHT,
    MOST_CORNERS,
    RADIUS,
    TURN,
    VX,
    VZ,
    YAW,
    X,
    Z,
)

__all__ = [
    "COLUMNS",
    "CORNERS",
    "HEIGHT",
    "MOST_CORNERS",
    "NEVER",
    "RADIUS",
    "TURN",
    "VX",
    "VZ",
    "YAW",
    "X",
    "Z",
    "as_of",
    "crossing",
    "distance",
    "distances",
    "extent",
    "moves",
    "place",
    "tangents",
]

NEVER = math.inf  # s, at which what does not happen begins; it ends at -NEVER
_AT_REST = 1e-12  # m/s


@inline
def place(ahead: float, o: int, table: Floats) -> Vector:
    """Where an obstacle is ``ahead`` seconds from now: ``(x, z, yaw)``."""
    x = table[o, X] + ahead * table[o, VX]
    z = table[o, Z] + ahead * table[o, VZ]
    return x, z, table[o, YAW] + ahead * table[o, TURN]


@inline
def moves(o: int, table: Floats) -> bool:
    """Whether an obstacle moves or turns."""
    return bool(table[o, VX] != 0.0 or table[o, VZ] != 0.0 or table[o, TURN] != 0.0)


@inline
def as_of(x: float, z: float, ahead: float, o: int, table: Floats) -> Pair:
    """A point that is seen ``ahead`` seconds from now, as it lies to the obstacle in its present place.

    Distances stay: the point is as far from the obstacle of now as the given one from that of then.
    """
    angle = -ahead * table[o, TURN]
    sine, cosine = math.sin(angle), math.cos(angle)
    dx = x - table[o, X] - ahead * table[o, VX]
    dz = z - table[o, Z] - ahead * table[o, VZ]
    return table[o, X] + cosine * dx + sine * dz, table[o, Z] + cosine * dz - sine * dx


@part
def distance(x: float, z: float, o: int, table: Floats, corners: Floats) -> Vector:
    """How far a point is from an obstacle, negative inside, and the direction ``(x, z)`` away from it.

    The direction is that in which the distance grows by a metre a metre.
    """
    count = int(table[o, CORNERS])
    deepest, away_x, away_z = -math.inf, 0.0, 1.0  # the edge that the point is least behind, or most before
    nearest, near_x, near_z = math.inf, 0.0, 0.0  # squared, to the outline
    ax, az = corners[o, count - 1, 0], corners[o, count - 1, 1]
    for k in range(count):
        bx, bz = corners[o, k, 0], corners[o, k, 1]
        ex, ez = bx - ax, bz - az
        px, pz = x - ax, z - az
        length = math.sqrt(ex * ex + ez * ez)
        before = (ex * pz - ez * px) / length
        if before > deepest:
            deepest, away_x, away_z = before, -ez / length, ex / length
        share = min(max((px * ex + pz * ez) / (length * length), 0.0), 1.0)
        dx, dz = px - share * ex, pz - share * ez
        off = dx * dx + dz * dz
        if off < nearest:
            nearest, near_x, near_z = off, dx, dz
        ax, az = bx, bz
    far = math.sqrt(nearest)
    if deepest <= 0.0:
        return deepest, away_x, away_z
    if not far > 1e-150:
        return 0.0, away_x, away_z
    return far, near_x / far, near_z / far


@part
def crossing(x: float, z: float, vx: float, vz: float, margin: float, o: int, table: Floats, corners: Floats) -> Pair:
    """From when until when, in seconds, a point with a velocity is less than ``margin`` from an obstacle.

    Both move evenly; the turn of the obstacle is left out. The time runs from before now: where the point is within
    the margin now, the first is negative. ``(NEVER, -NEVER)`` if it never is, the other way round if it always is.
    """
    vx, vz = vx - table[o, VX], vz - table[o, VZ]
    speed = math.sqrt(vx * vx + vz * vz)
    if speed < _AT_REST:
        inside = distance(x, z, o, table, corners)[0] <= margin
        return (-NEVER, NEVER) if inside else (NEVER, -NEVER)
    dx, dz = vx / speed, vz / speed
    cx, cz = table[o, X] - x, table[o, Z] - z
    if abs(cx * dz - cz * dx) > table[o, RADIUS] + margin:
        return NEVER, -NEVER
    count = int(table[o, CORNERS])
    # The obstacle with its margin is the outline itself, a strip along every edge and a disc about every corner.
    enter, leave = -NEVER, NEVER  # of the outline itself: behind all of its edges
    first, last = NEVER, -NEVER  # of the strips and discs
    ax, az = corners[o, count - 1, 0] - x, corners[o, count - 1, 1] - z
    for k in range(count):
        bx, bz = corners[o, k, 0] - x, corners[o, k, 1] - z
        ex, ez = bx - ax, bz - az
        length = math.sqrt(ex * ex + ez * ez)
        nx, nz = -ez / length, ex / length
        towards = dx * nx + dz * nz
        gap = ax * nx + az * nz
        if abs(towards) < 1e-14:
            if gap < 0.0:
                enter, leave = NEVER, -NEVER
        else:
            at = gap / towards
            if towards < 0.0:
                enter = max(enter, at)
            else:
                leave = min(leave, at)
            at = (gap + margin) / towards
            along = ((at * dx - ax) * ex + (at * dz - az) * ez) / length
            if 0.0 <= along <= length:
                first, last = min(first, at), max(last, at)
        middle, aside = bx * dx + bz * dz, bx * dz - bz * dx
        if abs(aside) <= margin:
            half = math.sqrt(margin * margin - aside * aside)
            first, last = min(first, middle - half), max(last, middle + half)
        ax, az = bx, bz
    if enter <= leave:
        first, last = min(first, enter), max(last, leave)
    return first / speed, last / speed


@inline
def extent(
    x: float, z: float, heading_x: float, heading_z: float, o: int, table: Floats, corners: Floats
) -> tuple[float, float, float, float]:
    """The rectangle along a unit heading that holds an obstacle, from a point: ``(near, far, left, right)``.

    Near and far are metres ahead; left and right are metres to the left, so that right is the smaller one.
    """
    near, far, left, right = math.inf, -math.inf, -math.inf, math.inf
    for k in range(int(table[o, CORNERS])):
        dx, dz = corners[o, k, 0] - x, corners[o, k, 1] - z
        ahead, aside = heading_x * dx + heading_z * dz, heading_z * dx - heading_x * dz
        near, far = min(near, ahead), max(far, ahead)
        left, right = max(left, aside), min(right, aside)
    return near, far, left, right


@part
def tangents(
    x: float, z: float, margin: float, o: int, table: Floats, corners: Floats
) -> tuple[int, float, int, float]:
    """The ways past an obstacle at a margin, from a point: ``(left corner, left yaw, right corner, right yaw)``.

    A corner is its number in ``corners[o]``; going from the point along a yaw one passes it at just the margin. The
    left yaw is the larger one. Within the margin there is no such way: both corners are -1 and the yaws lead away.
    """
    far, away_x, away_z = distance(x, z, o, table, corners)
    if far <= margin:
        away = math.atan2(away_x, away_z)
        return -1, away, -1, away
    middle_x, middle_z = table[o, X] - x, table[o, Z] - z
    towards = math.atan2(middle_x, middle_z)
    left, right, left_corner, right_corner = -math.inf, math.inf, -1, -1
    for k in range(int(table[o, CORNERS])):
        dx, dz = corners[o, k, 0] - x, corners[o, k, 1] - z
        aside = math.atan2(middle_z * dx - middle_x * dz, middle_x * dx + middle_z * dz)
        wide = math.asin(min(1.0, margin / math.sqrt(dx * dx + dz * dz)))
        if aside + wide > left:
            left, left_corner = aside + wide, k
        if aside - wide < right:
            right, right_corner = aside - wide, k
    return left_corner, towards + left, right_corner, towards + right


@kernel
def distances(points: Floats, ahead: float, table: Floats, corners: Floats, out: Floats) -> None:
    """Fill ``out (N,)`` with the distance of each of ``points (N, 2)`` to the nearest obstacle, infinite if none."""
    for n in range(points.shape[0]):
        best = math.inf
        for o in range(table.shape[0]):
            dx = points[n, 0] - table[o, X] - ahead * table[o, VX]
            dz = points[n, 1] - table[o, Z] - ahead * table[o, VZ]
            # No part of an obstacle is farther from its middle than its radius.
            if math.sqrt(dx * dx + dz * dz) - table[o, RADIUS] < best:
                x, z = as_of(points[n, 0], points[n, 1], ahead, o, table)
                best = min(best, distance(x, z, o, table, corners)[0])
        out[n] = best
