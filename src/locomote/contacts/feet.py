"""Heel, ball and toe of every leg in the world, and how fast they move."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray

ADULT_LEG = 0.9  # m; lengths and speeds of this package are stated for this leg and scaled from it
RESTING_SPEED = 0.25  # m/s; a ball slower than this rests
_HEEL_BEHIND_ANKLE = 0.05  # m, of rigs that do not tell
_FLAT_SHARE = 30.0  # per cent of the resting frames, those with the lowest ankle, count as flat-footed
_STEEP_FOOT = 1.2  # ankle height by horizontal foot length; a steeper foot stands on its toes
_SPEED_WINDOW = 0.08  # s; of the Savitzky-Golay filter
_SHORT_FOOT = 0.02  # m; a foot shorter than this is one point


def foot_points(motion: Motion, belt_velocity: npt.ArrayLike = (0.0, 0.0, 0.0)) -> FloatArray:
    """Heel, ball and toe of every leg, ``(F, L, 3, 3)`` in the world.

    Few rigs have a heel joint: the heel is a point of the ankle's frame, as far behind the ankle as the rig tells, or
    5 cm (on an adult), and level with the ball when the foot stands flat. Legs that stand on their toes (of
    quadrupeds, or with a steep foot) have none: there it is the ball. Where a leg ends in one point (a hoof), the
    three coincide.

    Parameters
    ----------
    motion : any with legs
    belt_velocity : (3,) m/s of the ground
    """
    motion = checked_motion(motion, "foot_points")
    legs = motion.skeleton.roles.legs
    out = np.zeros((len(motion), len(legs), 3, 3))
    if not legs:
        return out
    positions, turns = motion.world()
    for i, leg in enumerate(legs):
        toe = positions[:, leg.toe] + rot.rotate(turns[:, leg.toe], np.asarray(leg.toe_offset))
        ball = positions[:, leg.ball] if leg.ball != leg.ankle else toe
        scale = motion.skeleton.chain_length(leg.hip, leg.ankle) / ADULT_LEG
        ankle = positions[:, leg.ankle], turns[:, leg.ankle]
        behind = _HEEL_BEHIND_ANKLE * scale if leg.heel_behind is None else leg.heel_behind
        out[:, i, 0] = _heel(motion.fps, belt_velocity, *ankle, ball, scale, behind) if len(legs) <= 2 else ball
        out[:, i, 1] = ball
        out[:, i, 2] = toe
    return out


def _heel(
    fps: float,
    belt_velocity: npt.ArrayLike,
    ankle: FloatArray,
    turn: FloatArray,
    ball: FloatArray,
    scale: float,
    behind: float,
) -> FloatArray:
    """The heel, or the ball where the foot has none."""
    resting = speeds(ball, fps, belt_velocity) < RESTING_SPEED * np.sqrt(scale)
    if not np.any(resting):
        resting = np.ones(len(ball), dtype=bool)
    foot = ball - ankle
    rise = -foot[:, 1]
    flat = resting & (rise <= np.percentile(rise[resting], _FLAT_SHARE))
    forward = foot[flat] * (1.0, 0.0, 1.0)
    length = np.linalg.norm(forward, axis=1)
    if np.median(length) < max(_SHORT_FOOT * scale, float(np.median(rise[flat])) / _STEEP_FOOT):
        return ball
    back = -behind * forward / np.maximum(length, 1e-9)[:, None]
    down = foot[flat] * (0.0, 1.0, 0.0)
    local = np.median(rot.rotate(rot.inverse(turn[flat]), back + down), axis=0)
    heel: FloatArray = ankle + rot.rotate(turn, local)
    return heel


def velocities(points: npt.ArrayLike, fps: float, window: float = _SPEED_WINDOW) -> FloatArray:
    """The velocity of points ``(F, ...)`` by a local parabola over ``window`` seconds."""
    from scipy.signal import savgol_filter

    p = np.asarray(points, dtype=np.float64)
    width = 2 * max(1, round(0.5 * window * fps)) + 1
    if len(p) < 2 or p.size == 0:
        return np.zeros_like(p)
    if len(p) < width:
        slope: FloatArray = np.gradient(p, axis=0) * fps
        return slope
    out: FloatArray = savgol_filter(p, width, 2, deriv=1, delta=1.0 / fps, axis=0, mode="interp")
    return out


def speeds(points: npt.ArrayLike, fps: float, belt_velocity: npt.ArrayLike = (0.0, 0.0, 0.0)) -> FloatArray:
    """The speed of points ``(F, ..., 3)`` over a ground that itself moves with ``belt_velocity``."""
    out: FloatArray = np.linalg.norm(velocities(points, fps) - np.asarray(belt_velocity), axis=-1)
    return out


def resting_points(
    points: FloatArray, fps: float, leg_length: float, belt_velocity: npt.ArrayLike = (0.0, 0.0, 0.0)
) -> FloatArray:
    """The balls ``(N, 3)`` of the feet ``(F, L, 3, 3)`` in the frames in which they rest on the ground.

    Where none ever rests, the lowest tenth of all ball positions stands in.
    """
    ball = points[:, :, 1]
    slow = speeds(ball, fps, belt_velocity) < RESTING_SPEED * np.sqrt(leg_length / ADULT_LEG)
    if not np.any(slow) and ball.size:
        slow = ball[..., 1] <= np.percentile(ball[..., 1], 10)
    resting: FloatArray = ball[slow]
    return resting
