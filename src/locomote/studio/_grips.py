"""Handles of a body with two legs, and the poses that it begins in."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from locomote import rotations as rot
from locomote.motion import Motion, Poses
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton
from locomote.spaces import Drag, PoseDatabase

FPS = 30.0  # of a pose that is saved as a clip of one frame


@dataclass(frozen=True)
class Grip:
    """A joint that can be taken hold of."""

    joint: int
    title: str
    pinned: bool = False
    turned: bool = False  # its rotation is held as well as its place
    ball: int | None = None  # what stands together with an ankle: without it the toes of a pinned foot would sink


@dataclass(frozen=True, eq=False)
class PoseState:
    """All that a drag changes."""

    pose: Poses
    grips: tuple[Grip, ...]
    pins: dict[int, tuple[FloatArray, FloatArray]] = field(default_factory=dict)  # joint to place and rotation, world
    drags: tuple[Drag, ...] = ()


def grips_of(skeleton: Skeleton) -> tuple[Grip, ...]:
    """Handles on hands, feet, head and hips; the feet are pinned."""
    roles = skeleton.roles
    out = [Grip(arm.wrist, f"{arm.side} hand".strip()) for arm in roles.arms]
    for leg in roles.legs:
        ball = None if leg.ball == leg.ankle else leg.ball
        out.append(Grip(leg.ankle, f"{leg.side} foot".strip(), pinned=True, ball=ball))
    if roles.head is not None:
        out.append(Grip(roles.head, "head"))
    return (*out, Grip(roles.root, "hips"))


def upright(skeleton: Skeleton) -> dict[int, FloatArray]:
    """Where feet and head are in the rest pose, as it stands on the ground about the origin."""
    places, turns = rest(skeleton, 0.0)
    world = Motion(skeleton, FPS, places, turns).joint_positions()[0]
    middle = np.mean([world[leg.ankle] for leg in skeleton.roles.legs], axis=0) * np.array([1.0, 0.0, 1.0])
    joints = [j for leg in skeleton.roles.legs for j in (leg.ankle, leg.ball)]
    head = skeleton.roles.head
    return {j: world[j] - middle for j in (joints if head is None else [*joints, head])}


def rest(skeleton: Skeleton, ground: float) -> tuple[FloatArray, FloatArray]:
    """Root and rotations of the rest pose, with its lower foot on the ground."""
    places, turns = skeleton.offsets[:1].copy(), skeleton.rest_rotations[None].copy()
    at, turned = (each[0] for each in Motion(skeleton, FPS, places, turns).world())
    tips = [at[leg.toe] + rot.rotate(turned[leg.toe], np.array(leg.toe_offset)) for leg in skeleton.roles.legs]
    places[0, 1] += ground - min(float(tip[1]) for tip in tips)
    return places, turns


@cache
def recorded_poses() -> PoseDatabase:
    """The poses that come with the package."""
    return PoseDatabase.default()


@cache
def standing_row() -> int:
    """The recorded pose that is nearest to standing upright with hanging arms; the same one on every body."""
    skeleton, roles = recorded_poses().skeleton, recorded_poses().skeleton.roles
    rest, wanted = skeleton.rest_pose()[0], upright(skeleton)
    for arm in roles.arms:
        length = float(np.linalg.norm(skeleton.offsets[[arm.elbow, arm.wrist]], axis=1).sum())
        wanted[arm.wrist] = rest[arm.shoulder] - np.array([0.0, length, 0.0])
    places = recorded_poses().poses.joint_positions()[:, list(wanted)]
    return int(np.argmin(np.linalg.norm(places - np.array(list(wanted.values())), axis=2).sum(axis=1)))
