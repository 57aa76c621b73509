"""The pose in which two bodies are compared: standing, facing +Z, feet flat."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from locomote import rotations as rot
from locomote.errors import SkeletonError
from locomote.formats._doubts import is_person
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Leg, Roles, Skeleton

MOST_SAMPLES = 240  # frames that a mean pose is taken from
LIKE_LEGS = 0.5  # cosine; a trunk that goes along the legs is that of a pose without sense
NECK_LEAN = np.radians(12.0)  # forwards, of who stands upright
HANGING = 0.15  # of a leg's length; in a rest pose that stands, the legs fall at least so far
FLAT_SHARE = 30.0  # per cent of the frames, those in which the foot is lowest, count as flat-footed


@dataclass(frozen=True, eq=False)
class Reference:
    """World positions ``(J, 3)`` and rotations ``(J, 4)`` of a body that stands and faces +Z."""

    positions: FloatArray
    rotations: FloatArray
    rest: bool  # the pose is the skeleton's rest pose, not a mean over a motion

    def toe_end(self, leg: Leg) -> FloatArray:
        """The end of the toes."""
        end: FloatArray = self.positions[leg.toe] + rot.rotate(self.rotations[leg.toe], leg.toe_offset)
        return end

    def ball(self, leg: Leg) -> FloatArray:
        """Where the foot bends; on a foot of one joint its end."""
        return self.positions[leg.ball] if leg.ball != leg.ankle else self.toe_end(leg)

    def bend(self, leg: Leg) -> float:
        """How far the knee stands before (+) or behind (-) the line from hip to ankle, in leg lengths."""
        hip, knee, ankle = (self.positions[j] for j in (leg.hip, leg.knee, leg.ankle))
        line = ankle - hip
        length = float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))
        along = float((knee - hip) @ line) / max(float(line @ line), 1e-12)
        return float((knee - hip - along * line)[2]) / max(length, 1e-12)


def reference_pose(which: str, skeleton: Skeleton, motion: Motion | None) -> Reference:
    """The rest pose if the body stands in it, else the mean pose of its motion, stood upright."""
    roles = skeleton.roles
    positions, turns = skeleton.rest_pose()
    if stands(roles, positions):
        facing = rot.from_yaw(-np.arctan2(roles.forward[0], roles.forward[2]))
        return Reference(rot.rotate(facing, positions), rot.multiply(facing, turns), rest=True)
    if motion is None:
        raise SkeletonError(f"the {which} does not stand in its rest pose: give a motion of it instead")
    mean = _mean_pose(motion, roles)
    if not stands(roles, mean.positions):
        raise SkeletonError(
            f"the {which} {motion.name} stands neither in its rest pose nor in its motion: if Y is not up, "
            "load it with its axis, such as up='z'"
        )
    return mean


def with_flat_feet(reference: Reference, motion: Motion, roles: Roles) -> Reference:
    """The same pose with the feet turned as they are when the body of a motion stands on them.

    Rest poses of recorded skeletons often hold a foot level from ankle to ball, which no standing foot does.
    """
    if not reference.rest:
        return reference
    some = motion[:: max(1, len(motion) // MOST_SAMPLES)]
    positions, turns = some.world()
    level_turns = rot.multiply(rot.from_yaw(-headings(some, roles))[:, None], turns)
    flat = _flat_feet(roles, positions, level_turns)
    place, world = reference.positions.copy(), reference.rotations.copy()
    for j in range(1, len(world)):
        parent = int(motion.skeleton.parents[j])
        if j in flat or not np.array_equal(world[parent], reference.rotations[parent]):
            bone = rot.rotate(
                rot.inverse(reference.rotations[parent]), reference.positions[j] - reference.positions[parent]
            )
            local = rot.multiply(rot.inverse(reference.rotations[parent]), reference.rotations[j])
            place[j] = place[parent] + rot.rotate(world[parent], bone)
            world[j] = flat[j] if j in flat else rot.multiply(world[parent], local)
    return Reference(place, world, rest=True)


def headings(motion: Motion, roles: Roles) -> FloatArray:
    """The yaw of the body in every frame, ``(F,)``."""
    rest_turn = motion.skeleton.rest_pose()[1][roles.root]
    forward = rot.rotate(rot.inverse(rest_turn), roles.forward)
    return rot.yaw(motion.world()[1][:, roles.root], forward)


def stands(roles: Roles, positions: FloatArray) -> bool:
    """Whether a pose ``(J, 3)`` means something: legs hang, and the trunk does not go the same way as they do."""
    ways = []
    falls: dict[str, list[float]] = {}
    for leg in roles.legs:
        line = positions[list(leg.chain)]
        length = max(float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()), 1e-9)
        falls.setdefault(leg.side, []).append(float(line[:, 1].max() - line[-1, 1]) / length)
        ways.append((positions[leg.ankle] - positions[leg.hip]) / length)
    trunk = _trunk_line(roles)
    if len(roles.legs) == 2 and len(trunk) > 1:
        way = positions[trunk[-1]] - positions[trunk[0]]
        if way @ np.mean(ways, axis=0) > LIKE_LEGS * np.linalg.norm(way):
            return False
    return min(float(np.mean(side)) for side in falls.values()) > HANGING


def _trunk_line(roles: Roles) -> list[int]:
    return [roles.root, *roles.spine, *roles.neck, *([] if roles.head is None else [roles.head])]


def _mean_pose(motion: Motion, roles: Roles) -> Reference:
    skeleton = motion.skeleton
    step = max(1, len(motion) // MOST_SAMPLES)
    some = motion[::step]
    positions, turns = some.world()
    straight = rot.from_yaw(-headings(some, roles))
    level_turns = rot.multiply(straight[:, None], turns)
    world = rot.mean(level_turns[:, : roles.root + 1], axis=0)
    world = np.concatenate([world, np.zeros((len(skeleton) - len(world), 4))])
    local = rot.mean(some.rotations, axis=0)
    moved = skeleton.offsets if some.translations is None else some.translations.mean(axis=0)
    place = np.zeros((len(skeleton), 3))
    flat = _flat_feet(roles, positions, level_turns)
    upwards = _trunk_bones(skeleton, roles, moved) if is_person(roles) else {}
    if roles.root == 0 and 0 in upwards:
        world[0] = rot.multiply(_to_upright(rot.rotate(world[0], moved[upwards[0]]), False), world[0])
    for j in range(1, len(skeleton)):
        parent = int(skeleton.parents[j])
        if j > roles.root:
            world[j] = flat[j] if j in flat else rot.multiply(world[parent], local[j])
        if j in upwards:
            world[j] = rot.multiply(_to_upright(rot.rotate(world[j], moved[upwards[j]]), j in roles.neck), world[j])
        place[j] = place[parent] + rot.rotate(world[parent], moved[j])
    return Reference(place, world, rest=False)


def _trunk_bones(skeleton: Skeleton, roles: Roles, moved: FloatArray) -> dict[int, int]:
    """For the joints of the trunk: the next one, where the bone between them has a length."""
    line = _trunk_line(roles)
    bones = {upper: lower for upper, lower in pairwise(line) if skeleton.parents[lower] == upper}
    return {upper: lower for upper, lower in bones.items() if np.linalg.norm(moved[lower]) > 1e-6}


def _to_upright(bone: FloatArray, neck: bool) -> FloatArray:
    """The turn that stands a bone of the trunk up. A mean pose would take a stoop for how the body is built."""
    lean = NECK_LEAN if neck else 0.0
    return rot.between(bone, np.array([0.0, np.cos(lean), np.sin(lean)]))


def _flat_feet(roles: Roles, positions: FloatArray, level_turns: FloatArray) -> dict[int, FloatArray]:
    """World rotations of the joints of the feet while these stand on the floor."""
    flat: dict[int, FloatArray] = {}
    for leg in roles.legs:
        height = positions[:, leg.ball, 1] + positions[:, leg.ankle, 1]
        low = height <= np.percentile(height, FLAT_SHARE)
        start = leg.chain.index(leg.ball if len(roles.legs) > 2 else leg.ankle)
        for j in leg.chain[start:]:
            flat[j] = rot.mean(level_turns[low, j], axis=0)
    return flat
