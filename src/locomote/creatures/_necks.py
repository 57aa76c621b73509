"""How necks nod, and which of them hold a head still in space: those of birds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from locomote.creatures._kernels.model import Neck, Spine
from locomote.creatures._morphology import Morphology
from locomote.rotations import FloatArray

BIRD_LEGS = 2
LONG = 4  # joints from the base of the neck to the head, at least, for a neck that is long enough to thrust a head
HIGH = 0.35  # of the height of the hips by which such a head is above the base of its neck
HEAD = 0.75  # of the nod of the neck that the head has
ROOM = 0.55  # of the length of the neck that the head may go to and fro


def nods_of(heads: FloatArray) -> FloatArray:
    """How much of a nod each joint of a trunk has, by its place along the neck: more the nearer to the head."""
    neck = heads > 0.0
    out = np.where(neck, 0.5 + heads, 0.0)
    bones = neck & (heads < 1.0)
    if np.any(bones):
        out[bones] /= out[bones].mean()
    out[heads == 1.0] = HEAD
    return out


def neck_of(morphology: Morphology, spine: Spine) -> Neck:
    """The neck of a creature for `_kernels.head_hold`."""
    chain = _chain(spine)
    if len(morphology.legs) != BIRD_LEGS or len(chain) < LONG:
        return Neck(0, np.zeros(3, dtype=np.int64), 0.0, 0.0)
    base, fold, head = chain[0], chain[1], chain[-1]
    places = spine.offsets
    tall = float(places[head, 1] - places[base, 1]) > HIGH * morphology.hip_height
    far = float(np.linalg.norm(places[fold] - places[base]) + np.linalg.norm(places[head] - places[fold]))
    return Neck(int(tall), np.array([base, fold, head], dtype=np.int64), far, ROOM * far)


def _chain(spine: Spine) -> Sequence[int]:
    """The joints of the neck and the head, each behind its parent; nothing where they do not follow each other."""
    found = [int(j) for j in np.flatnonzero(spine.heads > 0.0)]
    follow = all(spine.parents[b] == a and b == a + 1 for a, b in pairwise(found))
    return found if follow else []
