"""Many bones as few joints: what hardly moves against its parent becomes one with it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.motion import Motion


class Reduced(NamedTuple):
    """Which bones are kept as joints, and what is lost with the others."""

    kept: tuple[str, ...]
    merged: dict[str, str]  # each bone that is gone, and the joint that carries it now
    residual: dict[str, float]  # m, by which it moved against that joint, root mean square at its far end


def reduce_bones(motion: Motion, tolerance: float) -> Reduced:
    """Merge bones whose own motion moves their far ends by less than a tolerance.

    Parameters
    ----------
    motion
        Of a detailed skeleton, such as every vertebra of a scan; F frames in which it does what it can.
    tolerance
        m, root mean square over the frames.
    """
    if not 0.0 <= tolerance < np.inf:
        raise LocomoteError(f"tolerance {tolerance}: expected metres of 0 or more")
    skeleton = motion.skeleton
    reach = np.zeros(len(skeleton))  # from each joint to the farthest thing that it carries itself
    for j in range(len(skeleton)):
        own = [skeleton.offsets[c] for c in skeleton.children(j)]
        ends = np.concatenate([np.array(own).reshape(-1, 3), skeleton.end_offsets[skeleton.end_parents == j]])
        reach[j] = float(np.max(np.linalg.norm(ends, axis=1), initial=0.0))
    carrier = list(range(len(skeleton)))
    turned = motion.rotations.copy()  # of each joint against the one that carries it now
    merged, residual = {}, {}
    for j in range(1, len(skeleton)):
        parent = int(skeleton.parents[j])
        if carrier[parent] != parent:  # what its parent did before it was merged, it does now
            turned[:, j] = rot.multiply(turned[:, parent], motion.rotations[:, j])
        usual = rot.mean(turned[:, j], axis=0)
        angle = rot.distance(turned[:, j], usual)
        moved = float(np.sqrt(np.mean((2.0 * np.sin(0.5 * angle) * reach[j]) ** 2)))
        if moved < tolerance:
            carrier[j] = carrier[parent]
            name = skeleton.names[j]
            merged[name], residual[name] = skeleton.names[carrier[j]], moved
    kept = tuple(name for j, name in enumerate(skeleton.names) if carrier[j] == j)
    return Reduced(kept, merged, residual)
