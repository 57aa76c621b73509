"""Trees of pendulums: what hangs on what, how long, and how it swings.  Frozen; the state is in `Pendulums`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.pendulums._springs import Spring
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton, checked_skeleton

DRAG = 0.3  # share of the air's speed that a bar feels; 1 lets it trail as if the world were thick
INHERIT = 0.5  # share of the father's deflection that the son's target takes over
CONE = 2.6  # rad; the largest swing
_UP = np.array([0.0, 1.0, 0.0])
_NO_LENGTH = 1e-6  # m; shorter bones have no direction

Joints = Iterable[str | int]


@dataclass(frozen=True, eq=False)
class Tree:
    """Bars of constant length, fathers before sons. Several trees that move together may lie in one.

    The bar of a pendulum is the +Y axis of its frame. ``joints`` and ``bar_rotations`` say which joint of a skeleton
    a pendulum turns, and how its frame lies in that of the joint.
    """

    parents: IntArray  # (P,), -1 where a bar hangs on the animation itself
    lengths: FloatArray  # (P,) metres
    levers: FloatArray  # (P,) metres from the anchor to the mass: its length, or more where it carries others
    springs: tuple[Spring, ...]
    drag: FloatArray  # (P,) 0 to 1
    inherit: FloatArray  # (P,) 0 to 1
    cone: FloatArray  # (P,) rad
    twist_limit: FloatArray  # (P,) rad, 0 without twist
    masses: FloatArray  # (P,)
    priorities: FloatArray  # (P,)
    joints: IntArray  # (P,) joints of the skeleton, or -1
    bar_rotations: FloatArray  # (P, 4) the bar's frame in its joint's

    @classmethod
    def build(
        cls,
        parents: Sequence[int] | IntArray,
        lengths: rot.ArrayLike,
        spring: Spring | Sequence[Spring] | None = None,
        *,
        drag: rot.ArrayLike = DRAG,
        inherit: rot.ArrayLike = INHERIT,
        cone: rot.ArrayLike = CONE,
        twist_limit: rot.ArrayLike = 0.0,
        masses: rot.ArrayLike = 1.0,
        priorities: rot.ArrayLike = 1.0,
        levers: rot.ArrayLike | None = None,
        joints: Sequence[int] | IntArray | None = None,
        bar_rotations: FloatArray | None = None,
    ) -> Tree:
        """A tree from its fathers and lengths; one number serves all pendulums, an array says each.

        Parameters
        ----------
        parents : (P,), -1 where a bar hangs on the animation; fathers come before sons
        lengths, spring : m, and one for all or one for each
        drag : 0 to 1, share of the speed of what carries it that damping works against, so that it trails
        inherit : 0 to 1, share of the father's deflection that its target takes over
        cone, twist_limit : rad, the largest swing and twist
        masses, priorities : that weigh pushes which meet in a father
        levers : m, from the anchor to the mass; the length unless given
        joints : (P,) of a skeleton
        bar_rotations : (P, 4), the bar's frame in its joint's
        """
        up = np.array(parents, dtype=np.int64)
        count = len(up)
        if count == 0:
            raise LocomoteError("a tree needs at least one pendulum")
        late = np.flatnonzero((up >= np.arange(count)) | (up < -1))
        if len(late):
            raise LocomoteError(f"pendulum {late[0]}: its father {up[late[0]]} must come before it")
        one = Spring.settling() if spring is None else spring
        springs = (one,) * count if isinstance(one, Spring) else tuple(one)
        if len(springs) != count:
            raise LocomoteError(f"{count} pendulums need as many springs, got {len(springs)}")
        return cls(
            parents=up,
            lengths=_each(lengths, count, "lengths", _NO_LENGTH),
            levers=_each(lengths if levers is None else levers, count, "levers", _NO_LENGTH),
            springs=springs,
            drag=_each(drag, count, "drag", 0.0, 1.0),
            inherit=_each(inherit, count, "inherit", 0.0, 1.0),
            cone=_each(cone, count, "cone", 0.0, np.pi),
            twist_limit=_each(twist_limit, count, "twist_limit", 0.0, np.pi),
            masses=_each(masses, count, "masses", 1e-9),
            priorities=_each(priorities, count, "priorities", 1e-9),
            joints=np.full(count, -1) if joints is None else np.array(joints, dtype=np.int64),
            bar_rotations=rot.identity(count) if bar_rotations is None else np.array(bar_rotations),
        )

    @classmethod
    def chain(cls, lengths: Sequence[float], spring: Spring | Sequence[Spring] | None = None) -> Tree:
        """Bars one below the other, the first on the animation.

        Parameters
        ----------
        lengths, spring : m, and one for all or one for each
        """
        return cls.build(np.arange(len(lengths)) - 1, np.array(lengths), spring)

    @classmethod
    def from_skeleton(
        cls,
        skeleton: Skeleton,
        joints: Joints | None = None,
        spring: Spring | Mapping[str, Spring] | None = None,
        *,
        drag: rot.ArrayLike = DRAG,
        inherit: rot.ArrayLike = INHERIT,
        cone: rot.ArrayLike = CONE,
        twist_limit: rot.ArrayLike = 0.0,
    ) -> Tree:
        """One pendulum for every joint that carries a bone, as long as the bone and along it in the rest pose.

        Where several bones leave a joint they turn as one body; the pendulum lies along the one whose branch reaches
        farthest. The farther joints of a branch ride on the nearest pendulum above them.

        Parameters
        ----------
        skeleton : at rest
        joints : names or numbers; all without them
        spring : one for all, or by name, with "" for the rest
        drag, inherit : 0 to 1, as for `build`
        cone, twist_limit : rad, the largest swing and twist
        """
        skeleton = checked_skeleton(skeleton, "Tree.from_skeleton")
        bones = bone_offsets(skeleton)
        picked = sorted(bones) if joints is None else _picked(skeleton, joints, bones)
        node = {joint: b for b, joint in enumerate(picked)}
        parents = [next((node[a] for a in skeleton.ancestors(j)[1:] if a in node), -1) for j in picked]
        offsets = np.array([bones[j] for j in picked]).reshape(-1, 3)
        return cls.build(
            parents,
            np.linalg.norm(offsets, axis=1),
            [_spring_of(spring, skeleton.names[j]) for j in picked],
            drag=drag,
            inherit=inherit,
            cone=cone,
            twist_limit=twist_limit,
            joints=picked,
            bar_rotations=rot.between(np.broadcast_to(_UP, offsets.shape), offsets),
        )

    def __len__(self) -> int:
        return len(self.parents)

    @cached_property
    def links(self) -> IntArray:
        """For the kernels, ``(2, P)``: an order, level by level from the roots, and the fathers."""
        return np.stack([np.argsort(self._depths, kind="stable"), self.parents])

    @cached_property
    def levels(self) -> IntArray:
        """Where the levels begin in that order, and where the last ends."""
        return np.concatenate([[0], np.cumsum(np.bincount(self._depths))])

    @cached_property
    def _depths(self) -> IntArray:
        depths = np.zeros(len(self), dtype=np.int64)
        for b, father in enumerate(self.parents):
            depths[b] = 0 if father < 0 else depths[father] + 1
        return depths

    def with_springs(self, spring: Spring | Sequence[Spring]) -> Tree:
        """The same tree, stiffer or softer."""
        springs = (spring,) * len(self) if isinstance(spring, Spring) else tuple(spring)
        if len(springs) != len(self):
            raise LocomoteError(f"{len(self)} pendulums need as many springs, got {len(springs)}")
        return replace(self, springs=springs)

    def targets(self, positions: FloatArray, turns: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Anchors ``(..., P, 3)`` and frames ``(..., P, 4)`` of a pose.

        Parameters
        ----------
        positions : (..., J, 3) m, of all joints in the world
        turns : (..., J, 4), of all joints in the world
        """
        if np.any(self.joints < 0):
            raise LocomoteError("this tree was not made from a skeleton: give its anchors and frames yourself")
        frames = rot.multiply(turns[..., self.joints, :], self.bar_rotations)
        return np.ascontiguousarray(positions[..., self.joints, :]), np.ascontiguousarray(frames)


