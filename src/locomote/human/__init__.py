"""People who walk and run: a model fitted to recorded clips, and crowds that move by it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from locomote.human.corpus import Corpus
from locomote.human.fit import FitResult, fit  # at once: the module must not hide the function of its name
from locomote.human.model import HumanModel
from locomote.human.performers import add_style

if TYPE_CHECKING:
    from locomote.human import jumps
    from locomote.human.crowd import Crowd
    from locomote.human.runup import plan_runup, plan_runups

__all__ = [
    "Corpus",
    "Crowd",
    "FitResult",
    "HumanModel",
    "add_style",
    "fit",
    "jumps",
    "plan_runup",
    "plan_runups",
]

_HOMES = {
    "Crowd": "locomote.human.crowd",
    "plan_runup": "locomote.human.runup",
    "plan_runups": "locomote.human.runup",
}


def __getattr__(name: str) -> Any:
    if name == "jumps":
        return importlib.import_module("locomote.human.jumps")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
