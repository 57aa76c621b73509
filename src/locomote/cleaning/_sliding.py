"""Where feet are still seen to slide after they were planted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from locomote.contacts import Contacts
from locomote.contacts.records import BoolArray, runs
from locomote.measures.plants import BALL, HEEL, SETTLING, STANDING_HEIGHT, drift

TOLERANCE = 0.002  # m; a smaller drift is left
NEAR = 0.08  # s; a plant is made longer than its contact by at most so much on either side,
NEAR_SHARE = 3  # and by at most this part of the gap to the next one


def still_slides(contacts: Contacts) -> BoolArray:
    """The frames ``(F, L)`` in which a foot counts as standing, of those plants in which it drifts."""
    out = np.zeros_like(contacts.foot)
    for leg, span, stray in _stretches(contacts):
        out[span, leg] |= stray > TOLERANCE
    return out


def sound(contacts: Contacts) -> BoolArray:
    """The frames ``(F, L)`` of contacts in which nothing is wrong: the foot neither drifts nor sinks nor hovers."""
    measured, drifts = np.zeros_like(contacts.foot), still_slides(contacts)
    for leg, span, _ in _stretches(contacts):
        measured[span, leg] = True
    lowest = contacts.heights.min(axis=2)
    out = np.zeros_like(contacts.foot)
    for leg in range(len(contacts.legs)):
        for start, stop in contacts.intervals(leg):
            seen = lowest[start:stop, leg]
            level = seen.min() > -TOLERANCE and np.median(seen) < TOLERANCE
            out[start:stop, leg] = level and measured[start:stop, leg].any() and not drifts[start:stop, leg].any()
    return out


def _stretches(contacts: Contacts) -> Iterator[tuple[int, slice, float]]:
    """Leg, frames and drift in metres of every stretch in which a heel or ball is measured to stand."""
    trim = max(1, round(SETTLING * contacts.fps))
    low = contacts.heights < STANDING_HEIGHT
    for leg in range(len(contacts.legs)):
        for point, mask in ((HEEL, contacts.heel), (BALL, contacts.toe)):
            for start, stop in runs(mask[:, leg] & low[:, leg, point]):
                span = slice(start + trim, stop - trim)
                if stop - start > 2 * trim + 1:
                    yield leg, span, drift(contacts.points[span, leg, point])


def about(contacts: Contacts) -> BoolArray:
    """The frames ``(F, L)`` of the contacts and those just beside them."""
    out = contacts.foot.copy()
    reach = round(NEAR * contacts.fps)
    for leg in range(len(contacts.legs)):
        spans = contacts.intervals(leg)
        for start, stop in (spans[0], spans[-1]) if len(spans) else ():
            out[max(start - reach, 0) : start, leg] = True
            out[stop : stop + reach, leg] = True
        for (_, stop), (start, _) in pairwise(spans):
            by = min(reach, (start - stop) // NEAR_SHARE)
            out[stop:start, leg] = False
            out[stop : stop + by, leg] = out[start - by : start, leg] = True
    return out
