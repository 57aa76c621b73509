"""The pose in which two bodies are compared: standing, facing +Z, feet flat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.errors import SkeletonError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Leg, Roles, Skeleton

MOST_SAMPLES = 240  # frames that a mean pose is taken from
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


def reference_pose(skeleton: Skeleton, roles: Roles, motion: Motion | None) -> Reference:
    """The rest pose if the body stands in it, else the mean pose of its motion."""
    positions, turns = skeleton.rest_pose()
    if _stands(roles, positions):
        facing = rot.from_yaw(-np.arctan2(roles.forward[0], roles.forward[2]))
        return Reference(rot.rotate(facing, positions), rot.multiply(facing, turns), rest=True)
    if motion is None:
        raise SkeletonError("the target does not stand in its rest pose: give a motion of it instead")
    return _mean_pose(motion, roles)


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


def _stands(roles: Roles, positions: FloatArray) -> bool:
    falls = []
    for leg in roles.legs:
        line = positions[list(leg.chain)]
        length = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
        falls.append(float(line[:, 1].max() - line[-1, 1]) / max(length, 1e-9))
    return float(np.mean(falls)) > HANGING


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
    for j in range(1, len(skeleton)):
        parent = int(skeleton.parents[j])
        if j > roles.root:
            world[j] = flat[j] if j in flat else rot.multiply(world[parent], local[j])
        place[j] = place[parent] + rot.rotate(world[parent], moved[j])
    return Reference(place, world, rest=False)


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
