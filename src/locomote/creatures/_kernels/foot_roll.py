"""Feet that roll: down heel first, flat, and up over the ball; their ankles follow from what touches the ground.

The frame of a foot is that of the body at rest with the standing point as its origin, turned to where the foot points
and laid on the slope it treads. In it the foot pitches: about its heel while the toes are up (below 0), about its ball
while the heel is up (above 0). So its lowest point is always where the foot is, and what touches the ground stays.
"""

from __future__ import annotations

import math

from locomote.creatures._kernels.gait_disks import StepTimes
from locomote.creatures._kernels.girdles import turned_out
from locomote.creatures._kernels.model import Soles
from locomote.creatures._kernels.state import STANDING, SWINGING, CreatureState, FootState, SoleState
from locomote.math._compile import inline, part
from locomote.math.quaternion import Quaternion, about_up, conjugate, exp, multiply, quaternion, rotate, store
from locomote.math.records import Records
from locomote.math.vector import (
    Floats,
    Pair,
    Vector,
    add,
    smooth_step,
    soft_max,
    spring,
    subtract,
    vector,
    wrapped,
)
from locomote.world._kernels.map_layout import MapArrays
from locomote.world._kernels.map_reading import surface

LANDS, LIFTS = (
    math.radians(-22.0),
    math.radians(48.0),
)  # rad, at the ends of the stance of one that walks ahead
LANDS_BACK, LIFTS_BACK = math.radians(25.0), math.radians(-15.0)  # and backwards: toes first, heel last
LONG = 0.6  # of the hips' height: the way of the body over a foot at which it rolls wholly
FLAT_BY, RISES = 0.1, 0.6  # of the stance: when the foot is flat, and when it begins to rise again
LEFT_BEHIND, BROUGHT = (
    0.6,
    (0.4, 0.85),
)  # of the swing: the pitch of the lift-off is gone; that of the landing comes
RELAXED = (0.1, 0.5)  # of the swing in which the toes come into line with the foot
EAGER = 60.0  # 1/s of the spring of the pitch
TURNS = 12.0  # 1/s at which a foot in the air turns to where the body faces and to the slope ahead of it
STEEP = math.radians(30.0)  # rad; what is steeper between heel and ball is a ledge, no slope
DRAWN = 0.995  # of the span from hip to ankle that a leg is drawn out before its foot pitches instead
SOFT = 0.08  # rad over which it begins to
TOES_UP, HEEL_UP = math.radians(-50.0), math.radians(80.0)  # rad, the most that it pitches then


@part
def roll_feet(
    dt: float,
    hip_height: float,
    row: CreatureState,
    feet: Records,
    times: StepTimes,
    soles: Soles,
    maps: MapArrays,
) -> None:
    """Move how feet point, lie and pitch towards what the gait asks for, and find where their ankles would be."""
    share = 1.0 - math.exp(-TURNS * dt) if dt > 0.0 else 1.0
    for f in range(feet.shape[0]):
        if soles.rolls[f] == 0:
            continue
        foot: FootState = feet[f]
        sole, left, stance = foot.sole, times.left[f], times.stance[f]
        amount = min(abs(row.speed) * stance / (LONG * hip_height), 1.0)
        lands, lifts = (LANDS, LIFTS) if row.speed >= 0.0 else (LANDS_BACK, LIFTS_BACK)
        if foot.state == STANDING:
            gone = stood(left, stance, sole)
            sole.stood += dt
            rises = max(gone - RISES, 0.0) / (1.0 - RISES)
            pitch = lands * (1.0 - smooth_step(gone / FLAT_BY)) + lifts * rises * rises
        else:
            sole.stood = 0.0
            sole.yaw += share * wrapped(row.yaw - sole.yaw)
            gone = swung(foot)
            brought = (gone - BROUGHT[0]) / (BROUGHT[1] - BROUGHT[0])
            pitch = lifts * (1.0 - smooth_step(gone / LEFT_BEHIND)) + lands * smooth_step(brought)
        if foot.state == SWINGING or dt <= 0.0:
            sole.slope += share * (_slope(f, foot, soles, maps) - sole.slope)
        sole.pitch, sole.pitching = spring(sole.pitch, sole.pitching, amount * pitch, 0.0, EAGER, dt)
        sole.ankle_x, sole.ankle_y, sole.ankle_z = ankle_from(f, sole, sole.pitch, soles)


@inline
def stood(left: float, stance: float, sole: SoleState) -> float:
    """The share of its stance that a foot has behind it, which ends in ``left`` seconds.

    It may have come down early or late, or have stood for long before it began to walk.
    """
    gone = max(1.0 - left / max(stance, 1e-6), 0.0)
    share: float = min(gone, sole.stood / max(sole.stood + left, 1e-6))
    return share


