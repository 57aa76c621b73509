"""Analytic inverse kinematics of a limb of two bones: hip, knee, ankle (or shoulder, elbow, wrist)."""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel
from locomote.math.quaternion import Quaternion, between, conjugate, from_axes, multiply, rotate, store
from locomote.math.vector import (
    Floats,
    Vector,
    cross,
    mix,
    norm,
    scale,
    smooth_step,
    square_to,
    subtract,
    unit,
    vector,
    without,
)

_POLE_FADE = 0.05  # sine of the angle between pole and limb below which the current knee side takes over
_BEND_FADE = 0.01  # distance of the knee from the line hip-ankle, in limb lengths; below it its side is noise


@kernel
def two_bone_ik(
    hips: Floats,
    knees: Floats,
    ankles: Floats,
    goals: Floats,
    poles: Floats,
    softness: float,
    upper: Floats,
    lower: Floats,
) -> None:
    """Fill ``upper (N, 4)`` and ``lower (N, 4)``, the world rotations that bring the ankles to the goals.

    Turn the upper bone's world rotation by ``upper`` and the lower bone's by ``lower``:
    ``new_knee = hip + rotate(upper, knee - hip)``, ``new_ankle = new_knee + rotate(lower, ankle - knee)``.
    ``hips``, ``knees``, ``ankles`` and ``goals (N, 3)`` are world positions; ``poles (N, 3)`` are world
    directions towards which the knee bends, of any length; where one is zero or along the limb the knee keeps
    its side. Over the last fraction ``softness`` of its length the limb eases into full stretch and never
    reaches it; with 0 it stretches fully and stops. The knee stays a hinge about the normal of the limb.
    """
    for n in range(hips.shape[0]):
        hip, knee, ankle = vector(hips[n]), vector(knees[n]), vector(ankles[n])
        thigh, shank = subtract(knee, hip), subtract(ankle, knee)
        up, low = solve_limb(thigh, shank, subtract(vector(goals[n]), hip), vector(poles[n]), softness)
        store(upper[n], up)
        store(lower[n], low)


@inline
def solve_limb(
    thigh: Vector, shank: Vector, goal: Vector, pole: Vector, softness: float
) -> tuple[Quaternion, Quaternion]:
    """The two rotations of one limb; ``goal`` is relative to the hip."""
    a, b = norm(thigh), norm(shank)
    reach = eased_reach(norm(goal), a, b, softness)

    # The old plane of the limb: its line from hip to ankle, and the side on which the knee lies.
    thigh_way = unit(thigh, unit(shank, (0.0, -1.0, 0.0)))
    shank_way = unit(shank, thigh_way)
    line = (thigh[0] + shank[0], thigh[1] + shank[1], thigh[2] + shank[2])
    folded = unit(without(goal, thigh_way), square_to(thigh_way))  # a limb folded flat has no line of its own
    line_way = folded if norm(line) < 1e-9 * (a + b) else unit(line, thigh_way)
    offset = without(thigh, line_way)
    bent = smooth_step(norm(offset) / (_BEND_FADE * (a + b))) if a + b > 0.0 else 0.0
    side = unit(offset, square_to(line_way))

    # The new plane: the line to the goal and the side of the pole, or else the old side carried along.
    goal_way = unit(goal, line_way)
    swing = between(line_way, goal_way)
    pole_offset = without(unit(pole, goal_way), goal_way)
    asked = smooth_step(norm(pole_offset) / _POLE_FADE)
    pole_side = unit(pole_offset, goal_way)
    wanted = mix(pole_side, asked, rotate(swing, side), (1.0 - asked) * max(bent, 1e-6))
    new_side = unit(without(wanted, goal_way), square_to(goal_way))
    # A straight limb has no side to keep: it takes the new one, so that nothing spins about the bones.
    side = unit(without(mix(side, bent, rotate(conjugate(swing), new_side), 1.0 - bent), line_way), side)

    cosine, sine = _corner(a, b, reach)
    new_thigh = mix(goal_way, cosine, new_side, sine)
    new_shank = unit(mix(goal_way, reach, new_thigh, -a), new_thigh) if b > 0.0 else new_thigh

    normal, new_normal = cross(line_way, side), cross(goal_way, new_side)
    return _turn(thigh_way, normal, new_thigh, new_normal), _turn(shank_way, normal, new_shank, new_normal)


@inline
def hinge_limb(
    a: float, b: float, goal: Vector, pole: Vector, softness: float
) -> tuple[Quaternion, Quaternion, Vector, Vector]:
    """World rotations of upper and lower bone, and where knee and ankle come to, all from the hip.

    For a limb whose bones lie along -Y of their joints and whose knee is a hinge about X that bends towards +Z: the
    same as `solve_limb` with less work.
    """
    reach = eased_reach(norm(goal), a, b, softness)
    way = unit(goal, (0.0, -1.0, 0.0))
    side = unit(without(pole, way), square_to(way))
    cosine, sine = _corner(a, b, reach)
    upper = mix(way, cosine, side, sine)
    knee, ankle = scale(upper, a), scale(way, reach)
    lower = scale(subtract(ankle, knee), 1.0 / b)
    lateral = cross(side, way)
    return _hung(lateral, upper), _hung(lateral, lower), knee, ankle


@inline
def _hung(x: Vector, bone: Vector) -> Quaternion:
    """The rotation of a joint whose bone hangs along ``bone``, with its X axis given."""
    y = scale(bone, -1.0)
    return from_axes(x, y, cross(x, y))


@inline
def _corner(a: float, b: float, reach: float) -> tuple[float, float]:
    """Cosine and sine of the angle between the upper bone and the line to the ankle."""
    if not (a > 0.0 and b > 0.0):
        return 1.0, 0.0
    if reach <= 0.0:
        return 0.0, 1.0
    # Heron's form keeps its digits near full stretch.
    least = abs(a - b)
    area = (a + b - reach) * (a + b + reach) * (reach - least) * (reach + least)
    cosine, sine = a * a + reach * reach - b * b, math.sqrt(max(area, 0.0))
    size = math.sqrt(cosine * cosine + sine * sine)
    return cosine / size, sine / size


@inline
def eased_reach(distance: float, a: float, b: float, softness: float) -> float:
    """The distance from hip to ankle for a goal at ``distance``: the same, away from the limits of the limb.

    Near the limits it follows an exponential with the same slope at the joint (C1) that never arrives.
    """
    least, most = abs(a - b), a + b
    soft_most = min(softness * most, min(a, b))
    soft_least = min(softness * least, min(a, b))
    if distance > most - soft_most:
        if soft_most <= 0.0:
            return most
        return most - soft_most * math.exp((most - soft_most - distance) / soft_most)
    if distance < least + soft_least:
        if soft_least <= 0.0:
            return least
        return least + soft_least * math.exp((distance - least - soft_least) / soft_least)
    return distance


@inline
def _turn(bone: Vector, normal: Vector, new_bone: Vector, new_normal: Vector) -> Quaternion:
    """The rotation from one frame of a unit bone and the limb's normal to another."""
    y = unit(without(normal, bone), square_to(bone))
    new_y = unit(without(new_normal, new_bone), square_to(new_bone))
    old = from_axes(bone, y, cross(bone, y))
    new = from_axes(new_bone, new_y, cross(new_bone, new_y))
    return multiply(new, conjugate(old))
