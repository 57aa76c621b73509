"""Which feet bend at the wrist, and how their hands point over a step: the fore feet of dogs and their like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.creatures._kernels.model import COURSE, Folds, Paws
from locomote.creatures._leg_folding import fold_legs
from locomote.creatures._morphology import CreatureLeg, Morphology
from locomote.rotations import FloatArray

LOW = 0.3  # of the height of the hip: wrists are no higher
FOLDS = 0.65  # of its span that the leg above the wrist is folded to, or less
LEAST = 4  # joints of a leg with a wrist: two above it at least, and that of the digits
# Degrees that a hand points ahead of rest, at shares of the stance and of the swing: between two recorded dogs.
STANCE = ((0.0, 30.0), (0.25, 33.0), (0.5, 24.0), (0.75, 6.0), (1.0, -20.0))
SWING = (
    (0.0, -20.0), (0.15, -50.0), (0.33, -72.0), (0.5, -52.0), (0.67, -8.0), (0.8, 20.0), (0.9, 30.0), (1.0, 30.0),
)  # fmt: skip


def paws_of(morphology: Morphology, folds: Folds, upright: bool, takes: Sequence[FloatArray] | None = None) -> Paws:
    """The packed hands of a creature for `_kernels.paws`; only upright ones on four legs have any.

    ``takes`` are those of `fold_legs`.
    """
    legs = morphology.legs
    has = np.array([upright and _has_wrist(morphology, f) for f in range(len(legs))], dtype=np.int64)
    count = len(legs)
    paws = Paws(
        bends=has,
        joints=np.zeros((count, 2), dtype=np.int64),
        wrists=np.zeros((count, 3)),
        digits=np.zeros((count, 3)),
        turns=np.tile(rot.IDENTITY, (count, 2, 1)),
        courses=np.radians([_sampled(STANCE), _sampled(SWING)]),
        legs=folds,
    )
    if not np.any(has):
        return paws
    positions, turns = morphology.rest_pose
    for f in np.flatnonzero(has):
        joints = list(legs[f].joints[-2:])
        paws.joints[f], paws.turns[f] = joints, turns[joints]
        paws.wrists[f] = positions[joints[0]] - positions[joints[1]]
        paws.digits[f] = positions[joints[1]] - morphology.rest_feet[f]
    shortened = [_to_wrist(morphology, leg) if bends else leg for leg, bends in zip(legs, has, strict=True)]
    upper = fold_legs(morphology, shortened, takes)
    if np.any(upper.spans[has > 0, 0] > FOLDS * upper.spans[has > 0, 1]):
        return paws._replace(bends=np.zeros(count, dtype=np.int64))
    return paws._replace(legs=upper)


def _has_wrist(morphology: Morphology, f: int) -> bool:
    """Whether a leg is a fore leg whose last joint but one is low."""
    leg = morphology.legs[f]
    if len(leg.joints) < LEAST or leg.rank != min(morphology.ranks):
        return False
    foot = float(morphology.rest_feet[f, 1])
    height = float(morphology.rest_pose[0][leg.joints[-2], 1]) - foot
    return 0.0 < height < LOW * (float(morphology.hips[f, 1]) - foot)


def _to_wrist(morphology: Morphology, leg: CreatureLeg) -> CreatureLeg:
    """The part of a leg from its hip to its wrist."""
    last = len(leg.joints) - 2
    return replace(
        leg, joints=leg.joints[:last], tip=morphology.skeleton.offsets[leg.joints[last]], limits=leg.limits[:last]
    )


def _sampled(course: tuple[tuple[float, float], ...]) -> FloatArray:
    """A course at evenly spaced moments, through the given ones without corners."""
    from scipy.interpolate import PchipInterpolator

    at, values = zip(*course, strict=True)
    out: FloatArray = PchipInterpolator(at, values)(np.linspace(0.0, 1.0, COURSE))
    return out
