"""Between rotations in the world and rotations against the parent, and the body moved as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from locomote import rotations as rot
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton


def local_rotations(skeleton: Skeleton, world: FloatArray) -> FloatArray:
    """Rotations against the parents from world rotations ``(F, J, 4)``."""
    out = world.copy()
    out[:, 1:] = rot.multiply(rot.inverse(world[:, skeleton.parents[1:]]), world[:, 1:])
    return rot.continuous(rot.canonical(rot.normalize(out)))


def with_world_rotations(motion: Motion, new: Mapping[int, FloatArray]) -> Motion:
    """The motion with some joints turned to world rotations ``(F, 4)``; the joints below turn along.

    The local rotations of all other joints stay as they are, bit for bit.
    """
    if not new:
        return motion
    skeleton = motion.skeleton
    world = motion.world()[1].copy()
    local = motion.rotations.copy()
    for j in range(len(skeleton)):
        parent = int(skeleton.parents[j])
        if j in new:
            world[:, j] = new[j]
            turn = new[j] if parent < 0 else rot.multiply(rot.inverse(world[:, parent]), new[j])
            local[:, j] = rot.continuous(rot.canonical(rot.normalize(turn)))
        elif parent >= 0:
            world[:, j] = rot.multiply(world[:, parent], local[:, j])
    return replace(motion, rotations=local)


def lowered(motion: Motion, drop: FloatArray) -> Motion:
    """The motion with its body ``drop (F,)`` metres lower."""
    return shifted(motion, drop[:, None] * (0.0, -1.0, 0.0))


def shifted(motion: Motion, way: FloatArray) -> Motion:
    """The motion with its body moved by ``way (F, 3)`` metres in the world.

    Where an empty node that carries nothing but the pelvis's way stands above the pelvis, the pelvis moves.
    """
    pelvis = motion.skeleton.roles.root
    moved = motion.translations
    if moved is None or pelvis == 0:
        places = motion.root_positions + way
        if moved is not None:
            moved = moved.copy()
            moved[:, 0] = places
        return replace(motion, root_positions=places, translations=moved)
    moved = moved.copy()
    parent = int(motion.skeleton.parents[pelvis])
    moved[:, pelvis] += rot.rotate(rot.inverse(motion.world()[1][:, parent]), way)
    return replace(motion, translations=moved)
