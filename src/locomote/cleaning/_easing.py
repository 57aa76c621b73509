"""Curves that begin and end smoothly."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from locomote.contacts.records import runs
from locomote.rotations import FloatArray

BoolArray = npt.NDArray[np.bool_]

VELOCITY_FADE = 0.1  # s, in which the velocity of a correction dies away behind and before a contact


def smooth_step(t: npt.ArrayLike) -> FloatArray:
    """From 0 at ``t <= 0`` to 1 at ``t >= 1``, level at both ends."""
    t = np.clip(np.asarray(t, dtype=np.float64), 0.0, 1.0)
    out: FloatArray = t * t * (3.0 - 2.0 * t)
    return out


def soft_excess(values: FloatArray, softness: float) -> FloatArray:
    """What of ``values`` is above 0, bent in smoothly: from ``2 softness`` on it is ``values - softness``."""
    above = np.maximum(values, 0.0)
    return np.where(above < 2.0 * softness, above**2 / (4.0 * softness), above - softness)


def bridged(values: FloatArray, known: BoolArray, fps: float | None = None) -> FloatArray:
    """``values (F, n)`` between the known frames: a smooth step from one stretch to the next; held at the ends.

    With ``fps`` the velocity is continuous too: that of the values at the edge of a stretch fades away in
    the gap.
    """
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
    if fps is None:
        return out
    edges = [0, *(edge for span in spans for edge in span), len(values)]
    gaps = list(zip(edges[::2], edges[1::2], strict=True))
    for k, (a, b) in enumerate(gaps):
        # A gap between two stretches is shared by the two velocities.
        longest = (b - a) * (0.5 if 0 < k < len(gaps) - 1 else 1.0)
        reach = max(2, min(round(VELOCITY_FADE * fps), int(longest)))
        if k > 0:
            start, stop = spans[k - 1]
            out[a:b] += _fading(values[start:stop][::-1], np.arange(1, b - a + 1), reach)
        if k < len(spans):
            start, stop = spans[k]
            out[a:b] += _fading(values[start:stop], np.arange(b - a, 0, -1), reach)
    return out


def _fading(inside: FloatArray, away: npt.NDArray[np.int64], reach: int) -> FloatArray:
    """What the velocity at the edge of a stretch adds, at frames ``away`` from that edge.

    ``inside (n, k)`` are the values of the stretch, from its edge inwards.
    """
    if len(inside) < 2:
        return np.zeros((len(away), inside.shape[1]))
    outward = inside[0] - inside[1]
    t = np.minimum(away / reach, 1.0)
    out: FloatArray = (reach * t * (1.0 - t) ** 2)[:, None] * outward
    return out
