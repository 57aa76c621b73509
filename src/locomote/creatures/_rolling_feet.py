"""Which feet roll from heel to toe, and where their heels and balls are: those of bodies on two soles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.creatures._kernels.model import Folds, Soles
from locomote.creatures._leg_folding import fold_legs
from locomote.creatures._morphology import CreatureLeg, Morphology
from locomote.creatures.rigging._soles import SOLE, dominant_joints
from locomote.rotations import FloatArray

ANKLE = 2  # its place among the joints of a leg: below hip and knee
LOW = 0.2  # of the hip's height: an ankle is no higher
AHEAD = 0.06  # of the hip's height that the standing point is ahead of it, at least
HEEL = 0.3  # of the way from ankle to toes that the heel is behind the ankle, where no skin says it
MIDDLE = 0.5  # of that way: a joint of the foot further ahead bears the toes


class _Foot(NamedTuple):
    """A foot that rolls; places at rest, from the standing point."""

    ankle: FloatArray
    heel: FloatArray
    ball: FloatArray
    toes: int  # the joint of toes that stay flat, -1 for none


def feet_that_roll(morphology: Morphology) -> list[bool]:
    """Of every leg, whether its foot has an ankle and rolls."""
    return [foot is not None for foot in _feet_of(morphology)]


def soles_of(morphology: Morphology, folds: Folds, takes: Sequence[FloatArray] | None = None) -> Soles:
    """The packed feet of a creature for `locomote.creatures._kernels.foot_roll`; ``takes`` are those of `fold_legs`."""
    legs, turns = morphology.legs, morphology.rest_pose[1]
    feet = _feet_of(morphology)
    count = len(legs)
    soles = Soles(
        rolls=np.array([foot is not None for foot in feet], dtype=np.int64),
        ankles=np.zeros((count, 3)),
        heels=np.zeros((count, 3)),
        balls=np.zeros((count, 3)),
        joints=np.full((count, 2), -1, dtype=np.int64),
        turns=np.tile(rot.IDENTITY, (count, 2, 1)),
        legs=folds,
    )
    if not np.any(soles.rolls):
        return soles
    for f, foot in enumerate(feet):
        if foot is not None:
            soles.ankles[f], soles.heels[f], soles.balls[f] = foot.ankle, foot.heel, foot.ball
            soles.joints[f] = legs[f].joints[ANKLE], foot.toes
            soles.turns[f] = turns[soles.joints[f]]
    shortened = [leg if foot is None else _to_ankle(morphology, leg) for leg, foot in zip(legs, feet, strict=True)]
    return soles._replace(legs=fold_legs(morphology, shortened, takes))


def _feet_of(morphology: Morphology) -> list[_Foot | None]:
    count = len(morphology.legs)
    return [_foot_of(morphology, f) if count == 2 else None for f in range(count)]


def _foot_of(morphology: Morphology, f: int) -> _Foot | None:
    """The foot of a leg, if it has an ankle near the ground behind the point on which it stands."""
    leg, positions = morphology.legs[f], morphology.rest_pose[0]
    if len(leg.joints) <= ANKLE:
        return None
    stands, tall = morphology.rest_feet[f], float(morphology.hips[f, 1] - morphology.rest_feet[f, 1])
    ankle = positions[leg.joints[ANKLE]] - stands
    if not (0.0 < ankle[1] < LOW * tall and ankle[2] < -AHEAD * tall):
        return None
    back, front = _ends(morphology, leg, stands, ankle)
    toes = _toes(morphology, leg, stands)
    ball = np.array([0.0, 0.0, front])
    if toes >= 0 and positions[toes, 2] - stands[2] - ankle[2] > MIDDLE * (front - ankle[2]):
        ball = positions[toes] - stands
    else:
        toes = -1
    return _Foot(ankle, np.array([0.0, 0.0, back]), ball, toes)


def _ends(morphology: Morphology, leg: CreatureLeg, stands: FloatArray, ankle: FloatArray) -> tuple[float, float]:
    """How far behind and ahead of the standing point the sole ends."""
    positions, turns = morphology.rest_pose
    skeleton, body = morphology.skeleton, morphology.body
    foot = [j for j in range(len(skeleton)) if leg.joints[ANKLE] in skeleton.ancestors(j)]
    ends = np.isin(skeleton.end_parents, foot)
    parents = skeleton.end_parents[ends]
    places = positions[parents] + rot.rotate(turns[parents], skeleton.end_offsets[ends])
    lengths = np.concatenate([positions[foot], places])[:, 2] - stands[2]
    front = max(float(lengths.max()), 0.0)
    back = min(float(lengths.min()), float(ankle[2]) - HEEL * (front - float(ankle[2])))
    if body is not None:
        skin = body.posed(*morphology.rest_pose)[np.isin(dominant_joints(body), foot)] - stands
        reach = float(np.linalg.norm(skeleton.offsets[list(leg.joints[1:])], axis=1).sum())
        sole = skin[skin[:, 1] <= SOLE * reach]
        if len(sole):
            back, front = float(sole[:, 2].min()), float(sole[:, 2].max())
    return back, front


def _toes(morphology: Morphology, leg: CreatureLeg, stands: FloatArray) -> int:
    """The joint of a foot that may bear its toes, -1 for none."""
    ankle = leg.joints[ANKLE]
    if len(leg.joints) > ANKLE + 1:
        return leg.joints[ANKLE + 1]
    below = morphology.skeleton.children(ankle)
    away = [float(np.linalg.norm(morphology.rest_pose[0][j] - stands)) for j in below]
    near = LOW * float(np.linalg.norm(leg.tip))
    return int(below[int(np.argmin(away))]) if below and min(away) < near else -1


def _to_ankle(morphology: Morphology, leg: CreatureLeg) -> CreatureLeg:
    """The part of a leg from its hip to its ankle."""
    joints, tip = leg.joints[:ANKLE], morphology.skeleton.offsets[leg.joints[ANKLE]]
    return replace(leg, joints=joints, tip=tip, limits=leg.limits[:ANKLE])
