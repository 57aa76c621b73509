"""Pendulums: tails, ears and antennae that swing behind a body, bodies that take a hit and recover, hanging cloth."""

from __future__ import annotations

from locomote.pendulums.cloth import Cloth
from locomote.pendulums.collisions import push_out
from locomote.pendulums.joints import SwingingJoints
from locomote.pendulums.pd import PD
from locomote.pendulums.reactions import Hit, follow, overlay, reacting
from locomote.pendulums.springs import Spring
from locomote.pendulums.state import Pendulums
from locomote.pendulums.tree import Tree

__all__ = [
    "PD",
    "Cloth",
    "Hit",
    "Pendulums",
    "Spring",
    "SwingingJoints",
    "Tree",
    "follow",
    "overlay",
    "push_out",
    "reacting",
]
