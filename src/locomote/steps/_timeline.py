"""The common timeline of a step: double stance, swing, double stance, each stretched to a fixed length."""

from __future__ import annotations

INITIAL, SWING, FINAL = 12, 36, 12  # intervals of 1/60 s
SAMPLES = INITIAL + SWING + FINAL + 1
LIFT, LAND = INITIAL, INITIAL + SWING  # samples at which the swinging foot leaves and comes down
FROM, TO = INITIAL // 2, LAND + FINAL // 2  # samples in the middle of the two double stances
