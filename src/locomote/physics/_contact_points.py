"""The points at which a body touches the world, and the directions in which the world can push there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote.contacts import Contacts
from locomote.contacts.feet import ADULT_LEG, speeds
from locomote.contacts.footing import Footing
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.physics._kernels.force_split import Contact
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

FRICTION = 0.8  # of bare feet and shoes on dry floors
_HALF_WIDTH = 0.035  # m of the ball of an adult's foot; this and the next go with the leg
_LOW = 0.03  # m over the floor; a point of a standing foot that is higher bears nothing
_POINT = 1e-6  # m; a shorter foot is one point, such as a hoof
_AS_LOW = 90.0  # per cent of the frames in which a foot surely stands: where it is lower than in these, it may stand
_SLOW = 0.4  # m/s of an adult's foot, below which it then does; goes with the root of the leg
_OUTLIER = 10.0  # spreads between the quarters of its heights over the upper one: a foot that high does not stand
_LEAST_OUTLIER = 0.003  # m, of feet that stand exactly still; goes with the leg
_TOE = 2


def by_height(contacts: Contacts, leg_length: float) -> Contacts:
    """Contacts of more than two legs, put right by how high each foot is while it stands.

    The detector ends a contact at a share of the speed of the swing beside it. Where steps are small and feet slip, it
    leaves out whole ones, and the others would have to bear what those did; where feet rise slowly, it is late.

    Parameters
    ----------
    contacts : as the detector found them
    leg_length : m
    """
    if len(contacts.legs) <= 2:  # feet of people roll, and the detector was made for them
        return contacts
    size, stands = leg_length / ADULT_LEG, contacts.foot.copy()
    slow = speeds(contacts.points[:, :, _TOE], contacts.fps) < _SLOW * np.sqrt(size)
    for leg in np.flatnonzero(stands.any(axis=0)):
        heights = contacts.heights[:, leg, _TOE]
        first, third, low = np.percentile(heights[stands[:, leg]], [25.0, 75.0, _AS_LOW])
        stands[:, leg] |= slow[:, leg] & (heights <= low)
        stands[:, leg] &= heights <= third + max(_OUTLIER * (third - first), _LEAST_OUTLIER * size)
    return replace(contacts, heel=contacts.heel & stands, toe=stands)


def foot_contact(
    motion: Motion, contacts: Contacts, friction: float = FRICTION, footing: Footing | None = None
) -> Contact:
    """Heel, both sides of the ball and toe of every leg.

    Parameters
    ----------
    motion : whose feet they are
    contacts : of the motion
    friction : coefficient, above 0
    footing : the ground under the motion; the floor of the contacts without it
    """
    if not 0.0 < friction < np.inf:
        raise LocomoteError(f"friction: expected a coefficient above 0, got {friction}")
    if len(contacts) != len(motion):
        raise LocomoteError(f"contacts of {len(contacts)} frames for a motion of {len(motion)}")
    legs = motion.skeleton.roles.legs
    if not legs:
        raise LocomoteError("this skeleton has no legs that could carry it")
    frames, size = len(motion), motion.skeleton.leg_length() / ADULT_LEG
    points = np.empty((frames, len(legs), 4, 3))
    active = np.zeros((frames, len(legs), 4), dtype=np.int64)
    for i in range(len(legs)):
        heel, ball, toe = np.moveaxis(contacts.points[:, i], 1, 0)
        long = float(np.median(np.linalg.norm(toe - heel, axis=1)))
        side = np.cross([0.0, 1.0, 0.0], toe - heel)
        side *= _HALF_WIDTH * size / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-9)
        points[:, i] = np.stack([heel, ball - side, ball + side, toe], axis=1)
        low = contacts.heights[:, i] < _LOW * size
        # Which part stands is not asked: soles are soft, and bear where heel or ball seem to be just above the ground.
        touches = contacts.foot[:, i] & low[:, [0, 1, 1, 2]].T
        touches[3] |= contacts.foot[:, i] & ~touches.any(axis=0)
        if long < _POINT:
            touches[:3] = False
            touches[3] = contacts.foot[:, i]
        active[:, i] = touches.T
    flat = points.reshape(frames, -1, 3)
    # Joints and markers lie above the sole: forces act on the ground under them.
    if footing is None:
        over = contacts.floor.heights(flat)
        sole = float(np.min(contacts.floor.heights(contacts.points) - contacts.heights))
        flat[..., 1] -= over - sole
        normal = np.array([-contacts.floor.slope_x, 1.0, -contacts.floor.slope_z])
        normals = np.broadcast_to(normal / np.linalg.norm(normal), flat.shape)
    else:
        flat[..., 1] = footing.heights(flat)
        normals = footing.normals(flat)
    return Contact(
        points=flat,
        directions=cones(normals, friction),
        active=active.reshape(frames, -1),
        limbs=np.repeat(np.arange(len(legs)), 4),
        chains=chains(motion.skeleton, [leg.toe for leg in legs]),
    )


def cones(normals: FloatArray, friction: float) -> FloatArray:
    """Four edges ``(..., 4, 3)`` of the friction cone about each normal ``(..., 3)``, with 1 along it."""
    upright = np.abs(normals[..., :1]) < 0.9
    first = np.cross(normals, np.where(upright, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]))
    first /= np.linalg.norm(first, axis=-1, keepdims=True)
    second = np.cross(normals, first)
    around = np.stack([first, second, -first, -second], axis=-2)
    edges: FloatArray = normals[..., None, :] + friction * around
    return edges


def chains(skeleton: Skeleton, tips: list[int]) -> IntArray:
    """The joints ``(L, C)`` from each tip up to the root, which is left out; -1 where a chain is shorter."""
    paths = [skeleton.ancestors(tip)[:-1] for tip in tips]
    out = np.full((len(tips), max(1, *(len(path) for path in paths))), -1, dtype=np.int64)
    for row, path in zip(out, paths, strict=True):
        row[: len(path)] = path
    return out
