"""Local rotations cut to the limits of their joints, inside kernels: a row of ten numbers is one joint's limit."""

from __future__ import annotations

import math

from locomote.math._compile import inline
from locomote.math.quaternion import Quaternion, canonical, conjugate, multiply, normalize, twist_about
from locomote.math.vector import Floats, Vector


@inline
def rest_of(limit: Floats) -> Quaternion:
    """The rest rotation of a packed limit."""
    return limit[0], limit[1], limit[2], limit[3]


@inline
def axis_of(limit: Floats) -> Vector:
    """The axis of a packed limit, in the frame of its rest rotation."""
    return limit[4], limit[5], limit[6]


@inline
def is_hinge(limit: Floats) -> bool:
    """Whether a packed limit leaves the joint nothing but its axis to turn about."""
    return bool(limit[7] <= 0.0)


@inline
def clamp_angle(angle: float, low: float, high: float) -> float:
    """The angle of ``low .. high`` nearest to ``angle`` on the circle; all are within -pi to pi."""
    if low <= angle <= high:
        return angle
    under = low - angle if angle < low else low - angle + 2.0 * math.pi
    over = angle - high if angle > high else angle - high + 2.0 * math.pi
    return low if under < over else high


@inline
def about(axis: Vector, angle: float) -> Quaternion:
    """The rotation by ``angle`` about the unit vector ``axis``."""
    sine = math.sin(0.5 * angle)
    return math.cos(0.5 * angle), sine * axis[0], sine * axis[1], sine * axis[2]


@inline
def clamp_rotation(q: Quaternion, limit: Floats) -> Quaternion:
    """The local rotation ``q`` within a packed ``limit (10,)``: swing and twist are each cut to size."""
    rest, axis = rest_of(limit), axis_of(limit)
    widest, low, high = limit[7], limit[8], limit[9]
    turn = multiply(conjugate(rest), q)
    twist = canonical(twist_about(turn, axis))
    swing = canonical(multiply(turn, conjugate(twist)))
    angle = 2.0 * math.atan2(twist[1] * axis[0] + twist[2] * axis[1] + twist[3] * axis[2], twist[0])
    twist = about(axis, clamp_angle(angle, low, high))
    sine = math.sqrt(swing[1] * swing[1] + swing[2] * swing[2] + swing[3] * swing[3])
    if 2.0 * math.atan2(sine, swing[0]) > widest and sine > 0.0:
        factor = math.sin(0.5 * widest) / sine
        swing = math.cos(0.5 * widest), factor * swing[1], factor * swing[2], factor * swing[3]
    return normalize(multiply(rest, multiply(swing, twist)))
