"""The joints of a leg: where it begins, bends and stands, by the names of its joints or else by their places."""

from __future__ import annotations

import numpy as np

from locomote.roles import names as say
from locomote.roles.limbs import OFF_PLANE, Limb, toe_offset
from locomote.rotations import FloatArray
from locomote.skeleton import Leg, Skeleton

GIRDLE_SIDEWAYS = 0.85  # a first bone that points this much sideways belongs to the girdle, not to the leg
LEADS_DOWN = 0.6  # cosine; of several links of a hip, the first whose bone goes so much towards the knee is the hip
SAME_JOINT = 0.03  # of the leg's length; links this near to each other are the axes of one joint
SAME_ANKLE = 0.10  # of the leg's length; and so are two links called ankle or foot
KNEE_PLACES = (0.15, 0.85)  # of the leg's length, between which its knee is
STRAIGHT = 0.03  # of the leg's length; the bend of a straighter leg tells nothing of its knee


def make_leg(skeleton: Skeleton, limb: Limb, lateral: FloatArray, legs: int, positions: FloatArray) -> Leg:
    """The joints of a leg, one of ``legs``; the row is filled in later."""
    few = legs <= 4  # on six legs and more, the first bone really points sideways
    path = list(limb.path)
    foot = _detached_foot(skeleton, limb, positions)
    spoken = _spoken_leg(skeleton, path, legs, foot is None, positions)
    if spoken is not None and spoken[1] == spoken[2] == len(path) - 1 and limb.tip is not None:
        path, spoken = [*path, limb.tip], (*spoken[:2], len(path))  # a leg without a foot ends with a marker
    if spoken is None:
        while len(path) > 3 and _in_the_middle(path[0], lateral, positions):
            path = path[1:]
        if few and len(path) + (foot is not None) > 2 and _sideways(path, lateral, positions):
            path = path[1:]
        if foot is not None and limb.tip is not None:
            path = [*path, limb.tip]  # the ankle is only a marker in this tree; the real foot hangs elsewhere
        hip, ankle = 0, len(path) - (2 if len(path) > 3 and foot is None else 1)
        knee = _bend(path[: ankle + 1], legs, positions)
    else:
        hip, knee, ankle = spoken
    ball = _ball(skeleton, path, hip, ankle)
    tip = None if path[-1] == limb.tip else limb.tip
    return Leg(
        side=limb.side,
        row=0,
        hip=path[hip],
        knee=path[knee],
        ankle=path[ankle],
        ball=path[ball],
        toe=path[-1],
        toe_offset=toe_offset(skeleton, path[hip], path[ankle], path[-1], tip),
        chain=tuple(path[hip:]),
        detached_foot=foot,
    )


def _spoken_leg(
    skeleton: Skeleton, path: list[int], legs: int, whole: bool, positions: FloatArray
) -> tuple[int, int, int] | None:
    """Hip, knee and ankle as places in the path, when the names tell them; ``whole`` with the foot."""
    few = legs <= 4 and whole
    names = [skeleton.names[j] for j in path]
    twists = say.twists(skeleton.names)
    bends = [i for i, j in enumerate(path) if not twists[j]]
    thighs = [i for i in bends if say.says(names[i], ("coxa", *say.THIGH, *say.UPPER_ARM))]
    hips = thighs[:1] if not few else thighs
    if not hips:
        hips = [i for i in bends if _says_hip(names[i]) and (i < 2 or all(_says_hip(name) for name in names[:i]))]
    top = hips[0] if hips else 0
    knee = next((i for i in bends if i > top and say.says(names[i], (*say.SHIN, *say.FOREARM))), None)
    above = top + 1 if knee is None else knee
    ankle = next((i for i in bends if i > above and say.says(names[i], (*say.FOOT, *say.HAND))), None)
    if ankle is None:
        if knee is None or not hips or not few:
            return None
        ankle = next((i for i in bends if i > knee), knee)  # a leg without a foot ends with its shin
    if knee is None:
        between = [i for i in bends if top < i < ankle]
        knee = next((i for i in between if i not in hips), between[0] if between else top + 1)
        if legs == 2 and not hips and len(between) > 1:  # links that are only numbered
            knee = top + _bend(path[top : ankle + 1], legs, positions)
    hip = _hip([i for i in hips if i < knee] or [top], knee, path, positions)
    return hip, knee, ankle


