"""Quaternions, exponential maps and headings, over any leading batch axes.

A quaternion is ``(w, x, y, z)`` on the last axis and of unit length. ``multiply(a, b)`` turns by ``b`` first,
so that ``rotate(multiply(a, b), v) == rotate(a, rotate(b, v))``. Angles are radians, +Y is up, yaw 0 faces
+Z.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError

FloatArray = npt.NDArray[np.float64]
ArrayLike = npt.ArrayLike

IDENTITY: FloatArray = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY.setflags(write=False)

_SMALL_ANGLE = 1e-4  # rad; below it a series replaces sin(x) / x
_LARGE, _BLOCK = 1 << 19, 1 << 13  # numbers from which on, and rotations, of one block
_AXES = {"x": 0, "y": 1, "z": 2}


def identity(*shape: int) -> FloatArray:
    """Identity rotations of shape ``(*shape, 4)``."""
    out = np.zeros((*shape, 4))
    out[..., 0] = 1.0
    return out


def normalize(q: ArrayLike) -> FloatArray:
    """Quaternions of unit length; a zero quaternion becomes the identity."""
    q = np.asarray(q, dtype=np.float64)
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    safe = np.where(length > 0.0, length, 1.0)
    return np.where(length > 0.0, q / safe, IDENTITY)


def canonical(q: ArrayLike) -> FloatArray:
    """The same rotations written with ``w >= 0``."""
    q = np.asarray(q, dtype=np.float64)
    return np.where(q[..., :1] < 0.0, -q, q)


def continuous(q: ArrayLike, axis: int = 0) -> FloatArray:
    """The same rotations, with signs chosen so that neighbours along ``axis`` lie in the same half."""
    q = np.moveaxis(np.asarray(q, dtype=np.float64), axis, 0)
    flips = np.sum(q[1:] * q[:-1], axis=-1) < 0.0
    sign = np.where(np.cumsum(flips, axis=0) % 2 == 1, -1.0, 1.0)
    out = q.copy()
    out[1:] *= sign[..., None]
    return np.moveaxis(out, 0, axis)


def multiply(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """The product ``a b``: first turn by ``b``, then by ``a``."""
    return _in_blocks(_product, np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))


def _product(a: FloatArray, b: FloatArray) -> FloatArray:
    aw, ax, ay, az = (a[..., i] for i in range(4))
    bw, bx, by, bz = (b[..., i] for i in range(4))
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def inverse(q: ArrayLike) -> FloatArray:
    """The inverse of unit quaternions."""
    out: FloatArray = np.asarray(q, dtype=np.float64) * np.array([1.0, -1.0, -1.0, -1.0])
    return out


def rotate(q: ArrayLike, v: ArrayLike) -> FloatArray:
    """Vectors ``v`` turned by ``q``."""
    return _in_blocks(_rotated, np.asarray(q, dtype=np.float64), np.asarray(v, dtype=np.float64))


def _rotated(q: FloatArray, v: FloatArray) -> FloatArray:
    w, x, y, z = (q[..., i] for i in range(4))
    a, b, c = (v[..., i] for i in range(3))
    # Written out: np.cross costs several times as much.
    ta, tb, tc = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
    return np.stack([a + w * ta + y * tc - z * tb, b + w * tb + z * ta - x * tc, c + w * tc + x * tb - y * ta], axis=-1)


def _in_blocks(work: Callable[[FloatArray, FloatArray], FloatArray], a: FloatArray, b: FloatArray) -> FloatArray:
    """``work(a, b)``, of many in blocks along the first axis: what lies between stays in the processor's cache."""
    if a.size + b.size < _LARGE:
        return work(a, b)
    shape = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    a, b = np.broadcast_to(a, (*shape, a.shape[-1])), np.broadcast_to(b, (*shape, b.shape[-1]))
    out = np.empty((*shape, b.shape[-1]))
    step = max(1, _BLOCK * len(out) // max(math.prod(shape), 1))
    for k in range(0, len(out), step):
        out[k : k + step] = work(a[k : k + step], b[k : k + step])
    return out


def to_matrix(q: ArrayLike) -> FloatArray:
    """Rotation matrices ``(..., 3, 3)`` whose columns are the turned axes."""
    q = np.asarray(q, dtype=np.float64)
    w, x, y, z = (q[..., i] for i in range(4))
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(m: ArrayLike) -> FloatArray:
    """Quaternions of rotation matrices ``(..., 3, 3)``, ``w >= 0``."""
    m = np.asarray(m, dtype=np.float64)
    d = m[..., [0, 1, 2], [0, 1, 2]]
    # Four times the square of each component; the largest one is a safe divisor.
    squares = np.stack(
        [
            1 + d[..., 0] + d[..., 1] + d[..., 2],
            1 + d[..., 0] - d[..., 1] - d[..., 2],
            1 - d[..., 0] + d[..., 1] - d[..., 2],
            1 - d[..., 0] - d[..., 1] + d[..., 2],
        ],
        axis=-1,
    )
    a = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    s = m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]
    candidates = np.stack(
        [
            np.stack([squares[..., 0], a[0], a[1], a[2]], axis=-1),
            np.stack([a[0], squares[..., 1], s[0], s[1]], axis=-1),
            np.stack([a[1], s[0], squares[..., 2], s[2]], axis=-1),
            np.stack([a[2], s[1], s[2], squares[..., 3]], axis=-1),
        ],
        axis=-2,
    )
    best = np.argmax(squares, axis=-1)[..., None, None]
    return canonical(normalize(np.take_along_axis(candidates, best, axis=-2)[..., 0, :]))


