"""How far a body can go while a foot stands, by the reach of the leg and the cone of its hip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locomote.creatures._kernels.body_pose import LANDING, STRETCH
from locomote.rotations import FloatArray

if TYPE_CHECKING:
    from locomote.creatures._creature import Creature

_TRIES = 64  # ways that are tried, evenly up to twice the span of the leg
LEAST = 0.2  # of the span of a leg: no way is taken to be shorter


def longest_ways(creature: Creature) -> FloatArray:
    """The way (m) of the body over each foot ``(F,)`` that its leg follows, with the hips a little let down."""
    folds, morphology = creature.folds, creature.morphology
    off = morphology.rest_feet - morphology.hips
    tries = np.linspace(0.0, 1.0, _TRIES)
    out = np.empty(len(off))
    for f, (aside, _, ahead) in enumerate(off):
        near, far = folds.spans[f]
        ways = 2.0 * far * tries
        drop = min(LANDING * folds.drops[f], LANDING * STRETCH * far)
        reached = np.ones(_TRIES, dtype=bool)
        for end in (0.5, -0.5):
            place = np.stack([np.full(_TRIES, aside), np.full(_TRIES, -drop), ahead + end * ways], axis=1)
            distance = np.linalg.norm(place, axis=1)
            table = np.linspace(near, far, folds.ways.shape[1])
            aim = np.stack([np.interp(distance, table, folds.ways[f, :, k]) for k in range(3)], axis=1)
            turned = np.sum(aim * place, axis=1) / (distance * np.linalg.norm(aim, axis=1))
            reached &= (distance <= STRETCH * far) & (turned >= folds.aims[f])
        out[f] = max(ways[np.argmin(reached) - 1] if not reached.all() else ways[-1], LEAST * far)
    return out
