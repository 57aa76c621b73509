"""The misses of a pose's handles, and their normal equations in the coordinates of a space."""

from __future__ import annotations

import math

from locomote.math._compile import inline, part
from locomote.math.quaternion import conjugate, exp, log, multiply, quaternion, rotate, store
from locomote.math.vector import Floats, Vector, add, dot, norm, scale, subtract, unit, vector
from locomote.spaces._kernels.bundles import LOOK, POSITION, ROTATION, BodyArrays, HandleArrays, Pull, SpaceArrays, Work
from locomote.spaces._kernels.geodesics import (
    Matrix,
    add_turns,
    carry,
    from_cross,
    inverse_left_jacobian,
    joint_rotation,
    matrix_of,
    product,
    product_rates,
    right_jacobian,
    tangent,
)

ROOT_TURN = 0.3  # rad of a free root for one deviation
ROOT_SHIFT = 0.15  # m
_NEAREST = 0.05  # m; a place nearer than this gives no direction to look in

_NOTHING: Matrix = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
_ONE: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@part
def pose_body(n: int, space: SpaceArrays, handles: HandleArrays, body: BodyArrays, pull: Pull, work: Work) -> None:
    """Fill places, rotations and their rates of the joints above the handles of pose ``n``."""
    x = body.x[n]
    k = space.directions.shape[2]
    turns, moves = work.turns[0], work.moves[0]
    turns[:], moves[:] = 0.0, 0.0
    place, turn = vector(body.roots[n]), quaternion(body.turns[n])
    if x.shape[0] > k:
        w = ROOT_TURN * x[k], ROOT_TURN * x[k + 1], ROOT_TURN * x[k + 2]
        turn = multiply(turn, exp(w))
        rate = product(matrix_of(turn), right_jacobian(w))
        for c in range(3):
            for d in range(3):
                turns[c, k + d] = ROOT_TURN * rate[c][d]
            moves[c, k + 3 + c] = ROOT_SHIFT
        place = add(place, scale(vector(x[k + 3 :]), ROOT_SHIFT))
    work.places[0, 0], work.places[0, 1], work.places[0, 2] = place
    store(work.world[0], turn)
    for i in range(handles.moved.shape[0]):
        j = handles.moved[i]
        p = space.parents[j]
        above = quaternion(work.world[p])
        lever = rotate(above, vector(space.offsets[j]))
        work.places[j, 0], work.places[j, 1], work.places[j, 2] = add(vector(work.places[p]), lever)
        carry(lever, work.turns[j], work.moves[j], work.turns[p], work.moves[p])
        directions = space.directions[j]
        own = multiply(above, quaternion(space.mean[j]))
        if pull.as_product:
            own = multiply(own, joint_rotation(directions, x, True))
            product_rates(directions, x, work.rows)
            add_turns(matrix_of(own), work.rows[:, :k], work.turns[j])
        else:
            w = tangent(directions, x)
            own = multiply(own, exp(w))
            add_turns(product(matrix_of(own), right_jacobian(w)), directions, work.turns[j])
        store(work.world[j], multiply(own, quaternion(body.details[n, j])))


@part
def assemble(
    n: int, at: int, space: SpaceArrays, handles: HandleArrays, body: BodyArrays, pull: Pull, work: Work
) -> float:
    """The cost of the handles and limits of pose ``n``; fill its normal equations, row ``at`` of the memory."""
    pose_body(n, space, handles, body, pull, work)
    normal, gradient, rows = work.normal[at], work.gradient[at], work.rows
    normal[:], gradient[:] = 0.0, 0.0
    cost = 0.0
    for h in range(handles.joints.shape[0]):
        weight = handles.weights[n, h]
        miss, by_move, by_turn = handle_rates(n, h, handles, work.places, work.world)
        body.errors[n, h] = size_of_miss(handles.kinds[h], miss)
        if weight > 0.0:
            _fill(work.moves[handles.joints[h]], work.turns[handles.joints[h]], by_move, by_turn, weight, rows)
            for c in range(3):
                _add_row(rows[c], weight * miss[c], normal, gradient)
                cost += weight * weight * miss[c] * miss[c]
    if pull.limits > 0.0:
        cost += _limits(body.x[n], body.centre[n], space, pull.limits, rows[0], normal, gradient)
    return cost


