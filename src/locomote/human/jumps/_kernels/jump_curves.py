"""Run-ups along a curve: the way is unrolled, so that all who plan see a straight one of the same length.

A walker that was told a turn rate keeps it during its run-up and ends it shortly before its foot lands to take off. The
unrolled place is where it would have to start from, on a straight way, to come to the same end in the same direction.
"""

from __future__ import annotations

import math

from locomote.human._kernels import drive
from locomote.math._compile import inline
from locomote.math.vector import Floats

CURVED = 0.01  # rad/s; a slower turn is none
STEADY = 1e-6  # rad/s by which an even turn may change
ENDS = 0.7  # s before the take-off foot lands, at which a turn begins to end
STRAIGHTEN = 0.25  # s in which it does


@inline
def turns_evenly(row: Floats) -> bool:
    """Whether a walker goes along a curve as it was told to, not only for a moment."""
    turn = row[drive.TURN]
    return bool(row[drive.STEERING] == 0.0 and abs(turn) > CURVED and abs(row[drive.TURN + 1] - turn) < STEADY)


@inline
def hold_turn(row: Floats, turn: float) -> None:
    """Go on along the curve."""
    row[drive.TURN], row[drive.TURN + 1], row[drive.TURN + 2] = turn, turn, 0.0


@inline
def end_turn_in_time(row: Floats, eta: float) -> None:
    """Let a turn end before the foot lands in ``eta`` seconds."""
    if eta <= ENDS and row[drive.TURN + 1] != 0.0 and row[drive.STEERING] == 0.0:
        row[drive.TURN + 1], row[drive.TURN + 2] = 0.0, STRAIGHTEN


@inline
def mean_speed(row: Floats) -> float:
    """About how fast a walker goes until the end of its run-up, m/s."""
    end = 0.0
    for k in range(5):  # the sum of its coefficients, whatever kind it is
        end += row[drive.PROFILE + k]
    speed: float = row[drive.SPEED]
    return 0.5 * (speed + end) if row[drive.PROFILE_DURATION] > 0.0 else speed


@inline
def unroll(row: Floats, eta: float, pace: float) -> tuple[float, float, float]:
    """Put a walker who turns where a straight way would begin that takes ``eta`` s at ``pace`` m/s.

    Gives back its true place and yaw.
    """
    x, z, yaw, turn = row[drive.X], row[drive.Z], row[drive.YAW], row[drive.TURN]
    if abs(turn) > 0.0 and row[drive.STEERING] == 0.0 and eta < math.inf:
        # A turn that comes to its end evenly turns as much as half of that time would.
        ending = row[drive.TURN + 1] == 0.0
        lasts = 0.5 * row[drive.TURN + 2] if ending else max(0.0, eta - ENDS) + 0.5 * STRAIGHTEN
        half, way = 0.5 * turn * lasts, pace * lasts
        chord = way * (1.0 - half * half / 6.0 if abs(half) < 1e-4 else math.sin(half) / half)
        end = yaw + 2.0 * half
        row[drive.X] = x + chord * math.sin(yaw + half) - way * math.sin(end)
        row[drive.Z] = z + chord * math.cos(yaw + half) - way * math.cos(end)
        row[drive.YAW] = end
    return x, z, yaw


@inline
def put_back(row: Floats, place: tuple[float, float, float]) -> None:
    """Put a walker where it really is."""
    row[drive.X], row[drive.Z], row[drive.YAW] = place
