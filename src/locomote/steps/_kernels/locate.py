"""Where a step that is asked for lies among the recorded ones: the tetrahedron around it, its weights, the hull."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.math._compile import kernel, maker, part
from locomote.math.vector import Floats, Ints

FLAT = 1e-9  # six times the volume in cubed hip heights, below which a tetrahedron is flat
ON_FACE = 1e-10  # a weight that counts as 0


class StepSpace(NamedTuple):
    """Recorded steps and the tetrahedra between them."""

    features: Floats  # (N, 9)
    simplices: Ints  # (S, 4)
    neighbours: Ints  # (S, 4) across the face opposite to each corner, -1 outside
    transforms: Floats  # (S, 4, 3) as in SciPy: three rows that give barycentric coordinates, and the last corner
    hull: Ints  # (H, 4) three corners of an outer face, and its tetrahedron
    columns: Floats  # (9, N) the features again, column by column
    oddness: Floats  # (N,) how far the body is from an upright one, in units of difference


@kernel
def locate_batch(queries: Floats, steps: StepSpace, found: Ints, weights: Floats) -> None:
    """The tetrahedra ``found (Q,)`` around ``queries (Q, 3)``, -1 outside the hull, and the ``weights (Q, 4)``."""
    at = 0
    for n in range(queries.shape[0]):
        at = max(at, 0)
        found[n] = at = walk_to(queries[n], at, steps, weights[n])


@part
def walk_to(query: Floats, start: int, steps: StepSpace, weights: Floats) -> int:
    """The tetrahedron that holds the query and its barycentric weights; -1 outside the hull."""
    count = steps.simplices.shape[0]
    at: int = min(max(start, 0), count - 1)
    for _ in range(count + 1):
        if not barycentric(query, at, steps, weights):
            return _search(query, steps, weights)
        worst = 0
        for k in range(1, 4):
            if weights[k] < weights[worst]:
                worst = k
        if weights[worst] >= -ON_FACE:
            tidy(weights)
            return at
        beyond: int = steps.neighbours[at, worst]
        if beyond < 0:
            return -1
        at = beyond
    return _search(query, steps, weights)


@part
def _search(query: Floats, steps: StepSpace, weights: Floats) -> int:
    """The same by looking at all of them; for the seldom case of a flat tetrahedron on the way."""
    best, depth = -1, -1e-9
    for s in range(steps.simplices.shape[0]):
        if barycentric(query, s, steps, weights) and lowest(weights) > depth:
            best, depth = s, lowest(weights)
    if best >= 0:
        barycentric(query, best, steps, weights)
        tidy(weights)
    return best


@part
def barycentric(query: Floats, s: int, steps: StepSpace, weights: Floats) -> bool:
    """The weights of the corners of a tetrahedron, of any sign, that give the query; false where it is flat."""
    t = steps.transforms[s]
    x, y, z = query[0] - t[3, 0], query[1] - t[3, 1], query[2] - t[3, 2]
    weights[3] = 1.0
    for k in range(3):
        weights[k] = t[k, 0] * x + t[k, 1] * y + t[k, 2] * z
        weights[3] -= weights[k]
    return math.isfinite(weights[3])


@part
def lowest(weights: Floats) -> float:
    """The least of four weights."""
    out: float = min(min(weights[0], weights[1]), min(weights[2], weights[3]))
    return out


@part
def tidy(weights: Floats) -> None:
    """Weights that are no more than noise become 0; the sum is 1 again."""
    total = 0.0
    for k in range(4):
        if weights[k] < 1e-12:
            weights[k] = 0.0
        total += weights[k]
    for k in range(4):
        weights[k] /= total


@maker
def invert(steps: StepSpace, corners: Ints, inverse: Floats) -> bool:
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


@maker
def solve(query: Floats, steps: StepSpace, corners: Ints, weights: Floats) -> bool:
    """Weights of any sign of four corners that give the query; false where the corners are flat."""
    inverse = np.empty((4, 4))
    if not invert(steps, corners, inverse):
        return False
    for i in range(4):
        weights[i] = inverse[i, 3]
        for k in range(3):
            weights[i] += inverse[i, k] * query[k]
    return True


@part
def nearest_step(query: Floats, steps: StepSpace) -> int:
    """The recorded step whose parameters are nearest."""
    best, least = 0, math.inf
    for n in range(steps.features.shape[0]):
        r = steps.features[n]
        off = (r[0] - query[0]) ** 2 + (r[1] - query[1]) ** 2 + (r[2] - query[2]) ** 2
        if off < least:
            best, least = n, off
    return best


@maker
def nearest_inside(
    query: Floats, steps: StepSpace, corners: Ints, weights: Floats, inside: Floats
) -> tuple[int, float]:
    """The point of the hull nearest to the query, its tetrahedron and weights, and how far off it is."""
    best, least = 0, math.inf
    share = np.empty(3)
    for h in range(steps.hull.shape[0]):
        face = steps.hull[h]
        off = _on_triangle(query, steps.features[face[0]], steps.features[face[1]], steps.features[face[2]], share)
        if off < least:
            best, least = h, off
    face = steps.hull[best]
    a, b, c = steps.features[face[0]], steps.features[face[1]], steps.features[face[2]]
    least = _on_triangle(query, a, b, c, share)
    found = steps.hull[best, 3]
    for i in range(4):
        weights[i] = 0.0
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
