"""The clip and the rig that come with the package, and the folder of all files that examples start from."""

from __future__ import annotations

from pathlib import Path

from locomote.errors import LocomoteError
from locomote.formats import load
from locomote.motion import Motion

FOLDER = Path(__file__).parent / "files"


def clip() -> Motion:
    """A person who walks for four seconds at 1.3 m/s, 60 frames a second: the file ``walk.bvh`` of the examples."""
    return load(FOLDER / "walk.bvh")


def path(name: str) -> Path:
    """Where an input file lies that comes with the package.

    Parameters
    ----------
    name : such as "crates.toml"; `locomote examples` writes these, and more
    """
    found = FOLDER / name
    if not found.is_file():
        there = ", ".join(sorted(each.name for each in FOLDER.iterdir() if each.is_file()))
        raise LocomoteError(f"{name}: no file of the package has this name; there are {there}")
    return found


def rig() -> Motion:
    """A rig with a skin, one frame in an A-pose, to put motions on: the file ``hero.glb`` of the examples."""
    return load(FOLDER / "hero.glb")
