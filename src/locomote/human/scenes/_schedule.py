"""Values over time, as a person writes them: ``1.4``, or ``0:0,2:1.4,8:3.5`` (time:value, linear in between)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from locomote.errors import LocomoteError

GAITS: Mapping[str, float] = {"walk": 0.0, "run": 1.0}
_SAME_TIME = 1e-6  # s; times that differ less are one
_NO_WORDS: Mapping[str, float] = {}


@dataclass(frozen=True)
class Schedule:
    """Values at times; linear between them, constant before the first and after the last."""

    times: tuple[float, ...]  # s, increasing
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.times or len(self.times) != len(self.values):
            raise LocomoteError(
                f"a schedule of {len(self.times)} times and {len(self.values)} values: expected as many of both"
            )
        if not all(math.isfinite(x) for x in (*self.times, *self.values)):
            raise LocomoteError("a schedule holds a number that is not finite")
        for before, after in pairwise(self.times):
            if after <= before:
                raise LocomoteError(f"a schedule goes from {before:g} s to {after:g} s: times must increase")

    def at(self, time: float) -> float:
        """The value at a time."""
        return float(np.interp(time, self.times, self.values))

    @property
    def end(self) -> float:
        """The time of the last value, seconds."""
        return self.times[-1]

    @property
    def constant(self) -> bool:
        """Whether it never changes."""
        return min(self.values) == max(self.values)


class Ramps:
    """Walks along a schedule and says when a new ramp begins."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._passed = 0  # knots

    def due(self, time: float) -> tuple[float, float] | None:
        """The value to go to and the seconds to do so in, if a ramp has begun since the last call."""
        times = self._schedule.times
        before = self._passed
        while self._passed < len(times) and times[self._passed] <= time + _SAME_TIME:
            self._passed += 1
        if self._passed == before:
            return None
        if self._passed == len(times):
            return self._schedule.values[-1], 0.0
        return self._schedule.values[self._passed], times[self._passed] - time


def parse_schedule(
    text: str,
    what: str,
    low: float,
    high: float,
    *,
    words: Mapping[str, float] = _NO_WORDS,
    angle: bool = False,
) -> Schedule:
    """A schedule from text, such as ``0:0,2:1.4``.

    Parameters
    ----------
    text : a value, or pairs of seconds and value
    what : its name, for errors
    low, high : between which values lie
    words : that may stand for values
    angle : values are rad, or degrees with the suffix ``deg``
    """
    pairs = [part.strip() for part in text.split(",")]
    timed = ":" in text
    times, values = [], []
    for pair in pairs:
        time, colon, value = pair.partition(":")
        if timed and not colon:
            raise LocomoteError(f"{what} {text}: {pair!r} has no time; expected time:value, such as 2:1.4")
        if not timed and len(pairs) > 1:
            raise LocomoteError(f"{what} {text}: several values need times, such as 0:{pairs[0]},5:{pairs[1]}")
        times.append(_number(time, f"{what} {text}") if timed else 0.0)
        values.append(_value(value if timed else pair, f"{what} {text}", low, high, words, angle))
        if times[-1] < 0.0 or (len(times) > 1 and times[-1] <= times[-2]):
            raise LocomoteError(
                f"{what} {text}: the time {times[-1]:g} is out of order; expected increasing times from 0 on"
            )
    return Schedule(tuple(times), tuple(values))


def parse_angle(text: str, what: str) -> float:
    """Radians from ``0.5`` or ``30deg``."""
    plain = text.strip().lower()
    return math.radians(_number(plain[:-3], what)) if plain.endswith("deg") else _number(plain, what)


def parse_place(text: str, what: str) -> tuple[float, float]:
    """A place ``X,Z`` in metres."""
    cells = text.split(",")
    if len(cells) != 2:
        raise LocomoteError(f"{what}: expected X,Z in metres, such as 3,4.5")
    return _number(cells[0], what), _number(cells[1], what)


def parse_mixture(text: str, what: str) -> str | dict[str, float]:
    """A style ``NAME`` or a mixture ``NAME=0.7,OTHER=0.3``."""
    if "=" not in text:
        return text.strip()
    out: dict[str, float] = {}
    for part in text.split(","):
        name, equals, weight = part.partition("=")
        if not equals or not name.strip():
            raise LocomoteError(f"{what} {text}: {part.strip()!r}: expected NAME=WEIGHT")
        if name.strip() in out:
            raise LocomoteError(f"{what} {text}: {name.strip()} is named twice")
        out[name.strip()] = _number(weight, f"{what} {text}")
    return out


def _value(text: str, where: str, low: float, high: float, words: Mapping[str, float], angle: bool) -> float:
    plain = text.strip().lower()
    if plain in words:
        return words[plain]
    value = parse_angle(plain, where) if angle else _number(plain, where, words)
    if not low <= value <= high:
        raise LocomoteError(f"{where}: {value:.4g} is out of range; expected {low:.4g} to {high:.4g}")
    return value


def _number(text: str, where: str, words: Mapping[str, float] = _NO_WORDS) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        offer = "".join(f", {word}" for word in words)
        raise LocomoteError(f"{where}: expected a number{offer} instead of {text.strip()!r}")
    return value