def _says_hip(name: str) -> bool:
    return say.bare(name).endswith(("hip", "arm")) or "hip" in say.words(name)


def _hip(links: list[int], knee: int, path: list[int], positions: FloatArray) -> int:
    """Of the links that are called hip or thigh, a robot has three, the one from which the thigh goes down."""
    if len(links) == 2 and links[0] + 1 < links[1]:
        return links[0]
    for i in links[:-1]:
        bone, way = positions[path[i + 1]] - positions[path[i]], positions[path[knee]] - positions[path[i]]
        if bone @ way > LEADS_DOWN * np.linalg.norm(bone) * np.linalg.norm(way):
            return i
    return links[-1]


def _ball(skeleton: Skeleton, path: list[int], hip: int, ankle: int) -> int:
    """Where the toes bend; the ankle itself where all that follows is another axis of it."""
    after = range(ankle + 1, len(path))
    toe = next((i for i in after if say.says(skeleton.names[path[i]], say.TOE)), None)
    if toe is not None:
        return toe
    length = skeleton.chain_length(path[hip], path[ankle])
    away = 0.0
    for i in after:
        away += float(np.linalg.norm(skeleton.offsets[path[i]]))
        near = SAME_ANKLE if say.says(skeleton.names[path[i]], say.FOOT) else SAME_JOINT
        if away > near * length:
            return i
    return ankle


def _in_the_middle(joint: int, lateral: FloatArray, positions: FloatArray) -> bool:
    across = positions @ lateral
    middle = 0.5 * (across.min() + across.max())
    return bool(abs(across[joint] - middle) < OFF_PLANE * np.ptp(across))


def _sideways(path: list[int], lateral: FloatArray, positions: FloatArray) -> bool:
    if len(path) < 2:
        return False
    bone = positions[path[1]] - positions[path[0]]
    return bool(abs(bone @ lateral) > GIRDLE_SIDEWAYS * np.linalg.norm(bone))


def _bend(path: list[int], legs: int, positions: FloatArray) -> int:
    """The joint between the ends that is the knee: it lies off the straight line, and near the middle of two legs."""
    if len(path) < 4:
        return min(1, len(path) - 1)
    points = positions[path]
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    length = max(float(along[-1]), 1e-12)
    inner = list(range(1, len(path) - 1))
    if legs <= 4:
        inner = [i for i in inner if KNEE_PLACES[0] < along[i] / length < KNEE_PLACES[1]] or inner
    line = (points[-1] - points[0]) / max(float(np.linalg.norm(points[-1] - points[0])), 1e-12)
    away = {i: float(np.linalg.norm(np.cross(points[i] - points[0], line))) for i in inner}
    clear = [i for i in inner if away[i] >= 0.4 * max(away.values())]
    if legs == 2 or (legs <= 4 and max(away.values()) < STRAIGHT * length):
        return min(clear if legs == 2 else inner, key=lambda i: abs(along[i] / length - 0.5))
    # A hock stands as far from the line as a knee: the first joint that bends clearly is the knee.
    return clear[0]


def _detached_foot(skeleton: Skeleton, limb: Limb, positions: FloatArray) -> int | None:
    """A joint outside the limb, in another branch, that sits on the limb's end."""
    near = 0.02 * float(np.ptp(positions[:, 1]))
    for j in range(1, len(skeleton)):
        apart = np.linalg.norm(positions[j] - limb.end)
        if apart <= near and not {limb.path[0], *limb.path} & set(skeleton.ancestors(j)):
            return j
    return None
