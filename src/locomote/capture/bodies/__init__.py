"""A rigged template fitted to scans of bodies: bones, joints, limits and shapes; followed through meshes that move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.capture._meshes import Mesh, checked_mesh, read_mesh
    from locomote.capture.bodies._carrying import carry
    from locomote.capture.bodies._fit import Fit, fit
    from locomote.capture.bodies._morphology import ShapeModel
    from locomote.capture.bodies._template import Template
    from locomote.capture.bodies._tracking import Track, track

__all__ = ["Fit", "Mesh", "ShapeModel", "Template", "Track", "carry", "checked_mesh", "fit", "read_mesh", "track"]

__getattr__, __dir__ = facade(
    __name__,
    {
        "carry": "_carrying",
        **dict.fromkeys(("Fit", "fit"), "_fit"),
        **dict.fromkeys(("Mesh", "checked_mesh", "read_mesh"), "locomote.capture._meshes"),
        "ShapeModel": "_morphology",
        "Template": "_template",
        **dict.fromkeys(("Track", "track"), "_tracking"),
    },
)
