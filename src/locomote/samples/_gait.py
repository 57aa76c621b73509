"""Gait laws: how often, how far and for how long the feet step at a given speed.

Bodies of different size move alike at the same Froude number, so every law is written for a person with hips
0.9 m above the floor and scaled: lengths with the hip height, times with its square root.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, sqrt

from locomote.errors import LocomoteError
from locomote.human_skeleton import hip_height

REFERENCE_HIP_HEIGHT = 0.9  # m
RUN_ABOVE = 2.0  # m/s at a leg of 0.9 m: people change from walking to running here
LEG_RANGE = (0.5, 1.3)  # m
SPEED_RANGE = {"walk": (0.3, 2.5), "run": (1.5, 6.0)}  # m/s at a leg of 0.9 m
_RANGE_LEG = 0.9  # m, the leg length at which the speeds above hold


@dataclass(frozen=True)
class GaitLaws:
    """One steady gait of one body. The stride phase goes from a heel strike of a leg (0) to its next (1)."""

    name: str  # "walk" or "run"
    speed: float  # m/s along the path
    pace: float  # m/s, the speed at which a body with hips at 0.9 m would move alike
    hip_height: float  # m
    stride_time: float  # s
    duty_factor: float  # part of the stride for which a foot is on the floor
    toe_strike: float  # stride phases of the events of one foot
    heel_off: float
    ball_off: float
    passing: float  # the phase at which the pelvis is above the ankle
    step_width: float  # m, between the lines of the ankles

    @property
    def running(self) -> bool:
        """Whether both feet leave the floor between steps."""
        return self.name == "run"

    @property
    def step_length(self) -> float:
        """Metres along the path from one foot to the next."""
        return 0.5 * self.speed * self.stride_time

    @property
    def cadence(self) -> float:
        """Steps per minute."""
        return 120.0 / self.stride_time

    @property
    def size(self) -> float:
        """The body's size beside the one for which the laws are written."""
        return self.hip_height / REFERENCE_HIP_HEIGHT


def choose_gait(speed: float, leg_length: float, name: str | None) -> GaitLaws:
    """The gait of a body at a speed; without a name, the one that people choose."""
    if not (isfinite(leg_length) and LEG_RANGE[0] <= leg_length <= LEG_RANGE[1]):
        raise LocomoteError(f"leg_length {leg_length}: expected {LEG_RANGE[0]} to {LEG_RANGE[1]} m")
    if name not in (None, "walk", "run"):
        raise LocomoteError(f"gait {name!r}: expected 'walk', 'run' or None")
    scale = sqrt(leg_length / _RANGE_LEG)
    if name is None:
        name = "run" if speed > RUN_ABOVE * scale else "walk"
    slowest, fastest = (scale * bound for bound in SPEED_RANGE[name])
    if not (isfinite(speed) and slowest <= speed <= fastest):
        raise LocomoteError(
            f"speed {speed}: a {name} on legs of {leg_length} m goes {slowest:.2f} to {fastest:.2f} m/s"
        )
    hips = hip_height(leg_length)
    size = hips / REFERENCE_HIP_HEIGHT
    pace = speed / sqrt(size)
    law = _run if name == "run" else _walk
    return law(speed, pace, hips, sqrt(size))


def _walk(speed: float, pace: float, hips: float, slowness: float) -> GaitLaws:
    # Step length and cadence both grow with the root of speed: 94 steps/min at 1 m/s, 133 at 2.
    duty = 0.70 - 0.065 * pace
    return GaitLaws(
        name="walk",
        speed=speed,
        pace=pace,
        hip_height=hips,
        stride_time=slowness * 120.0 / (94.0 * sqrt(pace)),
        duty_factor=duty,
        toe_strike=0.13 * duty,
        heel_off=(0.68 - 0.10 * pace) * duty,
        ball_off=0.90 * duty,
        passing=(0.37 + 0.03 * max(pace - 1.35, 0.0)) * duty,
        step_width=0.11 * hips,
    )


def _run(speed: float, pace: float, hips: float, slowness: float) -> GaitLaws:
    duty = 0.45 - 0.033 * pace
    return GaitLaws(
        name="run",
        speed=speed,
        pace=pace,
        hip_height=hips,
        stride_time=slowness * 120.0 / (130.0 + 13.0 * pace),
        duty_factor=duty,
        toe_strike=0.16 * duty,
        heel_off=0.50 * duty,
        ball_off=0.88 * duty,
        passing=0.285 * duty,
        step_width=0.06 * hips,
    )
