"""The geometry of one pendulum: its bar leans from +Y of a target frame by a rotation vector in the plane x, z."""

from __future__ import annotations

import math

from locomote.kernels._compile import inline
from locomote.kernels.quaternion import Quaternion, canonical, exp, multiply, normalize
from locomote.kernels.vector import Pair, Vector

_SMALL = 1e-4  # rad; below it series replace quotients that tend to 0 / 0


@inline
def bar_rotation(x: float, z: float, twist: float) -> Quaternion:
    """The rotation of the bar in its target frame: twisted about +Y, then leant by ``(x, z)``."""
    swing = exp((z, 0.0, -x))
    if twist == 0.0:
        return swing
    return multiply(swing, (math.cos(0.5 * twist), 0.0, math.sin(0.5 * twist), 0.0))


@inline
def lean(direction: Vector, instead: Pair) -> Pair:
    """How far a direction in the target frame leans from +Y; ``instead`` where it has no length."""
    across = math.sqrt(direction[0] * direction[0] + direction[2] * direction[2])
    if not across + abs(direction[1]) > 1e-150:
        return instead
    if across < 1e-150:
        return (0.0, 0.0) if direction[1] > 0.0 else (math.pi, 0.0)
    factor = math.atan2(across, direction[1]) / across
    return factor * direction[0], factor * direction[2]


@inline
def bends(x: float, z: float) -> Pair:
    """What `across_bar` needs to know about the angle of a lean."""
    square = x * x + z * z
    if square < _SMALL * _SMALL:
        return 1.0 - square / 6.0, -0.5
    angle = math.sqrt(square)
    return math.sin(angle) / angle, (math.cos(angle) - 1.0) / square


@inline
def across_bar(x: float, z: float, bend: Pair, v: Vector) -> Pair:
    """The part of ``v``, in the target frame, that swings a bar leant by ``(x, z)``."""
    along = bend[1] * (x * v[0] + z * v[2]) - bend[0] * v[1]
    return v[0] + along * x, v[2] + along * z


@inline
def fraction(q: Quaternion, share: float) -> Quaternion:
    """A share of a rotation by the straight way: exact at none, a half and all, and no sines between."""
    q = canonical(q)
    return normalize((1.0 - share + share * q[0], share * q[1], share * q[2], share * q[3]))
