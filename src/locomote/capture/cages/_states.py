"""The poses of a cage as rows of numbers: quads as seen from the pelvis, all in metres."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.capture.cages._green import rest_of
from locomote.capture.cages._rig import CageRig, Quads
from locomote.rotations import FloatArray

if TYPE_CHECKING:
    from locomote.capture._kernels.cage_shape import Cage

LEVER = 0.2  # m a radian: what turning a quad counts beside shifting it


@dataclass(frozen=True, eq=False)
class States:
    """How quads of one rig are written as rows ``(6 (Q - 1),)``: place and rotation vector from their mean."""

    rig: CageRig
    means: FloatArray  # (Q, 4) turns as seen from the pelvis

    @classmethod
    def of(cls, rig: CageRig, quads: Quads) -> States:
        """Rows about the mean turns of known poses."""
        seen = rot.multiply(rot.inverse(quads.turns[:, :1]), quads.turns)
        return cls(rig, rot.mean(seen, axis=0))

    def rows(self, quads: Quads) -> FloatArray:
        """``(F, 6 (Q - 1))`` of quads of F frames."""
        back = rot.inverse(quads.turns[:, :1])
        places = rot.rotate(back, quads.places - quads.places[:, :1])
        vectors = LEVER * rot.log(rot.multiply(rot.multiply(back, quads.turns), rot.inverse(self.means)))
        both = np.concatenate([places, vectors], axis=2)[:, 1:]
        out: FloatArray = both.reshape(len(both), -1)
        return out

    def quads(self, rows: FloatArray, places: FloatArray, turns: FloatArray) -> Quads:
        """Quads of rows with the pelvis at ``places (F, 3)`` and turned by ``turns (F, 4)``."""
        both = rows.reshape(len(rows), -1, 6)
        count = len(self.means)
        at, world = np.empty((len(rows), count, 3)), np.empty((len(rows), count, 4))
        at[:, 0], world[:, 0] = places, turns
        at[:, 1:] = places[:, None] + rot.rotate(turns[:, None], both[..., :3])
        world[:, 1:] = rot.multiply(turns[:, None], rot.multiply(rot.exp(both[..., 3:] / LEVER), self.means[1:]))
        return Quads(at, rot.canonical(world))

    @cached_property
    def cage(self) -> Cage:
        """The cage for kernels."""
        from locomote.capture._kernels.cage_shape import Cage

        rig = self.rig
        local = np.ascontiguousarray(rig.vertices - rig.centres[rig.owners])
        means = np.ascontiguousarray(rot.to_matrix(self.means))
        owners = np.array(rig.owners, dtype=np.int64)
        return Cage(LEVER, means, owners, local, rig.faces, rest_of(rig.vertices, rig.faces))
