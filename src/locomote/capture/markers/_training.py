"""Solved poses as examples for what learns shapes from poses: few that differ, each with its skin."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.capture.stage._surfaces import meshes
from locomote.errors import LocomoteError
from locomote.formats import _files
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

LEAST, GOOD = 10, 50  # poses without which nothing is learnt, and from which on something is


class TrainingSet(NamedTuple):
    """Poses and the shapes that go with them."""

    frames: IntArray  # (N,) of the motion
    parameters: FloatArray  # (N, 3 J) rotation vectors of all joints against the mean, rad; the root's is left out as 0
    vertices: FloatArray  # (N, V, 3) m, the skin with the root at the origin, unturned
    notes: tuple[str, ...]


def training_set(motion: Motion, poses: int = 100) -> TrainingSet:
    """Choose poses that differ most, and say how skin goes with them.

    Parameters
    ----------
    motion
        Solved poses; its skin, or limbs along the bones without one.
    poses
        How many, 10 or more; fewer than 50 are warned of.
    """
    count = min(poses, len(motion))
    if count < LEAST:
        raise LocomoteError(f"{count} poses: nothing is learnt from fewer than {LEAST}")
    notes = [] if count >= GOOD else [f"{count} poses: from fewer than {GOOD} little is learnt"]
    turns = motion.rotations
    vectors = rot.log(rot.multiply(rot.inverse(rot.mean(turns, axis=0)), turns))
    vectors[:, 0] = 0.0
    flat = vectors.reshape(len(motion), -1)
    chosen = [int(np.argmax(np.linalg.norm(flat, axis=1)))]
    nearest = np.linalg.norm(flat - flat[chosen[0]], axis=1)
    while len(chosen) < count:
        chosen.append(int(np.argmax(nearest)))
        nearest = np.minimum(nearest, np.linalg.norm(flat - flat[chosen[-1]], axis=1))
    frames = np.array(sorted(chosen))
    if len(set(chosen)) < count:
        frames = np.unique(frames)
        notes.append(f"only {len(frames)} of {count} poses differ")
    surface = meshes(motion).vertices[frames] - motion.root_positions[frames, None]
    level = rot.rotate(rot.inverse(turns[frames, 0])[:, None], surface)
    return TrainingSet(frames, flat[frames], level, tuple(notes))


def write_training(found: TrainingSet, path: str | PathLike[str]) -> None:
    """Write a training set.

    Parameters
    ----------
    found : poses and shapes
    path : an .npz file
    """
    path = Path(path)
    if path.suffix.lower() != ".npz":
        raise LocomoteError(f"{path}: a training set is written as .npz")
    with _files.atomic_path(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, frames=found.frames, parameters=found.parameters, vertices=found.vertices)
