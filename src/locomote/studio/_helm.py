"""Steering by keys: every press turns a little further, and a key that is held goes on turning."""

from __future__ import annotations

import math
import time

PRESS = math.radians(20.0)  # rad that one press turns
LEAD = math.radians(50.0)  # rad at most that the heading asked for is ahead of the one that is gone
LASTS = 1.0  # s without a press, after which the next one begins from the present heading


class Helm:
    """Headings that the keys ask for, one for each walker."""

    def __init__(self) -> None:
        self._asked: dict[int, tuple[float, float]] = {}  # heading, and when it was asked for

    def turn(self, who: int, heading: float, presses: int) -> float:
        """The heading (rad) that a walker shall take after so many presses to the left; ``heading`` is its own now."""
        now = time.monotonic()
        asked, when = self._asked.get(who, (heading, now))
        off = math.remainder(asked - heading, math.tau) if now - when < LASTS else 0.0
        made = heading + min(max(off + presses * PRESS, -LEAD), LEAD)
        self._asked[who] = made, now
        return made
