"""A body in its cage of oriented quads: from motion to quads, from quads to skin, and any other points in the cage."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.capture.cages._green import Binding, bind
from locomote.capture.cages._placing import place
from locomote.capture.cages._stance import Stance, stance_of
from locomote.errors import LocomoteError
from locomote.mannequin import default_body
from locomote.motion import Motion
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import IntArray, Skeleton


class Quads(NamedTuple):
    """Where the quads of a cage are and how they are turned, of one frame or of many; quad 0 is the pelvis."""

    places: FloatArray  # (..., Q, 3) m, world
    turns: FloatArray  # (..., Q, 4) from the stance in which the cage was put around the body, world


@dataclass(frozen=True, eq=False)
class CageRig:
    """A two-legged body in a cage; made by `CageRig.of`.

    A person has 21 quads that move (pelvis, waist, chest, neck, head base; clavicle, shoulder, elbow and wrist, hip,
    knee, ankle and toe of both sides) and three that go with head and wrists, so that hands and head are inside: 96
    corners, 188 triangles. Bodies without arms have fewer.
    """

    skeleton: Skeleton
    body: Body
    stance: Stance  # in which the cage was put around it
    names: tuple[str, ...]  # of the quads that move
    carriers: IntArray  # (Q,) joints with which their centres go
    pairs: IntArray  # (Q, 2) joints between whose turns theirs is
    shares: FloatArray  # (Q,) of the second
    centres: FloatArray  # (Q, 3) m, in the stance
    owners: IntArray  # (V,) the quad of each corner of the cage
    vertices: FloatArray  # (V, 3) m, of the cage in the stance
    faces: IntArray  # (F, 3)

    @classmethod
    def of(cls, skeleton: Skeleton | Motion, body: Body | None = None) -> CageRig:
        """A cage around a body, placed from the roles of its joints and as wide as its skin.

        Parameters
        ----------
        skeleton
            Any two-legged one, or a motion of it.
        body
            The skin; without it that of the motion, a mannequin for people of the walking engine, rounded limbs.
        """
        own = skeleton.body if isinstance(skeleton, Motion) else None
        bones = skeleton.skeleton if isinstance(skeleton, Motion) else skeleton
        skin = body if body is not None else own if own is not None and len(own.triangles) else default_body(bones)
        stance = stance_of(bones, skin)
        placed, cage = place(bones, stance)
        moving = [q for q, quad in enumerate(placed.quads) if quad.ends is None]
        number = {q: n for n, q in enumerate(moving)}
        owners = [number[q if quad.ends is None else quad.ends] for q, quad in enumerate(placed.quads)]
        quads = [placed.quads[q] for q in moving]
        return cls(
            bones,
            skin,
            stance,
            tuple(quad.name for quad in quads),
            np.array([quad.carrier for quad in quads]),
            np.array([(quad.turn.first, quad.turn.second) for quad in quads]),
            np.array([quad.turn.share for quad in quads]),
            np.array([quad.centre for quad in quads]),
            np.repeat(np.array(owners), 4),
            cage.vertices,
            cage.faces,
        )

    def quads_of(self, motion: Motion) -> Quads:
        """The quads of a motion on the same joints: mapped from one frame, the stance, to all (CAG-04).

        Parameters
        ----------
        motion : of this skeleton
        """
        if motion.skeleton.names != self.skeleton.names:
            raise LocomoteError("the motion is of other joints than the cage: retarget it onto the cage's skeleton")
        positions, world = motion.world()
        turned = rot.multiply(world, rot.inverse(self.stance.turns))
        first, second = turned[:, self.pairs[:, 0]], turned[:, self.pairs[:, 1]]
        turns = rot.canonical(rot.slerp(first, second, np.broadcast_to(self.shares, first.shape[:2])))
        off = self.centres - self.stance.positions[self.carriers]
        return Quads(positions[:, self.carriers] + rot.rotate(turned[:, self.carriers], off), turns)

    def cage_of(self, quads: Quads) -> FloatArray:
        """The corners of the cage, ``(..., V, 3)`` m.

        Parameters
        ----------
        quads : of one frame or of many
        """
        local = self.vertices - self.centres[self.owners]
        return quads.places[..., self.owners, :] + rot.rotate(quads.turns[..., self.owners, :], local)

    def bind(self, points: ArrayLike) -> BoundPoints:
        """Any points in the cage in its stance, such as the vertices of another mesh; they go along with it (CAG-11).

        Parameters
        ----------
        points : (P, 3) m, where they are when the body is in `stance`
        """
        binding = bind(points, self.vertices, self.faces)
        outside = np.flatnonzero(~binding.inside)
        if len(outside) == len(binding.phi):
            raise LocomoteError("none of the points lies in the cage: put them where the body is in its stance")
        p = np.asarray(points, dtype=np.float64)
        away = np.linalg.norm(p[outside, None] - self.centres[None], axis=2)
        return BoundPoints(self, binding, p, outside, np.argmin(away, axis=1))

    @cached_property
    def skin(self) -> BoundPoints:
        """The vertices of the body."""
        return self.bind(self.stance.vertices)

    @cached_property
    def joints(self) -> BoundPoints:
        """The joints of the skeleton (CAG-10)."""
        return self.bind(self.stance.positions)


@dataclass(frozen=True, eq=False)
class BoundPoints:
    """Points that go along with a cage; those outside of it go rigidly with the nearest quad, and are told."""

    rig: CageRig
    binding: Binding
    points: FloatArray  # (P, 3) m, in the stance
    outside: IntArray
    nearest: IntArray  # quads of those outside

    def posed(self, quads: Quads) -> FloatArray:
        """Where they are, ``(..., P, 3)`` m.

        Parameters
        ----------
        quads : of one frame or of many
        """
        out = self.binding.posed(self.rig.cage_of(quads))
        if len(self.outside):
            off = self.points[self.outside] - self.rig.centres[self.nearest]
            turned = rot.rotate(quads.turns[..., self.nearest, :], off)
            out[..., self.outside, :] = quads.places[..., self.nearest, :] + turned
        return out
