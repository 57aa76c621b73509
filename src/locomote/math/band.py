"""Levenberg and Marquardt's steps for a sequence of small systems whose neighbours are coupled: a band of blocks.

Each pose of a sequence has normal equations of its own; that neighbours shall differ little ties every unknown to the
same one before and after it. The band is solved from front to back and back again, exactly.
"""

from __future__ import annotations

from locomote.math._compile import inline, part
from locomote.math.vector import Floats

FIRST_DAMPING = 1e-3  # of the diagonal of the normal equations
_LEAST_DAMPING, _MOST_DAMPING = 1e-9, 1e6
_EASED, _STIFFENED = 0.2, 5.0  # what becomes of the damping after a step that helped, and after one that did not
_LEAST = 1e-12  # added to the diagonal, for unknowns that nothing moves


@inline
def adapt(count: int, cost: Floats, damping: Floats) -> None:
    """Damp the systems less whose ``cost (2, L)``, before and with a step, got better, and the others more."""
    for at in range(count):
        changed = damping[at] * (_EASED if cost[1, at] <= cost[0, at] else _STIFFENED)
        damping[at] = min(max(changed, _LEAST_DAMPING), _MOST_DAMPING)


@inline
def solve_band(
    count: int,
    linked: bool,
    normal: Floats,
    damping: Floats,
    own: Floats,
    smooth: Floats,
    inverse: Floats,
    step: Floats,
    row: Floats,
) -> None:
    """Solve for the steps of ``count`` systems.

    ``normal (L, n, n)`` are their matrices, of whose diagonals ``damping (L,)`` is a share; ``own (n,)`` is added to
    the diagonals, ``smooth (n,)`` ties each unknown to its neighbours; ``linked``: the first has one before it, too.
    ``step (L, n)`` are the right sides, and what is found; ``inverse (L, n, n)`` and ``row (n,)`` are scratch.
    """
    size = own.shape[0]
    for at in range(count):
        matrix = inverse[at]
        neighbours = (1.0 if at > 0 or linked else 0.0) + (1.0 if at + 1 < count else 0.0)
        for i in range(size):
            for m in range(size):
                matrix[i, m] = normal[at, i, m]
            matrix[i, i] += damping[at] * normal[at, i, i] + own[i] + neighbours * smooth[i] + _LEAST
        if at > 0:
            before, step_before, now = inverse[at - 1], step[at - 1], step[at]
            for i in range(size):
                for m in range(size):
                    matrix[i, m] -= smooth[i] * smooth[m] * before[i, m]
                    now[m] += smooth[m] * before[i, m] * step_before[i]
        invert(matrix)
    for at in range(count - 1, -1, -1):
        now = step[at]
        for i in range(size):
            row[i] = now[i] + (smooth[i] * step[at + 1, i] if at + 1 < count else 0.0)
            now[i] = 0.0
        for m in range(size):
            for i in range(size):
                now[i] += inverse[at, m, i] * row[m]


@part
def invert(a: Floats) -> None:
    """Invert a symmetric, positive matrix in its place, by elimination of one unknown after the other."""
    size = a.shape[0]
    for p in range(size):
        pivot = 1.0 / a[p, p]
        a[p, p] = 1.0
        for m in range(size):
            a[p, m] *= pivot
        for i in range(size):
            if i != p:
                share = a[i, p]
                a[i, p] = 0.0
                for m in range(size):
                    a[i, m] -= share * a[p, m]
