"""Quaternions ``(w, x, y, z)``: as tuples of floats for use inside kernels, and as kernels over many of them.

The functions on single quaternions are the parts of other kernels; the batches fill an array that the caller
brings. All mean the same as their namesakes in `locomote.rotations`.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats, Vector, cross, dot, norm, scale, square_to, vector

Quaternion: TypeAlias = tuple[float, float, float, float]

_SMALL_ANGLE = 1e-4  # rad; below it a series replaces sin(x) / x
_MEAN_ROUNDS = 32  # at most; a mean of rotations that lie together takes three or four
_MEAN_STEP = 1e-13  # rad; the mean has settled when it moves less
_OPPOSITE = 1e-9  # 1 + cosine of the angle above which two directions count as opposite


@inline
def quaternion(row: Floats) -> Quaternion:
    """Four numbers of an array as a quaternion."""
    return row[0], row[1], row[2], row[3]


@inline
def store(row: Floats, q: Quaternion) -> None:
    """Write a quaternion into an array."""
    row[0], row[1], row[2], row[3] = q


@inline
def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """The product ``a b``: first turn by ``b``, then by ``a``."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@inline
def conjugate(q: Quaternion) -> Quaternion:
    """The inverse of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


@inline
def normalize(q: Quaternion) -> Quaternion:
    """The quaternion of unit length; the identity for a zero quaternion."""
    length = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if not length > 0.0:
        return 1.0, 0.0, 0.0, 0.0
    return q[0] / length, q[1] / length, q[2] / length, q[3] / length


@inline
def canonical(q: Quaternion) -> Quaternion:
    """The same rotation written with ``w >= 0``."""
    if q[0] < 0.0:
        return -q[0], -q[1], -q[2], -q[3]
    return q


@inline
def rotate(q: Quaternion, v: Vector) -> Vector:
    """The vector ``v`` turned by ``q``."""
    tx = 2.0 * (q[2] * v[2] - q[3] * v[1])
    ty = 2.0 * (q[3] * v[0] - q[1] * v[2])
    tz = 2.0 * (q[1] * v[1] - q[2] * v[0])
    return (
        v[0] + q[0] * tx + q[2] * tz - q[3] * ty,
        v[1] + q[0] * ty + q[3] * tx - q[1] * tz,
        v[2] + q[0] * tz + q[1] * ty - q[2] * tx,
    )


@inline
def about_up(angle: float) -> Quaternion:
    """The rotation by an angle about +Y."""
    return math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0


@inline
def exp(v: Vector) -> Quaternion:
    """The rotation by ``|v|`` about ``v``."""
    angle = norm(v)
    factor = 0.5 - angle * angle / 48.0 if angle < _SMALL_ANGLE else math.sin(0.5 * angle) / angle
    return math.cos(0.5 * angle), factor * v[0], factor * v[1], factor * v[2]


@inline
def log(q: Quaternion) -> Vector:
    """The rotation vector of ``q``, of length at most pi."""
    q = canonical(q)
    sine = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    factor = 2.0 + sine * sine / 3.0 if sine < 0.5 * _SMALL_ANGLE else 2.0 * math.atan2(sine, q[0]) / sine
    return factor * q[1], factor * q[2], factor * q[3]


@inline
def slerp(a: Quaternion, b: Quaternion, t: float) -> Quaternion:
    """The rotation a fraction ``t`` of the short way from ``a`` to ``b``."""
    step = log(multiply(conjugate(a), b))
    return multiply(a, exp((t * step[0], t * step[1], t * step[2])))


@inline
def between(a: Vector, b: Vector) -> Quaternion:
    """The smallest rotation that turns the unit vector ``a`` into the unit vector ``b``."""
    w = 1.0 + dot(a, b)
    if w < _OPPOSITE:
        axis = square_to(a)
        return 0.0, axis[0], axis[1], axis[2]
    axis = cross(a, b)
    return normalize((w, axis[0], axis[1], axis[2]))


@inline
def twist_about(q: Quaternion, axis: Vector) -> Quaternion:
    """The part of ``q`` that turns about the unit vector ``axis``: ``q = swing * twist``."""
    along = q[1] * axis[0] + q[2] * axis[1] + q[3] * axis[2]
    return normalize((q[0], along * axis[0], along * axis[1], along * axis[2]))


@inline
def from_axes(x: Vector, y: Vector, z: Vector) -> Quaternion:
    """The rotation that turns the world's axes into the orthonormal ``x``, ``y`` and ``z``."""
    squares = (
        1.0 + x[0] + y[1] + z[2],
        1.0 + x[0] - y[1] - z[2],
        1.0 - x[0] + y[1] - z[2],
        1.0 - x[0] - y[1] + z[2],
    )
    # Each is four times the square of a component and they sum to 4: one is at least 1, a safe divisor.
    if squares[0] >= 1.0:
        return canonical(normalize((squares[0], y[2] - z[1], z[0] - x[2], x[1] - y[0])))
    if squares[1] >= 1.0:
        return canonical(normalize((y[2] - z[1], squares[1], x[1] + y[0], z[0] + x[2])))
    if squares[2] >= 1.0:
        return canonical(normalize((z[0] - x[2], x[1] + y[0], squares[2], y[2] + z[1])))
    return canonical(normalize((x[1] - y[0], z[0] + x[2], y[2] + z[1], squares[3])))


