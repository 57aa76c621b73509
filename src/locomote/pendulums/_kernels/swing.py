"""The geometry of one pendulum: its bar leans from +Y of a target frame by a rotation vector in the plane x, z.

All of it goes without calls and without branches, so that the compiler does several pendulums at a time.
"""

from __future__ import annotations

import math

from locomote.math._compile import strict
from locomote.math.fused import fma, fnma
from locomote.math.quaternion import Quaternion
from locomote.math.vector import Pair, Vector

# atan(t) / t in powers of t squared up to a quarter of a right angle; off by less than 1e-16.
_ATAN = (1.0, -0.3333333333332843, 0.19999999998853557, -0.14285714180859038, 0.11111106175860701,
         -0.09090772971079121, 0.07689952070211621, -0.06640221803478692, 0.05688286965681487,
         -0.043478754096023045, 0.0211332412452721)  # fmt: skip
_NOTHING = 1e-150  # m; shorter directions have none
_EVEN = tuple(1.0 / math.factorial(k) for k in range(21))
_ODD = tuple(1.0 / math.factorial(k + 1) for k in range(21))


@strict
def half_lean(x: float, z: float) -> Pair:
    """Cosine and sine of half the angle of a lean, the sine over the whole angle; exact up to half a turn.

    Both are whole series in the square of the angle: no root, no quotient.
    """
    u = 0.25 * fma(x, x, z * z)
    v = u * u
    # Even and odd powers apart, so that the two sums of each series run side by side.
    even = fma(v, fma(v, fma(v, fma(v, fma(v, _EVEN[20], _EVEN[16]), _EVEN[12]), _EVEN[8]), _EVEN[4]), 1.0)
    odd = fma(v, fma(v, fma(v, fma(v, _EVEN[18], _EVEN[14]), _EVEN[10]), _EVEN[6]), _EVEN[2])
    cosine = fnma(u, odd, even)
    even = fma(v, fma(v, fma(v, fma(v, fma(v, _ODD[20], _ODD[16]), _ODD[12]), _ODD[8]), _ODD[4]), 1.0)
    odd = fma(v, fma(v, fma(v, fma(v, _ODD[18], _ODD[14]), _ODD[10]), _ODD[6]), _ODD[2])
    return cosine, 0.5 * fnma(u, odd, even)


@strict
def lean(direction: Vector, instead: Pair) -> Pair:
    """How far a direction in the target frame leans from +Y; ``instead`` where it has no length."""
    x, y, z = direction
    square = fma(x, x, z * z)
    across, length = math.sqrt(square), math.sqrt(fma(y, y, square))
    half = across / max(length + abs(y), _NOTHING)  # tangent of half the angle to the nearer pole
    quarter = half / (1.0 + math.sqrt(fma(half, half, 1.0)))
    u = quarter * quarter
    v = u * u
    even = fma(v, fma(v, fma(v, fma(v, fma(v, _ATAN[10], _ATAN[8]), _ATAN[6]), _ATAN[4]), _ATAN[2]), 1.0)
    odd = fma(v, fma(v, fma(v, fma(v, _ATAN[9], _ATAN[7]), _ATAN[5]), _ATAN[3]), _ATAN[1])
    angle = 4.0 * quarter * fma(u, odd, even)
    angle = angle if y >= 0.0 else math.pi - angle
    factor = angle / max(across, _NOTHING)
    along_x, along_z = factor * x, factor * z
    along_x = math.pi if across < _NOTHING and y < 0.0 else along_x
    return (
        along_x if length > _NOTHING else instead[0],
        along_z if length > _NOTHING else instead[1],
    )


@strict
def bends(x: float, z: float) -> Pair:
    """What `across_bar` needs to know about the angle of a lean."""
    cosine, sine = half_lean(x, z)
    return 2.0 * sine * cosine, -2.0 * sine * sine


@strict
def across_bar(x: float, z: float, bend: Pair, v: Vector) -> Pair:
    """The part of ``v``, in the target frame, that swings a bar leant by ``(x, z)``."""
    along = fnma(bend[0], v[1], bend[1] * fma(x, v[0], z * v[2]))
    return fma(along, x, v[0]), fma(along, z, v[2])


@strict
def bar_of(q: Quaternion) -> Vector:
    """The direction of +Y turned by ``q``."""
    return (
        2.0 * fnma(q[0], q[3], q[1] * q[2]),
        fnma(2.0, fma(q[1], q[1], q[3] * q[3]), 1.0),
        2.0 * fma(q[2], q[3], q[0] * q[1]),
    )


@strict
def fraction(q: Quaternion, share: float) -> Quaternion:
    """A share of a rotation by the straight way: exact at none, a half and all, and no sines between."""
    signed = share if q[0] >= 0.0 else -share
    w, x, y, z = fma(signed, q[0], 1.0 - share), signed * q[1], signed * q[2], signed * q[3]
    scale = 1.0 / math.sqrt(fma(w, w, x * x) + fma(y, y, z * z))
    return scale * w, scale * x, scale * y, scale * z
