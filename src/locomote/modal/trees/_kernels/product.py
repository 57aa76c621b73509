"""Places of nodes: amplitudes of modes times their shapes.

The same product by a library of linear algebra is a little faster on one thread, but its threads wait for one another
on a busy machine, which cost a hundred times the work, and its last bits depend on where in an array a tree is.
"""

from __future__ import annotations

import numpy as np

from locomote.math._compile import kernel
from locomote.math.vector import Floats, Floats32

_BLOCK = 192  # columns that stay in the nearest cache
_LINE = 64  # bytes of a line of the cache
_WIDE = 32  # numbers that are worked on at once: rows are as long as a whole number of them


def row_length(nodes: int) -> int:
    """How many numbers a row for so many nodes has."""
    return -(-3 * nodes // _WIDE) * _WIDE


def empty_rows(rows: int, nodes: int) -> Floats32:
    """Memory ``(rows, row_length(nodes))`` that begins with a line of the cache: elsewhere all takes a third longer."""
    size = 4 * rows * row_length(nodes)
    raw = np.empty(size + _LINE, dtype=np.uint8)
    start = -raw.ctypes.data % _LINE
    return raw[start : start + size].view(np.float32).reshape(rows, -1)


def in_rows(vectors: Floats) -> Floats32:
    """Vectors ``(R, N, 3)`` in rows for products, with zeros behind them."""
    out = empty_rows(*vectors.shape[:2])
    out[:] = 0.0
    out[:, : 3 * vectors.shape[1]] = vectors.reshape(len(vectors), -1)
    return out


@kernel
def add_modes(start: Floats32, amplitudes: Floats, shapes: Floats32, out: Floats32) -> None:
    """``out (K, C) = start (C or more,) + amplitudes (K, M) @ shapes (M, C or more)``, for two or more rows.

    The same bits for any part of rows and columns: one loop for all of them. Two rows and five modes at once, because
    loads of shapes are what takes the time.
    """
    rows, modes, columns = out.shape[0], amplitudes.shape[1], out.shape[1]
    whole = modes - modes % 5
    for first in range(0, columns, _BLOCK):
        last = min(first + _BLOCK, columns)
        for pair in range(0, rows, 2):
            k = min(pair, rows - 2)  # an odd last row goes with the one before it once more
            q, other_q = amplitudes[k], amplitudes[k + 1]
            row, other = out[k, first:last], out[k + 1, first:last]
            row[:] = start[first:last]
            other[:] = row
            for i in range(0, whole, 5):
                one, two, three = shapes[i, first:last], shapes[i + 1, first:last], shapes[i + 2, first:last]
                four, five = shapes[i + 3, first:last], shapes[i + 4, first:last]
                a, b, c = np.float32(q[i]), np.float32(q[i + 1]), np.float32(q[i + 2])
                d, e = np.float32(q[i + 3]), np.float32(q[i + 4])
                f, g, h = np.float32(other_q[i]), np.float32(other_q[i + 1]), np.float32(other_q[i + 2])
                m, n = np.float32(other_q[i + 3]), np.float32(other_q[i + 4])
                for j in range(last - first):
                    row[j] = row[j] + a * one[j] + b * two[j] + c * three[j] + d * four[j] + e * five[j]
                    other[j] = other[j] + f * one[j] + g * two[j] + h * three[j] + m * four[j] + n * five[j]
            for i in range(whole, modes):
                one, a, f = shapes[i, first:last], np.float32(q[i]), np.float32(other_q[i])
                for j in range(last - first):
                    row[j] += a * one[j]
                    other[j] += f * one[j]


def move_nodes(start: Floats32, amplitudes: Floats, shapes: Floats32, out: Floats32) -> None:
    """The same as `add_modes` for any number of rows: one alone is done twice."""
    if len(out) > 1:
        add_modes(start, amplitudes, shapes, out)
    elif len(out):
        both = np.empty((2, out.shape[1]), dtype=np.float32)
        add_modes(start, np.repeat(amplitudes, 2, axis=0), shapes, both)
        out[:] = both[:1]
