"""Recorded steps and bodies laid out for the kernels that blend and chain them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human_skeleton import (
    ANKLE_HEIGHT,
    BALL_AHEAD_OF_ANKLE,
    COMMON,
    HEEL_BEHIND_ANKLE,
    TOE_LENGTH,
    hip_height,
    human_skeleton,
)
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton
from locomote.steps._database import StepDatabase
from locomote.steps._oddness import odd_arms, odd_postures
from locomote.steps._plan import RIGHT
from locomote.steps._timeline import LAND, LIFT

if TYPE_CHECKING:
    from locomote.steps._kernels.blend import StepRecords
    from locomote.steps._kernels.layout import BodyMeasures
    from locomote.steps._kernels.locate import StepSpace

RECORDED_HIP_HEIGHT = 0.9  # m, at which the durations of a database hold
LEG_PARTS = ("UpLeg", "Leg", "Foot", "ToeBase")
LEGS = np.array([[COMMON.index(side + part) for part in LEG_PARTS] for side in ("Left", "Right")])
UPPER = np.array([j for j in range(len(COMMON)) if j not in LEGS], dtype=np.int64)  # joints that are no part of a leg


class WalkerBody(NamedTuple):
    """A person of one size."""

    skeleton: Skeleton
    measures: BodyMeasures  # as the kernels want them


class Packed(NamedTuple):
    """A database as the kernels want it."""

    steps: StepSpace
    clips: StepRecords


@lru_cache(maxsize=1)
def default_database() -> StepDatabase:
    """The steps that come with the package, read once."""
    return StepDatabase.default()


@lru_cache(maxsize=16)
def body(leg_length: float) -> WalkerBody:
    """The person with legs of this length."""
    from locomote.steps._kernels.layout import BodyMeasures, SoleShape

    if not (np.isfinite(leg_length) and leg_length > 0.0):
        raise LocomoteError(f"leg_length {leg_length}: expected metres, more than 0")
    skeleton, size = human_skeleton(leg_length), hip_height(leg_length)
    thigh, shank = (float(-skeleton.offsets[LEGS[0, k], 1]) for k in (1, 2))
    sole = SoleShape(
        size * ANKLE_HEIGHT,
        size * (BALL_AHEAD_OF_ANKLE + HEEL_BEHIND_ANKLE),
        size * BALL_AHEAD_OF_ANKLE,
        size * TOE_LENGTH,
    )
    hips = np.ascontiguousarray(skeleton.offsets[LEGS[:, 0]])
    tempo = float(np.sqrt(size / RECORDED_HIP_HEIGHT))
    return WalkerBody(skeleton, BodyMeasures(size, tempo, hips, thigh, shank, sole, UPPER, LEGS))


@lru_cache(maxsize=4)
def pack(database: StepDatabase) -> Packed:
    """Lay out a database; the last few are kept."""
    from locomote.steps._kernels import blend as at
    from locomote.steps._kernels.locate import StepSpace

    right = database.arrays(RIGHT)
    transforms = right.transforms.copy()
    transforms[~np.any(transforms[:, :3], axis=(1, 2))] = np.nan  # flat: nothing is found in them
    features = np.concatenate([right.params, right.yaws, right.durations], axis=1)
    steps = StepSpace(
        features,
        np.ascontiguousarray(right.simplices),
        np.ascontiguousarray(right.neighbours),
        np.ascontiguousarray(transforms),
        outer_faces(right.simplices, right.neighbours),
        np.ascontiguousarray(features.T),
        odd_postures(right) + odd_arms(right),
    )
    count, samples = right.roots.shape[:2]
    sheets = np.empty((count, at.ROWS, samples))
    turns = rot.continuous(right.rotations[:, :, UPPER], axis=1)
    sheets[:, : at.ROOT] = turns.transpose(0, 2, 3, 1).reshape(count, at.ROOT, samples)
    sheets[:, at.ROOT : at.FEET] = right.roots.transpose(0, 2, 1)
    for side in range(2):
        rows = sheets[:, at.FEET + side * at.FOOT_ROWS :]
        rows[:, :3] = right.feet[:, :, side, 1].transpose(0, 2, 1)
        angles = foot_angles(right.feet[:, :, side])
        rows[:, at.YAW : at.TOES + 1] = angles.transpose(0, 2, 1)
        rows[:, at.KNEE] = np.unwrap(right.knee_rolls[:, :, side], axis=1)
    names = [COMMON.names[j] for j in UPPER]
    other = {"L": "Left", "R": "Right"}
    twins = np.array([names.index(_twin(name, other)) for name in names], dtype=np.int64)
    clips = at.StepRecords(
        sheets.astype(np.float32),
        np.ascontiguousarray(right.yaws),
        np.ascontiguousarray(right.durations),
        twins,
        LIFT,
        LAND,
    )
    return Packed(steps, clips)


def _twin(name: str, other: dict[str, str]) -> str:
    if name.startswith("Left"):
        return other["R"] + name[4:]
    return other["L"] + name[5:] if name.startswith("Right") else name


def outer_faces(simplices: IntArray, neighbours: IntArray) -> IntArray:
    """The faces of the hull ``(H, 4)``: three steps and the tetrahedron behind them."""
    inside, opposite = np.nonzero(neighbours < 0)
    rows = [[*np.delete(simplices[s], k), s] for s, k in zip(inside, opposite, strict=True)]
    return np.array(rows, dtype=np.int64)


def foot_angles(feet: FloatArray) -> FloatArray:
    """Yaw, pitch, roll and bend of the toes ``(N, T, 4)`` of feet ``(N, T, 3, 3)``: ankle, ball, tip of the toes.

    Pitch and bend are positive with the toes down.
    """
    foot = feet[..., 1, :] - feet[..., 0, :]
    toes = feet[..., 2, :] - feet[..., 1, :]
    foot = foot / np.linalg.norm(foot, axis=-1, keepdims=True)
    lateral = np.cross(toes, foot)
    size = np.linalg.norm(lateral, axis=-1, keepdims=True) / np.linalg.norm(toes, axis=-1, keepdims=True)
    level = np.cross([0.0, 1.0, 0.0], foot)
    level /= np.maximum(np.linalg.norm(level, axis=-1, keepdims=True), 1e-9)
    # Toes in one line with the foot do not say how it rolls.
    sure = np.clip((size - 0.05) / 0.1, 0.0, 1.0)
    lateral = sure * lateral / np.maximum(np.linalg.norm(lateral, axis=-1, keepdims=True), 1e-9) + (1.0 - sure) * level
    lateral -= np.sum(lateral * foot, axis=-1, keepdims=True) * foot
    lateral /= np.linalg.norm(lateral, axis=-1, keepdims=True)
    length = np.hypot(ANKLE_HEIGHT, BALL_AHEAD_OF_ANKLE)
    ahead = (BALL_AHEAD_OF_ANKLE * foot - ANKLE_HEIGHT * np.cross(lateral, foot)) / length
    yaw = np.unwrap(np.arctan2(-lateral[..., 2], lateral[..., 0]), axis=-1)
    roll = np.arcsin(np.clip(lateral[..., 1], -1.0, 1.0))
    flat = rot.multiply(rot.from_yaw(yaw), rot.from_axis_angle([0.0, 0.0, 1.0], roll))
    straight = rot.rotate(rot.inverse(flat), ahead)
    pitch = np.arctan2(-straight[..., 1], straight[..., 2])
    sole = rot.multiply(flat, rot.from_axis_angle([1.0, 0.0, 0.0], pitch))
    tip = rot.rotate(rot.inverse(sole), toes)
    return np.stack([yaw, pitch, roll, np.arctan2(-tip[..., 1], tip[..., 2])], axis=-1)
