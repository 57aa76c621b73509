"""Motion from film, meshes and markers: gaits from video, marker solving, cages, fitted bodies, a stage for truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.capture import bodies, cages, markers, stage, video
    from locomote.capture._cameras import camera_at, camera_ring

__all__ = ["bodies", "cages", "camera_at", "camera_ring", "markers", "stage", "video"]

__getattr__, __dir__ = facade(
    __name__,
    {
        **dict.fromkeys(("camera_at", "camera_ring"), "_cameras"),
        **dict.fromkeys(("bodies", "cages", "markers", "stage", "video"), ""),
    },
)
