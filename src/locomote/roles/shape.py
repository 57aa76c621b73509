"""What the rest pose says: the mirror plane, which limbs stand on the floor, where the body faces."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from locomote.roles.limbs import OFF_PLANE, Limb
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

UP: FloatArray = np.array([0.0, 1.0, 0.0])
MIRROR_ERROR = 0.06  # of the body's diagonal; the largest distance between a tip and its mirrored partner
STANDING_TIP = 0.25  # of the body's height; the tip of a leg is not higher
STANDING_DROP = 0.15  # of the body's height; a leg falls at least so far from its highest joint to its tip
HANGING = 0.15  # of a leg's length; in a rest pose that means something the legs fall at least so far
NEAR_PLANE = 0.3  # of the distance at which a joint belongs to a side for sure
SNAP = np.cos(np.radians(2.0))  # a direction this close to an axis is meant to be the axis


def mirror_sides(skeleton: Skeleton, positions: FloatArray) -> list[str]:
    """For every joint ``left``, ``right`` or an empty string, by its place beside the better mirror plane.

    Which side is really left is only known with the forward direction; here it lies towards +X or +Z.
    """
    axis = min((0, 2), key=lambda a: _mirror_error(positions, a))
    across = positions[:, axis] - _middle(positions, axis)
    margin = max(OFF_PLANE * float(np.ptp(across)), 1e-9)
    sides = ["left" if x > margin else "right" if x < -margin else "" for x in across]
    below: list[set[str]] = [set() for _ in sides]
    for j in range(len(sides) - 1, 0, -1):
        # A clavicle begins near the middle; all that it carries is on its own side.
        leans = "left" if across[j] > NEAR_PLANE * margin else "right" if across[j] < -NEAR_PLANE * margin else ""
        if not sides[j] and leans and below[j] == {leans}:
            sides[j] = leans
        below[skeleton.parents[j]] |= below[j] | {sides[j]}
    return sides


def _middle(positions: FloatArray, axis: int) -> float:
    return 0.5 * float(positions[:, axis].min() + positions[:, axis].max())


def _mirror_error(positions: FloatArray, axis: int) -> float:
    mirrored = positions.copy()
    mirrored[:, axis] = 2.0 * _middle(positions, axis) - mirrored[:, axis]
    apart = np.linalg.norm(positions[:, None] - mirrored[None], axis=-1)
    flat = 0.0 if np.ptp(positions[:, axis]) > 1e-6 else np.inf  # a flat body is its own mirror image
    return float(np.mean(apart.min(axis=1))) + flat


def hangs(limbs: list[Limb], positions: FloatArray) -> bool:
    """Whether the legs of both sides reach down: some files keep every bone along one axis in their zero pose."""
    falls: dict[str, list[float]] = {}
    for limb in limbs:
        line = [*positions[list(limb.path)], limb.end]
        length = sum(float(np.linalg.norm(b - a)) for a, b in pairwise(line))
        fall = (positions[list(limb.path), 1].max() - limb.end[1]) / max(length, 1e-9)
        falls.setdefault(limb.side, []).append(float(fall))
    return bool(falls) and min(float(np.mean(side)) for side in falls.values()) > HANGING


def stands(limb: Limb, limbs: list[Limb], positions: FloatArray) -> bool:
    """Whether a limb reaches the floor in the rest pose and has a partner on the other side."""
    ends = np.array([other.end for other in limbs])
    floor = min(float(ends[:, 1].min()), float(positions[:, 1].min()))
    height = max(float(positions[:, 1].max()) - floor, 1e-9)
    fall = float(positions[list(limb.path), 1].max() - limb.end[1])
    return (
        limb.end[1] - floor <= STANDING_TIP * height
        and fall >= STANDING_DROP * height
        and len(limb.path) >= 2
        and _has_partner(limb, limbs, positions)
    )


def _has_partner(limb: Limb, limbs: list[Limb], positions: FloatArray) -> bool:
    diagonal = float(np.linalg.norm(np.ptp(positions, axis=0)))
    for other in limbs:
        if other.side == limb.side:
            continue
        across = limb.end - other.end
        middle = 0.5 * (limb.end + other.end)
        off = positions[:, [0, 2]].mean(axis=0) - middle[[0, 2]]
        level = abs(across[1]) <= MIRROR_ERROR * diagonal
        # Mirror images differ along one horizontal axis only, whichever it is.
        aligned = min(abs(across[0]), abs(across[2])) <= MIRROR_ERROR * diagonal
        centred = min(abs(off)) <= MIRROR_ERROR * diagonal
        if level and aligned and centred:
            return True
    return False


def snapped(direction: FloatArray) -> FloatArray:
    """The unit direction, or the axis it nearly is."""
    length = float(np.linalg.norm(direction))
    if length < 1e-9:
        return np.array([0.0, 0.0, 1.0])
    unit: FloatArray = direction / length
    axis = int(np.argmax(np.abs(unit)))
    if abs(unit[axis]) >= SNAP:
        unit = np.sign(unit[axis]) * np.eye(3)[axis]
    return unit


def level(direction: FloatArray) -> FloatArray:
    """The horizontal part of a direction."""
    flat: FloatArray = direction * np.array([1.0, 0.0, 1.0])
    return flat
