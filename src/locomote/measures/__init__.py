"""Numbers that say how good a motion is: sliding, floating, popping feet and limbs, the gait, and how a body moves."""

from locomote.measures.compare import compare, motion_distance
from locomote.measures.recorded import Range, recorded_range
from locomote.measures.report import FIGURES, Measures, measure

__all__ = ["FIGURES", "Measures", "Range", "compare", "measure", "motion_distance", "recorded_range"]
