"""Bodies in cages of oriented quads: followed through visual hulls or unrelated meshes, read out as motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.capture.cages._analysis import Errors, GaitCurves, errors_of, gait_curves
    from locomote.capture.cages._camera_files import load_cameras, save_cameras
    from locomote.capture.cages._green import Binding, bind
    from locomote.capture.cages._prior import PosePrior
    from locomote.capture.cages._reading import joints_of, motion_of
    from locomote.capture.cages._rig import BoundPoints, CageRig, Quads
    from locomote.capture.cages._settings import Settings
    from locomote.capture.cages._targets import Hulls, Meshes
    from locomote.capture.cages._tracking import Track, Tracker

_HOMES = {
    **dict.fromkeys(("Errors", "GaitCurves", "errors_of", "gait_curves"), "_analysis"),
    **dict.fromkeys(("load_cameras", "save_cameras"), "_camera_files"),
    **dict.fromkeys(("Binding", "bind"), "_green"),
    "PosePrior": "_prior",
    **dict.fromkeys(("joints_of", "motion_of"), "_reading"),
    **dict.fromkeys(("BoundPoints", "CageRig", "Quads"), "_rig"),
    "Settings": "_settings",
    **dict.fromkeys(("Hulls", "Meshes"), "_targets"),
    **dict.fromkeys(("Track", "Tracker"), "_tracking"),
}

__all__ = [
    "Binding",
    "BoundPoints",
    "CageRig",
    "Errors",
    "GaitCurves",
    "Hulls",
    "Meshes",
    "PosePrior",
    "Quads",
    "Settings",
    "Track",
    "Tracker",
    "bind",
    "errors_of",
    "gait_curves",
    "joints_of",
    "load_cameras",
    "motion_of",
    "save_cameras",
]

__getattr__, __dir__ = facade(__name__, _HOMES)
