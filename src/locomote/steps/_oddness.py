"""How unlike the usual recorded steps are above the legs: what is odd is chosen only where nothing else will do."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.steps._database import YAW_UNIT, SideArrays
from locomote.steps._timeline import FROM, LAND, LIFT, SAMPLES, TO

TRUNK = np.array([COMMON.index(name) for name in ("Spine", "Spine1", "Spine2", "Neck", "Head")])
ARMS = np.array([COMMON.index(side + part) for side in ("Left", "Right") for part in ("Arm", "ForeArm")])
ARMS_COUNT = 0.3  # beside trunk and head
_EVERY = 6  # samples that tell how a body is bent

ARM_UNIT = 0.035  # hip heights of the swing of the hands against the feet that count as one unit of difference
ARM_GAIN = 0.45  # of the swing of the feet, that the hands swing
WALKING = 0.4  # hip heights by which a foot gets on past the other: from there on arms swing
# Hands swing with the opposite foot, and before it, the more the slower one walks (hip heights a second). A little more
# than recorded people do, because steps that follow one another take some of it away.
LEAD_SPEEDS, LEADS = (0.65, 1.1, 1.5), np.radians((60.0, 35.0, 15.0))


def odd_postures(steps: SideArrays) -> FloatArray:
    """How far trunk, head and arms of each step are from the middle of all ``(N,)``, in units of difference."""
    out: FloatArray = np.zeros(len(steps.rotations))
    for joints, weight in ((TRUNK, 1.0), (ARMS, ARMS_COUNT)):
        bends = rot.log(steps.rotations[:, ::_EVERY, joints])
        away = np.linalg.norm(bends - np.median(bends, axis=(0, 1)), axis=-1)
        out += weight * away.mean(axis=1).sum(axis=-1) / YAW_UNIT
    return out


def odd_arms(steps: SideArrays) -> FloatArray:
    """How far the hands of each step are from swinging with the opposite foot ``(N,)``, in units of difference.

    Backwards and aside nothing is usual about them: such steps are neither better nor worse for them than most.
    """
    count = len(steps.roots)
    turns = steps.rotations.reshape(-1, *steps.rotations.shape[2:])
    places = Motion(COMMON, 1.0, steps.roots.reshape(-1, 3), turns).joint_positions().reshape(count, SAMPLES, -1, 3)
    left, right = (
        {part: places[:, :, COMMON.index(side + part)] for part in ("UpLeg", "Hand", "Foot")}
        for side in ("Left", "Right")
    )
    across = np.mean(left["UpLeg"] - right["UpLeg"], axis=1)
    ahead = np.stack([-across[:, 2], np.zeros(count), across[:, 0]], axis=1)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    hands = np.einsum("ntk,nk->nt", left["Hand"] - right["Hand"], ahead)
    feet = np.einsum("ntk,nk->nt", right["Foot"] - left["Foot"], ahead)
    times = _times(steps.durations)
    stride = feet[:, TO] - feet[:, FROM]
    lead = np.interp(0.5 * stride / (times[:, TO] - times[:, FROM]), LEAD_SPEEDS, LEADS)
    off = _harmonic(hands, times) - ARM_GAIN * np.exp(1j * lead) * _harmonic(feet, times)
    odd = np.abs(off) / ARM_UNIT
    walking = np.clip(stride / WALKING, 0.0, 1.0)
    out: FloatArray = walking * odd + (1.0 - walking) * np.median(odd[walking > 0.0])
    return out


def _times(durations: FloatArray) -> FloatArray:
    """Seconds ``(N, T)`` of the samples of steps."""
    ends = np.concatenate([np.zeros((len(durations), 1)), np.cumsum(durations, axis=1)], axis=1)
    at = np.arange(SAMPLES)
    return np.array([np.interp(at, (0, LIFT, LAND, SAMPLES - 1), row) for row in ends])


def _harmonic(values: FloatArray, times: FloatArray) -> npt.NDArray[np.complex128]:
    """The first harmonic of a stride that goes on with the mirror image of the step."""
    some = slice(FROM, TO + 1)
    share = (times[:, some] - times[:, FROM : FROM + 1]) / (times[:, TO] - times[:, FROM])[:, None]
    weights = np.gradient(share, axis=1)
    out: npt.NDArray[np.complex128] = np.sum(weights * values[:, some] * np.exp(-1j * np.pi * share), axis=1)
    return out
