"""From the channels of packed motion to poses, and how far a pose is from another: the compiled part."""

from __future__ import annotations

import math

from locomote.formats._lmz_coder import Whole
from locomote.math._compile import inline, kernel
from locomote.math.quaternion import Quaternion, about_up, exp, multiply, normalize, quaternion, rotate, store
from locomote.math.vector import Floats, Vector, add, cross, dot, subtract, vector


@inline
def _upright(x: Floats, mean: Quaternion) -> Quaternion:
    """A root by its yaw and tilt."""
    return multiply(multiply(about_up(x[3]), exp((x[4], 0.0, x[5]))), mean)


@kernel
def pose_rows(
    rows: Floats,
    used: int,
    matrix: Floats,
    kinds: Whole,
    means: Floats,
    x: Floats,
    roots: Floats,
    rotations: Floats,
    moved: Floats,
) -> None:
    """Fill ``roots (F, 3)``, ``rotations (F, J, 4)`` and ``moved (F, 3 T)`` from ``rows (F, D)``.

    Only the first ``used`` numbers of the rows differ from 0. ``matrix (D, D)`` has in its rows the channels that each
    number moves; ``kinds (J,)`` where a joint has its quaternion in them, or -1; ``x (2, D)`` is memory to work in.
    """
    for first in range(0, rows.shape[0], 2):
        second = min(first + 1, rows.shape[0] - 1)
        _channels(rows[first], rows[second], used, matrix, x[0], x[1])
        _pose(x[0], kinds, means, roots[first], rotations[first], moved[first])
        _pose(x[1], kinds, means, roots[second], rotations[second], moved[second])


@inline
def _channels(a: Floats, b: Floats, used: int, matrix: Floats, x: Floats, y: Floats) -> None:
    """The channels ``x`` and ``y`` of two frames: two frames and four numbers at once, which halves the reading."""
    width = matrix.shape[1]
    for i in range(width):
        x[i] = y[i] = 0.0
    whole = used & ~3
    for c in range(0, whole, 4):
        a0, a1, a2, a3 = a[c], a[c + 1], a[c + 2], a[c + 3]
        b0, b1, b2, b3 = b[c], b[c + 1], b[c + 2], b[c + 3]
        for i in range(width):
            m0, m1, m2, m3 = matrix[c, i], matrix[c + 1, i], matrix[c + 2, i], matrix[c + 3, i]
            x[i] += (a0 * m0 + a1 * m1) + (a2 * m2 + a3 * m3)
            y[i] += (b0 * m0 + b1 * m1) + (b2 * m2 + b3 * m3)
    for c in range(whole, used):
        for i in range(width):
            x[i] += a[c] * matrix[c, i]
            y[i] += b[c] * matrix[c, i]


@inline
def _pose(x: Floats, kinds: Whole, means: Floats, root: Floats, rotations: Floats, moved: Floats) -> None:
    root[0], root[1], root[2] = x[0], x[1], x[2]
    for j in range(kinds.shape[0]):
        at = kinds[j]
        if at >= 0:
            store(rotations[j], normalize(quaternion(x[at : at + 4])))
        elif j == 0:
            store(rotations[0], _upright(x, quaternion(means[0])))
        else:
            at = 3 + 3 * j
            store(rotations[j], multiply(quaternion(means[j]), exp((x[at], x[at + 1], x[at + 2]))))
    for k in range(moved.shape[0]):
        moved[k] = x[x.shape[0] - moved.shape[0] + k]


@inline
def _square(a: Vector, b: Vector) -> float:
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return x * x + y * y + z * z


@inline
def _arm(axis: int, length: float) -> Vector:
    if axis == 0:
        return length, 0.0, 0.0
    if axis == 1:
        return 0.0, length, 0.0
    return 0.0, 0.0, length


@kernel
def errors(
    positions: Floats,
    turns: Floats,
    true_positions: Floats,
    true_turns: Floats,
    shell: float,
    end_parents: Whole,
    end_offsets: Floats,
    out: Floats,
) -> None:
    """Fill ``out (F, 2)``: the largest distance of any point of a frame from where it should be, and the joints' mean.

    Points are the joints, the end sites, and three points around each joint at the distance ``shell``, which tell
    whether bones are twisted. All in the world: ``positions (F, J, 3)`` and ``turns (F, J, 4)``.
    """
    joints = positions.shape[1]
    for t in range(positions.shape[0]):
        worst, total = 0.0, 0.0
        for j in range(joints):
            p, q = vector(positions[t, j]), quaternion(turns[t, j])
            true_p, true_q = vector(true_positions[t, j]), quaternion(true_turns[t, j])
            far = _square(p, true_p)
            total += math.sqrt(far)
            worst = max(worst, far)
            for axis in range(3):
                arm = _arm(axis, shell)
                worst = max(worst, _square(add(p, rotate(q, arm)), add(true_p, rotate(true_q, arm))))
        for e in range(end_parents.shape[0]):
            j = end_parents[e]
            arm = vector(end_offsets[e])
            here = add(vector(positions[t, j]), rotate(quaternion(turns[t, j]), arm))
            there = add(vector(true_positions[t, j]), rotate(quaternion(true_turns[t, j]), arm))
            worst = max(worst, _square(here, there))
        out[t, 0], out[t, 1] = math.sqrt(worst), total / joints


@kernel
def displacement(parents: Whole, places: Floats, axes: Floats, points: Floats, owners: Whole, inner: Floats) -> None:
    """Add to ``inner (3 J, 3 J)`` how far ``points (P, 3)`` move, squared, for turns about the axes of joints.

    ``owners (P,)`` are the joints that the points hang on, ``places (J, 3)`` those of the joints, ``axes (J, 3, 3)``
    their axes in columns.
    """
    for p in range(points.shape[0]):
        a = owners[p]
        while a >= 0:
            arm_a = subtract(vector(points[p]), vector(places[a]))
            b = a
            while b >= 0:
                arm_b = subtract(vector(points[p]), vector(places[b]))
                for i in range(3):
                    move = cross(vector(axes[a, :, i]), arm_a)
                    for k in range(3):
                        inner[3 * a + i, 3 * b + k] += dot(move, cross(vector(axes[b, :, k]), arm_b))
                b = parents[b]
            a = parents[a]


@kernel
def undo_triangle(triangle: Floats, rows: Floats) -> None:
    """Replace each of the ``rows`` by that which times the lower ``triangle`` is it.

    Libraries of linear algebra start threads for a matrix of this size, which takes longer than all the rest of opening
    a clip.
    """
    for c in range(rows.shape[0]):
        for i in range(rows.shape[1] - 1, -1, -1):
            value = rows[c, i] / triangle[i, i]
            rows[c, i] = value
            if value != 0.0:
                for j in range(i):
                    rows[c, j] -= value * triangle[i, j]
