"""Where feet are still seen to slide after they were planted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from locomote.contacts import Contacts
from locomote.contacts.records import BoolArray, runs
from locomote.measures.plants import BALL, HEEL, SETTLING, STANDING_HEIGHT, drift

TOLERANCE = 0.002  # m; a smaller drift is left
FURTHER = 0.005  # m; feet that drift so much further than before were better left alone


def slides_further(contacts: Contacts, than: Contacts) -> BoolArray:
    """The frames ``(F, L)`` of those contacts in which feet drift further than others do in the same contacts."""
    out = np.zeros_like(contacts.foot)
    here, there = _drifts(contacts), _drifts(than)
    for (leg, start, stop), stray in here.items():
        out[start:stop, leg] = stray > there.get((leg, start, stop), 0.0) + FURTHER
    return out


def _drifts(contacts: Contacts) -> dict[tuple[int, int, int], float]:
    """The greatest drift in metres of every contact: leg, first frame and the one after its last."""
    out: dict[tuple[int, int, int], float] = {}
    spans = [contacts.intervals(leg) for leg in range(len(contacts.legs))]
    for leg, span, stray in _stretches(contacts):
        start, stop = spans[leg][np.searchsorted(spans[leg][:, 1], span.start, "right")]
        key = leg, int(start), int(stop)
        out[key] = max(out.get(key, 0.0), stray)
    return out


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
