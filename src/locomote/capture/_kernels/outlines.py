"""Silhouettes of a frame: what points of a body pay in them, and which points are nearest to their outlines."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline, kernel

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_NEAR = 1e-3  # depth in front of a perspective eye below which nothing is seen


class Outlines(NamedTuple):
    """What the silhouettes of C cameras say; places and distances in pictures are pixels."""

    lenses: Floats  # (C, 4, 3) an eye, and the rows of the inverse of its axes
    scales: Floats  # (C,) m that a pixel is wide at depth 1, or at any without perspective
    flat: Bools  # (C,) cameras without perspective
    corners: Ints  # (C, 2) column and row of the first pixel of a field
    sizes: Ints  # (C, 2) columns and rows of it
    fields: Singles  # (C, H, W) distance from the outline, negative inside
    owners: Ints  # (S,) the camera of each sample of an outline
    spots: Floats  # (S, 2) where it is
    normals: Floats  # (S, 2) outwards


@inline
def _spot(points: Floats, p: int, lens: Floats, flat: bool, out: Floats) -> None:
    """Column, row and depth of a point in a picture; only the depth of one behind the eye."""
    dx, dy, dz = points[p, 0] - lens[0, 0], points[p, 1] - lens[0, 1], points[p, 2] - lens[0, 2]
    out[2] = 1.0 if flat else lens[3, 0] * dx + lens[3, 1] * dy + lens[3, 2] * dz
    if out[2] >= _NEAR:
        out[0] = (lens[1, 0] * dx + lens[1, 1] * dy + lens[1, 2] * dz) / out[2]
        out[1] = (lens[2, 0] * dx + lens[2, 1] * dy + lens[2, 2] * dz) / out[2]


@inline
def _pay(
    p: int,
    value: float,
    soft: float,
    share: float,
    metre: float,
    u: float,
    v: float,
    lens: Floats,
    flat: bool,
    spot: Floats,
    slopes: Floats,
    bends: Floats,
) -> float:
    """The Huber cost of a distance, m, that changes by (u, v) a pixel; its slope and bend by a point are added."""
    away = abs(value)
    if away < soft:
        cost, weight = 0.5 * value * value / soft, share / soft
    else:
        cost, weight = away - 0.5 * soft, share / away
    # A pixel is wider further away.
    w = 0.0 if flat else u * spot[0] + v * spot[1] - value / metre
    by = metre / spot[2]
    x = by * (u * lens[1, 0] + v * lens[2, 0] - w * lens[3, 0])
    y = by * (u * lens[1, 1] + v * lens[2, 1] - w * lens[3, 1])
    z = by * (u * lens[1, 2] + v * lens[2, 2] - w * lens[3, 2])
    slopes[p, 0] += weight * value * x
    slopes[p, 1] += weight * value * y
    slopes[p, 2] += weight * value * z
    bends[p, 0] += weight * x * x
    bends[p, 1] += weight * y * y
    bends[p, 2] += weight * z * z
    bends[p, 3] += weight * x * y
    bends[p, 4] += weight * x * z
    bends[p, 5] += weight * y * z
    return share * cost


@kernel
def outline_energy(
    points: Floats,
    seen: Outlines,
    nearest: Ints,
    soft: float,
    cover: float,
    spot: Floats,
    slopes: Floats,
    bends: Floats,
) -> float:
    """The mean Huber cost, m, of points outside of silhouettes, and of outlines that have no point on them.

    ``nearest (S,)`` are the points that belong to the samples of the outlines, -1 for none; ``cover`` is how much all
    outlines count beside all points. By the points are slopes ``(P, 3)`` and bends ``(P, 6)``, as in a field; ``spot
    (3,)`` is scratch.
    """
    slopes[:], bends[:] = 0.0, 0.0
    total = 0.0
    share = 1.0 / (points.shape[0] * seen.lenses.shape[0])
    for c in range(seen.lenses.shape[0]):
        lens, flat = seen.lenses[c], seen.flat[c]
        for p in range(points.shape[0]):
            _spot(points, p, lens, flat, spot)
            if spot[2] < _NEAR:
                continue
            x, y = spot[0] - 0.5 - seen.corners[c, 0], spot[1] - 0.5 - seen.corners[c, 1]
            cx, cy = min(max(x, 0.0), seen.sizes[c, 0] - 1.000001), min(max(y, 0.0), seen.sizes[c, 1] - 1.000001)
            i, j = int(cx), int(cy)
            u, v = cx - i, cy - j
            a, b = seen.fields[c, j, i], seen.fields[c, j, i + 1]
            d, e = seen.fields[c, j + 1, i], seen.fields[c, j + 1, i + 1]
            # Beyond the field the way back to it is added.
            value = (a * (1.0 - u) + b * u) * (1.0 - v) + (d * (1.0 - u) + e * u) * v + abs(x - cx) + abs(y - cy)
            if value <= 0.0:
                continue
            right = (b - a) * (1.0 - v) + (e - d) * v if x == cx else math.copysign(1.0, x - cx)
            down = (d - a) * (1.0 - u) + (e - b) * u if y == cy else math.copysign(1.0, y - cy)
            metre = seen.scales[c] * spot[2]
            total += _pay(p, metre * value, soft, share, metre, right, down, lens, flat, spot, slopes, bends)
    share = cover / max(nearest.shape[0], 1)
    for s in range(nearest.shape[0]):
        p, c = nearest[s], seen.owners[s]
        if p < 0:
            continue
        _spot(points, p, seen.lenses[c], seen.flat[c], spot)
        if spot[2] < _NEAR:
            continue
        u, v = seen.normals[s, 0], seen.normals[s, 1]
        metre = seen.scales[c] * spot[2]
        value = metre * (u * (spot[0] - seen.spots[s, 0]) + v * (spot[1] - seen.spots[s, 1]))
        total += _pay(p, value, soft, share, metre, u, v, seen.lenses[c], seen.flat[c], spot, slopes, bends)
    return float(total)


@kernel
def nearest_to_outlines(points: Floats, seen: Outlines, reach: float, spots: Floats, out: Ints) -> None:
    """The point nearest to every sample of the outlines, ``out (S,)``, -1 beyond ``reach`` m.

    ``spots (P, 3)`` is scratch.
    """
    for c in range(seen.lenses.shape[0]):
        for p in range(points.shape[0]):
            _spot(points, p, seen.lenses[c], seen.flat[c], spots[p])
        for s in range(out.shape[0]):
            if seen.owners[s] != c:
                continue
            best, where = 1e300, -1
            for p in range(points.shape[0]):
                x, y = spots[p, 0] - seen.spots[s, 0], spots[p, 1] - seen.spots[s, 1]
                if x * x + y * y < best and spots[p, 2] >= _NEAR:
                    best, where = x * x + y * y, p
            if where >= 0 and math.sqrt(best) * seen.scales[c] * spots[where, 2] > reach:
                where = -1
            out[s] = where
