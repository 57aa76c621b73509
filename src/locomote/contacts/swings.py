"""The contacts of one foot: sure cores first, then their exact beginning and end.

All lengths and speeds here are already scaled to an adult's (see `settings`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from locomote.contacts.records import runs
from locomote.contacts.settings import Settings
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

_NEARBY = 0.6  # s; how far the fastest speed of a foot is looked for on either side
_STILL_SPEED = 0.001  # m/s from frame to frame
_STILL_TIME = 0.03  # s
_SLOWEST = 1e-6  # m/s; keeps a foot that hangs motionless in the air from dividing by zero
_BALL = 1

# Whether a foot that comes or goes at a frame does so in flight, given the peak speed of its swing.
InFlight = Callable[[float, float], bool]
Margin = Callable[[slice], FloatArray]


class Span(NamedTuple):
    """One contact, in frames with fractions; infinite on a side that the clip cuts."""

    start: float
    stop: float
    peak_before: float  # m/s, of the swings on either side
    peak_after: float


@dataclass(frozen=True, eq=False)
class Foot:
    """One foot over time."""

    heights: FloatArray  # (F, 3) heel, ball, toe
    speeds: FloatArray  # (F, 3) smoothed
    steps: FloatArray  # (F - 1, 3) speeds from frame to frame
    rates: FloatArray  # (F,) rad/s at which the heel turns up about the ball, smoothed; 0 where there is no heel
    fps: float  # frames a (scaled) second

    @cached_property
    def still(self) -> tuple[IntArray, ...]:
        """Stretches ``(K, 2)`` of steps from frame to frame in which heel, ball and toe do not move at all."""
        found = [runs(self.steps[:, point] < _STILL_SPEED) for point in range(3)]
        return tuple(each[each[:, 1] - each[:, 0] >= _STILL_TIME * self.fps] for each in found)

    @cached_property
    def ends_in_its_ball(self) -> bool:
        """Whether the foot has a heel, but no toes beyond its ball."""
        heel, ball, toe = self.steps.T
        return np.array_equal(ball, toe) and not np.array_equal(heel, ball)

    def cores(self, s: Settings) -> list[tuple[int, int]]:
        """Stretches ``[start, stop)`` in which the foot surely stands; joined where no swing lies between."""
        from scipy.ndimage import maximum_filter1d

        ball = self.speeds[:, _BALL]
        fastest = maximum_filter1d(ball, 2 * round(_NEARBY * self.fps) + 1, mode="nearest")
        slow = self.speeds < np.maximum(s.core_speed, s.core_share * fastest)[:, None]
        stands = np.any(slow & (self.heights < s.core_height), axis=1)
        least = min(max(1, round(s.core_time * self.fps)), len(ball))
        found: list[tuple[int, int]] = []
        for start, stop in runs(stands):
            if stop - start < least:
                continue
            close = found and start - found[-1][1] < s.least_swing * self.fps
            if found and (close or self._rolls(found[-1][1], int(start), fastest, s)):
                found[-1] = (found[-1][0], int(stop))
            else:
                found.append((int(start), int(stop)))
        # The clip may begin or end while the foot rolls, too.
        if found and self._rolls(0, found[0][0], fastest, s):
            found[0] = (0, found[0][1])
        if found and self._rolls(found[-1][1], len(ball), fastest, s):
            found[-1] = (found[-1][0], len(ball))
        return found

    def _rolls(self, stop: int, start: int, fastest: FloatArray, s: Settings) -> bool:
        """Whether the foot only rolls, as from the heel onto the ball, from frame ``stop`` to ``start``."""
        gap = slice(stop, start)
        slow = self.speeds[gap, _BALL] < np.maximum(s.still_speed, s.still_share * fastest[gap])
        return bool(np.all(slow & (self.heights[gap, _BALL] < s.still_height)))

    def swing_peaks(self, cores: list[tuple[int, int]]) -> tuple[list[int], FloatArray]:
        """The frames of the fastest ball before, between and after the cores, and its speeds there.

        Before the first and after the last core the clip may hide the peak: the typical one of the clip then
        stands in.
        """
        ball = self.speeds[:, _BALL]
        edges = [0, *(edge for core in cores for edge in core), len(ball)]
        gaps = list(zip(edges[::2], edges[1::2], strict=True))
        frames = [a + int(np.argmax(ball[a:b])) if b > a else a for a, b in gaps]
        peaks = np.array([np.max(ball[a:b]) if b > a else 0.0 for a, b in gaps])
        if len(peaks) > 2:
            typical = float(np.median(peaks[1:-1]))
            peaks[[0, -1]] = np.maximum(peaks[[0, -1]], typical)
        return frames, peaks

    def margin(self, frames: slice, limit: float, height: float) -> FloatArray:
        """Positive in those of some frames in which the foot may stand: some low point of it is slow."""
        slow = 1.0 - self.speeds[frames] / max(limit, _SLOWEST)
        out: FloatArray = np.max(np.minimum(slow, 1.0 - self.heights[frames] / height), axis=1)
        return out

    def push_margin(self, frames: slice, limit: float, height: float) -> FloatArray:
        """Positive in those of some frames in which the foot may still push the body into a flight.

        Ball and toe leave nearly together here, and the ball, shaken less, tells the moment better.
        """
        slow = 1.0 - self.speeds[frames, _BALL] / max(limit, _SLOWEST)
        low = np.max(1.0 - self.heights[frames, _BALL:] / height, axis=1)
        out: FloatArray = np.minimum(slow, low)
        return out


def contact_spans(foot: Foot, s: Settings, in_flight: InFlight) -> list[Span]:
    """The contacts of one foot; ``in_flight`` says whether it comes or goes with the other in the air."""
    cores = foot.cores(s)
    peak_frames, peaks = foot.swing_peaks(cores)
    last = len(foot.heights) - 1
    spans: list[Span] = []
    for k, (core_start, core_stop) in enumerate(cores):
        middle = (core_start + core_stop) // 2
        start, stop = -np.inf, np.inf
        if core_start > 0:
            limit = min(s.strike_factor * peaks[k] ** s.strike_power, s.most_strike_share * peaks[k])
            slow = partial(foot.margin, limit=limit, height=s.strike_height)
            start = _beginning(slow, core_start, peak_frames[k], middle)
        if core_stop <= last:
            way = (core_stop - 1, peak_frames[k + 1], middle)
            # No slower than in its core: the law of runs would end a small step while its foot merely sways.
            limit = max(s.run_off_factor * peaks[k + 1] ** s.run_off_power, s.core_speed)
            stop = _end(partial(foot.push_margin, limit=limit, height=s.off_height), *way)
            if not in_flight(stop, peaks[k + 1]):
                stop = _rolled_off(foot, s, peaks[k + 1], *way)
        if stop - start >= s.least_contact * foot.fps:
            spans.append(Span(start, stop, float(peaks[k]), float(peaks[k + 1])))
    return spans


def _beginning(margin: Margin, core: int, peak: int, middle: int) -> float:
    """The (fractional) frame at which a contact begins, between the peak of the swing and the middle of its core."""
    first = max(peak - 1, 0)
    # The same search as for the end, in reversed time.
    return middle - _leaving(margin(slice(first, middle + 1))[::-1], middle - core, middle - peak)


def _end(margin: Margin, core: int, peak: int, middle: int) -> float:
    """The (fractional) frame at which a contact ends, between the middle of its core and the peak of the swing."""
    return middle + _leaving(margin(slice(middle, peak + 2)), core - middle, peak - middle)


def _rolled_off(foot: Foot, s: Settings, swing: float, core: int, peak: int, middle: int) -> float:
    """When a foot leaves that the other one relieves: as it stops to roll over its toes.

    The toes of some gather speed long before they leave, those of others, or of other markers, only then. All
    roll forward until they leave, and no further. A foot that does not roll is told by its speed alone.
    """

    def faster_than(share: float) -> float:
        return _end(partial(foot.margin, limit=share * swing, height=s.off_height), core, peak, middle)

    rates = foot.rates[middle : peak + 1]
    top = int(np.argmax(rates))
    if rates[top] < s.least_roll or swing < s.least_roll_swing:
        return faster_than(s.off_share)
    least = min(s.roll_factor * rates[top] ** s.roll_power, s.most_roll_share * rates[top])
    rolls = _leaving(rates[top:] - least, 0, len(rates) - 1 - top)
    return float(np.clip(middle + top + rolls, faster_than(s.off_shares[0]), faster_than(s.off_shares[1])))


def _leaving(margin: FloatArray, core: int, outward: int) -> float:
    """The (fractional) frame at which ``margin`` turns negative, seen from the edge of a core.

    Forward from ``core``, not past ``outward``; or back where the core itself is too long. Infinite where the clip ends
    first.
    """
    f = core
    while f > 0 and margin[f] <= 0.0:
        f -= 1
    while f < outward and margin[f + 1] > 0.0:
        f += 1
    if f + 1 >= len(margin):
        return np.inf
    return f + float(np.clip(margin[f] / max(margin[f] - margin[f + 1], 1e-12), 0.0, 1.0))
