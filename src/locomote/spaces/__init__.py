"""Learned spaces of poses: statistics of rotations, and bodies that reach for handles in the way they were recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.spaces._handles import Handle
    from locomote.spaces._pose_space import PoseSpace
    from locomote.spaces._reaching import Reach, Reached
    from locomote.spaces._statistics import Variance

__all__ = ["Handle", "PoseSpace", "Reach", "Reached", "Variance"]

__getattr__, __dir__ = facade(
    __name__,
    {
        "Handle": "_handles",
        "PoseSpace": "_pose_space",
        "Reach": "_reaching",
        "Reached": "_reaching",
        "Variance": "_statistics",
    },
)
