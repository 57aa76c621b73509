"""Exact steps: walks whose feet land where they are told, blended from a database of recorded steps."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from locomote.steps.plan import LEFT, RIGHT, FootPlan, check

if TYPE_CHECKING:
    from locomote.steps.cells import plan_across
    from locomote.steps.database import StepDatabase
    from locomote.steps.detecting import plan_from_motion
    from locomote.steps.paths import plan_along
    from locomote.steps.reading import plan_of_rows, read_plan, read_stones, write_plan
    from locomote.steps.stepper import Stepper
    from locomote.steps.stones import plan_over_stones
    from locomote.steps.walking import Options, Walk, trace, walk

__all__ = [
    "LEFT",
    "RIGHT",
    "FootPlan",
    "Options",
    "StepDatabase",
    "Stepper",
    "Walk",
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

# Where each public name lives. They are imported on first use: planners need SciPy, walks need the walking model.
_HOMES = {
    "Options": "walking",
    "StepDatabase": "database",
    "Stepper": "stepper",
    "Walk": "walking",
    "plan_across": "cells",
    "plan_along": "paths",
    "plan_from_motion": "detecting",
    "plan_of_rows": "reading",
    "plan_over_stones": "stones",
    "read_plan": "reading",
    "read_stones": "reading",
    "trace": "walking",
    "walk": "walking",
    "write_plan": "reading",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"locomote.steps.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
