"""How a body stands: its soles, the points that may touch the ground, and a pose of the space to stand in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.physics._reduced import ReducedBody
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Leg, Skeleton

CORNERS = 4  # of a sole
_HEEL = 0.28  # of the length from below the ankle to the tips of the toes, behind the ankle
_TOES = 0.85  # of the toes that carry weight
_HEEL_WIDE, _BALL_WIDE = 0.22, 0.30  # of the length from the ankle to the ball, to either side
_SOFT_KNEES, _KNEES_AHEAD = 0.985, 0.08  # of the length of the legs: hip to ankle in the standing pose, and the knees
_APART = 0.15  # of the distance of the hips, by which feet stand wider
_RADII = {"knee": 0.05, "elbow": 0.04, "wrist": 0.04, "head": 0.09, "root": 0.11, "shoulder": 0.06}  # m


class Soles(NamedTuple):
    """Both soles: corners and middles in the frames of the ankles, and how flat feet are turned at yaw 0."""

    joints: tuple[int, int]  # ankles, left and right
    corners: FloatArray  # (2, 4, 3)
    middles: FloatArray  # (2, 3)
    flat: FloatArray  # (2, 4) of the ankles in the world


class Points(NamedTuple):
    """Points of a body that may touch the ground: the corners of the soles first."""

    bodies: IntArray  # (C,)
    points: FloatArray  # (C, 3) in the frames of the bodies
    radii: FloatArray  # (C,) m of flesh around them


def legs_of(skeleton: Skeleton) -> tuple[Leg, Leg]:
    """The left and the right leg."""
    sides = {leg.side: leg for leg in skeleton.roles.legs}
    if len(skeleton.roles.legs) != 2 or set(sides) != {"left", "right"}:
        raise LocomoteError("only bodies with a left and a right leg can balance")
    return sides["left"], sides["right"]


def soles_of(skeleton: Skeleton) -> Soles:
    """The soles, as they lie on the floor in the rest pose."""
    places, turns = skeleton.rest_pose()
    corners, flat, joints = np.zeros((2, CORNERS, 3)), np.zeros((2, 4)), []
    for i, leg in enumerate(legs_of(skeleton)):
        ankle = places[leg.ankle]
        # Some skeletons rest with their legs apart; their feet are flat where the legs hang down.
        shank = ankle - places[leg.knee]
        hang = rot.between(shank / np.linalg.norm(shank), np.array([0.0, -1.0, 0.0]))
        ball = ankle + rot.rotate(hang, places[leg.ball] - ankle)
        toe = places[leg.toe] + rot.rotate(turns[leg.toe], np.array(leg.toe_offset))
        toe = ankle + rot.rotate(hang, toe - ankle)
        front = ball if leg.ball != leg.ankle else ankle + 0.7 * (toe - ankle)
        ahead = (front - ankle) * (1.0, 0.0, 1.0)
        length = float(np.linalg.norm(ahead))
        if length == 0.0:
            ahead, length = np.array(skeleton.roles.forward), 0.12
        ahead = ahead / length
        side = np.cross((0.0, 1.0, 0.0), ahead)
        floor = min(ball[1], toe[1]) if leg.ball != leg.ankle else toe[1]
        below = np.array([ankle[0], floor, ankle[2]])
        toes = max(float((toe - front) @ ahead), 0.0)
        heel = below - (leg.heel_behind or _HEEL * (length + toes)) * ahead
        tip = below + (length + _TOES * toes) * ahead
        wide = length * np.outer((_HEEL_WIDE, -_HEEL_WIDE, _BALL_WIDE, -_BALL_WIDE), side)
        flat[i] = rot.multiply(hang, turns[leg.ankle])
        corners[i] = rot.rotate(rot.inverse(flat[i]), np.stack([heel, heel, tip, tip]) + wide - ankle)
        joints.append(leg.ankle)
    return Soles((joints[0], joints[1]), corners, corners.mean(axis=1), flat)


def touching_points(body: ReducedBody, soles: Soles) -> Points:
    """The corners of the soles, and knees, elbows, wrists, shoulders, head and hips."""
    roles = body.space.skeleton.roles
    rows = [(joint, corner, 0.0) for i, joint in enumerate(soles.joints) for corner in soles.corners[i]]
    nothing = np.zeros(3)
    rows += [(leg.knee, nothing, _RADII["knee"]) for leg in roles.legs]
    for name in ("elbow", "wrist", "shoulder"):
        rows += [(getattr(arm, name), nothing, _RADII[name]) for arm in roles.arms]
    rows += [(joint, nothing, _RADII[name]) for name, joint in (("head", roles.head), ("root", 0)) if joint is not None]
    found = [body.point(joint, point) for joint, point, _ in rows]
    return Points(
        np.array([b for b, _ in found]), np.array([p for _, p in found]), np.array([radius for *_, radius in rows])
    )


def standing(body: ReducedBody) -> tuple[FloatArray, FloatArray]:
    """Coordinates ``(k,)`` of a pose that stands, arms down, as well as the space can, and the turn of its root."""
    from locomote.spaces._handles import Handle
    from locomote.spaces._reaching import Reach

    space, skeleton = body.space, body.space.skeleton
    roles, (places, _) = skeleton.roles, skeleton.rest_pose()
    legs, soles = legs_of(skeleton), soles_of(skeleton)
    # The body stands over the middles of the soles, which are ahead of the ankles.
    lean = rot.rotate(soles.flat, soles.middles).mean(axis=0) * (0.0, 0.0, 1.0)
    hips = np.mean([places[leg.hip] for leg in legs], axis=0)
    handles = []
    for leg, level in zip(legs, soles.flat, strict=True):
        # Feet below the hips, a little wider.
        hip, wide = places[leg.hip], 1.0 + _APART
        long = skeleton.chain_length(leg.hip, leg.ankle)
        ankle = hips + (hip - hips) * (wide, 0.0, 0.0) - (0.0, _SOFT_KNEES * long, 0.0) - lean
        share = skeleton.chain_length(leg.hip, leg.knee) / long
        knee = (1.0 - share) * hip + share * ankle + _KNEES_AHEAD * long * np.array(roles.forward)
        handles.append(Handle(leg.ankle, ankle))
        handles.append(Handle(leg.ankle, rotation=level, weight=0.5))
        handles.append(Handle(leg.hip, hip))
        handles.append(Handle(leg.knee, knee, weight=0.5))
    if roles.head is not None:
        handles.append(Handle(roles.head, places[roles.head] * (0.0, 1.0, 0.0) + hips * (1.0, 0.0, 1.0)))
    for arm in roles.arms:
        shoulder = places[arm.shoulder]
        out = np.sign(places[arm.shoulder][0] - hips[0]) * np.array([1.0, 0.0, 0.0])
        upper = np.linalg.norm(skeleton.offsets[arm.elbow])
        lower = np.linalg.norm(skeleton.offsets[arm.wrist])
        elbow = shoulder + upper * np.array([0.12 * out[0], -0.98, -0.1])
        handles.append(Handle(arm.elbow, elbow, weight=0.7))
        handles.append(Handle(arm.wrist, elbow + lower * np.array([0.05 * out[0], -0.95, 0.3]), weight=0.7))
    found = space.reach(handles, root="free", settings=Reach(prior=1e-4, limits=0.02, rounds=80))
    return space.coordinates(found.pose)[0], found.pose.rotations[0, 0]
