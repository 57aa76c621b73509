"""Which forces at the points of contact explain a motion: a small non-negative least-squares problem for every frame.

Unknown are the shares of the directions that a contact can push in (the edges of its friction cone, or both ways along
three axes for a grip). Everything is linear in them: the forces and moments that the body needs, the torques at the
joints, and what is known of how limbs share the load.
"""

from __future__ import annotations

from typing import NamedTuple

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints, Vector, cross, subtract, vector

_TOLERANCE = 1e-10  # of the slope at the start: a direction that gains less is left out
_NOTHING = -1.0e9  # weights: the force in the last frame of a limb that did not touch
_RIDGE = 1e-9  # of the mean of the diagonal, so that points in a line share a force in one way only


class Contact(NamedTuple):
    """Where a body touches the world. Points of one limb come one after the other."""

    points: Floats  # (F, P, 3) m
    directions: Floats  # (F, P, D, 3) edges of the friction cones, each with 1 along the normal
    active: Ints  # (F, P) 1 where it touches
    limbs: Ints  # (P,)
    chains: Ints  # (L, C) joints that a force at this limb loads, -1 where there are fewer


class Need(NamedTuple):
    """What the motion needs, in units of the body: weight for forces, its weight at the end of a metre for moments."""

    force: Floats  # (F, 3)
    moment: Floats  # (F, 3) about the centre of mass
    centre: Floats  # (F, 3) m, of mass
    torques: Floats  # (F, J, 3) at the joints, without contact
    joints: Floats  # (F, J, 3) m
    capacities: Floats  # (J,) what a joint bears at the price of 1
    shares: Floats  # (F, L) of the load along the normal that is expected, below 0 where nothing is
    pivots: Floats  # (F, 3) m, where lines of force are expected to meet


class Price(NamedTuple):
    """What each square costs."""

    residual: float  # what no contact explains
    arm: float  # m, at which a residual moment counts like a residual force
    force: float  # force at each limb
    share: float  # what a limb bears beside its expected share
    pivot: float  # moment about the point where lines of force meet, per metre of arm
    steady: float  # change since the last frame


class SplitWork(NamedTuple):
    """Memory to work in; N unknowns, R rows."""

    rows: Floats  # (R, N)
    wanted: Floats  # (R,)
    square: Floats  # (N, N)
    slope: Floats  # (N,)
    factor: Floats  # (N, N)
    trial: Floats  # (N,)
    share: Floats  # (N,)
    which: Ints  # (N,) point and direction of an unknown
    chosen: Ints  # (N,)
    before: Floats  # (L, 3) force of every limb in the last frame


@kernel
def split_forces(contact: Contact, need: Need, price: Price, work: SplitWork, forces: Floats) -> None:
    """Find ``forces`` ``(F, P, 3)`` at the points of contact, in units of the body's weight."""
    directions = contact.directions.shape[2]
    for limb in range(work.before.shape[0]):
        for a in range(3):
            work.before[limb, a] = _NOTHING
    for frame in range(forces.shape[0]):
        count = 0
        for p in range(contact.limbs.shape[0]):
            for a in range(3):
                forces[frame, p, a] = 0.0
            if contact.active[frame, p]:
                for d in range(directions):
                    work.which[count] = p * directions + d
                    count += 1
        if count > 0:
            rows = _fill_rows(frame, count, contact, need, price, work)
            _normal_equations(count, rows, work)
            least_squares(count, work)
        for i in range(count):
            p, d = work.which[i] // directions, work.which[i] % directions
            for a in range(3):
                forces[frame, p, a] += work.share[i] * contact.directions[frame, p, d, a]
        _remember(frame, contact, forces, work)


@part
def _remember(frame: int, contact: Contact, forces: Floats, work: SplitWork) -> None:
    """Keep the force of every limb for the next frame."""
    for limb in range(work.before.shape[0]):
        for a in range(3):
            work.before[limb, a] = _NOTHING
    for p in range(contact.limbs.shape[0]):
        if contact.active[frame, p]:
            limb = contact.limbs[p]
            for a in range(3):
                if work.before[limb, a] == _NOTHING:
                    work.before[limb, a] = 0.0
                work.before[limb, a] += forces[frame, p, a]


@part
def _fill_rows(frame: int, count: int, contact: Contact, need: Need, price: Price, work: SplitWork) -> int:
    """All squares that shall be small, as rows of a linear system; returns how many there are."""
    centre = vector(need.centre[frame])
    strong, force = price.residual**0.5, price.force**0.5
    for axis in range(3):
        work.wanted[axis] = strong * need.force[frame, axis]
        work.wanted[3 + axis] = strong / price.arm * need.moment[frame, axis]
    for i in range(count):
        push, point = _unknown(frame, i, contact, work)
        turn = cross(subtract(point, centre), push)
        for axis in range(3):
            work.rows[axis, i] = strong * push[axis]
            work.rows[3 + axis, i] = strong / price.arm * turn[axis]
    row = 6
    for limb in range(contact.chains.shape[0]):
        first, last = _of_limb(limb, count, contact, work)
        if first == last:
            continue
        row = _fill_torques(frame, count, limb, contact, need, work, row)
        share, pivot = price.share**0.5, price.pivot**0.5
        expected = need.shares[frame, limb] >= 0.0
        known = work.before[limb, 0] != _NOTHING
        steady = price.steady**0.5 if known else 0.0
        about = vector(need.pivots[frame])
        for k in range(10):
            work.wanted[row + k] = 0.0
            for i in range(count):
                work.rows[row + k, i] = 0.0
        for i in range(first, last):
            push, point = _unknown(frame, i, contact, work)
            turn = cross(subtract(point, about), push)
            for axis in range(3):
                work.rows[row + axis, i] = force * push[axis]
                work.rows[row + 3 + axis, i] = steady * push[axis]
                work.rows[row + 6 + axis, i] = pivot * turn[axis] if expected else 0.0
            work.rows[row + 9, i] = share if expected else 0.0
        for axis in range(3):
            work.wanted[row + 3 + axis] = steady * work.before[limb, axis] if known else 0.0
        if expected:
            work.wanted[row + 9] = share * need.shares[frame, limb]
        row += 10
    return row


