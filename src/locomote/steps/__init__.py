"""Exact steps: walks whose feet land where they are told, blended from a database of recorded steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade
from locomote.steps._plan import LEFT, RIGHT, FootPlan, check

if TYPE_CHECKING:
    from locomote.steps import building
    from locomote.steps._cells import plan_across
    from locomote.steps._database import StepDatabase
    from locomote.steps._detecting import plan_from_motion
    from locomote.steps._paths import plan_along
    from locomote.steps._reading import plan_of_rows, read_plan, read_stones, write_plan
    from locomote.steps._stepper import Stepper
    from locomote.steps._stones import plan_over_stones
    from locomote.steps._walking import Options, Walk, trace, walk

__all__ = [
    "LEFT",
    "RIGHT",
    "FootPlan",
    "Options",
    "StepDatabase",
    "Stepper",
    "Walk",
    "building",
    "check",
    "plan_across",
    "plan_along",
    "plan_from_motion",
    "plan_of_rows",
    "plan_over_stones",
    "read_plan",
    "read_stones",
    "trace",
    "walk",
    "write_plan",
]

# Planners need SciPy and walks the walking model: all are imported on first use.
__getattr__, __dir__ = facade(
    __name__,
    {
        "Options": "_walking",
        "StepDatabase": "_database",
        "Stepper": "_stepper",
        "Walk": "_walking",
        "plan_across": "_cells",
        "plan_along": "_paths",
        "plan_from_motion": "_detecting",
        "plan_of_rows": "_reading",
        "plan_over_stones": "_stones",
        "read_plan": "_reading",
        "read_stones": "_reading",
        "trace": "_walking",
        "walk": "_walking",
        "write_plan": "_reading",
        "building": "",
    },
    ("LEFT", "RIGHT", "FootPlan", "check"),
)
