"""Places of nodes: amplitudes of modes times their shapes.

The same product by a library of linear algebra is no faster on one thread, its threads wait for one another on a busy
machine, which cost a hundred times the work, and its last bits depend on where in an array a tree is. What counts here:
whole rows (parts of rows are slow to begin), and as many products for each number that is read as there are registers.
"""

from __future__ import annotations

import numpy as np

from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats, Floats32

ROWS = 4  # that are worked on at once
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
    """``out (K, C) = start (C or more,) + amplitudes (K, M) @ shapes (M, C or more)``, for four or more rows.

    The same bits for any part of rows and columns: one loop for all of them. Four rows and eight modes at once, because
    loads of shapes, and the beginnings of loops over few columns, are what takes the time.
    """
    rows, modes, columns = out.shape[0], amplitudes.shape[1], out.shape[1]
    whole = modes - modes % 8
    for quad in range(0, rows, ROWS):
        k = min(quad, rows - ROWS)  # the last rows go with those before them once more
        row_1, row_2, row_3, row_4 = out[k], out[k + 1], out[k + 2], out[k + 3]
        for j in range(columns):
            row_1[j] = start[j]
            row_2[j] = start[j]
            row_3[j] = start[j]
            row_4[j] = start[j]
        for i in range(0, whole, 8):
            one, two, three, four = shapes[i], shapes[i + 1], shapes[i + 2], shapes[i + 3]
            five, six, seven, eight = shapes[i + 4], shapes[i + 5], shapes[i + 6], shapes[i + 7]
            a_1, b_1, c_1, d_1, e_1, f_1, g_1, h_1 = _eight(amplitudes[k], i)
            a_2, b_2, c_2, d_2, e_2, f_2, g_2, h_2 = _eight(amplitudes[k + 1], i)
            a_3, b_3, c_3, d_3, e_3, f_3, g_3, h_3 = _eight(amplitudes[k + 2], i)
            a_4, b_4, c_4, d_4, e_4, f_4, g_4, h_4 = _eight(amplitudes[k + 3], i)
            for j in range(columns):
                row_1[j] = (
                    row_1[j]
                    + a_1 * one[j]
                    + b_1 * two[j]
                    + c_1 * three[j]
                    + d_1 * four[j]
                    + e_1 * five[j]
                    + f_1 * six[j]
                    + g_1 * seven[j]
                    + h_1 * eight[j]
                )
                row_2[j] = (
                    row_2[j]
                    + a_2 * one[j]
                    + b_2 * two[j]
                    + c_2 * three[j]
                    + d_2 * four[j]
                    + e_2 * five[j]
                    + f_2 * six[j]
                    + g_2 * seven[j]
                    + h_2 * eight[j]
                )
                row_3[j] = (
                    row_3[j]
                    + a_3 * one[j]
                    + b_3 * two[j]
                    + c_3 * three[j]
                    + d_3 * four[j]
                    + e_3 * five[j]
                    + f_3 * six[j]
                    + g_3 * seven[j]
                    + h_3 * eight[j]
                )
                row_4[j] = (
                    row_4[j]
                    + a_4 * one[j]
                    + b_4 * two[j]
                    + c_4 * three[j]
                    + d_4 * four[j]
                    + e_4 * five[j]
                    + f_4 * six[j]
                    + g_4 * seven[j]
                    + h_4 * eight[j]
                )
        for i in range(whole, modes):
            one = shapes[i]
            first, second = np.float32(amplitudes[k, i]), np.float32(amplitudes[k + 1, i])
            third, fourth = np.float32(amplitudes[k + 2, i]), np.float32(amplitudes[k + 3, i])
            for j in range(columns):
                row_1[j] += first * one[j]
                row_2[j] += second * one[j]
                row_3[j] += third * one[j]
                row_4[j] += fourth * one[j]


@inline
def _eight(q: Floats, i: int) -> tuple[float, float, float, float, float, float, float, float]:
    """Eight amplitudes of a tree, from ``i`` on."""
    a, b, c, d = np.float32(q[i]), np.float32(q[i + 1]), np.float32(q[i + 2]), np.float32(q[i + 3])
    e, f, g, h = np.float32(q[i + 4]), np.float32(q[i + 5]), np.float32(q[i + 6]), np.float32(q[i + 7])
    return a, b, c, d, e, f, g, h  # type: ignore[return-value]


def move_nodes(start: Floats32, amplitudes: Floats, shapes: Floats32, out: Floats32) -> None:
    """The same as `add_modes` for any number of rows: where they are few, some are done more than once."""
    if len(out) >= ROWS:
        add_modes(start, amplitudes, shapes, out)
    elif len(out):
        more = np.empty((ROWS, out.shape[1]), dtype=np.float32)
        add_modes(start, np.resize(amplitudes, (ROWS, amplitudes.shape[1])), shapes, more)
        out[:] = more[: len(out)]
