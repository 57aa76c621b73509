"""Feet that stand still on the floor: planting the feet of a finished motion, or of one that is played."""

from locomote.cleaning._clean import Cleaned, clean
from locomote.cleaning._live import LiveFeet

__all__ = ["Cleaned", "LiveFeet", "clean"]