def from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> FloatArray:
    """Rotations by ``angle`` about the unit vectors ``axis``."""
    half = 0.5 * np.asarray(angle, dtype=np.float64)[..., None]
    axis = np.asarray(axis, dtype=np.float64)
    w = np.broadcast_to(np.cos(half), (*np.broadcast_shapes(half.shape[:-1], axis.shape[:-1]), 1))
    return np.concatenate([w, np.sin(half) * axis], axis=-1)


def from_yaw(yaw: ArrayLike) -> FloatArray:
    """Rotations about +Y."""
    return from_axis_angle(np.array([0.0, 1.0, 0.0]), yaw)


def yaw(q: ArrayLike, forward: ArrayLike = (0.0, 0.0, 1.0)) -> FloatArray:
    """The heading in which ``q`` turns the direction ``forward``: 0 along +Z, positive about +Y."""
    v = rotate(q, forward)
    return np.arctan2(v[..., 0], v[..., 2])


def exp(v: ArrayLike) -> FloatArray:
    """Rotations by ``|v|`` about ``v`` (the exponential map)."""
    v = np.asarray(v, dtype=np.float64)
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    small = angle < _SMALL_ANGLE
    safe = np.where(small, 1.0, angle)
    scale = np.where(small, 0.5 - angle**2 / 48.0, np.sin(0.5 * safe) / safe)
    return np.concatenate([np.cos(0.5 * angle), scale * v], axis=-1)


