"""What is odd about a body that was read: its size, how it holds itself, how its knees bend."""

from __future__ import annotations

import numpy as np

from locomote.formats._upright import some_frames
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Leg, Roles

HEIGHTS = (0.1, 30.0)  # m, of people
LYING = 60.0  # degrees between a trunk and upright, from which on a body lies
LYING_SHARE = 0.8  # of the frames in which somebody lies who is not only resting
CLEAR_BEND = 20.0  # degrees; less says nothing of the side to which a knee bends
OTHER_WAY = 0.25  # of the frames with a clear bend in which a knee bends to its other side


def doubts(motion: Motion) -> list[str]:
    """A sentence for all that people are not: tiny or huge, always lying, with knees that bend both ways."""
    roles = motion.skeleton.roles
    if not is_person(roles):
        return []
    positions = some_frames(motion)
    out = []
    height = standing_height(roles, positions)
    if not HEIGHTS[0] <= height <= HEIGHTS[1]:
        out.append(f"doubtful: the person is {height:.3g} m tall; if the unit is another, give it, such as unit='cm'")
    tilt = trunk_tilts(roles, positions)
    if np.mean(tilt > LYING) > LYING_SHARE:
        degrees = f"{np.median(tilt):.0f} degrees"
        out.append(f"doubtful: the trunk is {degrees} off upright; if Y is not up, give the axis, such as up='z'")
    forwards = []
    for leg in roles.legs:
        bend = knee_bends(roles, leg, positions)
        clear = bend[np.abs(bend) > CLEAR_BEND]
        forwards.append(len(clear) > 0 and np.mean(clear < 0.0) >= 1.0 - OTHER_WAY)
        if len(clear) and OTHER_WAY < np.mean(clear < 0.0) < 1.0 - OTHER_WAY:
            name = motion.skeleton.names[leg.knee]
            out.append(f"doubtful: {name} bends forwards and backwards; is it the knee? Name the joints with roles")
    if all(forwards):
        out.append("doubtful: both knees bend forwards; are left and right swapped? Name the joints with roles")
    return out


def is_person(roles: Roles) -> bool:
    """Two legs, two arms, a head and no tail."""
    return len(roles.legs) == 2 and len(roles.arms) == 2 and roles.head is not None and not roles.tail


def standing_height(roles: Roles, positions: FloatArray) -> float:
    """The length of legs and trunk in frames ``(F, J, 3)``, m: the same in every pose."""
    legs = [positions[:, list(leg.chain[: leg.chain.index(leg.ankle) + 1])] for leg in roles.legs]
    trunk = positions[:, [roles.root, *roles.spine, *roles.neck, *([] if roles.head is None else [roles.head])]]
    lengths = [np.linalg.norm(np.diff(line, axis=1), axis=-1).sum(axis=1) for line in (*legs, trunk)]
    return float(np.median(np.mean(lengths[:-1], axis=0) + lengths[-1]))


def trunk_tilts(roles: Roles, positions: FloatArray) -> FloatArray:
    """Degrees ``(F,)`` between the trunk, from hips to neck, and upright."""
    top = roles.neck[0] if roles.neck else roles.head
    if top is None:
        return np.zeros(len(positions))
    trunk = positions[:, top] - positions[:, [leg.hip for leg in roles.legs]].mean(axis=1)
    along = trunk[:, 1] / np.maximum(np.linalg.norm(trunk, axis=1), 1e-12)
    out: FloatArray = np.degrees(np.arccos(np.clip(along, -1.0, 1.0)))
    return out


def knee_bends(roles: Roles, leg: Leg, positions: FloatArray) -> FloatArray:
    """Degrees ``(F,)`` by which a knee is bent, those to the front negative."""
    thigh, shank = (positions[:, b] - positions[:, a] for a, b in ((leg.hip, leg.knee), (leg.knee, leg.ankle)))
    left = positions[:, roles.leg("left").hip] - positions[:, roles.leg("right").hip]
    across = np.cross(thigh, shank)
    sine, cosine = np.linalg.norm(across, axis=1), np.sum(thigh * shank, axis=1)
    sign = np.where(np.sum(across * left, axis=1) < 0.0, -1.0, 1.0)
    out: FloatArray = np.degrees(sign * np.arctan2(sine, cosine))
    return out
