"""Small systems of linear equations, without any memory of their own."""

from __future__ import annotations

import math

from locomote.math._compile import inline, part
from locomote.math.vector import Floats


@inline
def dot_rows(a: Floats, b: Floats) -> float:
    """The scalar product of two rows, by four sums side by side."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    whole = a.shape[0] // 4
    for i in range(whole):
        first += a[4 * i] * b[4 * i]
        second += a[4 * i + 1] * b[4 * i + 1]
        third += a[4 * i + 2] * b[4 * i + 2]
        fourth += a[4 * i + 3] * b[4 * i + 3]
    for i in range(4 * whole, a.shape[0]):
        first += a[i] * b[i]
    return first + second + third + fourth


@inline
def add_square(row: Floats, out: Floats) -> None:
    """Add the square of a row to the lower half of a matrix; runs over columns, so that it is done side by side."""
    for r in range(row.shape[0]):
        own = row[r]
        if own != 0.0:
            for q in range(r + 1):
                out[r, q] += own * row[q]


@part
def solve_positive(a: Floats, b: Floats) -> None:
    """Solve ``a x = b`` for a symmetric, positive matrix by Cholesky's factors; the lower half of ``a`` is used up."""
    size = b.shape[0]
    for i in range(size):
        for j in range(i + 1):
            total = a[i, j]
            for k in range(j):
                total -= a[i, k] * a[j, k]
            a[i, j] = math.sqrt(max(total, 1e-300)) if i == j else total / a[j, j]
    for i in range(size):
        for k in range(i):
            b[i] -= a[i, k] * b[k]
        b[i] /= a[i, i]
    for i in range(size - 1, -1, -1):
        for k in range(i + 1, size):
            b[i] -= a[k, i] * b[k]
        b[i] /= a[i, i]
