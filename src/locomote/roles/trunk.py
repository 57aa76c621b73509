"""The middle of the body: spine, neck, head and tail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote.roles import names as say
from locomote.rotations import FloatArray
from locomote.skeleton import Arm, Leg, Skeleton

MIN_TAIL_JOINTS = 2


@dataclass(frozen=True)
class Trunk:
    """Joints of the middle plane; ``front`` is the far end of the line from the pelvis to the head."""

    spine: tuple[int, ...]
    neck: tuple[int, ...]
    head: int | None
    tail: tuple[int, ...]
    front: int | None


def common_ancestor(skeleton: Skeleton, a: int, b: int) -> int:
    """The lowest joint above both joints (or one of them)."""
    above = set(skeleton.ancestors(a))
    return next(j for j in skeleton.ancestors(b) if j in above)


def find_trunk(
    skeleton: Skeleton,
    root: int,
    legs: Sequence[Leg],
    arms: Sequence[Arm],
    sides: list[str],
    positions: FloatArray,
) -> Trunk:
    """The line from the pelvis over the shoulders to the head, and the tail."""
    helpers = say.helpers(skeleton.names, skeleton.parents.tolist())
    middle = [
        j
        for j in range(len(skeleton))
        if not sides[j]
        and root in skeleton.ancestors(j)
        and j != root
        and not helpers[j]
        and not (say.is_tip(skeleton.names[j]) and not skeleton.children(j))
    ]
    tail = _tail(skeleton, middle)
    rest = [j for j in middle if j not in tail]
    chest = _chest(skeleton, root, legs, arms)
    head = _head(skeleton, root, chest, rest, positions)
    front = head if head is not None else (chest if chest != root else None)
    if front is None:
        front = max(rest, key=lambda j: float(positions[j, 1]), default=None)
    if front is None:
        return Trunk((), (), None, tail, None)
    line = skeleton.ancestors(front)
    line = line[: line.index(root)][::-1]
    if head is None:
        return Trunk(tuple(line), (), None, tail, front)
    line = line[:-1]
    cut = next((i for i, j in enumerate(line) if say.says(skeleton.names[j], say.NECK)), None)
    if cut is None:
        cut = line.index(chest) + 1 if chest in line else len(line)
    return Trunk(tuple(line[:cut]), tuple(line[cut:]), head, tail, front)


def _tail(skeleton: Skeleton, middle: list[int]) -> tuple[int, ...]:
    """The longest line of joints whose names say tail."""
    named = [j for j in middle if say.says(skeleton.names[j], say.TAIL)]
    if not named:
        return ()
    lines = []
    for j in named:
        line = [k for k in skeleton.ancestors(j) if k in named]
        lines.append(line[::-1])
    best = max(lines, key=len)
    return tuple(best) if len(best) >= MIN_TAIL_JOINTS else ()


def _chest(skeleton: Skeleton, root: int, legs: Sequence[Leg], arms: Sequence[Arm]) -> int:
    """Where the arms or the foremost legs leave the trunk."""
    tops = [arm.shoulder for arm in arms] or [leg.hip for leg in legs]
    meets = [common_ancestor(skeleton, a, b) for a in tops for b in tops if a < b]
    inside = [j for j in meets if root in skeleton.ancestors(j)]
    return max(inside, key=lambda j: len(skeleton.ancestors(j)), default=root)


def _head(skeleton: Skeleton, root: int, chest: int, middle: list[int], positions: FloatArray) -> int | None:
    named = [j for j in middle if say.says(skeleton.names[j], say.HEAD)]
    if named:
        return min(named, key=lambda j: len(skeleton.ancestors(j)))
    beyond = [j for j in middle if chest in skeleton.ancestors(j) and j != chest]
    ends = [j for j in beyond if not any(c in beyond for c in skeleton.children(j))]
    necks = [j for j in ends if any(say.says(skeleton.names[k], say.NECK) for k in skeleton.ancestors(j))]
    if necks:
        return necks[0]
    if chest == root or not ends:
        return None
    return max(ends, key=lambda j: (positions[j, 1], float(np.linalg.norm(positions[j] - positions[root]))))
