"""Which recorded steps make a step that is asked for, and with what weights: a tetrahedron of steps around it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.kernels._compile import kernel, part
from locomote.kernels.vector import Floats, Ints

PLAIN, REGIONS, OPTIMAL = (
    0,
    1,
    2,
)  # candidates: the corners of Delaunay, better ones singly, the best four together
NEAREST, EXTRAPOLATE, EXACT = (
    0,
    1,
    2,
)  # outside the hull: one step, extrapolated steps, and the rest of the way too

# Columns of a record of a step and of a query: three parameters, then the soft ones; NaN in a query is free.
YAW, TIME, FEATURES = 3, 6, 9
LENGTH_SCALE = 0.15 / 0.9  # hip heights that count as much as
ANGLE_SCALE = math.radians(30.0)  # rad and
TIME_SCALE = 0.20  # s
FARTHEST = 0.15 / 0.9  # hip heights outside the hull up to which steps are extrapolated
FLAT = 1e-9  # six times the volume in cubed hip heights, below which a tetrahedron is flat
ON_FACE = 1e-10  # a weight that counts as 0
PIVOTS = 60  # at most; a handful is usual
SETTLED = 1e-10  # gain in cost that is not worth another pivot


class Steps(NamedTuple):
    """Recorded steps and the tetrahedra between them."""

    features: Floats  # (N, 9)
    simplices: Ints  # (S, 4)
    neighbours: Ints  # (S, 4) across the face opposite to each corner, -1 outside
    transforms: (
        Floats  # (S, 4, 3) as in SciPy: three rows that give barycentric coordinates, and the last corner
    )
    hull: Ints  # (H, 4) three corners of an outer face, and its tetrahedron
    columns: Floats  # (9, N) the features again, column by column
    oddness: Floats  # (N,) how far the body is from an upright one, in units of difference


class Wishes(NamedTuple):
    """What counts in the choice of steps."""

    location: float
    orientation: float
    timing: float
    soft: float  # how much orientation and timing count beside location in the optimal choice
    candidates: int  # PLAIN, REGIONS or OPTIMAL
    outside: int  # NEAREST, EXTRAPOLATE or EXACT
    most: float  # how far extrapolated weights go below 0 and above 1


@kernel
def locate_batch(queries: Floats, steps: Steps, found: Ints, weights: Floats) -> None:
    """The tetrahedra ``found (Q,)`` around ``queries (Q, 3)``, -1 outside the hull, and the ``weights (Q, 4)``."""
    at = 0
    for n in range(queries.shape[0]):
        at = max(at, 0)
        found[n] = at = walk_to(queries[n], at, steps, weights[n])


@kernel
def choose_batch(
    queries: Floats, steps: Steps, wishes: Wishes, corners: Ints, turns: Floats, weights: Floats, off: Floats
) -> None:
    """Choose for all ``queries (Q, 9)``; see `choose`."""
    work = np.empty(steps.features.shape[0])
    at = 0
    for n in range(queries.shape[0]):
        at, off[n] = choose(queries[n], at, steps, wishes, work, corners[n], turns[n], weights[n])


@part
def choose(
    query: Floats,
    start: int,
    steps: Steps,
    wishes: Wishes,
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
        corners[:] = steps.simplices[found]
        if wishes.candidates == REGIONS:
            _better_corners(query, found, steps, wishes, corners, weights)
        elif wishes.candidates == OPTIMAL:
            _best_four(query, steps, wishes, work, corners, weights)
        turns[:] = weights
        return found, 0.0
    inside = np.empty(FEATURES)
    inside[:] = query
    found, off = _nearest_inside(query, steps, corners, weights, inside)
    if wishes.outside == NEAREST:
        nearest = _nearest_step(query, steps)
        corners[:] = nearest
        weights[:] = 0.0
        weights[0] = 1.0
        turns[:] = weights
        return found, off
    if wishes.candidates == OPTIMAL:
        _best_four(inside, steps, wishes, work, corners, weights)
    turns[:] = weights
    if off <= FARTHEST and _solve(query, steps, corners, weights):
        total = 0.0
        for i in range(4):
            weights[i] = min(max(weights[i], -wishes.most), 1.0 + wishes.most)
            total += weights[i]
        if total > 0.5:
            weights /= total
            return found, off
    weights[:] = turns
    return found, off


@part
def walk_to(query: Floats, start: int, steps: Steps, weights: Floats) -> int:
    """The tetrahedron that holds the query and its barycentric weights; -1 outside the hull."""
    count = steps.simplices.shape[0]
    at: int = min(max(start, 0), count - 1)
    for _ in range(count + 1):
        if not _barycentric(query, at, steps, weights):
            return _search(query, steps, weights)
        worst = 0
        for k in range(1, 4):
            if weights[k] < weights[worst]:
                worst = k
        if weights[worst] >= -ON_FACE:
            _tidy(weights)
            return at
        beyond: int = steps.neighbours[at, worst]
        if beyond < 0:
            return -1
        at = beyond
    return _search(query, steps, weights)


@part
def _search(query: Floats, steps: Steps, weights: Floats) -> int:
    """The same by looking at all of them; for the seldom case of a flat tetrahedron on the way."""
    best, depth = -1, -1e-9
    for s in range(steps.simplices.shape[0]):
        if _barycentric(query, s, steps, weights) and weights.min() > depth:
            best, depth = s, weights.min()
    if best >= 0:
        _barycentric(query, best, steps, weights)
        _tidy(weights)
    return best


@part
def _barycentric(query: Floats, s: int, steps: Steps, weights: Floats) -> bool:
    t = steps.transforms[s]
    x, y, z = query[0] - t[3, 0], query[1] - t[3, 1], query[2] - t[3, 2]
    weights[3] = 1.0
    for k in range(3):
        weights[k] = t[k, 0] * x + t[k, 1] * y + t[k, 2] * z
        weights[3] -= weights[k]
    return math.isfinite(weights[3])


@part
def _tidy(weights: Floats) -> None:
    total = 0.0
    for k in range(4):
        if weights[k] < 1e-12:
            weights[k] = 0.0
        total += weights[k]
    weights /= total


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


@part
def _invert(steps: Steps, corners: Ints, inverse: Floats) -> bool:
    """The inverse of the matrix whose columns are the corners, each over a 1; false where they are flat."""
    m = np.zeros((4, 8))
    for c in range(4):
        for r in range(3):
            m[r, c] = steps.features[corners[c], r]
        m[3, c] = 1.0
        m[c, 4 + c] = 1.0
    volume = 1.0
    for c in range(4):
        pivot = c
        for r in range(c + 1, 4):
            if abs(m[r, c]) > abs(m[pivot, c]):
                pivot = r
        for k in range(8):
            m[c, k], m[pivot, k] = m[pivot, k], m[c, k]
        volume *= m[c, c]
        if abs(volume) < FLAT:
            return False
        factor = 1.0 / m[c, c]
        for k in range(8):
            m[c, k] *= factor
        for r in range(4):
            if r != c:
                factor = m[r, c]
                for k in range(8):
                    m[r, k] -= factor * m[c, k]
    for r in range(4):
        for c in range(4):
            inverse[r, c] = m[r, 4 + c]
    return True


@part
def _solve(query: Floats, steps: Steps, corners: Ints, weights: Floats) -> bool:
    """Weights of any sign of four corners that give the query; false where the corners are flat."""
    inverse = np.empty((4, 4))
    if not _invert(steps, corners, inverse):
        return False
    for i in range(4):
        weights[i] = inverse[i, 3]
        for k in range(3):
            weights[i] += inverse[i, k] * query[k]
    return True


@part
def _better_corners(
    query: Floats, s: int, steps: Steps, wishes: Wishes, corners: Ints, weights: Floats
) -> None:
    """Change each corner for the step most like the query in the region behind it: what is chosen encloses the query.

    A step lies behind corner i where its barycentric coordinates of all other corners are not positive.
    """
    plain, coordinates = weights.copy(), np.empty(4)
    gains, best = np.empty(4), np.empty(4)
    for i in range(4):
        record = steps.features[steps.simplices[s, i]]
        best[i] = gains[i] = distance(query, record, wishes.location, wishes.orientation, wishes.timing)
    for n in range(steps.features.shape[0]):
        record = steps.features[n]
        _barycentric(record, s, steps, coordinates)
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
        if _solve(query, steps, corners, weights) and weights.min() > -1e-9:
            _tidy(weights)
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
    corners[:] = steps.simplices[s]
    weights[:] = plain


@part
def _costs(query: Floats, steps: Steps, wishes: Wishes, costs: Floats) -> None:
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


@part
def _best_four(
    query: Floats, steps: Steps, wishes: Wishes, costs: Floats, corners: Ints, weights: Floats
) -> None:
    """The four steps around the query whose blend costs least, by the simplex method from the corners given.

    With nothing soft in the cost they are the corners of Delaunay's tetrahedron.
    """
    count = steps.features.shape[0]
    _costs(query, steps, wishes, costs)
    gains = np.empty(count)
    inverse = np.empty((4, 4))
    if not _invert(steps, corners, inverse):
        return
    amounts, entering, price = weights.copy(), np.empty(4), np.empty(4)
    chosen = corners.copy()
    for _ in range(PIVOTS):
        for k in range(4):
            price[k] = 0.0
            for i in range(4):
                price[k] += costs[chosen[i]] * inverse[i, k]
        best, least = -1, -SETTLED
        xs, ys, zs = steps.columns[0], steps.columns[1], steps.columns[2]
        for n in range(count):
            gains[n] = costs[n] - (price[0] * xs[n] + price[1] * ys[n] + price[2] * zs[n] + price[3])
        for n in range(count):
            if gains[n] < least:
                best, least = n, gains[n]
        if best < 0:
            break
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
    if _solve(query, steps, chosen, amounts) and amounts.min() > -1e-9:
        _tidy(amounts)
        corners[:] = chosen
        weights[:] = amounts


@part
def _nearest_step(query: Floats, steps: Steps) -> int:
    best, least = 0, math.inf
    for n in range(steps.features.shape[0]):
        r = steps.features[n]
        off = (r[0] - query[0]) ** 2 + (r[1] - query[1]) ** 2 + (r[2] - query[2]) ** 2
        if off < least:
            best, least = n, off
    return best


@part
def _nearest_inside(
    query: Floats, steps: Steps, corners: Ints, weights: Floats, inside: Floats
) -> tuple[int, float]:
    """The point of the hull nearest to the query, its tetrahedron and weights, and how far off it is."""
    best, least = 0, math.inf
    share = np.empty(3)
    for h in range(steps.hull.shape[0]):
        face = steps.hull[h]
        off = _on_triangle(
            query, steps.features[face[0]], steps.features[face[1]], steps.features[face[2]], share
        )
        if off < least:
            best, least = h, off
    face = steps.hull[best]
    a, b, c = steps.features[face[0]], steps.features[face[1]], steps.features[face[2]]
    least = _on_triangle(query, a, b, c, share)
    found = steps.hull[best, 3]
    weights[:] = 0.0
    for i in range(4):
        corners[i] = steps.simplices[found, i]
        for k in range(3):
            if corners[i] == steps.hull[best, k]:
                weights[i] = share[k]
    for d in range(3):
        inside[d] = share[0] * a[d] + share[1] * b[d] + share[2] * c[d]
    return found, math.sqrt(least)


@part
def _on_triangle(q: Floats, a: Floats, b: Floats, c: Floats, share: Floats) -> float:
    """The squared distance to a triangle, and the weights of its corners at the nearest point."""
    uu = uv = vv = up = vp = 0.0
    for d in range(3):
        u, v, p = b[d] - a[d], c[d] - a[d], q[d] - a[d]
        uu, uv, vv, up, vp = uu + u * u, uv + u * v, vv + v * v, up + u * p, vp + v * p
    area = uu * vv - uv * uv
    s = (vv * up - uv * vp) / area if area > 1e-15 else -1.0
    t = (uu * vp - uv * up) / area if area > 1e-15 else -1.0
    if s < 0.0 or t < 0.0 or s + t > 1.0:
        # On one of the sides: try all three.
        s = t = 0.0
        least = math.inf
        for side in range(3):
            if side == 0:
                x, y = min(max(up / uu if uu > 0.0 else 0.0, 0.0), 1.0), 0.0
            elif side == 1:
                x, y = 0.0, min(max(vp / vv if vv > 0.0 else 0.0, 0.0), 1.0)
            else:
                long = uu - 2.0 * uv + vv
                y = min(max((vp - up + uu - uv) / long if long > 0.0 else 0.0, 0.0), 1.0)
                x = 1.0 - y
            off = x * x * uu + 2.0 * x * y * uv + y * y * vv - 2.0 * (x * up + y * vp)
            if off < least:
                least, s, t = off, x, y
    share[0], share[1], share[2] = 1.0 - s - t, s, t
    out = 0.0
    for d in range(3):
        out += (q[d] - share[0] * a[d] - share[1] * b[d] - share[2] * c[d]) ** 2
    return out
