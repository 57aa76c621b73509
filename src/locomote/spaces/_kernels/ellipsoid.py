"""The smallest ellipsoid around points: Khachiyan's ascent, with steps away from points that turn out to lie inside."""

from __future__ import annotations

from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats, Vector, cross, dot, scale, subtract, vector
from locomote.spaces._kernels.geodesics import Matrix


@inline
def inverse(a: Matrix) -> Matrix:
    """The inverse of a symmetric matrix."""
    x, y, z = cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])
    over = 1.0 / dot(a[0], x)
    return scale(x, over), scale(y, over), scale(z, over)


@inline
def quadratic(a: Matrix, v: Vector) -> float:
    """The value ``v a v``."""
    return dot(v, (dot(a[0], v), dot(a[1], v), dot(a[2], v)))


@kernel
def enclose(points: Floats, tolerance: float, rounds: int, weights: Floats, centre: Floats, matrix: Floats) -> int:
    """Fill ``centre (3,)`` and ``matrix (3, 3)`` for ``points (N, 3)``; ``weights (N,)`` are memory. Its rounds.

    The weights make an ellipsoid of covariance; where the smallest one touches no point they go to 0 (Todd, Yildirim).
    """
    count = points.shape[0]
    weights[:] = 1.0 / count
    made = rounds
    for k in range(rounds):
        _weighted(points, weights, centre, matrix)
        inner = inverse((vector(matrix[0]), vector(matrix[1]), vector(matrix[2])))
        far, near, most, least = 0, 0, -1.0, 1e300
        for n in range(count):
            reach = 1.0 + quadratic(inner, subtract(vector(points[n]), vector(centre)))
            if reach > most:
                far, most = n, reach
            if weights[n] > 0.0 and reach < least:
                near, least = n, reach
        if max(most - 4.0, 4.0 - least) < 4.0 * tolerance:
            made = k
            break
        if most - 4.0 >= 4.0 - least:
            chosen, step = far, (most - 4.0) / (4.0 * (most - 1.0))
        else:
            chosen = near
            step = max((least - 4.0) / (4.0 * max(least - 1.0, 1e-12)), -weights[near] / (1.0 - weights[near]))
        for n in range(count):
            weights[n] *= 1.0 - step
        weights[chosen] = max(weights[chosen] + step, 0.0)
    _weighted(points, weights, centre, matrix)
    inner = inverse((vector(matrix[0]), vector(matrix[1]), vector(matrix[2])))
    most = 0.0
    for n in range(count):
        most = max(most, quadratic(inner, subtract(vector(points[n]), vector(centre))))
    for c in range(3):
        matrix[c, 0], matrix[c, 1], matrix[c, 2] = scale(inner[c], 1.0 / most)
    return made


@inline
def _weighted(points: Floats, weights: Floats, centre: Floats, matrix: Floats) -> None:
    """The weighted mean of points and their covariance."""
    centre[:], matrix[:] = 0.0, 0.0
    for n in range(points.shape[0]):
        for c in range(3):
            centre[c] += weights[n] * points[n, c]
    for n in range(points.shape[0]):
        off = subtract(vector(points[n]), vector(centre))
        for c in range(3):
            for d in range(3):
                matrix[c, d] += weights[n] * off[c] * off[d]
