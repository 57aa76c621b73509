"""Damped least squares: the joints of a tree reach for several points at once, in order of priority.

Each round takes a step for the goals of the first level, then one for the next level in what the first leaves
free, and so on. Level by level the Jacobian is split into independent directions (its singular vectors); a
direction in which the body can hardly move is damped, and shuts the levels below out only as far as it was
used.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.ik._clamp import clamp_rotation
from locomote.ik._limits import JointLimits
from locomote.math._compile import inline, kernel
from locomote.math.fk import forward_kinematics
from locomote.math.quaternion import exp, multiply, normalize, quaternion, rotate, store
from locomote.math.vector import Floats, Ints, add, cross, norm, scale, subtract, vector

_WIDEST_STEP = 0.5  # rad; no joint turns further in one round
_LONGEST_PULL = 0.3  # of the body's size; a goal further off pulls no harder
_PATIENCE = 0.25  # share of size times miss that resists a step; below 1/8 limbs shake at goals out of reach
_SWEEPS = 12  # at most, to make the rows of a level's Jacobian square to one another
_SQUARE = 1e-12  # cosine of the angle at which two rows count as square


class PointGoals(NamedTuple):
    """Points of a body and where they should be."""

    joints: Ints  # (G,) the joints that carry the points
    points: Floats  # (G, 3) in the frames of those joints
    positions: Floats  # (N, G, 3) world, where the points should be
    weights: Floats  # (N, G) against the other goals of the same level; 0 switches a goal off
    levels: Ints  # (G,) priority, 0 comes first


class TreeSolution(NamedTuple):
    """Bodies that reach for their goals."""

    rotations: Floats  # (N, J, 4) local
    errors: Floats  # (N, G) distances from the points to their goals


def solve_trees(
    parents: Ints,
    offsets: Floats,
    roots: Floats,
    rotations: Floats,
    goals: PointGoals,
    freedom: Floats,
    limits: JointLimits | None = None,
    damping: float = 0.02,
    rounds: int = 16,
) -> TreeSolution:
    """Turn the joints of N bodies on one skeleton so that points of theirs reach their goals.

    ``parents (J,)``, ``offsets (J, 3)``, ``roots (N, 3)`` and ``rotations (N, J, 4)`` are as in forward
    kinematics. ``freedom (J, 3)`` says how freely a joint turns about the axes of its own frame: 0 not at
    all, 1 freely. ``damping`` is a fraction of the longest way from the root to a goal's point: larger is
    calmer near stretched limbs, and slower. ``limits (J, ...)`` hold for the joints that have any freedom.
    The roots stay where they are.
    """
    turned = np.array(rotations, dtype=np.float64, order="C")
    errors = np.zeros(goals.weights.shape)
    packed = np.zeros((0, 10)) if limits is None else limits.packed()
    chain_dls(
        parents,
        offsets,
        roots,
        turned,
        goals.joints,
        goals.points,
        goals.positions,
        goals.weights,
        goals.levels,
        freedom,
        packed,
        damping,
        rounds,
        errors,
    )
    return TreeSolution(turned, errors)


@kernel
def chain_dls(
    parents: Ints,
    offsets: Floats,
    roots: Floats,
    rotations: Floats,
    goal_joints: Ints,
    goal_points: Floats,
    goal_positions: Floats,
    weights: Floats,
    levels: Ints,
    freedom: Floats,
    limits: Floats,
    damping: float,
    rounds: int,
    errors: Floats,
) -> None:
    """The loop of `solve_trees`; ``rotations`` are changed in place, ``limits (0 or J, 10)`` are packed."""
    count, joints, goals = rotations.shape[0], rotations.shape[1], goal_joints.shape[0]
    moves = np.zeros((goals + 1, joints), dtype=np.bool_)  # which joints move which points; the last row: any point
    size = _reach(parents, offsets, goal_joints, goal_points, moves)
    columns = np.empty((3 * joints, 2), dtype=np.int64)  # joint and axis of each unknown
    unknowns = 0
    for j in range(joints):
        for axis in range(3):
            if freedom[j, axis] > 0.0 and moves[goals, j]:
                columns[unknowns, 0], columns[unknowns, 1] = j, axis
                unknowns += 1
    columns = columns[:unknowns]
    rows = np.empty((3 * goals, unknowns + 1))  # of one level: its Jacobian, and the error in the last column
    taken = np.empty((3 * goals, unknowns + 1))  # directions that are used already, and how much of each
    step = np.empty(unknowns)
    positions, world = np.empty((1, joints, 3)), np.empty((1, joints, 4))
    last = -1
    for g in range(goals):
        last = max(last, levels[g])
    for n in range(count):
        for left in range(rounds, 0, -1):
            forward_kinematics(parents, offsets[None], roots[n : n + 1], rotations[n : n + 1], positions, world)
            for c in range(unknowns):
                step[c] = 0.0
            used = 0
            # The last rounds drop the levels one by one, from below, so that the first ends undisturbed.
            for level in range(min(last + 1, (left + 2) // 3)):
                filled = 0
                for g in range(goals):
                    if levels[g] == level and weights[n, g] > 0.0:
                        _fill_rows(
                            rows[filled : filled + 3],
                            goal_joints[g],
                            goal_points[g],
                            goal_positions[n, g],
                            weights[n, g],
                            _LONGEST_PULL * size,
                            moves[g],
                            columns,
                            freedom,
                            positions[0],
                            world[0],
                        )
                        filled += 3
                used = _solve_level(rows[:filled], taken, used, damping * size, size, step)
            _apply(rotations[n], step, columns, freedom, limits)
        forward_kinematics(parents, offsets[None], roots[n : n + 1], rotations[n : n + 1], positions, world)
        for g in range(goals):
            j = goal_joints[g]
            tip = add(vector(positions[0, j]), rotate(quaternion(world[0, j]), vector(goal_points[g])))
            errors[n, g] = norm(subtract(vector(goal_positions[n, g]), tip))


@inline
def _reach(
    parents: Ints, offsets: Floats, goal_joints: Ints, goal_points: Floats, moves: npt.NDArray[np.bool_]
) -> float:
    """Mark which joints move which goals' points; the longest way from the root to such a point."""
    goals = goal_joints.shape[0]
    size = 0.0
    for g in range(goals):
        length = norm(vector(goal_points[g]))
        j = goal_joints[g]
        while j >= 0:
            moves[g, j] = True
            moves[goals, j] = True
            if parents[j] >= 0:
                length += norm(vector(offsets[j]))
            j = parents[j]
        size = max(size, length)
    return size


