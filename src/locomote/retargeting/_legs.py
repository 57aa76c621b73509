"""Legs of another build: the foot goes where the source's foot goes, the leg folds in its own way."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from locomote import rotations as rot
from locomote.retargeting._reference import Reference
from locomote.retargeting._transfer import LATERAL, frame
from locomote.rotations import FloatArray

SHARPEST_FOLD = 2.6  # rad; no joint of a leg bends further
STRETCH = 0.998  # of its length; a leg is not pulled straighter
LEAST_BEND = np.radians(5.0)  # a leg that stands dead straight is given this bend at its first joint
_ROUNDS = 40  # of halving the fold: far below a micrometre


def fold_leg(
    reference: Reference, chain: tuple[int, ...], goals: FloatArray, laterals: FloatArray
) -> dict[int, FloatArray]:
    """World rotations ``(F, 4)`` of the joints of a leg, its end left out, that bring the end to the goals.

    ``goals (F, 3)`` are relative to the hip, ``laterals (F, 3)`` where the leg's left side points. All joints
    of the leg bend in the proportion in which they are bent in the reference pose.
    """
    points = reference.positions[list(chain)]
    bones = np.diff(points, axis=0)
    line = points[-1] - points[0]
    normal = LATERAL - line * (line @ LATERAL) / (line @ line)
    normal = normal / np.linalg.norm(normal)
    bends = np.array([_angle(a, b, normal) for a, b in pairwise(bones)])
    rest_bends = bends.copy()
    if np.all(np.abs(bends) < LEAST_BEND):
        bends[0] = np.copysign(LEAST_BEND, bends[0] if bends[0] != 0.0 else 1.0)

    reach = np.linalg.norm(goals, axis=1)
    fold = _solve_fold(bones, bends, rest_bends, normal, reach)
    turned, shape = _folded(bones, bends, rest_bends, normal, fold)
    place = rot.multiply(frame(goals, laterals), rot.inverse(frame(shape, np.broadcast_to(normal, shape.shape))))
    return {
        joint: rot.multiply(rot.multiply(place, rot.from_axis_angle(normal, turned[:, i])), reference.rotations[joint])
        for i, joint in enumerate(chain[:-1])
    }


def _angle(a: FloatArray, b: FloatArray, normal: FloatArray) -> float:
    return float(np.arctan2(np.cross(a, b) @ normal, a @ b))


def _folded(
    bones: FloatArray, bends: FloatArray, rest_bends: FloatArray, normal: FloatArray, fold: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """How far each bone is turned, ``(F, B)``, and the vector from the first joint to the end, ``(F, 3)``."""
    extra = fold[:, None] * bends - rest_bends
    turned = np.concatenate([np.zeros((len(fold), 1)), np.cumsum(extra, axis=1)], axis=1)
    placed = rot.rotate(rot.from_axis_angle(normal, turned), bones)
    return turned, placed.sum(axis=1)


def _solve_fold(
    bones: FloatArray, bends: FloatArray, rest_bends: FloatArray, normal: FloatArray, reach: FloatArray
) -> FloatArray:
    """By how much every bend is multiplied so that the end comes to the distance ``reach``; by halving."""
    low = np.zeros(len(reach))  # straight
    high = np.full(len(reach), SHARPEST_FOLD / float(np.max(np.abs(bends))))
    longest = np.linalg.norm(_folded(bones, bends, rest_bends, normal, low)[1], axis=1)
    wanted = np.minimum(reach, STRETCH * longest)
    for _ in range(_ROUNDS):
        middle = 0.5 * (low + high)
        far = np.linalg.norm(_folded(bones, bends, rest_bends, normal, middle)[1], axis=1) > wanted
        low, high = np.where(far, middle, low), np.where(far, high, middle)
    fold: FloatArray = 0.5 * (low + high)
    return fold
