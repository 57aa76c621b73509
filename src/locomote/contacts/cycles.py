"""Gait cycles from strike to strike, and the phase of the gait."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from locomote.contacts.records import Contacts, Event
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray


@dataclass(frozen=True)
class Cycle:
    """One stride of one leg: from its strike to its next strike. Times in seconds from the first frame."""

    leg: int
    start: float
    stop: float
    toe_off: float
    others: tuple[Event, ...]  # events of the other legs within it

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.stop - self.start

    @property
    def duty(self) -> float:
        """The share of the cycle that the foot spends on the ground."""
        return (self.toe_off - self.start) / self.duration

    def phase_of(self, time: float) -> float:
        """0 at this cycle's strike, 1 at the next."""
        return (time - self.start) / self.duration


def cycles(contacts: Contacts, leg: int) -> tuple[Cycle, ...]:
    """The complete strides of one leg.

    Parameters
    ----------
    contacts : those of a motion
    leg : its row in the contacts
    """
    strikes = [e.time for e in contacts.events if e.leg == leg and e.kind == "heel_strike"]
    offs = [e.time for e in contacts.events if e.leg == leg and e.kind == "toe_off"]
    others = [e for e in contacts.events if e.leg != leg]
    times = [e.time for e in others]
    found = []
    for start, stop in pairwise(strikes):
        within = tuple(others[bisect_left(times, start) : bisect_left(times, stop)])
        found.append(Cycle(leg, start, stop, offs[bisect_right(offs, start)], within))
    return tuple(found)


def phase(contacts: Contacts) -> FloatArray:
    """The gait phase in every frame, ``(F,)``; of a quadruped, that of its hind legs.

    It grows by one a stride: whole numbers are right heel strikes, halves left ones. NaN before the first and
    after the last strike.
    """
    times, values = _clock(contacts)
    at = np.arange(len(contacts)) / contacts.fps
    if len(times) < 2:
        return np.full(len(at), np.nan)
    out: FloatArray = np.interp(at, times, values, left=np.nan, right=np.nan)
    return out


def label_at_phase(contacts: Contacts, phase: float) -> str:
    """Who carries a biped at a phase: "flight", "left", "right" or "double".

    Parameters
    ----------
    contacts : those of a biped
    phase : of the cycle, 0 to 1
    """
    times, values = _clock(contacts)
    if len(times) < 2 or not values[0] <= phase <= values[-1]:
        known = f"{values[0]:g} to {values[-1]:g}" if len(times) > 1 else "none"
        raise LocomoteError(f"phase {phase:g}: the phases of these contacts are {known}")
    return contacts.label_at(float(np.interp(phase, values, times)))


def _clock(contacts: Contacts) -> tuple[FloatArray, FloatArray]:
    """The times of the strikes of the hind legs, and the phases there."""
    hind = max((leg.row for leg in contacts.legs), default=0)
    strikes = [
        (e.time, contacts.legs[e.leg].side)
        for e in contacts.events
        if e.kind == "heel_strike" and contacts.legs[e.leg].row == hind
    ]
    values: list[float] = []
    for k, (_, side) in enumerate(strikes):
        if k == 0:
            values.append(0.0 if side == "right" else 0.5)
        else:  # a hop on one leg is a whole stride
            values.append(values[-1] + (1.0 if side == strikes[k - 1][1] else 0.5))
    return np.array([time for time, _ in strikes]), np.array(values)
