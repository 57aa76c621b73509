"""All modes of all trees, brought on at once: exact for a wind that is the same all through a step."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.math._compile import kernel
from locomote.math.vector import Floats, Ints

# Rows of the table that brings modes on.
KEEP, GAIN = 0, 1  # of the amplitude: what is left of it, and what comes from its rate, s
BACK, LEFT = 2, 3  # of the rate: what comes from the amplitude, 1/s, and what is left of it
STEPS = 4
# Columns that say how a tree stands.
COSINE, SINE, SIZE = 0, 1, 2


class Wood(NamedTuple):
    """Modes of a species side by side, and their exact steps."""

    drag: Floats  # (3, M) over the squares of the rates
    inertia: Floats  # (3, M) the same
    table: Floats  # (R, STEPS, M)


@kernel
def advance_bank(
    winds: Floats, shaken: Floats, stands: Floats, wood: Wood, rows: Ints, amplitudes: Floats, speeds: Floats
) -> None:
    """Bring ``amplitudes`` and ``speeds (K, M)`` on by a step in ``winds (K, 3)``, m/s, all in the world.

    ``shaken (K, 3)`` are accelerations of roots, m/s²; ``stands (K, 3)`` cosine and sine of the heading, and the size;
    ``rows (K,)`` say which steps of the table are a tree's.
    """
    across, up, along = wood.drag[0], wood.drag[1], wood.drag[2]
    aside, lifted, ahead = wood.inertia[0], wood.inertia[1], wood.inertia[2]
    for k in range(winds.shape[0]):
        c, s, size = stands[k, COSINE], stands[k, SINE], stands[k, SIZE]
        x, y, z = c * winds[k, 0] - s * winds[k, 2], winds[k, 1], s * winds[k, 0] + c * winds[k, 2]
        speed = math.sqrt(x * x + y * y + z * z)
        x, y, z = speed * x, speed * y, speed * z
        ax, az = size * (c * shaken[k, 0] - s * shaken[k, 2]), size * (s * shaken[k, 0] + c * shaken[k, 2])
        ay = size * shaken[k, 1]
        step, q, rate = wood.table[rows[k]], amplitudes[k], speeds[k]
        keep, gain, back, left = step[KEEP], step[GAIN], step[BACK], step[LEFT]
        for i in range(q.shape[0]):
            rest = across[i] * x + up[i] * y + along[i] * z - aside[i] * ax - lifted[i] * ay - ahead[i] * az
            off, moving = q[i] - rest, rate[i]
            q[i] = rest + keep[i] * off + gain[i] * moving
            rate[i] = back[i] * off + left[i] * moving
