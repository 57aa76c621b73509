"""Which chains of a skeleton at rest are its legs, by shape alone: they leave the middle plane and reach the floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.creatures.mapping import Limb
from locomote.errors import SkeletonError
from locomote.roles import names as say
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

OFF_PLANE = 0.02  # of the width; a joint farther from the mirror plane belongs to one side
LOWEST = 0.25  # of the height; the tip of a leg is not higher above the lowest point
DROP = 0.15  # of the height; a leg falls at least so far from its highest joint to its tip
PARTNER = 0.06  # of the diagonal; how far the mirrored tip of a leg may be from that of its partner
UNDECIDED = 0.01  # of the diagonal; with both mirror errors below it, front and back look alike
X, Y, Z = range(3)


@dataclass(frozen=True)
class Plane:
    """The mirror plane of a body: the horizontal axis across it, where it stands, and what counts as off it."""

    axis: int  # X or Z
    middle: float
    margin: float

    def side(self, point: FloatArray) -> int:
        """1 and -1 on the two sides of the plane, 0 on it."""
        across = float(point[self.axis]) - self.middle
        return 0 if abs(across) <= self.margin else int(np.sign(across))

    def mirrored(self, point: FloatArray) -> FloatArray:
        """The image of a point."""
        out = point.copy()
        out[self.axis] = 2.0 * self.middle - out[self.axis]
        return out


@dataclass(frozen=True)
class _Chain:
    """A leg that may be one: its joints with the leaf, and its tip in the world."""

    limb: Limb
    joints: tuple[int, ...]  # those of the limb, and the joint at its tip if there is one
    tip: FloatArray
    side: int


def find_plane(skeleton: Skeleton, forward: FloatArray | None = None) -> Plane:
    """The mirror plane of the rest pose; ``forward`` decides where it is known."""
    points = _points(skeleton)
    errors = {axis: _mirror_error(points, axis) for axis in (X, Z)}
    axis = min(errors, key=lambda a: errors[a][0])
    diagonal = max(float(np.linalg.norm(np.ptp(points, axis=0))), 1e-12)
    if forward is not None:
        axis = X if abs(forward[Z]) >= abs(forward[X]) else Z
    elif max(error for error, _ in errors.values()) < UNDECIDED * diagonal:
        axis = _named_axis(skeleton, points)
    width = float(np.ptp(points[:, axis]))
    return Plane(axis, errors[axis][1], max(OFF_PLANE * width, 1e-6 * diagonal))


def _points(skeleton: Skeleton) -> FloatArray:
    """Joints and end sites in the world."""
    positions, turns = skeleton.rest_pose()
    at = skeleton.end_parents
    return np.concatenate([positions, positions[at] + rot.rotate(turns[at], skeleton.end_offsets)])


def _mirror_error(points: FloatArray, axis: int) -> tuple[float, float]:
    """How far the mirrored points are from the nearest point, on average, and the best place of the plane."""
    across = points[:, axis]
    places = {float(across[0]), float(across.mean()), 0.5 * float(across.min() + across.max())}
    results = []
    for middle in sorted(places):
        mirrored = points.copy()
        mirrored[:, axis] = 2.0 * middle - across
        apart = np.linalg.norm(points[:, None] - mirrored[None], axis=-1).min(axis=1)
        results.append((float(apart.mean()), middle))
    error, middle = min(results)
    if np.ptp(across) <= 1e-6 * max(float(np.ptp(points, axis=0).max()), 1e-12):
        error = np.inf  # a flat body is its own mirror image
    return error, middle


def _named_axis(skeleton: Skeleton, points: FloatArray) -> int:
    """The axis along which left and right by name lie apart; across the body's usual +Z without names."""
    sides = np.array([{"left": 1.0, "right": -1.0}.get(say.side(name), 0.0) for name in skeleton.names])
    if not sides.any():
        return X
    apart = np.abs(sides @ points[: len(sides)])
    return X if apart[X] >= apart[Z] else Z


