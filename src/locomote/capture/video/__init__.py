"""Gaits from film: silhouettes, their rhythm, the frames to pose, and a gait that plays on any animal on four legs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.capture.video._components import ImageComponents, image_components
    from locomote.capture.video._cycles import METHODS, PoseCycle
    from locomote.capture.video._entry import VideoGait
    from locomote.capture.video._feet import Steps, measure_steps
    from locomote.capture.video._films import Film, read_film, read_masks
    from locomote.capture.video._keys import best_conditioned, choose_keys, condition, partners
    from locomote.capture.video._poses import read_poses
    from locomote.capture.video._rhythm import Rhythm, watch
    from locomote.capture.video._segmentation import segment
    from locomote.capture.video._sheet import sheet
    from locomote.capture.video._strokes import stroke_masks
    from locomote.capture.video._usability import Usability, usability
    from locomote.capture.video._weights import KeyWeights, gaussian_weights
    from locomote.capture.video._windows import Windows, cut_out

_WHERE = {
    "METHODS": "_cycles",
    "Film": "_films",
    "ImageComponents": "_components",
    "KeyWeights": "_weights",
    "PoseCycle": "_cycles",
    "Rhythm": "_rhythm",
    "Steps": "_feet",
    "Usability": "_usability",
    "VideoGait": "_entry",
    "Windows": "_windows",
    "best_conditioned": "_keys",
    "choose_keys": "_keys",
    "condition": "_keys",
    "cut_out": "_windows",
    "gaussian_weights": "_weights",
    "image_components": "_components",
    "measure_steps": "_feet",
    "partners": "_keys",
    "read_film": "_films",
    "read_masks": "_films",
    "read_poses": "_poses",
    "segment": "_segmentation",
    "sheet": "_sheet",
    "stroke_masks": "_strokes",
    "usability": "_usability",
    "watch": "_rhythm",
}

__all__ = [
    "METHODS",
    "Film",
    "ImageComponents",
    "KeyWeights",
    "PoseCycle",
    "Rhythm",
    "Steps",
    "Usability",
    "VideoGait",
    "Windows",
    "best_conditioned",
    "choose_keys",
    "condition",
    "cut_out",
    "gaussian_weights",
    "image_components",
    "measure_steps",
    "partners",
    "read_film",
    "read_masks",
    "read_poses",
    "segment",
    "sheet",
    "stroke_masks",
    "usability",
    "watch",
]

__getattr__, __dir__ = facade(__name__, _WHERE)
