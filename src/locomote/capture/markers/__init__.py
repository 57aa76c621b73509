"""Skeletons from markers: marker sets, calibration, springs, gaps, cameras, posture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.capture.markers._calibration import Calibrated, attach, calibrate
    from locomote.capture.markers._gaps import Gap
    from locomote.capture.markers._posture import Posture, posture, write_posture
    from locomote.capture.markers._reduction import Reduced, reduce_bones
    from locomote.capture.markers._solving import Solved, Solver, Springs, solve
    from locomote.capture.markers._subject import Subject, human, of_creature, subject
    from locomote.capture.markers._tables import Attached, MarkerTable, Spot, place_markers, table_for
    from locomote.capture.markers._training import TrainingSet, training_set, write_training
    from locomote.capture.markers._triangulation import Triangulated, Usable, triangulate, usable
    from locomote.capture.markers._views import View, refine_views, view_from_points

__all__ = [
    "Attached",
    "Calibrated",
    "Gap",
    "MarkerTable",
    "Posture",
    "Reduced",
    "Solved",
    "Solver",
    "Spot",
    "Springs",
    "Subject",
    "TrainingSet",
    "Triangulated",
    "Usable",
    "View",
    "attach",
    "calibrate",
    "human",
    "of_creature",
    "place_markers",
    "posture",
    "reduce_bones",
    "refine_views",
    "solve",
    "subject",
    "table_for",
    "training_set",
    "triangulate",
    "usable",
    "view_from_points",
    "write_posture",
    "write_training",
]

__getattr__, __dir__ = facade(
    __name__,
    {
        **dict.fromkeys(("Calibrated", "attach", "calibrate"), "_calibration"),
        "Gap": "_gaps",
        **dict.fromkeys(("Posture", "posture", "write_posture"), "_posture"),
        **dict.fromkeys(("Reduced", "reduce_bones"), "_reduction"),
        **dict.fromkeys(("TrainingSet", "training_set", "write_training"), "_training"),
        **dict.fromkeys(("Solved", "Solver", "Springs", "solve"), "_solving"),
        **dict.fromkeys(("Subject", "human", "of_creature", "subject"), "_subject"),
        **dict.fromkeys(("Attached", "MarkerTable", "Spot", "place_markers", "table_for"), "_tables"),
        **dict.fromkeys(("Triangulated", "Usable", "triangulate", "usable"), "_triangulation"),
        **dict.fromkeys(("View", "refine_views", "view_from_points"), "_views"),
    },
)
