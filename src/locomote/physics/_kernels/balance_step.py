"""One step of somebody who balances: the quadratic programme of its velocities, and what follows from its solution."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints, vector
from locomote.physics._kernels.contact_rows import (
    WAYS,
    Bounds,
    Ranges,
    Touch,
    fill_planted,
    fill_ranges,
    fill_touching,
    pyramid,
)
from locomote.physics._kernels.momentum_steps import carry_momentum, move
from locomote.physics._kernels.reduced_dynamics import ROOT, State, Tree, Work, sweep
from locomote.physics._kernels.wishes import ROWS, Wishes, add_posture, add_wishes, fill_wishes, pull_on

LEAST_DYNAMICS = 1e-3  # of the mass matrix that is kept where only wishes count


class How(NamedTuple):
    """What holds for one step."""

    h: float  # s
    share: float  # of control: 0 nothing but physics, 1 nothing but wishes
    damping: float  # 1/s of the coordinates
    carried: float  # of the weight, by muscles and support
    wishes: int  # in use
    level: int  # of wishes that count


class Pushes(NamedTuple):
    """Forces from outside: gravity, and those at points of bodies."""

    gravity: Floats  # (3,) m/s2
    bodies: Ints  # (P,)
    points: Floats  # (P, 3)
    forces: Floats  # (P, 3) N, in the world
    ahead: Floats  # (N,) accelerations that muscles and support are known to make


class System(NamedTuple):
    """The quadratic programme, and the momentum that there would be without any control."""

    matrix: Floats  # (N, N)
    gradient: Floats  # (N,)
    pushed: Floats  # (N,) generalised forces from outside
    counts: Ints  # (2,) equalities, inequalities
    made: Floats  # (N,) generalised forces beside motion, gravity and pushes, in the last step


def make_pushes(most: int, n: int) -> Pushes:
    """No forces, on the earth."""
    return Pushes(np.zeros(3), np.zeros(most, dtype=np.int64), np.zeros((most, 3)), np.zeros((most, 3)), np.zeros(n))


def make_system(n: int) -> System:
    """Memory for the programme."""
    return System(np.zeros((n, n)), np.zeros(n), np.zeros(n), np.zeros(2, dtype=np.int64), np.zeros(n))


class Body(NamedTuple):
    """A body, its state and what is known of it."""

    tree: Tree
    state: State
    work: Work


@kernel
def prepare(
    how: How, body: Body, pushes: Pushes, wishes: Wishes, touch: Touch, ranges: Ranges, bounds: Bounds, system: System
) -> None:
    """Fill the programme ``min 1/2 v matrix v + gradient v`` with its rows; the lower half of the matrix counts."""
    state, work = body.state, body.work
    sweep(body.tree, state, pushes.gravity, work)
    system.pushed[:] = 0.0
    for p in range(pushes.bodies.shape[0]):
        pull_on(pushes.bodies[p], vector(pushes.points[p]), vector(pushes.forces[p]), work, system.pushed)
    carry_momentum(how.h, state, system.pushed, True, work)
    fill_wishes(how.wishes, wishes, state, work)
    weigh(how, body, pushes, wishes, system)
    system.counts[0] = fill_planted(how.h, touch, state, work, bounds)
    count = fill_touching(how.h, touch, state, work, bounds)
    system.counts[1] = fill_ranges(how.h, count, body.tree, state, ranges, bounds)


@kernel
def weigh_again(how: How, body: Body, pushes: Pushes, wishes: Wishes, system: System) -> None:
    """Fill matrix and gradient of the programme for wishes up to another level."""
    weigh(how, body, pushes, wishes, system)


@part
def weigh(how: How, body: Body, pushes: Pushes, wishes: Wishes, system: System) -> None:
    """Dynamics and wishes, each with its share (PGD-11, PGD-12)."""
    work, n, h = body.work, system.gradient.shape[0], how.h
    physics = max(1.0 - how.share, LEAST_DYNAMICS)
    for i in range(n):
        ahead = 0.0
        for j in range(n):
            ahead += work.matrix[i, j] * pushes.ahead[j]
        system.gradient[i] = -physics * (work.right[i] - h * how.carried * work.weight[i] + h * ahead)
        for j in range(i + 1):
            damped = 1.0 + h * how.damping if j >= ROOT else 1.0
            system.matrix[i, j] = physics * damped * work.matrix[i, j]
    if how.share > 0.0:
        add_posture(how.share * h, wishes, body.state, work, system.matrix, system.gradient)
        add_wishes(how.wishes, how.share * h, wishes, how.level, system.matrix, system.gradient)
    _mirror(system.matrix)


@inline
def _mirror(matrix: Floats) -> None:
    for i in range(matrix.shape[0]):
        for j in range(i):
            matrix[j, i] = matrix[i, j]


@kernel
def keep_level(first: int, wishes: Wishes, count: int, found: Floats, bounds: Bounds) -> int:
    """Add equalities after ``first``: what balance got of its wishes stays as ``found (N,)`` has it; how many then."""
    at, n = first, found.shape[0]
    for f in range(count):
        if wishes.levels[f] != 0:
            continue
        for c in range(ROWS):
            if not wishes.strengths[f, c] > 0.0:
                continue
            total = 0.0
            for j in range(n):
                bounds.equal[at, j] = wishes.rows[ROWS * f + c, j]
                total += wishes.rows[ROWS * f + c, j] * found[j]
            bounds.level[at] = total
            at += 1
    return at


@kernel
def finish(h: float, body: Body, found: Floats, system: System) -> None:
    """Go on by the velocities that were found."""
    state, work = body.state, body.work
    for i in range(found.shape[0]):
        state.v[i] = found[i]
    move(h, state, work)
    for i in range(found.shape[0]):
        system.made[i] = (state.p[i] - work.right[i]) / h


@kernel
def edges_of(touch: Touch, chosen: Ints, work: Work, out: Floats) -> None:
    """Fill ``out (4 C, N)``: generalised forces of 1 N of normal force along each edge of the cones of some points."""
    out[:] = 0.0
    for i in range(chosen.shape[0]):
        c = chosen[i]
        normal = vector(touch.ground[c, 3:])
        for way in range(WAYS):
            edge = pyramid(way, normal, touch.friction[0])
            pull_on(touch.bodies[c], vector(touch.points[c]), edge, work, out[WAYS * i + way])
