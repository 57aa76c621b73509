"""Creatures with any number of legs: what they are made of, and how they move with no recorded motion."""

from __future__ import annotations

from locomote.creatures.builtin import NAMES
from locomote.creatures.creature import Creature
from locomote.creatures.crowd import Crowd
from locomote.creatures.gaits import Gait, GaitSet
from locomote.creatures.morphology import Leg, LegLimits, Morphology, default_limits
from locomote.creatures.tuning import Fitness, Tuned, fitness_of, tune_gait
from locomote.creatures.watching import Figures, Watch

__all__ = [
    "NAMES",
    "Creature",
    "Crowd",
    "Figures",
    "Fitness",
    "Gait",
    "GaitSet",
    "Leg",
    "LegLimits",
    "Morphology",
    "Tuned",
    "Watch",
    "default_limits",
    "fitness_of",
    "tune_gait",
]
