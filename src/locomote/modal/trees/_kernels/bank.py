"""All modes of all trees, brought on at once: exact for a wind that is the same all through a step."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.math._compile import kernel
from locomote.math.vector import Floats, Ints

# Columns of the table that brings a mode on.
KEEP, GAIN = 0, 1  # of the amplitude: what is left of it, and what comes from its rate, s
BACK, LEFT = 2, 3  # of the rate: what comes from the amplitude, 1/s, and what is left of it
COLUMNS = 4


class Wood(NamedTuple):
    """Modes of a species, and the exact step of each of them."""

    drag: Floats  # (M, 3)
    inertia: Floats  # (M, 3)
    squares: Floats  # (M,) of the rates, 1/s²
    table: Floats  # (R, M, COLUMNS)


@kernel
def advance_bank(winds: Floats, shaken: Floats, wood: Wood, rows: Ints, amplitudes: Floats, speeds: Floats) -> None:
    """Bring ``amplitudes`` and ``speeds (K, M)`` on by a step in ``winds (K, 3)``, m/s in the frames of the trees.

    ``shaken (K, 3)`` are accelerations of their roots, m/s²; ``rows (K,)`` say which steps of the table are a tree's.
    """
    drag, inertia = wood.drag, wood.inertia
    for k in range(winds.shape[0]):
        x, y, z = winds[k, 0], winds[k, 1], winds[k, 2]
        speed = math.sqrt(x * x + y * y + z * z)
        ax, ay, az = shaken[k, 0], shaken[k, 1], shaken[k, 2]
        step, q, rate = wood.table[rows[k]], amplitudes[k], speeds[k]
        for i in range(drag.shape[0]):
            force = speed * (drag[i, 0] * x + drag[i, 1] * y + drag[i, 2] * z)
            force -= inertia[i, 0] * ax + inertia[i, 1] * ay + inertia[i, 2] * az
            rest = force / wood.squares[i]
            off, moving = q[i] - rest, rate[i]
            q[i] = rest + step[i, KEEP] * off + step[i, GAIN] * moving
            rate[i] = step[i, BACK] * off + step[i, LEFT] * moving
