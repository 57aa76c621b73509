"""Where in its step a leg is, and its foot as the motion of the body has it."""

from __future__ import annotations

import math

from locomote.human._kernels import footplants as plants
from locomote.human._kernels.cycle_pose import PoseBuffers
from locomote.human._kernels.model import Model
from locomote.human._kernels.state import UNDER_WAY, Walker
from locomote.math._compile import inline
from locomote.math.quaternion import about_up, multiply, rotate
from locomote.math.vector import Floats, Vector, add, scale, vector

MIDDLE = 0.57  # of the stance, at which the source shows best where the foot should stand
LONGEST_SWING = 0.9  # s; at low speeds a foot waits and then steps no slower than this
OUTER_SHORTER = 0.15  # of the stance, by which the outer foot leaves earlier in a sharp turn
SHARP_TURN = 0.6  # rad in a step


@inline
def stance_of(leg: int, row: Walker) -> tuple[float, float, float]:
    """The cycle that a leg is in, counted from its strikes, how far it is into it, and how long it stands."""
    strike, off = row.contact_phases[2 * leg], row.contact_phases[2 * leg + 1]
    since = row.cycles - strike
    count = math.floor(since)
    stance = off - strike
    stance = max(stance, 1.0 - LONGEST_SWING * row.pace)
    if row.turn.value != 0.0 and row.pace > 0.0:
        # The outer foot of a turn leaves early; the first leg is the left one, a turn to the left is positive.
        outward = -row.turn.value if leg == 0 else row.turn.value
        in_step = 0.5 * outward / row.pace
        stance *= 1.0 - OUTER_SHORTER * min(1.0, max(0.0, in_step / SHARP_TURN))
    return count, since - count, stance


@inline
def at_rest(row: Walker) -> bool:
    """Whether a body stands and its feet have nowhere to go."""
    return bool(row.stride_speed == 0.0 and row.jump.state != UNDER_WAY)


@inline
def foot_of(leg: int, row: Walker, model: Model, frame: PoseBuffers) -> plants.FootSource:
    """The foot of a leg in a frame, before it is held."""
    ankle, ball = model.legs[leg, 2], model.legs[leg, 3]
    return plants.source_of(frame.positions[ankle], frame.world[ankle], frame.rotations[ball], row.y)


@inline
def flat_ball(source: plants.FootSource, outwards: float, size: float, sole: Floats) -> tuple[float, float, float]:
    """Where the ball of a foot is on the plan when it stands flat, and where it points."""
    forward = rotate(source.turn, (0.0, 0.0, 1.0))
    yaw = math.atan2(forward[0], forward[2]) + outwards
    ball = rotate(about_up(yaw), vector(sole[1]))
    return source.ankle[0] + size * ball[0], source.ankle[2] + size * ball[2], yaw


@inline
def sole_point(point: int, pose: plants.FootPose, size: float, sole: Floats) -> Vector:
    """Heel, ball or tip of the toes of a foot in the world."""
    at = add(pose.ankle, rotate(pose.turn, scale(vector(sole[min(point, 1)]), size)))
    if point == 2:
        bend = math.cos(0.5 * pose.toes), -math.sin(0.5 * pose.toes), 0.0, 0.0
        at = add(at, rotate(multiply(pose.turn, bend), scale(vector(sole[2]), size)))
    return at


@inline
def on_the_spot(row: Walker) -> float:
    """How much of the movement of the legs is due to turning, 0 to 1."""
    if row.stride_speed <= row.speed.value or row.turn.value == 0.0:
        return 0.0
    share: float = 1.0 - row.speed.value / row.stride_speed
    return share
