"""Straight lines: run-up speed over jump length, and the least-squares fit of any of them (OBS-04, PCA-072)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote.errors import LocomoteError
from locomote.human._model import REFERENCE_HIP_HEIGHT
from locomote.rotations import FloatArray


@dataclass(frozen=True)
class SpeedLaw:
    """``speed = slope * length + offset`` in metres and seconds for a person of the reference size."""

    slope: float  # 1/s
    offset: float  # m/s
    tolerance: float  # m/s to both sides

    def speed(self, length: float, hip_height: float = REFERENCE_HIP_HEIGHT) -> float:
        """The run-up speed (m/s) of a jump of ``length`` m. Both grow with the size of the body."""
        size = hip_height / REFERENCE_HIP_HEIGHT
        return size * (self.slope * length / size + self.offset)

    def length(self, speed: float, hip_height: float = REFERENCE_HIP_HEIGHT) -> float:
        """The length (m) that a run-up at ``speed`` m/s is made for."""
        size = hip_height / REFERENCE_HIP_HEIGHT
        return size * (speed / size - self.offset) / self.slope


# As printed for 105 walking and 103 running jumps of seven people.
PRINTED = {"walking": SpeedLaw(0.97, -0.04, 0.10), "running": SpeedLaw(1.16, -0.13, 0.15)}


def fitted_law(lengths: FloatArray, speeds: FloatArray, weights: FloatArray | None = None) -> SpeedLaw:
    """The least-squares line of speeds over lengths; its tolerance is the standard deviation about it."""
    lengths, speeds = np.asarray(lengths, dtype=np.float64), np.asarray(speeds, dtype=np.float64)
    if len(lengths) < 3 or np.ptp(lengths) <= 0.0:
        raise LocomoteError(f"a line of speed over length needs three different jumps, got {len(lengths)}")
    slope, offset = np.polyfit(lengths, speeds, 1, w=None if weights is None else np.sqrt(weights))
    left = speeds - slope * lengths - offset
    return SpeedLaw(float(slope), float(offset), float(np.sqrt(np.average(left**2, weights=weights))))


def line(x: FloatArray, y: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """Offset and slope of the weighted least-squares line of y over x."""
    slope, offset = np.polyfit(x, y, 1, w=np.sqrt(weights))
    return float(offset), float(slope)


def lower_edge(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """Offset and slope of the steepest line from the lowest point to the right that has no point below it."""
    lowest = int(np.argmin(y))
    right = x > x[lowest] + 1e-9
    if not right.any():
        return float(y[lowest]), 0.0
    slope = float(np.min((y[right] - y[lowest]) / (x[right] - x[lowest])))
    return float(y[lowest] - slope * x[lowest]), slope
