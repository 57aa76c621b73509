"""Put a motion onto another body."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._pose import local_rotations, with_world_rotations
from locomote.contacts import Floor, detect, fit_floor
from locomote.errors import LocomoteError, SkeletonError
from locomote.motion import Motion, checked_motion
from locomote.retargeting._feet import plant_feet
from locomote.retargeting._footless import check_legs, off, on, with_ankles
from locomote.retargeting._ground import GroundFit, check_size, find_ground, hindmost, leg_ratio, target_floor
from locomote.retargeting._knees import fast_bending
from locomote.retargeting._legs import fold_leg
from locomote.retargeting._reference import headings, reference_pose, with_flat_feet
from locomote.retargeting._soles import find_soles, sole_points
from locomote.retargeting._standing import BoolArray, firm_contacts
from locomote.retargeting._toes import with_bent_toes
from locomote.retargeting._transfer import (
    LATERAL,
    Side,
    alike,
    bones_of,
    followed_turns,
    foot_of,
    paired_legs,
    same_feet,
)
from locomote.rotations import FloatArray
from locomote.skeleton import Roles, Skeleton

FROUDE_BEYOND = 2.0  # ratio of the legs from which on times are scaled, too
LEAST_DURATION = 0.5  # s; a shorter motion of the target does not show how it stands


def retarget(
    motion: Motion,
    target: Motion | Skeleton,
    *,
    feet: bool = True,
    scale: float | None = None,
    roles: Roles | None = None,
    froude: bool | None = None,
) -> Motion:
    """The motion on another body, which keeps its skeleton and its mesh; joints follow each other by their roles.

    Parameters
    ----------
    motion : what is to be done
    target : the body, with as many legs
    feet : every foot that stands in the source stands still on the floor, and none goes through it
    scale : of the way over the ground; by the size of the legs unless given
    roles : of the target; found unless given
    froude : large bodies take their time, small ones hurry: durations go with the root of the size of the legs; by
        default where one body is more than twice as large as the other
    """
    motion = checked_motion(motion, "retarget")
    if not isinstance(target, Skeleton):
        target = checked_motion(target, "retarget onto a body")
    if scale is not None and not (np.isfinite(scale) and scale > 0.0):
        raise LocomoteError(f"scale must be a positive number, got {scale}")
    own = target.skeleton if isinstance(target, Motion) else target
    own = own if roles is None else own.with_roles(roles)
    skeleton = with_ankles(own)
    model = on(skeleton, target) if isinstance(target, Motion) else None
    motion = on(with_ankles(motion.skeleton), motion)
    check_leg_counts(motion.skeleton, skeleton)

    source = side_of("source", motion.skeleton, motion)
    other = side_of("target", skeleton, model)
    ratio = leg_ratio(source, other)
    if scale is None:
        check_size("source", source)
        check_size("target", other)
    if not same_feet(source, other):
        source = replace(source, reference=with_flat_feet(source.reference, motion, source.roles))
        if model is not None and model.body is None and model.duration >= LEAST_DURATION:
            other = replace(other, reference=with_flat_feet(other.reference, model, other.roles))
    contacts = detect(motion) if feet else None
    floor = fit_floor(motion) if contacts is None else contacts.floor
    grounds = find_ground(source, motion), find_ground(other, model)
    factor = scale or ratio
    plan = Plan(motion, source, other, grounds[0], grounds[1], floor, target_floor(floor, factor, *grounds), factor)

    turns = followed_turns(source, other, motion.world()[1])
    result = Motion(
        skeleton=skeleton,
        fps=motion.fps,
        root_positions=np.zeros((len(motion), 3)),
        rotations=local_rotations(skeleton, turns),
        name=motion.name,
        body=None if model is None else model.body,
    )
    result = plan.folded(plan.placed(result))
    if contacts is not None:
        standing = firm_contacts(contacts, other.roles.legs, motion.skeleton.leg_length())
        result = plan.planted(result, standing, turns)
    result = off(own, with_detached_feet(result, other, turns))
    if froude or (froude is None and not 1.0 / FROUDE_BEYOND <= ratio <= FROUDE_BEYOND):
        result = replace(result, fps=result.fps / np.sqrt(ratio)).resampled(result.fps)
    return result


def side_of(which: str, skeleton: Skeleton, motion: Motion | None) -> Side:
    """One of the two bodies, as it stands for comparison."""
    reference = reference_pose(which, skeleton, motion)
    soles = find_soles(skeleton, skeleton.roles, reference, None if motion is None else motion.body)
    return Side(skeleton, skeleton.roles, reference, soles)


def check_leg_counts(source: Skeleton, target: Skeleton) -> None:
    """Refuse bodies whose legs cannot follow each other."""
    check_legs("source", source, source.roles)
    check_legs("target", target, target.roles)
    counts = len(source.roles.legs), len(target.roles.legs)
    if counts[0] != counts[1]:
        raise SkeletonError(
            f"retarget: the source has {counts[0]} legs and the target {counts[1]}; "
            "a motion goes only onto a body with as many legs"
        )


@dataclass(frozen=True, eq=False)
class Plan:
    """What is known before any joint moves."""

    motion: Motion
    source: Side
    target: Side
    source_ground: GroundFit
    target_ground: GroundFit
    floor: Floor  # the level of the source's balls
    target_floor: Floor  # the ground of the result
    factor: float
    example: Motion | None = None  # which shows how the source stands where the motion is a single frame

    def over_ground(self, points: FloatArray) -> FloatArray:
        """The height of source points over the source's ground."""
        return self.floor.heights(points) + self.source_ground.balls

    def raised(self, places: FloatArray, over_ground: FloatArray) -> FloatArray:
        """Points of the result above ``places`` (F, 3) at a height over its ground."""
        out = places.copy()
        out[:, 1] = over_ground - self.target_floor.heights(places * np.array([1.0, 0.0, 1.0]))
        return out

    def placed(self, result: Motion) -> Motion:
        """The result with the middle of its hips over the scaled path of the source's."""
        hips = [leg.hip for leg in hindmost(self.source.roles.legs)]
        middle = self.motion.joint_positions()[:, hips].mean(axis=1)
        ankles = (
            self.source_ground.ankles(self.source.roles.legs),
            self.target_ground.ankles(self.target.roles.legs),
        )
        over = ankles[1] + self.factor * (self.over_ground(middle) - ankles[0])
        goal = self.raised(self.factor * middle, over)
        own_hips = [leg.hip for leg in hindmost(self.target.roles.legs)]
        own_middle = result.joint_positions()[:, own_hips].mean(axis=1)
        return replace(result, root_positions=result.root_positions + goal - own_middle)

    def folded(self, result: Motion) -> Motion:
        """The result with its legs folded, where their bones do not simply follow the source's."""
        if alike(self.source, self.target):
            return result
        yaw = rot.from_yaw(headings(self.motion, self.source.roles))
        positions, turns = self.motion.world()
        new: dict[int, FloatArray] = {}
        for mate, leg in paired_legs(self.source, self.target):
            count = len(self.target.roles.legs)
            end, mate_end = foot_of(leg, count), foot_of(mate, count)
            hip = result.joint_positions()[:, leg.hip]
            way = positions[:, mate_end] - positions[:, mate.hip]
            stride = self._stride(way, self._stance(mate.hip, mate_end), yaw, self._own_stance(leg.hip, end))
            over = self.target_ground.heights[end] + self.factor * (
                self.over_ground(positions[:, mate_end]) - self.source_ground.heights[mate_end]
            )
            goals = self.raised(hip + stride, over) - hip
            back = rot.inverse(self.source.reference.rotations[mate.hip])
            lateral = rot.rotate(rot.multiply(turns[:, mate.hip], back), LATERAL)
            chain = (*(joint for joint, _ in bones_of(self.target, leg, end)), end)
            new |= fold_leg(self.target.reference, chain, goals, lateral)
        return with_world_rotations(result, new)

    def planted(self, result: Motion, standing: BoolArray, turns: FloatArray) -> Motion:
        """The result with its feet on the ground where ``standing (F, L)`` holds."""

        def points(motion: Motion) -> FloatArray:
            return sole_points(motion, self.target.reference, self.target.roles, self.target.soles, turns)

        ground, floor = self.target_ground, self.target_floor
        if len(self.target.roles.legs) == 2:
            result = with_bent_toes(result, self.target, ground, floor, points(result))
        most = fast_bending(self.motion, self.source.roles.legs)
        return plant_feet(result, self.target, standing, ground, floor, points(result), most)

    def _stance(self, hip: int, end: int) -> FloatArray:
        """The mean way from a hip of the source to its foot, seen by the body."""
        motion = self.example or self.motion
        positions, yaw = motion.joint_positions(), rot.from_yaw(headings(motion, self.source.roles))
        mean: FloatArray = rot.rotate(rot.inverse(yaw), positions[:, end] - positions[:, hip]).mean(axis=0)
        return mean

    def _own_stance(self, hip: int, end: int) -> FloatArray:
        own: FloatArray = self.target.reference.positions[end] - self.target.reference.positions[hip]
        return own

    def _stride(self, way: FloatArray, stance: FloatArray, yaw: FloatArray, own_stance: FloatArray) -> FloatArray:
        """From the target's hip to its foot: the source's way, about the target's own stance."""
        out: FloatArray = self.factor * way + rot.rotate(yaw, own_stance - self.factor * stance)
        return out


def with_detached_feet(result: Motion, target: Side, turns: FloatArray) -> Motion:
    """Feet that hang elsewhere in the tree carried to the ends of their legs."""
    feet = [leg for leg in target.roles.legs if leg.detached_foot is not None]
    if not feet:
        return result
    reference = target.reference
    positions, world = result.world()
    moved = np.broadcast_to(result.skeleton.offsets, positions.shape).copy()
    moved[:, 0] = result.root_positions
    for leg in feet:
        foot = int(leg.detached_foot or 0)
        parent = int(result.skeleton.parents[foot])
        turn = rot.multiply(turns[:, foot], rot.inverse(reference.rotations[foot]))
        place = positions[:, leg.ankle] + rot.rotate(turn, reference.positions[foot] - reference.positions[leg.ankle])
        moved[:, foot] = rot.rotate(rot.inverse(world[:, parent]), place - positions[:, parent])
    return replace(result, translations=moved)
