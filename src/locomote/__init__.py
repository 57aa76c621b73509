"""Legged motion: read it from any rig, measure it honestly, draw it, put it on another body.

>>> import locomote as lm
>>> walk = lm.samples.performer(speed=1.4).motion
>>> round(lm.measure(walk).speed, 1)
1.4
"""

from __future__ import annotations

import importlib
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

from locomote.errors import FormatError, LocomoteError, MissingExtra, SkeletonError

if TYPE_CHECKING:
    from locomote import (
        contacts,
        creatures,
        draw,
        formats,
        human,
        pendulums,
        rotations,
        samples,
        steps,
        stream,
        world,
    )
    from locomote.feet import Cleaned, clean
    from locomote.formats import load, save
    from locomote.measures import Measures, measure
    from locomote.motion import Motion, Poses
    from locomote.retargeting import retarget
    from locomote.skeleton import Arm, Leg, Roles, Skeleton

__version__ = _version("locomote")

# Where each public name lives. They are imported on first use, so that `import locomote` costs next to nothing.
_HOMES = {
    "clean": "locomote.feet",
    "Cleaned": "locomote.feet",
    "load": "locomote.formats",
    "save": "locomote.formats",
    "measure": "locomote.measures",
    "Measures": "locomote.measures",
    "Motion": "locomote.motion",
    "Poses": "locomote.motion",
    "retarget": "locomote.retargeting",
    "Skeleton": "locomote.skeleton",
    "Roles": "locomote.skeleton",
    "Leg": "locomote.skeleton",
    "Arm": "locomote.skeleton",
}
_ROOMS = (
    "contacts",
    "creatures",
    "draw",
    "formats",
    "human",
    "pendulums",
    "rotations",
    "samples",
    "steps",
    "stream",
    "world",
)

__all__ = [
    "Arm",
    "Cleaned",
    "FormatError",
    "Leg",
    "LocomoteError",
    "Measures",
    "MissingExtra",
    "Motion",
    "Poses",
    "Roles",
    "Skeleton",
    "SkeletonError",
    "clean",
    "contacts",
    "creatures",
    "draw",
    "formats",
    "human",
    "load",
    "measure",
    "pendulums",
    "retarget",
    "rotations",
    "samples",
    "save",
    "steps",
    "stream",
    "world",
]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"locomote.{name}")
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'locomote' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
