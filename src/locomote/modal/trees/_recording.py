"""What trees do over some time, as motions of skeletons with one joint a branch."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.modal.trees._skin import skeleton_of, skin_of
from locomote.motion import Motion
from locomote.rotations import FloatArray

if TYPE_CHECKING:
    from locomote._arguments import Rows
    from locomote.modal.trees._forest import Air, Forest
    from locomote.modal.trees._species import Species

_LONGEST = 3600.0  # s


def record(forest: Forest, seconds: float, fps: float, wind: Air, trees: Rows) -> list[Motion]:
    """Step a forest and keep what some of its trees do."""
    if not (math.isfinite(seconds) and 0.0 < seconds <= _LONGEST and math.isfinite(fps) and fps > 0.0):
        raise LocomoteError(f"record: expected up to {_LONGEST:g} s and frames a second above 0, got {seconds}, {fps}")
    count = round(seconds * fps) + 1
    places = np.empty((count, len(trees), len(forest.species), 3))
    for frame in range(count):
        if frame:
            forest.step(1.0 / fps, wind)
        places[frame] = forest.nodes(trees)
    return motions(forest, places, fps, trees)


def motions(forest: Forest, places: FloatArray, fps: float, trees: Rows) -> list[Motion]:
    """Motions of trees from places ``(F, R, N, 3)`` of their nodes in the world."""
    species = forest.species
    skeleton, skin = skeleton_of(species), skin_of(species)
    out = []
    for r, k in enumerate(trees):
        size, root = float(forest.sizes[k]), rot.from_yaw(float(forest.headings[k]))
        turns, _ = branch_rotations(species, places[:, r], root)
        where = np.tile(forest.positions[k], (len(places), 1))
        name = species.name if len(forest) == 1 else f"{species.name}-{k + 1}"
        body = skin if size == 1.0 else skin.scaled(size)
        bones = skeleton if size == 1.0 else skeleton.scaled(size)
        out.append(Motion(bones, fps, where, turns, name=name, body=body))
    return out


def branch_rotations(species: Species, places: FloatArray, root: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rotations ``(F, N, 4)`` that turn branches from rest to where nodes are ``(F, N, 3)``: local, and in the world.

    They do not twist; ``root`` is that of the whole tree, one or ``(F, 4)``.
    """
    rest, parents, count = species.nodes, species.parents, len(species)
    out = rot.identity(len(places), count)
    world = rot.identity(len(places), count)
    out[:, 0] = world[:, 0] = root
    depth = np.zeros(count, dtype=np.int64)
    for n in range(1, count):
        depth[n] = depth[parents[n]] + 1
    for level in range(1, int(depth.max()) + 1):
        mine = np.flatnonzero(depth == level)
        above = parents[mine]
        now = places[:, mine] - places[:, above]
        there = rot.rotate(rot.inverse(world[:, above]), now)
        out[:, mine] = rot.between(np.broadcast_to(rest[mine] - rest[above], there.shape), there)
        world[:, mine] = rot.multiply(world[:, above], out[:, mine])
    return out, world
