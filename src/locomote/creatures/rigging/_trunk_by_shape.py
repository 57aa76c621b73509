"""Where a body faces, and its head and tail: by names where there are any, else by the shape of the rest pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.creatures.rigging._legs_by_shape import OFF_PLANE, Plane, X, Y, Z
from locomote.creatures.rigging._mapping import RigLimb
from locomote.roles import names as say
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class TrunkShape:
    """Where a body faces, and its head and tail."""

    forward: FloatArray  # (3,) level
    head: int | None
    tail: tuple[int, ...]


def find_trunk(
    skeleton: Skeleton, limbs: Sequence[RigLimb], plane: Plane, forward: FloatArray | None = None
) -> TrunkShape:
    """Head, tail and direction of a body whose legs are known: by names where there are any, else by shape."""
    positions, turns = skeleton.rest_pose()
    taken = {j for limb in limbs for j in limb.joints}
    middle = [j for j in range(len(skeleton)) if plane.side(positions[j]) == 0 and j not in taken]
    head = _named(skeleton, middle, say.HEAD)
    tail = _line(skeleton, [j for j in middle if say.says(skeleton.names[j], say.TAIL)])
    if forward is None:
        forward = _facing(skeleton, limbs, plane, head, tail, positions, turns)
    ahead = positions @ forward
    hips = [limb.joints[0] for limb in limbs]
    ends = [j for j in middle if j > 0 and not any(c in middle for c in skeleton.children(j))]
    ends = [j for j in ends if not tail or j not in tail]
    if head is None:
        up_or_ahead = positions[:, Y] if len(limbs) == 2 else ahead
        front = [j for j in ends if up_or_ahead[j] > max(up_or_ahead[h] for h in hips)]
        head = max(front, key=lambda j: float(up_or_ahead[j]), default=None)
    if not tail:
        behind = [j for j in ends if j != head and ahead[j] < min(ahead[h] for h in hips)]
        if behind and (head is None or head not in skeleton.ancestors(behind[0])):
            end = min(behind, key=lambda j: float(ahead[j]))
            tail = _branch(skeleton, end, head, hips)
    return TrunkShape(forward, head, tail if len(tail) > 1 else ())


def _named(skeleton: Skeleton, joints: Sequence[int], parts: Sequence[str]) -> int | None:
    """The first joint, seen from the root, whose name says a part of the body."""
    named = [j for j in joints if say.says(skeleton.names[j], parts) and not say.is_tip(skeleton.names[j])]
    return min(named, key=lambda j: len(skeleton.ancestors(j)), default=None)


def _line(skeleton: Skeleton, joints: Sequence[int]) -> tuple[int, ...]:
    """The longest line of joints, each the parent of the next."""
    lines = [tuple(k for k in skeleton.ancestors(j)[::-1] if k in joints) for j in joints]
    return max(lines, key=len, default=())


def _branch(skeleton: Skeleton, end: int, head: int | None, hips: Sequence[int]) -> tuple[int, ...]:
    """The joints up from an end that carry neither the head nor a leg."""
    carriers = {k for j in [*hips, *([] if head is None else [head])] for k in skeleton.ancestors(j)}
    out = []
    for j in skeleton.ancestors(end):
        if j in carriers:
            break
        out.append(j)
    return tuple(out[::-1])


def _facing(
    skeleton: Skeleton,
    limbs: Sequence[RigLimb],
    plane: Plane,
    head: int | None,
    tail: tuple[int, ...],
    positions: FloatArray,
    turns: FloatArray,
) -> FloatArray:
    """One of the two directions along the mirror plane: names vote, then the toes, then the highest joint."""
    along: FloatArray = np.eye(3)[Z if plane.axis == X else X]
    hips = positions[[limb.joints[0] for limb in limbs]]
    last = [limb.joints[-1] for limb in limbs]
    tips = positions[last] + rot.rotate(turns[last], np.stack([limb.tip for limb in limbs]))
    size = float(np.linalg.norm(np.ptp(np.concatenate([positions, tips]), axis=0)))
    middle = hips.mean(axis=0)
    spoken = [_named_forward(skeleton, limbs, hips), _named_sides(skeleton, limbs, tips)]
    if len(limbs) > 2 and head is not None:
        spoken.append(_outer_end(skeleton, head, positions, turns) - middle)
    if len(limbs) > 2 and tail:
        spoken.append(middle - positions[tail[-1]])
    toes = (tips - positions[last]).mean(axis=0)
    top = positions[int(np.argmax(positions[:, Y]))] - middle

    def vote(sign: FloatArray) -> float:
        share = float(sign @ along)
        return float(np.sign(share)) if abs(share) > OFF_PLANE * size else 0.0

    for signs in (spoken, [toes], [top]):
        votes = sum(vote(sign) for sign in signs)
        if votes:
            along = along * np.sign(votes)
            break
    return along


def _outer_end(skeleton: Skeleton, joint: int, positions: FloatArray, turns: FloatArray) -> FloatArray:
    """The end of a joint's bone where it is known, else the joint: a skull begins far behind the nose."""
    ends = np.flatnonzero(skeleton.end_parents == joint)
    out: FloatArray = positions[joint]
    if len(ends):
        out = out + rot.rotate(turns[joint], skeleton.end_offsets[ends].mean(axis=0))
    return out


def _named_sides(skeleton: Skeleton, limbs: Sequence[RigLimb], tips: FloatArray) -> FloatArray:
    """Where a body faces whose left legs are where they are."""
    value = {"left": 1.0, "right": -1.0}
    sides = np.sign([sum(value.get(say.side(skeleton.names[j]), 0.0) for j in limb.joints) for limb in limbs])
    out: FloatArray = np.cross(sides @ (tips - tips.mean(axis=0)), [0.0, 1.0, 0.0])
    return out


def _named_forward(skeleton: Skeleton, limbs: Sequence[RigLimb], hips: FloatArray) -> FloatArray:
    """From legs whose names say hind to those that say fore."""
    fore, hind = [], []
    for limb, hip in zip(limbs, hips, strict=True):
        spoken = {word for j in limb.joints for word in say.words(skeleton.names[j])}
        if spoken & {"front", "fore"}:
            fore.append(hip)
        elif spoken & {"back", "hind", "rear"}:
            hind.append(hip)
    if not fore or not hind:
        return np.zeros(3)
    out: FloatArray = np.mean(fore, axis=0) - np.mean(hind, axis=0)
    return out
