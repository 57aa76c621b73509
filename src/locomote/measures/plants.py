"""How still and how well on the floor a planted foot is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.contacts import Contacts
from locomote.contacts.records import runs
from locomote.rotations import FloatArray

SETTLING = 1 / 30  # s left out at both ends of a plant: events are right to about this against force plates
STANDING_HEIGHT = 0.02  # m; a heel or ball above it is lifted: the foot rolls on over the next point
HEEL, BALL = 0, 1


class Plants(NamedTuple):
    """Drift of planted feet and their height over the floor, millimetres."""

    plants: int
    drift_median: float
    drift_p95: float
    drift_max: float
    penetration: float  # deepest point of any foot below the floor, at any time
    penetration_share: float  # share of the frames in which some foot is more than a centimetre deep
    floating: float  # 95th percentile of the height of the lowest point of a foot in contact


class PlantDrift(NamedTuple):
    """How far one foot strays while it is planted once."""

    leg: int
    start: int  # frame
    stop: int  # the frame after
    drift: float  # mm


def plant_drifts(contacts: Contacts) -> list[PlantDrift]:
    """All plants that are long enough to tell. A rolling foot is followed on its heel, then on its ball."""
    trim = max(1, round(SETTLING * contacts.fps))
    low = contacts.heights < STANDING_HEIGHT
    stands = [(point, mask & low[:, :, point]) for point, mask in ((HEEL, contacts.heel), (BALL, contacts.toe))]
    out = []
    for leg in range(contacts.points.shape[1]):
        for start, stop in contacts.intervals(leg):
            rolls = [
                drift(contacts.points[a:b, leg, point])
                for point, mask in stands
                for a, b in _settled(mask[start:stop, leg], start, trim)
            ]
            if rolls:
                out.append(PlantDrift(leg, start, stop, 1000.0 * max(rolls)))
    return out


def plants(contacts: Contacts) -> Plants:
    """Figures of all plants of a motion."""
    drifts = [each.drift for each in plant_drifts(contacts)]
    values = np.array(drifts) if drifts else np.zeros(1)
    lowest = np.min(contacts.heights, axis=2)
    deepest = np.maximum(-np.min(lowest, axis=1, initial=0.0), 0.0)
    standing = np.maximum(lowest[contacts.foot], 0.0)
    return Plants(
        plants=len(drifts),
        drift_median=float(np.median(values)),
        drift_p95=float(np.percentile(values, 95)),
        drift_max=float(np.max(values)),
        penetration=1000.0 * float(np.max(deepest)),
        penetration_share=float(np.mean(deepest > 0.01)),
        floating=1000.0 * float(np.percentile(standing, 95)) if standing.size else 0.0,
    )


def drift(track: FloatArray) -> float:
    """How far a point strays horizontally from where it stood in the middle of its plant, metres."""
    flat = track[:, [0, 2]]
    return float(np.max(np.linalg.norm(flat - np.median(flat, axis=0), axis=-1)))


def _settled(mask: npt.NDArray[np.bool_], offset: int, trim: int) -> list[tuple[int, int]]:
    """Stretches in which ``mask`` holds, shortened by ``trim`` frames at both ends where they are long enough."""
    shortened = [(offset + int(a) + trim, offset + int(b) - trim) for a, b in runs(mask)]
    return [(a, b) for a, b in shortened if b - a >= 2]
