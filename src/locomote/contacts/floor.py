"""The floor under a recording: a plane fitted to where feet rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray

_ROUNDS = 6  # of trimming
_TILT_RIDGE = 0.05  # of the number of samples; holds the tilt near level when the samples say little about it
_TILT_NEEDS = 1.0  # m; the least distance that the feet must cover before a tilt is fitted
_STEEPEST = 0.05  # a steeper fitted slope is stairs or a ramp, not a badly levelled floor
_BAND = 0.04  # m; samples higher than this over the lowest ones are not on the floor
_TRIM = 2.5  # spreads away from the plane at which a sample is dropped
_LEAST_SPREAD = 0.003  # m; below it trimming would drop good samples


@dataclass(frozen=True)
class Floor:
    """The plane ``y = height + slope_x x + slope_z z``."""

    height: float
    slope_x: float = 0.0
    slope_z: float = 0.0

    def __post_init__(self) -> None:
        if not np.all(np.isfinite((self.height, self.slope_x, self.slope_z))):
            raise LocomoteError(
                f"floor: height and slopes must be finite, got {self.height}, {self.slope_x}, {self.slope_z}"
            )

    def heights(self, points: npt.ArrayLike) -> FloatArray:
        """The height of points ``(..., 3)`` over the plane, measured along Y."""
        p = np.asarray(points, dtype=np.float64)
        out: FloatArray = p[..., 1] - (self.height + self.slope_x * p[..., 0] + self.slope_z * p[..., 2])
        return out

    @property
    def tilt(self) -> float:
        """The steepest slope, as a ratio."""
        return float(np.hypot(self.slope_x, self.slope_z))


def fit_floor(resting: npt.ArrayLike | Motion) -> Floor:
    """The floor under a motion, or under points ``(N, 3)`` at which feet rest."""
    if isinstance(resting, Motion):
        from locomote.contacts.feet import foot_points, resting_points

        return fit_floor(resting_points(foot_points(resting), resting.fps, _leg_length(resting)))
    try:
        p = np.asarray(resting, dtype=np.float64).reshape(-1, 3)
    except (TypeError, ValueError):
        raise LocomoteError(f"fit_floor takes a Motion or points (N, 3): got {type(resting).__name__}") from None
    p = p[np.all(np.isfinite(p), axis=1)]
    if len(p) == 0:
        return Floor(0.0)
    return _fit_plane(p)


def _leg_length(motion: Motion) -> float:
    return motion.skeleton.leg_length() if motion.skeleton.roles.legs else 1.0


def _fit_plane(p: FloatArray) -> Floor:
    """Fit, drop what lies off the plane (above it sooner than below it), and fit again."""
    reach = np.ptp(p[:, [0, 2]], axis=0)
    tilted = bool(np.hypot(reach[0], reach[1]) > _TILT_NEEDS)
    kept = p if tilted else p[p[:, 1] < np.percentile(p[:, 1], 5) + _BAND]
    floor = _least_squares(kept, tilted)
    for _ in range(_ROUNDS):
        off = floor.heights(p)
        low = off[off < _BAND]
        if len(low) < 3:
            break
        middle = float(np.median(low))
        spread = max(1.5 * float(np.median(np.abs(low - middle))), _LEAST_SPREAD)
        kept = p[(off - middle < _TRIM * spread) & (off - middle > -2 * _TRIM * spread)]
        floor = _least_squares(kept, tilted)
    return floor


def _least_squares(p: FloatArray, tilted: bool) -> Floor:
    centre = p.mean(axis=0)
    if not tilted:
        return Floor(float(centre[1]))
    xz = p[:, [0, 2]] - centre[[0, 2]]
    normal = xz.T @ xz + _TILT_RIDGE * len(p) * np.eye(2)
    slope = np.linalg.solve(normal, xz.T @ (p[:, 1] - centre[1]))
    steepness = float(np.hypot(slope[0], slope[1]))
    if steepness > _STEEPEST:
        slope *= 0.0
    height = centre[1] - slope @ centre[[0, 2]]
    return Floor(float(height), float(slope[0]), float(slope[1]))
