"""Run-ups along a curve: the way is unrolled, so that all who plan see a straight one of the same length.

A walker that was told a turn rate keeps it during its run-up and ends it shortly before its foot lands to take off. The
unrolled place is where it would have to start from, on a straight way, to come to the same end in the same direction.
"""

from __future__ import annotations

import math

from locomote.human._kernels.state import Walker
from locomote.math._compile import inline

CURVED = 0.01  # rad/s; a slower turn is none
STEADY = 1e-6  # rad/s by which an even turn may change
ENDS = 0.7  # s before the take-off foot lands, at which a turn begins to end
STRAIGHTEN = 0.25  # s in which it does


@inline
def turns_evenly(row: Walker) -> bool:
    """Whether a walker goes along a curve as it was told to, not only for a moment."""
    turn = row.turn.value
    return bool(not row.steering and abs(turn) > CURVED and abs(row.turn.target - turn) < STEADY)


@inline
def hold_turn(row: Walker, turn: float) -> None:
    """Go on along the curve."""
    row.turn.value, row.turn.target, row.turn.left = turn, turn, 0.0


@inline
def end_turn_in_time(row: Walker, eta: float) -> None:
    """Let a turn end before the foot lands in ``eta`` seconds."""
    if eta <= ENDS and row.turn.target != 0.0 and not row.steering:
        row.turn.target, row.turn.left = 0.0, STRAIGHTEN


@inline
def mean_speed(row: Walker) -> float:
    """About how fast a walker goes until the end of its run-up, m/s."""
    end = 0.0
    for k in range(5):  # the sum of its coefficients, whatever kind it is
        end += row.profile.coefficients[k]
    speed: float = row.speed.value
    return 0.5 * (speed + end) if row.profile.duration > 0.0 else speed


@inline
def unroll(row: Walker, eta: float, pace: float) -> tuple[float, float, float]:
    """Put a walker who turns where a straight way would begin that takes ``eta`` s at ``pace`` m/s.

    Gives back its true place and yaw.
    """
    x, z, yaw, turn = row.x, row.z, row.yaw, row.turn.value
    if abs(turn) > 0.0 and not row.steering and eta < math.inf:
        # A turn that comes to its end evenly turns as much as half of that time would.
        ending = row.turn.target == 0.0
        lasts = 0.5 * row.turn.left if ending else max(0.0, eta - ENDS) + 0.5 * STRAIGHTEN
        half, way = 0.5 * turn * lasts, pace * lasts
        chord = way * (1.0 - half * half / 6.0 if abs(half) < 1e-4 else math.sin(half) / half)
        end = yaw + 2.0 * half
        row.x = x + chord * math.sin(yaw + half) - way * math.sin(end)
        row.z = z + chord * math.cos(yaw + half) - way * math.cos(end)
        row.yaw = end
    return x, z, yaw


@inline
def put_back(row: Walker, place: tuple[float, float, float]) -> None:
    """Put a walker where it really is."""
    row.x, row.z, row.yaw = place