@part
def _fill_torques(frame: int, count: int, limb: int, contact: Contact, need: Need, work: SplitWork, row: int) -> int:
    """Torques at the joints that carry a limb, each by what it bears."""
    for c in range(contact.chains.shape[1]):
        joint = contact.chains[limb, c]
        if joint < 0:
            break
        at, light = vector(need.joints[frame, joint]), 1.0 / need.capacities[joint]
        for axis in range(3):
            work.wanted[row + axis] = light * need.torques[frame, joint, axis]
        for i in range(count):
            p = work.which[i] // contact.directions.shape[2]
            if contact.limbs[p] == limb:
                push, point = _unknown(frame, i, contact, work)
                turn = cross(subtract(point, at), push)
                for axis in range(3):
                    work.rows[row + axis, i] = light * turn[axis]
            else:
                for axis in range(3):
                    work.rows[row + axis, i] = 0.0
        row += 3
    return row


@inline
def _unknown(frame: int, i: int, contact: Contact, work: SplitWork) -> tuple[Vector, Vector]:
    """Direction and point of an unknown."""
    size = contact.directions.shape[2]
    p, d = work.which[i] // size, work.which[i] % size
    return vector(contact.directions[frame, p, d]), vector(contact.points[frame, p])


@inline
def _of_limb(limb: int, count: int, contact: Contact, work: SplitWork) -> tuple[int, int]:
    """The unknowns of a limb, from ``first`` to ``last``."""
    first, last = count, count
    for i in range(count):
        if contact.limbs[work.which[i] // contact.directions.shape[2]] == limb:
            first = min(first, i)
            last = i + 1
    return first, max(first, last) if first < count else first


@part
def _normal_equations(count: int, rows: int, work: SplitWork) -> None:
    trace = 0.0
    for i in range(count):
        for j in range(i + 1):
            work.square[i, j] = 0.0
        work.slope[i] = 0.0
        work.share[i] = 0.0
        work.chosen[i] = 0
    for r in range(rows):
        for i in range(count):
            own = work.rows[r, i]
            if own != 0.0:
                work.slope[i] += own * work.wanted[r]
                for j in range(i + 1):
                    work.square[i, j] += own * work.rows[r, j]
    for i in range(count):
        trace += work.square[i, i]
    for i in range(count):
        work.square[i, i] += _RIDGE * trace / count
        for j in range(i):
            work.square[j, i] = work.square[i, j]


@part
def least_squares(count: int, work: SplitWork) -> None:
    """Lawson and Hanson's active set: shares of at least 0 with the least sum of squares."""
    size, tolerance = 0, 0.0
    for i in range(count):
        tolerance = max(tolerance, abs(work.slope[i]))
    tolerance *= _TOLERANCE
    for _ in range(4 * count):
        best, gain = -1, tolerance
        for i in range(count):
            if work.share[i] == 0.0:
                slope = work.slope[i]
                for k in range(size):
                    slope -= work.square[i, work.chosen[k]] * work.share[work.chosen[k]]
                if slope > gain:
                    best, gain = i, slope
        if best < 0:
            return
        work.chosen[size] = best
        size = _descend(size + 1, work)
        if work.share[best] == 0.0:
            return  # it gained nothing but rounding


@part
def _descend(size: int, work: SplitWork) -> int:
    """Solve for the chosen unknowns; those that would fall below 0 are left out. Returns how many stay."""
    while size > 0:
        _solve_chosen(size, work)
        step, out = 1.0, -1
        for k in range(size):
            if work.trial[k] <= 0.0:
                share = work.share[work.chosen[k]]
                part_way = share / (share - work.trial[k]) if share > 0.0 else 0.0
                if part_way < step or out < 0:
                    step, out = part_way, k
        for k in range(size):
            i = work.chosen[k]
            work.share[i] += (step if out >= 0 else 1.0) * (work.trial[k] - work.share[i])
        if out < 0:
            return size
        kept = 0
        for k in range(size):
            i = work.chosen[k]
            if k == out or work.share[i] <= 0.0:
                work.share[i] = 0.0
            else:
                work.chosen[kept] = i
                kept += 1
        size = kept
    return size


@part
def _solve_chosen(size: int, work: SplitWork) -> None:
    """Cholesky's factors of the chosen part of the normal equations, and their solution."""
    for k in range(size):
        i = work.chosen[k]
        for m in range(k + 1):
            total = work.square[i, work.chosen[m]]
            for n in range(m):
                total -= work.factor[k, n] * work.factor[m, n]
            if k == m:
                work.factor[k, k] = max(total, 1e-300) ** 0.5
            else:
                work.factor[k, m] = total / work.factor[m, m]
        total = work.slope[i]
        for n in range(k):
            total -= work.factor[k, n] * work.trial[n]
        work.trial[k] = total / work.factor[k, k]
    for k in range(size - 1, -1, -1):
        total = work.trial[k]
        for n in range(k + 1, size):
            total -= work.factor[n, k] * work.trial[n]
        work.trial[k] = total / work.factor[k, k]
