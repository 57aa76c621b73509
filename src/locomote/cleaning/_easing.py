"""Curves that begin and end smoothly."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from locomote.contacts.records import runs
from locomote.rotations import FloatArray

BoolArray = npt.NDArray[np.bool_]


def smooth_step(t: npt.ArrayLike) -> FloatArray:
    """From 0 at ``t <= 0`` to 1 at ``t >= 1``, level at both ends."""
    t = np.clip(np.asarray(t, dtype=np.float64), 0.0, 1.0)
    out: FloatArray = t * t * (3.0 - 2.0 * t)
    return out


def soft_excess(values: FloatArray, softness: float) -> FloatArray:
    """What of ``values`` is above 0, bent in smoothly: from ``2 softness`` on it is ``values - softness``."""
    above = np.maximum(values, 0.0)
    return np.where(above < 2.0 * softness, above**2 / (4.0 * softness), above - softness)


def bridged(values: FloatArray, known: BoolArray) -> FloatArray:
    """``values (F, n)`` between the known frames: a smooth step from one stretch to the next; held at the ends."""
    out = values.copy()
    spans = [(int(a), int(b)) for a, b in runs(known)]
    if not spans:
        return np.zeros_like(values)
    out[: spans[0][0]] = values[spans[0][0]]
    out[spans[-1][1] :] = values[spans[-1][1] - 1]
    for (_, stop), (start, _) in pairwise(spans):
        t = (np.arange(stop, start) - stop + 1.0) / (start - stop + 1.0)
        ease = smooth_step(t)[:, None]
        out[stop:start] = (1.0 - ease) * values[stop - 1] + ease * values[start]
    return out


def eased(values: FloatArray, known: BoolArray, fps: float, shift: FloatArray, sway: FloatArray) -> FloatArray:
    """``values (F, n)`` between the known frames, near to `bridged` ones and without a jerk at their edges.

    They may be ``shift (F,)`` off those for as much as they may quicken by ``sway (F,)``.
    """
    out = bridged(values, known)
    if not np.any(known) or len(values) < 3:
        return out
    weights, near = (fps**2 / sway) ** 2, shift**-2
    for start, stop in runs(~known):
        out[start:stop] = _least_quickening(out, int(start), int(stop), weights, near)
    return out


def _least_quickening(values: FloatArray, start: int, stop: int, weights: FloatArray, near: FloatArray) -> FloatArray:
    """New values from ``start`` to ``stop``, between those beyond, which stay: ``(stop - start, n)``."""
    from scipy.linalg import solveh_banded

    count = stop - start
    bands = np.zeros((3, count))
    bands[0] = near[start:stop]
    right = near[start:stop, None] * values[start:stop]
    parts = (1.0, -2.0, 1.0)
    for middle in range(max(start - 1, 1), min(stop + 1, len(values) - 1)):
        around = range(middle - 1, middle + 2)
        fixed = sum(
            (part * values[f] for f, part in zip(around, parts, strict=True) if not start <= f < stop),
            np.zeros(values.shape[1]),
        )
        for a, row in zip(around, parts, strict=True):
            if not start <= a < stop:
                continue
            right[a - start] -= weights[middle] * row * fixed
            for b, column in zip(around, parts, strict=True):
                if a <= b < stop:
                    bands[b - a, a - start] += weights[middle] * row * column
    solved: FloatArray = solveh_banded(bands, right, lower=True)
    return solved
