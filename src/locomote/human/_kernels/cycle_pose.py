"""From the factors of a gait cycle to a body in the world: sampling, exponentials, hinges, forward kinematics.

The arrays are those of `step`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from locomote.math._compile import inline
from locomote.math.quaternion import Quaternion, multiply, rotate, store
from locomote.math.vector import Floats, Floats32, Ints, Vector


class LegArrays(NamedTuple):
    """The legs of a model by themselves: of a pose, what pelvis, leg and place of the body have in it.

    A plane has ``LEG_PLANE`` numbers: pelvis, hip, knee, ankle, ball, the place of the body, two to fill it up.
    """

    basis: Floats32  # (L, P, (S + 2) 3 LEG_PLANE) as `Model.basis`
    entries: Ints  # (L, 3 LEG_PLANE) where they are in a whole pose
    joints: Floats32  # (L, 11, LEG_PLANE) as `Model.joints`


class PoseBuffers(NamedTuple):
    """Room for one pose."""

    pose: Floats32  # (3 width,)
    turns: Floats32  # (4, width)
    world: Floats  # (J, 4) world rotations
    rotations: Floats  # (J, 4)
    positions: Floats  # (J, 3)


LEG_PLANE = 8  # numbers in a plane of the pose of a leg
LEG_ROOT = 5  # that of the place of the body

# Terms of cos(h) and sin(h) / h in h^2, by Horner's rule: each is the factor of the one before it.
_C = [np.float32(-1.0 / ((2 * i - 1) * (2 * i))) for i in range(1, 9)]
_C1, _C2, _C3, _C4, _C5, _C6, _C7, _C8 = _C
_S = [np.float32(-1.0 / ((2 * i) * (2 * i + 1))) for i in range(1, 9)]
_S1, _S2, _S3, _S4, _S5, _S6, _S7, _S8 = _S
_NONE, _QUARTER, _HALF, _ONE = np.float32(0.0), np.float32(0.25), np.float32(0.5), np.float32(1.0)
_THREE_HALVES = np.float32(1.5)


@inline
def sample(phase: float, held: int, cached: Floats32, basis: Floats32, pose: Floats32) -> int:
    """The pose at a phase from 0 to 1, on the periodic quadratic spline whose control points are in ``basis``.

    ``cached`` is a row of the cache of `step`. Its three control points are a ring: ``held`` is three times the
    sample they lie around plus the place of the first of them, or negative if they are of no use; returned is the
    same for the phase given.
    """
    size, parts = pose.shape[0], basis.shape[0]
    samples: int = basis.shape[1] // size - 2
    nearest, u = nearest_sample(phase, samples)
    factors, still, points = cached[:parts], cached[parts : parts + size], cached[parts + size :]
    middle, first, start, slot, count = new_points(nearest, held, samples)
    if count > 0:
        fresh = points[slot * size : (slot + count) * size]
        fresh[:] = _NONE
        add_parts(factors, basis, start * size, fresh)
    second, third = (first + 1) % 3, (first + 2) % 3
    before = points[first * size : (first + 1) * size]
    here = points[second * size : (second + 1) * size]
    after = points[third * size : (third + 1) * size]
    a, b, c = _bends(u)
    for x in range(size):
        pose[x] = still[x] + a * before[x] + b * here[x] + c * after[x]
    return 3 * middle + first


@inline
def nearest_sample(phase: float, samples: int) -> tuple[int, float]:
    """The sample of a cycle that is nearest to a phase, and how far that is beyond it."""
    at = phase * samples
    nearest = int(at + 0.5)
    return nearest, at - nearest


@inline
def new_points(nearest: int, held: int, samples: int) -> tuple[int, int, int, int, int]:
    """Which control points a cache lacks that holds those of ``held``, see `sample`.

    Returned are the sample in the middle, the place of the first in the ring, and of those that it lacks the first in
    the basis, its place in the ring, and how many they are.
    """
    middle = nearest % samples
    first = held % 3 if held >= 0 else 0
    if held >= 0 and middle == (held // 3 + 1) % samples:
        # The usual case of a steady walk: one new control point in the place of the oldest.
        return middle, (first + 1) % 3, middle + 2, first, 1
    if held < 0 or middle != held // 3:
        return middle, 0, middle, 0, 3
    return middle, first, 0, 0, 0


@inline
def _bends(u: float) -> tuple[Any, Any, Any]:
    """What three control points count for."""
    return np.float32(0.5 * (0.5 - u) ** 2), np.float32(0.75 - u * u), np.float32(0.5 * (0.5 + u) ** 2)


@inline
def sample_leg(phase: float, leg: int, cached: Floats32, model: LegArrays, points: Floats32) -> None:
    """The same for a leg alone, a quarter of the work: its numbers of the pose are in ``points`` then, plane by plane.

    ``points`` has room for three control points; what the cache keeps of them is left as it is.
    """
    basis, entries = model.basis[leg], model.entries[leg]
    parts, size = basis.shape[0], entries.shape[0]
    samples: int = basis.shape[1] // size - 2
    nearest, u = nearest_sample(phase, samples)
    three = points[: 3 * size]
    three[:] = _NONE
    add_parts(cached[:parts], basis, (nearest % samples) * size, three)
    before, here, after = three[:size], three[size : 2 * size], three[2 * size :]
    a, b, c = _bends(u)
    for x in range(size):
        before[x] = cached[parts + entries[x]] + a * before[x] + b * here[x] + c * after[x]


@inline
def add_parts(factors: Floats32, basis: Floats32, start: int, sums: Floats32) -> None:
    """Add the parts of the motion, each times its factor, from column ``start`` on; they come in eights."""
    stop = start + sums.shape[0]
    for p in range(0, basis.shape[0], 8):
        a, b, c, d = basis[p], basis[p + 1], basis[p + 2], basis[p + 3]
        e, f, g, h = basis[p + 4], basis[p + 5], basis[p + 6], basis[p + 7]
        # Slices first: an index with an offset in it would keep the loop from running in vector registers.
        a, b, c, d = a[start:stop], b[start:stop], c[start:stop], d[start:stop]
        e, f, g, h = e[start:stop], f[start:stop], g[start:stop], h[start:stop]
        i, j, k, m = factors[p], factors[p + 1], factors[p + 2], factors[p + 3]
        q, r, s, t = factors[p + 4], factors[p + 5], factors[p + 6], factors[p + 7]
        for x in range(sums.shape[0]):
            sums[x] += i * a[x] + j * b[x] + k * c[x] + m * d[x] + q * e[x] + r * f[x] + s * g[x] + t * h[x]


@inline
def joint_rotations(pose: Floats32, joints: Floats32, turns: Floats32) -> None:
    """Fill ``turns (4, width)``, the local rotations: centre times exponential, as series over all joints at once."""
    width = joints.shape[1]
    xs, ys, zs = pose[:width], pose[width : 2 * width], pose[2 * width :]
    cw, cx, cy, cz = joints[0], joints[1], joints[2], joints[3]
    qw, qx, qy, qz = turns[0], turns[1], turns[2], turns[3]
    for j in range(width):
        x, y, z = xs[j], ys[j], zs[j]
        t = _QUARTER * (x * x + y * y + z * z)
        w = _ONE + _C5 * t * (_ONE + _C6 * t * (_ONE + _C7 * t * (_ONE + _C8 * t)))
        w = _ONE + _C1 * t * (_ONE + _C2 * t * (_ONE + _C3 * t * (_ONE + _C4 * t * w)))
        s = _ONE + _S5 * t * (_ONE + _S6 * t * (_ONE + _S7 * t * (_ONE + _S8 * t)))
        s = _HALF * (_ONE + _S1 * t * (_ONE + _S2 * t * (_ONE + _S3 * t * (_ONE + _S4 * t * s))))
        x, y, z = s * x, s * y, s * z
        aw = cw[j] * w - cx[j] * x - cy[j] * y - cz[j] * z
        ax = cw[j] * x + cx[j] * w + cy[j] * z - cz[j] * y
        ay = cw[j] * y - cx[j] * z + cy[j] * w + cz[j] * x
        az = cw[j] * z + cx[j] * y - cy[j] * x + cz[j] * w
        # One step of Newton's rule brings it to unit length, with w >= 0.
        size = _THREE_HALVES - _HALF * (aw * aw + ax * ax + ay * ay + az * az)
        size = size if aw >= _NONE else -size
        qw[j], qx[j], qy[j], qz[j] = size * aw, size * ax, size * ay, size * az


@inline
def _bounded(q: Quaternion, axis: int, sign: float, widest: float) -> Quaternion:
    """A hinge kept between straight and its widest bend; ``widest`` is the tangent of half of it."""
    bend = sign * (q[1] if axis == 1 else q[2] if axis == 2 else q[3])
    if 0.0 <= bend <= widest * q[0]:
        return q
    half = math.atan2(bend, q[0])
    back = min(math.atan(widest), max(0.0, half)) - half
    c, s = math.cos(back), sign * math.sin(back)
    x, y, z = 0.0, 0.0, 0.0
    if axis == 1:
        x = s
    elif axis == 2:
        y = s
    else:
        z = s
    return multiply(q, (c, x, y, z))


@inline
def place_root(ground: Vector, yaw: float, lean: float, height: float, joints: Floats32, frame: PoseBuffers) -> None:
    """Put the root of a pose into the world: heading, lean to the right, hip height."""
    width, count = joints.shape[1], frame.rotations.shape[0]
    pose, turns = frame.pose, frame.turns
    c, s, cy, sy = math.cos(0.5 * lean), math.sin(0.5 * lean), math.cos(0.5 * yaw), math.sin(0.5 * yaw)
    facing = (cy * c, sy * s, sy * c, cy * s)  # about Z, then about Y
    root = (float(pose[count]), float(pose[width + count]), float(pose[2 * width + count]))
    rx, ry, rz = rotate(facing, root)
    q = multiply(facing, (float(turns[0, 0]), float(turns[1, 0]), float(turns[2, 0]), float(turns[3, 0])))
    if q[0] < 0.0:
        q = (-q[0], -q[1], -q[2], -q[3])
    store(frame.rotations[0], q)
    store(frame.world[0], q)
    at = frame.positions[0]
    at[0], at[1], at[2] = ground[0] + height * rx, ground[1] + height * ry, ground[2] + height * rz


@inline
def place_joint(joint: int, height: float, joints: Floats32, bones: Floats32, frame: PoseBuffers) -> None:
    """Put a joint into the world, whose parent is there: limits of hinges, forward kinematics.

    ``bones (3, width)`` are the offsets of the joints, in hip heights.
    """
    turns, world, positions = frame.turns, frame.world, frame.positions
    j = np.uintp(joint)  # unsigned: no check for an index from the end
    q = (float(turns[0, j]), float(turns[1, j]), float(turns[2, j]), float(turns[3, j]))
    if joints[8, j] > _NONE:
        q = _bounded(q, int(joints[8, j]), float(joints[9, j]), float(joints[10, j]))
    store(frame.rotations[j], q)
    up = np.uintp(joints[7, j])
    turn = world[up, 0], world[up, 1], world[up, 2], world[up, 3]
    px, py, pz = rotate(turn, (height * bones[0, j], height * bones[1, j], height * bones[2, j]))
    positions[j, 0] = positions[up, 0] + px
    positions[j, 1] = positions[up, 1] + py
    positions[j, 2] = positions[up, 2] + pz
    world[j, 0], world[j, 1], world[j, 2], world[j, 3] = multiply(turn, q)
