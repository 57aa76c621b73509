"""Obstacles near a way: sorted by the cells of the plan that they touch, so that few are looked at.

``starts (B + 2,)`` and ``members`` are B buckets (a power of two) and a last one of obstacles that are too large for
cells: those of bucket b are ``members[starts[b] : starts[b + 1]]``. A cell falls into a bucket by a hash, so that it
does not matter how far away obstacles are.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints
from locomote.world._kernels.obstacle_layout import CELL, CORNERS, MOST_CELLS, RADIUS, TURN, VX, VZ, X, Z
from locomote.world._kernels.obstacles import distance

MOST_NEAR = 32  # obstacles near a way that are looked at

_LEAST_BUCKETS = 16
_HALF_CELL = 0.5 * math.sqrt(2.0) * CELL  # m from the middle of a cell to its corners
_FARTHEST_CELL = 1e9

Ends = tuple[float, float, float, float]  # x, z of both ends of a segment


class NearObstacles(NamedTuple):
    """Obstacles as `world.Obstacles` lays them out, and scratch for those near a walker."""

    table: Floats
    corners: Floats
    starts: Ints
    members: Ints
    ids: Ints
    found: Ints  # (MOST_NEAR,)


@kernel
def sort_into_buckets(table: Floats, corners: Floats, seconds: float) -> tuple[Ints, Ints]:
    """``(starts, members)`` of obstacles by the cells that they touch within so many seconds from now."""
    count = table.shape[0]
    entries = 0
    for o in range(count):
        entries += _span(o, seconds, table, corners)[4]
    buckets = _LEAST_BUCKETS
    while buckets < 2 * entries:
        buckets *= 2
    starts = np.zeros(buckets + 2, dtype=np.int64)
    for o in range(count):
        _enter(o, seconds, table, corners, starts, starts[:0], False)
    total = 0
    for b in range(buckets + 1):
        total += starts[b]
        starts[b] = total
    starts[buckets + 1] = total
    members = np.empty(total, dtype=np.int64)
    for o in range(count - 1, -1, -1):  # filled from behind, so that each bucket begins with the lowest row
        _enter(o, seconds, table, corners, starts, members, True)
    return starts, members


@part
def near_segment(
    x0: float,
    z0: float,
    x1: float,
    z1: float,
    reach: float,
    ahead: float,
    near: NearObstacles,
    found: Ints,
) -> int:
    """Fill ``found`` with the rows of obstacles that may come within ``reach`` of a segment; gives back how many.

    All that touch it between now and ``ahead`` seconds (at most HORIZON) are there, each once, and few others. If there
    are more than ``found`` has room for, those nearest to the start are kept.
    """
    ends = x0, z0, x1, z1
    buckets = near.starts.shape[0] - 2
    count = _take(buckets, ends, reach, ahead, near, found, 0)
    low_z, high_z = _cell(min(z0, z1) - reach), _cell(max(z0, z1) + reach)
    for cell_z in range(low_z, high_z + 1):
        # The part of the segment that is no farther than the reach from this row of cells.
        low, high = 0.0, 1.0
        if abs(z1 - z0) > 1e-9:
            t0 = (cell_z * CELL - reach - z0) / (z1 - z0)
            t1 = ((cell_z + 1) * CELL + reach - z0) / (z1 - z0)
            low, high = max(low, min(t0, t1)), min(high, max(t0, t1))
        if low > high:
            continue
        from_x, to_x = x0 + low * (x1 - x0), x0 + high * (x1 - x0)
        for cell_x in range(_cell(min(from_x, to_x) - reach), _cell(max(from_x, to_x) + reach) + 1):
            b = _bucket(cell_x, cell_z, buckets)
            count = _take(b, ends, reach, ahead, near, found, count)
    return count


@inline
def _take(b: int, ends: Ends, reach: float, ahead: float, near: NearObstacles, found: Ints, count: int) -> int:
    """Add those of a bucket that are near a segment and not yet found."""
    start = ends[0], ends[1], ends[0], ends[1]
    for i in range(near.starts[b], near.starts[b + 1]):
        o = near.members[i]
        known = False
        for k in range(count):
            known = known or found[k] == o
        if known or _gap(o, ends, ahead, near.table) > reach:
            continue
        if count < found.shape[0]:
            found[count] = o
            count += 1
            continue
        worst, where = _gap(o, start, ahead, near.table), -1
        for k in range(count):
            gap = _gap(found[k], start, ahead, near.table)
            if gap > worst:
                worst, where = gap, k
        if where >= 0:
            found[where] = o
    return count


@inline
def _gap(o: int, ends: Ends, ahead: float, table: Floats) -> float:
    """The least distance, within so many seconds, from a segment to the circle that holds an obstacle."""
    vx, vz = table[o, VX], table[o, VZ]
    off = _apart(table[o, X], table[o, Z], ends)
    gap: float = off - table[o, RADIUS] - ahead * math.sqrt(vx * vx + vz * vz)
    return gap


@inline
def _apart(x: float, z: float, ends: Ends) -> float:
    """The distance from a point to a segment."""
    x0, z0, x1, z1 = ends
    ex, ez = x1 - x0, z1 - z0
    square = ex * ex + ez * ez
    share = 0.0
    if square > 0.0:
        share = min(max(((x - x0) * ex + (z - z0) * ez) / square, 0.0), 1.0)
    dx, dz = x0 + share * ex - x, z0 + share * ez - z
    return math.sqrt(dx * dx + dz * dz)


@part
def _enter(o: int, seconds: float, table: Floats, corners: Floats, starts: Ints, members: Ints, fill: bool) -> None:
    """Count an obstacle in the ``starts`` of its buckets, or put it there and count down again."""
    buckets = starts.shape[0] - 2
    low_x, high_x, low_z, high_z, cells = _span(o, seconds, table, corners)
    if cells == 0:
        if fill:
            starts[buckets] -= 1
            members[starts[buckets]] = o
        else:
            starts[buckets] += 1
        return
    for cell_z in range(low_z, high_z + 1):
        for cell_x in range(low_x, high_x + 1):
            if not _touches(o, cell_x, cell_z, seconds, table, corners):
                continue
            b = _bucket(cell_x, cell_z, buckets)
            if fill:
                starts[b] -= 1
                members[starts[b]] = o
            else:
                starts[b] += 1


@part
def _span(o: int, seconds: float, table: Floats, corners: Floats) -> tuple[int, int, int, int, int]:
    """The cells ``(low x, high x, low z, high z)`` between which an obstacle lies, and how many; 0: too many."""
    low_x, high_x, low_z, high_z = math.inf, -math.inf, math.inf, -math.inf
    for k in range(int(table[o, CORNERS])):
        low_x, high_x = min(low_x, corners[o, k, 0]), max(high_x, corners[o, k, 0])
        low_z, high_z = min(low_z, corners[o, k, 1]), max(high_z, corners[o, k, 1])
    if _moves(o, table):
        radius, far_x, far_z = table[o, RADIUS], seconds * table[o, VX], seconds * table[o, VZ]
        low_x, high_x = table[o, X] - radius + min(0.0, far_x), table[o, X] + radius + max(0.0, far_x)
        low_z, high_z = table[o, Z] - radius + min(0.0, far_z), table[o, Z] + radius + max(0.0, far_z)
    left, right, bottom, top = _cell(low_x), _cell(high_x), _cell(low_z), _cell(high_z)
    cells = (right - left + 1) * (top - bottom + 1)
    return left, right, bottom, top, cells if cells <= MOST_CELLS else 0


@inline
def _touches(o: int, cell_x: int, cell_z: int, seconds: float, table: Floats, corners: Floats) -> bool:
    """Whether an obstacle may touch a cell within so many seconds."""
    x, z = (cell_x + 0.5) * CELL, (cell_z + 0.5) * CELL
    if _moves(o, table):
        far_x, far_z = table[o, X] + seconds * table[o, VX], table[o, Z] + seconds * table[o, VZ]
        off = _apart(x, z, (table[o, X], table[o, Z], far_x, far_z))
        return bool(off <= table[o, RADIUS] + _HALF_CELL)
    return bool(distance(x, z, o, table, corners)[0] <= _HALF_CELL)


@inline
def _moves(o: int, table: Floats) -> bool:
    return bool(table[o, VX] != 0.0 or table[o, VZ] != 0.0 or table[o, TURN] != 0.0)


@inline
def _cell(at: float) -> int:
    """The cell of a coordinate, held within what a whole number holds."""
    return int(min(max(math.floor(at / CELL), -_FARTHEST_CELL), _FARTHEST_CELL))


@inline
def _bucket(cell_x: int, cell_z: int, buckets: int) -> int:
    """The bucket of a cell; the multipliers are odd, so that neighbours fall apart."""
    mixed = cell_x * 2654435761 + cell_z * 2246822519
    return (mixed ^ (mixed >> 15)) & (buckets - 1)
