"""A foot that stands: its heel rises and sinks so that the leg above it is as long as in the motion of the body."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human._kernels.footplants import (
    MOST_HEEL_RISE,
    SOFT_PITCH,
    FootPose,
    FootSource,
    planted_pose,
    rate_of,
    set_offset,
)
from locomote.human._kernels.state import Foot
from locomote.math._compile import inline
from locomote.math.quaternion import multiply, quaternion, rotate
from locomote.math.vector import Floats, Vector, add, cross, dot, norm, scale, soft_max, subtract, vector

SOFT_REACH = 0.006  # of the reach of a leg, over which a heel begins to rise for it
# The same of a leg that pushes the body into a jump: it gets longer by half of that in a frame
PUSH_REACH = 0.06
MOST_PUSH_RISE = 0.9  # rad by which its heel rises; where it stopped sooner the knee would snap straight
MOST_IN_LINE = 0.94  # cosine of the angle between ankle and hip, as seen from the ball
LOWERED = 0.8  # of what the body has sunk, that its heels behind it make up for,
MOST_LOWERED, MOST_RAISED = 0.3, 0.5  # rad, so that knees are bent as those of the source
POINTED = 0.9  # rad by which a heel is up, from which on its foot strains to stay,
MOST_POINTED, SOFT_POINTED = 1.15, 0.35  # up to which it rises, and over which it gets there
MOST_ANKLE_BEND = math.radians(32.0)  # of the shank ahead of a foot that stands flat
SOFT_ANKLE_BEND = math.radians(12.0)  # over which its heel begins to rise for that
MOST_BENT_RISE = 1.0  # rad by which it rises at most


class Reach(NamedTuple):
    """What a leg that stands can do."""

    hip: Vector  # m, over the ground that the body goes by
    most: float  # m, from hip to ankle
    own: float  # m, the same of its source now
    sunk: float  # m by which the hip is lower
    pushes: bool  # it brings the body into a jump alone
    alike: float  # 0 to 1: how much its knee does as that of its source


@inline
def stand(foot: Foot, source: FootSource, late: float, leg: Reach, dt: float, size: float, sole: Floats) -> FootPose:
    """The pose of a planted foot; its offset is kept for the time when it leaves.

    Late in the stance the heel rises as far as it takes for the leg to reach the foot, and is lower where the knee
    would be bent more than its source's.
    """
    pose = planted_pose(foot, source, late, foot.stood, size, sole)
    foot.stood += dt
    foot.strain = norm(subtract(leg.hip, pose.ankle)) - leg.most
    if late > 0.0:
        toes_up = max(0.0, pose.pitch)
        risen = _tiptoed(pose if toes_up == 0.0 else _flat_pose(foot, size, sole), late, toes_up, leg, size, sole)
        if toes_up == 0.0 or risen.pitch < 0.0:
            pose = risen
    if leg.alike > 0.0:
        # A foot that rolls on as its source does strains only where its heel cannot rise any further.
        strain = norm(subtract(leg.hip, pose.ankle)) - leg.sunk - leg.most
        strain += size * sole[1, 2] * max(0.0, -pose.pitch - POINTED)
        foot.strain += leg.alike * (strain - foot.strain)
    foot.pitch, foot.toe_pitch = pose.pitch, pose.toe_pitch
    before = foot.start  # not in use while the foot stands
    for i in range(7):
        before[i] = foot.offset[i]
    set_offset(foot.offset, pose, source)
    if dt > 0.0:
        for i in range(7):
            foot.rate[i] = rate_of(foot.offset[i], before[i], dt)
    return pose


@inline
def _flat_pose(foot: Foot, size: float, sole: Floats) -> FootPose:
    """A planted foot that stands on all of its sole."""
    turn = quaternion(foot.flat_turn)
    return FootPose(subtract(vector(foot.goal), rotate(turn, scale(vector(sole[1]), size))), turn, 0.0, 0.0, 0.0)


@inline
def _tiptoed(pose: FootPose, late: float, toes_up: float, leg: Reach, size: float, sole: Floats) -> FootPose:
    """A foot whose heel is up as far as it takes for its leg to be as long as its source's.

    The ankle must be in reach of the hip, and bends no further than ankles do. Toes that would be up come down first.
    """
    reach = leg.most
    to_hip = subtract(leg.hip, pose.ankle)
    distance = norm(to_hip)
    from_ball = rotate(pose.turn, scale(vector(sole[1]), -size))
    side, forward = rotate(pose.turn, (1.0, 0.0, 0.0)), rotate(pose.turn, (0.0, 0.0, 1.0))
    soft = (PUSH_REACH if leg.pushes else SOFT_REACH) * reach
    over = soft_max(0.0, distance - reach + 0.5 * soft, soft)
    gain = max(dot(cross(side, from_ball), to_hip) / distance, 0.3 * norm(from_ball))
    stretched = over / gain
    if leg.pushes:
        stretched = MOST_PUSH_RISE - soft_max(MOST_PUSH_RISE - stretched, 0.0, 0.5 * MOST_PUSH_RISE)
    else:
        stretched = min(stretched, MOST_HEEL_RISE)
    # The shank of a leg of two like bones leans ahead of the line to the hip by the angle at the ankle.
    lean = math.atan2(dot(to_hip, forward), dot(to_hip, cross(forward, side)))
    lean += math.acos(min(1.0, distance / reach))
    bent = min(soft_max(0.0, lean - MOST_ANKLE_BEND, SOFT_ANKLE_BEND), MOST_BENT_RISE)
    angle = late * soft_max(stretched, bent, 0.1)
    if leg.alike > 0.0:
        # As the knee of the source is bent, so is this one: the body may have sunk, or the ball be still down.
        bends = _bent_alike(from_ball, side, add(to_hip, from_ball), leg)
        up = soft_max(-pose.pitch + late * bends, -pose.toe_pitch, SOFT_PITCH)
        bends = MOST_POINTED - soft_max(MOST_POINTED - up, 0.0, SOFT_POINTED) + pose.pitch
        angle += late * leg.alike * (bends - angle)
    if toes_up > 0.0:
        angle = max(0.0, angle - toes_up)
    half = 0.5 * angle
    raised = math.cos(half), math.sin(half) * side[0], math.sin(half) * side[1], math.sin(half) * side[2]
    ankle = add(subtract(pose.ankle, from_ball), rotate(raised, from_ball))
    turn = multiply(raised, pose.turn)
    return FootPose(ankle, turn, pose.toes + angle, pose.pitch - angle, pose.toe_pitch)


@inline
def _bent_alike(ankle: Vector, side: Vector, hip: Vector, leg: Reach) -> float:
    """How far an ankle turns about the ball to be as far from the hip as in the source; both as seen from the ball."""
    radius = norm(ankle)
    hip = hip[0], hip[1] - LOWERED * leg.sunk, hip[2]
    along, across = dot(hip, ankle) / radius, dot(hip, cross(side, ankle)) / radius
    away = (dot(hip, hip) + radius * radius - leg.own * leg.own) / (2.0 * radius * math.hypot(along, across))
    # An ankle on the line from ball to hip cannot come any nearer.
    away = MOST_IN_LINE - soft_max(MOST_IN_LINE - away, 0.0, 1.0 - MOST_IN_LINE)
    turn = math.atan2(across, along) - math.acos(max(-1.0, away))
    return max(-MOST_LOWERED, min(MOST_RAISED, turn))
