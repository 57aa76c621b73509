"""What a creature is made of: a skeleton that stands, its legs, its spine, its head and its tail."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.creatures._joint_limits import LegLimits, default_limits
from locomote.errors import LocomoteError, SkeletonError
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import Skeleton

__all__ = ["CreatureLeg", "LegLimits", "Morphology", "default_limits"]

RIGHT, MIDDLE, LEFT = -1, 0, 1  # sides of legs; left is towards +X


@dataclass(frozen=True, eq=False)
class CreatureLeg:
    """One leg: the joints that turn, from the hip to the last one, and the point that stands on the ground."""

    name: str
    joints: tuple[int, ...]  # indices into the skeleton, each the parent of the next
    tip: FloatArray  # (3,) the point that stands, in the frame of the last joint
    limits: LegLimits  # of the joints
    side: int = MIDDLE  # 1 left (x > 0), -1 right, 0 middle
    rank: int = 0  # 0 for the front row of legs, 1 for the next one behind it, ...
    foot_box: tuple[float, float] = (0.035, 0.035)  # half width and half length of the foot on the ground, m
    weight: float = 1.0  # its share in carrying the body, against the other legs

    def __post_init__(self) -> None:
        tip = np.array(self.tip, dtype=np.float64)
        tip.setflags(write=False)
        object.__setattr__(self, "tip", tip)
        object.__setattr__(self, "joints", tuple(int(j) for j in self.joints))
        if tip.shape != (3,) or not np.all(np.isfinite(tip)):
            raise LocomoteError(f"leg {self.name!r}: its tip must be three finite numbers")
        if len(self.joints) != len(self.limits):
            raise LocomoteError(
                f"leg {self.name!r}: {len(self.joints)} joints have {len(self.limits)} limits; expected one each"
            )

    @property
    def hip(self) -> int:
        """The first joint of the leg."""
        return self.joints[0]


@dataclass(frozen=True, eq=False)
class Morphology:
    """A creature at rest: it stands, its lowest tip is at y = 0, its middle over x = z = 0; metres.

    It goes along +Z, and faces there but for those that go sideways.
    """

    name: str
    skeleton: Skeleton
    legs: tuple[CreatureLeg, ...]
    body: Body | None = None
    head: int | None = None  # the joint of the head
    spine: tuple[int, ...] = ()  # from the head back to the last girdle; empty for one rigid trunk
    tail: tuple[int, ...] = ()  # from the base out
    centre: FloatArray = field(default_factory=lambda: np.zeros(3))  # of the trunk, in the rest pose
    box: tuple[float, float] = (0.1, 0.1)  # half width and half length of the trunk around its centre, m
    thickness: float = 0.0  # height of the centre above the ground at rest, m
    girdles: tuple[int, ...] = ()  # for each leg, the joint of the trunk that carries it

    def __post_init__(self) -> None:
        centre = np.array(self.centre, dtype=np.float64)
        centre.setflags(write=False)
        object.__setattr__(self, "centre", centre)
        if not self.legs:
            raise SkeletonError(f"{self.name or 'a creature'}: at least one leg is needed")
        if len(self.girdles) != len(self.legs):
            raise SkeletonError(f"{self.name}: {len(self.legs)} legs have {len(self.girdles)} girdles")
        names = [leg.name for leg in self.legs]
        if len(set(names)) != len(names):
            raise SkeletonError(f"{self.name}: names of legs must differ, got {', '.join(names)}")
        for leg in self.legs:
            for upper, lower in zip(leg.joints, leg.joints[1:], strict=False):
                if self.skeleton.parents[lower] != upper:
                    known = self.skeleton.names
                    raise SkeletonError(f"leg {leg.name!r}: {known[lower]} does not hang directly on {known[upper]}")

    def __repr__(self) -> str:
        return f"<Morphology {self.name!r}: {len(self.legs)} legs, {len(self.skeleton)} joints>"

    @staticmethod
    def from_names(
        skeleton: Skeleton,
        legs: Sequence[tuple[str, str]],
        body: Body | None = None,
        head: str | None = None,
        tail: str | None = None,
        forward: str | ArrayLike = "+z",
        name: str = "",
    ) -> Morphology:
        """A creature from its skeleton at rest and the names of its joints.

        Parameters
        ----------
        skeleton : at rest
        legs : names of hip and tip of each; the tip touches the ground, or is the last joint, whose end site does
        body : its skin
        head, tail : the head, and the first joint of the tail
        forward : where the rest pose faces: an axis such as "-x", or a vector
        name : of the creature
        """
        from locomote.creatures.rigging._mapping import map_names

        return map_names(skeleton, legs, body, head, tail, forward, name)

    @staticmethod
    def from_rig(
        path: str | os.PathLike[str],
        legs: Sequence[tuple[str, str]] | None = None,
        forward: str | ArrayLike | None = None,
        height: float | None = None,
    ) -> Morphology:
        """A creature from a file of any rig.

        Parameters
        ----------
        path : any format that `load` reads
        legs : names of hip and tip of each; found by the body's shape without them
        forward : an axis such as "-x", or a vector; needed where the front looks like the back
        height : m, to which the body is scaled
        """
        from locomote.creatures.rigging._rigs import read_rig

        return read_rig(Path(path), legs, forward, height)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Morphology:
        """Read a creature that `save` wrote."""
        from locomote.creatures._morphology_files import load

        return load(Path(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write one ``.npz`` file; every array comes back bit for bit."""
        from locomote.creatures._morphology_files import save

        save(self, Path(path))

    def __len__(self) -> int:
        return len(self.legs)

    def leg(self, name: str) -> CreatureLeg:
        """A leg by its name."""
        for leg in self.legs:
            if leg.name == name:
                return leg
        raise SkeletonError(f"no leg {name!r}; the legs are: {', '.join(leg.name for leg in self.legs)}")

    @cached_property
    def rest_pose(self) -> tuple[FloatArray, FloatArray]:
        """World positions ``(J, 3)`` and rotations ``(J, 4)`` of the joints at rest."""
        positions, turns = self.skeleton.rest_pose()
        return _shut(positions), _shut(turns)

    @cached_property
    def hips(self) -> FloatArray:
        """World positions of the hips at rest, ``(F, 3)``."""
        return _shut(self.rest_pose[0][[leg.hip for leg in self.legs]])

    @cached_property
    def rest_feet(self) -> FloatArray:
        """World positions of the tips at rest, ``(F, 3)``."""
        positions, turns = self.rest_pose
        last = [leg.joints[-1] for leg in self.legs]
        return _shut(positions[last] + rot.rotate(turns[last], np.stack([leg.tip for leg in self.legs])))

    @cached_property
    def segment_lengths(self) -> tuple[FloatArray, ...]:
        """For each leg the lengths of its segments, one for each joint: to the next joint, at last to the tip."""
        return tuple(
            np.linalg.norm(np.concatenate([self.skeleton.offsets[list(leg.joints[1:])], leg.tip[None]]), axis=1)
            for leg in self.legs
        )

    @cached_property
    def reaches(self) -> FloatArray:
        """The length of each leg when it is straight, ``(F,)``."""
        return _shut(np.array([lengths.sum() for lengths in self.segment_lengths]))

    @cached_property
    def hip_height(self) -> float:
        """How high the hips are above their feet at rest, metres, on average."""
        return float(np.mean(self.hips[:, 1] - self.rest_feet[:, 1]))

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each leg: 1 left, -1 right, 0 middle."""
        return tuple(leg.side for leg in self.legs)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The row of each leg, counted from the front."""
        return tuple(leg.rank for leg in self.legs)

    def scaled(self, factor: float) -> Morphology:
        """The same creature, larger or smaller."""
        if not (np.isfinite(factor) and factor > 0.0):
            raise LocomoteError(f"a creature is scaled by a positive number, got {factor}")
        legs = tuple(
            replace(leg, tip=leg.tip * factor, foot_box=(leg.foot_box[0] * factor, leg.foot_box[1] * factor))
            for leg in self.legs
        )
        return replace(
            self,
            skeleton=self.skeleton.scaled(factor),
            body=None if self.body is None else self.body.scaled(factor),
            legs=legs,
            centre=self.centre * factor,
            box=(self.box[0] * factor, self.box[1] * factor),
            thickness=self.thickness * factor,
        )

    def turned(self, yaw: float) -> Morphology:
        """The same creature that goes with another part of it ahead: turned to the left about its middle by ``yaw``.

        Sides and ranks of its legs stay those of its own body. Turn by quarters: its box is kept square to +Z.
        """
        from locomote.creatures.rigging._mapping import placed

        turn = rot.from_yaw(yaw)
        skeleton, body = placed(self.skeleton, self.body, turn, np.zeros(3))
        sine, cosine = abs(np.sin(yaw)), abs(np.cos(yaw))
        width, length = self.box
        box = (cosine * width + sine * length, cosine * length + sine * width)
        kept = replace(skeleton, given_roles=self.skeleton.given_roles)
        return replace(self, skeleton=kept, body=body, centre=rot.rotate(turn, self.centre), box=box)

    def with_body(self, body: Body | None) -> Morphology:
        """The same creature with another skin, bound to the joints of its rest pose."""
        return replace(self, body=body)


def _shut(array: FloatArray) -> FloatArray:
    """The array, no longer to be written: what is derived is shared by all who ask."""
    array.setflags(write=False)
    return array
