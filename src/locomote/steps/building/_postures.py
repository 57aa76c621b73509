"""Postures of recorded steps evened out: how one performer stoops or crouches is not how the next one walks on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.human_skeleton import COMMON
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.steps._database import StepDatabase
from locomote.steps._limbs import Limbs, from_limbs
from locomote.steps.building._foot_cleanup import lowering

FEWEST = 5  # steps of a style, from which on there is something usual about it
USUAL = 1.0  # median differences from the middle of all, up to which postures are kept
LEAST_BEND = np.radians(1.5)  # of a joint of the trunk, kept in any case
LEAST_ARM = np.radians(8.0)  # of a joint of an arm
LEAST_HEIGHT = 0.006  # hip heights, of the pelvis
TRUNK = ("Spine", "Spine1", "Spine2", "Neck", "Head")
ARM = ("Shoulder", "Arm", "ForeArm")

_TILT = np.array([1.0, 0.0, 1.0])  # twists stay: bodies twist where they turn
_ROUNDS = 3  # in which steps of unusual height lose their say


def evened(steps: StepDatabase) -> StepDatabase:
    """The same steps, their mean postures brought near to what is usual in their style; all movement stays."""
    roots, rotations = steps.roots.copy(), steps.rotations.copy()
    for tag in range(len(steps.styles)):
        mine = np.flatnonzero(steps.tags == tag)
        if len(mine) < FEWEST:
            continue
        roots[mine, :, 1] += _height_changes(steps, mine)[:, None]
        rotations[mine, :, 0] = _level(rotations[mine, :, 0])
        for names, least, axes in ((TRUNK, LEAST_BEND, _TILT), (_arms(), LEAST_ARM, np.ones(3))):
            for j in (COMMON.index(name) for name in names):
                rotations[mine, :, j] = _usual(rotations[mine, :, j], least, axes)
    roots[..., 1] -= lowering(roots, rotations, steps.feet)
    limbs = Limbs(roots, rotations, steps.feet, steps.knee_rolls)
    return replace(steps, roots=roots, rotations=from_limbs(COMMON, limbs))


def _arms() -> tuple[str, ...]:
    return tuple(side + part for side in ("Left", "Right") for part in ARM)


def _level(pelvis: FloatArray) -> FloatArray:
    """Pelvises ``(N, T, 4)`` tilted as is usual; where they face stays."""
    facing = rot.from_yaw(rot.yaw(pelvis))
    tilt = rot.multiply(rot.inverse(facing), pelvis)
    return rot.multiply(facing, _usual(tilt, LEAST_BEND, _TILT))


def _usual(turns: FloatArray, least: float, axes: FloatArray) -> FloatArray:
    """Turns ``(N, T, 4)`` of a joint whose means over each step come near to the middle of all of them."""
    mean = rot.log(turns).mean(axis=1)
    off = (mean - np.median(mean, axis=0)) * axes
    size = np.linalg.norm(off, axis=-1, keepdims=True)
    kept = _limited(size, max(USUAL * float(np.median(size)), least)) / np.maximum(size, 1e-12)
    wanted = mean - off * (1.0 - kept)
    change = rot.multiply(rot.exp(wanted), rot.inverse(rot.exp(mean)))
    return rot.multiply(change[:, None], turns)


def _height_changes(steps: StepDatabase, mine: IntArray) -> FloatArray:
    """By how much the pelvis of steps ``(N,)`` is to rise to the height that is usual for such feet."""
    x, y, z = steps.params[mine].T
    terms = np.stack([np.ones_like(x), x, y, z, x * x, y * y, z * z, x * y, x * z, y * z], axis=1)
    if len(mine) < 2 * terms.shape[1]:
        terms = terms[:, :1]
    height = steps.roots[mine, :, 1].mean(axis=1)
    weights, off = np.ones(len(mine)), np.zeros(len(mine))
    for _ in range(_ROUNDS):
        scale = np.sqrt(weights)
        fitted = np.linalg.lstsq(terms * scale[:, None], height * scale, rcond=None)[0]
        off = height - terms @ fitted
        weights = 1.0 / (1.0 + (off / LEAST_HEIGHT) ** 2)
    kept = _limited(np.abs(off), max(USUAL * float(np.median(np.abs(off))), LEAST_HEIGHT))
    return np.sign(off) * kept - off


def _limited(size: FloatArray, most: float) -> FloatArray:
    """Sizes that grow no larger than ``most``: small ones stay as they are."""
    out: FloatArray = most * np.tanh(size / most)
    return out
