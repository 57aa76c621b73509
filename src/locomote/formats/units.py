"""Lengths and axes of files that do not say which they use: their names, and a guess from the body's size."""

from __future__ import annotations

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

CMU = 0.0254 / 0.45  # metres; the length unit of the CMU recordings
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "foot": 0.3048, "cmu": CMU}  # metres

BODY_SIZE = 2.4  # metres from toe tip to finger tip along the bones of a grown person
# How much nearer to BODY_SIZE (in the logarithm) a rarer unit must come before it is believed.
_RARITY = {"m": 0.0, "cm": 0.0, "mm": 0.0, "inch": 0.4, "foot": 0.8, "cmu": 0.6}
_CMU_NAMES = {"LHipJoint", "RHipJoint", "LowerBack"}
_DOUBTFUL = np.log(3.0)  # a body that is three times larger or smaller than a person

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
# Where a body faces when only the up axis is given: the smallest turn to Y up keeps this direction.
_FORWARD = {"x": "z", "-x": "z", "y": "z", "-y": "z", "z": "-y", "-z": "y"}


def unit_in_metres(unit: str | float) -> float:
    """The length of a unit given by name or as a number of metres."""
    if isinstance(unit, str):
        if unit in UNITS:
            return UNITS[unit]
        raise LocomoteError(f"unit {unit!r}: expected auto, {', '.join(UNITS)} or a number of metres")
    metres = float(unit)
    if not (np.isfinite(metres) and metres > 0.0):
        raise LocomoteError(f"unit {unit!r}: a number of metres must be positive")
    return metres


def guess_unit(
    names: list[str], parents: IntArray, bones: FloatArray, end_parents: IntArray, end_bones: FloatArray
) -> tuple[float, str]:
    """The likely unit of a body whose bone vectors are in file units, in metres, and a sentence on why."""
    size = body_size(parents, bones, end_parents, end_bones)
    if size <= 0.0:
        return 1.0, "unit: metres assumed, as the skeleton has no size"
    cost = {name: abs(np.log(size * unit / BODY_SIZE)) + _RARITY[name] for name, unit in UNITS.items()}
    if set(names) >= _CMU_NAMES:
        cost["cmu"] -= _RARITY["cmu"]
    best = min(cost, key=cost.__getitem__)
    metres = size * UNITS[best]
    note = f"unit: {best} ({UNITS[best]:.6g} m) guessed, as the body is {size:.4g} units or {metres:.3g} m long"
    if abs(np.log(metres / BODY_SIZE)) > _DOUBTFUL:
        note += "; doubtful for this size, give unit= to be sure"
    return UNITS[best], note


def body_size(parents: IntArray, bones: FloatArray, end_parents: IntArray, end_bones: FloatArray) -> float:
    """The longest way along the bones from one tip to another: the same in every pose.

    A root that stands apart from the body, as on the floor below it, lies on no such way and does not count.
    """
    reach = np.zeros(len(parents))  # the longest way down from each joint
    longest = 0.0

    def hang(parent: int, way_down: float) -> None:
        nonlocal longest
        if reach[parent] > 0.0:
            longest = max(longest, float(reach[parent]) + way_down)
        reach[parent] = max(reach[parent], way_down)

    for parent, length in zip(end_parents, np.linalg.norm(end_bones, axis=-1), strict=True):
        hang(parent, length)
    lengths = np.linalg.norm(bones, axis=-1)
    for j in range(len(parents) - 1, 0, -1):
        hang(parents[j], float(reach[j] + lengths[j]))
    return longest if longest > 0.0 else float(reach[0])


def basis(up: str, forward: str | None) -> FloatArray:
    """The matrix that turns a file's axes into Y up, +Z forward; axes are named such as ``z`` or ``-y``."""
    up_axis = _axis(up, "up")
    forward_axis = _axis(_FORWARD[up] if forward is None else forward, "forward")
    if abs(float(up_axis @ forward_axis)) > 0.5:
        raise LocomoteError(f"up={up!r} and forward={forward!r} lie on one axis")
    return np.stack([np.cross(up_axis, forward_axis), up_axis, forward_axis])


def _axis(name: str, what: str) -> FloatArray:
    sign = -1.0 if name.startswith("-") else 1.0
    if name.removeprefix("-") not in _AXES:
        raise LocomoteError(f"{what}={name!r}: expected x, y or z, with a minus sign where it points the other way")
    return sign * np.array(_AXES[name.removeprefix("-")])
