"""The body of a person: one smooth skin over the bones of the walking engine's skeleton, within a game's budget."""

from __future__ import annotations

import numpy as np

from locomote.body import Body, capsule_body
from locomote.human_skeleton import COMMON, HAND_LENGTH
from locomote.rotations import FloatArray
from locomote.skeleton import Girths, Skeleton, checked_skeleton
from locomote.skin_pieces import SkinPiece, ball, body_of, tube

MOST_TRIANGLES = 5000  # what a game gives to a person

# Stations of the skin, in hip heights: where along the joints, half width, half depth (front and back if they differ).
_TRUNK = (
    (0.0, 0.085, 0.075), (0.45, 0.158, 0.095, 0.112), (1.0, 0.168, 0.098, 0.118), (2.0, 0.142, 0.092, 0.090),
    (3.0, 0.158, 0.102, 0.100), (3.9, 0.176, 0.108, 0.106), (4.45, 0.172, 0.086, 0.096), (4.75, 0.128, 0.064, 0.080),
    (5.0, 0.068, 0.058, 0.066), (5.35, 0.052, 0.052, 0.058), (5.9, 0.050, 0.050, 0.056),
)  # fmt: skip
_WAIST, _RIBS, _NECK = 2.0, 3.0, 5.0  # where along the trunk belly, chest and neck begin
_LEG = (
    (0.0, 0.082, 0.092), (0.35, 0.090, 0.096), (0.75, 0.066, 0.072), (1.0, 0.056, 0.062), (1.3, 0.050, 0.066),
    (1.7, 0.036, 0.042), (2.0, 0.033, 0.038),
)  # fmt: skip
_ARM = (
    (0.3, 0.062, 0.066), (1.0, 0.058, 0.064), (1.35, 0.046, 0.050), (2.0, 0.037, 0.038), (2.25, 0.040, 0.038),
    (3.0, 0.024, 0.029), (3.4, 0.018, 0.042), (3.8, 0.014, 0.036), (4.0, 0.010, 0.022),
)  # fmt: skip
_FOOT = (
    (0.0, 0.036, 0.036, 0.030), (0.38, 0.040, 0.066, 0.030), (0.8, 0.046, 0.036, 0.030), (1.0, 0.049, 0.026, 0.030),
    (1.75, 0.040, 0.012, 0.028),
)  # fmt: skip
_SOLE = 0.03  # the middle line of a foot above its sole
_HEEL = 0.05  # the rear of the foot behind the ankle
_CROTCH = 0.11  # the lower end of the trunk below the pelvis
_SKULL = (0.076, 0.116, 0.090)  # half width, height and depth
_NOSE = (0.012, 0.014, 0.02)
_FULL, _LIGHT = 1.0, 0.55  # rings and vertices around, beside those of the full body


def default_body(skeleton: Skeleton) -> Body:
    """What a skeleton without a body of its own is shown as: a mannequin for people, rounded limbs for all others."""
    return mannequin(skeleton) if is_walker(skeleton) else capsule_body(skeleton)


def is_walker(skeleton: Skeleton) -> bool:
    """Whether a skeleton has the joints of the walking engine, in its T-pose."""
    return (
        skeleton.names == COMMON.names
        and bool(np.array_equal(skeleton.parents, COMMON.parents))
        and not np.any(skeleton.rest_rotations[:, 1:])
    )


def mannequin(skeleton: Skeleton, light: bool = False) -> Body:
    """A smooth skin for a skeleton of `locomote.human_skeleton.human_skeleton`: 3,164 triangles, or half of them.

    Parameters
    ----------
    skeleton : its lengths and girths say how tall and stout
    light : half of the triangles, for crowds and small screens
    """
    skeleton = checked_skeleton(skeleton, "mannequin")
    at, places, girths = skeleton.index, skeleton.rest_pose()[0], skeleton.girths
    unit = float(places[at("LeftUpLeg"), 1])
    fine = _LIGHT if light else _FULL
    tips = {int(j): offset for j, offset in zip(skeleton.end_parents, skeleton.end_offsets, strict=True)}

    def spot(joint: str, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> FloatArray:
        return np.asarray(places[at(joint)] + unit * np.array([x, y, z]))

    def skin(line: list[FloatArray], names: list[str], stations: list[tuple[float, ...]], around: int, rings: int,
             side: tuple[float, float, float], **bends: float) -> SkinPiece:  # fmt: skip
        bones = [at(name) for name in names]
        return tube(line, bones, stations, side, max(round(fine * around), 6), max(round(fine * rings), 3), **bends)

    middle = ["Hips", "Spine", "Spine1", "Spine2", "Neck", "Head"]
    line = [spot("Hips", y=-_CROTCH), *(spot(name) for name in middle)]
    trunk = [_scaled(row, unit * _trunk_girth(row[0], girths)) for row in _TRUNK]
    pieces = [skin(line, ["Hips", *middle[:-1]], trunk, 14, 4, (1.0, 0.0, 0.0), corner=0.25, blend=0.5)]
    head = unit * girths.head
    skull = places[at("Head")] + head * np.array([0.0, 0.082, 0.02])
    nose = places[at("Head")] + head * np.array([0.0, 0.066, 0.108])
    pieces.append(ball(at("Head"), skull, head * np.array(_SKULL), around=max(round(fine * 14), 6)))
    pieces.append(ball(at("Head"), nose, head * np.array(_NOSE), around=6))
    limbs = unit * girths.limbs
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        arm = [f"{side}{part}" for part in ("Shoulder", "Arm", "ForeArm", "Hand")]
        hand = tips.get(at(arm[-1]), sign * unit * np.array([HAND_LENGTH, 0.0, 0.0]))
        line = [*(spot(name) for name in arm), spot(arm[-1]) + hand]
        pieces.append(skin(line, arm, [_scaled(row, limbs) for row in _ARM], 9, 4, (0.0, 0.0, 1.0)))
        leg = [f"{side}{part}" for part in ("UpLeg", "Leg")]
        line = [*(spot(name) for name in leg), spot(f"{side}Foot")]
        pieces.append(skin(line, leg, [_scaled(row, limbs) for row in _LEG], 10, 5, (1.0, 0.0, 0.0)))
        foot, toes = f"{side}Foot", f"{side}ToeBase"
        line = [spot(foot, z=-_HEEL), spot(toes), spot(toes, z=0.085)]
        for place in line:
            place[1] = unit * _SOLE
        shoe = [_scaled(row, unit) for row in _FOOT]
        pieces.append(skin(line, [foot, toes], shoe, 10, 5, (-1.0, 0.0, 0.0), corner=0.05))
    return body_of(skeleton, pieces)


def _scaled(row: tuple[float, ...], unit: float) -> tuple[float, ...]:
    return (row[0], *(unit * size for size in row[1:]))


def _trunk_girth(where: float, girths: Girths) -> float:
    """How much thicker than usual a trunk is at a station: belly below, chest above, the neck in between."""
    neck = 0.5 * (girths.chest + girths.head)
    return float(
        np.interp(where, (_WAIST, _RIBS, 0.95 * _NECK, _NECK), (girths.belly, girths.chest, girths.chest, neck))
    )
