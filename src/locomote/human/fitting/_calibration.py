"""Constants of marker placement, taken out per performer: pitch of pelvis, head and feet, and the floor.

How markers sit on a body shifts whole channels by constants that say nothing about the person: the pelvis of one
performer leans 23 degrees, that of the next -6. Legs and chest keep their directions in the world while these are
set right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from locomote import rotations as rot
from locomote.human._model import STRIKE_PHASE
from locomote.human.fitting._cycles import Unit
from locomote.human_skeleton import COMMON, PELVIS_ABOVE_HIPS, SHANK, THIGH, heel_offset
from locomote.motion import Motion
from locomote.rotations import FloatArray

PELVIS_PITCH = {"walk": np.radians(3.0), "run": np.radians(9.0)}  # forwards, mean over the cycle
FLAT = {"walk": (0.15, 0.35), "run": (0.10, 0.20)}  # phase after its own strike in which a foot stands flat
FLOOR_PERCENTILE = 15.0  # of the lowest point of the feet over the cycle, put at height 0

_X = np.array([1.0, 0.0, 0.0])
_SPINE = [COMMON.index(name) for name in ("Spine", "Spine1", "Spine2")]
_HIPS = [COMMON.index(name) for name in ("LeftUpLeg", "RightUpLeg")]
_NECK, _HEAD = COMMON.index("Neck"), COMMON.index("Head")
_FEET = [COMMON.index(name) for name in ("LeftFoot", "RightFoot")]
_TOES = [COMMON.index(name) for name in ("LeftToeBase", "RightToeBase")]
_HEEL = heel_offset(THIGH + SHANK)
_TOE = COMMON.end_offsets[list(COMMON.end_parents).index(_TOES[0])]


@dataclass(frozen=True)
class Calibration:
    """The corrections of one performer, radians: positive tips the top forwards, a foot's toes down."""

    pelvis: float
    feet: tuple[float, float]  # left, right
    toes: tuple[float, float]

    @staticmethod
    def of(units: list[Unit]) -> Calibration:
        """The corrections from all units of ONE performer; walking decides where there is any."""
        units = [unit for unit in units if unit.gait == "walk"] or units
        pelvis = PELVIS_PITCH[units[0].gait] - float(np.mean([_pitch(unit.rotations[:, 0]).mean() for unit in units]))
        worlds = [Motion(COMMON, 1.0, unit.root, unit.rotations).world()[1] for unit in units]
        feet, toes = [], []
        for side in (0, 1):
            flat = [_flat(unit, side) for unit in units]
            foot = -float(np.mean([sole_pitch(w[at, _FEET[side]]).mean() for w, at in zip(worlds, flat, strict=True)]))
            toe = -float(np.mean([sole_pitch(w[at, _TOES[side]]).mean() for w, at in zip(worlds, flat, strict=True)]))
            feet.append(foot)
            toes.append(toe - foot)  # the toes ride on the foot
        return Calibration(pelvis, (feet[0], feet[1]), (toes[0], toes[1]))

    def apply(self, root: FloatArray, rotations: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Poses ``(F, 3)`` and ``(F, J, 4)`` set right, with a head that is level on average."""
        turns = rotations.copy()
        root = _with_pelvis(root, turns, self.pelvis)
        for side in (0, 1):
            for joint, angle in ((_FEET[side], self.feet[side]), (_TOES[side], self.toes[side])):
                turns[:, joint] = rot.multiply(turns[:, joint], rot.from_axis_angle(_X, angle))
        _level_head(root, turns)
        return root, turns


def calibrated(units: list[Unit]) -> list[Unit]:
    """The units of ONE performer with the constants of marker placement removed and the feet on the floor."""
    calibration = Calibration.of(units)
    out = []
    for unit in units:
        root, turns = calibration.apply(unit.root, unit.rotations)
        lowest = np.percentile(lowest_foot_points(root, turns), FLOOR_PERCENTILE)
        out.append(replace(unit, root=root - [0.0, lowest, 0.0], rotations=turns))
    return out


def lowest_foot_points(root: FloatArray, rotations: FloatArray) -> FloatArray:
    """The height of the lowest of heel, ball and toe of both feet, ``(F,)``."""
    positions, world = Motion(COMMON, 1.0, root, rotations).world()
    heels = positions[:, _FEET] + rot.rotate(world[:, _FEET], _HEEL)
    tips = positions[:, _TOES] + rot.rotate(world[:, _TOES], _TOE)
    points = np.concatenate([heels, positions[:, _TOES], tips], axis=1)
    out: FloatArray = points[..., 1].min(axis=1)
    return out


def sole_pitch(world: FloatArray) -> FloatArray:
    """How far feet or toes with these world rotations point down."""
    sole = rot.rotate(world, np.array([0.0, 0.0, 1.0]))
    return np.arctan2(-sole[..., 1], np.hypot(sole[..., 0], sole[..., 2]))


def _pitch(q: FloatArray) -> FloatArray:
    """How far a frame leans forwards: positive when its up axis tips towards its heading."""
    up = rot.rotate(rot.multiply(rot.from_yaw(-rot.yaw(q)), q), np.array([0.0, 1.0, 0.0]))
    return np.arctan2(up[..., 2], up[..., 1])


def _flat(unit: Unit, side: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Samples in which a foot stands flat."""
    start, stop = FLAT[unit.gait]
    phase = (np.arange(len(unit.root)) / len(unit.root) - STRIKE_PHASE[side]) % 1.0
    return (phase >= start) & (phase <= stop)


def _with_pelvis(root: FloatArray, turns: FloatArray, lean: float) -> FloatArray:
    """Turn the pelvis about the line of the hips, in place; thighs and chest keep their place and direction."""
    change = rot.from_axis_angle(_X, lean)
    chest = rot.multiply(rot.multiply(turns[:, _SPINE[0]], turns[:, _SPINE[1]]), turns[:, _SPINE[2]])
    above_hips = np.array([0.0, PELVIS_ABOVE_HIPS, 0.0])
    hips = root - rot.rotate(turns[:, 0], above_hips)
    turns[:, 0] = rot.multiply(turns[:, 0], change)
    turns[:, _HIPS] = rot.multiply(rot.inverse(change), turns[:, _HIPS])
    turns[:, _SPINE] = rot.exp(rot.log(rot.multiply(rot.inverse(change), chest)) / 3.0)[:, None]
    return hips + rot.rotate(turns[:, 0], above_hips)


def _level_head(root: FloatArray, turns: FloatArray) -> None:
    """Take the mean pitch out of the head, in place; neck and head share the bend."""
    _, world = Motion(COMMON, 1.0, root, turns).world()
    level = rot.multiply(world[:, _HEAD], rot.from_axis_angle(_X, -float(_pitch(world[:, _HEAD]).mean())))
    half = rot.exp(0.5 * rot.log(rot.multiply(rot.inverse(world[:, _SPINE[-1]]), level)))
    turns[:, [_NECK, _HEAD]] = half[:, None]
