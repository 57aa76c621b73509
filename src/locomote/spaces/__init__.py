"""Learned spaces of poses: statistics of rotations, and bodies that reach for handles in the way they were recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.spaces._pose_space import PoseSpace
    from locomote.spaces._statistics import Variance

__all__ = ["PoseSpace", "Variance"]

__getattr__, __dir__ = facade(__name__, {"PoseSpace": "_pose_space", "Variance": "_statistics"})
