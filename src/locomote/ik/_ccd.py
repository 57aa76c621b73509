"""Cyclic coordinate descent: a chain of limited joints reaches for a point, the joint nearest the tip first.

Joint 0 of a chain sits at its base; joint ``i + 1`` sits at ``offsets[i]`` in the frame of joint ``i`` and
the tip at ``offsets[K - 1]`` in the frame of the last. Joint ``i`` is turned in the world by
``base * q[0] * ... * q[i]``.

Each pass over the joints is followed by one damped Newton step of all of them together, kept where it helps:
alone, the passes creep when the chain is nearly stretched. A chain that is stuck against its limits starts
again from poses within them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.ik._clamp import about, axis_of, clamp_rotation, is_hinge, rest_of
from locomote.ik._limits import JointLimits
from locomote.math._compile import inline, kernel
from locomote.math.quaternion import (
    Quaternion,
    between,
    conjugate,
    exp,
    multiply,
    quaternion,
    rotate,
    slerp,
    store,
)
from locomote.math.vector import (
    Floats,
    Ints,
    Vector,
    add,
    cross,
    dot,
    mix,
    norm,
    scale,
    square_to,
    subtract,
    unit,
    vector,
    without,
)

_HALVINGS = 3  # shorter turns tried where a ball joint's limits spoil the whole one
_STALL = 0.03  # share of the avoidable error that a round must win for the next one to be worth its while
_DAMPING = 0.1  # of the error; keeps the Newton step short where the chain is stretched
_WIDEST_STEP = 0.5  # rad; no joint turns further in one Newton step
_BETTER = 1e-9  # of the chain's length; a pose that gains less does not replace the one before it
# Where a stuck chain starts again: share of the twist range, and shares of the widest swing to two sides.
_RESTARTS = np.array(
    [
        [0.5, 0.0, 0.0],
        [0.5, 0.6, 0.0],
        [0.5, -0.6, 0.0],
        [0.5, 0.0, 0.6],
        [0.5, 0.0, -0.6],
        [0.1, 0.0, 0.0],
        [0.9, 0.0, 0.0],
    ]
)


class ChainSolution(NamedTuple):
    """Chains that reach for their goals."""

    rotations: Floats  # (N, K, 4) local, within the limits
    errors: Floats  # (N,) distance from the tip to the goal
    rounds: Ints  # (N,) passes over the chain that were made
    solved: npt.NDArray[np.bool_]  # (N,) the error is within the tolerance


def solve_chains(
    rotations: Floats,
    offsets: Floats,
    base_positions: Floats,
    base_rotations: Floats,
    goals: Floats,
    limits: JointLimits,
    tolerance: float | Floats = 1e-3,
    max_rounds: int = 64,
) -> ChainSolution:
    """Turn the joints of N chains so that their tips reach the ``goals (N, 3)``, world positions.

    ``rotations (N, K, 4)`` are the local rotations to start from (last frame's, to move smoothly);
    ``offsets (1 or N, K, 3)`` and the arrays of ``limits (K, ...)`` or ``(1 or N, K, ...)`` are shared by all
    chains or one each. ``base_positions (N, 3)`` are in the world, ``base_rotations (N, 4)`` the world rotations of the
    joints that carry the chains. ``tolerance``, one or ``(N,)``, is a fraction of the length of a chain. More
    rounds never make the error worse.
    """
    turned = np.array(rotations, dtype=np.float64, order="C")
    errors = np.zeros(len(turned))
    rounds = np.zeros(len(turned), dtype=np.int64)
    tolerances = np.full(len(turned), tolerance)
    chain_ccd(
        turned,
        offsets,
        base_positions,
        base_rotations,
        goals,
        limits.packed().reshape(-1, turned.shape[1], 10),
        tolerances,
        max_rounds,
        errors,
        rounds,
    )
    lengths = np.sum(np.linalg.norm(offsets, axis=-1), axis=-1)
    return ChainSolution(turned, errors, rounds, errors <= tolerances * lengths)


@kernel
def chain_ccd(
    rotations: Floats,
    offsets: Floats,
    base_positions: Floats,
    base_rotations: Floats,
    goals: Floats,
    limits: Floats,
    tolerances: Floats,
    max_rounds: int,
    errors: Floats,
    rounds: Ints,
) -> None:
    """The loop of `solve_chains`; ``rotations`` change in place, ``limits (1 or N, K, 10)`` are packed."""
    joints = rotations.shape[1]
    q, trial = np.empty((joints, 4)), np.empty((joints, 4))
    world = np.empty((joints, 4))
    places = np.empty((joints + 1, 3))  # world positions of the joints and the tip
    still = np.empty(joints, dtype=np.bool_)
    for n in range(rotations.shape[0]):
        bones = offsets[n if offsets.shape[0] > 1 else 0]
        limit = limits[n if limits.shape[0] > 1 else 0]
        base, goal = quaternion(base_rotations[n]), vector(goals[n])
        places[0, 0], places[0, 1], places[0, 2] = vector(base_positions[n])
        length, tolerance = 0.0, tolerances[n]
        for j in range(joints):
            length += norm(vector(bones[j]))
            store(q[j], clamp_rotation(quaternion(rotations[n, j]), limit[j]))
        # A goal beyond the chain's length leaves at least this error, when the chain is stretched towards it.
        distance = norm(subtract(goal, vector(places[0])))
        least = max(distance - length, 0.0)
        enough = least + tolerance * length
        _copy(q, rotations[n])
        errors[n] = _pose(q, bones, base, 0, goal, places, world)
        rounds[n] = 0
        if distance > (1.0 - tolerance) * length and errors[n] > enough:
            _stretch(q, bones, base, limit, goal, places, world)
        for attempt in range(1 + len(_RESTARTS)):
            if attempt > 0:
                if least > 0.0 or errors[n] <= enough or rounds[n] >= max_rounds:
                    break
                _start_again(limit, _RESTARTS[attempt - 1], q)
            error = _pose(q, bones, base, 0, goal, places, world)
            before = math.inf
            while error > enough and rounds[n] < max_rounds and before - error > _STALL * (error - least):
                rounds[n] += 1
                before = error
                error = _sweep(q, bones, base, limit, goal, places, world)
                error = _newton(q, trial, still, bones, base, limit, goal, error, places, world)
            if error < errors[n] - _BETTER * length:
                errors[n] = error
                _copy(q, rotations[n])


@inline
def _copy(source: Floats, target: Floats) -> None:
    for j in range(source.shape[0]):
        store(target[j], quaternion(source[j]))


@inline
def _pose(q: Floats, bones: Floats, base: Quaternion, first: int, goal: Vector, places: Floats, world: Floats) -> float:
    """Pose the chain anew from joint ``first`` on; the distance from its tip to the goal."""
    joints = q.shape[0]
    for j in range(first, joints):
        parent = quaternion(world[j - 1]) if j > 0 else base
        turn = multiply(parent, quaternion(q[j]))
        store(world[j], turn)
        place = places[j + 1]
        place[0], place[1], place[2] = add(vector(places[j]), rotate(turn, vector(bones[j])))
    return norm(subtract(goal, vector(places[joints])))


@inline
def _stretch(
    q: Floats, bones: Floats, base: Quaternion, limit: Floats, goal: Vector, places: Floats, world: Floats
) -> None:
    """Point every bone at the goal, from the base outwards, as far as the limits allow."""
    for j in range(q.shape[0]):
        back = conjugate(quaternion(world[j - 1]) if j > 0 else base)
        way = unit(rotate(quaternion(q[j]), vector(bones[j])), (1.0, 0.0, 0.0))
        aim = unit(rotate(back, subtract(goal, vector(places[j]))), way)
        store(q[j], clamp_rotation(multiply(between(way, aim), quaternion(q[j])), limit[j]))
        _pose(q, bones, base, j, goal, places, world)


@inline
def _start_again(limit: Floats, shares: Floats, q: Floats) -> None:
    """Every joint at a share of its twist range and its swing to two sides."""
    for j in range(q.shape[0]):
        axis = axis_of(limit[j])
        side = square_to(axis)
        swing = mix(side, shares[1] * limit[j, 7], cross(axis, side), shares[2] * limit[j, 7])
        twist = about(axis, (1.0 - shares[0]) * limit[j, 8] + shares[0] * limit[j, 9])
        store(q[j], multiply(rest_of(limit[j]), multiply(exp(swing), twist)))


@inline
def _sweep(
    q: Floats, bones: Floats, base: Quaternion, limit: Floats, goal: Vector, places: Floats, world: Floats
) -> float:
    """Turn each joint in its place so that the tip comes as near to the goal as it can; the error left."""
    joints = q.shape[0]
    error = norm(subtract(goal, vector(places[joints])))
    for j in range(joints - 1, -1, -1):
        back = conjugate(quaternion(world[j - 1]) if j > 0 else base)
        tip = rotate(back, subtract(vector(places[joints]), vector(places[j])))
        aim = rotate(back, subtract(goal, vector(places[j])))
        store(q[j], _best_turn(quaternion(q[j]), tip, aim, limit[j]))
        error = _pose(q, bones, base, j, goal, places, world)
    return error


@inline
def _best_turn(old: Quaternion, tip: Vector, aim: Vector, limit: Floats) -> Quaternion:
    """The rotation of one joint that brings its tip nearest to the aim, both in the frame of its parent."""
    if is_hinge(limit):
        axis = rotate(rest_of(limit), axis_of(limit))
        a, b = without(tip, axis), without(aim, axis)
        full = multiply(about(axis, math.atan2(dot(axis, cross(a, b)), dot(a, b))), old)
    else:
        way = unit(tip, (1.0, 0.0, 0.0))
        full = multiply(between(way, unit(aim, way)), old)
    share = 1.0
    for _ in range(_HALVINGS):
        new = clamp_rotation(slerp(old, full, share), limit)
        if norm(subtract(rotate(multiply(new, conjugate(old)), tip), aim)) < norm(subtract(tip, aim)):
            return new
        share *= 0.5
    return old


@inline
def _newton(
    q: Floats,
    trial: Floats,
    still: npt.NDArray[np.bool_],
    bones: Floats,
    base: Quaternion,
    limit: Floats,
    goal: Vector,
    error: float,
    places: Floats,
    world: Floats,
) -> float:
    """Turn all joints together by a damped Newton step, if that brings the tip nearer; the error left."""
    joints = q.shape[0]
    for j in range(joints):
        still[j] = False
    for _ in range(2):  # the second time without the joints that ran into their limits
        gap = subtract(goal, vector(places[joints]))
        pull = _pull(still, limit, base, gap, places, world)
        ran_in = False
        for j in range(joints):
            back = conjugate(quaternion(world[j - 1]) if j > 0 else base)
            turn = rotate(back, cross(subtract(vector(places[joints]), vector(places[j])), pull))
            if is_hinge(limit[j]):
                axis = rotate(rest_of(limit[j]), axis_of(limit[j]))
                turn = scale(axis, dot(axis, turn))
            turn = scale(turn, min(1.0, _WIDEST_STEP / max(norm(turn), 1e-12)))
            free = quaternion(q[j]) if still[j] else multiply(exp(turn), quaternion(q[j]))
            cut = clamp_rotation(free, limit[j])
            if (
                not still[j]
                and abs(free[0] * cut[0] + free[1] * cut[1] + free[2] * cut[2] + free[3] * cut[3]) < 1.0 - 1e-12
            ):
                still[j] = True
                ran_in = True
            store(trial[j], cut)
        after = _pose(trial, bones, base, 0, goal, places, world)
        if after < error:
            _copy(trial, q)
            error = after
        else:
            _pose(q, bones, base, 0, goal, places, world)
        if not ran_in:
            break
    return error


@inline
def _pull(
    still: npt.NDArray[np.bool_], limit: Floats, base: Quaternion, gap: Vector, places: Floats, world: Floats
) -> Vector:
    """The force at the tip under which pliant joints close the gap: ``(J J' + damping) pull = gap``."""
    joints = still.shape[0]
    xx, yy, zz, xy, xz, yz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(joints):
        if still[j]:
            continue
        r = subtract(vector(places[joints]), vector(places[j]))
        if is_hinge(limit[j]):
            parent = quaternion(world[j - 1]) if j > 0 else base
            c = cross(rotate(multiply(parent, rest_of(limit[j])), axis_of(limit[j])), r)
            xx, yy, zz = xx + c[0] * c[0], yy + c[1] * c[1], zz + c[2] * c[2]
            xy, xz, yz = xy + c[0] * c[1], xz + c[0] * c[2], yz + c[1] * c[2]
        else:
            square = dot(r, r)
            xx, yy, zz = xx + square - r[0] * r[0], yy + square - r[1] * r[1], zz + square - r[2] * r[2]
            xy, xz, yz = xy - r[0] * r[1], xz - r[0] * r[2], yz - r[1] * r[2]
    damping = _DAMPING * _DAMPING * dot(gap, gap) + 1e-12 * (xx + yy + zz)
    a, b, c = (xx + damping, xy, xz), (xy, yy + damping, yz), (xz, yz, zz + damping)
    volume = dot(a, cross(b, c))
    if not volume > 0.0:
        return 0.0, 0.0, 0.0
    # Cramer's rule; the matrix is symmetric, so its rows are its columns.
    return (
        dot(gap, cross(b, c)) / volume,
        dot(a, cross(gap, c)) / volume,
        dot(a, cross(b, gap)) / volume,
    )
