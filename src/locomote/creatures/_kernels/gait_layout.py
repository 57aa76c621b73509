"""How gaits and the disks of a character are laid out, known to those who fill them without compiling anything.

A gait disk is one turn of a foot's cycle; its sectors, each a (start, duration) in turns, are the swings of the foot.
A needle common to all feet goes round once in a period.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

# Columns of a character's row.
NEEDLE = 0  # turns, 0 to 1
WANTED = 1  # the gait that is asked for: write here to change gait
GAIT = 2  # the gait that is gone, or that the disks are on their way to
FROM = 3  # the gait before it
PROGRESS = 4  # of the transition: 0 just begun, 1 over
TRANSITION = 5  # s that a transition takes; 0: one period
PERIOD = 6  # s of one turn, now
LIFT = 7  # step height over hip height, now
FROM_PERIOD = 8  # when the transition began, in time units
FROM_LIFT = 9  # when the transition began
RUNNING = 10  # 1: the needle turns; 0: it stands, and all feet with it
# How much the body bounces, sways and nods by this gait, now; against what the feet alone would give.
BOUNCE = 11
SWAY = 12
NOD = 13
FROM_BOUNCE = 14  # and when the transition began, in the same order
LIVES = 3
COLUMNS = FROM_BOUNCE + LIVES

# The disks of every foot: ``disks (DISKS, F, K, 2)`` of a character.
LIVE, ORIGIN, GOAL = (
    0,
    1,
    2,
)  # what the needle reads; what the transition began with; what the foot should have now
DISKS = 3
START, DURATION = 0, 1  # of a sector, turns; a sector with the duration 0 is not there

STANCE, SWING = 0, 1


class GaitArrays(NamedTuple):
    """Some gaits of creatures with F feet: G gaits, each known at M speeds, with up to K sectors a foot.

    Speeds are in units of sqrt(g h) and never fall; periods in units of sqrt(h / g), with h the height of the hips.
    Starts are unwrapped along the speeds, so that straight interpolation between two of them is right.
    """

    speeds: npt.NDArray[np.float64]  # (G, M)
    periods: npt.NDArray[np.float64]  # (G, M)
    sectors: npt.NDArray[np.float64]  # (G, M, F, K, 2)
    lifts: npt.NDArray[np.float64]  # (G, M) step height over hip height
    lives: npt.NDArray[np.float64]  # (G, M, LIVES) bounce, sway and nod against what the feet would give
    flights: npt.NDArray[np.int64]  # (G,) 1: all feet may be in the air at once
    natural: npt.NDArray[np.float64]  # (N, 2) signed speeds at which the first N gaits are left, downwards and upwards
