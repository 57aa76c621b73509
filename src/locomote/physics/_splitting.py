"""Forces at points of contact from what a motion needs: memory for the kernel, and the call."""

from __future__ import annotations

import numpy as np

from locomote.masses import Masses
from locomote.math.constants import GRAVITY
from locomote.physics._kernels.force_split import Contact, Need, Price, SplitWork, split_forces
from locomote.physics._newton import Loads, SegmentMotion
from locomote.rotations import FloatArray


def need_of(
    masses: Masses,
    moving: SegmentMotion,
    needed: Loads,
    strengths: FloatArray,
    shares: FloatArray,
    pivot: float = 0.0,
) -> Need:
    """What a motion needs, in units of the body; ``shares`` ``(F, L)`` of the load are below 0 where nobody knows.

    Lines of force are expected to meet ``pivot`` m over the centre of mass.
    """
    weight = masses.total * GRAVITY
    centre = masses.mass @ moving.centres / masses.total
    borne = shares * np.maximum(needed.force[:, 1:2], 0.0) / weight
    return Need(
        force=needed.force / weight,
        moment=(needed.moment - np.cross(centre, needed.force)) / weight,
        centre=centre,
        torques=needed.torques / weight,
        joints=moving.positions,
        capacities=strengths / weight,
        shares=np.where(shares < 0.0, -1.0, borne),
        pivots=centre + np.array([0.0, pivot, 0.0]),
    )


def split(contact: Contact, need: Need, price: Price) -> FloatArray:
    """Forces ``(F, P, 3)`` at the points of contact, in units of the body's weight."""
    frames, points = contact.active.shape
    limbs, longest = contact.chains.shape
    unknowns = points * contact.directions.shape[2]
    rows = 6 + limbs * (3 * longest + 10)
    work = SplitWork(
        rows=np.zeros((rows, unknowns)),
        wanted=np.zeros(rows),
        square=np.zeros((unknowns, unknowns)),
        slope=np.zeros(unknowns),
        factor=np.zeros((unknowns, unknowns)),
        trial=np.zeros(unknowns),
        share=np.zeros(unknowns),
        which=np.zeros(unknowns, dtype=np.int64),
        chosen=np.zeros(unknowns, dtype=np.int64),
        before=np.zeros((limbs, 3)),
    )
    out = np.zeros((frames, points, 3))
    split_forces(contact, need, price, work, out)
    return out


def contact_torques(contact: Contact, at_points: FloatArray, joints: FloatArray) -> FloatArray:
    """Torques ``(F, J, 3)`` that forces ``(F, P, 3)`` at the points of contact put on the joints that carry them."""
    out = np.zeros_like(joints)
    for limb, chain in enumerate(contact.chains):
        own = contact.limbs == limb
        for joint in chain[chain >= 0]:
            arms = contact.points[:, own] - joints[:, None, joint]
            out[:, joint] += np.cross(arms, at_points[:, own]).sum(axis=1)
    return out
