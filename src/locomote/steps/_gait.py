"""The gait of the human model as sheets, for steps that are ordinary walking."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.jumps._units import mirrored_pose
from locomote.human_skeleton import COMMON
from locomote.rotations import FloatArray
from locomote.steps._blending import UPPER, foot_angles
from locomote.steps._limbs import to_limbs
from locomote.steps._shaping import ARMS

if TYPE_CHECKING:
    from locomote.steps._kernels.layout import GaitSheets

SPEEDS = np.linspace(0.4, 2.8, 13)  # hip heights a second
LEFT_HEEL, RIGHT_HEEL = 0, 3  # rows of the table of footplants
# Plans of recorded clips say when a foot touches the ground; the tables of the model say when its heel is all but low.
TOUCH = 0.025  # s earlier
# In slow walks people do not swing their arms at the same time: their mean swings them less than they do.
SLOW, BRISK = 0.65, 1.1  # hip heights a second, between which that ends
ARM_GAIN = 0.07


@lru_cache(maxsize=1)
def default_model() -> HumanModel:
    """The model that comes with the package, read once."""
    return HumanModel.default()


@lru_cache(maxsize=8)
def gait_sheets(share: float, model: HumanModel | None = None) -> GaitSheets:
    """Walking by the mean of all styles of a model, the shipped one without it; ``share`` of it in ordinary walking."""
    from locomote.steps._kernels import blend as at
    from locomote.steps._kernels.layout import GaitSheets

    model = default_model() if model is None else model
    samples = len(model.mean)
    sheets = np.empty((len(SPEEDS), at.ROWS, samples))
    strikes, rates = np.empty((len(SPEEDS), 2)), np.empty(len(SPEEDS))
    for v, speed in enumerate(SPEEDS):
        roots, turns = _even(*model.encoding.decode(model.unit(speed * REFERENCE_HIP_HEIGHT)))
        _swing_arms(turns, 1.0 + ARM_GAIN * np.clip((BRISK - speed) / (BRISK - SLOW), 0.0, 1.0))
        limbs = to_limbs(COMMON, roots, turns, steady=True)
        rows = sheets[v]
        rows[: at.ROOT] = turns[:, UPPER].transpose(1, 2, 0).reshape(at.ROOT, samples)
        rows[at.ROOT : at.FEET] = roots.T
        for side in range(2):
            foot = rows[at.FEET + side * at.FOOT_ROWS :]
            foot[:3] = limbs.feet[:, side, 1].T
            foot[at.YAW : at.TOES + 1] = foot_angles(limbs.feet[None, :, side])[0].T
            foot[at.KNEE] = np.unwrap(limbs.knee_rolls[:, side])
        rates[v] = model.cycles_per_second(speed)
        left, right = model.footplants_at(speed)[[LEFT_HEEL, RIGHT_HEEL], 0] - TOUCH * rates[v]
        strikes[v, 1] = 0.5 * (left - 0.5 + right - np.round(right))  # the right foot comes down near phase 0
        strikes[v, 0] = strikes[v, 1] + 0.5
    around = np.concatenate([sheets[..., -1:], sheets, sheets[..., :2]], axis=-1)
    return GaitSheets(float(share), around.astype(np.float32), SPEEDS.copy(), strikes, rates)


def _even(roots: FloatArray, turns: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A cycle and its mirror image half a cycle later, the mean of both: left and right alike."""
    half = len(roots) // 2
    image = mirrored_pose(np.roll(roots, half, axis=0), np.roll(turns, half, axis=0))
    return 0.5 * (roots + image[0]), rot.continuous(rot.slerp(turns, image[1], np.full(turns.shape[:2], 0.5)))


def _swing_arms(turns: FloatArray, gain: float) -> None:
    """Swing the arms of a cycle ``gain`` times as far about their mean, in place."""
    arms = [j for j, name in enumerate(COMMON.names) if name.endswith(ARMS)]
    mean = rot.mean(turns[:, arms])
    off = rot.log(rot.multiply(rot.inverse(mean), turns[:, arms]))
    turns[:, arms] = rot.continuous(rot.multiply(mean, rot.exp(gain * off)))
