"""Pendulums: tails, ears and antennae that swing behind a body, bodies that take a hit and recover, hanging cloth."""

from __future__ import annotations

from locomote.pendulums._cloth import Cloth
from locomote.pendulums._collisions import push_out
from locomote.pendulums._joints import SwingingJoints
from locomote.pendulums._pd import PD
from locomote.pendulums._reactions import Hit, follow, overlay, reacting
from locomote.pendulums._springs import Spring
from locomote.pendulums._state import Pendulums
from locomote.pendulums._tree import Tree

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
