"""The ends of a curve beside things: cells are too coarse there, so its points are tried with the box of the foot."""

from __future__ import annotations

import math

from locomote.creatures._kernels.foresight import met_within
from locomote.creatures._kernels.swing_curve import curve_length
from locomote.math._compile import part
from locomote.math.vector import Floats
from locomote.world._kernels.map_cells import some_things
from locomote.world._kernels.map_growth import FootBox
from locomote.world._kernels.map_layout import BASE, MapArrays


@part
def keep_off(curve: Floats, box: FootBox, maps: MapArrays) -> bool:
    """Let a foot rise straight up, and come straight down, where its box would meet a thing; whether it has to.

    The points of the curve are no longer evenly spaced then.
    """
    if not some_things(maps):
        return False
    last = curve.shape[0] - 1
    first_bad, last_bad = last, 0
    for k in range(1, last):
        if met_within(0.0, (curve[k, 0], curve[k, 1], curve[k, 2]), BASE, box, maps):
            if 2 * k <= last:
                last_bad = k
            else:
                first_bad = min(first_bad, k)
    if last_bad > 0:
        top = curve[last_bad + 1, 1]
        for k in range(1, last_bad + 1):
            curve[k, 0], curve[k, 2] = curve[0, 0], curve[0, 2]
            curve[k, 1] = curve[0, 1] + (top - curve[0, 1]) * k / last_bad
    if first_bad < last:
        top = curve[first_bad - 1, 1]
        for k in range(first_bad, last):
            curve[k, 0], curve[k, 2] = curve[last, 0], curve[last, 2]
            curve[k, 1] = top + (curve[last, 1] - top) * (k - first_bad) / (last - first_bad)
    return last_bad > 0 or first_bad < last


@part
def space_curve(curve: Floats, spaced: Floats) -> None:
    """Fill ``spaced (SAMPLES, 3)`` with points evenly spaced along a curve."""
    last = curve.shape[0] - 1
    step = curve_length(curve) / last
    k, gone, size = 0, 0.0, _piece(curve, 0)
    for j in range(last + 1):
        while k < last - 1 and j * step > gone + size:
            gone += size
            k += 1
            size = _piece(curve, k)
        share = min(max((j * step - gone) / max(size, 1e-12), 0.0), 1.0)
        for axis in range(3):
            spaced[j, axis] = curve[k, axis] + share * (curve[k + 1, axis] - curve[k, axis])
    for axis in range(3):
        spaced[last, axis] = curve[last, axis]


@part
def _piece(curve: Floats, k: int) -> float:
    """The length (m) of a piece of a curve."""
    x, y, z = curve[k + 1, 0] - curve[k, 0], curve[k + 1, 1] - curve[k, 1], curve[k + 1, 2] - curve[k, 2]
    return math.sqrt(x * x + y * y + z * z)
