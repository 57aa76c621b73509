"""Three-vectors as tuples of floats, for use inside kernels."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline

Floats: TypeAlias = npt.NDArray[np.float64]
Floats32: TypeAlias = npt.NDArray[np.float32]
Ints: TypeAlias = npt.NDArray[np.int64]
Pair: TypeAlias = tuple[float, float]
Vector: TypeAlias = tuple[float, float, float]


@inline
def vector(row: Floats) -> Vector:
    """Three numbers of an array as a vector."""
    return row[0], row[1], row[2]


@inline
def add(a: Vector, b: Vector) -> Vector:
    """The sum ``a + b``."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inline
def subtract(a: Vector, b: Vector) -> Vector:
    """The difference ``a - b``."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inline
def scale(a: Vector, s: float) -> Vector:
    """The multiple ``s a``."""
    return s * a[0], s * a[1], s * a[2]


@inline
def mix(a: Vector, s: float, b: Vector, t: float) -> Vector:
    """The combination ``s a + t b``."""
    return s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]


@inline
def dot(a: Vector, b: Vector) -> float:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def cross(a: Vector, b: Vector) -> Vector:
    """The vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inline
def norm(a: Vector) -> float:
    """The length."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inline
def unit(a: Vector, instead: Vector) -> Vector:
    """The direction of ``a``, or ``instead`` where ``a`` is too short to have one."""
    length = norm(a)
    if not length > 1e-150:
        return instead
    return a[0] / length, a[1] / length, a[2] / length


@inline
def square_to(a: Vector) -> Vector:
    """Some direction at right angles to the unit vector ``a``."""
    if abs(a[0]) < 0.7:
        return unit((0.0, a[2], -a[1]), (0.0, 0.0, 1.0))
    return unit((-a[2], 0.0, a[0]), (0.0, 0.0, 1.0))


@inline
def without(a: Vector, along: Vector) -> Vector:
    """The part of ``a`` at right angles to the unit vector ``along``."""
    return mix(a, 1.0, along, -dot(a, along))


@inline
def wrapped(angle: float) -> float:
    """An angle brought into -pi to pi."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@inline
def smooth_step(t: float) -> float:
    """0 below 0, 1 above 1, and a smooth rise between."""
    t = min(max(t, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@inline
def soft_max(a: float, b: float, width: float) -> float:
    """The larger of two numbers, rounded off where they differ by less than ``width``."""
    near = max(0.0, width - abs(a - b)) / width
    return max(a, b) + 0.25 * width * near * near


@inline
def spring(value: float, rate: float, target: float, target_rate: float, eagerness: float, dt: float) -> Pair:
    """Value and rate of a critically damped spring after ``dt``, exact while the target goes on at its rate."""
    off, speed = decayed(value - target, rate - target_rate, eagerness, math.exp(-eagerness * dt), dt)
    return target + target_rate * dt + off, target_rate + speed


@inline
def decayed(off: float, speed: float, eagerness: float, decay: float, dt: float) -> Pair:
    """How far off its target a critically damped spring is after ``dt``, and its rate; ``decay`` is known to many."""
    push = speed + eagerness * off
    return (off + push * dt) * decay, (speed - eagerness * push * dt) * decay


@inline
def copy_into(target: npt.NDArray[Any], source: npt.NDArray[Any]) -> None:
    """Copy as many numbers as the target holds."""
    for k in range(target.shape[0]):
        target[k] = source[k]
