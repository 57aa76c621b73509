"""Steps in time of a body in the coordinates of a pose space: momentum carried in frames that turn."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.math._compile import inline, kernel, part
from locomote.math.quaternion import exp, multiply, normalize, quaternion, store
from locomote.math.vector import Floats, Vector, add, copy_into, cross, norm, scale, subtract, vector
from locomote.physics._kernels.reduced_dynamics import (
    ROOT,
    SMALL,
    State,
    Tree,
    Work,
    forces_of_motion,
    momenta,
    sweep,
    times,
)
from locomote.spaces._kernels.geodesics import right_jacobian
from locomote.spaces._kernels.small_systems import solve_positive


@inline
def _inverse_right(w: Vector, u: Vector) -> Vector:
    """The inverse of the transpose of the right Jacobian at ``w`` times ``u``."""
    angle = norm(w)
    square = angle * angle
    second = 1.0 / 12.0 + square / 720.0 + square * square / 30240.0 + square * square * square / 1209600.0
    if angle >= SMALL:
        half = 0.5 * angle
        second = (1.0 - half / math.tan(half)) / square
    once = cross(w, u)
    return add(subtract(u, scale(once, 0.5)), scale(cross(w, once), second))


@part
def carry_momentum(h: float, state: State, forces: Floats, as_lie: bool, work: Work) -> None:
    """The momentum that the next velocities must have (PGD-06), or without the turn of frames (PGD-07).

    ``work.guess`` are the next velocities as far as they are known; those of the last step make it equation 7.
    """
    right = work.right
    spin = vector(state.p)
    if as_lie:
        spin = _inverse_right(scale(vector(state.v), h), spin)
    for i in range(right.shape[0]):
        right[i] = (spin[i] if i < 3 else state.p[i]) + h * (work.force[i] + forces[i])
    if as_lie:
        # The transpose of the left Jacobian is the right one.
        right[0], right[1], right[2] = times(right_jacobian(scale(vector(work.guess), h)), vector(right))


@part
def move(h: float, state: State, work: Work) -> None:
    """Go on by the velocities; the momentum is kept for the next step."""
    n = state.v.shape[0]
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += work.matrix[i, j] * state.v[j]
        state.p[i] = total
    turn = normalize(multiply(quaternion(state.turn), exp(scale(vector(state.v), h))))
    store(state.turn, turn)
    for c in range(3):
        state.place[c] += h * state.v[3 + c]
    for j in range(state.x.shape[0]):
        state.x[j] += h * state.v[ROOT + j]


class Free(NamedTuple):
    """How a body moves that touches nothing."""

    h: float  # s, a step
    damping: float  # 1/s of the coordinates, in the metric of kinetic energy
    rounds: int  # 1: equation 7; each more takes the forces of motion again, at the velocities just found
    as_lie: bool


@kernel
def free_steps(count: int, how: Free, tree: Tree, state: State, gravity: Floats, forces: Floats, work: Work) -> None:
    """Make steps of a body that touches nothing; ``forces (N,)`` act on it beside gravity."""
    n, h = state.v.shape[0], how.h
    for _ in range(count):
        sweep(tree, state, gravity, work)
        for r in range(how.rounds):
            if r > 0:
                momenta(tree, work)
                forces_of_motion(tree, state, gravity, work)
            carry_momentum(h, state, forces, how.as_lie, work)
            for i in range(n):
                work.guess[i] = work.right[i]
                for j in range(i + 1):
                    kept = work.matrix[i, j]
                    work.factor[i, j] = kept * (1.0 + h * how.damping) if j >= ROOT else kept
            solve_positive(work.factor, work.guess)
        copy_into(state.v, work.guess)
        move(h, state, work)
