"""A stage with known truth: silhouettes, films and surfaces of any of our bodies, for all that captures motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.capture.stage._figures import dressed
    from locomote.capture.stage._filming import Look, cameras_beside, film
    from locomote.capture.stage._markers import Placed, marked_vertices, markers, vertex_markers
    from locomote.capture.stage._rigs import CaptureRig, Footage, Hull
    from locomote.capture.stage._silhouettes import silhouettes
    from locomote.capture.stage._surfaces import Surface, meshes

__all__ = [
    "CaptureRig",
    "Footage",
    "Hull",
    "Look",
    "Placed",
    "Surface",
    "cameras_beside",
    "dressed",
    "film",
    "marked_vertices",
    "markers",
    "meshes",
    "silhouettes",
    "vertex_markers",
]

__getattr__, __dir__ = facade(
    __name__,
    {
        **dict.fromkeys(("Look", "cameras_beside", "film"), "_filming"),
        "dressed": "_figures",
        **dict.fromkeys(("Placed", "marked_vertices", "markers", "vertex_markers"), "_markers"),
        **dict.fromkeys(("CaptureRig", "Footage", "Hull"), "_rigs"),
        "silhouettes": "_silhouettes",
        **dict.fromkeys(("Surface", "meshes"), "_surfaces"),
    },
)