def bone_offsets(skeleton: Skeleton) -> dict[int, FloatArray]:
    """For every joint that carries a bone: where the bone ends, in the joint's frame."""
    reach = np.zeros(len(skeleton))
    ends: dict[int, FloatArray] = {}
    for parent, offset in zip(skeleton.end_parents, skeleton.end_offsets, strict=True):
        length = float(np.linalg.norm(offset))
        if length > max(_NO_LENGTH, reach[parent]):
            reach[parent], ends[int(parent)] = length, offset
    best = {j: -1.0 for j in range(len(skeleton))}
    for j in range(len(skeleton) - 1, 0, -1):
        parent, offset = int(skeleton.parents[j]), skeleton.offsets[j]
        length = float(np.linalg.norm(offset))
        # Joints outrank end sites: a bone goes on where the body goes on.
        if length > _NO_LENGTH and length + reach[j] > best[parent]:
            best[parent] = length + reach[j]
            ends[parent] = offset
        reach[parent] = max(reach[parent], length + reach[j])
    return ends


def _picked(skeleton: Skeleton, joints: Joints, bones: Mapping[int, FloatArray]) -> list[int]:
    picked = sorted({skeleton.index(j) if isinstance(j, str) else int(j) for j in joints})
    for j in picked:
        if j not in bones:
            able = ", ".join(skeleton.names[k] for k in sorted(bones))
            name = skeleton.names[j] if 0 <= j < len(skeleton) else str(j)
            raise LocomoteError(f"joint {name} carries no bone; those that do: {able}")
    return picked


def _spring_of(spring: Spring | Mapping[str, Spring] | None, name: str) -> Spring:
    if spring is None or isinstance(spring, Spring):
        return Spring.settling() if spring is None else spring
    return spring.get(name, spring.get("", Spring.settling()))


def _each(values: rot.ArrayLike, count: int, what: str, low: float, high: float = np.inf) -> FloatArray:
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.shape not in ((), (count,)):
        raise LocomoteError(f"{what}: expected one number or {count}, got shape {numbers.shape}")
    each = np.array(np.broadcast_to(numbers, (count,)))
    bad = np.flatnonzero(~((each >= low) & (each <= high)))
    if len(bad):
        raise LocomoteError(f"{what}: {each[bad[0]]} of pendulum {bad[0]} does not lie in {low} to {high}")
    return each
