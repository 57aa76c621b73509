"""What is fitted: bones with vertices, joints between them and how far those may turn (ANA-01)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.capture.stage import dressed
from locomote.errors import LocomoteError
from locomote.ik import EllipsoidLimit
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

WIDEST = np.radians(50.0)  # a joint may turn from the template's pose, unless its limits are given
SHIFT = 0.002  # of the size: how far the two ends of a joint may be apart


@dataclass(frozen=True, eq=False)
class Template:
    """A skinned body in a pose: bones, their joints as links between two bones, limits of the joints.

    Links beside those of the skeleton close loops (a radius between humerus and hand, say).
    """

    skeleton: Skeleton
    body: Body  # its bind pose is the pose of the template
    limits: Mapping[str, EllipsoidLimit] = field(default_factory=dict)
    loops: Sequence[tuple[str, str, tuple[float, float, float]]] = ()  # two joints, and a place in the bind pose, m

    def __post_init__(self) -> None:
        if len(self.body.triangles) == 0 or len(self.body.bind_positions) != len(self.skeleton):
            raise LocomoteError("a template: expected a skeleton and a mesh that follows its joints")
        for name in (*self.limits, *(name for first, second, _ in self.loops for name in (first, second))):
            self.skeleton.index(name)

    @classmethod
    def of(cls, subject: Motion, limits: Mapping[str, EllipsoidLimit] | None = None) -> Template:
        """The body of a motion; rounded limbs where it has none.

        Parameters
        ----------
        subject
            Of any rig: only its skeleton and its mesh count.
        limits
            How far joints may turn from the bind pose, by name; 50 degrees about every axis for all others.
        """
        clothed = dressed(subject)
        assert clothed.body is not None  # what is dressed has one
        return cls(clothed.skeleton, clothed.body, dict(limits or {}))

    @property
    def size(self) -> float:
        """The longest side of the box around it, m: its length."""
        return float(np.ptp(self.body.vertices, axis=0).max())

    @property
    def bones(self) -> IntArray:
        """The joint that carries most of each vertex, ``(V,)``."""
        most = np.argmax(self.body.weights, axis=1)
        return np.asarray(np.take_along_axis(self.body.joints, most[:, None], axis=1)[:, 0], dtype=np.int64)

    @property
    def links(self) -> Links:
        """The joints between bones: those of the skeleton, then those that close loops."""
        skeleton = self.skeleton
        children = [j for j in range(len(skeleton)) if skeleton.parents[j] >= 0]
        parents = [int(skeleton.parents[j]) for j in children]
        places = [self.body.bind_positions[j] for j in children]
        free = EllipsoidLimit((WIDEST,) * 3, (WIDEST,) * 3)
        told = [self.limits.get(skeleton.names[j], free).angles for j in children]
        for first, second, place in self.loops:
            parents.append(skeleton.index(first))
            children.append(skeleton.index(second))
            places.append(np.asarray(place, dtype=np.float64))
            told.append(np.full((2, 3), np.pi))
        turns = self.body.bind_rotations
        rest = rot.multiply(rot.inverse(turns[parents]), turns[children])
        return Links(np.array(parents), np.array(children), np.array(places), np.array(told), rest)

    def axes(self) -> FloatArray:
        """Frames ``(B, 3, 3)`` of the bones in the bind pose: the first column along each of them."""
        skeleton, places = self.skeleton, self.body.bind_positions
        out = np.empty((len(skeleton), 3, 3))
        bones, vertices = self.bones, self.body.vertices
        for b in range(len(skeleton)):
            ends = [places[c] for c in skeleton.children(b)]
            mine = vertices[bones == b]
            end = np.mean(ends, axis=0) if ends else (mine.mean(axis=0) if len(mine) else places[b])
            along = end - places[b]
            length = float(np.linalg.norm(along))
            along = along / length if length > 1e-9 * self.size else np.array([0.0, 1.0, 0.0])
            side = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
            side /= np.linalg.norm(side)
            out[b] = np.stack([along, side, np.cross(along, side)], axis=1)
        return out


@dataclass(frozen=True, eq=False)
class Links:
    """Joints as links between two bones: ``parents (L,)``, ``children (L,)``."""

    parents: IntArray
    children: IntArray
    places: FloatArray  # (L, 3) m in the bind pose
    angles: FloatArray  # (L, 2, 3) rad, see `EllipsoidLimit.angles`
    rest: FloatArray  # (L, 4) of the child in the frame of the parent, in the bind pose

    def __len__(self) -> int:
        return len(self.parents)
