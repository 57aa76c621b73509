"""Limbs: branches of the tree beside the middle plane of the body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote.roles import names as say
from locomote.rotations import FloatArray, rotate
from locomote.skeleton import Skeleton

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
    helpers = say.helpers(skeleton.names, skeleton.parents.tolist())
    useful = [True] * len(skeleton)
    for j, parent in enumerate(skeleton.parents):
        useful[j] = not helpers[j] and (parent < 0 or useful[parent])
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