def find_legs(skeleton: Skeleton, plane: Plane) -> list[Limb]:
    """All legs of a rest pose; an empty list where there are none."""
    points = _points(skeleton)
    floor = float(points[:, Y].min())
    height = max(float(np.ptp(points[:, Y])), 1e-12)
    diagonal = float(np.linalg.norm(np.ptp(points, axis=0)))
    positions = points[: len(skeleton)]
    lowest: dict[int, _Chain] = {}
    for chain in _chains(skeleton, points, plane):
        hip = chain.joints[0]
        if hip not in lowest or chain.tip[Y] < lowest[hip].tip[Y] - 1e-9 * height:
            lowest[hip] = chain
    reach_down = [
        chain
        for chain in lowest.values()
        if chain.tip[Y] - floor <= LOWEST * height
        and positions[list(chain.joints), Y].max() - chain.tip[Y] >= DROP * height
        and len(chain.joints) >= 2
    ]
    return [
        chain.limb
        for chain in reach_down
        if any(
            other.side == -chain.side
            and np.linalg.norm(plane.mirrored(other.tip) - chain.tip) <= PARTNER * diagonal
            for other in reach_down
        )
    ]


def _chains(skeleton: Skeleton, points: FloatArray, plane: Plane) -> list[_Chain]:
    """For every leaf on one side: the way up to the last joint that is still on that side."""
    count = len(skeleton)
    parents = np.concatenate([skeleton.parents, skeleton.end_parents])
    inner = set(parents.tolist())
    out = []
    for leaf in range(len(points)):
        side = plane.side(points[leaf])
        if leaf in inner or side == 0:
            continue
        path: list[int] = [leaf]
        hip = 1  # how much of the path belongs to the leg
        while (above := int(parents[path[-1]])) > 0 and plane.side(points[above]) in (side, 0):
            path.append(above)
            if plane.side(points[above]) == side:
                hip = len(path)  # a leg may come back to the plane below its hip, but not where it branches
            elif np.count_nonzero(parents == above) > 1:
                break
        path = path[:hip][::-1]
        if len(path) < 2:
            continue
        offset = skeleton.end_offsets[leaf - count] if leaf >= count else skeleton.offsets[leaf]
        joints = tuple(path if leaf < count else path[:-1])
        out.append(_Chain(Limb(tuple(path[:-1]), offset), joints, points[leaf], side))
    return out


@dataclass(frozen=True, eq=False)
class Trunk:
    """Where a body faces, and its head and tail."""

    forward: FloatArray  # (3,) level
    head: int | None
    tail: tuple[int, ...]


def find_trunk(
    skeleton: Skeleton, limbs: Sequence[Limb], plane: Plane, forward: FloatArray | None = None
) -> Trunk:
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
    return Trunk(forward, head, tail if len(tail) > 1 else ())


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
    limbs: Sequence[Limb],
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


def _named_sides(skeleton: Skeleton, limbs: Sequence[Limb], tips: FloatArray) -> FloatArray:
    """Where a body faces whose left legs are where they are."""
    value = {"left": 1.0, "right": -1.0}
    sides = np.sign([sum(value.get(say.side(skeleton.names[j]), 0.0) for j in limb.joints) for limb in limbs])
    out: FloatArray = np.cross(sides @ (tips - tips.mean(axis=0)), [0.0, 1.0, 0.0])
    return out


def _named_forward(skeleton: Skeleton, limbs: Sequence[Limb], hips: FloatArray) -> FloatArray:
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


def no_legs(skeleton: Skeleton, name: str) -> SkeletonError:
    """What to say of a body without legs."""
    return SkeletonError(
        f"{name}: no legs were found by its shape (chains beside the middle that reach the floor); name them with "
        f"legs=[(hip, tip), ...]; the joints are: {', '.join(skeleton.names)}"
    )