@inline
def handle_rates(n: int, h: int, handles: HandleArrays, places: Floats, world: Floats) -> tuple[Vector, Matrix, Matrix]:
    """By how much a handle misses, and how that changes with the joint's move and with its turn."""
    j = handles.joints[h]
    target, turn = handles.targets[n, h], quaternion(world[j])
    if handles.kinds[h] == ROTATION:
        miss = log(multiply(turn, conjugate(quaternion(target))))
        return miss, _NOTHING, inverse_left_jacobian(miss)
    lever = rotate(turn, vector(handles.points[h]))
    way = subtract(vector(target), add(vector(places[j]), lever))
    if handles.kinds[h] == POSITION:
        return scale(way, -1.0), _ONE, from_cross(0.0, lever, -1.0, 0.0)
    axis = rotate(turn, vector(handles.axes[h]))
    far = max(norm(way), _NEAREST)
    sight = unit(way, axis)
    # The direction to the target changes by the part of the move square to it, over the distance.
    x, y, z = sight
    over = 1.0 / far
    by_move = (
        (over * (1.0 - x * x), -over * x * y, -over * x * z),
        (-over * x * y, over * (1.0 - y * y), -over * y * z),
        (-over * x * z, -over * y * z, over * (1.0 - z * z)),
    )
    by_lever = product(by_move, from_cross(0.0, lever, -1.0, 0.0))
    by_axis = from_cross(0.0, axis, -1.0, 0.0)
    by_turn = add(by_axis[0], by_lever[0]), add(by_axis[1], by_lever[1]), add(by_axis[2], by_lever[2])
    return subtract(axis, sight), by_move, by_turn


@inline
def size_of_miss(kind: int, miss: Vector) -> float:
    """Metres of a position, radians of a rotation or a look."""
    size = norm(miss)
    return size if kind != LOOK else 2.0 * math.asin(min(0.5 * size, 1.0))


@inline
def _fill(moves: Floats, turns: Floats, by_move: Matrix, by_turn: Matrix, weight: float, rows: Floats) -> None:
    """Three rows of the Jacobian of a handle."""
    for c in range(3):
        a, b, d = scale(by_move[c], weight)
        e, f, g = scale(by_turn[c], weight)
        for i in range(rows.shape[1]):
            rows[c, i] = a * moves[0, i] + b * moves[1, i] + d * moves[2, i]
            rows[c, i] += e * turns[0, i] + f * turns[1, i] + g * turns[2, i]


@inline
def _add_row(row: Floats, miss: float, normal: Floats, gradient: Floats) -> None:
    for i in range(row.shape[0]):
        own = row[i]
        gradient[i] += own * miss
        for m in range(row.shape[0]):
            normal[i, m] += own * row[m]


@inline
def _limits(
    x: Floats, centre: Floats, space: SpaceArrays, weight: float, row: Floats, normal: Floats, gradient: Floats
) -> float:
    """Joints beyond the ellipsoids of what was recorded are drawn back, but not further than where they started."""
    cost = 0.0
    for i in range(space.limited.shape[0]):
        j = space.limited[i]
        way, size = _reach_of_limit(j, x, space)
        if size > 1.0:
            beyond = size - max(_reach_of_limit(j, centre, space)[1], 1.0)
            if beyond > 0.0:
                directions, slope = space.directions[j], scale(way, weight / size)
                for c in range(row.shape[0]):
                    row[c] = 0.0
                for c in range(directions.shape[1]):
                    row[c] = slope[0] * directions[0, c] + slope[1] * directions[1, c] + slope[2] * directions[2, c]
                _add_row(row, weight * beyond, normal, gradient)
                cost += (weight * beyond) ** 2
    return cost


@inline
def _reach_of_limit(j: int, x: Floats, space: SpaceArrays) -> tuple[Vector, float]:
    """How far a joint is from the middle of its ellipsoid, whose edge is at 1, and half the slope of the square."""
    off, a = subtract(tangent(space.directions[j], x), vector(space.centres[j])), space.matrices[j]
    way = dot(vector(a[0]), off), dot(vector(a[1]), off), dot(vector(a[2]), off)
    return way, math.sqrt(max(dot(off, way), 0.0))
