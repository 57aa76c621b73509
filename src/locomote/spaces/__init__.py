"""Spaces of poses: statistics of rotations, bodies that reach as recorded ones do, clips packed by what they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.spaces._compression import Loss, compression_loss, fit_basis
    from locomote.spaces._handles import Handle
    from locomote.spaces._library import Library, LibraryClip
    from locomote.spaces._pose_space import PoseSpace
    from locomote.spaces._quality import Quality, quality
    from locomote.spaces._reaching import Reach, Reached
    from locomote.spaces._segments import SegmentedSpace
    from locomote.spaces._statistics import Variance
    from locomote.spaces._tracks import Tracks
    from locomote.spaces.posing._database import PoseDatabase
    from locomote.spaces.posing._editing import Drag, edit, pose_space
    from locomote.spaces.posing._latent import LatentModel
    from locomote.spaces.posing._latent_poser import LatentPoser
    from locomote.spaces.posing._poser import Posed, Poser

__all__ = [
    "Drag",
    "Handle",
    "LatentModel",
    "LatentPoser",
    "Library",
    "LibraryClip",
    "Loss",
    "PoseDatabase",
    "PoseSpace",
    "Posed",
    "Poser",
    "Quality",
    "Reach",
    "Reached",
    "SegmentedSpace",
    "Tracks",
    "Variance",
    "compression_loss",
    "edit",
    "fit_basis",
    "pose_space",
    "quality",
]

__getattr__, __dir__ = facade(
    __name__,
    {
        "Drag": "posing._editing",
        "Handle": "_handles",
        "LatentModel": "posing._latent",
        "LatentPoser": "posing._latent_poser",
        "Library": "_library",
        "LibraryClip": "_library",
        "Loss": "_compression",
        "PoseDatabase": "posing._database",
        "PoseSpace": "_pose_space",
        "Posed": "posing._poser",
        "Poser": "posing._poser",
        "Quality": "_quality",
        "Reach": "_reaching",
        "Reached": "_reaching",
        "SegmentedSpace": "_segments",
        "Tracks": "_tracks",
        "Variance": "_statistics",
        "compression_loss": "_compression",
        "edit": "posing._editing",
        "fit_basis": "_compression",
        "pose_space": "posing._editing",
        "quality": "_quality",
    },
)
