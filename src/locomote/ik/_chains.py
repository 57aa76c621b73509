"""Which joints are meant: chains by the name of a limb, by role, or by joints from the base to the tip."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.errors import SkeletonError
from locomote.rotations import FloatArray
from locomote.skeleton import Arm, Leg, Skeleton

Joint = str | int
Chain = str | Leg | Arm | Sequence[Joint]

_STRAIGHT = np.radians(4.0)  # a limb that is bent less at rest does not say to which side it bends


class Limb(NamedTuple):
    """Three joints with two bones between them."""

    upper: int  # hip or shoulder
    middle: int  # knee or elbow
    end: int  # ankle or wrist
    side: FloatArray  # (3,) unit vector in the frame of `upper` to where the middle bends; 0 if nothing says so


def joint_index(skeleton: Skeleton, joint: Joint) -> int:
    """The index of a joint by name or number."""
    if isinstance(joint, str):
        return skeleton.index(joint)
    if not 0 <= joint < len(skeleton):
        raise SkeletonError(f"no joint {joint}; the joints are 0 to {len(skeleton) - 1}")
    return int(joint)


def joints_of(skeleton: Skeleton, chain: Chain) -> list[int]:
    """The joints of a chain from its base to its tip; those between two that are named belong to it."""
    stops = _stops(skeleton, chain)
    joints = stops[:1]
    for above, below in pairwise(stops):
        path = skeleton.ancestors(below)
        if above == below or above not in path:
            upper, lower = skeleton.names[above], skeleton.names[below]
            raise SkeletonError(f"{lower} does not hang below {upper}; name the joints from the base to the tip")
        joints += reversed(path[: path.index(above)])
    return joints


def limb_of(skeleton: Skeleton, limb: Chain) -> Limb:
    """A limb of two bones by name, role or its three joints."""
    whole, stops = joints_of(skeleton, limb), _stops(skeleton, limb)
    stops = whole if len(stops) == 2 else stops
    if len(stops) != 3:
        named = ", ".join(skeleton.names[joint] for joint in stops)
        raise SkeletonError(f"a limb of two bones has three joints, such as hip, knee and ankle; got {named}")
    upper, middle, end = stops
    ahead = (0.0, 0.0, 0.0)
    if any((leg.hip, leg.knee, leg.ankle) == (upper, middle, end) for leg in skeleton.roles.legs):
        ahead = skeleton.roles.forward  # knees bend forwards, elbows back
    elif any((arm.shoulder, arm.elbow, arm.wrist) == (upper, middle, end) for arm in skeleton.roles.arms):
        x, y, z = skeleton.roles.forward
        ahead = -x, -y, -z
    return Limb(upper, middle, end, _rest_side(skeleton, (upper, middle, end), ahead))


def limb_names(skeleton: Skeleton) -> dict[str, Leg | Arm]:
    """The limbs of a body by name: "left arm", "right leg"; "left leg 1" is in the second pair from the front."""
    names: dict[str, Leg | Arm] = {f"{arm.side} arm".strip(): arm for arm in skeleton.roles.arms}
    for leg in skeleton.roles.legs:
        names[f"{leg.side} leg {leg.row or ''}".strip()] = leg
    return names


def _stops(skeleton: Skeleton, chain: Chain) -> list[int]:
    if isinstance(chain, str):
        limbs = limb_names(skeleton)
        if chain not in limbs:
            known = ", ".join(limbs) or "none"
            raise SkeletonError(f"no limb {chain!r}; known are: {known}; or name the joints from the base to the tip")
        chain = limbs[chain]
    if isinstance(chain, Leg):
        return [chain.hip, chain.knee, chain.ankle]
    if isinstance(chain, Arm):
        return [chain.shoulder, chain.elbow, chain.wrist]
    if len(chain) == 0:
        raise SkeletonError("a chain needs joints, from its base to its tip")
    return [joint_index(skeleton, joint) for joint in chain]


@lru_cache(maxsize=256)  # a rest pose takes longer than the limb itself
def _rest_side(skeleton: Skeleton, limb: tuple[int, int, int], ahead: tuple[float, float, float]) -> FloatArray:
    """Where the middle of a limb lies beside its line in the rest pose, or else ``ahead``, in its upper frame."""
    positions, turns = skeleton.rest_pose()
    hip, knee, ankle = positions[list(limb)]
    line = _unit(ankle - hip)
    bent = float(np.arccos(np.clip(_unit(knee - hip) @ _unit(ankle - knee), -1.0, 1.0)))
    side = knee - hip if _STRAIGHT < bent < np.pi - _STRAIGHT else np.array(ahead)
    out = _unit(rot.rotate(rot.inverse(turns[limb[0]]), side - line * (side @ line)))
    out.setflags(write=False)
    return out


def _unit(v: FloatArray) -> FloatArray:
    """A vector of length 1; 0 stays 0."""
    length = float(np.linalg.norm(v))
    return v / length if length > 1e-12 else np.zeros(3)