@kernel
def exp_batch(vectors: Floats, out: Floats) -> None:
    """Fill ``out (N, 4)`` with the rotations by ``|v|`` about ``v`` for the rows of ``vectors (N, 3)``."""
    for n in range(vectors.shape[0]):
        store(out[n], exp(vector(vectors[n])))


@kernel
def log_batch(rotations: Floats, out: Floats) -> None:
    """Fill ``out (N, 3)`` with the rotation vectors of ``rotations (N, 4)``, of length at most pi."""
    for n in range(rotations.shape[0]):
        out[n, 0], out[n, 1], out[n, 2] = log(quaternion(rotations[n]))


@kernel
def slerp_batch(a: Floats, b: Floats, t: Floats, out: Floats) -> None:
    """Fill ``out (N, 4)``: a fraction ``t (N,)`` of the short way from ``a (N, 4)`` to ``b (N, 4)``."""
    for n in range(a.shape[0]):
        store(out[n], slerp(quaternion(a[n]), quaternion(b[n]), t[n]))


@kernel
def swing_twist_batch(rotations: Floats, axes: Floats, swings: Floats, twists: Floats) -> None:
    """Split ``rotations (N, 4)`` into ``swings * twists``, twists about the unit vectors ``axes (N, 3)``."""
    for n in range(rotations.shape[0]):
        q = quaternion(rotations[n])
        twist = twist_about(q, vector(axes[n]))
        store(twists[n], twist)
        store(swings[n], multiply(q, conjugate(twist)))


@kernel
def weighted_mean_batch(rotations: Floats, weights: Floats, out: Floats) -> None:
    """Fill ``out (N, 4)`` with the means of ``rotations (N, K, 4)`` under ``weights (N, K)``, none negative.

    The mean is the rotation to which the weighted squared angles sum least. It is one point where the
    rotations lie within a quarter turn of each other; where all weights are 0 it is the identity.
    """
    for n in range(rotations.shape[0]):
        store(out[n], _mean(rotations[n], weights[n]))


@inline
def _mean(rotations: Floats, weights: Floats) -> Quaternion:
    count = rotations.shape[0]
    total = 0.0
    heaviest = 0
    for k in range(count):
        total += weights[k]
        if weights[k] > weights[heaviest]:
            heaviest = k
    if not total > 0.0:
        return 1.0, 0.0, 0.0, 0.0
    # Start from the sum of the quaternions, each with the sign nearer to the centre so far.
    centre = quaternion(rotations[heaviest])
    for _ in range(2):
        w, x, y, z = 0.0, 0.0, 0.0, 0.0
        for k in range(count):
            q = quaternion(rotations[k])
            near = centre[0] * q[0] + centre[1] * q[1] + centre[2] * q[2] + centre[3] * q[3]
            weight = weights[k] if near >= 0.0 else -weights[k]
            w, x, y, z = w + weight * q[0], x + weight * q[1], y + weight * q[2], z + weight * q[3]
        centre = normalize((w, x, y, z))
    for _ in range(_MEAN_ROUNDS):
        back = conjugate(centre)
        x, y, z = 0.0, 0.0, 0.0
        for k in range(count):
            v = log(multiply(back, quaternion(rotations[k])))
            x, y, z = x + weights[k] * v[0], y + weights[k] * v[1], z + weights[k] * v[2]
        step = scale((x, y, z), 1.0 / total)
        centre = normalize(multiply(centre, exp(step)))
        if norm(step) < _MEAN_STEP:
            break
    return canonical(centre)
