"""Where the feet of a plan might point, as far as their places tell."""

from __future__ import annotations

import math

import numpy as np

from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats, Ints


@kernel
def guess_facings(firsts: Ints, sides: Ints, places: Floats, sure: float, toe_out: float, out: Floats) -> None:
    """Fill ``out (P,)``: where feet might point, a little outwards of square to the line between feet around them.

    The line goes from a plant to the nearest point between those of the other foot before and after it: forwards,
    backwards and aside it lies across the body. Feet on one line say nothing: there the nearest plant that says
    something counts, and without any the way from first to last.
    """
    across = np.empty((sides.shape[0], 2))
    for chain in range(firsts.shape[0] - 1):
        first, last = firsts[chain], firsts[chain + 1]
        for i in range(first, last):
            _across(i, first, last, sides, places, across[i])
        latest = -1
        for i in range(first, last):
            before, after = max(i - 1, first), min(i + 1, last - 1)
            x = across[before, 0] + 2.0 * across[i, 0] + across[after, 0]
            z = across[before, 1] + 2.0 * across[i, 1] + across[after, 1]
            out[i] = math.nan
            if math.sqrt(x * x + z * z) > 4.0 * sure:
                out[i] = math.atan2(z, -x)  # up x right
                for k in range(latest + 1 if latest >= 0 else first, i):
                    near = latest if latest >= 0 and k - latest <= i - k else i
                    out[k] = out[near]
                latest = i
        if latest >= 0:
            out[latest:last] = out[latest]
        else:
            x, z = places[last - 1, 0] - places[first, 0], places[last - 1, 2] - places[first, 2]
            if math.sqrt(x * x + z * z) > sure:
                out[first:last] = math.atan2(x, z)
        for i in range(first, last):
            out[i] += toe_out if sides[i] == 0 else -toe_out


@inline
def _across(i: int, first: int, last: int, sides: Ints, places: Floats, out: Floats) -> None:
    """From left to right at a plant, along the ground."""
    a = b = c = -1  # plants of the other foot: before, after, and one more where one of these is missing
    for k in range(i - 1, first - 1, -1):
        if sides[k] != sides[i]:
            if a < 0:
                a = k
            else:
                c = k
                break
    for k in range(i + 1, last):
        if sides[k] != sides[i]:
            if b < 0:
                b = k
                if a >= 0:
                    break
            else:
                c = k
                break
    here = b if a < 0 else a
    ax, az = places[here, 0], places[here, 2]
    if a >= 0 and b >= 0:
        bx, bz = places[b, 0], places[b, 2]
    elif c >= 0:
        # The stride on the other side of it is taken to be the same.
        bx, bz = 2.0 * ax - places[c, 0], 2.0 * az - places[c, 2]
    else:
        bx, bz = ax, az
    x, z = bx - ax, bz - az
    along = ((places[i, 0] - ax) * x + (places[i, 2] - az) * z) / max(x * x + z * z, 1e-9)
    along = min(max(along, 0.0), 1.0)
    sign = 1.0 if sides[i] == 0 else -1.0
    out[0], out[1] = sign * (ax + along * x - places[i, 0]), sign * (az + along * z - places[i, 2])
