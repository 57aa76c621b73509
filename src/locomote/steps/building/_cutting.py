"""A clip cut into single steps: double stance, swing of one foot over the other, double stance."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from locomote.contacts import Contacts
from locomote.skeleton import IntArray
from locomote.steps._detecting import Stance, stances

SWING = (0.15, 1.5)  # s, the shortest and the longest
LONGEST_DOUBLE = 0.40  # s of a double stance that are kept, next to the swing: more is a pause
SHORTEST_DOUBLE = 0.02  # s
WANTED_DOUBLE = 0.10  # s; in fast walks the balls of both feet are down together for less

FLIGHT = "no foot planted during the swing"
ODD_SWING = "swing too short or too long"
NO_DOUBLE = "no double stance"
CUT_SHORT = "cut by the end of the clip"


@dataclass(frozen=True, eq=False)
class Cut:
    """One step of a clip; times in seconds from its start."""

    side: int  # of the swinging foot
    times: tuple[float, float, float, float]  # start, lift, landing, end
    before: IntArray  # frames in which the swinging foot stands flat before the swing
    after: IntArray  # and after it
    support: IntArray  # frames of the swing


def cut_steps(contacts: Contacts, leg_length: float) -> tuple[list[Cut], Counter[str]]:
    """The steps of a clip, and how many swings were left out for which reason.

    A foot stands while its ball is down: the ball is what steps are described by.
    """
    feet = stances(contacts, leg_length)
    last = (len(contacts) - 1) / contacts.fps
    cuts: list[Cut] = []
    left_out: Counter[str] = Counter()
    for side in (0, 1):
        for before, after in zip(feet[side], feet[side][1:], strict=False):
            result = _cut(before, after, feet[1 - side], last, contacts.fps)
            if isinstance(result, Cut):
                cuts.append(result)
            else:
                left_out[result] += 1
    return sorted(cuts, key=lambda cut: cut.times), left_out


def _cut(before: Stance, after: Stance, others: list[Stance], last: float, fps: float) -> Cut | str:
    """The step between two contacts of a foot, or why there is none."""
    support = next((o for o in others if o.strike < before.off and o.off > after.strike), None)
    if support is None:
        return FLIGHT
    start, lift = _double(max(before.strike, support.strike), before.off, max(before.down, support.down), before.up)
    land, end = _double(after.strike, min(after.off, support.off), after.down, min(after.up, support.up))
    if not SWING[0] <= land - lift <= SWING[1]:
        return ODD_SWING
    known = start > -np.inf or lift >= LONGEST_DOUBLE, end < np.inf or last - land >= LONGEST_DOUBLE
    if not all(known):
        return CUT_SHORT
    start, end = max(start, lift - LONGEST_DOUBLE), min(end, land + LONGEST_DOUBLE)
    if min(lift - start, end - land) < SHORTEST_DOUBLE:
        return NO_DOUBLE
    swing = np.arange(int(np.ceil(lift * fps)), int(land * fps) + 1, dtype=np.int64)
    return Cut(
        before.side,
        (start, lift, land, end),
        before.flat_before(lift, fps),
        after.flat_after(land, fps),
        swing,
    )


def _double(strike: float, off: float, down: float, up: float) -> tuple[float, float]:
    """A double stance: while both balls are down, or longer towards heel strike and toe-off if that is too short."""
    if up - down >= WANTED_DOUBLE or not np.isfinite(up - down):
        return down, up
    more = (off - strike) - (up - down)
    share = min(1.0, (WANTED_DOUBLE - (up - down)) / more) if more > 0.0 else 0.0
    return down + share * (strike - down), up + share * (off - up)
