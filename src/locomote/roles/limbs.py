"""Limbs: branches of the tree beside the middle plane of the body, and the joints of a leg or an arm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote.roles import names as say
from locomote.rotations import FloatArray, rotate
from locomote.skeleton import Arm, Leg, Skeleton

GIRDLE_SIDEWAYS = 0.85  # a first bone that points this much sideways belongs to the girdle, not to the leg
OFF_PLANE = 0.02  # of the body's width; a joint further from the mirror plane belongs to a side
LONGEST_TOE = 0.35  # of the leg's length; an end further out than this on a toe is a marker, not flesh


@dataclass(frozen=True)
class Limb:
    """A branch on one side of the body: its main line of joints and the end of the last bone."""

    side: str
    path: tuple[int, ...]  # joints that bend, from the top down
    tip: int | None  # a joint that only marks the end of the last bone
    kind: str  # "leg", "arm", "other" or "" (the names do not tell)
    end: FloatArray  # (3,) the end of the limb in the rest pose, world


def find_limbs(skeleton: Skeleton, sides: list[str], positions: FloatArray, turns: FloatArray) -> list[Limb]:
    """Every branch whose joints lie on one side while its parent lies in the middle."""
    useful = _useful(skeleton)
    limbs = []
    for top in range(1, len(skeleton)):
        if useful[top] and sides[top] and not sides[skeleton.parents[top]]:
            limbs.append(_limb(skeleton, top, useful, sides, positions, turns))
    return limbs


def _useful(skeleton: Skeleton) -> list[bool]:
    useful = [True] * len(skeleton)
    for j, parent in enumerate(skeleton.parents):
        useful[j] = not say.is_helper(skeleton.names[j]) and (parent < 0 or useful[parent])
    return useful


def _limb(
    skeleton: Skeleton,
    top: int,
    useful: list[bool],
    sides: list[str],
    positions: FloatArray,
    turns: FloatArray,
) -> Limb:
    inside = [j for j in range(top, len(skeleton)) if useful[j] and top in skeleton.ancestors(j)]
    names = [skeleton.names[j] for j in inside]
    leaves = [j for j in inside if not any(useful[c] for c in skeleton.children(j))]
    kind = say.kind_of_limb(names)

    def weight(leaf: int) -> tuple[int, float]:
        line = skeleton.ancestors(leaf)
        line = line[: line.index(top) + 1]
        spoken = sum(bool(say.kind_of_limb([skeleton.names[j]])) for j in line)
        return (spoken if kind else len(line)), -float(positions[leaf, 1])

    leaf = max(leaves, key=weight)
    path = skeleton.ancestors(leaf)
    path = path[: path.index(top) + 1][::-1]
    tip = None
    if len(path) > 1 and say.is_tip(skeleton.names[leaf]):
        tip = path.pop()
    # Some rigs misname a single joint: the majority of the branch says which side it is on.
    left = sum(sides[j] == "left" for j in inside)
    right = sum(sides[j] == "right" for j in inside)
    side = "left" if left > right else "right"
    end = positions[path[-1]] + rotate(turns[path[-1]], end_offset(skeleton, path[-1], tip))
    return Limb(side, tuple(path), tip, kind, end)


def end_offset(skeleton: Skeleton, last: int, tip: int | None = None) -> FloatArray:
    """The end of a bone in the frame of its joint: a marker joint, an end site, or else the joint itself."""
    if tip is not None:
        marker: FloatArray = skeleton.offsets[tip]
        return marker
    ends = skeleton.end_offsets[skeleton.end_parents == last]
    if not len(ends):
        return np.zeros(3)
    furthest: FloatArray = ends[np.argmax(np.linalg.norm(ends, axis=1))]
    return furthest


def toe_offset(skeleton: Skeleton, hip: int, ankle: int, toe: int, tip: int | None) -> tuple[float, float, float]:
    """The end of the toes in the frame of the joint that carries them."""
    offset = end_offset(skeleton, toe, tip)
    if toe != ankle and np.linalg.norm(offset) > LONGEST_TOE * skeleton.chain_length(hip, ankle):
        offset = np.zeros(3)
    return (float(offset[0]), float(offset[1]), float(offset[2]))


def make_leg(skeleton: Skeleton, limb: Limb, lateral: FloatArray, drop_girdle: bool, positions: FloatArray) -> Leg:
    """The joints of a leg; the row is filled in later."""
    path = list(limb.path)
    spoken = _spoken_leg(skeleton, path)
    foot = _detached_foot(skeleton, limb, positions)
    if spoken is None:
        while len(path) > 3 and _in_the_middle(path[0], lateral, positions):
            path = path[1:]
        if drop_girdle and len(path) + (foot is not None) > 2 and _sideways(path, lateral, positions):
            path = path[1:]
        if foot is not None and limb.tip is not None:
            path = [*path, limb.tip]  # the ankle is only a marker in this tree; the real foot hangs elsewhere
        hip, ankle = 0, len(path) - (2 if len(path) > 3 and foot is None else 1)
        knee = _bend(path[: ankle + 1], positions)
    else:
        hip, knee, ankle = spoken
    ball = next((i for i in range(ankle + 1, len(path)) if say.says(skeleton.names[path[i]], say.TOE)), ankle + 1)
    ball = min(ball, len(path) - 1)
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


def _spoken_leg(skeleton: Skeleton, path: list[int]) -> tuple[int, int, int] | None:
    """Hip, knee and ankle as places in the path, when the names tell them all."""
    names = [skeleton.names[j] for j in path]
    first = range(len(names))
    hip = next((i for i in first if say.says(names[i], ("coxa", *say.THIGH, *say.UPPER_ARM))), None)
    if hip is None:
        hip = next((i for i in reversed(first) if say.bare(names[i]).endswith(("hip", "arm")) and i < 2), None)
    if hip is None:
        hip = 0
    ankle = next((i for i in first if i > hip + 1 and say.says(names[i], (*say.FOOT, *say.HAND))), None)
    if ankle is None:
        return None
    knee = next((i for i in range(hip + 1, ankle) if say.says(names[i], (*say.SHIN, *say.FOREARM))), hip + 1)
    return hip, knee, ankle


def _in_the_middle(joint: int, lateral: FloatArray, positions: FloatArray) -> bool:
    across = positions @ lateral
    middle = 0.5 * (across.min() + across.max())
    return bool(abs(across[joint] - middle) < OFF_PLANE * np.ptp(across))


def _sideways(path: list[int], lateral: FloatArray, positions: FloatArray) -> bool:
    if len(path) < 2:
        return False
    bone = positions[path[1]] - positions[path[0]]
    return bool(abs(bone @ lateral) > GIRDLE_SIDEWAYS * np.linalg.norm(bone))


def _bend(path: list[int], positions: FloatArray) -> int:
    """The first joint between the ends that lies clearly off the straight line."""
    if len(path) < 4:
        return min(1, len(path) - 1)
    start, line = positions[path[0]], positions[path[-1]] - positions[path[0]]
    line = line / max(float(np.linalg.norm(line)), 1e-12)
    away = [float(np.linalg.norm(np.cross(positions[j] - start, line))) for j in path[1:-1]]
    # A hock stands as far from the line as a knee: the first joint that bends clearly is the knee.
    return 1 + next(i for i, d in enumerate(away) if d >= 0.4 * max(away))


def _detached_foot(skeleton: Skeleton, limb: Limb, positions: FloatArray) -> int | None:
    """A joint outside the limb, in another branch, that sits on the limb's end."""
    near = 0.02 * float(np.ptp(positions[:, 1]))
    for j in range(1, len(skeleton)):
        apart = np.linalg.norm(positions[j] - limb.end)
        if apart <= near and not {limb.path[0], *limb.path} & set(skeleton.ancestors(j)):
            return j
    return None


def make_arm(skeleton: Skeleton, limb: Limb) -> Arm | None:
    """The joints of an arm, or None if the branch is too short for one."""
    path = list(limb.path)
    names = [skeleton.names[j] for j in path]
    wrist = next((i for i, name in enumerate(names) if say.says(name, (*say.HAND, *say.FOOT))), None)
    fingers = next((i for i, name in enumerate(names) if say.says(name, say.FINGER)), len(path))
    if wrist is None or wrist < 2:
        wrist = min(fingers, len(path), 4) - 1
    elbow = next((i for i in range(1, wrist) if say.says(names[i], say.FOREARM)), wrist - 1)
    if elbow < 1:
        return None
    upper = next((i for i in range(elbow) if say.says(names[i], say.UPPER_ARM)), None)
    shoulder = elbow - 1 if upper is None else upper
    clavicle = path[shoulder - 1] if shoulder > 0 else None
    return Arm(limb.side, path[shoulder], path[elbow], path[wrist], clavicle)
