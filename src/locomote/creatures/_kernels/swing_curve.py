"""The curve of a foot through the air ``(SAMPLES, 3)``: points evenly spaced along it, in the world."""

from __future__ import annotations

import math

from locomote.math._compile import inline
from locomote.math.vector import Floats, Pair, Vector


@inline
def swing_at(curve: Floats, share: float) -> Vector:
    """Where the foot is after a share (0..1) of the length of its curve."""
    last = curve.shape[0] - 1
    along = min(max(share, 0.0), 1.0) * last
    k = min(int(along), last - 1)
    t = along - k
    return (
        curve[k, 0] + t * (curve[k + 1, 0] - curve[k, 0]),
        curve[k, 1] + t * (curve[k + 1, 1] - curve[k, 1]),
        curve[k, 2] + t * (curve[k + 1, 2] - curve[k, 2]),
    )


@inline
def swing_share(elapsed: float, duration: float, first_speed: float = 0.0, eased: bool = True) -> float:
    """The share of its curve that a foot has gone: smoothly from ``first_speed`` (shares/s) to rest, or evenly."""
    t = min(max(elapsed / max(duration, 1e-9), 0.0), 1.0)
    if not eased:
        return t
    # A cubic that starts faster than three times the mean would overshoot.
    first = min(max(first_speed * duration, 0.0), 3.0)
    return t * t * (3.0 - 2.0 * t) + first * t * (1.0 - t) * (1.0 - t)


@inline
def swing_on(gone: float, pace: float, left: float, dt: float) -> Pair:
    """The share of its curve that a foot has gone after ``dt``, and its rate: smoothly to rest in ``left`` seconds.

    However the time that is left changes, a foot neither leaps nor changes its speed at once.
    """
    rest = 1.0 - gone
    if left <= dt or rest <= 1e-9:
        return 1.0, 0.0
    t, first = dt / left, min(max(pace * left / rest, 0.0), 3.0)
    rate = 6.0 * t * (1.0 - t) + first * (1.0 - t) * (1.0 - 3.0 * t)
    return gone + rest * swing_share(dt, left, first / left), rest * max(rate, 0.0) / left


@inline
def curve_length(curve: Floats) -> float:
    """The length (m) of a curve."""
    length = 0.0
    for k in range(1, curve.shape[0]):
        x, y, z = (
            curve[k, 0] - curve[k - 1, 0],
            curve[k, 1] - curve[k - 1, 1],
            curve[k, 2] - curve[k - 1, 2],
        )
        length += math.sqrt(x * x + y * y + z * z)
    return length


@inline
def settle(curve: Floats, height: float) -> None:
    """Let a curve end at another height; its end follows softly, its beginning stays."""
    last = curve.shape[0] - 1
    off = height - curve[last, 1]
    for k in range(1, last + 1):
        share = k / last
        curve[k, 1] += off * share * share * share
