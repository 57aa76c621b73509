"""From feet and the turn of the knees to the joint angles of a body, in closed form."""

from __future__ import annotations

import math

from locomote.kernels._compile import inline, kernel
from locomote.kernels.quaternion import Quaternion, canonical, conjugate, multiply, rotate, store
from locomote.kernels.step_blend import (
    FEET,
    FOOT_ROWS,
    JOINTS,
    KNEE,
    PITCH,
    ROLL,
    ROOT,
    TOES,
    YAW,
    half_turn,
)
from locomote.kernels.two_bone import hinge_limb
from locomote.kernels.vector import Floats, Ints, add, cross, mix, scale, subtract, unit, without


@inline
def foot_turn(yaw: float, pitch: float, roll: float) -> Quaternion:
    """The rotation of a foot: about its lateral axis (toes down), then the way it points, then the vertical."""
    cy, sy = half_turn(yaw)
    cp, sp = half_turn(pitch)
    cr, sr = half_turn(roll)
    w, x, y, z = cy * cr, sy * sr, sy * cr, cy * sr
    return w * cp - x * sp, w * sp + x * cp, y * cp + z * sp, z * cp - y * sp


@kernel
def pose_frames(
    frames: Floats,
    joints: Ints,
    legs: Ints,
    hips: Floats,
    thigh: float,
    shank: float,
    ankle_height: float,
    ankle_behind: float,
    roots: Floats,
    rotations: Floats,
) -> None:
    """Fill ``roots (F, 3)`` and ``rotations (F, J, 4)`` from ``frames (ROWS, F)``.

    ``joints (JOINTS,)`` are the joints of the first rows; ``legs (2, 4)`` hip, knee, ankle and ball of either side.
    """
    # Of the two quaternions of a rotation always the one nearer to the frame before.
    for j in range(JOINTS):
        w, x, y, z = frames[4 * j], frames[4 * j + 1], frames[4 * j + 2], frames[4 * j + 3]
        sign = 1.0
        for n in range(frames.shape[1]):
            if n > 0 and w[n] * w[n - 1] + x[n] * x[n - 1] + y[n] * y[n - 1] + z[n] * z[n - 1] < 0.0:
                sign = -sign
            store(rotations[n, joints[j]], (sign * w[n], sign * x[n], sign * y[n], sign * z[n]))
    for n in range(frames.shape[1]):
        root = frames[ROOT, n], frames[ROOT + 1, n], frames[ROOT + 2, n]
        roots[n, 0], roots[n, 1], roots[n, 2] = root
        pelvis = frames[0, n], frames[1, n], frames[2, n], frames[3, n]
        for foot in range(2):
            r = FEET + FOOT_ROWS * foot
            sole = foot_turn(frames[r + YAW, n], frames[r + PITCH, n], frames[r + ROLL, n])
            ball = frames[r, n], frames[r + 1, n], frames[r + 2, n]
            ankle = add(ball, rotate(sole, (0.0, ankle_height, -ankle_behind)))
            to_hip = rotate(pelvis, (hips[foot, 0], hips[foot, 1], hips[foot, 2]))
            goal = subtract(subtract(ankle, root), to_hip)
            # The knee: from the direction of the pelvis, turned about the line from hip to ankle.
            way = unit(goal, (0.0, -1.0, 0.0))
            side = unit(without(scale(to_hip, -1.0), way), (1.0, 0.0, 0.0))
            c, s = half_turn(frames[r + KNEE, n])
            pole = mix(side, c * c - s * s, cross(way, side), 2.0 * c * s)
            upper, lower, _, _ = hinge_limb(thigh, shank, goal, pole, 0.0)
            out = rotations[n]
            store(out[legs[foot, 0]], canonical(multiply(conjugate(pelvis), upper)))
            store(out[legs[foot, 1]], canonical(multiply(conjugate(upper), lower)))
            store(out[legs[foot, 2]], canonical(multiply(conjugate(lower), sole)))
            c, s = half_turn(frames[r + TOES, n])
            store(out[legs[foot, 3]], (c, s, 0.0, 0.0))
            if n > 0:
                for k in range(3):
                    a, b = rotations[n - 1, legs[foot, k]], out[legs[foot, k]]
                    if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0.0:
                        b[0], b[1], b[2], b[3] = -b[0], -b[1], -b[2], -b[3]


@kernel
def sink_to_reach(frames: Floats, hips: Floats, leg: float, ankle_height: float, ankle_behind: float) -> None:
    """Lower the pelvis of each of ``frames (ROWS, F)`` by what its legs are too short."""
    for n in range(frames.shape[1]):
        pelvis = frames[0, n], frames[1, n], frames[2, n], frames[3, n]
        needed = 0.0
        for foot in range(2):
            r = FEET + FOOT_ROWS * foot
            sole = foot_turn(frames[r + YAW, n], frames[r + PITCH, n], frames[r + ROLL, n])
            up = rotate(sole, (0.0, ankle_height, -ankle_behind))
            hip = rotate(pelvis, (hips[foot, 0], hips[foot, 1], hips[foot, 2]))
            x = frames[ROOT, n] + hip[0] - frames[r, n] - up[0]
            y = frames[ROOT + 1, n] + hip[1] - frames[r + 1, n] - up[1]
            z = frames[ROOT + 2, n] + hip[2] - frames[r + 2, n] - up[2]
            needed = max(needed, y - math.sqrt(max(leg * leg - x * x - z * z, 0.0)))
        frames[ROOT + 1, n] -= needed
