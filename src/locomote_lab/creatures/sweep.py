"""Creatures looked at frame by frame, as people are: steadily on, as they change and stop, on stairs and crates.

Speeds are in units of the root of gravity times hip height, so that all are asked for the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.creatures import Creature
from locomote.measures.body import RATE
from locomote_lab.creatures.takes import Take, crates_for, stairs_for, take

STEADY = (0.25, 0.5, 0.9, 1.4, 2.0)  # of sqrt(gravity * hip height): walks, trots, gallops; a wolf at 5.3 m/s
SLOW, FAST = 0.4, 1.4  # the same, between which it changes
SETTLED = 1.0  # s after which a creature is looked at
SECONDS = 5.0
CROSSING = 9.0  # s on stairs and among crates
JOLT = 3.0  # % of the leg, second difference of trunk and head in a frame
JUMP = 5.0  # % of the leg that a foot goes further in a frame than twice in those beside it
LEAST_HEIGHT = 0.88  # of the root of one that goes on steadily, as it changes its speed
HARDEST = 12.0  # m/s2 along its way, as it starts and stops
ROLL, ROLL_RATE = 20.0, 120.0  # deg and deg/s on crates
ROUGH = 3.0  # times the acceleration on level ground that it may have on stairs
CALM = 2.0  # m/s2: who has less on level ground is measured against this

CHANGES = {0.0: SLOW, 2.0: FAST, 5.0: 0.0}  # s: slow, fast, a stop
STEPWISE = {0.0: SLOW, 2.0: 0.9, 4.0: FAST, 6.0: 0.9, 8.0: SLOW}  # s: from gait to gait and back


class Finding(NamedTuple):
    """One figure of a scene, and what it should be."""

    creature: str
    scene: str
    what: str
    value: float
    limit: float
    least: bool = False  # the limit is the least, not the most

    def holds(self) -> bool:
        """Whether the figure is within its limit."""
        return self.value >= self.limit if self.least else self.value <= self.limit

    def told(self) -> str:
        """In words."""
        return f"{self.creature}, {self.scene}: {self.what} {self.value:.2f}, limit {self.limit:.2f}"


def faults(findings: list[Finding]) -> list[str]:
    """What the eye would see, in words; nothing if all is well."""
    return [finding.told() for finding in findings if not finding.holds()]


def judge_steady(creature: Creature, seed: int) -> list[Finding]:
    """A creature at steady speeds on level ground.

    Parameters
    ----------
    creature : of any kind
    seed : of its crowd
    """
    out = []
    for share in STEADY:
        seen = take(creature, {0.0: share}, SETTLED + SECONDS, seed).after(SETTLED)
        out += _events(creature, f"steady {share:g}", seen)
    return out


def judge_changes(creature: Creature, seed: int) -> list[Finding]:
    """A creature that goes slowly, then fast, then stops; and one that goes from gait to gait and back.

    Parameters
    ----------
    creature, seed : as for `judge_steady`
    """
    out = []
    for scene, speeds, seconds in (("changes", CHANGES, 8.0), ("gait to gait", STEPWISE, 10.0)):
        seen = take(creature, speeds, seconds, seed).after(SETTLED)
        heights = seen.heights()
        usual = float(np.median(heights[: round(RATE)]))
        out += _events(creature, scene, seen)
        out.append(Finding(creature.name, scene, "height", float(heights.min()) / usual, LEAST_HEIGHT, least=True))
        out.append(Finding(creature.name, scene, "push", seen.push(), HARDEST))
    return out


def judge_stairs(creature: Creature, seed: int) -> list[Finding]:
    """A creature on stairs, against itself on level ground.

    Parameters
    ----------
    creature, seed : as for `judge_steady`
    """
    level = take(creature, {0.0: SLOW}, SETTLED + SECONDS, seed).after(SETTLED)
    seen = take(creature, {0.0: SLOW}, CROSSING, seed, stairs_for(creature)).after(SETTLED)
    ratio = seen.acceleration() / max(level.acceleration(), CALM)
    return [*_events(creature, "stairs", seen), Finding(creature.name, "stairs", "acceleration", ratio, ROUGH)]


def judge_crates(creature: Creature, seed: int) -> list[Finding]:
    """A creature among crates up to a third of the height of its hips.

    Parameters
    ----------
    creature, seed : as for `judge_steady`
    """
    seen = take(creature, {0.0: SLOW}, CROSSING, seed, None, crates_for(creature, seed)).after(SETTLED)
    return [
        *_events(creature, "crates", seen),
        Finding(creature.name, "crates", "roll", seen.roll(), ROLL),
        Finding(creature.name, "crates", "roll rate", seen.roll_rate(), ROLL_RATE),
    ]


def _events(creature: Creature, scene: str, seen: Take) -> list[Finding]:
    """What may not happen in single frames, whatever the scene."""
    figures = {"trunk jolt": (seen.trunk_jolt(), JOLT), "head jolt": (seen.head_jolt(), JOLT)}
    figures["foot jump"] = (seen.foot_jump(), JUMP)
    return [Finding(creature.name, scene, what, *figure) for what, figure in figures.items()]
