"""Pendulums: tails, ears and antennae that swing behind a body, and bodies that take a hit and recover."""

from __future__ import annotations

from locomote.pendulums.reactions import Hit, follow, overlay, reacting
from locomote.pendulums.springs import Spring
from locomote.pendulums.state import Pendulums
from locomote.pendulums.tree import Tree

__all__ = ["Hit", "Pendulums", "Spring", "Tree", "follow", "overlay", "reacting"]
