"""What a plan leaves open, filled in: where the body might face at each plant, and when."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np

from locomote.rotations import FloatArray
from locomote.steps._plan import FootPlan

TOE_OUT = math.radians(5.0)  # of a foot, from where the body faces
SURE = 0.05  # m, from which on the feet beside each other say where the body faces


def facings(plans: Sequence[FootPlan]) -> FloatArray:
    """Where the feet on all plants of the plans might point (rad), as far as their places tell; else NaN."""
    from locomote.steps._kernels.facing import guess_facings

    firsts = np.concatenate([[0], np.cumsum([len(plan) for plan in plans])])
    sides, places = np.concatenate([p.sides for p in plans]), np.concatenate([p.places for p in plans])
    out = np.empty(len(sides))
    guess_facings(firsts, sides, places, SURE, TOE_OUT, out)
    return out


def landing_times(plan: FootPlan) -> FloatArray:
    """Times since the beginning; plants between two that have one share the time evenly."""
    if np.all(np.isnan(plan.times)):
        return plan.times
    begin = np.fmax.reduce(plan.times[:2]) if np.any(np.isfinite(plan.times[:2])) else 0.0
    times = plan.times - begin
    times[:2] = np.nan
    known = np.concatenate([[1], 2 + np.flatnonzero(np.isfinite(times[2:]))])
    values = np.where(known == 1, 0.0, times[known])
    between = np.arange(2, known[-1] + 1)
    times[between] = np.interp(between, known, values)
    return times


@lru_cache(maxsize=8)
def filter_sums(fps: float) -> FloatArray:
    """Sums of the weights beyond 0, 1, 2, ... frames of the binomial as wide in time as 1 4 6 4 1 at 30 a second."""
    order = max(2 * round(2.0 * (fps / 30.0) ** 2), 2)
    half = order // 2
    reach = min(half, int(np.ceil(4.0 * np.sqrt(order / 4.0))))
    weights = np.array([float(Fraction(comb(order, half + k), 2**order)) for k in range(1, reach + 1)])
    return np.ascontiguousarray(np.cumsum(weights[::-1])[::-1])
