"""Between rotations in the world and rotations against the parent."""

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
    """The motion with some joints turned to world rotations ``(F, 4)``; the joints below turn along."""
    if not new:
        return motion
    skeleton = motion.skeleton
    world = motion.world()[1].copy()
    local = motion.rotations
    for j in range(len(skeleton)):
        parent = int(skeleton.parents[j])
        if j in new:
            world[:, j] = new[j]
        elif parent >= 0:
            world[:, j] = rot.multiply(world[:, parent], local[:, j])
    return replace(motion, rotations=local_rotations(skeleton, world))
