"""Jumps of people: the small model that a crowd jumps by, fitted to recorded clips, and run-ups to a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade
from locomote.human.jumps._model import JumpKind, JumpModel
from locomote.human.jumps._units import JumpUnit

if TYPE_CHECKING:
    from locomote.human.fitting import fit_jumps
    from locomote.human.jumps._runup import plan_runup, plan_runups

__all__ = ["JumpKind", "JumpModel", "JumpUnit", "fit_jumps", "plan_runup", "plan_runups"]

__getattr__, __dir__ = facade(
    __name__,
    {"fit_jumps": "locomote.human.fitting", "plan_runup": "_runup", "plan_runups": "_runup"},
    ("JumpKind", "JumpModel", "JumpUnit"),
)
