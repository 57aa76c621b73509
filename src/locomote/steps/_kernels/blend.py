"""One step out of four recorded ones: places, angles and rotations blended, all samples of a channel at once.

A sheet holds a stretch of motion, a row a channel and a column a sample: quaternions of the joints that are no part of
the legs, the pelvis, and for each foot the ball, its yaw, pitch and roll, the bend of the toes and the turn of the
knee.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline, kernel, maker, part
from locomote.math.quaternion import Quaternion, about_up, multiply
from locomote.math.vector import Floats, Ints, Vector, smooth_step

JOINTS = 14  # that are no part of the legs; the pelvis is the first
ROOT = 4 * JOINTS  # rows of the pelvis: x, y, z
FEET = ROOT + 3  # of the left foot, then of the right one
BALL, YAW, PITCH, ROLL, TOES, KNEE, FOOT_ROWS = 0, 3, 4, 5, 6, 7, 8
ROWS = FEET + 2 * FOOT_ROWS
LOWER = 0.3  # of the height between the feet, by which the pelvis is lower than over their middle
ROUNDING = 0.2  # of a climb: the height between the feet over which the pelvis goes from one to the other

# 2 acos(w) / sqrt(1 - w^2) by powers of 1 - w, for w from 0 to 1, within 4e-8: no branch, so that it runs in lanes.
_L = (
    1.9999999794693775, 0.6666707628676003, 0.26653314451342736, 0.11595560300951298, 0.04032697963939283,
    0.060118352003271966, -0.06710599589214324, 0.1019515174337357, -0.06518337780871662, 0.022325648544938303,
)  # fmt: skip
# cos(sqrt(y) / 2) and sin(sqrt(y) / 2) / sqrt(y) by powers of y, for y up to 11, within 2e-12.
_C = (
    0.9999999999984004, -0.12499999998574547, 0.002604166645919701, -2.1701377558587098e-05,
    9.68782511965638e-08, -2.6871970679987114e-10, 4.833785241166287e-13,
)  # fmt: skip
_S = (
    0.4999999999999465, -0.020833333332856488, 0.0002604166659724791, -1.550098827205065e-06,
    5.3821902277136476e-09, -1.2219270242742837e-11, 1.872399594460401e-14,
)  # fmt: skip

Singles = npt.NDArray[np.float32]


class StepRecords(NamedTuple):
    """Recorded steps of the right foot as sheets, in hip heights; see `locomote.steps._blending`."""

    sheets: Singles  # (N, ROWS, T)
    yaws: Floats  # (N, 3) rad: supporting foot, swinging foot before and after
    durations: Floats  # (N, 3) s: double stance, swing, double stance
    twins: Ints  # (JOINTS,) the joint on the other side
    lift: int  # sample at which the foot leaves
    land: int  # and comes down


@inline
def turn_factor(w: float) -> float:
    """By what the vector part of a unit quaternion is multiplied for its rotation vector, without a branch."""
    t = 1.0 - abs(w)
    f = _L[8] + t * _L[9]
    f = _L[0] + t * (_L[1] + t * (_L[2] + t * (_L[3] + t * (_L[4] + t * (_L[5] + t * (_L[6] + t * (_L[7] + t * f)))))))
    return math.copysign(f, w)


@inline
def turn_vector(w: float, x: float, y: float, z: float) -> Vector:
    """The rotation vector of a unit quaternion, without a branch."""
    f = turn_factor(w)
    return f * x, f * y, f * z


@inline
def turn_parts(t: float) -> tuple[float, float]:
    """For the square of an angle: the cosine of its half, and the sine of its half over the angle; without a branch."""
    c = _C[0] + t * (_C[1] + t * (_C[2] + t * (_C[3] + t * (_C[4] + t * (_C[5] + t * _C[6])))))
    s = _S[0] + t * (_S[1] + t * (_S[2] + t * (_S[3] + t * (_S[4] + t * (_S[5] + t * _S[6])))))
    return c, s


@inline
def turn_of(x: float, y: float, z: float) -> Quaternion:
    """The rotation by a vector no longer than about pi, without a branch."""
    c, s = turn_parts(x * x + y * y + z * z)
    return c, s * x, s * y, s * z


@inline
def half_turn(angle: float) -> tuple[float, float]:
    """Cosine and sine of half an angle; of whole turns more the same, or both with the other sign."""
    angle -= 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)
    c, s = turn_parts(angle * angle)
    return c, s * angle


@kernel
def blend_batch(corners: Ints, weights: Floats, turns: Floats, clips: StepRecords, upper: int, out: Floats) -> None:
    """Fill ``out (Q, ROWS, T)`` with blends in the frame of the recorded steps."""
    for n in range(corners.shape[0]):
        blend(corners[n], weights[n], turns[n], clips, upper, False, out[n])


@part
def blend(
    corners: Ints, weights: Floats, turns: Floats, clips: StepRecords, upper: int, mirrored: bool, out: Floats
) -> None:
    """One blend: places and angles by ``weights``, rotations by ``turns``; if ``mirrored``, as a step of the left foot.

    With ``upper`` above 0 the joints above the pelvis are those of the step with most weight.
    """
    count = clips.sheets.shape[2]
    first = 0
    for k in range(1, 4):
        if turns[k] > turns[first]:
            first = k
    most = clips.sheets[corners[first]]
    for r in range(ROOT, ROWS):
        row = out[r]
        for t in range(count):
            row[t] = 0.0
        kind = (r - FEET) % FOOT_ROWS
        angular = r >= FEET and kind >= YAW
        for k in range(4):
            weight = turns[k] if angular else weights[k]
            if weight == 0.0:
                continue
            source = clips.sheets[corners[k], r]
            shift = 0.0
            if angular and kind == YAW:
                # Whole turns apart means the same: take the nearest.
                whole = (source[clips.lift] - most[r, clips.lift]) / (2.0 * math.pi)
                shift = -2.0 * math.pi * math.floor(whole + 0.5)
            for t in range(count):
                row[t] += weight * (source[t] + shift)
    for j in range(JOINTS):
        if j > 0 and upper > 0:
            twin = clips.twins[j] if mirrored else j
            for c in range(4):
                row, source = out[4 * j + c], most[4 * twin + c]
                sign = -1.0 if mirrored and c >= 2 else 1.0
                for t in range(count):
                    row[t] = sign * source[t]
        else:
            _blend_turns(j, first, corners, turns, clips, out, 2 if j == 0 else 1)
    if mirrored:
        _mirror(clips, 1 if upper > 0 else JOINTS, out)


@maker
def _blend_turns(
    j: int, first: int, corners: Ints, turns: Floats, clips: StepRecords, out: Floats, rounds: int
) -> None:
    """The weighted mean of rotations in the tangent space of the heaviest; more rounds go nearer to the true mean."""
    count = clips.sheets.shape[2]
    w, x, y, z = out[4 * j], out[4 * j + 1], out[4 * j + 2], out[4 * j + 3]
    sums = np.zeros((3, count))
    most = clips.sheets[corners[first], 4 * j : 4 * j + 4]
    for t in range(count):
        w[t], x[t], y[t], z[t] = most[0, t], most[1, t], most[2, t], most[3, t]
    for turn in range(rounds):
        for axis in range(3):
            for t in range(count):
                sums[axis, t] = 0.0
        for k in range(4):
            if turns[k] == 0.0 or (turn == 0 and k == first):
                continue
            weight = turns[k]
            c = clips.sheets[corners[k], 4 * j : 4 * j + 4]
            a, b = sums[0], sums[1]
            d = sums[2]
            for t in range(count):
                vector = turn_vector(
                    w[t] * c[0, t] + x[t] * c[1, t] + y[t] * c[2, t] + z[t] * c[3, t],
                    w[t] * c[1, t] - x[t] * c[0, t] - y[t] * c[3, t] + z[t] * c[2, t],
                    w[t] * c[2, t] + x[t] * c[3, t] - y[t] * c[0, t] - z[t] * c[1, t],
                    w[t] * c[3, t] - x[t] * c[2, t] + y[t] * c[1, t] - z[t] * c[0, t],
                )
                a[t] += weight * vector[0]
                b[t] += weight * vector[1]
                d[t] += weight * vector[2]
        _apply(w, x, y, z, sums[0], sums[1], sums[2])


@inline
def _apply(w: Floats, x: Floats, y: Floats, z: Floats, a: Floats, b: Floats, c: Floats) -> None:
    """Turn the quaternions of a row by rotation vectors, from the right."""
    for t in range(w.shape[0]):
        q = multiply((w[t], x[t], y[t], z[t]), turn_of(a[t], b[t], c[t]))
        size = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
        w[t], x[t], y[t], z[t] = q[0] * size, q[1] * size, q[2] * size, q[3] * size


@part
def _mirror(clips: StepRecords, joints: int, sheet: Floats) -> None:
    """A sheet of a step of the right foot becomes one of the left foot: x to -x, left and right exchanged.

    Only the first ``joints`` are turned; the others are already.
    """
    count = sheet.shape[1]
    for j in range(joints):
        k = clips.twins[j]
        if k < j:
            continue
        for c in range(4):
            sign = 1.0 if c < 2 else -1.0
            a, b = sheet[4 * j + c], sheet[4 * k + c]
            for t in range(count):
                a[t], b[t] = sign * b[t], sign * a[t]
    for t in range(count):
        sheet[ROOT, t] *= -1.0
    for c in range(FOOT_ROWS):
        sign = -1.0 if c in (BALL, YAW, ROLL, KNEE) else 1.0
        a, b = sheet[FEET + c], sheet[FEET + FOOT_ROWS + c]
        for t in range(count):
            a[t], b[t] = sign * b[t], sign * a[t]


@part
def place(
    sheet: Floats,
    clips: StepRecords,
    side: int,
    yaw: float,
    size: float,
    support: Floats,
    start: Floats,
    end: Floats,
) -> None:
    """Bring a sheet from the supporting frame into the world, metres, its feet on the places given.

    What is missing between the blended places and those given goes into the swinging foot by and by, half of it also
    into the pelvis, which keeps the balance. Its height is that over the lower foot, more or less: on stairs the leg on
    the lower tread is the straight one.
    """
    count = sheet.shape[1]
    s, c = math.sin(yaw), math.cos(yaw)
    for first in (ROOT, FEET, FEET + FOOT_ROWS):
        x, y, z = sheet[first], sheet[first + 1], sheet[first + 2]
        for t in range(count):
            px, pz = size * x[t], size * z[t]
            x[t], y[t], z[t] = support[0] + c * px + s * pz, size * y[t], support[2] - s * px + c * pz
    turn = about_up(yaw)
    w, i, j, k = sheet[0], sheet[1], sheet[2], sheet[3]
    for t in range(count):
        w[t], i[t], j[t], k[t] = multiply(turn, (w[t], i[t], j[t], k[t]))
    for t in range(count):
        sheet[FEET + YAW, t] += yaw
        sheet[FEET + FOOT_ROWS + YAW, t] += yaw
    swinging = FEET + FOOT_ROWS * side
    x, z = sheet[swinging], sheet[swinging + 2]
    from_x, from_z = start[0] - x[clips.lift // 2], start[2] - z[clips.lift // 2]
    last = (clips.land + count - 1) // 2
    to_x, to_z = end[0] - x[last], end[2] - z[last]
    standing = FEET + FOOT_ROWS * (1 - side)
    rounding = ROUNDING * abs(end[1] - start[1])
    for t in range(count):
        share = smooth_step((t - clips.lift) / (clips.land - clips.lift))
        off_x, off_z = from_x + share * (to_x - from_x), from_z + share * (to_z - from_z)
        height = start[1] + share * (end[1] - start[1])
        x[t] += off_x
        z[t] += off_z
        sheet[swinging + 1, t] += height
        sheet[standing + 1, t] += support[1]
        sheet[ROOT, t] += 0.5 * off_x
        sheet[ROOT + 2, t] += 0.5 * off_z
        apart = math.sqrt((height - support[1]) ** 2 + rounding * rounding) - rounding
        sheet[ROOT + 1, t] += 0.5 * (height + support[1]) - LOWER * apart
