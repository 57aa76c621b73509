"""From recorded clips to a database of steps: cut, cleaned, thinned out and judged."""

from locomote.steps.building._analysis import Analysis, analyse
from locomote.steps.building._build import Built, StepClip, build_steps
from locomote.steps.building._report import report, step_map

__all__ = ["Analysis", "Built", "StepClip", "analyse", "build_steps", "report", "step_map"]