@inline
def _fill_rows(
    rows: Floats,
    joint: int,
    point: Floats,
    goal: Floats,
    weight: float,
    longest: float,
    moves: npt.NDArray[np.bool_],
    columns: Ints,
    freedom: Floats,
    positions: Floats,
    world: Floats,
) -> None:
    """Three rows of the Jacobian: how one goal's point moves with each unknown, and how far it should."""
    tip = add(vector(positions[joint]), rotate(quaternion(world[joint]), vector(point)))
    gap = subtract(vector(goal), tip)
    gap = scale(gap, weight * min(1.0, longest / max(norm(gap), 1e-300)))
    unknowns = columns.shape[0]
    for c in range(unknowns):
        j, k = columns[c, 0], columns[c, 1]
        way = 0.0, 0.0, 0.0
        if moves[j]:
            own = 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0
            axis = rotate(quaternion(world[j]), own)
            way = scale(cross(axis, subtract(tip, vector(positions[j]))), weight * freedom[j, k])
        rows[0, c], rows[1, c], rows[2, c] = way
    rows[0, unknowns], rows[1, unknowns], rows[2, unknowns] = gap


@inline
def _solve_level(rows: Floats, taken: Floats, used: int, damping: float, size: float, step: Floats) -> int:
    """Add the step of one level, in what the directions ``taken`` leave free; how many are taken then."""
    unknowns = step.shape[0]
    for i in range(rows.shape[0]):
        row = rows[i]
        for c in range(unknowns):
            row[unknowns] -= row[c] * step[c]
        for k in range(used):
            along = 0.0
            for c in range(unknowns):
                along += row[c] * taken[k, c]
            along *= taken[k, unknowns]
            for c in range(unknowns):
                row[c] -= along * taken[k, c]
    _make_square(rows)
    miss = 0.0
    for i in range(rows.shape[0]):
        miss += rows[i, unknowns] * rows[i, unknowns]
    # What is far off, or out of reach, is approached in shorter steps: long ones shake a stretched limb.
    patience = _PATIENCE * size * math.sqrt(miss)
    for i in range(rows.shape[0]):
        row = rows[i]
        square = 0.0
        for c in range(unknowns):
            square += row[c] * row[c]
        if not square > 1e-24 * damping * damping:
            continue
        # No damping where the body moves well; it fades in as the direction becomes singular.
        weak = max(1.0 - square / (4.0 * damping * damping), 0.0)
        resistance = square + (damping * weak) ** 2
        length = math.sqrt(square)
        for c in range(unknowns):
            step[c] += row[c] * row[unknowns] / (resistance + patience)
            taken[used, c] = row[c] / length
        taken[used, unknowns] = square / resistance
        used += 1
    return used


@inline
def _make_square(rows: Floats) -> None:
    """Turn pairs of rows until all are square to one another (one-sided Jacobi); errors turn with them."""
    unknowns = rows.shape[1] - 1
    for _ in range(_SWEEPS):
        done = True
        for i in range(rows.shape[0]):
            for k in range(i + 1, rows.shape[0]):
                a, b = rows[i], rows[k]
                aa, bb, ab = 0.0, 0.0, 0.0
                for c in range(unknowns):
                    aa += a[c] * a[c]
                    bb += b[c] * b[c]
                    ab += a[c] * b[c]
                if ab * ab <= _SQUARE * _SQUARE * aa * bb:
                    continue
                done = False
                half = 0.5 * (bb - aa) / ab
                tangent = math.copysign(1.0, half) / (abs(half) + math.sqrt(1.0 + half * half))
                cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
                sine = cosine * tangent
                for c in range(unknowns + 1):
                    a[c], b[c] = cosine * a[c] - sine * b[c], sine * a[c] + cosine * b[c]
        if done:
            break


@inline
def _apply(rotations: Floats, step: Floats, columns: Ints, freedom: Floats, limits: Floats) -> None:
    """Turn the joints of one body by a step, shortened as a whole where a joint would turn too far."""
    widest = 0.0
    for c in range(columns.shape[0]):
        step[c] *= freedom[columns[c, 0], columns[c, 1]]
        widest = max(widest, abs(step[c]))
    share = min(1.0, _WIDEST_STEP / max(widest, 1e-300))
    c = 0
    for j in range(rotations.shape[0]):
        x, y, z = 0.0, 0.0, 0.0
        turns = False
        while c < columns.shape[0] and columns[c, 0] == j:
            amount = share * step[c]
            if columns[c, 1] == 0:
                x = amount
            elif columns[c, 1] == 1:
                y = amount
            else:
                z = amount
            turns = True
            c += 1
        if turns:
            turned = normalize(multiply(quaternion(rotations[j]), exp((x, y, z))))
            if limits.shape[0] > 0:
                turned = clamp_rotation(turned, limits[j])
            store(rotations[j], turned)
