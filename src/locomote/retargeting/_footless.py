"""Legs that end with their shin, as robot dogs have them: a joint at the foot for as long as one works on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.errors import SkeletonError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Leg, Roles, Skeleton

SHORTEST_SHIN = 0.4  # of the thigh; what sticks out less beyond the last joint is a foot and no shin


def with_ankles(skeleton: Skeleton) -> Skeleton:
    """The skeleton with a joint behind all others for every leg that has none where its shin ends."""
    roles, count = skeleton.roles, len(skeleton)
    bare = [leg for leg in roles.legs if _lacks_ankle(skeleton, leg)]
    if not bare:
        return skeleton
    legs = {leg: _with_ankle(leg, count + i) for i, leg in enumerate(bare)}
    return replace(
        skeleton,
        names=(*skeleton.names, *(f"{skeleton.names[leg.knee]} (foot)" for leg in bare)),
        parents=np.concatenate([skeleton.parents, [leg.toe for leg in bare]]),
        offsets=np.concatenate([skeleton.offsets, [leg.toe_offset for leg in bare]]),
        rest_rotations=np.concatenate([skeleton.rest_rotations, rot.identity(len(bare))]),
        given_roles=replace(roles, legs=tuple(legs.get(leg, leg) for leg in roles.legs)),
    )


def _lacks_ankle(skeleton: Skeleton, leg: Leg) -> bool:
    thigh = skeleton.chain_length(leg.hip, leg.knee)
    return leg.detached_foot is None and leg.footless_shank() > max(SHORTEST_SHIN * thigh, 0.0)


def _with_ankle(leg: Leg, joint: int) -> Leg:
    return replace(leg, ankle=joint, ball=joint, toe=joint, toe_offset=(0.0, 0.0, 0.0), chain=(*leg.chain, joint))


def on(skeleton: Skeleton, motion: Motion) -> Motion:
    """The motion on a skeleton that has some more joints behind its own, which rest."""
    more = len(skeleton) - len(motion.skeleton)
    if not more:
        return replace(motion, skeleton=skeleton)
    turns = np.concatenate([motion.rotations, rot.identity(len(motion), more)], axis=1)
    moved: FloatArray | None = None
    if motion.translations is not None:
        still = np.broadcast_to(skeleton.offsets[-more:], (len(motion), more, 3))
        moved = np.concatenate([motion.translations, still], axis=1)
    return replace(motion, skeleton=skeleton, rotations=turns, translations=moved)


def off(skeleton: Skeleton, motion: Motion) -> Motion:
    """The motion without the joints that its skeleton has behind those of another."""
    count = len(skeleton)
    moved = None if motion.translations is None else motion.translations[:, :count]
    return replace(motion, skeleton=skeleton, rotations=motion.rotations[:, :count], translations=moved)


def check_legs(which: str, skeleton: Skeleton, roles: Roles) -> None:
    """Refuse legs that cannot bend: those of one bone."""
    if not roles.legs:
        raise SkeletonError(f"retarget: no legs found on the {which}; name its joints with roles")
    for leg in roles.legs:
        upto = leg.ankle if len(roles.legs) == 2 else leg.ball
        bones = [skeleton.chain_length(leg.hip, leg.knee), skeleton.chain_length(leg.knee, leg.ankle)]
        if len({leg.hip, leg.knee, upto}) < 3 or min(bones) <= 0.0:
            joints = ", ".join(skeleton.names[j] for j in leg.chain)
            raise SkeletonError(
                f"retarget: the {leg.side} leg of the {which} has one bone that can bend ({joints}); "
                "a leg needs a hip, a knee and an ankle: name them with roles"
            )
