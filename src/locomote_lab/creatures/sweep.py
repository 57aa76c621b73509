"""Creatures looked at frame by frame, as people are: at steady speeds, and as they speed up and stop.

Speeds are in units of the root of gravity times hip height, so that all are asked for the same.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.creatures import Creature, Crowd, record_all
from locomote.math.constants import GRAVITY
from locomote.measures.body import RATE, BodyEvents, body_events

STEADY = (0.25, 0.5, 0.9, 1.4)  # of sqrt(gravity * hip height): walks, trots, gallops
SLOW, FAST = 0.4, 1.4  # the same, between which it changes
SETTLED = 1.0  # s after which a creature is looked at
SECONDS = 5.0
JOLT = 3.0  # % of the leg, second difference of trunk and head in a frame
LEAST_HEIGHT = 0.88  # of the root of one that goes on steadily, as it changes its speed


class CreatureVerdict(NamedTuple):
    """One creature in one scene."""

    creature: str
    scene: str
    events: BodyEvents
    lowest: float  # height of the root, of that of the steady part

    def faults(self) -> list[str]:
        """What the eye would see, in words; nothing if all is well."""
        jolts = {name: value for name, value in self.events._asdict().items() if name in ("trunk_jolt", "head_jolt")}
        found = [
            f"{self.scene}: {name} {value:.1f} (at most {JOLT:.1f})"
            for name, value in jolts.items()
            if value is not None and value > JOLT
        ]
        if self.lowest < LEAST_HEIGHT:
            found.append(f"{self.scene}: sinks to {self.lowest:.2f} (at least {LEAST_HEIGHT:.2f})")
        return found


def judge_steady(name: str, seed: int) -> list[CreatureVerdict]:
    """A creature at steady speeds on level ground.

    Parameters
    ----------
    name : of a built-in creature
    seed : of its crowd
    """
    out = []
    for share in STEADY:
        crowd = Crowd(name, 1, seed=seed, speed=share * _unit(name))
        motion = record_all(crowd, SETTLED + SECONDS, RATE)[0][round(SETTLED * RATE) :]
        out.append(CreatureVerdict(name, f"steady {share:g}", body_events(motion), 1.0))
    return out


def judge_changes(name: str, seed: int) -> list[CreatureVerdict]:
    """A creature that goes slowly, then fast, then stops.

    Parameters
    ----------
    name, seed : as for `judge_steady`
    """
    crowd = Crowd(name, 1, seed=seed, speed=SLOW * _unit(name))
    moments = {2.0: FAST, 5.0: 0.0}

    def after(time: float) -> None:
        for moment, share in moments.items():
            if abs(time - moment) < 0.5 / RATE:
                crowd.command(speed=share * _unit(name))

    motion = record_all(crowd, 8.0, RATE, None, after)[0][round(SETTLED * RATE) :]
    heights = motion.joint_positions()[:, 0, 1]
    usual = float(np.median(heights[: round(RATE)]))
    return [CreatureVerdict(name, "changes", body_events(motion), float(heights.min()) / usual)]


def _unit(name: str) -> float:
    """The unit of speeds of a creature, m/s."""
    return math.sqrt(GRAVITY * Creature.build(name).morphology.hip_height)
