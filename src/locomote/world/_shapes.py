"""Convex outlines in the plan, ``(V, 2)`` as (x, z), counter-clockwise as seen from above."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.world._kernels.obstacle_layout import MOST_CORNERS

_LEAST_AREA = 1e-6  # m2
_STRAIGHT = 1e-9  # of the squared size: a corner that turns by less is none


def rectangle(across: float, along: float) -> FloatArray:
    """A rectangle about the origin, ``along`` being its length in z."""
    return 0.5 * np.array([[-across, -along], [-across, along], [across, along], [across, -along]])


def disk(radius: float) -> FloatArray:
    """A regular outline that holds a disk about the origin; it reaches 2 % beyond it at the corners."""
    angle = 2.0 * math.pi / MOST_CORNERS * np.arange(MOST_CORNERS)
    out: FloatArray = radius / math.cos(math.pi / MOST_CORNERS) * np.stack([np.sin(angle), np.cos(angle)], axis=1)
    return out


def convex(points: npt.ArrayLike) -> FloatArray:
    """The corners of a convex outline that is given either way round, without those that turn nowhere."""
    try:
        outline = np.array(points, dtype=np.float64)
    except (TypeError, ValueError):
        outline = np.empty(0)
    if outline.ndim != 2 or outline.shape[1] != 2 or len(outline) < 3 or not np.all(np.isfinite(outline)):
        raise LocomoteError(f"points: expected three or more pairs (x, z) of finite numbers, got shape {outline.shape}")
    middle = outline.mean(axis=0)
    outline = outline - middle
    outline = outline[np.any(outline != np.roll(outline, 1, axis=0), axis=1)]
    if len(outline) >= 3 and _area(outline) < 0.0:
        outline = outline[::-1]
    size = max(float(np.ptp(outline, axis=0).max()), 1e-300) if len(outline) else 1.0
    if len(outline) < 3 or _area(outline) < max(_LEAST_AREA, _STRAIGHT * size * size):
        raise LocomoteError("points: the outline has no area; give three or more corners that are not in one line")
    turns, onwards = _turns(outline)
    outline = outline[(turns > _STRAIGHT * size * size) | (turns < -_STRAIGHT * size * size) | (onwards < 0.0)]
    turns, onwards = _turns(outline)
    once_round = abs(float(np.arctan2(turns, onwards).sum()) - 2.0 * math.pi) < 1e-6
    if len(outline) < 3 or np.any(turns <= 0.0) or not once_round:
        raise LocomoteError(
            "points: the outline is not convex; add it as several convex parts, or give the corners of its hull"
        )
    if len(outline) > MOST_CORNERS:
        raise LocomoteError(f"points: expected at most {MOST_CORNERS} corners, got {len(outline)}")
    out: FloatArray = outline + middle
    return out


def centroid(outline: FloatArray) -> FloatArray:
    """The middle ``(2,)`` of the area within an outline."""
    first = outline[0]
    a, b = outline - first, np.roll(outline, -1, axis=0) - first
    weights = a[:, 1] * b[:, 0] - a[:, 0] * b[:, 1]
    out: FloatArray = first + (weights[:, None] * (a + b)).sum(axis=0) / (3.0 * weights.sum())
    return out


def turned(outline: FloatArray, yaw: npt.ArrayLike) -> FloatArray:
    """Outlines ``(..., V, 2)`` turned about the origin by yaws ``(...)``."""
    sine, cosine = np.sin(yaw)[..., None], np.cos(yaw)[..., None]
    x, z = outline[..., 0], outline[..., 1]
    return np.stack([cosine * x + sine * z, cosine * z - sine * x], axis=-1)


def _area(outline: FloatArray) -> float:
    """Positive if counter-clockwise as seen from above."""
    following = np.roll(outline, -1, axis=0)
    return 0.5 * float((outline[:, 1] * following[:, 0] - outline[:, 0] * following[:, 1]).sum())


def _turns(outline: FloatArray) -> tuple[FloatArray, FloatArray]:
    """At every corner the sine and cosine of the turn, times the lengths of both edges; left is positive."""
    come, go = outline - np.roll(outline, 1, axis=0), np.roll(outline, -1, axis=0) - outline
    return come[:, 1] * go[:, 0] - come[:, 0] * go[:, 1], (come * go).sum(axis=1)
