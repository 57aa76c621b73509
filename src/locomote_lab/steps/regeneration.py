"""Recorded walks made again from nothing but their foot plan, beside the record."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human.fitting._importing import import_motion
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.steps._database import StepDatabase
from locomote.steps._detecting import plan_from_motion
from locomote.steps._plan import FootPlan, check
from locomote.steps._walking import Options, Walk, trace


@dataclass(frozen=True)
class Regenerated:
    """How far a walk made from the plan of a clip is from the clip itself."""

    steps: int
    outside: float  # share of the steps that are outside of what was recorded
    foot_error: float  # m, largest distance of a ball from its plant in the middle of the stance
    pelvis: float  # m, mean distance in the world
    joints: float  # m, mean over joints and frames, relative to the pelvis and where it faces
    joints_most: float  # m, the largest of the same
    angles: float  # rad, mean over joints and frames of the angle between local rotations
    angles_most: float  # rad, the largest of the means over joints in a frame


def regenerate(motion: Motion, *, database: StepDatabase | None = None, options: Options | None = None) -> Regenerated:
    """Walk the plan of a recorded clip and compare it with the clip; times are those of the landings."""
    plan = walkable_part(plan_from_motion(motion), motion.skeleton.leg_length())
    (made,) = trace([plan], database=database, leg_length=motion.skeleton.leg_length(), fps=motion.fps, options=options)
    return compare(made, motion)


def walkable_part(plan: FootPlan, leg_length: float) -> FootPlan:
    """The longest stretch of a plan that can be walked: clips also hop, stumble and stand about."""
    best, first = plan[:0], 0
    while first < len(plan) - 2:
        last = first + 3
        while last <= len(plan):
            try:
                check(plan[first:last], leg_length)
            except LocomoteError:
                break
            last += 1
        if last - 1 - first > len(best):
            best = plan[first : last - 1]
        first = max(last - 2, first + 1)
    if not len(best):
        raise LocomoteError("no three plants of the clip can be walked")
    return best


def compare(made: Walk, motion: Motion) -> Regenerated:
    """A walk beside the clip whose plan it follows."""
    capture = import_motion(motion)
    begin = float(np.fmax.reduce(made.plan.times[:2])) if np.any(np.isfinite(made.plan.times[:2])) else 0.0
    known = 2 + np.flatnonzero(np.isfinite(made.plan.times[2:]))
    events = np.concatenate([[0.0], made.lands[known]]), np.concatenate([[begin], made.plan.times[known]])
    fps = made.motion.fps
    first, last = math.ceil(made.lands[2] * fps), math.floor(made.lands[-1] * fps)
    frames = np.arange(first, max(last, first + 1))
    at = np.interp(frames / fps, *events) * capture.fps
    nearest = np.clip(np.round(at).astype(np.int64), 0, len(capture) - 1)
    theirs = Motion(COMMON, capture.fps, capture.root[nearest], capture.rotations[nearest])
    ours = made.motion[first : first + len(frames)]
    places = (
        capture.hip_height * _about_pelvis(theirs.joint_positions(), theirs.rotations),
        _about_pelvis(ours.joint_positions(), ours.rotations),
    )
    away = np.linalg.norm(places[1] - places[0], axis=-1)[:, 1:]
    angles = rot.distance(ours.rotations[:, 1:], theirs.rotations[:, 1:])
    pelvis = np.linalg.norm(ours.root_positions - capture.hip_height * theirs.root_positions, axis=-1)
    return Regenerated(
        len(made.plan) - 2,
        float(np.mean(made.outside[2:] > 0.0)),
        float(_missed(made).max()),
        float(pelvis.mean()),
        float(away.mean()),
        float(away.max()),
        float(angles.mean()),
        float(angles.mean(axis=1).max()),
    )


def _about_pelvis(positions: FloatArray, rotations: FloatArray) -> FloatArray:
    """Joints relative to the pelvis and where it faces."""
    back = rot.from_yaw(-rot.yaw(rotations[:, 0]))
    return rot.rotate(back[:, None], positions - positions[:, :1])


def _missed(walk: Walk) -> FloatArray:
    """How far the ball of the foot is from every plant in the middle of its stance, m."""
    balls = [leg.ball for leg in walk.motion.skeleton.roles.legs]
    positions = walk.motion.joint_positions()
    out = np.zeros(len(walk.plan) - 1)  # the walk ends with the last foot coming down
    for k, (side, place) in enumerate(zip(walk.plan.sides[:-1], walk.plan.places[:-1], strict=True)):
        frames = np.flatnonzero(walk.stands[side] == k)
        if len(frames):
            out[k] = np.linalg.norm(positions[frames[len(frames) // 2], balls[side]] - place)
    return out
