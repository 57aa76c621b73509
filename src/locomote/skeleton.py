"""The tree of joints of one body, and which of them are its hips, knees, feet, spine and head."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.errors import LocomoteError, SkeletonError
from locomote.rotations import FloatArray

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Leg:
    """One leg, by joint indices. A plain two-bone leg has ``chain = (hip, knee, ankle, ball)``."""

    side: str  # "left", "right", or "" for an unpaired leg
    row: int  # 0 for the front pair of legs, 1 for the next one behind it, ...
    hip: int
    knee: int
    ankle: int
    ball: int  # where the toes bend; the ankle itself on a rig whose foot has one joint
    toe: int  # the joint that carries the toe end
    toe_offset: tuple[float, float, float] = (0.0, 0.0, 0.0)  # toe end in the frame of `toe`
    chain: tuple[int, ...] = ()  # every joint from the hip to `toe`, in order
    detached_foot: int | None = None  # a joint elsewhere in the tree that must follow the ankle (IK rigs)
    heel_behind: float | None = None  # m from below the ankle back to the heel, on a rig that tells

    def footless_shank(self) -> float:
        """The length of the shin, m, of a leg that ends with it, without a joint at the ankle; else 0."""
        return float(np.linalg.norm(self.toe_offset)) if self.knee == self.ankle == self.toe else 0.0

    def scaled(self, factor: float) -> Leg:
        """The same leg on a larger or smaller body."""
        x, y, z = self.toe_offset
        heel = None if self.heel_behind is None else factor * self.heel_behind
        return replace(self, toe_offset=(factor * x, factor * y, factor * z), heel_behind=heel)


@dataclass(frozen=True)
class Arm:
    """One arm, by joint indices."""

    side: str
    shoulder: int
    elbow: int
    wrist: int
    clavicle: int | None = None


@dataclass(frozen=True)
class Roles:
    """What the joints of a body are for."""

    root: int  # the joint that carries the body: the pelvis, not an empty node above it
    spine: tuple[int, ...] = ()  # from the pelvis (not included) up to the neck (not included)
    neck: tuple[int, ...] = ()
    head: int | None = None
    legs: tuple[Leg, ...] = ()  # front to back, left before right
    arms: tuple[Arm, ...] = ()  # left before right
    tail: tuple[int, ...] = ()
    forward: tuple[float, float, float] = (0.0, 0.0, 1.0)  # where the body faces in the rest pose

    def leg(self, side: str, row: int = 0) -> Leg:
        """The leg on one side.

        Parameters
        ----------
        side : "left" or "right"
        row : of pairs, from the front
        """
        for leg in self.legs:
            if leg.side == side and leg.row == row:
                return leg
        known = ", ".join(f"{leg.side} {leg.row}" for leg in self.legs) or "none"
        raise SkeletonError(f"no {side} leg in row {row}; the legs of this skeleton: {known}")


class Girths(NamedTuple):
    """How thick a person is drawn around the bones, beside a usual one with legs of the same length."""

    chest: float = 1.0
    belly: float = 1.0
    limbs: float = 1.0
    head: float = 1.0


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints in an order in which every parent comes before its children; joint 0 is the root.

    ``offsets`` are the joints' rest positions in the frame of their parent, metres. ``rest_rotations`` are the local
    rotations of the rest pose (identity in a BVH file). End sites are points without a rotation of their own: tips
    of toes, fingers and head.
    """

    names: tuple[str, ...]
    parents: IntArray  # (J,), -1 for the root
    offsets: FloatArray  # (J, 3)
    rest_rotations: FloatArray = field(default_factory=lambda: np.zeros((0, 4)))  # (J, 4)
    end_parents: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # (E,)
    end_offsets: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))  # (E, 3)
    given_roles: Roles | None = None
    girths: Girths = field(default_factory=Girths)

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the class is frozen; this is its constructor
        set_field(self, "names", tuple(self.names))
        count = len(self.names)
        set_field(self, "parents", _frozen(self.parents, np.int64, (count,), "parents"))
        set_field(self, "offsets", _frozen(self.offsets, np.float64, (count, 3), "offsets"))
        rest = self.rest_rotations if len(self.rest_rotations) else rot.identity(count)
        set_field(self, "rest_rotations", _frozen(rest, np.float64, (count, 4), "rest_rotations"))
        ends = len(self.end_parents)
        set_field(self, "end_parents", _frozen(self.end_parents, np.int64, (ends,), "end_parents"))
        set_field(self, "end_offsets", _frozen(self.end_offsets, np.float64, (ends, 3), "end_offsets"))
        self._check()

    def __repr__(self) -> str:
        names = ", ".join(self.names[:3]) + (", ..." if len(self.names) > 3 else "")
        return f"<Skeleton: {len(self.names)} joints ({names}), {len(self.end_parents)} ends>"

    def _check(self) -> None:
        if not self.names:
            raise SkeletonError("a skeleton needs at least one joint")
        if len(set(self.names)) != len(self.names):
            twice = sorted({name for name in self.names if self.names.count(name) > 1})
            raise SkeletonError(f"joint names must differ; given more than once: {', '.join(twice)}")
        if self.parents[0] != -1:
            raise SkeletonError(f"joint 0 ({self.names[0]}) must be the root, with parent -1")
        for j, parent in enumerate(self.parents[1:], start=1):
            if not 0 <= parent < j:
                raise SkeletonError(f"joint {j} ({self.names[j]}): its parent {parent} must come before it")
        if np.any(self.end_parents < 0) or np.any(self.end_parents >= len(self.names)):
            raise SkeletonError("an end site hangs on a joint that does not exist")
        if not (np.all(np.isfinite(self.offsets)) and np.all(np.isfinite(self.end_offsets))):
            raise SkeletonError("a joint or end-site offset is not a finite number")

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """The index of a joint by name."""
        try:
            return self.names.index(name)
        except ValueError:
            raise SkeletonError(f"no joint {name!r}; the joints are: {', '.join(self.names)}") from None

    def children(self, joint: int) -> list[int]:
        """The joints that hang on ``joint``."""
        return [int(j) for j in np.flatnonzero(self.parents == joint)]

    def ancestors(self, joint: int) -> list[int]:
        """The joints from ``joint`` (included) up to the root."""
        path = [joint]
        while self.parents[path[-1]] >= 0:
            path.append(int(self.parents[path[-1]]))
        return path

    @cached_property
    def roles(self) -> Roles:
        """What the joints are for: as given, or else found from names and shape."""
        if self.given_roles is not None:
            return self.given_roles
        from locomote.roles import find_roles

        return find_roles(self)

    def with_roles(self, roles: Roles) -> Skeleton:
        """The same skeleton with its roles given by hand."""
        return replace(self, given_roles=roles)

    def rest_pose(self) -> tuple[FloatArray, FloatArray]:
        """World positions ``(J, 3)`` and rotations ``(J, 4)`` of the joints in the rest pose."""
        positions = self.offsets.copy()
        turns = self.rest_rotations.copy()
        for j, parent in enumerate(self.parents[1:], start=1):
            positions[j] = positions[parent] + rot.rotate(turns[parent], self.offsets[j])
            turns[j] = rot.multiply(turns[parent], self.rest_rotations[j])
        return positions, turns

    def scaled(self, factor: float) -> Skeleton:
        """The same body, larger or smaller; roles given by hand keep up."""
        roles = self.given_roles
        if roles is not None:
            roles = replace(roles, legs=tuple(leg.scaled(factor) for leg in roles.legs))
        return replace(self, offsets=self.offsets * factor, end_offsets=self.end_offsets * factor, given_roles=roles)

    def leg_length(self) -> float:
        """The mean length of hip to knee to ankle over all legs, metres."""
        legs = self.roles.legs
        if not legs:
            raise SkeletonError("this skeleton has no legs")
        return float(np.mean([self.chain_length(leg.hip, leg.ankle) + leg.footless_shank() for leg in legs]))

    def chain_length(self, upper: int, lower: int) -> float:
        """The length of the bones between two joints, m.

        Parameters
        ----------
        upper, lower : numbers of the joints
        """
        path = self.ancestors(lower)
        if upper not in path:
            raise SkeletonError(f"{self.names[lower]} does not hang below {self.names[upper]}")
        return float(sum(np.linalg.norm(self.offsets[j]) for j in path[: path.index(upper)]))


def _frozen(values: npt.ArrayLike, dtype: type, shape: tuple[int, ...], what: str) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = np.array(values, dtype=dtype)  # a copy: the caller's array may change later
    if array.shape != shape:
        raise SkeletonError(f"{what}: expected shape {shape}, got {array.shape}")
    array.setflags(write=False)
    return array


def checked_skeleton(value: object, verb: str) -> Skeleton:
    """The value, if it is a skeleton."""
    if isinstance(value, Skeleton):
        return value
    raise LocomoteError(f"{verb} takes a Skeleton, such as motion.skeleton: got {type(value).__name__}")
