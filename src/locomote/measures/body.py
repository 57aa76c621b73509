"""What the eye sees of a body in single frames: limbs that jump, trunks and heads that twitch, peaks of acceleration.

All of it is taken at 60 frames a second, whatever the rate of the clip, so that figures of clips can be compared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.measures.limits import bend_degrees
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Roles

RATE = 60.0  # frames a second at which bodies are judged
CUT_OFF = 12.0  # Hz, of the low-pass filter before accelerations: what markers and filters of recorders let through
_SHORTEST = 16  # frames that can be filtered


class BodyEvents(NamedTuple):
    """The worst of a motion; None where a body has no such part."""

    ankle_drop: float | None  # cm that an ankle comes down in one frame
    knee_step: float | None  # deg that a knee turns in one frame
    elbow_step: float | None  # deg
    trunk_jolt: float | None  # % of the leg length (or of the height without legs), second difference of the chest
    head_jolt: float | None  # %
    knee_peak: float | None  # m/s2, greatest acceleration below 12 Hz
    head_peak: float | None  # m/s2
    pelvis_peak: float | None  # m/s2
    wrist_peak: float | None  # m/s2


def body_events(motion: Motion) -> BodyEvents:
    """The worst single frames and the peaks of a motion at 60 frames a second."""
    motion = motion if abs(motion.fps - RATE) < 1e-6 else motion.resampled(RATE)
    places, skeleton = motion.joint_positions(), motion.skeleton
    standing = max(float(np.median(places[:, skeleton.roles.root, 1])), 1e-3) if len(places) else 1.0
    return events_of(places, skeleton.roles, skeleton.leg_length() if skeleton.roles.legs else standing)


def events_of(places: FloatArray, roles: Roles, length: float) -> BodyEvents:
    """The same of joints ``(F, J, 3)`` at 60 frames a second, of a body whose legs, or height, are so long."""
    if len(places) < _SHORTEST:
        return BodyEvents(*(None,) * len(BodyEvents._fields))
    ankles = [leg.ankle for leg in roles.legs]
    knees = [bend_degrees(*(places[:, j] for j in (leg.hip, leg.knee, leg.ankle))) for leg in roles.legs]
    elbows = [bend_degrees(*(places[:, j] for j in (arm.shoulder, arm.elbow, arm.wrist))) for arm in roles.arms]
    chest = [roles.spine[-1]] if roles.spine else []
    head = [roles.head] if roles.head is not None else []
    smooth = filtered(places)
    return BodyEvents(
        ankle_drop=_worst(-100.0 * np.diff(places[:, ankles, 1], axis=0)),
        knee_step=_worst(np.abs(np.diff(knees, axis=1))) if knees else None,
        elbow_step=_worst(np.abs(np.diff(elbows, axis=1))) if elbows else None,
        trunk_jolt=_worst(100.0 * _second(places[:, chest]) / length),
        head_jolt=_worst(100.0 * _second(places[:, head]) / length),
        knee_peak=_worst(RATE**2 * _second(smooth[:, [leg.knee for leg in roles.legs]])),
        head_peak=_worst(RATE**2 * _second(smooth[:, head])),
        pelvis_peak=_worst(RATE**2 * _second(smooth[:, [roles.root]])),
        wrist_peak=_worst(RATE**2 * _second(smooth[:, [arm.wrist for arm in roles.arms]])),
    )


def filtered(places: FloatArray) -> FloatArray:
    """Places ``(F, J, 3)`` at 60 frames a second without what is faster than 12 Hz, and without delay."""
    from scipy.signal import butter, filtfilt  # slow to import

    b, a = butter(2, CUT_OFF / (0.5 * RATE))
    out: FloatArray = filtfilt(b, a, places, axis=0)
    return out


def _second(places: FloatArray) -> FloatArray:
    """Lengths of the second differences ``(F - 2, J)``."""
    out: FloatArray = np.linalg.norm(places[2:] - 2.0 * places[1:-1] + places[:-2], axis=-1)
    return out


def _worst(values: FloatArray) -> float | None:
    return float(np.max(values)) if values.size else None
