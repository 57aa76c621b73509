"""Rows that velocities must obey: planted feet stay, points do not go into the ground, joints keep their ranges."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Ints, Vector, cross, dot, mix, scale, square_to, subtract, vector
from locomote.physics._kernels.reduced_dynamics import ROOT, State, Tree, Work, times
from locomote.physics._kernels.wishes import limited, point_rows
from locomote.spaces._kernels.geodesics import tangent

WAYS = 4  # sides of the pyramid of friction
NEAR = 0.02  # m above the ground from which a point is watched
_BACK, _FASTEST_BACK = 0.2, 0.5  # of a penetration that is undone in a step, and m/s at most
_HELD, _FASTEST_HELD = 0.2, 0.5  # of what a planted foot is off that is undone in a step, and m/s at most
_WATCHED = 0.5  # of the room within its range that is left to a joint from which it is watched
_INSIDE = 0.95  # of the radii of a range: room for the bend of its surface within a step
_RECOVERY = 2.0  # 1/s, of a joint that begins outside of its range


class Touch(NamedTuple):
    """Points that may touch the ground, the ground, and feet that stand still on it."""

    bodies: Ints  # (C,)
    points: Floats  # (C, 3) in the frames of the bodies
    ground: Floats  # (C, 6) a place of the ground below each point, and its normal
    active: Ints  # (C,) 1: watched
    friction: Floats  # (1,)
    gaps: Floats  # (C,) found: m above the ground
    places: Floats  # (C, 3) found
    feet: Ints  # (L,) bodies
    soles: Floats  # (L, 3) their middles, in the frames of the bodies
    anchors: Floats  # (L, 3) where the middle stays
    planted: Ints  # (L,) 1: they stand


class Ranges(NamedTuple):
    """Ellipsoids in which the rotation vectors of joints stay."""

    bodies: Ints  # (E,)
    centres: Floats  # (E, 3)
    matrices: Floats  # (E, 3, 3)


class Bounds(NamedTuple):
    """Rows found: ``equal @ v = level`` and ``above @ v >= least``."""

    equal: Floats
    level: Floats
    above: Floats
    least: Floats
    contact: Ints  # of rows of ``above``: the point, or -1
    memory: Floats  # (3, N)


def make_bounds(points: int, feet: int, joints: int, n: int, extra: int) -> Bounds:
    """Memory for rows; ``extra`` equalities are filled by others."""
    equal, above = 3 * feet + extra, WAYS * points + joints
    return Bounds(
        np.zeros((equal, n)),
        np.zeros(equal),
        np.zeros((above, n)),
        np.zeros(above),
        np.zeros(above, dtype=np.int64),
        np.zeros((3, n)),
    )


@inline
def pyramid(way: int, normal: Vector, friction: float) -> Vector:
    """An edge of the pyramid of friction: what a force along it has of the normal is 1."""
    side = square_to(normal)
    other = cross(normal, side)
    sign = friction if way < 2 else -friction
    return mix(normal, 1.0, side, sign) if way % 2 == 0 else mix(normal, 1.0, other, sign)


@part
def fill_planted(h: float, touch: Touch, state: State, work: Work, bounds: Bounds) -> int:
    """Equalities of the feet that stand; how many.

    The middle of the sole stays; that it lies flat is a wish. All six rows of both feet ask of a space of fifteen
    directions what it can hardly do: joints would fly.
    """
    count = 0
    for f in range(touch.feet.shape[0]):
        if touch.planted[f] == 0:
            continue
        body, anchor = touch.feet[f], touch.anchors[f]
        place = point_rows(body, vector(touch.soles[f]), state, work, bounds.equal[count : count + 3])
        back = limited(subtract(vector(anchor), place), h * _FASTEST_HELD / _HELD)
        for c in range(3):
            bounds.level[count + c] = _HELD * back[c] / h
        count += 3
    return count


@part
def fill_touching(h: float, touch: Touch, state: State, work: Work, bounds: Bounds) -> int:
    """Rows of the points near the ground, with friction (PGD-09, PGD-10); how many."""
    count, n = 0, state.v.shape[0]
    for c in range(touch.bodies.shape[0]):
        rows = bounds.memory
        place = point_rows(touch.bodies[c], vector(touch.points[c]), state, work, rows)
        normal = vector(touch.ground[c, 3:])
        gap = dot(subtract(place, vector(touch.ground[c])), normal)
        touch.gaps[c] = gap
        touch.places[c, 0], touch.places[c, 1], touch.places[c, 2] = place
        closing = 0.0
        for d in range(3):
            for j in range(n):
                closing -= normal[d] * rows[d, j] * state.v[j]
        if touch.active[c] == 0 or gap > NEAR + 2.0 * h * max(closing, 0.0):
            continue
        least = -gap / h if gap > 0.0 else min(-_BACK * gap / h, _FASTEST_BACK)
        for way in range(WAYS):
            edge = pyramid(way, normal, touch.friction[0])
            for j in range(n):
                bounds.above[count, j] = edge[0] * rows[0, j] + edge[1] * rows[1, j] + edge[2] * rows[2, j]
            bounds.least[count] = least
            bounds.contact[count] = c
            count += 1
    return count


@part
def fill_ranges(h: float, first: int, tree: Tree, state: State, ranges: Ranges, bounds: Bounds) -> int:
    """Rows of the joints near the ends of their ranges (PGD-22), after ``first`` others; how many there are then."""
    count, k = first, state.x.shape[0]
    for e in range(ranges.bodies.shape[0]):
        directions = tree.directions[ranges.bodies[e]]
        rows = ranges.matrices[e]
        matrix = vector(rows[0]), vector(rows[1]), vector(rows[2])
        off = subtract(tangent(directions, state.x), vector(ranges.centres[e]))
        pull = scale(times(matrix, off), 1.0 / (_INSIDE * _INSIDE))
        rate = tangent(directions, state.v[ROOT:])
        inside, bend = 1.0 - dot(pull, off), dot(rate, times(matrix, rate))
        if inside > _WATCHED:
            continue
        for i in range(ROOT):
            bounds.above[count, i] = 0.0
        for j in range(k):
            bounds.above[count, ROOT + j] = -2.0 * (
                pull[0] * directions[0, j] + pull[1] * directions[1, j] + pull[2] * directions[2, j]
            )
        # The surface bends away from its tangent: by as much as the last velocity would have gone past it.
        room = inside - h * h * bend
        bounds.least[count] = -room / h if inside > 0.0 else min(-room / h, _RECOVERY)
        bounds.contact[count] = -1
        count += 1
    return count
