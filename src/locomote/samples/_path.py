"""The line on the floor along which a body goes: straight, or an arc of constant curvature."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote.rotations import FloatArray


@dataclass(frozen=True)
class ArcPath:
    """Constant speed and turn rate from the origin, at time 0 along +Z."""

    speed: float  # m/s
    turn_rate: float  # rad/s, positive to the left

    def heading(self, times: FloatArray) -> FloatArray:
        """The yaw of the path."""
        return self.turn_rate * times

    def point(self, times: FloatArray, left: FloatArray | float = 0.0) -> FloatArray:
        """Points ``(..., 3)`` on the floor, ``left`` metres to the left of the path."""
        yaw = self.heading(times)
        chord = self.speed * times * np.sinc(yaw / (2.0 * np.pi))
        x = chord * np.sin(0.5 * yaw) + left * np.cos(yaw)
        z = chord * np.cos(0.5 * yaw) - left * np.sin(yaw)
        return np.stack([x, np.zeros_like(x), z], axis=-1)
