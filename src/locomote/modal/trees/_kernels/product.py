"""Displacements of nodes: amplitudes of modes times their shapes.

The same product by a library of linear algebra is a little faster on one thread, but its threads wait for one another
on a busy machine, which cost a hundred times the work, and its last bits depend on where in an array a tree is.
"""

from __future__ import annotations

from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats32

_BLOCK = 192  # columns that stay in the nearest cache


@kernel
def multiply(amplitudes: Floats32, shapes: Floats32, out: Floats32) -> None:
    """``out (K, C) = amplitudes (K, M) @ shapes (M, C or more)``: the same bits for any part of rows and columns."""
    modes, columns = amplitudes.shape[1], out.shape[1]
    for first in range(0, columns, _BLOCK):
        last = min(first + _BLOCK, columns)
        for k in range(out.shape[0]):
            row = out[k, first:last]
            row[:] = 0.0
            whole = modes - modes % 5
            for i in range(0, whole, 5):
                _add_five(amplitudes[k, i : i + 5], shapes[i : i + 5, first:last], row)
            for i in range(whole, modes):
                q = amplitudes[k, i]
                for c in range(last - first):
                    row[c] += q * shapes[i, first + c]


@inline
def _add_five(q: Floats32, shapes: Floats32, row: Floats32) -> None:
    """Five modes at once: a sum is loaded and stored once for all of them."""
    a, b, c, d, e = q[0], q[1], q[2], q[3], q[4]
    one, two, three, four, five = shapes[0], shapes[1], shapes[2], shapes[3], shapes[4]
    for j in range(row.shape[0]):
        row[j] = row[j] + a * one[j] + b * two[j] + c * three[j] + d * four[j] + e * five[j]
