"""Outlines of things in the plan: what they hold, which cells they touch, and how a foot makes them grow."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Pair
from locomote.world._kernels.map_layout import CORNERS, SLOPE_X, SLOPE_Z, YAW, X, Y, Z

Bytes: TypeAlias = npt.NDArray[np.uint8]

TOUCH = 1e-9  # m by which an outline must reach into a cell to touch it
LEAST_FOOT = 1e-6  # m, half of the width and length of a foot: edges without a length have no direction


@inline
def holds(x: float, z: float, slot: int, things: Floats, thing_corners: Floats) -> bool:
    """Whether a place lies within the outline of a thing or on it."""
    count = int(things[slot, CORNERS])
    ax, az = thing_corners[slot, count - 1, 0], thing_corners[slot, count - 1, 1]
    for k in range(count):
        bx, bz = thing_corners[slot, k, 0], thing_corners[slot, k, 1]
        if (bx - ax) * (z - az) > (bz - az) * (x - ax):
            return False
        ax, az = bx, bz
    return True


@inline
def top_at(x: float, z: float, slot: int, things: Floats) -> float:
    """The height of the plane on top of a thing at a place."""
    top: float = things[slot, Y]
    if things[slot, SLOPE_X] != 0.0 or things[slot, SLOPE_Z] != 0.0:
        sine, cosine = math.sin(things[slot, YAW]), math.cos(things[slot, YAW])
        dx, dz = x - things[slot, X], z - things[slot, Z]
        top += things[slot, SLOPE_X] * (cosine * dx - sine * dz)
        top += things[slot, SLOPE_Z] * (sine * dx + cosine * dz)
    return top


@inline
def line_span(z: float, count: int, outline: Floats) -> Pair:
    """From which x to which x the line at a z runs within a convex ``outline (count, 2)``; ``(inf, -inf)`` if not."""
    low, high = math.inf, -math.inf
    ax, az = outline[count - 1, 0], outline[count - 1, 1]
    for k in range(count):
        bx, bz = outline[k, 0], outline[k, 1]
        if (az <= z) != (bz <= z):
            x = ax + (bx - ax) / (bz - az) * (z - az)
            low, high = min(low, x), max(high, x)
        ax, az = bx, bz
    return low, high


@inline
def row_spans(first: int, last: int, cell: float, count: int, outline: Floats, spans: Floats) -> None:
    """Fill ``spans (rows + 2, 4)`` for rows of cells from the one before the first to the one behind the last.

    From which x to which x the line through their middles runs within a convex ``outline (count, 2)``, and what the
    outline reaches within them: as `line_span` and `strip_span` say, but each edge is looked at in its own rows alone.
    """
    for n in range(last - first + 3):
        spans[n, 0], spans[n, 1], spans[n, 2], spans[n, 3] = math.inf, -math.inf, math.inf, -math.inf
    ax, az = outline[count - 1, 0], outline[count - 1, 1]
    for k in range(count):
        bx, bz = outline[k, 0], outline[k, 1]
        low, high = min(az, bz), max(az, bz)
        pace = (bx - ax) / (bz - az) if bz != az else 0.0
        for r in range(max(math.floor(low / cell), first), min(math.floor(high / cell), last) + 1):
            n = r - first + 1
            z_low, z_high, z = r * cell + TOUCH, (r + 1) * cell - TOUCH, (r + 0.5) * cell
            x, crosses = ax + pace * (z - az), (az <= z) != (bz <= z)
            spans[n, 0] = min(spans[n, 0], x if crosses else math.inf)
            spans[n, 1] = max(spans[n, 1], x if crosses else -math.inf)
            from_x = ax + pace * (min(max(az, z_low), z_high) - az)
            to_x = ax + pace * (min(max(bz, z_low), z_high) - az)
            within = (high > z_low) & (low < z_high)
            spans[n, 2] = min(spans[n, 2], min(from_x, to_x) if within else math.inf)
            spans[n, 3] = max(spans[n, 3], max(from_x, to_x) if within else -math.inf)
        ax, az = bx, bz


@inline
def strip_span(z_low: float, z_high: float, count: int, outline: Floats) -> Pair:
    """The x that a convex ``outline (count, 2)`` reaches between two z; ``(inf, -inf)`` if it does not get there."""
    low, high = math.inf, -math.inf
    ax, az = outline[count - 1, 0], outline[count - 1, 1]
    for k in range(count):
        bx, bz = outline[k, 0], outline[k, 1]
        if max(az, bz) > z_low and min(az, bz) < z_high:
            from_x, to_x = ax, bx
            if az != bz:
                pace = (bx - ax) / (bz - az)
                from_x = ax + pace * (min(max(az, z_low), z_high) - az)
                to_x = ax + pace * (min(max(bz, z_low), z_high) - az)
            low, high = min(low, from_x, to_x), max(high, from_x, to_x)
        ax, az = bx, bz
    return low, high


@inline
def foot_box(half_width: float, half_length: float, yaw: float, box: Floats) -> None:
    """Fill ``box (4, 2)`` with the corners of a foot about its middle, the one of the lowest x first."""
    half_width, half_length = max(half_width, LEAST_FOOT), max(half_length, LEAST_FOOT)
    sine, cosine = math.sin(yaw), math.cos(yaw)
    first = 0
    for k in range(4):
        x = -half_width if k < 2 else half_width
        z = -half_length if k == 0 or k == 3 else half_length
        box[k, 0], box[k, 1] = cosine * x + sine * z, cosine * z - sine * x
        if before(box[k, 0], box[k, 1], box[first, 0], box[first, 1]):
            first = k
    while first > 0:
        first -= 1
        x, z = box[0, 0], box[0, 1]
        for k in range(3):
            box[k, 0], box[k, 1] = box[k + 1, 0], box[k + 1, 1]
        box[3, 0], box[3, 1] = x, z


@inline
def grow_outline(count: int, outline: Floats, box: Floats, grown: Floats) -> int:
    """Fill ``grown (count + 4, 2)`` with all places of which a foot ``box`` reaches an outline; its corners' number.

    A box about its middle is its own mirror image, so that this is the Minkowski sum: the edges of both, sorted by
    direction.
    """
    first = 0
    for k in range(1, count):
        if before(outline[k, 0], outline[k, 1], outline[first, 0], outline[first, 1]):
            first = k
    i, j, corners = 0, 0, 0
    while i < count or j < 4:
        a, b = (first + i) % count, (first + i + 1) % count
        p, q = j % 4, (j + 1) % 4
        grown[corners, 0] = outline[a, 0] + box[p, 0]
        grown[corners, 1] = outline[a, 1] + box[p, 1]
        corners += 1
        box_x, box_z = box[q, 0] - box[p, 0], box[q, 1] - box[p, 1]
        turn = (outline[b, 1] - outline[a, 1]) * box_x - (outline[b, 0] - outline[a, 0]) * box_z
        if j >= 4 or (i < count and turn > 0.0):
            i += 1
        elif i >= count or turn < 0.0:
            j += 1
        else:
            i, j = i + 1, j + 1
    return corners


@part
def convex_hull(count: int, points: Floats, hull: Floats) -> int:
    """Fill ``hull (count + 1, 2)`` with the outline of ``points (count, 2)``, which are sorted; its corners' number.

    The corners are counter-clockwise as seen from above, as those of all outlines.
    """
    for k in range(1, count):
        x, z = points[k, 0], points[k, 1]
        j = k
        while j > 0 and before(x, z, points[j - 1, 0], points[j - 1, 1]):
            points[j, 0], points[j, 1] = points[j - 1, 0], points[j - 1, 1]
            j -= 1
        points[j, 0], points[j, 1] = x, z
    n = 0
    for chain in range(2):  # from the lowest x to the highest, and back
        least = n + 1
        for i in range(count):
            k = i if chain == 0 else count - 1 - i
            x, z = points[k, 0], points[k, 1]
            while n > least:
                ax, az, bx, bz = hull[n - 2, 0], hull[n - 2, 1], hull[n - 1, 0], hull[n - 1, 1]
                if (bx - ax) * (z - az) < (bz - az) * (x - ax):
                    break
                n -= 1
            hull[n, 0], hull[n, 1] = x, z
            n += 1
        n -= 1  # the last of a chain is the first of the next
    return n


@inline
def before(x: float, z: float, other_x: float, other_z: float) -> bool:
    """Whether a corner is the one to begin with rather than another: of the lowest x, and then of the lowest z."""
    return x < other_x or (x == other_x and z < other_z)
