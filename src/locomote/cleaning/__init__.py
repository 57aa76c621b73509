"""Feet that stand still on the floor: planting the feet of a finished motion."""

from locomote.cleaning._clean import Cleaned, clean

__all__ = ["Cleaned", "clean"]
