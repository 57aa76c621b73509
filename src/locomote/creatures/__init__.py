"""Creatures with any number of legs: what they are made of, and how they move with no recorded motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.creatures import mesh
    from locomote.creatures._behaviours import BEHAVIOURS, Behaving, Behaviour
    from locomote.creatures._creature import Creature
    from locomote.creatures._crowd import Crowd
    from locomote.creatures._gaits import Gait, GaitSet
    from locomote.creatures._metrics import CrowdFigures, Watch
    from locomote.creatures._morphology import CreatureLeg, LegLimits, Morphology, default_limits
    from locomote.creatures._recording import record_all, record_together
    from locomote.creatures._tuning import Fitness, Tuned, fitness_of, tune_gait
    from locomote.creatures.catalogue import NAMES

__all__ = [
    "BEHAVIOURS",
    "NAMES",
    "Behaving",
    "Behaviour",
    "Creature",
    "CreatureLeg",
    "Crowd",
    "CrowdFigures",
    "Fitness",
    "Gait",
    "GaitSet",
    "LegLimits",
    "Morphology",
    "Tuned",
    "Watch",
    "default_limits",
    "fitness_of",
    "mesh",
    "record_all",
    "record_together",
    "tune_gait",
]

__getattr__, __dir__ = facade(
    __name__,
    {
        **dict.fromkeys(("BEHAVIOURS", "Behaving", "Behaviour"), "_behaviours"),
        "NAMES": "catalogue",
        "Creature": "_creature",
        "CreatureLeg": "_morphology",
        "Crowd": "_crowd",
        "CrowdFigures": "_metrics",
        "Fitness": "_tuning",
        "Gait": "_gaits",
        "GaitSet": "_gaits",
        "LegLimits": "_morphology",
        "Morphology": "_morphology",
        "Tuned": "_tuning",
        "Watch": "_metrics",
        "default_limits": "_morphology",
        "fitness_of": "_tuning",
        "mesh": "",
        "record_all": "_recording",
        "record_together": "_recording",
        "tune_gait": "_tuning",
    },
    renamed={"Figures": "CrowdFigures", "Leg": "CreatureLeg"},
)
