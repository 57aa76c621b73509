"""Forces at points of contact from what a motion needs: memory for the kernel, and the call."""

from __future__ import annotations

import numpy as np

from locomote.physics._kernels.force_split import Contact, Need, Price, SplitWork, split_forces
from locomote.rotations import FloatArray


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