def log(q: ArrayLike) -> FloatArray:
    """The rotation vector of ``q``, of length at most pi (the inverse of `exp`)."""
    q = canonical(q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    small = sine < 0.5 * _SMALL_ANGLE
    safe = np.where(small, 1.0, sine)
    scale = np.where(small, 2.0 + sine**2 / 3.0, angle / safe)
    out: FloatArray = scale * q[..., 1:]
    return out


def angle(q: ArrayLike) -> FloatArray:
    """The angle of each rotation, 0 to pi."""
    q = np.asarray(q, dtype=np.float64)
    out: FloatArray = 2.0 * np.arctan2(np.linalg.norm(q[..., 1:], axis=-1), np.abs(q[..., 0]))
    return out


def distance(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """The angle between rotations, 0 to pi."""
    return angle(multiply(inverse(a), b))


def slerp(a: ArrayLike, b: ArrayLike, t: ArrayLike) -> FloatArray:
    """The rotation a fraction ``t`` of the short way from ``a`` to ``b``."""
    a = np.asarray(a, dtype=np.float64)
    t = np.asarray(t, dtype=np.float64)[..., None]
    return multiply(a, exp(t * log(multiply(inverse(a), b))))


def mean(q: ArrayLike, weights: ArrayLike | None = None, axis: int = 0, rounds: int = 8) -> FloatArray:
    """The weighted mean rotation along ``axis``: the point to which the squared angles sum least."""
    q = np.moveaxis(np.asarray(q, dtype=np.float64), axis, 0)
    w = np.ones(q.shape[0]) if weights is None else np.asarray(weights, dtype=np.float64)
    w = w.reshape(w.shape + (1,) * (q.ndim - w.ndim)) if w.ndim == 1 else w[..., None]
    w = w / np.sum(w, axis=0, keepdims=True)
    # The chordal mean (largest eigenvector) starts the iteration in the right half of the sphere.
    outer = np.sum(w[..., None] * q[..., :, None] * q[..., None, :], axis=0)
    centre = np.linalg.eigh(outer)[1][..., :, -1]
    for _ in range(rounds):
        step = np.sum(w * log(multiply(inverse(centre), q)), axis=0)
        centre = normalize(multiply(centre, exp(step)))
    return canonical(centre)


def between(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """The smallest rotation that turns direction ``a`` into direction ``b``."""
    a = _unit(a)
    b = _unit(b)
    w = 1.0 + np.sum(a * b, axis=-1, keepdims=True)
    q = np.concatenate([w, np.cross(a, b)], axis=-1)
    # Opposite directions: half a turn about any axis square to `a`.
    helper = np.where(np.abs(a[..., :1]) < 0.9, np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    half_turn = np.concatenate([np.zeros_like(w), _unit(np.cross(a, helper))], axis=-1)
    return normalize(np.where(w < 1e-9, half_turn, q))


def swing_twist(q: ArrayLike, axis: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Split ``q = swing * twist``: the twist turns about the unit vector ``axis``, the swing square to it."""
    q = np.asarray(q, dtype=np.float64)
    axis = np.asarray(axis, dtype=np.float64)
    along = np.sum(q[..., 1:] * axis, axis=-1, keepdims=True)
    twist = normalize(np.concatenate([q[..., :1], along * axis], axis=-1))
    return multiply(q, inverse(twist)), twist


def from_euler(order: str, angles: ArrayLike) -> FloatArray:
    """Rotations from Euler angles ``(..., len(order))``, applied as written: ``zyx`` is ``Rz Ry Rx``."""
    angles = np.asarray(angles, dtype=np.float64)
    half = 0.5 * angles
    cosine, sine = np.cos(half), np.sin(half)
    out = identity(*angles.shape[:-1])
    for i, name in enumerate(order.lower()):
        turn = np.zeros((*angles.shape[:-1], 4))
        turn[..., 0] = cosine[..., i]
        turn[..., 1 + _axis_index(name, order)] = sine[..., i]
        out = turn if i == 0 else multiply(out, turn)
    return out


def to_euler(order: str, q: ArrayLike) -> FloatArray:
    """Euler angles of rotations for an order of three different axes; the inverse of `from_euler`."""
    if sorted(order.lower()) != ["x", "y", "z"]:
        raise LocomoteError(f"Euler order {order!r}: expected the letters x, y and z once each")
    i, j, k = (_axis_index(name, order) for name in order.lower())
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    m = to_matrix(q)
    middle = np.arcsin(np.clip(sign * m[..., i, k], -1.0, 1.0))
    locked = np.abs(m[..., i, k]) > 1.0 - 1e-12
    first = np.arctan2(-sign * m[..., j, k], m[..., k, k])
    last = np.arctan2(-sign * m[..., i, j], m[..., i, i])
    # Gimbal lock: only the sum of the outer angles is defined; give it all to the first.
    first = np.where(locked, np.arctan2(sign * m[..., k, j], m[..., j, j]), first)
    return np.stack([first, middle, np.where(locked, 0.0, last)], axis=-1)


def _axis_index(name: str, order: str) -> int:
    if name not in _AXES:
        raise LocomoteError(f"Euler order {order!r}: expected only the letters x, y and z")
    return _AXES[name]


def _unit(v: ArrayLike) -> FloatArray:
    v = np.asarray(v, dtype=np.float64)
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    out: FloatArray = v / np.where(length > 0.0, length, 1.0)
    return out
