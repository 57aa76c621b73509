"""Faces of people in a stream: blend shapes at rest, and eyes that blink now and then.

Names are the presets of VRM 0, which receivers know; letters count as they are written.
"""

from __future__ import annotations

import random

REST = (
    "Neutral", "A", "I", "U", "E", "O", "Joy", "Angry", "Sorrow", "Fun",
    "LookUp", "LookDown", "LookLeft", "LookRight", "Blink_L", "Blink_R",
)  # fmt: skip
BLINK = "Blink"
EVERY = 4.0  # s: eyes blink once in each stretch of so long
LASTS = 0.18  # s


def blink(time: float, who: int) -> float:
    """How far the eyes of a person are closed at a time, seconds: 0 to 1."""
    stretch = int(time // EVERY)
    # Drawn anew for each person and stretch, so that it depends on the time alone.
    begins = random.Random(f"{who} {stretch}").uniform(0.0, EVERY - LASTS)
    share = (time - EVERY * stretch - begins) / LASTS
    return max(0.0, 1.0 - abs(2.0 * share - 1.0))


def face(time: float, who: int) -> dict[str, float]:
    """All blend shapes of a person at a time, seconds: name and value, 0 to 1."""
    return {**dict.fromkeys(REST, 0.0), BLINK: blink(time, who)}
