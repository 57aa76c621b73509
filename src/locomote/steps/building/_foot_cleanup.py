"""Clean-up of recorded steps: feet that stand do not move and are on the floor, whatever the record says.

All arrays are of right-foot steps on the common timeline, in hip heights, in the world of the clip.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.human_skeleton import COMMON, TOE_LENGTH, heel_offset
from locomote.rotations import FloatArray
from locomote.steps._limbs import Limbs, from_limbs, to_limbs
from locomote.steps._plan import LEFT, RIGHT
from locomote.steps._timeline import LAND, LIFT, SAMPLES

ALONE = slice(LIFT + 4, LAND - 3)  # samples in which surely only one foot stands, and stands flat
EASE = 12  # samples of the swing over which a shifted foot comes back to where it was recorded
TOES = (
    np.radians(-10.0),
    np.radians(25.0),
)  # how far recorded toes bend down and up; the floor may bend them more
SHIFT_SMOOTHING = 1.5  # samples
ROLL_SMOOTHING = 1.5  # samples
REACH = 0.995  # of the stretched leg
REACH_SMOOTHING = 6.0  # samples

_BALLS = [COMMON.index("LeftToeBase"), COMMON.index("RightToeBase")]
_ANKLES = [COMMON.index("LeftFoot"), COMMON.index("RightFoot")]
_HIPS = [COMMON.index("LeftUpLeg"), COMMON.index("RightUpLeg")]
_LEG = float(COMMON.leg_length())
_HEEL = heel_offset(_LEG)
_X = np.array([1.0, 0.0, 0.0])
_LEVEL = np.array([1.0, 0.0, 1.0])
_HEIGHT = np.array([0.0, 1.0, 0.0])
_STANCES = np.r_[0 : LIFT + 1, LAND:SAMPLES]  # samples in which the swinging foot stands


@dataclass(frozen=True, eq=False)
class CleanedSteps:
    """Steps after clean-up, and how much it had to move."""

    limbs: Limbs  # roots (N, T, 3) ...
    drift: FloatArray  # (N,) how far the ball of the supporting foot wandered during the swing
    shift: FloatArray  # (N,) the largest shift of a standing foot against the body
    lowered: FloatArray  # (N,) how far the pelvis was lowered for the legs to reach


def clean(
    roots: FloatArray, rotations: FloatArray, support: FloatArray, start: FloatArray, landing: FloatArray
) -> CleanedSteps:
    """Steps ``(N, T, 3)`` and ``(N, T, J, 4)`` whose feet stand at ``support``, ``start`` and ``landing (N, 3)``."""
    turns = _hinged_toes(rotations)
    limbs = to_limbs(COMMON, roots, turns, steady=True)
    feet, heels = limbs.feet.copy(), _heels(limbs)
    floor = np.median(_lowest(feet, heels)[:, LIFT : LAND + 1, LEFT], axis=1)
    body = _body_shift(feet[:, :, LEFT, 1], support, floor)
    roots = roots + body
    feet, heels = feet + body[:, :, None, None], heels + body[:, :, None]
    drift = np.linalg.norm(np.ptp((body * _LEVEL)[:, ALONE], axis=1), axis=-1)
    targets = _targets(support, start, landing)
    move = np.stack([_pin(feet, heels, targets[:, :, side], side) for side in (LEFT, RIGHT)], axis=2)
    feet, heels = feet + move[:, :, :, None], heels + move
    feet = _out_of_floor(feet, heels)
    standing = np.concatenate([move[:, :, LEFT], move[:, _STANCES, RIGHT]], axis=1)
    lowered = lowering(roots, turns, feet)
    roots = roots - lowered[..., None] * _HEIGHT
    done = Limbs(roots, turns, feet, _smooth_rolls(limbs.knee_rolls))
    done = Limbs(roots, from_limbs(COMMON, done), feet, done.knee_rolls)
    return CleanedSteps(done, drift, np.linalg.norm(standing * _LEVEL, axis=-1).max(axis=1), lowered.max(axis=1))


def lowest_points(feet: FloatArray) -> FloatArray:
    """The height of the lower of heel and ball of feet ``(..., 3, 3)``; the heel is where it is on a level foot."""
    ankle, ball = feet[..., 0, :], feet[..., 1, :]
    return np.minimum(ball[..., 1], _heel_of(ankle, ball)[..., 1])


def _heel_of(ankle: FloatArray, ball: FloatArray) -> FloatArray:
    """The heel of feet that do not lean sideways, from ankle and ball."""
    forward = (ball - ankle) * _LEVEL
    forward = forward / np.maximum(np.linalg.norm(forward, axis=-1, keepdims=True), 1e-9)
    side = np.stack([forward[..., 2], np.zeros(forward.shape[:-1]), -forward[..., 0]], axis=-1)
    along = (ball - ankle) / np.linalg.norm(ball - ankle, axis=-1, keepdims=True)
    turn = rot.from_matrix(np.stack([along, side, np.cross(along, side)], axis=-1))
    rest = COMMON.offsets[_BALLS[0]]
    a = rest / np.linalg.norm(rest)
    back = rot.from_matrix(np.stack([a, _X, np.cross(a, _X)], axis=-1))
    return ankle + rot.rotate(rot.multiply(turn, rot.inverse(back)), _HEEL)


def _heels(limbs: Limbs) -> FloatArray:
    """The heels ``(N, T, 2, 3)``."""
    return _heel_of(limbs.feet[..., 0, :], limbs.feet[..., 1, :])


def _lowest(feet: FloatArray, heels: FloatArray) -> FloatArray:
    return np.minimum(feet[..., 1, 1], heels[..., 1])


def _hinged_toes(rotations: FloatArray) -> FloatArray:
    """Toes that only bend, within their range: recorded tips are noisy."""
    out = rotations.copy()
    toes = rotations[..., _BALLS, :]
    bend = 2.0 * np.arctan2(toes[..., 1], toes[..., 0])
    bend = (bend + np.pi) % (2.0 * np.pi) - np.pi
    out[..., _BALLS, :] = rot.from_axis_angle(_X, -np.clip(-bend, *TOES))
    return out


def _body_shift(ball: FloatArray, support: FloatArray, floor: FloatArray) -> FloatArray:
    """The shift ``(N, T, 3)`` of the whole body that holds the supporting ball during the swing.

    Before and after it the ball moves because the foot rolls; that is no fault of the body.
    """
    from scipy.ndimage import gaussian_filter1d

    shift = (support[:, None] - ball) * _LEVEL
    shift[:, :LIFT] = shift[:, LIFT : LIFT + 1]
    shift[:, LAND:] = shift[:, LAND : LAND + 1]
    smooth: FloatArray = gaussian_filter1d(shift, SHIFT_SMOOTHING, axis=1, mode="nearest")
    out: FloatArray = smooth - floor[:, None, None] * _HEIGHT
    return out


def _smooth_rolls(rolls: FloatArray) -> FloatArray:
    from scipy.ndimage import gaussian_filter1d

    out: FloatArray = gaussian_filter1d(np.unwrap(rolls, axis=1), ROLL_SMOOTHING, axis=1, mode="nearest")
    return out


def _targets(support: FloatArray, start: FloatArray, landing: FloatArray) -> FloatArray:
    """Where the balls stand, ``(N, T, 2, 3)``; in the swing the value does not matter."""
    out = np.zeros((len(support), SAMPLES, 2, 3))
    out[:, :, LEFT] = support[:, None]
    out[:, :LAND, RIGHT] = start[:, None]
    out[:, LAND:, RIGHT] = landing[:, None]
    return out


def _pin(feet: FloatArray, heels: FloatArray, targets: FloatArray, side: int) -> FloatArray:
    """The shift ``(N, T, 3)`` of a foot: while it stands its ball stays in place and heel or ball is on the floor."""
    ball = feet[:, :, side, 1]
    low = _lowest(feet, heels)[:, :, side]
    where = ball * _LEVEL + low[..., None] * _HEIGHT
    away: FloatArray = targets * _LEVEL - where
    if side == LEFT:
        return away
    out = away.copy()
    out[:, LIFT + 1 : LAND] = 0.0
    # The foot sets off from rest and comes to rest: the shift takes on the speed with which it was recorded.
    x = np.arange(1, EASE + 1) / EASE
    value, slope = (1 + 2 * x) * (1 - x) ** 2, x * (1 - x) ** 2 * EASE
    for edge, step in ((LIFT, 1), (LAND, -1)):
        speed = 0.5 * (where[:, edge + 1] - where[:, edge - 1]) * step
        eased = value[:, None] * away[:, None, edge] - slope[:, None] * speed[:, None]
        out[:, edge + step * np.arange(1, EASE + 1)] += eased
    return out


def _out_of_floor(feet: FloatArray, heels: FloatArray) -> FloatArray:
    """Feet lifted where the swing passes below the floor, and toes bent up where their tips do."""
    up = np.maximum(-_lowest(feet, heels), 0.0)
    out: FloatArray = feet + up[..., None, None] * _HEIGHT
    ball, tip = out[..., 1, :], out[..., 2, :]
    toes = tip - ball
    level = np.linalg.norm(toes * _LEVEL, axis=-1)
    drop = np.arctan2(-toes[..., 1], level)
    most = np.arcsin(np.clip(ball[..., 1] / TOE_LENGTH, 0.0, 1.0))
    drop = np.minimum(drop, most)
    forward = toes * _LEVEL / np.maximum(level, 1e-9)[..., None]
    out[..., 2, :] = ball + TOE_LENGTH * (np.cos(drop)[..., None] * forward - np.sin(drop)[..., None] * _HEIGHT)
    return out


def lowering(roots: FloatArray, turns: FloatArray, feet: FloatArray) -> FloatArray:
    """How far ``(N, T)`` the pelvis has to come down for both legs to reach, smooth over time."""
    from scipy.ndimage import gaussian_filter1d, maximum_filter1d

    need = np.zeros(roots.shape[:2])
    for side in (LEFT, RIGHT):
        hip = roots + rot.rotate(turns[:, :, 0], COMMON.offsets[_HIPS[side]])
        away = feet[:, :, side, 0] - hip
        level = np.sum((away * _LEVEL) ** 2, axis=-1)
        need = np.maximum(need, -away[..., 1] - np.sqrt(np.maximum((REACH * _LEG) ** 2 - level, 0.0)))
    wide = maximum_filter1d(need, 2 * round(REACH_SMOOTHING) + 1, axis=1, mode="nearest")
    smooth: FloatArray = gaussian_filter1d(wide, 0.5 * REACH_SMOOTHING, axis=1, mode="nearest")
    return np.maximum(smooth, need)
