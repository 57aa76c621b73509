"""From recorded clips to a database of steps: cut, cleaned, thinned out and judged."""

from locomote.steps.building._analysis import Analysis, analyse
from locomote.steps.building._build import Built, StepClip, build_steps, parameters, supporting_frame
from locomote.steps.building._report import report, step_map
from locomote.steps.building._thinning import densify, prune

__all__ = [
    "Analysis",
    "Built",
    "StepClip",
    "analyse",
    "build_steps",
    "densify",
    "parameters",
    "prune",
    "report",
    "step_map",
    "supporting_frame",
]
