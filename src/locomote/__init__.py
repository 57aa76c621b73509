"""Legged motion: read it from any rig, measure it honestly, draw it, put it on another body.

>>> import locomote as lm
>>> walk = lm.samples.performer(speed=1.4).motion
>>> round(lm.measure(walk).speed, 1)
1.4
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError as _PackageNotFoundError
from importlib.metadata import version as _version
from typing import TYPE_CHECKING

from locomote._lazy import facade
from locomote.errors import FormatError, LocomoteError, MissingExtra, SkeletonError

if TYPE_CHECKING:
    from locomote import (
        batch,
        capture,
        clips,
        contacts,
        creatures,
        draw,
        formats,
        human,
        ik,
        modal,
        pendulums,
        physics,
        rotations,
        samples,
        spaces,
        steps,
        stream,
        world,
    )
    from locomote.body import Body
    from locomote.cleaning import Cleaned, clean
    from locomote.formats import load, save
    from locomote.masses import Masses
    from locomote.measures import Measures, measure
    from locomote.motion import Motion, Poses
    from locomote.quick import creature, jump, walk
    from locomote.retargeting import retarget
    from locomote.skeleton import Arm, Leg, Roles, Skeleton

try:
    __version__ = _version("locomote")
except _PackageNotFoundError:  # run from a folder of sources
    __version__ = "0"

__all__ = [
    "Arm",
    "Body",
    "Cleaned",
    "FormatError",
    "Leg",
    "LocomoteError",
    "Masses",
    "Measures",
    "MissingExtra",
    "Motion",
    "Poses",
    "Roles",
    "Skeleton",
    "SkeletonError",
    "batch",
    "capture",
    "clean",
    "clips",
    "contacts",
    "creature",
    "creatures",
    "draw",
    "formats",
    "human",
    "ik",
    "jump",
    "load",
    "measure",
    "modal",
    "pendulums",
    "physics",
    "retarget",
    "rotations",
    "samples",
    "save",
    "spaces",
    "steps",
    "stream",
    "walk",
    "world",
]

# All are imported on first use, so that `import locomote` costs next to nothing.
__getattr__, __dir__ = facade(
    __name__,
    {
        "Arm": "skeleton",
        "Body": "body",
        "Cleaned": "cleaning",
        "Leg": "skeleton",
        "Masses": "masses",
        "Measures": "measures",
        "Motion": "motion",
        "Poses": "motion",
        "Roles": "skeleton",
        "Skeleton": "skeleton",
        "clean": "cleaning",
        "creature": "quick",
        "jump": "quick",
        "load": "formats",
        "measure": "measures",
        "retarget": "retargeting",
        "save": "formats",
        "walk": "quick",
        **dict.fromkeys(
            ("batch", "capture", "clips", "contacts", "creatures", "draw", "formats", "human", "ik", "modal"), ""
        ),
        **dict.fromkeys(("pendulums", "physics", "rotations", "samples", "spaces", "steps", "stream", "world"), ""),
    },
    ("FormatError", "LocomoteError", "MissingExtra", "SkeletonError", "__version__"),
)
