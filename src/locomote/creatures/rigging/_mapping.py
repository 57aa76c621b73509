"""From a skeleton and the joints of its legs to a creature that stands, faces +Z, and knows its spine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.creatures._joint_limits import LegLimits, default_limits
from locomote.creatures._leg_roles import with_leg_roles
from locomote.creatures._morphology import LEFT, MIDDLE, RIGHT, CreatureLeg, Morphology
from locomote.errors import SkeletonError
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import Skeleton

FOOT = 0.05  # half the size of a foot over the length of its leg, where nobody says it ...
LARGEST_FOOT = 0.035  # ... and at most, m
ON_MIDDLE = 0.02  # of the width of the stance; a foot nearer to the mirror plane is on neither side
TRUNK_MARGIN = 1.1  # the trunk over the box around its hips and girdles
THINNEST_TRUNK = 0.15  # half a side of its box over the height of the hips, at least
_SIDES = {LEFT: "left", RIGHT: "right", MIDDLE: "middle"}


@dataclass(frozen=True, eq=False)
class RigLimb:
    """The joints of a leg and the point on which it stands, before the creature is put together."""

    joints: tuple[int, ...]
    tip: FloatArray  # (3,) in the frame of the last joint
    limits: LegLimits | None = None  # by its shape where there are none
    foot: tuple[float, float] | None = None  # half width and half length of its foot, m, where they are known

    def length(self, skeleton: Skeleton) -> float:
        """From the hip to the tip when it is straight."""
        bones = np.concatenate([skeleton.offsets[list(self.joints[1:])], self.tip[None]])
        return float(np.linalg.norm(bones, axis=1).sum())


def map_names(
    skeleton: Skeleton,
    legs: Sequence[tuple[str, str]],
    body: Body | None,
    head: str | None,
    tail: str | None,
    forward: str | ArrayLike,
    name: str,
) -> Morphology:
    """What `Morphology.from_names` does."""
    limbs = [named_limb(skeleton, hip, tip) for hip, tip in legs]
    return assemble(
        skeleton,
        limbs,
        body,
        None if head is None else skeleton.index(head),
        () if tail is None else longest_chain(skeleton, skeleton.index(tail)),
        direction(forward),
        name,
    )


def named_limb(skeleton: Skeleton, hip: str, tip: str) -> RigLimb:
    """A leg by the names of its hip and its tip."""
    first, last = skeleton.index(hip), skeleton.index(tip)
    path = skeleton.ancestors(last)
    if first not in path:
        above = ", ".join(skeleton.names[j] for j in path[1:]) or "none"
        raise SkeletonError(f"the tip {tip!r} does not hang below the hip {hip!r}; above it are: {above}")
    if skeleton.parents[first] < 0:
        raise SkeletonError(f"the hip {hip!r} is the root of the skeleton; a leg hangs on a body")
    chain = path[path.index(first) :: -1]
    ends = np.flatnonzero(skeleton.end_parents == last)
    if len(ends):
        down = rot.rotate(skeleton.rest_pose()[1][last], skeleton.end_offsets[ends])[:, 1]
        return RigLimb(tuple(chain), skeleton.end_offsets[ends[int(np.argmin(down))]])
    if first == last:
        raise SkeletonError(f"the leg {hip!r} has no length: its tip is its hip, and that has no end site")
    return RigLimb(tuple(chain[:-1]), skeleton.offsets[last])


def longest_chain(skeleton: Skeleton, start: int) -> tuple[int, ...]:
    """The longest way from a joint outwards."""
    length = np.zeros(len(skeleton))
    after = np.full(len(skeleton), -1)
    for j in range(len(skeleton) - 1, 0, -1):
        parent = skeleton.parents[j]
        reach = length[j] + float(np.linalg.norm(skeleton.offsets[j]))
        if reach > length[parent] or after[parent] < 0:
            length[parent], after[parent] = reach, j
    chain = [start]
    while after[chain[-1]] >= 0:
        chain.append(int(after[chain[-1]]))
    return tuple(chain)


def direction(forward: str | ArrayLike) -> FloatArray:
    """A level unit vector from an axis such as ``-x``, or from a vector."""
    if isinstance(forward, str):
        sign = -1.0 if forward.startswith("-") else 1.0
        axes = {"x": [1.0, 0.0, 0.0], "z": [0.0, 0.0, 1.0]}
        axis = forward.lstrip("+-").lower()
        if axis not in axes:
            raise SkeletonError(f"forward={forward!r}: expected +x, -x, +z, -z or a vector")
        return sign * np.array(axes[axis])
    vector = np.array(forward, dtype=np.float64)
    if vector.shape != (3,) or not np.all(np.isfinite(vector)) or np.hypot(vector[0], vector[2]) < 1e-9:
        raise SkeletonError(f"forward={forward!r}: expected an axis such as '-x', or a vector that is not upright")
    vector[1] = 0.0
    out: FloatArray = vector / np.linalg.norm(vector)
    return out


def assemble(
    skeleton: Skeleton,
    limbs: Sequence[RigLimb],
    body: Body | None,
    head: int | None,
    tail: tuple[int, ...],
    forward: FloatArray,
    name: str,
) -> Morphology:
    """The creature of a skeleton whose legs, head and tail are known."""
    if not limbs:
        raise SkeletonError(f"{name or 'a creature'}: at least one leg is needed; the joints are: "
                            f"{', '.join(skeleton.names)}")  # fmt: skip
    turn = rot.from_yaw(-np.arctan2(forward[0], forward[2]))
    skeleton, body = placed(skeleton, body, turn, np.zeros(3))
    hips, feet = _hips_and_feet(skeleton, limbs)
    shift = -np.array([hips[:, 0].mean(), feet[:, 1].min(), hips[:, 2].mean()])
    skeleton, body = placed(skeleton, body, rot.IDENTITY, shift)
    hips, feet = hips + shift, feet + shift
    sides, rows = _rows(hips, feet)
    spine = _spine(skeleton, limbs, rows, head, tail)
    girdles = _girdles(skeleton, limbs, spine)
    height = float(np.mean(hips[:, 1] - feet[:, 1]))
    trunk = np.abs(np.concatenate([hips, skeleton.rest_pose()[0][list(girdles)]]))
    thinnest = THINNEST_TRUNK * abs(height)
    legs = []
    for limb, side, row in zip(limbs, sides, rows, strict=True):
        small = min(FOOT * limb.length(skeleton), LARGEST_FOOT)
        foot = limb.foot or (small, small)
        limits = limb.limits or default_limits(skeleton, limb.joints, limb.tip)
        legs.append(CreatureLeg(f"{_SIDES[side]} {row + 1}", limb.joints, limb.tip, limits, side, row, foot))
    return Morphology(
        name=name,
        skeleton=with_leg_roles(skeleton, legs, girdles, head, spine, tail),
        legs=tuple(legs),
        body=body,
        head=head,
        spine=spine,
        tail=tail,
        centre=np.array([0.0, hips[:, 1].mean(), 0.0]),
        box=(
            max(TRUNK_MARGIN * float(trunk[:, 0].max()), thinnest),
            max(TRUNK_MARGIN * float(trunk[:, 2].max()), thinnest),
        ),
        thickness=float(hips[:, 1].mean()),
        girdles=girdles,
    )


def placed(skeleton: Skeleton, body: Body | None, turn: FloatArray, shift: FloatArray) -> tuple[Skeleton, Body | None]:
    """The rest pose and the bound body turned about the origin and then moved."""
    offsets, rests = skeleton.offsets.copy(), skeleton.rest_rotations.copy()
    offsets[0] = rot.rotate(turn, offsets[0]) + shift
    rests[0] = rot.multiply(turn, rests[0])
    if body is not None:
        body = replace(
            body,
            vertices=rot.rotate(turn, body.vertices) + shift,
            bind_positions=rot.rotate(turn, body.bind_positions) + shift,
            bind_rotations=rot.multiply(turn, body.bind_rotations),
            source=None,
        )
    return replace(skeleton, offsets=offsets, rest_rotations=rests, given_roles=None), body


def _hips_and_feet(skeleton: Skeleton, limbs: Sequence[RigLimb]) -> tuple[FloatArray, FloatArray]:
    positions, turns = skeleton.rest_pose()
    last = [limb.joints[-1] for limb in limbs]
    feet = positions[last] + rot.rotate(turns[last], np.stack([limb.tip for limb in limbs]))
    return positions[[limb.joints[0] for limb in limbs]], feet


def _rows(hips: FloatArray, feet: FloatArray) -> tuple[list[int], list[int]]:
    """The side of each leg, and its row from the front: left and right legs pair off in their order."""
    margin = max(ON_MIDDLE * float(np.ptp(feet[:, 0])), 1e-9)
    sides = [LEFT if x > margin else RIGHT if x < -margin else MIDDLE for x in feet[:, 0]]
    ahead = hips[:, 2] + feet[:, 2]
    rows: list[list[int]] = [[f] for f, side in enumerate(sides) if side == MIDDLE]
    left, right = (
        sorted((f for f, side in enumerate(sides) if side == one), key=lambda f: -ahead[f]) for one in (LEFT, RIGHT)
    )
    rows += [[*left[i : i + 1], *right[i : i + 1]] for i in range(max(len(left), len(right)))]
    rows.sort(key=lambda row: -float(np.mean(ahead[row])))
    rank = {f: r for r, row in enumerate(rows) for f in row}
    return sides, [rank[f] for f in range(len(sides))]


def _spine(
    skeleton: Skeleton, limbs: Sequence[RigLimb], rows: Sequence[int], head: int | None, tail: tuple[int, ...]
) -> tuple[int, ...]:
    """The joints from the head, or else the first girdle, back to the tail's base or the last girdle."""

    def carrier(row: int) -> int:
        hips = [limb.joints[0] for limb, own in zip(limbs, rows, strict=True) if own == row]
        return common_ancestor(skeleton, [int(skeleton.parents[hip]) for hip in hips])

    front = carrier(0) if head is None else head
    back = int(skeleton.parents[tail[0]]) if tail and skeleton.parents[tail[0]] >= 0 else carrier(max(rows))
    down, up = skeleton.ancestors(front), skeleton.ancestors(back)
    meet = next(j for j in down if j in up)
    path = down[: down.index(meet) + 1] + up[: up.index(meet)][::-1]
    return tuple(path) if len(path) > 1 else ()


def common_ancestor(skeleton: Skeleton, joints: Sequence[int]) -> int:
    """The last joint above all of the given ones, or one of them."""
    shared = [j for j in skeleton.ancestors(joints[0])]
    for other in joints[1:]:
        above = set(skeleton.ancestors(other))
        shared = [j for j in shared if j in above]
    return shared[0]


def _girdles(skeleton: Skeleton, limbs: Sequence[RigLimb], spine: tuple[int, ...]) -> tuple[int, ...]:
    """For each leg the joint of the spine above it, else the nearest one; without a spine one for all."""
    hips = [limb.joints[0] for limb in limbs]
    if not spine:
        return (common_ancestor(skeleton, [int(skeleton.parents[hip]) for hip in hips]),) * len(hips)
    positions = skeleton.rest_pose()[0]
    out = []
    for hip in hips:
        above = next((j for j in skeleton.ancestors(hip)[1:] if j in spine), None)
        nearest = min(spine, key=lambda j: float(np.linalg.norm(positions[j] - positions[hip])))
        out.append(nearest if above is None else above)
    return tuple(out)
