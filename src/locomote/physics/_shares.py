"""How walking people hand their weight from one foot to the other."""

from __future__ import annotations

import numpy as np

from locomote.contacts import Contacts
from locomote.rotations import FloatArray

_LONGEST = 0.5  # s that both feet stand in a step; longer is standing


def expected_shares(contacts: Contacts) -> FloatArray:
    """The share ``(F, L)`` of the load on each foot of a biped while both stand; -1 where nothing is expected.

    The load goes over from the foot that leaves to the one that has landed along a smooth step over the time in which
    both stand. Longer than half a second is standing, not a step.
    """
    out = np.full((len(contacts), len(contacts.legs)), -1.0)
    if len(contacts.legs) != 2:
        return out
    spans = [contacts.times(leg) for leg in range(2)]
    known = [
        off - strike
        for leg in range(2)
        for strike in spans[leg][:, 0]
        for off in spans[1 - leg][:, 1]
        if 0.0 < off - strike < _LONGEST
    ]
    usual = float(np.mean(known)) if known else 0.5 * _LONGEST
    for leg in range(2):
        for strike, off in spans[leg]:
            for other_strike, other_off in spans[1 - leg]:
                if other_strike > strike or other_off > off or other_off < strike:
                    continue  # not the pair in which this foot takes over
                start, stop = strike, other_off
                if not np.isfinite(start):
                    start = stop - usual
                if not np.isfinite(stop):
                    stop = start + usual
                if not (np.isfinite(start) and 0.0 < stop - start < _LONGEST):
                    continue
                first, last = int(np.ceil(start * contacts.fps)), int(stop * contacts.fps)
                frames = np.arange(max(0, first), min(len(out), last + 1))
                u = np.clip((frames / contacts.fps - start) / (stop - start), 0.0, 1.0)
                out[frames, leg] = u * u * (3.0 - 2.0 * u)
                out[frames, 1 - leg] = 1.0 - out[frames, leg]
    out[np.count_nonzero(contacts.foot, axis=1) < 2] = -1.0
    return out
