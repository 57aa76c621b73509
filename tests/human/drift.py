"""How far points of feet are from where they came to stand."""

from __future__ import annotations

import numpy as np


def drifts(points: np.ndarray, stands: np.ndarray) -> np.ndarray:
    """Of points ``(F, ..., C)`` that stand at times, ``stands (F, ...)``: metres from where each began to; else 0."""
    begun = points.copy()
    for frame in range(1, len(points)):
        stays = (stands[frame] & stands[frame - 1])[..., None]
        begun[frame] = np.where(stays, begun[frame - 1], points[frame])
    return np.where(stands, np.linalg.norm(points - begun, axis=-1), 0.0)