@inline
def swung(foot: FootState) -> float:
    """The share of its swing that a foot has behind it."""
    share: float = foot.swung / max(foot.swung + max(foot.duration - foot.elapsed, 0.0), 1e-6)
    return share


@inline
def _slope(f: int, foot: FootState, soles: Soles, maps: MapArrays) -> float:
    """The slope (rad) from heel to ball where a foot treads or is going to."""
    sine, cosine = math.sin(foot.sole.yaw), math.cos(foot.sole.yaw)
    heel_x, heel_z = turned_out(soles.heels[f, 0], soles.heels[f, 2], sine, cosine)
    ball_x, ball_z = turned_out(soles.balls[f, 0], soles.balls[f, 2], sine, cosine)
    low = surface(foot.goal_x + heel_x, foot.goal_z + heel_z, maps)[0]
    high = surface(foot.goal_x + ball_x, foot.goal_z + ball_z, maps)[0]
    slope = math.atan2(high - low, soles.balls[f, 2] - soles.heels[f, 2])
    return slope if abs(slope) < STEEP else 0.0


@inline
def _level(sole: SoleState) -> Quaternion:
    """The frame of a foot: where it points, laid on its slope."""
    return multiply(about_up(sole.yaw), exp((-sole.slope, 0.0, 0.0)))


@inline
def ankle_from(f: int, sole: SoleState, pitch: float, soles: Soles) -> Vector:
    """The way from a foot to its ankle at a pitch, in the world."""
    pivot = vector(soles.heels[f]) if pitch < 0.0 else vector(soles.balls[f])
    ankle = add(pivot, rotate(exp((pitch, 0.0, 0.0)), subtract(vector(soles.ankles[f]), pivot)))
    return rotate(_level(sole), ankle)


@inline
def _window(hip: Vector, pivot: Vector, ankle: Vector, far: float) -> Pair:
    """The pitches about a pivot at which an ankle is within ``far`` of its hip: their middle and half their width.

    All places in the frame of the foot.
    """
    h, a = subtract(hip, pivot), subtract(ankle, pivot)
    h_size, a_size = math.sqrt(h[1] * h[1] + h[2] * h[2]), math.sqrt(a[1] * a[1] + a[2] * a[2])
    aside = h[0] - a[0]
    cosine = h_size * h_size + a_size * a_size + aside * aside - far * far
    cosine /= max(2.0 * h_size * a_size, 1e-12)
    return math.atan2(h[2], h[1]) - math.atan2(a[2], a[1]), math.acos(min(max(cosine, -1.0), 1.0))


@inline
def pitch_in_reach(f: int, foot: FootState, hip: Vector, soles: Soles) -> float:
    """The pitch of a foot as far as its leg allows: it rolls on where the ankle would be too far from the hip."""
    place = foot.x, foot.y, foot.z
    away = rotate(conjugate(_level(foot.sole)), subtract(hip, place))
    ankle, far = vector(soles.ankles[f]), DRAWN * soles.legs.spans[f, 1]
    pitch: float = foot.sole.pitch
    if ankle[2] > away[2]:  # one that is ahead rolls back onto its heel, one behind onto its ball
        middle, wide = _window(away, vector(soles.heels[f]), ankle, far)
        return max(-soft_max(-pitch, -middle - wide, SOFT), TOES_UP)
    middle, wide = _window(away, vector(soles.balls[f]), ankle, far)
    return min(soft_max(pitch, middle - wide, SOFT), HEEL_UP)


@inline
def ankle_goal(f: int, foot: FootState, soles: Soles) -> Vector:
    """Where the ankle of a foot has to be, in the world."""
    place = foot.x, foot.y, foot.z
    return add(place, ankle_from(f, foot.sole, foot.sole.posed, soles))


@inline
def turn_foot(f: int, foot: FootState, turn: Quaternion, soles: Soles, rotations: Floats) -> None:
    """Local rotations of an ankle and its toes below a leg that is posed; its body is turned by ``turn``."""
    legs, level = soles.legs, _level(foot.sole)
    above = multiply(turn, conjugate(quaternion(legs.hip_parents[f])))
    for i in range(legs.counts[f]):
        above = multiply(above, quaternion(rotations[legs.joints[f, i]]))
    pitch = foot.sole.posed
    sole = multiply(multiply(level, exp((pitch, 0.0, 0.0))), quaternion(soles.turns[f, 0]))
    store(rotations[soles.joints[f, 0]], multiply(conjugate(above), sole))
    toes = soles.joints[f, 1]
    if toes >= 0:
        if pitch > 0.0:
            bent = 1.0
            if foot.state == SWINGING:
                bent -= smooth_step((swung(foot) - RELAXED[0]) / (RELAXED[1] - RELAXED[0]))
            pitch *= 1.0 - bent
        lying = multiply(multiply(level, exp((pitch, 0.0, 0.0))), quaternion(soles.turns[f, 1]))
        store(rotations[toes], multiply(conjugate(sole), lying))
