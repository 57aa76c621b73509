"""How a performer stands: the stillest moment of their clips (PCA-008)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.human.fitting._calibration import Calibration, lowest_foot_points, sole_pitch
from locomote.human.fitting._cycles import LIMBS
from locomote.human.fitting._denoising import BoolArray, smoothed
from locomote.human.fitting._importing import Capture
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray

WINDOW = 0.3  # s that must be still
STILL_ROOT = 0.12  # m/s
STILL_LIMBS = 0.4  # rad/s, rms over the limbs
BENT_KNEE = np.radians(40.0)  # more is no standing
# Solved captures stand with knees bent by 20 to 30 degrees, which is how the solver fits their markers, not how
# people stand: the rest is straightened.
STRAIGHT_KNEE = np.radians(8.0)
STRIDE = 0.2  # hip heights; feet further apart along the facing are a halted step
ANKLES_BEHIND_HIPS = 0.045  # hip heights; the weight of a standing person is a little ahead of the ankles
LIFTED = 0.05  # hip heights between the ankles; more is a foot in the air
CUTOFF = 4.0  # Hz

_X = np.array([1.0, 0.0, 0.0])
_KNEES = [COMMON.index(name) for name in ("LeftLeg", "RightLeg")]
_FEET = [COMMON.index(name) for name in ("LeftFoot", "RightFoot")]
_TOES = [COMMON.index(name) for name in ("LeftToeBase", "RightToeBase")]
_HIPS = [COMMON.index(name) for name in ("LeftUpLeg", "RightUpLeg")]
_SPINE = [COMMON.index(name) for name in ("Spine", "Spine1", "Spine2")]
_SWAP = {"Left": "Right", "Righ": "Left"}
_MIRROR = [
    COMMON.index(_SWAP[name[:4]] + name.removeprefix("Left").removeprefix("Right"))
    if name[:4] in _SWAP
    else COMMON.index(name)
    for name in COMMON.names
]
_LOWER = [j for j, name in enumerate(COMMON.names) if name == "Hips" or name.endswith(("Leg", "Foot", "ToeBase"))]


@dataclass(frozen=True, eq=False)
class Stand:
    """A standing pose: facing +Z, feet flat on the floor, root in hip heights."""

    root: FloatArray  # (3,)
    rotations: FloatArray  # (J, 4)
    stillness: float  # rad/s of the limbs, the less the better


def find_stand(capture: Capture) -> Stand | None:
    """The stillest moment of a clip in which the person stands on both feet, None if there is none."""
    from scipy.ndimage import uniform_filter1d  # slow to import, needed offline only

    calm = smoothed(capture, CUTOFF)
    if len(calm) < 3:
        return None
    step = rot.distance(calm.rotations[:-1, LIMBS], calm.rotations[1:, LIMBS]) * calm.fps
    limbs = np.sqrt(np.mean(step**2, axis=1))
    root = np.linalg.norm(np.diff(calm.root, axis=0), axis=1) * calm.fps * calm.hip_height
    wide = max(1, round(WINDOW * calm.fps))
    busy = uniform_filter1d(np.stack([limbs, root]), wide, axis=1, mode="nearest")
    inside = np.arange(len(limbs))
    allowed = (busy[0] < STILL_LIMBS) & (busy[1] < STILL_ROOT)
    allowed &= (inside >= wide // 2) & (inside < len(limbs) - wide // 2)
    allowed &= _on_both_feet(calm)[:-1]
    if not allowed.any():
        return None
    at = int(np.argmin(np.where(allowed, busy[0], np.inf)))
    frames = slice(max(0, at - wide // 2), at + wide // 2 + 1)
    turns = rot.mean(calm.rotations[frames])
    return Stand(calm.root[frames].mean(axis=0), turns, float(busy[0, at]))


def settled(stand: Stand, calibration: Calibration) -> Stand:
    """The standing pose of a performer, calibrated: the lower body is made even, so that both soles rest."""
    root, turns = calibration.apply(stand.root[None], stand.rotations[None])
    return on_both_soles(root[0], turns[0], stand.stillness)


def on_both_soles(root: FloatArray, rotations: FloatArray, stillness: float = 0.0) -> Stand:
    """A pose turned to face +Z, with even, nearly straight legs, flat feet and the soles at height 0."""
    turns = rotations.copy()
    turns[0] = rot.multiply(rot.from_yaw(-rot.yaw(turns[0])), turns[0])
    chest = turns[0]
    for joint in _SPINE:
        chest = rot.multiply(chest, turns[joint])
    mirrored = turns[_MIRROR] * np.array([1.0, 1.0, -1.0, -1.0])
    turns[_LOWER] = rot.slerp(turns[_LOWER], mirrored[_LOWER], np.full(len(_LOWER), 0.5))
    # The chest keeps its direction on the evened pelvis.
    turns[_SPINE] = rot.exp(rot.log(rot.multiply(rot.inverse(turns[0]), chest)) / 3.0)
    turns[_TOES] = rot.identity(2)
    for hip, knee in zip(_HIPS, _KNEES, strict=True):
        bend = float(rot.angle(turns[knee]))
        if bend > STRAIGHT_KNEE:
            turns[knee] = rot.exp(rot.log(turns[knee]) * STRAIGHT_KNEE / bend)
            back = rot.from_axis_angle(_X, 0.5 * (bend - STRAIGHT_KNEE))  # the ankle stays below the hip
            turns[hip] = rot.multiply(turns[hip], back)
    positions = Motion(COMMON, 1.0, root[None], turns[None]).joint_positions()
    leg = positions[0, _FEET].mean(axis=0) - positions[0, _HIPS].mean(axis=0)
    lean = float(np.arctan2(leg[2], -leg[1]) + np.arcsin(ANKLES_BEHIND_HIPS / np.hypot(leg[1], leg[2])))
    turns[_HIPS] = rot.multiply(rot.from_axis_angle(_X, lean), turns[_HIPS])
    world = Motion(COMMON, 1.0, root[None], turns[None]).world()[1][0]
    for foot in _FEET:
        turns[foot] = rot.multiply(turns[foot], rot.from_axis_angle(_X, -float(sole_pitch(world[foot]))))
    place = np.array([0.0, root[1], 0.0])
    place[1] -= float(lowest_foot_points(place[None], turns[None])[0])
    return Stand(place, turns, stillness)


def _on_both_feet(capture: Capture) -> BoolArray:
    knees = rot.angle(capture.rotations[:, _KNEES]).max(axis=1)
    ankles = Motion(COMMON, 1.0, capture.root, capture.rotations).joint_positions()[:, _FEET]
    facing = rot.rotate(rot.from_yaw(rot.yaw(capture.rotations[:, 0])), np.array([0.0, 0.0, 1.0]))
    apart = np.abs(np.sum((ankles[:, 0] - ankles[:, 1]) * facing, axis=1))
    lifted = np.abs(ankles[:, 0, 1] - ankles[:, 1, 1])
    still: BoolArray = (knees < BENT_KNEE) & (apart < STRIDE) & (lifted < LIFTED)
    return still
