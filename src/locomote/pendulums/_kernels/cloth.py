"""A cloth of pendulums: vertices from what the swinging columns say, and neighbours brought together again."""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints
from locomote.pendulums._kernels import layout as at


@kernel
def hear_column(column: int, order: Ints, state: Floats, softness: float, half_say: float, said: Floats) -> float:
    """Add what one column's pendulums say to ``said (R, C, 4)``, the sum of words and of their weights.

    ``order (R, C)`` tells which of ``state (P, STATE)`` ends at each vertex. The answer is the largest lean, rad.
    """
    leaning = 0.0
    for b in range(state.shape[0]):
        leaning = max(leaning, abs(state[b, at.SWING]), abs(state[b, at.SWING + 1]))
    heard = leaning / (leaning + half_say)
    for r in range(said.shape[0]):
        for q in range(said.shape[1]):
            away = abs(q - column) + softness
            weight = heard / (away * away)
            b = order[r, q]
            for i in range(3):
                said[r, q, i] += weight * state[b, at.TIP + i]
            said[r, q, 3] += weight
    return leaning


@kernel
def settle_cloth(said: Floats, rest: Floats, spacing: float, rounds: int, hung: Floats) -> None:
    """Fill ``hung (R + 1, C, 3)`` below its first row, the line, with the means of what was said; none: ``rest``.

    Neighbours that the mean of several columns' words set too far apart are brought together in some rounds.
    """
    _settle(said, rest, spacing, rounds, hung)


@part
def _settle(said: Floats, rest: Floats, spacing: float, rounds: int, hung: Floats) -> None:
    rows, columns = rest.shape[0], rest.shape[1]
    for r in range(rows):
        for q in range(columns):
            weight = said[r, q, 3]
            for i in range(3):
                hung[r + 1, q, i] = said[r, q, i] / weight if weight > 0.0 else rest[r, q, i]
    for _ in range(rounds):
        # Every other pair at a time: none of them waits for another.
        for start in range(2):
            for r in range(1, rows + 1):
                for q in range(start, columns - 1, 2):
                    _pair(hung[r, q], hung[r, q + 1], 0.5, spacing)
            for r in range(start, rows, 2):
                # The line that the cloth hangs on does not give way.
                give = 0.5 if r > 0 else 0.0
                for q in range(columns):
                    _pair(hung[r, q], hung[r + 1, q], give, spacing)


@inline
def _pair(one: Floats, other: Floats, give: float, spacing: float) -> None:
    """Shorten what lies between two places to the spacing; ``one`` takes a share of it."""
    x, y, z = other[0] - one[0], other[1] - one[1], other[2] - one[2]
    square = x * x + y * y + z * z
    if square <= spacing * spacing:
        return
    excess = 1.0 - spacing / math.sqrt(square)
    x, y, z = excess * x, excess * y, excess * z
    one[0], one[1], one[2] = one[0] + give * x, one[1] + give * y, one[2] + give * z
    rest = 1.0 - give
    other[0], other[1], other[2] = other[0] - rest * x, other[1] - rest * y, other[2] - rest * z
