"""The body of a walking person at a moment of its course, before its feet are held to the ground."""

from __future__ import annotations

import math

import numpy as np

from locomote.human._kernels.cycle_pose import (
    LEG_PLANE,
    LEG_ROOT,
    PoseBuffers,
    joint_rotations,
    place_joint,
    place_root,
    sample,
    sample_leg,
)
from locomote.human._kernels.liveliness import enliven
from locomote.human._kernels.model import LEG_SHARE, REFERENCE_HIP_HEIGHT, Model
from locomote.human._kernels.state import UNDER_WAY, Jump, Walker
from locomote.human.jumps._kernels import jump as leap
from locomote.math._compile import inline, part
from locomote.math.constants import GRAVITY
from locomote.math.vector import Floats, Floats32, Ints, Vector


@inline
def pose_body(row: Walker, cached: Floats32, bones: Floats32, model: Model, frame: PoseBuffers) -> None:
    """Fill ``frame`` with the body at the place, heading and phase of a row.

    ``cached`` holds its factors, ``bones`` the offsets of its joints.
    """
    pose_whole(row, cached, bones, model, frame)
    if row.jump.state == UNDER_WAY:
        _fly(row, model, frame)


@inline
def pose_whole(row: Walker, cached: Floats32, bones: Floats32, model: Model, frame: PoseBuffers) -> None:
    """The same without the parabola of a flight."""
    height, ground = _play(row, cached, model, frame, True)
    place_root(ground, row.yaw, row.lean, height, model.joints, frame)
    for j in range(1, frame.rotations.shape[0]):
        place_joint(j, height, model.joints, bones, frame)


@part
def pose_leg(leg: int, row: Walker, cached: Floats32, bones: Floats32, model: Model, frame: PoseBuffers) -> None:
    """The same for the pelvis and one leg alone; of the flight of a jump only its ends are exact."""
    if row.jump.state == UNDER_WAY:
        height, ground = _play(row, cached, model, frame, False)
    else:
        height, ground = _play_leg(leg, row, cached, model, frame)
    place_root(ground, row.yaw, row.lean, height, model.joints, frame)
    for k in range(model.legs.shape[1]):
        place_joint(model.legs[leg, k], height, model.joints, bones, frame)


@inline
def _play(row: Walker, cached: Floats32, model: Model, frame: PoseBuffers, whole: bool) -> tuple[float, Vector]:
    """Fill pose and turns of a frame for the phase of a row; returns the hip height and the place on the ground.

    What only shows in a ``whole`` body is left out otherwise.
    """
    phase = row.cycles - math.floor(row.cycles)
    row.held = sample(phase, row.held, cached, model.basis, frame.pose)
    if whole:
        _swing_arms(row, model.swings, frame.pose)
    x, y, z = row.x, row.y, row.z
    if row.jump.state == UNDER_WAY:
        jump = row.jump
        _add_jump(jump, model.masses.shape[0], model.jumps, frame.pose)
        up, ahead = leap.spring_back(jump)
        x, y, z = x + ahead * math.sin(row.yaw), y + up, z + ahead * math.cos(row.yaw)
    if whole:
        enliven(row, cached[0], model.lively, frame.pose)
        if row.spread > 0.0:
            # About Z arms are raised to the side: the left one up, the right one down.
            side = 2 * model.joints.shape[1]
            frame.pose[side + model.arms[0]] += row.spread
            frame.pose[side + model.arms[1]] -= row.spread
    joint_rotations(frame.pose, model.joints, frame.turns)
    return row.leg.value / LEG_SHARE, (x, y, z)


@inline
def _play_leg(leg: int, row: Walker, cached: Floats32, model: Model, frame: PoseBuffers) -> tuple[float, Vector]:
    """The same for pelvis and leg of a body that does not jump."""
    pose, turns, width = frame.pose, frame.turns, model.joints.shape[1]
    sample_leg(row.cycles - math.floor(row.cycles), leg, cached, model.leg_arrays, pose)
    joint_rotations(pose[: 3 * LEG_PLANE], model.leg_arrays.joints[leg], turns)
    x, y, z = pose[LEG_ROOT], pose[LEG_PLANE + LEG_ROOT], pose[2 * LEG_PLANE + LEG_ROOT]
    root = model.masses.shape[0]
    pose[root], pose[width + root], pose[2 * width + root] = x, y, z
    for k in range(model.legs.shape[1]):
        joint = model.legs[leg, k]
        for axis in range(4):
            turns[axis, joint] = turns[axis, 1 + k]
    return row.leg.value / LEG_SHARE, (row.x, row.y, row.z)


@inline
def _swing_arms(row: Walker, swings: Ints, pose: Floats32) -> None:
    """Let arms swing further than those of the style, and bend elbows more; swings are those of `Model`."""
    bend = np.float32(row.elbows + row.run.value * (row.running_elbows - row.elbows))
    for k in range(4):
        at, beyond = swings[k], np.float32(row.arm_swing[k % 2] - 1.0)
        pose[at] += beyond * (pose[at] - np.float32(row.arm_means[k]))
    # About Y the left elbow bends with the clock, the right one against it.
    pose[swings[2]] -= bend
    pose[swings[3]] += bend


