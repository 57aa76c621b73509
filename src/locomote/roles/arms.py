"""The joints of an arm, by their names or else by their places."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from locomote.roles import names as say
from locomote.roles.limbs import Limb
from locomote.rotations import FloatArray
from locomote.skeleton import Arm, Skeleton

SHORTEST_UPPER_ARM = 0.6  # of the forearm


def make_arm(skeleton: Skeleton, limb: Limb, positions: FloatArray) -> Arm | None:
    """The joints of an arm, or None if the branch is too short for one."""
    path = list(limb.path)
    names = [skeleton.names[j] for j in path]
    twists = say.twists(skeleton.names)
    bends = [i for i, j in enumerate(path) if not twists[j]]
    fingers = next((i for i in bends if say.says(names[i], say.FINGER)), len(path))
    elbow = next((i for i in bends if i > 0 and say.says(names[i], say.FOREARM)), None)
    wrist = next((i for i in bends if i > (elbow or 1) and say.says(names[i], (*say.HAND, *say.FOOT))), None)
    if wrist is None and elbow is not None:
        wrist = next((i for i in bends if elbow < i < fingers), elbow)  # an arm that ends with its forearm
    if wrist is None:
        wrist = _wrist(skeleton, [i for i in bends if i < fingers], path, positions)
    if elbow is None:
        inside = [i for i in bends if 0 < i < wrist]
        elbow = max(inside, key=lambda i: _balance(path[: wrist + 1], i, positions), default=0)
    if elbow < 1:
        return None
    upper = next((i for i in bends if i < elbow and say.says(names[i], (*say.UPPER_ARM, *say.THIGH))), None)
    shoulder = _shoulder([i for i in bends if i < elbow], elbow, wrist, path, positions) if upper is None else upper
    clavicle = path[shoulder - 1] if shoulder > 0 else None
    return Arm(limb.side, path[shoulder], path[elbow], path[wrist], clavicle)


def _wrist(skeleton: Skeleton, bends: list[int], path: list[int], positions: FloatArray) -> int:
    """Where an arm without telling names branches into fingers, or else the end of its second long bone."""
    branch = next((i for i in bends if i > 1 and len(skeleton.children(path[i])) > 1), None)
    if branch is not None:
        return branch
    if len(bends) < 3:
        return bends[-1] if bends else 0
    reach = [float(np.linalg.norm(positions[path[b]] - positions[path[a]])) for a, b in pairwise(bends)]
    elbow = max(range(1, len(reach)), key=lambda k: min(reach[k - 1], reach[k]))
    return bends[elbow + 1]


def _balance(path: list[int], i: int, positions: FloatArray) -> float:
    """The shorter of the two ways along an arm, to its end and back to where it begins."""
    lengths = np.linalg.norm(np.diff(positions[path], axis=0), axis=1)
    return float(min(lengths[:i].sum(), lengths[i:].sum()))


def _shoulder(above: list[int], elbow: int, wrist: int, path: list[int], positions: FloatArray) -> int:
    """The joint before the elbow, but not one within the upper arm."""
    fore = float(np.linalg.norm(positions[path[wrist]] - positions[path[elbow]]))
    for i in reversed(above):
        if np.linalg.norm(positions[path[elbow]] - positions[path[i]]) >= SHORTEST_UPPER_ARM * fore:
            return i
    return above[-1]
