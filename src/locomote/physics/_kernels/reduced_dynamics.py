"""Dynamics of a body whose pose is a few coordinates: kinematics, mass matrix, forces of motion and time steps.

Velocities ``v (6 + k,)`` are the spin of the root in its own frame, its speed in the world, and the rates of the
coordinates. Only the k columns of coordinates are carried along the tree: what the root does to a body is known from
where the body is.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, kernel, part
from locomote.math.quaternion import Quaternion, conjugate, exp, multiply, quaternion, rotate, store
from locomote.math.vector import Floats, Ints, Vector, add, copy_into, cross, dot, norm, scale, subtract, vector
from locomote.spaces._kernels.geodesics import Matrix, add_turns, carry, matrix_of, product, right_jacobian, tangent

ROOT = 6  # unknowns of the root
SMALL = 0.05  # rad; below it series replace quotients of which both parts vanish


class Tree(NamedTuple):
    """Rigid bodies in a tree, parents first; body 0 is the root."""

    parents: Ints  # (B,)
    offsets: Floats  # (B, 3) of the joints in the frames of their parents
    mean: Floats  # (B, 4)
    directions: Floats  # (B, 3, k)
    mass: Floats  # (B,)
    centre: Floats  # (B, 3)
    inertia: Floats  # (B, 3, 3) about the centre


class State(NamedTuple):
    """Where a body is and how it moves."""

    turn: Floats  # (4,) of the root
    place: Floats  # (3,) of the root
    x: Floats  # (k,) coordinates of the pose
    v: Floats  # (6 + k,) velocities
    p: Floats  # (6 + k,) momentum, of these velocities and the pose before this one


class Work(NamedTuple):
    """What a sweep over the tree finds."""

    turns: Floats  # (B, 3, k) how bodies turn in the world with the coordinates
    moves: Floats  # (B, 3, k) how their joints move
    rotations: Floats  # (B, 4) in the world
    places: Floats  # (B, 3) of the joints
    spin: Floats  # (B, 3) angular velocities in the world
    speed: Floats  # (B, 3) of the joints
    linear: Floats  # (B, 3) momentum of all that hangs on a joint, itself included
    angular: Floats  # (B, 3) and about the joint
    matrix: Floats  # (N, N) mass matrix
    force: Floats  # (N,) of motion and gravity
    weight: Floats  # (N,) of gravity alone
    centre: Floats  # (3,) of mass
    memory: Floats  # (6, k)
    factor: Floats  # (N, N)
    right: Floats  # (N,) momentum that the next velocities must have
    guess: Floats  # (N,) velocities at which the forces of motion are taken


def make_state(k: int) -> State:
    """A body at rest at the origin."""
    return State(np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3), np.zeros(k), np.zeros(ROOT + k), np.zeros(ROOT + k))


def make_work(bodies: int, k: int) -> Work:
    """Memory for a sweep."""
    n = ROOT + k
    shapes = (bodies, 3, k), (bodies, 3, k), (bodies, 4), *((bodies, 3),) * 5, (n, n), (n,), (n,), (3,), (6, k)
    return Work(*(np.zeros(shape) for shape in (*shapes, (n, n), (n,), (n,))))


@inline
def times(a: Matrix, v: Vector) -> Vector:
    """A matrix times a vector."""
    return dot(a[0], v), dot(a[1], v), dot(a[2], v)


@inline
def back_times(a: Matrix, v: Vector) -> Vector:
    """The transpose of a matrix times a vector."""
    return add(add(scale(a[0], v[0]), scale(a[1], v[1])), scale(a[2], v[2]))


@inline
def transposed(a: Matrix) -> Matrix:
    """Rows and columns exchanged."""
    return (a[0][0], a[1][0], a[2][0]), (a[0][1], a[1][1], a[2][1]), (a[0][2], a[1][2], a[2][2])


@inline
def right_rate(w: Vector, rate: Vector, u: Vector) -> Vector:
    """The transpose of the rate of change of the right Jacobian at ``w``, which changes by ``rate``, times ``u``."""
    angle = norm(w)
    square = angle * angle
    if angle < SMALL:
        first, second = -0.5 + square / 24.0, 1.0 / 6.0 - square / 120.0
        first_slope = 1.0 / 12.0 - square / 180.0 + square * square / 6720.0
        second_slope = -1.0 / 60.0 + square / 1260.0 - square * square / 60480.0
        first -= square * square / 720.0
        second += square * square / 5040.0
    else:
        sine, cosine = math.sin(angle), math.cos(angle)
        first, second = -(1.0 - cosine) / square, (angle - sine) / (square * angle)
        first_slope = -(sine / angle + 2.0 * first) / square
        second_slope = ((1.0 - cosine) / square - 3.0 * second) / square
    along = dot(w, rate)
    once, turned = cross(w, u), cross(rate, u)
    twice = cross(w, once)
    out = scale(once, -first_slope * along)
    out = add(out, scale(turned, -first))
    out = add(out, scale(twice, second_slope * along))
    return add(out, scale(add(cross(rate, once), cross(w, turned)), second))


@part
def sweep(tree: Tree, state: State, gravity: Floats, work: Work) -> None:
    """Kinematics, mass matrix, and the forces that motion and gravity make at this pose and velocity."""
    _kinematics(tree, state, work)
    _mass_matrix(tree, state, work)
    copy_into(work.guess, state.v)
    momenta(tree, work)
    forces_of_motion(tree, state, gravity, work)


@part
def _kinematics(tree: Tree, state: State, work: Work) -> None:
    store(work.rotations[0], quaternion(state.turn))
    for c in range(3):
        work.places[0, c] = state.place[c]
    for b in range(1, tree.parents.shape[0]):
        p = tree.parents[b]
        directions, turns = tree.directions[b], work.turns[b]
        above = quaternion(work.rotations[p])
        lever = rotate(above, vector(tree.offsets[b]))
        carry(lever, turns, work.moves[b], work.turns[p], work.moves[p])
        w = tangent(directions, state.x)
        rotation = multiply(multiply(above, quaternion(tree.mean[b])), exp(w))
        add_turns(product(matrix_of(rotation), right_jacobian(w)), directions, turns)
        store(work.rotations[b], rotation)
        place = add(vector(work.places[p]), lever)
        work.places[b, 0], work.places[b, 1], work.places[b, 2] = place


@inline
def _inertia_in_world(tree: Tree, b: int, rotation: Quaternion) -> Matrix:
    turned = matrix_of(rotation)
    own = vector(tree.inertia[b, 0]), vector(tree.inertia[b, 1]), vector(tree.inertia[b, 2])
    return product(product(turned, own), transposed(turned))


@part
def momenta(tree: Tree, work: Work) -> None:
    """Velocities of the bodies and their momenta, each by itself, at the velocities of ``work.guess``."""
    rates = work.guess[ROOT:]
    root, base = vector(work.places[0]), vector(work.guess[3:])
    turning = rotate(quaternion(work.rotations[0]), vector(work.guess))
    for b in range(tree.parents.shape[0]):
        spin = add(turning, tangent(work.turns[b], rates))
        speed = add(base, cross(turning, subtract(vector(work.places[b]), root)))
        speed = add(speed, tangent(work.moves[b], rates))
        push, turn = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if tree.mass[b] > 0.0:
            rotation = quaternion(work.rotations[b])
            arm = rotate(rotation, vector(tree.centre[b]))
            push = scale(add(speed, cross(spin, arm)), tree.mass[b])
            turn = add(times(_inertia_in_world(tree, b, rotation), spin), cross(arm, push))
        for c in range(3):
            work.spin[b, c], work.speed[b, c] = spin[c], speed[c]
            work.linear[b, c], work.angular[b, c] = push[c], turn[c]


@part
def _mass_matrix(tree: Tree, state: State, work: Work) -> None:
    k = state.x.shape[0]
    matrix, memory = work.matrix, work.memory
    matrix[:], work.centre[:] = 0.0, 0.0
    root = vector(state.place)
    back = matrix_of(quaternion(state.turn))
    total = 0.0
    whole = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for b in range(tree.parents.shape[0]):
        mass = tree.mass[b]
        if not mass > 0.0:
            continue
        rotation = quaternion(work.rotations[b])
        inertia = _inertia_in_world(tree, b, rotation)
        arm = rotate(rotation, vector(tree.centre[b]))
        from_root = subtract(add(vector(work.places[b]), arm), root)
        turns, moves = work.turns[b], work.moves[b]
        for j in range(k):
            t = turns[0, j], turns[1, j], turns[2, j]
            swept = cross(t, arm)
            spun = times(inertia, t)
            moved = moves[0, j] + swept[0], moves[1, j] + swept[1], moves[2, j] + swept[2]
            about = add(spun, scale(cross(from_root, moved), mass))
            for c in range(3):
                memory[c, j] = moved[c]
                memory[3 + c, j] = spun[c]
                matrix[ROOT + j, c] += about[c]
                matrix[ROOT + j, 3 + c] += mass * moved[c]
        for i in range(k):
            a0, a1, a2 = mass * memory[0, i], mass * memory[1, i], mass * memory[2, i]
            t0, t1, t2 = turns[0, i], turns[1, i], turns[2, i]
            row = matrix[ROOT + i]
            for j in range(i + 1):
                row[ROOT + j] += (
                    a0 * memory[0, j] + a1 * memory[1, j] + a2 * memory[2, j]
                    + t0 * memory[3, j] + t1 * memory[4, j] + t2 * memory[5, j]
                )  # fmt: skip
        total += mass
        x, y, z = from_root
        for c in range(3):
            work.centre[c] += mass * from_root[c]
        about = mass * (y * y + z * z), mass * (x * x + z * z), mass * (x * x + y * y)
        whole = (
            add(whole[0], add(inertia[0], (about[0], -mass * x * y, -mass * x * z))),
            add(whole[1], add(inertia[1], (-mass * x * y, about[1], -mass * y * z))),
            add(whole[2], add(inertia[2], (-mass * x * z, -mass * y * z, about[2]))),
        )
    own = product(product(transposed(back), whole), back)
    first = vector(work.centre)
    for c in range(3):
        matrix[3 + c, 3 + c] = total
        column = back_times(
            back, cross(first, (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0))
        )
        for d in range(3):
            matrix[c, d] = own[c][d]
            matrix[3 + c, d] = column[d]
    for j in range(k):
        column = back_times(back, vector(matrix[ROOT + j]))
        for c in range(3):
            matrix[ROOT + j, c] = column[c]
    for i in range(ROOT + k):
        for j in range(i):
            matrix[j, i] = matrix[i, j]
    for c in range(3):
        work.centre[c] = root[c] + work.centre[c] / total


@part
def forces_of_motion(tree: Tree, state: State, gravity: Floats, work: Work) -> None:
    """The slope of kinetic energy and gravity with the pose: sums of momenta from the leaves to the root.

    A joint feels the angular momentum ``L`` of all that hangs on it as its axes turn, and the momentum ``P`` as it
    moves on itself; what the right Jacobian of its rotation vector does beside that is `right_rate` (PGD-08).
    """
    k = state.x.shape[0]
    force, weight, matrix = work.force, work.weight, work.matrix
    rates = work.guess[ROOT:]
    pull = vector(gravity)
    for i in range(ROOT + k):
        weight[i] = matrix[i, 3] * pull[0] + matrix[i, 4] * pull[1] + matrix[i, 5] * pull[2]
        force[i] = weight[i]
    for b in range(tree.parents.shape[0] - 1, 0, -1):
        p = tree.parents[b]
        push, turn = vector(work.linear[b]), vector(work.angular[b])
        lever = subtract(vector(work.places[b]), vector(work.places[p]))
        above = add(turn, cross(lever, push))
        for c in range(3):
            work.linear[p, c] += push[c]
            work.angular[p, c] += above[c]
        directions = tree.directions[b]
        w, rate = tangent(directions, state.x), tangent(directions, rates)
        rotation = conjugate(quaternion(work.rotations[b]))
        felt = subtract(cross(turn, vector(work.spin[b])), cross(vector(work.speed[b]), push))
        felt = back_times(right_jacobian(w), rotate(rotation, felt))
        felt = add(felt, right_rate(w, rate, rotate(rotation, turn)))
        for j in range(k):
            force[ROOT + j] += felt[0] * directions[0, j] + felt[1] * directions[1, j] + felt[2] * directions[2, j]
    felt = rotate(conjugate(quaternion(state.turn)), cross(vector(work.linear[0]), vector(work.speed[0])))
    for c in range(3):
        force[c] += felt[c]


@kernel
def look(tree: Tree, state: State, gravity: Floats, work: Work) -> None:
    """Fill what a sweep finds."""
    sweep(tree, state, gravity, work)
