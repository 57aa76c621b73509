"""Skeletons from markers: marker sets, calibration, springs, gaps, cameras, posture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.capture.markers._calibration import Calibrated, attach, calibrate
    from locomote.capture.markers._gaps import Gap
    from locomote.capture.markers._posture import Posture, posture, write_posture
    from locomote.capture.markers._solving import Solved, Solver, Springs, solve
    from locomote.capture.markers._subject import Subject, human, of_creature, subject
    from locomote.capture.markers._tables import Attached, MarkerTable, Spot, place_markers, table_for

__all__ = [
    "Attached",
    "Calibrated",
    "Gap",
    "MarkerTable",
    "Posture",
    "Solved",
    "Solver",
    "Spot",
    "Springs",
    "Subject",
    "attach",
    "calibrate",
    "human",
    "of_creature",
    "place_markers",
    "posture",
    "solve",
    "subject",
    "table_for",
    "write_posture",
]

__getattr__, __dir__ = facade(
    __name__,
    {
        **dict.fromkeys(("Calibrated", "attach", "calibrate"), "_calibration"),
        "Gap": "_gaps",
        **dict.fromkeys(("Posture", "posture", "write_posture"), "_posture"),
        **dict.fromkeys(("Solved", "Solver", "Springs", "solve"), "_solving"),
        **dict.fromkeys(("Subject", "human", "of_creature", "subject"), "_subject"),
        **dict.fromkeys(("Attached", "MarkerTable", "Spot", "place_markers", "table_for"), "_tables"),
    },
)
