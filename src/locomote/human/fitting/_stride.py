"""Stride: how far a cycle carries the body, from the feet that stand on the floor.

In the frame of the walker a planted foot moves backwards at the speed of travel. The way that the ball joints go back
per cycle while they bear weight is therefore the path of the body per cycle, and speed divided by it is the frequency
at which the cycle must be played so that feet do not slide.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.human._model import STRIKE_PHASE as STRIKE_PHASE
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray

# Phases after its own strike between which the ball joint surely rests on the floor.
STANCE = {"walk": (0.15, 0.45), "run": (0.06, 0.24)}

BALLS = (COMMON.index("LeftToeBase"), COMMON.index("RightToeBase"))
# The joints that place the feet.
LEGS = tuple(
    COMMON.index(name)
    for name in (
        "Hips",
        *(side + part for side in ("Left", "Right") for part in ("UpLeg", "Leg", "Foot", "ToeBase")),
    )
)


def ball_path(root: FloatArray, rotations: FloatArray) -> FloatArray:
    """Positions ``(F, 2, 3)`` of the ball joints, left and right, in hip heights."""
    out: FloatArray = Motion(COMMON, 1.0, root, rotations).joint_positions()[:, BALLS]
    return out


def stance_rows(gait: str, samples: int) -> npt.NDArray[np.int64]:
    """Samples ``(2, n)`` of a cycle in which the ball of the left and of the right foot is planted."""
    start, stop = STANCE[gait]
    after = np.arange(round(start * samples), round(stop * samples) + 1)
    return np.stack([(after + round(phase * samples)) % samples for phase in STRIKE_PHASE])


def path_per_cycle(balls: FloatArray, gait: str) -> FloatArray:
    """The way of the body per cycle, in the unit of ``balls (..., S, 2, 3)``, from the feet in stance."""
    samples = balls.shape[-3]
    return path_of_ends(balls[..., stance_ends(gait, samples), :, :], gait, samples)


def stance_ends(gait: str, samples: int) -> npt.NDArray[np.int64]:
    """The four samples from which the path is measured: first and last of stance, left foot, then right."""
    return stance_rows(gait, samples)[:, [0, -1]].ravel()


def path_of_ends(ends: FloatArray, gait: str, samples: int) -> FloatArray:
    """The way of the body per cycle from the balls ``(..., 4, 2, 3)`` at `stance_ends`."""
    left = ends[..., 0, 0, 2] - ends[..., 1, 0, 2]
    right = ends[..., 2, 1, 2] - ends[..., 3, 1, 2]
    out: FloatArray = 0.5 * (left + right) * samples / (stance_rows(gait, samples).shape[1] - 1)
    return out


def slip(balls: FloatArray, gait: str, path: float) -> tuple[float, float]:
    """How far the balls wander in stance (largest range) and drift (net way); ``path`` is the way of a cycle."""
    samples = balls.shape[-3]
    rows = stance_rows(gait, samples)
    along = path * np.arange(rows.shape[1]) / samples
    floor = [balls[rows[foot], foot][:, [0, 2]] + np.outer(along, [0.0, 1.0]) for foot in (0, 1)]
    wander = max(float(np.hypot(*np.ptp(track, axis=0))) for track in floor)
    drift = max(abs(float(track[-1, 1] - track[0, 1])) for track in floor)
    return wander, drift
