"""Which recorded steps make a step that is asked for, and with what weights: four steps around it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.math._compile import kernel, maker, part
from locomote.math.vector import Floats, Ints
from locomote.steps._kernels.locate import (
    StepSpace,
    barycentric,
    invert,
    lowest,
    nearest_inside,
    nearest_step,
    solve,
    tidy,
    walk_to,
)

# Candidates: the corners of Delaunay, better ones singly, the best four together.
PLAIN, REGIONS, OPTIMAL = 0, 1, 2
# Outside the hull: one step, extrapolated steps, and the rest of the way too.
NEAREST, EXTRAPOLATE, EXACT = 0, 1, 2

# Columns of a record of a step and of a query: three parameters, then the soft ones; NaN in a query is free.
YAW, TIME, FEATURES = 3, 6, 9
LENGTH_SCALE = 0.15 / 0.9  # hip heights that count as much as
ANGLE_SCALE = math.radians(30.0)  # rad and
TIME_SCALE = 0.20  # s
FARTHEST = 0.15 / 0.9  # hip heights outside the hull up to which steps are extrapolated
PIVOTS = 60  # at most; a handful is usual
SETTLED = 1e-10  # gain in cost that is not worth another pivot


class StepWishes(NamedTuple):
    """What counts in the choice of steps."""

    location: float
    orientation: float
    timing: float
    soft: float  # how much orientation and timing count beside location in the optimal choice
    candidates: int  # PLAIN, REGIONS or OPTIMAL
    outside: int  # NEAREST, EXTRAPOLATE or EXACT
    most: float  # how far extrapolated weights go below 0 and above 1
    rhythm: float = 0.15  # of the usual duration, by which a step whose time is free takes longer or shorter


@kernel
def choose_batch(
    queries: Floats,
    steps: StepSpace,
    wishes: StepWishes,
    corners: Ints,
    turns: Floats,
    weights: Floats,
    off: Floats,
) -> None:
    """Choose for all ``queries (Q, 9)``; see `choose`."""
    work = np.empty(steps.features.shape[0])
    at = 0
    for n in range(queries.shape[0]):
        at, off[n] = choose(queries[n], at, steps, wishes, work, corners[n], turns[n], weights[n])


@maker
def choose(
    query: Floats,
    start: int,
    steps: StepSpace,
    wishes: StepWishes,
    work: Floats,
    corners: Ints,
    turns: Floats,
    weights: Floats,
) -> tuple[int, float]:
    """Fill four ``corners``, their ``weights`` for places and ``turns`` for rotations.

    Give the tetrahedron where it was found and how far the query is outside the hull (hip heights, 0 inside).
    """
    found = walk_to(query, start, steps, weights)
    if found >= 0:
        _copy(steps.simplices[found], corners)
        if wishes.candidates == REGIONS:
            _better_corners(query, found, steps, wishes, corners, weights)
        elif wishes.candidates == OPTIMAL:
            _best_four(query, steps, wishes, work, corners, weights)
        _copy(weights, turns)
        return found, 0.0
    inside = np.empty(FEATURES)
    _copy(query, inside)
    found, off = nearest_inside(query, steps, corners, weights, inside)
    if wishes.outside == NEAREST:
        nearest = nearest_step(query, steps)
        for i in range(4):
            corners[i], weights[i] = nearest, 1.0 if i == 0 else 0.0
        _copy(weights, turns)
        return found, off
    if wishes.candidates == OPTIMAL:
        _best_four(inside, steps, wishes, work, corners, weights)
    _copy(weights, turns)
    if off <= FARTHEST and solve(query, steps, corners, weights):
        total = 0.0
        for i in range(4):
            weights[i] = min(max(weights[i], -wishes.most), 1.0 + wishes.most)
            total += weights[i]
        if total > 0.5:
            for i in range(4):
                weights[i] /= total
            return found, off
    _copy(turns, weights)
    return found, off


@part
def _copy(source: Floats | Ints, to: Floats | Ints) -> None:
    for i in range(source.shape[0]):
        to[i] = source[i]


@part
def _least(values: Floats, work: Floats) -> float:
    """The least value, by halves: each pass runs in lanes, where a search in a row would wait for every number."""
    _copy(values, work)
    count = values.shape[0]
    while count > 1:
        half = (count + 1) // 2
        one, other = work[: count - half], work[half:count]
        for i in range(count - half):
            one[i] = min(one[i], other[i])
        count = half
    out: float = work[0]
    return out


@part
def distance(query: Floats, record: Floats, location: float, orientation: float, timing: float) -> float:
    """How unlike a step is to what is asked for, over all nine columns; what is free does not count."""
    places = abs(query[0] - record[0]) + abs(query[1] - record[1]) + abs(query[2] - record[2])
    out: float = location * places / LENGTH_SCALE
    for k in range(YAW, TIME):
        off = query[k] - record[k]
        if not math.isnan(off):
            off -= 2.0 * math.pi * math.floor(off / (2.0 * math.pi) + 0.5)
            out += orientation * abs(off) / ANGLE_SCALE
    for k in range(TIME, FEATURES):
        off = query[k] - record[k]
        if not math.isnan(off):
            out += timing * abs(off) / TIME_SCALE
    return out


@maker
def _better_corners(
    query: Floats, s: int, steps: StepSpace, wishes: StepWishes, corners: Ints, weights: Floats
) -> None:
    """Change each corner for the step most like the query in the region behind it: what is chosen encloses the query.

    A step lies behind corner i where its barycentric coordinates of all other corners are not positive.
    """
    plain, coordinates = np.empty(4), np.empty(4)
    _copy(weights, plain)
    gains, best = np.empty(4), np.empty(4)
    for i in range(4):
        record = steps.features[steps.simplices[s, i]]
        best[i] = gains[i] = distance(query, record, wishes.location, wishes.orientation, wishes.timing)
    for n in range(steps.features.shape[0]):
        record = steps.features[n]
        barycentric(record, s, steps, coordinates)
        above, which = 0, 0
        for i in range(4):
            if coordinates[i] > 0.0:
                above, which = above + 1, i
        if above == 1:
            unlike = distance(query, record, wishes.location, wishes.orientation, wishes.timing)
            if unlike < best[which]:
                best[which] = unlike
                corners[which] = n
    for _ in range(4):
        if solve(query, steps, corners, weights) and lowest(weights) > -1e-9:
            tidy(weights)
            return
        # Flat: give back the substitute that is least like the query.
        worst = -1
        for i in range(4):
            if corners[i] != steps.simplices[s, i] and (worst < 0 or best[i] > best[worst]):
                worst = i
        if worst < 0:
            break
        corners[worst] = steps.simplices[s, worst]
        best[worst] = gains[worst]
    _copy(steps.simplices[s], corners)
    _copy(plain, weights)


@part
def _costs(query: Floats, steps: StepSpace, wishes: StepWishes, costs: Floats) -> None:
    """What each step costs in a blend: the square of its distance in place, and how unlike it is in all else."""
    count = steps.oddness.shape[0]
    for n in range(count):
        costs[n] = wishes.soft * steps.oddness[n]
    for k in range(FEATURES):
        value, column = query[k], steps.columns[k]
        if math.isnan(value):
            continue
        if k < YAW:
            factor = wishes.location / LENGTH_SCALE**2
            for n in range(count):
                costs[n] += factor * (column[n] - value) * (column[n] - value)
        elif k < TIME:
            factor = wishes.soft * wishes.orientation / ANGLE_SCALE
            for n in range(count):
                turns = (column[n] - value) / (2.0 * math.pi)
                costs[n] += factor * 2.0 * math.pi * abs(turns - math.floor(turns + 0.5))
        else:
            factor = wishes.soft * wishes.timing / TIME_SCALE
            for n in range(count):
                costs[n] += factor * abs(column[n] - value)


@maker
def _best_four(
    query: Floats, steps: StepSpace, wishes: StepWishes, costs: Floats, corners: Ints, weights: Floats
) -> None:
    """The four steps around the query whose blend costs least, by the simplex method from the corners given.

    With nothing soft in the cost they are the corners of Delaunay's tetrahedron.
    """
    count = steps.features.shape[0]
    _costs(query, steps, wishes, costs)
    gains, work = np.empty(count), np.empty(count)
    inverse = np.empty((4, 4))
    if not invert(steps, corners, inverse):
        return
    amounts, entering, price = np.empty(4), np.empty(4), np.empty(4)
    chosen = np.empty(4, dtype=np.int64)
    _copy(weights, amounts)
    _copy(corners, chosen)
    for _ in range(PIVOTS):
        for k in range(4):
            price[k] = 0.0
            for i in range(4):
                price[k] += costs[chosen[i]] * inverse[i, k]
        xs, ys, zs = steps.columns[0], steps.columns[1], steps.columns[2]
        for n in range(count):
            gains[n] = costs[n] - (price[0] * xs[n] + price[1] * ys[n] + price[2] * zs[n] + price[3])
        least = _least(gains, work)
        if not least < -SETTLED:
            break
        best = 0
        while gains[best] > least:
            best += 1
        record = steps.features[best]
        leaving, most = -1, math.inf
        for i in range(4):
            entering[i] = inverse[i, 3]
            for k in range(3):
                entering[i] += inverse[i, k] * record[k]
            if entering[i] > 1e-9 and max(amounts[i], 0.0) / entering[i] < most:
                leaving, most = i, max(amounts[i], 0.0) / entering[i]
        if leaving < 0:
            break
        for i in range(4):
            amounts[i] = most if i == leaving else amounts[i] - most * entering[i]
        for k in range(4):
            inverse[leaving, k] /= entering[leaving]
            for i in range(4):
                if i != leaving:
                    inverse[i, k] -= entering[i] * inverse[leaving, k]
        chosen[leaving] = best
    if solve(query, steps, chosen, amounts) and lowest(amounts) > -1e-9:
        tidy(amounts)
        _copy(chosen, corners)
        _copy(amounts, weights)
