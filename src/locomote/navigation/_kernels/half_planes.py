"""Linear programmes in the plane of velocities: the allowed one nearest to a wish.

Each half-plane is a row (nx, nz, c): n . v >= c, n of length 1. Where no velocity is allowed, the least violating is
taken; the first rows, those of obstacles, then still hold if they can.
"""

from __future__ import annotations

import math

from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Pair

PARALLEL = 1e-9  # sine of an angle between lines that counts as none
SOLVED = 1e-9  # m/s by which a velocity may miss a half-plane


@part
def solve(preferred: Pair, fastest: float, planes: Floats, hard: int, total: int) -> Pair:
    """The allowed velocity nearest to the preferred one; if there is none, the least violating."""
    rows, bisectors = planes[0], planes[1]
    vx, vz, failed = _optimum(preferred[0], preferred[1], False, fastest, rows, total)
    if failed == total:
        return vx, vz
    if failed < hard:
        hard = 0  # not even the obstacles leave a way
    worst = 0.0
    for i in range(failed, total):
        nx, nz, c = rows[i, 0], rows[i, 1], rows[i, 2]
        if c - nx * vx - nz * vz <= worst:
            continue
        # Where this half-plane is missed by most, at least as much as all before it: as little as possible.
        for k in range(hard):
            bisectors[k, 0], bisectors[k, 1], bisectors[k, 2] = rows[k, 0], rows[k, 1], rows[k, 2]
        used = hard
        for j in range(hard, i):
            mx, mz, d = rows[j, 0] - nx, rows[j, 1] - nz, rows[j, 2] - c
            length = math.hypot(mx, mz)
            if length > PARALLEL:
                bisectors[used, 0], bisectors[used, 1], bisectors[used, 2] = (
                    mx / length,
                    mz / length,
                    d / length,
                )
                used += 1
        wx, wz, at = _optimum(nx, nz, True, fastest, bisectors, used)
        if at == used:
            vx, vz = wx, wz
        worst = c - nx * vx - nz * vz
    return vx, vz


@inline
def _optimum(x: float, z: float, direction: bool, fastest: float, rows: Floats, count: int) -> tuple[float, float, int]:
    """The allowed velocity nearest to (x, z), or furthest in that direction, and the first row that cannot be met."""
    length = math.hypot(x, z)
    vx, vz = x, z
    if direction or length > fastest:
        vx, vz = x * fastest / length, z * fastest / length
    for i in range(count):
        nx, nz, c = rows[i, 0], rows[i, 1], rows[i, 2]
        if nx * vx + nz * vz >= c - SOLVED:
            continue
        # The best is now on this line, c n + t (-nz, nx), within the circle and all rows before.
        room = fastest * fastest - c * c
        if room < 0.0:
            return vx, vz, i
        high = math.sqrt(room)
        low = -high
        for j in range(i):
            slope = rows[j, 1] * nx - rows[j, 0] * nz
            need = rows[j, 2] - c * (rows[j, 0] * nx + rows[j, 1] * nz)
            if abs(slope) <= PARALLEL:
                if need > SOLVED:
                    return vx, vz, i
            elif slope > 0.0:
                low = max(low, need / slope)
            else:
                high = min(high, need / slope)
        if low > high:
            return vx, vz, i
        t = z * nx - x * nz
        if direction:
            t = high if t > 0.0 else low
        t = min(high, max(low, t))
        vx, vz = c * nx - t * nz, c * nz + t * nx
    return vx, vz, count
