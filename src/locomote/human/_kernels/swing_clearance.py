"""Keeping a swinging foot off the ground, and its toes out of the faces of steps."""

from __future__ import annotations

import math

from locomote.human._kernels import footplants as plants
from locomote.human._kernels.stance import sole_point
from locomote.human._kernels.state import Foot
from locomote.math._compile import inline, part
from locomote.math.quaternion import rotate
from locomote.math.vector import Floats, soft_max
from locomote.world._kernels.ground import Terrain, height

CLEARANCE = 0.014  # hip heights, of the sole in the middle of the swing
MOST_GRAZE = 0.0005  # m by which toes may be below the ground
DRAW_BACK = 0.05  # hip heights by which a foot is drawn back from the face of a step
SOFT_TOES = 0.05  # rad over which the toes ease onto the floor


@inline
def clear_ground(foot: Foot, pose: plants.FootPose, size: float, sole: Floats, terrain: Terrain) -> plants.FootPose:
    """The pose of a swinging foot, lifted as far as it takes to keep sole and toes off the ground."""
    heel, ball = sole_point(0, pose, size, sole), sole_point(1, pose, size, sole)
    ahead = rotate(pose.turn, (0.0, 0.0, size * sole[2, 2]))
    under_heel = under_ball = under_tip = terrain.grid[0, 0]
    clear = foot.clearance * foot.raised
    uneven = terrain.grid.size > 1 or terrain.pieces.shape[0] > 0
    if uneven:
        clear = 0.0  # the lift of the way keeps clear of the ground; here may be the edge of a step
        under_heel, _ = height(heel[0], heel[2], 0.0, terrain)
        under_ball, _ = height(ball[0], ball[2], 0.0, terrain)
        under_tip, _ = height(ball[0] + ahead[0], ball[2] + ahead[2], 0.0, terrain)
    soft = clear + 1e-4
    low = -soft_max(under_heel - heel[1], under_ball - ball[1], soft)
    lift = soft_max(clear - low, 0.0, soft)
    over = ball[1] + lift - under_tip
    # The tip of the toes is at length * (cos(bend) forward + sin(bend) up) from the ball.
    forward, up = rotate(pose.turn, (0.0, 0.0, 1.0))[1], rotate(pose.turn, (0.0, 1.0, 0.0))[1]
    steepest = size * sole[2, 2] * math.sqrt(forward * forward + up * up)
    least = -math.asin(max(-1.0, min(1.0, over / steepest))) - math.atan2(forward, up)
    toes = soft_max(pose.toes, least, SOFT_TOES * clear / (CLEARANCE * size) + 1e-4)
    ankle = pose.ankle[0], pose.ankle[1] + lift, pose.ankle[2]
    cleared = plants.FootPose(ankle, pose.turn, toes, 0.0, 0.0)
    if uneven:
        return _drawn_back(cleared, size, sole, terrain)
    return cleared


@part
def _drawn_back(pose: plants.FootPose, size: float, sole: Floats, terrain: Terrain) -> plants.FootPose:
    """A foot whose toes are in the face of a step, drawn back or lifted as far as it takes to have them out."""
    tip = sole_point(2, pose, size, sole)
    under, _ = height(tip[0], tip[2], 0.0, terrain)
    if tip[1] >= under - MOST_GRAZE:
        return pose
    forward = rotate(pose.turn, (0.0, 0.0, 1.0))
    across = math.sqrt(forward[0] * forward[0] + forward[2] * forward[2]) + 1e-9
    x, z = forward[0] / across, forward[2] / across
    least, most = 0.0, DRAW_BACK * size
    beyond, _ = height(tip[0] - most * x, tip[2] - most * z, 0.0, terrain)
    if tip[1] < beyond or under - tip[1] < most:
        return plants.FootPose(
            (pose.ankle[0], pose.ankle[1] + under - tip[1], pose.ankle[2]), pose.turn, pose.toes, 0.0, 0.0
        )
    for _ in range(6):
        middle = 0.5 * (least + most)
        at, _ = height(tip[0] - middle * x, tip[2] - middle * z, 0.0, terrain)
        if tip[1] < at:
            least = middle
        else:
            most = middle
    ankle = pose.ankle[0] - most * x, pose.ankle[1], pose.ankle[2] - most * z
    return plants.FootPose(ankle, pose.turn, pose.toes, 0.0, 0.0)
