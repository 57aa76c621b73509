"""How a foot rolls through a contact: heel strike, toe strike, heel-off, toe-off."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.contacts.records import EVENT_KINDS, BoolArray, Event
from locomote.contacts.settings import Settings
from locomote.contacts.swings import Foot, Span

_HEEL, _BALL, _TOE = 0, 1, 2

# Feet that were animated, or cleaned up after capture, stand exactly still, and start and stop at once;
# captured ones roll.
_STILL_SHARE = 0.2  # of a contact
_AT_ONCE = 0.04  # s, in which a foot that leaves at once gets as fast as
_AT_ONCE_SHARE = 0.12  # of the peak speed of its swing
_STILL_REACH = 0.25  # s; how far stillness may correct a contact
_PIVOT_SHARE = 0.25  # of the ball's speed: the heel of a rig is guessed at and moves a little about the true one


class Still(NamedTuple):
    """A point is still from frame ``first`` to frame ``last``."""

    first: int
    last: int


Stills = tuple[Still | None, Still | None, Still | None]  # heel, ball, toe


class Roll(NamedTuple):
    """The four moments of a contact, in frames with fractions; infinite where the clip cuts them."""

    heel_strike: float
    toe_strike: float
    heel_off: float
    toe_off: float


def roll(foot: Foot, span: Span, s: Settings) -> Roll:
    """The moments of one contact: the heel comes and goes first, or together with the forefoot."""
    heel, ball, toe = (_still(foot, point, span) for point in (_HEEL, _BALL, _TOE))
    start, stop = span.start, span.stop
    if s.stillness:
        start, stop = _landing(foot, span, (heel, ball, toe)), _leaving(foot, span, (heel, ball, toe))
    toe_strike = _first_low(foot, start, stop, s)
    heel_off = _last_low(foot, start, stop, s)
    # What is still in a frame came to rest somewhere in the frame before, and leaves in the one after.
    forefoot = min((still.first for still in (ball, toe) if still is not None), default=0)
    if forefoot > 0 and _near(foot, forefoot - 0.5, toe_strike):
        toe_strike = forefoot - 0.5
    if heel is not None and heel.last < len(foot.steps) and _near(foot, heel.last + 0.5, heel_off):
        heel_off = heel.last + 0.5
    toe_strike = float(np.clip(toe_strike, start, stop))
    return Roll(start, toe_strike, float(np.clip(heel_off, toe_strike, stop)), stop)


def _near(foot: Foot, moment: float, other: float) -> bool:
    """Whether stillness may correct one moment to another; a cut one counts as the end of the clip."""
    return abs(moment - float(np.clip(other, 0.0, len(foot.steps)))) < _STILL_REACH * foot.fps


def _still(foot: Foot, point: int, span: Span) -> Still | None:
    """When a point does not move at all in a contact, if it stands still for a good part of it."""
    found = foot.still[point]
    found = found[np.searchsorted(found[:, 1], span.start, "right") : np.searchsorted(found[:, 0], span.stop)]
    start, stop = _frames(foot, span.start, span.stop)
    if np.sum(found[:, 1] - found[:, 0]) < max(_STILL_SHARE * (stop - start), 1):
        return None
    return Still(int(found[0, 0]), int(found[-1, 1]))


def _landing(foot: Foot, span: Span, stills: Stills) -> float:
    """The start of a contact: where the foot stops at once, if it does."""
    points = [(still.first - 0.5, still.first, point) for point, still in enumerate(stills) if still is not None]
    if not points:
        return span.start
    moment, first, point = min(points)
    rolls = first
    while rolls > 0 and foot.steps[rolls - 1, _HEEL] < _PIVOT_SHARE * foot.steps[rolls - 1, _BALL]:
        rolls -= 1
    if rolls < first:
        moment, first, point = rolls - 0.25, rolls, _HEEL
    if first == 0:
        return -np.inf
    before = foot.steps[max(first - _window(foot), 0) : first, point]
    at_once = np.max(before) >= _AT_ONCE_SHARE * span.peak_before
    return moment if at_once and _near(foot, moment, span.start) else span.start


def _leaving(foot: Foot, span: Span, stills: Stills) -> float:
    """The end of a contact: where the foot leaves at once, if it does."""
    points = [(still.last, point) for point, still in enumerate(stills) if still is not None]
    if not points:
        return span.stop
    last, point = max(points)
    if last == len(foot.steps):
        return np.inf
    if foot.ends_in_its_ball:  # it rolls on over toes that nobody sees
        return span.stop
    after = foot.steps[last : last + _window(foot), point]
    at_once = np.max(after) >= _AT_ONCE_SHARE * span.peak_after
    return last + 0.5 if at_once and _near(foot, last + 0.5, span.stop) else span.stop


def _window(foot: Foot) -> int:
    """Frames: one more than the time, for a foot may stop or leave at the end of the first."""
    return round(_AT_ONCE * foot.fps) + 1


def _first_low(foot: Foot, start: float, stop: float, s: Settings) -> float:
    """When ball or toe first comes down to the floor in a contact; its end where neither ever does."""
    a, b = _frames(foot, start, stop)
    low = np.min(foot.heights[a:b, _BALL:], axis=1) - s.touch_height
    down = np.flatnonzero(low <= 0.0)
    if len(down) == 0 or down[0] == 0:
        return start
    f = int(down[0])
    return a + f - 1 + float(low[f - 1] / (low[f - 1] - low[f]))


def _last_low(foot: Foot, start: float, stop: float, s: Settings) -> float:
    """When the heel last leaves the floor in a contact; its start where the heel never comes down."""
    a, b = _frames(foot, start, stop)
    low = foot.heights[a:b, _HEEL] - s.touch_height
    down = np.flatnonzero(low <= 0.0)
    if len(down) == 0:
        return start
    f = int(down[-1])
    if f == len(low) - 1:
        return stop
    return a + f + float(low[f] / (low[f] - low[f + 1]))


def _frames(foot: Foot, start: float, stop: float) -> tuple[int, int]:
    return _frame(start, len(foot.heights)), _frame(stop, len(foot.heights))


def _frame(moment: float, frames: int) -> int:
    """The first frame at or after a moment."""
    return int(np.ceil(np.clip(moment, 0, frames)))


def frames_and_events(
    rolls: list[list[Roll]], frames: int, fps: float
) -> tuple[BoolArray, BoolArray, tuple[Event, ...]]:
    """Heel and toe contacts ``(F, L)``, and the events of all legs in the order of time."""
    heel = np.zeros((frames, len(rolls)), dtype=bool)
    toe = np.zeros((frames, len(rolls)), dtype=bool)
    events: list[Event] = []
    for leg, contacts in enumerate(rolls):
        for moments in _apart(contacts, frames):
            first = [_frame(moment, frames) for moment in moments]
            heel[first[0] : first[2], leg] = True
            toe[first[1] : first[3], leg] = True
            for kind, moment, frame in zip(EVENT_KINDS, moments, first, strict=True):
                if np.isfinite(moment):
                    events.append(Event(kind, leg, frame, moment / fps))
    events.sort(key=lambda e: (e.time, EVENT_KINDS.index(e.kind)))
    return heel, toe, tuple(events)


def _apart(contacts: list[Roll], frames: int) -> list[Roll]:
    """Contacts that no frame separates are one; those that hold no frame are none."""
    out: list[Roll] = []
    for roll in contacts:
        start, stop = _frame(roll.heel_strike, frames), _frame(roll.toe_off, frames)
        if out and start <= _frame(out[-1].toe_off, frames):
            out[-1] = Roll(out[-1].heel_strike, out[-1].toe_strike, roll.heel_off, roll.toe_off)
        elif start < stop:
            out.append(roll)
    return out
