"""The body carried so that its knees go on bending as recorded while its feet stand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from locomote.cleaning._least_change import Stretch, Wish, bend_of, least_change
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Leg

# What counts as much as what else, of somebody with a leg of 0.9 m; all go with the length of the leg.
SHIFT = 0.002  # m, of the body from where it was recorded
SWAY = 4.0  # m/s^2, of that shift
JOLT = 5.0  # m/s^2, of a knee's distance from the line of hip and ankle beyond its recorded acceleration


def carriage(motion: Motion, legs: Sequence[Leg], goals: FloatArray, size: float) -> FloatArray:
    """How far the body moves ``(F, 3)`` for legs whose ankles go to ``goals (F, L, 3)``.

    The least shift, the least acceleration of it and the knees that bend and quicken most nearly as recorded, all in
    one least-squares problem over the whole clip; ``size`` is of the legs, beside those of an adult.
    """
    places = motion.joint_positions()
    count = len(motion)
    rows = []
    for i, leg in enumerate(legs):
        hip, knee, ankle = (places[:, j] for j in (leg.hip, leg.knee, leg.ankle))
        upper, lower = np.linalg.norm(knee - hip, axis=1), np.linalg.norm(ankle - knee, axis=1)
        bend = bend_of(np.linalg.norm(ankle - hip, axis=1), upper, lower)[0]
        rows.append(Stretch(hip, goals[:, i], upper, lower, bend))
    wish = Wish(np.zeros((count, 3)), np.full(count, SHIFT * size), np.full(count, SWAY * size), JOLT * size)
    return least_change(wish, rows, motion.fps, size)
