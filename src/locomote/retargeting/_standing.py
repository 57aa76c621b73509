"""When a foot of the source really stands: its contacts without the moments of landing and leaving."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.contacts import Contacts
from locomote.contacts.feet import speeds
from locomote.rotations import FloatArray
from locomote.skeleton import Leg

SLIPPING = 1.0  # leg lengths per second; a foot that moves faster at the end of a contact does not stand,
WOBBLES = 4.0  # nor does one that is higher than usual in its contact by so many of its usual deviations,
EDGE = 0.05  # s; but none of a contact that is further from its ends, where a foot that does not stand slides
LEAST_LIFT, LIFTED = 0.001, 0.04  # leg lengths; but at least and at most by so much

BoolArray = npt.NDArray[np.bool_]
LEVEL: FloatArray = np.array([1.0, 0.0, 1.0])


def firm_contacts(contacts: Contacts, legs: tuple[Leg, ...], size: float) -> BoolArray:
    """Where the legs of the target, matched by side and row, are to stand, ``(F, L)``.

    ``size`` is the length of the source's legs.
    """
    columns = {(leg.side, leg.row): i for i, leg in enumerate(contacts.legs)}
    return np.stack([_firm(contacts, columns[leg.side, leg.row], size) for leg in legs], axis=1)


def _firm(contacts: Contacts, leg: int, size: float) -> BoolArray:
    """The contacts of one leg without their ends, where the foot still lands or already leaves."""
    points, heights = contacts.points[:, leg], contacts.heights[:, leg]
    lowest = np.argmin(heights, axis=1)
    every = np.arange(len(points))
    speed, height = speeds(points * LEVEL, contacts.fps)[every, lowest], heights[every, lowest]
    firm = np.zeros(len(points), dtype=bool)
    for start, stop in contacts.intervals(leg):
        over = height[start:stop] - np.median(height[start:stop])
        allowed = np.clip(WOBBLES * np.median(np.abs(over)), LEAST_LIFT * size, LIFTED * size)
        still = np.flatnonzero((speed[start:stop] <= SLIPPING * size) & (over <= allowed))
        if len(still):
            edge = max(1, round(EDGE * contacts.fps))
            first, last = min(int(still[0]), edge), max(int(still[-1]) + 1, stop - start - edge)
            firm[start + first : start + last] = True
    return firm
