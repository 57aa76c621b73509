"""How much of each key pose is in a pose between them: Gaussians, a trigonometric polynomial, sets that switch.

Every way is a matrix of weights, one row a place, one column a key; each gives back the key itself at its own place
(AGV-06, AGV-07, AGV-13).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import ArrayLike, FloatArray

ALPHA = float(np.log(2.0))  # a key has half of its influence at distance 1 in coordinates of variance 1
FAR = 0.3  # of the sum of weights: below it no key is near
_SMOOTH = 4.0  # the power by which a trigonometric polynomial holds back its higher harmonics

Variant = Literal["raw", "centred", "normalised"]


class KeyWeights(NamedTuple):
    """Weights of the keys, and what is to be seen of them before they are made to sum to 1."""

    weights: FloatArray  # (n, m)
    sums: FloatArray  # (n,) of the raw weights
    least: FloatArray  # (n,)
    most: FloatArray  # (n,)


def closeness(points: FloatArray, keys: FloatArray, alpha: float = ALPHA) -> FloatArray:
    """``h(r) = exp(-alpha r²)`` between points ``(n, c)`` and keys ``(m, c)``: ``(n, m)``."""
    squares = np.sum((points[:, None] - keys) ** 2, axis=-1)
    out: FloatArray = np.exp(-alpha * squares)
    return out


def gaussian_weights(
    points: ArrayLike, keys: ArrayLike, alpha: float = ALPHA, variant: Variant = "normalised"
) -> KeyWeights:
    """Weights by Gaussians around the keys.

    Parameters
    ----------
    points : (n, c) coordinates at which poses are wanted
    keys : (m, c) coordinates of the keys, all different
    alpha : over the square of a distance; 0.2 to 2 for coordinates of variance 1
    variant : "raw"; "normalised", so that they sum to 1 where any key is near; "centred", what is missing to 1
        shared out among the keys, so that far from all of them there is their mean
    """
    at, where = np.atleast_2d(np.asarray(points, float)), np.atleast_2d(np.asarray(keys, float))
    if at.shape[1] != where.shape[1]:
        raise LocomoteError(f"points of {at.shape[1]} coordinates, keys of {where.shape[1]}")
    among = closeness(where, where, alpha)
    if np.linalg.cond(among) > 1e10:
        raise LocomoteError("two keys show the same silhouette: their poses cannot be told apart there")
    raw: FloatArray = np.asarray(np.linalg.solve(among, closeness(at, where, alpha).T).T, dtype=np.float64)
    sums = raw.sum(axis=1)
    centred = raw + (1.0 - sums)[:, None] / len(where)
    if variant == "raw":
        out = raw
    elif variant == "centred":
        out = centred
    else:
        near = sums > FAR
        out = np.where(near[:, None], raw / np.where(near, sums, 1.0)[:, None], centred)
    return KeyWeights(out, sums, raw.min(axis=1), raw.max(axis=1))


def circle(phases: ArrayLike) -> FloatArray:
    """Coordinates ``(..., 2)`` of phases in turns, on a circle on which each has variance 1."""
    angles = 2.0 * np.pi * np.asarray(phases, dtype=np.float64)
    return np.asarray(np.sqrt(2.0) * np.stack([np.cos(angles), np.sin(angles)], axis=-1), dtype=np.float64)


def trigonometric_weights(phases: ArrayLike, keys: ArrayLike) -> FloatArray:
    """Weights ``(n, m)`` of the smoothest trigonometric polynomial through keys at some phases, in turns."""
    at, where = np.asarray(phases, float), np.asarray(keys, float)
    orders = np.arange(1, len(where) // 2 + 1)
    strengths = orders**-_SMOOTH

    def likeness(a: FloatArray) -> FloatArray:
        turns = 2.0 * np.pi * orders * (a[:, None] - where)[..., None]
        out: FloatArray = 10.0 + np.cos(turns) @ strengths
        return out

    return np.asarray(np.linalg.solve(likeness(where), likeness(at).T).T, dtype=np.float64)


def switching_weights(phases: ArrayLike, keys: ArrayLike, alpha: float = ALPHA) -> FloatArray:
    """Weights ``(n, m)`` by overlapping sets of half of the keys each, for gaits of two alike halves.

    A silhouette of such a gait comes twice a cycle, so that coordinates of silhouettes tell only half of it; a set
    has the keys of one half. The set changes at a key that both have, where both give the same pose.

    Parameters
    ----------
    phases : (n,) turns of the whole cycle
    keys : (m,) turns of the keys, rising within one cycle; m is even and 8 at least
    alpha : as of `gaussian_weights`
    """
    at, where = np.asarray(phases, float) % 1.0, np.asarray(keys, float) % 1.0
    count = len(where)
    if count < 8 or count % 2 or np.any(np.diff(where) <= 0.0):
        raise LocomoteError(f"switching needs an even number of keys from 8 on, in order of phase; got {count}")
    # The last key at or before each phase; sets begin at even keys and serve from their second to their fourth key.
    before = (np.searchsorted(where, at, side="right") - 1) % count
    begins = 2 * (((before - 1) % count) // 2)
    out = np.zeros((len(at), count))
    for first in range(0, count, 2):
        mine, rows = (first + np.arange(count // 2)) % count, np.flatnonzero(begins == first)
        if len(rows):
            chosen = gaussian_weights(circle(2.0 * at[rows]), circle(2.0 * where[mine]), alpha)
            out[np.ix_(rows, mine)] = chosen.weights
    return out


def straight_weights(phases: ArrayLike, keys: ArrayLike) -> FloatArray:
    """Weights ``(n, m)`` of the two keys around each phase, by how far it is between them."""
    at, where = np.asarray(phases, float) % 1.0, np.asarray(keys, float) % 1.0
    count = len(where)
    before = (np.searchsorted(where, at, side="right") - 1) % count
    after = (before + 1) % count
    span = (where[after] - where[before]) % 1.0
    share = ((at - where[before]) % 1.0) / np.where(span > 0.0, span, 1.0)
    out = np.zeros((len(at), count))
    rows = np.arange(len(at))
    out[rows, before] = 1.0 - share
    out[rows, after] += share
    return out
