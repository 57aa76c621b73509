"""Numbers that say how good a motion is: sliding, floating, popping feet and limbs, and the gait itself."""

from locomote.measures.compare import compare, motion_distance
from locomote.measures.report import FIGURES, Measures, measure

__all__ = ["FIGURES", "Measures", "compare", "measure", "motion_distance"]