@part
def _add_jump(jump: Jump, root: int, jumps: Floats32, pose: Floats32) -> None:
    """Mix the motion of a jump into a pose of the gait; ``root`` is the column of the place of the body."""
    weight = leap.weight(jump)
    if weight <= 0.0:
        return
    size = pose.shape[0]
    last = jumps.shape[2] // size - 3  # of the nodes
    at = leap.unit_time(jump) * last
    nearest = int(at + 0.5)
    u = at - nearest
    bends = 0.5 * (0.5 - u) ** 2, 0.75 - u * u, 0.5 * (0.5 + u) ** 2
    factors = 1.0, jump.posed, jump.air
    rest = np.float32(1.0 - weight)
    for i in range(size):
        pose[i] *= rest
    for k in range(3):
        for term in range(3):
            amount = np.float32(weight * bends[k] * factors[term])
            start = (nearest + k) * size
            points = jumps[jump.unit, term, start : start + size]
            for i in range(size):
                pose[i] += amount * points[i]
    # Height and way of a body in flight follow from its centre of mass. While it stands it must know nothing of that,
    # or it would leave and land with a jerk: its path goes straight on beyond toe-off and before touch-down.
    leaves = leap.unit_time(jump) < 0.5 * (leap.U_OFF + leap.U_LAND)
    edge, inwards = (int(leap.U_OFF * last), -1) if leaves else (int(leap.U_LAND * last) + 1, 1)
    for k in range(3):
        beyond = inwards * (edge - (nearest + k - 1))
        if beyond <= 0:
            continue
        for term in range(3):
            amount = np.float32(weight * bends[k] * factors[term])
            points = jumps[jump.unit, term]
            for axis in range(1, 3):  # up and ahead; to the side the flight is the unit's own
                i = axis * (size // 3) + root
                here, there = points[(edge + 1) * size + i], points[(nearest + k) * size + i]
                slope = here - points[(edge + 1 + inwards) * size + i]
                pose[i] += amount * (here + np.float32(beyond) * slope - there)
    # The clock bends at toe-off, with the spline; what goes straight on must not bend with it.
    late = (leap.straight_time(jump) - leap.unit_time(jump)) * last
    if leap.flown(jump) > 0.0 or late <= 0.0:
        return
    for term in range(3):
        amount = np.float32(weight * late * factors[term])
        points = jumps[jump.unit, term]
        for axis in range(1, 3):
            i = axis * (size // 3) + root
            pose[i] += amount * (points[(edge + 1) * size + i] - points[edge * size + i])


@part
def _fly(row: Walker, model: Model, frame: PoseBuffers) -> None:
    """Move a body in flight so that its centre of mass goes along a parabola."""
    jump = row.jump
    x = leap.flown(jump)
    if x <= 0.0 or x >= 1.0:
        return
    up, ahead = centre_of_mass(row, model.masses, frame)
    flight = jump.flight
    rise = 0.5 * GRAVITY * flight * flight * x * (1.0 - x)
    up = jump.take_off.up + x * (jump.touch.up - jump.take_off.up) + rise - up
    ahead = jump.take_off.ahead + x * (jump.touch.ahead - jump.take_off.ahead) - ahead
    s, c = math.sin(row.yaw), math.cos(row.yaw)
    for j in range(frame.positions.shape[0]):
        frame.positions[j, 0] += ahead * s
        frame.positions[j, 1] += up
        frame.positions[j, 2] += ahead * c


@inline
def centre_of_mass(row: Walker, masses: Floats, frame: PoseBuffers) -> tuple[float, float]:
    """The centre of mass above the level of a body, and ahead of its place."""
    x = y = z = 0.0
    for j in range(masses.shape[0]):
        x += masses[j] * frame.positions[j, 0]
        y += masses[j] * frame.positions[j, 1]
        z += masses[j] * frame.positions[j, 2]
    x, z = x - row.x, z - row.z
    return y - row.y, x * math.sin(row.yaw) + z * math.cos(row.yaw)


@part
def refresh(row: Walker, weights: Floats, factors: Floats32, model: Model) -> None:
    """The factors of one character's motion, from its parameters."""
    curve, styles, stands, timing = model.curve, model.styles, model.stands, model.timing
    components = curve.shape[2]
    parts = factors.shape[0] - stands.shape[1]
    # Bodies of different size move alike at the same Froude number.
    speed = row.stride_speed * math.sqrt(LEG_SHARE * REFERENCE_HIP_HEIGHT / row.leg.value)
    factors[:] = 0.0
    present = 0.0
    for g in range(2):
        share = row.run.value if g == 1 else 1.0 - row.run.value
        if share <= 0.0:
            continue
        slowest = timing.slowest[g]
        amount = share * min(1.0, speed / slowest) ** timing.exponent
        present += amount
        s = max(min(speed, timing.fastest[g]), slowest)
        root = math.sqrt(s)
        for i in range(components):
            factors[1 + i] += amount * (curve[g, 0, i] + s * curve[g, 1, i] + root * curve[g, 2, i])
        for k in range(styles.shape[0]):
            weight = weights[k]
            if weight == 0.0:
                continue
            style = styles[k, g]
            held = min(style[2 * components + 1], max(style[2 * components], s)) - timing.centre[g]
            offset, slope = style[:components], style[components : 2 * components]
            for i in range(components):
                factors[1 + i] += amount * weight * (offset[i] + held * slope[i])
    factors[0] = present
    row.held = -1
    if present < 1.0:
        still = factors[parts:]
        for k in range(styles.shape[0]):
            amount32 = np.float32((1.0 - present) * weights[k])
            if amount32 != 0.0:
                stand = stands[k]
                for c in range(stands.shape[1]):
                    still[c] += amount32 * stand[c]
    for k in range(model.swings.shape[0]):
        mean = float(factors[parts + model.swings[k]])
        for i in range(parts):
            mean += factors[i] * model.swing_means[i, k]
        row.arm_means[k] = mean
