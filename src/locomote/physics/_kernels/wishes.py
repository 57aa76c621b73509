"""What a body is asked to do, as rows of wanted velocities: points, frames, looks, its centre of mass, its momentum.

Every wish has three rows ``J v = wanted``; one that is missed by 1 m/s pulls with its strength in N s/m (N m s/rad).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, part
from locomote.math.quaternion import Quaternion, conjugate, from_axes, log, multiply, quaternion, rotate
from locomote.math.vector import Floats, Ints, Vector, add, cross, norm, scale, subtract, unit, vector
from locomote.physics._kernels.reduced_dynamics import ROOT, State, Work
from locomote.spaces._kernels.geodesics import matrix_of

POINT, TURN, GAZE, CENTRE, MOMENTUM = 0, 1, 2, 3, 4  # kinds
ROWS = 3  # of a wish
_UPRIGHT = 0.02  # sine of the angle to the vertical below which a look has no side


class Wishes(NamedTuple):
    """F wishes, of which the first are used, and the posture."""

    kinds: Ints  # (F,)
    bodies: Ints  # (F,)
    points: Floats  # (F, 3) in the frames of the bodies
    frames: Floats  # (F, 4) how what turns or looks lies in the frame of its body
    targets: Floats  # (F, 4)
    rates: Floats  # (F, 3) of the targets
    gains: Floats  # (F, 2) 1/s of what is missed, and of the velocity now
    strengths: Floats  # (F, 3) N s/m or N m s/rad, in the axes of the world
    levels: Ints  # (F,) 0: balance, 1: what users want
    posture: Floats  # (k,) coordinates
    posture_rates: Floats  # (k,) of these
    posture_pull: Floats  # (2,) 1/s: strength, of the inertia of a coordinate, and gain
    rows: Floats  # (3 F, N) found
    wanted: Floats  # (3 F,) found
    missed: Floats  # (F,) found: m or rad


def make_wishes(most: int, k: int) -> Wishes:
    """Memory for wishes."""
    n = ROOT + k
    numbers = [np.zeros(most, dtype=np.int64) for _ in range(3)]
    points, frames, targets, rates, gains, strengths = (np.zeros((most, size)) for size in (3, 4, 4, 3, 2, 3))
    rows, wanted = np.zeros((ROWS * most, n)), np.zeros(ROWS * most)
    return Wishes(
        *(numbers[0], numbers[1], points, frames, targets, rates, gains, strengths, numbers[2]),
        *(np.zeros(k), np.zeros(k), np.zeros(2), rows, wanted, np.zeros(most)),
    )


@inline
def point_rows(body: int, point: Vector, state: State, work: Work, rows: Floats) -> Vector:
    """How a point of a body moves with all velocities, ``rows (3, N)``; where it is."""
    arm = rotate(quaternion(work.rotations[body]), point)
    place = add(vector(work.places[body]), arm)
    away = subtract(place, vector(work.places[0]))
    axes = matrix_of(quaternion(work.rotations[0]))
    for c in range(3):
        column = cross((axes[0][c], axes[1][c], axes[2][c]), away)
        for d in range(3):
            rows[d, c] = column[d]
            rows[d, 3 + c] = 1.0 if c == d else 0.0
    turns, moves = work.turns[body], work.moves[body]
    x, y, z = arm
    for j in range(state.x.shape[0]):
        a, b, c = turns[0, j], turns[1, j], turns[2, j]
        rows[0, ROOT + j] = moves[0, j] + b * z - c * y
        rows[1, ROOT + j] = moves[1, j] + c * x - a * z
        rows[2, ROOT + j] = moves[2, j] + a * y - b * x
    return place


@inline
def turn_rows(body: int, state: State, work: Work, rows: Floats) -> None:
    """How a body turns in the world with all velocities, ``rows (3, N)``."""
    axes = matrix_of(quaternion(work.rotations[0]))
    for d in range(3):
        for c in range(3):
            rows[d, c] = axes[d][c]
            rows[d, 3 + c] = 0.0
        for j in range(state.x.shape[0]):
            rows[d, ROOT + j] = work.turns[body, d, j]


@inline
def _centre_rows(state: State, work: Work, rows: Floats) -> None:
    total = work.matrix[3, 3]
    for d in range(3):
        for j in range(state.v.shape[0]):
            rows[d, j] = work.matrix[3 + d, j] / total


@inline
def _momentum_rows(state: State, work: Work, rows: Floats) -> None:
    """Angular momentum about the centre of mass: that about the root, less that of the centre about the root."""
    turn, away = quaternion(work.rotations[0]), subtract(vector(work.centre), vector(work.places[0]))
    for j in range(state.v.shape[0]):
        about = rotate(turn, (work.matrix[0, j], work.matrix[1, j], work.matrix[2, j]))
        along = cross(away, (work.matrix[3, j], work.matrix[4, j], work.matrix[5, j]))
        rows[0, j], rows[1, j], rows[2, j] = about[0] - along[0], about[1] - along[1], about[2] - along[2]


@inline
def looking(place: Vector, target: Vector, now: Quaternion) -> Quaternion:
    """The frame that looks from a place at a target, its side level; that of now where it would look straight up."""
    ahead = unit(subtract(target, place), (0.0, 0.0, 1.0))
    side = cross((0.0, 1.0, 0.0), ahead)
    if norm(side) < _UPRIGHT:
        return now
    side = unit(side, (1.0, 0.0, 0.0))
    return from_axes(side, cross(ahead, side), ahead)


@part
def fill_wishes(count: int, wishes: Wishes, state: State, work: Work) -> None:
    """Rows of the first wishes and the velocities that they want."""
    for f in range(count):
        rows, kind, body = wishes.rows[ROWS * f : ROWS * f + ROWS], wishes.kinds[f], wishes.bodies[f]
        target = vector(wishes.targets[f])
        if kind == POINT:
            off = subtract(point_rows(body, vector(wishes.points[f]), state, work, rows), target)
        elif kind == CENTRE:
            _centre_rows(state, work, rows)
            off = subtract(vector(work.centre), target)
        elif kind == MOMENTUM:
            _momentum_rows(state, work, rows)
            off = (0.0, 0.0, 0.0)
        else:
            turn_rows(body, state, work, rows)
            rotation = quaternion(work.rotations[body])
            now = multiply(rotation, quaternion(wishes.frames[f]))
            goal = quaternion(wishes.targets[f])
            if kind == GAZE:
                place = add(vector(work.places[body]), rotate(rotation, vector(wishes.points[f])))
                goal = looking(place, target, now)
            off = log(multiply(now, conjugate(goal)))
        square = 0.0
        for c in range(ROWS):
            speed = 0.0
            for j in range(state.v.shape[0]):
                speed += rows[c, j] * state.v[j]
            asked = wishes.rates[f, c]
            wishes.wanted[ROWS * f + c] = asked - wishes.gains[f, 0] * off[c] - wishes.gains[f, 1] * (speed - asked)
            square += off[c] * off[c] if wishes.strengths[f, c] > 0.0 else 0.0
        wishes.missed[f] = square**0.5


@part
def add_wishes(first: int, share: float, wishes: Wishes, level: int, matrix: Floats, gradient: Floats) -> None:
    """Add the pull of wishes up to a level to the lower half of ``matrix (N, N)`` and to ``gradient (N,)``."""
    n = gradient.shape[0]
    for f in range(first):
        if wishes.levels[f] > level:
            continue
        for c in range(ROWS):
            weight = share * wishes.strengths[f, c]
            if not weight > 0.0:
                continue
            row, wanted = wishes.rows[ROWS * f + c], wishes.wanted[ROWS * f + c]
            for i in range(n):
                own = weight * row[i]
                gradient[i] -= own * wanted
                for j in range(i + 1):
                    matrix[i, j] += own * row[j]


@part
def add_posture(share: float, wishes: Wishes, state: State, work: Work, matrix: Floats, gradient: Floats) -> None:
    """Add the pull towards the posture: as strong for each coordinate as its inertia."""
    strength, gain = wishes.posture_pull[0], wishes.posture_pull[1]
    for j in range(state.x.shape[0]):
        i = ROOT + j
        weight = share * strength * work.matrix[i, i]
        matrix[i, i] += weight
        gradient[i] -= weight * (wishes.posture_rates[j] - gain * (state.x[j] - wishes.posture[j]))


@inline
def pull_on(body: int, point: Vector, force: Vector, work: Work, out: Floats) -> None:
    """Add the generalised force ``out (N,)`` of a force in the world at a point of a body."""
    arm = rotate(quaternion(work.rotations[body]), point)
    away = subtract(add(vector(work.places[body]), arm), vector(work.places[0]))
    about = rotate(conjugate(quaternion(work.rotations[0])), cross(away, force))
    for c in range(3):
        out[c] += about[c]
        out[3 + c] += force[c]
    twist = cross(arm, force)
    turns, moves = work.turns[body], work.moves[body]
    for j in range(turns.shape[1]):
        out[ROOT + j] += (
            moves[0, j] * force[0] + moves[1, j] * force[1] + moves[2, j] * force[2]
            + turns[0, j] * twist[0] + turns[1, j] * twist[1] + turns[2, j] * twist[2]
        )  # fmt: skip


@inline
def limited(v: Vector, most: float) -> Vector:
    """A vector no longer than ``most``."""
    length = norm(v)
    return v if length <= most else scale(v, most / length)
