"""Creatures with any number of legs: what they are made of, and how they move with no recorded motion."""

from __future__ import annotations

from locomote.creatures.morphology import Leg, LegLimits, Morphology, default_limits

__all__ = ["Leg", "LegLimits", "Morphology", "default_limits"]
