"""Bodies that hold on: forces at hands and feet that may pull as well as push."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote.errors import LocomoteError
from locomote.masses import Masses
from locomote.math.constants import GRAVITY
from locomote.motion import Motion
from locomote.physics._contact_points import chains
from locomote.physics._kernels.force_split import Contact, Price
from locomote.physics._newton import SegmentMotion, loads
from locomote.physics._splitting import contact_torques, need_of, split
from locomote.physics._strengths import joint_strengths
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

PRICE = Price(residual=1e4, arm=1.0, force=1.0, share=0.0, pivot=0.0, steady=0.0)
_AXES = np.concatenate([np.eye(3), -np.eye(3)])  # a grip pushes and pulls along all of them


@dataclass(frozen=True, eq=False)
class Grips:
    """Which joints hold on, and when.

    Parameters
    ----------
    joints
        By number.
    holds
        (F, L): whether each of them holds on.
    """

    joints: Sequence[int]
    holds: IntArray

    def contact(self, motion: Motion, positions: FloatArray) -> Contact:
        """For the split of forces.

        Parameters
        ----------
        motion : whose joints hold on
        positions : (F, J, 3) m, of its joints
        """
        at = positions[:, list(self.joints)]
        if np.shape(self.holds) != at.shape[:2]:
            raise LocomoteError(f"grips: expected holds of shape {at.shape[:2]}, got {np.shape(self.holds)}")
        return Contact(
            points=np.ascontiguousarray(at),
            directions=np.ascontiguousarray(np.broadcast_to(_AXES, (*at.shape[:2], 6, 3))),
            active=np.asarray(self.holds, dtype=np.int64),
            limbs=np.arange(len(self.joints)),
            chains=chains(motion.skeleton, list(self.joints)),
        )


def grip_forces(motion: Motion, masses: Masses, grips: Grips, moving: SegmentMotion) -> tuple[FloatArray, FloatArray]:
    """Forces ``(F, L, 3)`` N at the grips and torques ``(F, J, 3)`` N m at the joints, by the least effort."""
    contact = grips.contact(motion, moving.positions)
    needed = loads(motion.skeleton, masses, moving)
    strengths = joint_strengths(motion.skeleton, masses.total, "uniform")
    need = need_of(masses, moving, needed, strengths, np.full(contact.active.shape, -1.0))
    force = masses.total * GRAVITY * split(contact, need, PRICE)
    return force, needed.torques - contact_torques(contact, force, moving.positions)
