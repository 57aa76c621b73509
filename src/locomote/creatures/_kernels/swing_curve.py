"""The curve of a foot through the air ``(SAMPLES, 3)``: points evenly spaced along it, in the world."""

from __future__ import annotations

import math

from locomote.math._compile import inline
from locomote.math.constants import GRAVITY
from locomote.math.vector import Floats, Pair, Vector

_UNHURRIED, _HASTY = 1.4, 1.7  # speeds over the root of gravity times the leg: those of gallops
_LEAVES, _LANDS = 0.7, 0.35  # by which a hasty foot is quicker as it leaves the ground, and as it comes down


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
def haste_at(speed: float, span: float) -> float:
    """How hastily a foot swings, 0 to 1, by the speed of its body (m/s) and the length of its leg."""
    return min(max((abs(speed) / math.sqrt(GRAVITY * span) - _UNHURRIED) / (_HASTY - _UNHURRIED), 0.0), 1.0)


@inline
def hastened(gone: float, haste: float) -> float:
    """The share of its curve for a share that is gone smoothly: who hurries leaves the ground, and lands, quicker."""
    rest = 1.0 - gone
    return gone + haste * gone * rest * (_LEAVES * rest - _LANDS * gone)


@inline
def smoothly(pace: float, haste: float) -> float:
    """The rate of the share that is gone smoothly, for that at which a foot begins its curve."""
    return pace / (1.0 + haste * _LEAVES)


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
