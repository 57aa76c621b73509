"""The clip and the rig that come with the package, and the folder of all files that examples start from."""

from __future__ import annotations

from pathlib import Path

from locomote.formats import load
from locomote.motion import Motion

FOLDER = Path(__file__).parent / "files"


def clip() -> Motion:
    """A person who walks for four seconds at 1.3 m/s, 60 frames a second: the file ``walk.bvh`` of the examples."""
    return load(FOLDER / "walk.bvh")


def rig() -> Motion:
    """A rig with a skin, one frame in an A-pose, to put motions on: the file ``hero.glb`` of the examples."""
    return load(FOLDER / "hero.glb")
