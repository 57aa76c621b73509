"""Poses about which a person vibrates, on any rig: by roles, not by names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

POSES = ("rest", "T", "spread", "standing", "running", "pushing")
AHEAD, LEFT = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
# Where upper arms point (outwards, up, ahead), how far elbows bend, and thighs, knees and ankles; rad.
_ARMS = {
    "T": ((1.0, 0.0, 0.0), 0.0),
    "spread": ((1.0, 0.0, 0.0), 0.0),
    "standing": ((0.18, -1.0, 0.0), 0.15),
    "running": ((0.2, -1.0, -0.15), 1.5),
    "pushing": ((0.15, -0.75, 0.65), 0.55),
}
_LEGS = {"T": (0.0, 0.0), "spread": (0.1, 0.2), "standing": (0.1, 0.2), "running": (0.35, 0.7), "pushing": (0.2, 0.4)}


def person_pose(skeleton: Skeleton, name: str) -> FloatArray:
    """Local rotations ``(J, 4)`` of a pose of a person that faces +Z: one of `POSES`.

    Parameters
    ----------
    skeleton : with legs and arms
    name : "rest" leaves it as it is; "T", arms spread; "spread", knees a little bent as well; "standing", arms at the
        sides; "running", knees and elbows bent; "pushing", hands before the chest
    """
    if name not in POSES:
        raise LocomoteError(f"no pose {name!r}; expected one of {', '.join(POSES)}")
    turns = np.array(skeleton.rest_rotations)
    x, _, z = skeleton.roles.forward
    turns[0] = rot.multiply(rot.inverse(rot.from_yaw(np.arctan2(x, z))), turns[0])
    if name == "rest":
        return turns
    (out, up, ahead), bend = _ARMS[name]
    for arm in skeleton.roles.arms:
        side = 1.0 if arm.side == "left" else -1.0
        _aim(skeleton, turns, (arm.shoulder, arm.elbow), np.array([side * out, up, ahead]))
        way = _aim(skeleton, turns, (arm.elbow, arm.wrist), np.array([side * out, up, ahead]))
        _turn(skeleton, turns, arm.elbow, bend * _unit(np.cross(way, AHEAD)))
    thigh, knee = _LEGS[name]
    for leg in skeleton.roles.legs:
        _turn(skeleton, turns, leg.hip, -thigh * LEFT)
        _turn(skeleton, turns, leg.knee, knee * LEFT)
        _turn(skeleton, turns, leg.ankle, (thigh - knee) * LEFT)
    return turns


def _turn(skeleton: Skeleton, turns: FloatArray, joint: int, vector: FloatArray) -> None:
    """Turn a joint, and all that hangs on it, by a rotation vector in the world."""
    world = replace(skeleton, rest_rotations=turns).rest_pose()[1]
    above = world[skeleton.parents[joint]]
    turns[joint] = rot.multiply(rot.inverse(above), rot.multiply(rot.exp(vector), world[joint]))


def _aim(skeleton: Skeleton, turns: FloatArray, bone: tuple[int, int], way: FloatArray) -> FloatArray:
    """Turn a bone to where it shall point; the direction."""
    places = replace(skeleton, rest_rotations=turns).rest_pose()[0]
    goal = _unit(way)
    _turn(skeleton, turns, bone[0], rot.log(rot.between(_unit(places[bone[1]] - places[bone[0]]), goal)))
    return goal


def _unit(v: FloatArray) -> FloatArray:
    return np.asarray(v / max(float(np.linalg.norm(v)), 1e-9))
