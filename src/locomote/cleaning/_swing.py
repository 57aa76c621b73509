"""A foot in the air: the corrections of the plants before and behind, eased from one to the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._easing import BoolArray, bridged, eased, smooth_step, soft_excess
from locomote.cleaning._least_change import Stretch, Wish, least_change
from locomote.cleaning._legs import smooth_cover
from locomote.cleaning._plants import PlantedStance
from locomote.cleaning._soles import BALL, HEEL, TOE, FlatSole, floor_turn
from locomote.cleaning._tracks import FootTrack
from locomote.contacts import Floor
from locomote.contacts.feet import ADULT_LEG
from locomote.rotations import FloatArray

CLEARANCE = 0.0003  # m; a foot in the air may be so deep: the curve that lifts it out of the floor needs the room
LIFT_SPREAD = 0.06  # s; how long before and after it is lifted, but close to its plants not before it must
# What counts as much as what else of a foot in the air, for somebody with a leg of 0.9 m:
AT_A_CUT = 0.6  # of its stray, before the first plant and behind the last one
QUICKENING = 11.0  # m/s^2 of the correction,
BUSY = 9.0  # m/s^2 of the recorded foot, from which on the correction quickens the less;
JOLT = 10.0  # m/s^2 of a knee's distance from the line of hip and ankle beyond its recorded acceleration
PINNED = 1e-3  # of the stray, for a foot that stands
LEVER = 0.15  # m, of an adult; what turns of a foot count for against ways
PULL = 0.001  # m; a leg in the air may be stretched so much further than recorded


class SwingPath(NamedTuple):
    """Where a foot goes, in the world."""

    ankle: FloatArray  # (F, 3)
    turn: FloatArray  # (F, 4)
    toe_turn: FloatArray  # (F, 4) world rotation of the joint at which the toes bend


def carry(
    foot: FootTrack, stance: PlantedStance, floor: Floor, fps: float, sole: FlatSole, stray: float, limited: bool = True
) -> SwingPath:
    """The way of one foot: as in its plants, and with their corrections between them, from which it may ``stray``, m.

    Only if ``limited`` it keeps within reach of its leg.
    """
    planted = stance.planted
    middle = 0.5 * (foot.local(HEEL) + foot.local(BALL))
    recorded = foot.ankle + rot.rotate(foot.turn, middle)
    shift = stance.ankle + rot.rotate(stance.turn, middle) - recorded
    twist = rot.log(rot.multiply(stance.turn, rot.inverse(foot.turn)))
    bend = rot.log(rot.multiply(rot.inverse(foot.toe_turn), stance.toe_turn))
    may = _may(recorded, planted, fps, stray * sole.size)
    turned = np.concatenate([twist, bend], axis=1)
    turned = eased(LEVER * sole.size * turned, planted, fps, *may) / (LEVER * sole.size)
    in_air = ~planted[:, None]
    turn = np.where(in_air, rot.multiply(rot.exp(turned[:, :3]), foot.turn), stance.turn)
    bent = np.where(in_air, rot.multiply(foot.toe_turn, rot.exp(turned[:, 3:])), stance.toe_turn)
    start = recorded - rot.rotate(turn, middle)
    ankle = np.where(in_air, start + _way(foot, start, shift, planted, may, fps), stance.ankle)

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


def _may(recorded: FloatArray, planted: BoolArray, fps: float, most: float) -> tuple[FloatArray, FloatArray]:
    """How far a foot may stray in the air ``(F,)``, m, and how it may quicken ``(F,)``, m/s^2, for the same cost."""
    quick = np.zeros(len(recorded))
    if len(recorded) > 2:
        quick[1:-1] = np.linalg.norm(np.diff(recorded, 2, axis=0), axis=1) * fps**2
    stray = np.full(len(recorded), most)
    if np.any(planted):  # what the clip cuts has nowhere to go
        stand = np.flatnonzero(planted)
        stray[: stand[0]] *= AT_A_CUT
        stray[stand[-1] + 1 :] *= AT_A_CUT
    return stray, QUICKENING / np.sqrt(1.0 + (quick / BUSY) ** 2)


def _way(
    foot: FootTrack,
    start: FloatArray,
    shift: FloatArray,
    planted: BoolArray,
    may: tuple[FloatArray, FloatArray],
    fps: float,
) -> FloatArray:
    """How far the ankle goes ``(F, 3)`` from ``start`` so that its knee bends and quickens as recorded."""
    stray, sway = may
    size = float(np.median(foot.upper + foot.lower)) / ADULT_LEG
    wish = Wish(bridged(shift, planted), np.where(planted, PINNED * stray, stray), sway, JOLT * size)
    leg = Stretch(start, foot.hip, foot.upper, foot.lower, foot.bend)
    return least_change(wish, [leg], fps, size)


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
