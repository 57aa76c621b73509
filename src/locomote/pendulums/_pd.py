"""A controller that drives angles to goals by torques: proportional and derivative gains, plain and stable.

It is for bodies that somebody else simulates. Pendulums need none: their springs are stepped exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import ArrayLike, FloatArray


@dataclass(frozen=True)
class PD:
    """Gains in newton metres for a radian, and for a radian a second."""

    stiffness: float
    damping: float

    def __post_init__(self) -> None:
        for name in ("stiffness", "damping"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0.0):
                raise LocomoteError(f"a controller's {name} must be 0 or more, got {value}")

    @classmethod
    def critical(cls, stiffness: float, inertia: float = 1.0) -> PD:
        """As much damping as brings an inertia to its goal soonest without passing it.

        >>> PD.critical(100.0).damping
        20.0

        Parameters
        ----------
        stiffness, inertia : N m/rad and kg m^2
        """
        return cls(stiffness, 2.0 * math.sqrt(stiffness * inertia))

    def torque(self, angle: ArrayLike, rate: ArrayLike, goal: ArrayLike, goal_rate: ArrayLike = 0.0) -> FloatArray:
        """The torque ``stiffness (goal - angle) + damping (goal_rate - rate)``, for any shape.

        High gains are stiff and quick, and explode where ``damping dt`` is more than twice the inertia.

        Parameters
        ----------
        angle, rate : rad and rad/s, any shape
        goal, goal_rate : rad and rad/s
        """
        return self.stiffness * _minus(goal, angle) + self.damping * _minus(goal_rate, rate)

    def stable_torque(
        self,
        angle: ArrayLike,
        rate: ArrayLike,
        goal: ArrayLike,
        dt: float,
        goal_rate: ArrayLike = 0.0,
        inertia: ArrayLike = 1.0,
        other_torque: ArrayLike = 0.0,
    ) -> FloatArray:
        """The torque for a step that counts with the errors at its end: stable for any gains and steps.

        The torque is for who moves the rate first and the angle by the new rate.

        Parameters
        ----------
        angle, rate : rad and rad/s, any shape
        goal : rad, at the end of the step
        dt : s
        goal_rate : rad/s, at the end of the step
        inertia : kg m^2, a number or one for each angle, or (..., n, n) for n angles that move each other
        other_torque : N m, of gravity and the like
        """
        if not (math.isfinite(dt) and dt > 0.0):
            raise LocomoteError(f"dt {dt}: a step of a controller takes some time")
        angle, rate = np.asarray(angle, dtype=np.float64), np.asarray(rate, dtype=np.float64)
        off = _minus(goal, angle + dt * rate)
        wanted = self.stiffness * off + self.damping * _minus(goal_rate, rate)
        # The acceleration itself is in both errors: (I + (damping + stiffness dt) dt) a = wanted + others.
        gain = (self.damping + self.stiffness * dt) * dt
        mass = np.asarray(inertia, dtype=np.float64)
        forces = wanted + np.asarray(other_torque, dtype=np.float64)
        if mass.ndim < 2:
            return np.asarray(wanted - gain * forces / (mass + gain))
        whole = mass + gain * np.eye(mass.shape[-1])
        return np.asarray(wanted - gain * np.linalg.solve(whole, forces[..., None])[..., 0])


def _minus(a: ArrayLike, b: ArrayLike) -> FloatArray:
    return np.asarray(np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64))
