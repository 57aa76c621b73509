"""Smooth random hills: the same seed gives the same hills."""

from __future__ import annotations

import numpy as np

from locomote.rotations import FloatArray

_DETAIL = 0.35  # height of the finer hills beside the larger ones


def hills(seed: int, rows: int, columns: int, spacing: float) -> FloatArray:
    """Heights ``(rows, columns)`` from -1 to 1 that fall to 0 at the edges; hills lie ``spacing`` cells apart."""
    random = np.random.Generator(np.random.PCG64(seed))
    z, x = np.arange(rows) / spacing, np.arange(columns) / spacing
    heights = _lattice(random, z, x) + _DETAIL * _lattice(random, 2.0 * z, 2.0 * x)
    heights *= _faded(rows, spacing)[:, None] * _faded(columns, spacing)
    return heights / max(float(np.abs(heights).max()), 1e-12)


def _lattice(random: np.random.Generator, z: FloatArray, x: FloatArray) -> FloatArray:
    """Random values at whole numbers, joined smoothly between them."""
    values = 2.0 * random.random((int(z[-1]) + 2, int(x[-1]) + 2)) - 1.0
    r, c = z.astype(int), x.astype(int)
    v, u = _smooth(z - r)[:, None], _smooth(x - c)
    near = (1.0 - u) * values[np.ix_(r, c)] + u * values[np.ix_(r, c + 1)]
    far = (1.0 - u) * values[np.ix_(r + 1, c)] + u * values[np.ix_(r + 1, c + 1)]
    out: FloatArray = (1.0 - v) * near + v * far
    return out


def _faded(count: int, spacing: float) -> FloatArray:
    """1 in the middle and 0 at both ends, without a corner."""
    from_end = np.minimum(np.arange(count), np.arange(count)[::-1])
    return _smooth(np.minimum(from_end / min(spacing, 0.5 * (count - 1)), 1.0))


def _smooth(t: FloatArray) -> FloatArray:
    """From 0 to 1 with level ends and no bend there."""
    out: FloatArray = t * t * t * (t * (6.0 * t - 15.0) + 10.0)
    return out
