"""Any recorded person onto the one skeleton that the model speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.errors import SkeletonError
from locomote.formats._doubts import HEIGHTS, LYING, standing_height, trunk_tilts
from locomote.human_skeleton import COMMON, PELVIS_ABOVE_HIPS, SHANK, THIGH, human_skeleton
from locomote.motion import Motion
from locomote.retargeting._reference import reference_pose, stands
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

# How far the hinge of the elbow lies off the lateral axis of the upper arm's frame, by the maker of the rig (radians).
ELBOW_TWIST = {"cmu": float(np.radians(-30.0)), "opensim": float(np.radians(13.0))}


@dataclass(frozen=True, eq=False)
class Capture:
    """A clip on the common skeleton: world root in hip heights of the performer, local rotations."""

    fps: float
    hip_height: float  # m, of the performer
    root: FloatArray  # (F, 3) position of the pelvis joint, divided by the hip height
    rotations: FloatArray  # (F, J, 4)

    def __len__(self) -> int:
        return len(self.root)

    def motion(self) -> Motion:
        """The same on a common skeleton as tall as the performer."""
        body = human_skeleton(self.hip_height * (THIGH + SHANK))
        return Motion(body, self.fps, self.root * self.hip_height, self.rotations)


def import_motion(motion: Motion, elbow_twist: float | None = None, hip_height: float | None = None) -> Capture:
    """Map a motion by roles: bone directions are kept exactly, spine and neck bends are shared out evenly.

    ``hip_height`` (m) replaces that of the file's skeleton where it is known better.
    """
    skeleton = motion.skeleton
    roles = skeleton.roles
    if len(roles.legs) != 2 or len(roles.arms) != 2 or roles.head is None:
        raise SkeletonError(f"{motion.name}: expected a person with two legs, two arms and a head")
    twist = _elbow_twist(skeleton) if elbow_twist is None else elbow_twist
    positions, world = motion.world()
    rest_positions, rest, facing = _standing(motion)

    def turned(joint: int, alignment: FloatArray) -> FloatArray:
        """World rotations of a common joint that rides on a joint of the file."""
        return rot.multiply(world[:, joint], rot.multiply(rot.inverse(rest[joint]), alignment))

    pelvis = turned(roles.root, facing)
    chest = turned(roles.spine[-1], facing) if roles.spine else pelvis
    head = turned(roles.head, facing)
    common_world = {"Hips": pelvis, "Head": head}
    bend = rot.log(rot.multiply(rot.inverse(pelvis), chest))
    for i, name in enumerate(("Spine", "Spine1", "Spine2")):
        common_world[name] = rot.multiply(pelvis, rot.exp(bend * (i + 1) / 3))
    common_world["Neck"] = rot.slerp(chest, head, np.full(len(motion), 0.5))
    common_world["LeftShoulder"] = common_world["RightShoulder"] = common_world["Spine2"]
    for limb in _limbs(skeleton, twist):
        bones = np.diff(rest_positions[list(limb.joints)], axis=0)
        common_bones = COMMON.offsets[[COMMON.index(name) for name in limb.names[1:]]]
        reach = rot.between(rot.rotate(facing, common_bones[0]), bones[0])
        pre = rot.multiply(reach, facing)
        for k, name in enumerate(limb.names):
            alignment = pre
            if k < len(bones):
                alignment = rot.multiply(rot.between(rot.rotate(pre, common_bones[k]), bones[k]), pre)
            common_world[name] = turned(limb.carriers[k], rot.multiply(alignment, limb.spin))
    stacked = np.stack([common_world[name] for name in COMMON.names], axis=1)
    local = stacked.copy()
    local[:, 1:] = rot.multiply(rot.inverse(stacked[:, COMMON.parents[1:]]), stacked[:, 1:])
    hips = [leg.hip for leg in roles.legs]
    height = float(np.mean([skeleton.chain_length(leg.hip, leg.ankle) for leg in roles.legs])) / (THIGH + SHANK)
    height = height if hip_height is None else hip_height
    middle = positions[:, hips].mean(axis=1) / height
    root = middle + rot.rotate(pelvis, np.array([0.0, PELVIS_ABOVE_HIPS, 0.0]))
    return Capture(motion.fps, height, root, rot.continuous(local))


def _standing(motion: Motion) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Positions and rotations of the joints in a pose in which the person stands upright, and the turn to its facing.

    That is the rest pose, or what retargeting makes of a motion whose zero pose means nothing.
    """
    skeleton, roles = motion.skeleton, motion.skeleton.roles
    positions, turns = skeleton.rest_pose()
    if not stands(roles, positions):
        reference = reference_pose(motion.name, skeleton, motion)
        positions, turns, facing = reference.positions, reference.rotations, rot.identity()
    else:
        facing = rot.between(np.array([0.0, 0.0, 1.0]), np.array([roles.forward[0], 0.0, roles.forward[2]]))
    tilt = float(np.median(trunk_tilts(roles, motion.joint_positions())))
    height = standing_height(roles, positions[None])
    if tilt > LYING or not HEIGHTS[0] <= height <= HEIGHTS[1]:
        raise SkeletonError(
            f"{motion.name}: expected a person who goes upright, but the trunk is {tilt:.0f} degrees off upright and "
            f"the height {height:.3g} m; load the file with its axis and unit, such as up='z', unit='cm'"
        )
    return positions, turns, facing


class _Limb(NamedTuple):
    joints: tuple[int, ...]  # of the file: where the bones begin and end
    carriers: tuple[int, ...]  # of the file: whose rotations they follow
    names: tuple[str, ...]  # of the common joints
    spin: FloatArray  # twist of the common frames about their bones


def _limbs(skeleton: Skeleton, twist: float) -> list[_Limb]:
    limbs = []
    for leg in skeleton.roles.legs:
        name = leg.side.capitalize()
        joints = (leg.hip, leg.knee, leg.ankle, leg.ball)
        before_ball = leg.chain[leg.chain.index(leg.ball) - 1]  # a heel joint below the ankle turns the foot
        names = tuple(f"{name}{part}" for part in ("UpLeg", "Leg", "Foot", "ToeBase"))
        limbs.append(_Limb(joints, (leg.hip, leg.knee, before_ball, leg.ball), names, rot.identity()))
    spin = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), twist)
    for arm in skeleton.roles.arms:
        bends = (arm.shoulder, arm.elbow, arm.wrist)
        names = tuple(f"{arm.side.capitalize()}{part}" for part in ("Arm", "ForeArm", "Hand"))
        limbs.append(_Limb(bends, bends, names, spin))
    return limbs


def _elbow_twist(skeleton: Skeleton) -> float:
    names = set(skeleton.names)
    if {"LHipJoint", "LowerBack"} <= names:
        return ELBOW_TWIST["cmu"]
    return ELBOW_TWIST["opensim"] if {"pelvis", "humerus_r"} <= names else 0.0
