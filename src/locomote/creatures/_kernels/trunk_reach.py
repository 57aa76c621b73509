"""How far the legs reach with a trunk as it is bent: now, and foreseen for a moment ahead."""

from __future__ import annotations

import math

from locomote.creatures._kernels.body_pose import SOON
from locomote.creatures._kernels.leg_fold import way_at
from locomote.creatures._kernels.model import Limbs, Spine
from locomote.creatures._kernels.scratch import JointFrame, LegReach
from locomote.creatures._kernels.state import STANDING, CreatureState, FootState
from locomote.math._compile import inline, part
from locomote.math.quaternion import conjugate, quaternion, rotate
from locomote.math.records import Records
from locomote.math.vector import Vector, norm, smooth_step, subtract, vector

ALOFT = 0.5  # of its reach that a leg in mid-air may be short of its foot


@part
def stretch_legs(
    row: CreatureState, feet: Records, limbs: Limbs, spine: Spine, frames: Records, reaches: Records
) -> None:
    """Fill ``reaches (F,)``: how far feet are from their hips, and the cosines of the hips' turns.

    Of a foot in the air it counts how it will be as it comes down.
    """
    speed = row.speed * row.held
    ahead_x, ahead_z = speed * math.sin(row.yaw), speed * math.cos(row.yaw)
    for f in range(feet.shape[0]):
        foot: FootState = feet[f]
        frame: JointFrame = frames[spine.girdles[spine.carriers[f]]]
        goal = foot.x, foot.y, foot.z
        if foot.state != STANDING:
            left = max(foot.duration - foot.elapsed, 0.0)
            goal = foot.goal_x - left * ahead_x, foot.goal_y, foot.goal_z - left * ahead_z
        away = rotate(conjugate(quaternion(frame.turn)), subtract(goal, vector(frame.middle)))
        away = subtract(away, vector(limbs.hips[f]))
        distance = norm(away)
        way = way_at(f, distance, limbs)
        aimed = (away[0] * way[0] + away[1] * way[1] + away[2] * way[2]) / distance
        reach: LegReach = reaches[f]
        reach.distance, reach.aimed = distance, aimed


@inline
def legs_fit(ahead: float, dt: float, feet: Records, limbs: Limbs, reaches: Records) -> bool:
    """Whether all legs that stand reach their feet, or all will so many seconds ahead if all goes on as it does."""
    for f in range(feet.shape[0]):
        if ahead == 0.0 and feet[f].state != STANDING:
            continue
        near, far, aim = _limits(f, ahead, dt, feet[f], limbs, reaches[f])
        reach: LegReach = reaches[f]
        if not near <= reach.distance <= far or reach.aimed < aim:
            return False
    return True


@inline
def _limits(f: int, ahead: float, dt: float, foot: FootState, limbs: Limbs, reach: LegReach) -> Vector:
    """How near and how far from its hip a foot may be, and the cosine of the hip's turn, to reach so many s ahead.

    A foot in mid-air may be out of its leg's reach for a while: it holds the trunk back only as it nears the ground.
    """
    spare = 0.0
    if foot.state != STANDING:
        spare = ALOFT * smooth_step((foot.duration - foot.elapsed - ahead) / SOON)
    near, far, aim = (1.0 - spare) * limbs.spans[f, 0], (1.0 + spare) * limbs.spans[f, 1], limbs.aims[f] - spare
    if ahead > 0.0 and dt > 0.0 and foot.state == STANDING and foot.stretch > 0.0:
        frames = min(ahead, foot.lifts) / dt
        grows, turns = frames * (reach.distance - foot.stretch), frames * (reach.aimed - foot.aimed)
        near, far, aim = near - min(grows, 0.0), far - max(grows, 0.0), aim - min(turns, 0.0)
    return near, far, aim


@inline
def stand_firm(feet: Records, limbs: Limbs, reaches: Records) -> bool:
    """Whether all legs that stand reach their feet."""
    for f in range(feet.shape[0]):
        distance = reaches[f].distance
        if feet[f].state == STANDING and not limbs.spans[f, 0] <= distance <= limbs.spans[f, 1]:
            return False
    return True


@inline
def allowed_share(
    ahead: float, dt: float, feet: Records, limbs: Limbs, reaches: Records, calm_reaches: Records
) -> float:
    """The share of the effects with which all legs reach that reach without any, and no other gets further off.

    Distances grow with the share as a hanging chain does, so what is allowed by the straight line between is allowed.
    """
    share = 1.0
    for f in range(feet.shape[0]):
        if ahead == 0.0 and feet[f].state != STANDING:
            continue
        reach: LegReach = reaches[f]
        calm: LegReach = calm_reaches[f]
        distance, aimed, at_rest, aimed_at_rest = reach.distance, reach.aimed, calm.distance, calm.aimed
        near, far, aim = _limits(f, ahead, dt, feet[f], limbs, reach)
        near, far, aim = min(near, at_rest), max(far, at_rest), min(aim, aimed_at_rest)
        if distance > far:
            share = min(share, (far - at_rest) / (distance - at_rest))
        if distance < near:
            share = min(share, (at_rest - near) / (at_rest - distance))
        if aimed < aim:
            share = min(share, (aimed_at_rest - aim) / (aimed_at_rest - aimed))
    return share
