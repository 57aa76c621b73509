"""What joints can bear: the weights of the least effort."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.math.constants import GRAVITY
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

SETS = ("uniform", "literature", "relaxed")
_UNIFORM = 0.1  # m; every joint bears the body's weight at the end of this arm
# N m a kilogram that grown people can put out, rounded from reviews of isometric strength.
_HIP, _KNEE, _ANKLE = 3.0, 2.6, 1.7
_SHOULDER, _ELBOW, _WRIST, _BACK, _NECK = 1.0, 0.8, 0.2, 3.5, 0.4
_RELAXED = 2.0  # how much stronger ankles are in the set that is named after it


def joint_strengths(skeleton: Skeleton, mass: float, strengths: str | npt.ArrayLike) -> FloatArray:
    """What each joint bears at the price of 1, ``(J,)`` N m.

    Parameters
    ----------
    skeleton : whose joints
    mass : kg
    strengths : one of the sets, or (J,) N m
    """
    if not isinstance(strengths, str):
        given = np.asarray(strengths, dtype=np.float64)
        if given.shape != (len(skeleton),) or not np.all(given > 0.0):
            raise LocomoteError(f"strengths: expected {len(skeleton)} torques above 0 in N m, got {given.shape}")
        return given
    if strengths not in SETS:
        raise LocomoteError(f"strengths {strengths!r}: expected one of {', '.join(SETS)}, or a torque for each joint")
    uniform = np.full(len(skeleton), _UNIFORM * mass * GRAVITY)
    if strengths == "uniform":
        return uniform
    roles, out = skeleton.roles, uniform
    for joint in roles.spine:
        out[joint] = _BACK * mass
    for joint in (*roles.neck, *(() if roles.head is None else (roles.head,))):
        out[joint] = _NECK * mass
    for arm in roles.arms:
        out[arm.shoulder], out[arm.elbow], out[arm.wrist] = _SHOULDER * mass, _ELBOW * mass, _WRIST * mass
    for leg in roles.legs:
        ankle = _ANKLE * (_RELAXED if strengths == "relaxed" else 1.0)
        out[leg.hip], out[leg.knee], out[leg.ankle] = _HIP * mass, _KNEE * mass, ankle * mass
    return out
