"""One pose under the springs of its markers: where its points are, what it costs, and its normal equations."""

from __future__ import annotations

import math

from locomote.capture.markers._kernels.bundles import Found, Joints, MarkerArrays, Memory, Pulls
from locomote.ik._clamp import clamp_rotation
from locomote.math._compile import inline, part
from locomote.math.quaternion import Quaternion, conjugate, log, multiply, quaternion, rotate, store
from locomote.math.vector import Floats, Vector, add, cross, dot, norm, scale, subtract, vector

_TINY = 1e-9  # rad


@inline
def pose_body(n: int, joints: Joints, found: Found, memory: Memory) -> None:
    """Fill places and turns of all joints in the world, and the axes of the unknowns."""
    places, world, axes = memory.places, memory.world, memory.axes
    for j in range(joints.parents.shape[0]):
        parent = joints.parents[j]
        if parent < 0:
            places[j, 0], places[j, 1], places[j, 2] = vector(found.roots[n])
            store(world[j], quaternion(found.turns[n, j]))
        else:
            above = quaternion(world[parent])
            at = add(vector(places[parent]), rotate(above, vector(joints.offsets[j])))
            places[j, 0], places[j, 1], places[j, 2] = at
            store(world[j], multiply(above, quaternion(found.turns[n, j])))
        own, first = quaternion(world[j]), joints.first[j]
        if joints.kinds[j] == 1:
            axes[first, 0], axes[first, 1], axes[first, 2] = rotate(own, vector(joints.axes[j]))
        elif joints.kinds[j] == 3:
            axes[first, 0], axes[first, 1], axes[first, 2] = rotate(own, (1.0, 0.0, 0.0))
            axes[first + 1, 0], axes[first + 1, 1], axes[first + 1, 2] = rotate(own, (0.0, 1.0, 0.0))
            axes[first + 2, 0], axes[first + 2, 1], axes[first + 2, 2] = rotate(own, (0.0, 0.0, 1.0))


@part
def assemble(
    n: int, at: int, joints: Joints, springs: MarkerArrays, pulls: Pulls, found: Found, memory: Memory
) -> float:
    """The cost of the springs and limits of pose ``n``; fill its normal equations, row ``at`` of the memory."""
    pose_body(n, joints, found, memory)
    normal, gradient = memory.normal[at], memory.gradient[at]
    normal[:], gradient[:] = 0.0, 0.0
    cost = 0.0
    for m in range(springs.joints.shape[0]):
        seen = vector(springs.seen[n, m])
        if not math.isnan(seen[0] + seen[1] + seen[2]):
            cost += _add_spring(n, m, seen, joints, springs, pulls.loose, found, memory, normal, gradient)
    for k in range(joints.limited.shape[0]):
        j = joints.limited[k]
        cost += _add_limit(joints, j, quaternion(found.turns[n, j]), pulls.limits, normal, gradient)
    for i in range(normal.shape[0]):
        for k in range(i):
            normal[k, i] = normal[i, k]
    return cost


@inline
def _add_spring(
    n: int,
    m: int,
    seen: Vector,
    joints: Joints,
    springs: MarkerArrays,
    loose: float,
    found: Found,
    memory: Memory,
    normal: Floats,
    gradient: Floats,
) -> float:
    j, rows = springs.joints[m], memory.rows
    point = add(vector(memory.places[j]), rotate(quaternion(memory.world[j]), vector(springs.points[m])))
    miss = subtract(point, seen)
    square = dot(miss, miss)
    found.errors[n, m] = math.sqrt(square)
    stiffness = springs.stiffness[m]
    cost = stiffness * square
    if loose > 0.0:
        far = square / (loose * loose)
        cost = stiffness * loose * loose * math.log1p(far)
        stiffness /= 1.0 + far
    for c in range(joints.counts[j]):
        i = joints.columns[j, c]
        if i < 3:
            rows[c, 0], rows[c, 1], rows[c, 2] = 0.0, 0.0, 0.0
            rows[c, i] = 1.0
        else:
            lever = subtract(point, vector(memory.places[joints.owners[i]]))
            rows[c, 0], rows[c, 1], rows[c, 2] = cross(vector(memory.axes[i]), lever)
        own = scale(vector(rows[c]), stiffness)
        gradient[i] += dot(own, miss)
        for k in range(c + 1):
            normal[i, joints.columns[j, k]] += dot(own, vector(rows[k]))
    return float(cost)


@inline
def _add_limit(joints: Joints, j: int, turn: Quaternion, weight: float, normal: Floats, gradient: Floats) -> float:
    """A joint beyond its limit is drawn back to it."""
    inside = clamp_rotation(turn, joints.limits[j])
    over = log(multiply(conjugate(inside), turn))
    first = joints.first[j]
    if joints.kinds[j] == 1:
        angle = dot(over, vector(joints.axes[j]))
        if abs(angle) <= _TINY:
            return 0.0
        gradient[first] += weight * angle
        normal[first, first] += weight
        return weight * angle * angle
    size = norm(over)
    if size <= _TINY:
        return 0.0
    for a in range(3):
        gradient[first + a] += weight * over[a]
        for b in range(a + 1):
            normal[first + a, first + b] += weight * over[a] * over[b] / (size * size)
    return weight * size * size


@inline
def turn_between(joints: Joints, j: int, start: Quaternion, end: Quaternion, out: Floats) -> None:
    """Fill the unknowns of one joint in ``out (n,)`` with its turn from one rotation to another, in its own frame."""
    way = log(multiply(conjugate(start), end))
    first = joints.first[j]
    if joints.kinds[j] == 1:
        out[first] = dot(way, vector(joints.axes[j]))
    elif joints.kinds[j] == 3:
        out[first], out[first + 1], out[first + 2] = way
