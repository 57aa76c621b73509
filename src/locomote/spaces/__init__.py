"""Learned spaces of poses: statistics of rotations, and bodies that reach for handles in the way they were recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.spaces._handles import Handle
    from locomote.spaces._pose_space import PoseSpace
    from locomote.spaces._quality import Quality, quality
    from locomote.spaces._reaching import Reach, Reached
    from locomote.spaces._statistics import Variance
    from locomote.spaces._tracks import Tracks

__all__ = ["Handle", "PoseSpace", "Quality", "Reach", "Reached", "Tracks", "Variance", "quality"]

__getattr__, __dir__ = facade(
    __name__,
    {
        "Handle": "_handles",
        "PoseSpace": "_pose_space",
        "Quality": "_quality",
        "Reach": "_reaching",
        "Reached": "_reaching",
        "Tracks": "_tracks",
        "Variance": "_statistics",
        "quality": "_quality",
    },
)
