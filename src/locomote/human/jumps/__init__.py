"""Jumps of people: units cut from recorded clips, and the small model that a crowd jumps by."""

from locomote.human.jumps.fit import fit_jumps
from locomote.human.jumps.model import JumpKind, JumpModel
from locomote.human.jumps.units import JumpUnit

__all__ = ["JumpKind", "JumpModel", "JumpUnit", "fit_jumps"]
