"""A foot in the air: the corrections of the plants before and behind, eased from one to the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._easing import BoolArray, bridged, smooth_step, soft_excess
from locomote.cleaning._legs import smooth_cover
from locomote.cleaning._plants import PlantedStance
from locomote.cleaning._soles import BALL, HEEL, TOE, FlatSole, floor_turn
from locomote.cleaning._tracks import FootTrack
from locomote.contacts import Floor
from locomote.rotations import FloatArray

CLEARANCE = 0.0003  # m; a foot in the air may be so deep: the curve that lifts it out of the floor needs the room
LIFT_SPREAD = 0.06  # s; how long before and after it is lifted, but close to its plants not before it must
PULL = 0.001  # m; a leg in the air may be stretched so much further than recorded


class SwingPath(NamedTuple):
    """Where a foot goes, in the world."""

    ankle: FloatArray  # (F, 3)
    turn: FloatArray  # (F, 4)
    toe_turn: FloatArray  # (F, 4) world rotation of the joint at which the toes bend


def carry(
    foot: FootTrack, stance: PlantedStance, floor: Floor, fps: float, sole: FlatSole, limited: bool = True
) -> SwingPath:
    """The way of one foot: as in its plants, and with their corrections between them.

    Only if ``limited`` it keeps within reach of its leg.
    """
    planted = stance.planted
    middle = 0.5 * (foot.local(HEEL) + foot.local(BALL))
    recorded = foot.ankle + rot.rotate(foot.turn, middle)
    shift = stance.ankle + rot.rotate(stance.turn, middle) - recorded
    twist = rot.log(rot.multiply(stance.turn, rot.inverse(foot.turn)))
    bend = rot.log(rot.multiply(rot.inverse(foot.toe_turn), stance.toe_turn))
    eased = bridged(np.concatenate([shift, twist, bend], axis=1), planted, fps)
    in_air = ~planted[:, None]
    turn = np.where(in_air, rot.multiply(rot.exp(eased[:, 3:6]), foot.turn), stance.turn)
    bent = np.where(in_air, rot.multiply(foot.toe_turn, rot.exp(eased[:, 6:])), stance.toe_turn)
    ankle = np.where(in_air, recorded + eased[:, :3] - rot.rotate(turn, middle), stance.ankle)

    ankle = np.where(in_air, _within_reach(foot, ankle), ankle) if limited else ankle
    over = [floor.heights(ankle + rot.rotate(turn, foot.local(point))) for point in (HEEL, BALL)]
    depth = sole.level - np.min(over, axis=0)
    away = np.zeros(len(planted))
    away[~planted] = _distance(planted)[~planted] / (LIFT_SPREAD * fps)
    ankle[:, 1] += np.where(planted, 0.0, _foreseen(soft_excess(depth, CLEARANCE), away, fps))
    toes = rot.multiply(turn, bent)
    if sole.toe_joint is not None:
        toes = _raised_toes(foot, ankle, turn, toes, floor, sole, away, fps)
    return SwingPath(ankle, turn, toes)


def _distance(planted: BoolArray) -> FloatArray:
    """How many frames away the next plant is, ``(F,)``."""
    from scipy.ndimage import distance_transform_edt

    if not np.any(planted):
        return np.full(len(planted), np.inf)
    out: FloatArray = distance_transform_edt(~planted)
    return out


def _foreseen(lift: FloatArray, away: FloatArray, fps: float) -> FloatArray:
    """A lift that begins before it is needed; ``away (F,)`` says how far the next plant is, 1 being far."""
    far = smooth_step(away)
    out: FloatArray = far * smooth_cover(lift, fps, LIFT_SPREAD) + (1.0 - far) * lift
    return out


def _within_reach(foot: FootTrack, ankle: FloatArray) -> FloatArray:
    """The ankle drawn to the hip where the leg would be pulled straight."""
    away = ankle - foot.hip
    distance = np.linalg.norm(away, axis=1)
    shorter = soft_excess(distance - foot.reach, PULL) / np.maximum(distance, 1e-9)
    out: FloatArray = ankle - shorter[:, None] * away
    return out


def _raised_toes(
    foot: FootTrack,
    ankle: FloatArray,
    turn: FloatArray,
    toes: FloatArray,
    floor: Floor,
    sole: FlatSole,
    away: FloatArray,
    fps: float,
) -> FloatArray:
    """The toes bent up where their tips would go through the floor."""
    recorded = rot.multiply(foot.turn, foot.toe_turn)
    tip = rot.rotate(toes, rot.rotate(rot.inverse(recorded), foot.points[:, TOE] - foot.points[:, BALL]))
    ball = ankle + rot.rotate(turn, foot.local(BALL))
    depth = sole.toe_level - floor.heights(ball + tip)
    lift = _foreseen(soft_excess(depth, CLEARANCE), away, fps)
    up = rot.rotate(floor_turn(floor), [0.0, 1.0, 0.0])
    rise = tip @ up
    ahead = tip - rise[:, None] * up
    length = np.linalg.norm(tip, axis=1)
    level = np.linalg.norm(ahead, axis=1)
    angle = np.arcsin(np.clip((rise + lift) / np.maximum(length, 1e-9), -1.0, 1.0)) - np.arctan2(rise, level)
    axis = np.cross(ahead, up) / np.maximum(level, 1e-9)[:, None]
    return rot.multiply(rot.from_axis_angle(axis, np.where(lift > 0.0, angle, 0.0)), toes)
