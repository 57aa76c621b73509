"""Poses along geodesics, and how their points move with the coordinates.

A pose of a space is ``mean * exp(w)`` for each joint. In the sum form (coordinates of the first kind) ``w`` is the sum
of the coordinates times their directions; in the product form (of the second kind) the exponentials of the single
directions are multiplied, the first one first.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from locomote.math._compile import inline, kernel, part
from locomote.math.quaternion import Quaternion, conjugate, exp, multiply, quaternion, rotate, store
from locomote.math.vector import Floats, Ints, Vector, add, norm, scale, vector

Matrix: TypeAlias = tuple[Vector, Vector, Vector]  # by rows

_SMALL = 1e-3  # rad; below it series replace quotients of which both parts vanish


@inline
def matrix_of(q: Quaternion) -> Matrix:
    """The rotation matrix of a quaternion."""
    w, x, y, z = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


@inline
def from_cross(one: float, v: Vector, first: float, second: float) -> Matrix:
    """The matrix ``one I + first [v] + second [v]²``, where ``[v] a`` is ``v x a``."""
    x, y, z = v
    return (
        (one - second * (y * y + z * z), second * x * y - first * z, second * x * z + first * y),
        (second * x * y + first * z, one - second * (x * x + z * z), second * y * z - first * x),
        (second * x * z - first * y, second * y * z + first * x, one - second * (x * x + y * y)),
    )


@inline
def right_jacobian(w: Vector) -> Matrix:
    """How fast ``exp(w)`` turns, in its own frame, as ``w`` changes."""
    angle = norm(w)
    if angle < _SMALL:
        return from_cross(1.0, w, -0.5 + angle * angle / 24.0, 1.0 / 6.0 - angle * angle / 120.0)
    square = angle * angle
    return from_cross(1.0, w, -(1.0 - math.cos(angle)) / square, (angle - math.sin(angle)) / (square * angle))


@inline
def inverse_left_jacobian(w: Vector) -> Matrix:
    """How fast the rotation vector ``w`` changes as its rotation turns, in the frame outside of it."""
    angle = norm(w)
    if angle < _SMALL:
        return from_cross(1.0, w, -0.5, 1.0 / 12.0 + angle * angle / 720.0)
    half = 0.5 * angle
    return from_cross(1.0, w, -0.5, (1.0 - half / math.tan(half)) / (angle * angle))


@inline
def product(a: Matrix, b: Matrix) -> Matrix:
    """The product of two matrices."""
    return row_times(a[0], b), row_times(a[1], b), row_times(a[2], b)


@inline
def row_times(a: Vector, b: Matrix) -> Vector:
    """A row times a matrix."""
    return add(add(scale(b[0], a[0]), scale(b[1], a[1])), scale(b[2], a[2]))


@inline
def tangent(directions: Floats, x: Floats) -> Vector:
    """The sum of the directions ``(3, k)`` of one joint times the coordinates ``(k,)``."""
    a, b, c = 0.0, 0.0, 0.0
    for j in range(directions.shape[1]):
        a += directions[0, j] * x[j]
        b += directions[1, j] * x[j]
        c += directions[2, j] * x[j]
    return a, b, c


@inline
def factor(directions: Floats, x: Floats, j: int) -> Quaternion:
    """The rotation along one direction of one joint."""
    return exp((directions[0, j] * x[j], directions[1, j] * x[j], directions[2, j] * x[j]))


@inline
def joint_rotation(directions: Floats, x: Floats, as_product: bool) -> Quaternion:
    """The rotation of one joint against its mean."""
    if not as_product:
        return exp(tangent(directions, x))
    q = 1.0, 0.0, 0.0, 0.0
    for j in range(directions.shape[1]):
        q = multiply(q, factor(directions, x, j))
    return q


@inline
def product_rates(directions: Floats, x: Floats, rates: Floats) -> None:
    """Fill ``rates (3, k)``: how the product of one joint's factors turns with each coordinate, in its own frame."""
    after = 1.0, 0.0, 0.0, 0.0
    for j in range(directions.shape[1] - 1, -1, -1):
        own = directions[0, j], directions[1, j], directions[2, j]
        rates[0, j], rates[1, j], rates[2, j] = rotate(conjugate(after), own)
        after = multiply(factor(directions, x, j), after)


@kernel
def geodesic_poses(mean: Floats, directions: Floats, coordinates: Floats, as_product: bool, out: Floats) -> None:
    """Fill ``out (N, J, 4)`` from ``mean (J, 4)``, ``directions (J, 3, k)`` and ``coordinates (N, k)``."""
    for n in range(coordinates.shape[0]):
        for j in range(mean.shape[0]):
            turn = joint_rotation(directions[j], coordinates[n], as_product)
            store(out[n, j], multiply(quaternion(mean[j]), turn))


@part
def add_turns(matrix: Matrix, rates: Floats, turns: Floats) -> None:
    """Add ``matrix @ rates`` to the first columns of ``turns``; both have three rows."""
    for c in range(3):
        a, b, d = matrix[c]
        for j in range(rates.shape[1]):
            turns[c, j] += a * rates[0, j] + b * rates[1, j] + d * rates[2, j]


@inline
def carry(lever: Vector, turns: Floats, moves: Floats, parent_turns: Floats, parent_moves: Floats) -> None:
    """Take the rates of a parent over to its child: it turns as the parent does and moves as its own place there."""
    x, y, z = lever
    for j in range(turns.shape[1]):
        a, b, c = parent_turns[0, j], parent_turns[1, j], parent_turns[2, j]
        turns[0, j], turns[1, j], turns[2, j] = a, b, c
        moves[0, j] = parent_moves[0, j] + b * z - c * y
        moves[1, j] = parent_moves[1, j] + c * x - a * z
        moves[2, j] = parent_moves[2, j] + a * y - b * x


@kernel
def point_jacobians(
    parents: Ints,
    offsets: Floats,
    mean: Floats,
    directions: Floats,
    coordinates: Floats,
    roots: Floats,
    path: Ints,
    point: Floats,
    as_product: bool,
    scratch: Floats,
    out: Floats,
) -> None:
    """Fill ``out (N, 3, k)``: how a point of the last joint of ``path`` moves in the world with each coordinate.

    ``path`` are joints from the root down, ``roots (N, 4)`` the root's rotations, ``scratch (5, 3, k)``.
    """
    turns, moves, old_turns, old_moves, rates = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    for n in range(coordinates.shape[0]):
        x = coordinates[n]
        world = quaternion(roots[n])
        turns[:], moves[:] = 0.0, 0.0
        for step in range(1, path.shape[0]):
            j = path[step]
            old_turns[:], old_moves[:] = turns, moves
            carry(rotate(world, vector(offsets[j])), turns, moves, old_turns, old_moves)
            turn = joint_rotation(directions[j], x, as_product)
            world = multiply(world, multiply(quaternion(mean[j]), turn))
            if as_product:
                product_rates(directions[j], x, rates)
                add_turns(matrix_of(world), rates, turns)
            else:
                add_turns(product(matrix_of(world), right_jacobian(tangent(directions[j], x))), directions[j], turns)
        carry(rotate(world, vector(point)), old_turns, out[n], turns, moves)
