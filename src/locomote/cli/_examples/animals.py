"""Examples of animals: built-in creatures as rigs and clips from elsewhere would be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

import locomote as lm
from locomote.motion import Motion
from locomote.skeleton import Skeleton

FOX = 40.0  # of the size of a wolf, and in centimetres

# The left half of the beast, m: joint, parent, place (backward x, up y, left z); "*" stands for the side.
BEAST = (
    ("body", "", (0.0, 1.0, 0.0)),
    ("chest", "body", (-0.3, 1.1, 0.0)),
    ("neck", "chest", (-0.5, 1.25, 0.0)),
    ("head", "neck", (-0.65, 1.4, 0.0)),
    ("tail_1", "body", (0.25, 1.0, 0.0)),
    ("tail_2", "tail_1", (0.55, 0.9, 0.0)),
    ("tail_3", "tail_2", (0.85, 0.8, 0.0)),
    ("hip_*", "body", (0.0, 0.95, 0.18)),
    ("knee_*", "hip_*", (-0.15, 0.55, 0.2)),
    ("ankle_*", "knee_*", (0.12, 0.2, 0.2)),
    ("toe_*", "ankle_*", (-0.06, 0.03, 0.2)),
)
BEAST_TIPS = {"head": (-0.25, -0.05, 0.0), "tail_3": (0.25, -0.1, 0.0), "toe_l": (-0.14, -0.02, 0.0)}  # from the joint


def _standing(kind: str) -> Motion:
    return lm.creature(kind, 0.0, 0.1)[:1]


def wolf(path: Path) -> None:
    """A rig with two animations."""
    named = []
    made = lm.clips.creature_clips("wolf", ["walk", "run"])
    for clip, name in zip(made, ("Walk", "Gallop"), strict=True):
        named.append(replace(clip, motion=replace(clip.travelling(), name=name)))
    lm.clips.save_clips(named, path)


def horse(path: Path) -> None:
    """A rig that stands."""
    lm.save(_standing("horse"), path)


def own_rig(path: Path) -> None:
    """A rig that stands."""
    lm.save(_standing("wolf").scaled(0.9), path)


def fox(path: Path) -> None:
    """A small wolf whose numbers are centimetres."""
    lm.save(lm.creature("wolf", 1.8, 3.0).scaled(FOX), path)


def dog(path: Path) -> None:
    """A clip."""
    lm.save(lm.creature("dog", 1.0, 4.0), path)


def beast(path: Path) -> None:
    """A rig that faces -x, with a skin of rounded limbs."""
    names: list[str] = []
    parents: list[int] = []
    places: list[tuple[float, float, float]] = []
    for name, parent, (x, y, z) in BEAST:
        for side, sign in (("l", 1.0), ("r", -1.0)) if "*" in name else (("", 1.0),):
            names.append(name.replace("*", side))
            parents.append(names.index(parent.replace("*", side)) if parent else -1)
            places.append((x, y, sign * z))
    at, order = np.array(places), np.array(parents)
    offsets = at - np.where(order[:, None] >= 0, at[order], 0.0)
    tips = {**BEAST_TIPS, "toe_r": BEAST_TIPS["toe_l"]}
    ends = np.array([names.index(name) for name in tips], dtype=np.int64)
    skeleton = Skeleton(tuple(names), order, offsets, end_parents=ends, end_offsets=np.array(list(tips.values())))
    still = np.tile((1.0, 0.0, 0.0, 0.0), (1, len(names), 1))
    lm.save(Motion(skeleton, 30.0, at[:1], still, name="beast"), path)
