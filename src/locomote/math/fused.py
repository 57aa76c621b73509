"""Quaternions and vectors with every product and sum that is rounded at once said aloud: the same bits in every copy.

A compiler that may fuse as it likes chooses anew for each copy of a loop that it rolls out, and lanes side by side
would differ by the last bit. All mean the same as their namesakes in `quaternion` and `vector`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from locomote.math._compile import intrinsic, strict
from locomote.math.quaternion import Quaternion
from locomote.math.vector import Vector

_Fused = Callable[[float, float, float], float]
_FUSED: _Fused | None = getattr(math, "fma", None)  # before Python 3.13, plain Python rounds twice


def _build_fma(builder: Any, a: Any, b: Any, c: Any) -> Any:
    return builder.fma(a, b, c)


def _build_fnma(builder: Any, a: Any, b: Any, c: Any) -> Any:
    return builder.fma(builder.fneg(a), b, c)


@intrinsic(_build_fma)
def fma(a: float, b: float, c: float) -> float:
    """The sum ``a b + c``, rounded once."""
    return a * b + c if _FUSED is None else _FUSED(a, b, c)


@intrinsic(_build_fnma)
def fnma(a: float, b: float, c: float) -> float:
    """The difference ``c - a b``, rounded once."""
    return c - a * b if _FUSED is None else _FUSED(-a, b, c)


@strict
def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """The product ``a b``: first turn by ``b``, then by ``a``."""
    return (
        fnma(a[1], b[1], a[0] * b[0]) - fma(a[2], b[2], a[3] * b[3]),
        fma(a[1], b[0], a[0] * b[1]) + fnma(a[3], b[2], a[2] * b[3]),
        fma(a[2], b[0], a[0] * b[2]) + fnma(a[1], b[3], a[3] * b[1]),
        fma(a[3], b[0], a[0] * b[3]) + fnma(a[2], b[1], a[1] * b[2]),
    )


@strict
def rotate(q: Quaternion, v: Vector) -> Vector:
    """The vector ``v`` turned by ``q``."""
    tx = 2.0 * fnma(q[3], v[1], q[2] * v[2])
    ty = 2.0 * fnma(q[1], v[2], q[3] * v[0])
    tz = 2.0 * fnma(q[2], v[0], q[1] * v[1])
    return (
        fma(q[0], tx, v[0]) + fnma(q[3], ty, q[2] * tz),
        fma(q[0], ty, v[1]) + fnma(q[1], tz, q[3] * tx),
        fma(q[0], tz, v[2]) + fnma(q[2], tx, q[1] * ty),
    )


@strict
def rotate_back(q: Quaternion, v: Vector) -> Vector:
    """The vector ``v`` turned by the inverse of ``q``."""
    tx = 2.0 * fnma(q[2], v[2], q[3] * v[1])
    ty = 2.0 * fnma(q[3], v[0], q[1] * v[2])
    tz = 2.0 * fnma(q[1], v[1], q[2] * v[0])
    return (
        fma(q[0], tx, v[0]) + fnma(q[2], tz, q[3] * ty),
        fma(q[0], ty, v[1]) + fnma(q[3], tx, q[1] * tz),
        fma(q[0], tz, v[2]) + fnma(q[1], ty, q[2] * tx),
    )


@strict
def from_to(frame: Quaternion, bar: Quaternion) -> Quaternion:
    """The rotation in the world from one frame to another: ``bar`` times the inverse of ``frame``."""
    return (
        fma(bar[0], frame[0], bar[1] * frame[1]) + fma(bar[2], frame[2], bar[3] * frame[3]),
        fnma(bar[0], frame[1], bar[1] * frame[0]) + fnma(bar[2], frame[3], bar[3] * frame[2]),
        fnma(bar[0], frame[2], bar[2] * frame[0]) + fnma(bar[3], frame[1], bar[1] * frame[3]),
        fnma(bar[0], frame[3], bar[3] * frame[0]) + fnma(bar[1], frame[2], bar[2] * frame[1]),
    )


@strict
def beyond(a: Vector, b: Vector, t: float) -> Vector:
    """The combination ``a + t b``."""
    return fma(t, b[0], a[0]), fma(t, b[1], a[1]), fma(t, b[2], a[2])


@strict
def apart(a: Vector, b: Vector, scale: float) -> Vector:
    """The multiple ``scale (a - b)``."""
    return scale * (a[0] - b[0]), scale * (a[1] - b[1]), scale * (a[2] - b[2])
