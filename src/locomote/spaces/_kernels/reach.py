"""Levenberg and Marquardt's search for poses that hold their handles, all poses of a sequence at once.

Each pose has a small system of its own; that neighbours shall differ little couples them to a band of blocks, which is
solved from front to back and back again, exactly. A single pose is a sequence of one.
"""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints, copy_into
from locomote.spaces._kernels.bundles import BodyArrays, HandleArrays, Pull, SpaceArrays, Work
from locomote.spaces._kernels.normal_equations import assemble

_FIRST_DAMPING = 1e-3  # of the diagonal of the normal equations
_LEAST_DAMPING, _MOST_DAMPING = 1e-9, 1e6
_EASED, _STIFFENED = 0.2, 5.0  # what becomes of the damping after a step that helped, and after one that did not
_MARCHING = 1  # rounds for a pose that begins where the one before it ended
_LEAST = 1e-12  # added to the diagonal, for unknowns that nothing moves


@kernel
def reach(starts: Ints, space: SpaceArrays, handles: HandleArrays, body: BodyArrays, pull: Pull, work: Work) -> None:
    """Change ``body.x`` so that the handles are held; sequence ``s`` is poses ``starts[s]`` to ``starts[s + 1]``."""
    for s in range(starts.shape[0] - 1):
        first, last = starts[s], starts[s + 1]
        copy_into(work.before, body.before[s])
        linked = pull.linked
        if last - first > 1:
            # One pose after the other first: each begins where the last one ended, on the same side of every knee.
            for n in range(first, last):
                if linked or n > first:
                    for i in range(body.x.shape[1]):
                        body.x[n, i] = body.centre[n, i] + work.before[i]
                rounds = pull.rounds if n == first else _MARCHING
                _search(n, n + 1, linked or n > first, rounds, space, handles, body, pull, work)
                for i in range(body.x.shape[1]):
                    work.before[i] = body.x[n, i] - body.centre[n, i]
            copy_into(work.before, body.before[s])
        _search(first, last, linked, pull.rounds, space, handles, body, pull, work)


@part
def _search(
    first: int,
    last: int,
    linked: bool,
    rounds: int,
    space: SpaceArrays,
    handles: HandleArrays,
    body: BodyArrays,
    pull: Pull,
    work: Work,
) -> None:
    """The search over poses ``first`` to ``last``; ``linked``: the first is drawn to ``work.before``."""
    size = body.x.shape[1]
    for at in range(last - first):
        work.damping[at] = _FIRST_DAMPING
    total, made, taken_back, settled = math.inf, 0, False, False
    while True:  # one place where poses are looked at: it is most of what there is to compile
        new = 0.0
        for n in range(first, last):
            new += _cost(n, first, linked, space, handles, body, pull, work)
        settled = settled or (made > 0 and not taken_back and abs(total - new) <= pull.tolerance * total)
        if made > 0 and not taken_back:
            _adapt(last - first, work)
            if new > total:
                for n in range(first, last):
                    for i in range(size):
                        body.x[n, i] -= work.step[n - first, i]
                taken_back = True
                continue
        total, taken_back = new, False
        for at in range(last - first):
            work.cost[0, at] = work.cost[1, at]
        if settled or made == rounds:
            break
        solve_band(first, last, linked, body, pull, work)
        for n in range(first, last):
            for i in range(size):
                body.x[n, i] += work.step[n - first, i]
            body.rounds[n] += 1
        made += 1


@inline
def _adapt(count: int, work: Work) -> None:
    """Damp the poses less that a step made better, and the others more."""
    for at in range(count):
        damping = work.damping[at] * (_EASED if work.cost[1, at] <= work.cost[0, at] else _STIFFENED)
        work.damping[at] = min(max(damping, _LEAST_DAMPING), _MOST_DAMPING)


@inline
def _cost(
    n: int,
    first: int,
    linked: bool,
    space: SpaceArrays,
    handles: HandleArrays,
    body: BodyArrays,
    pull: Pull,
    work: Work,
) -> float:
    """What one pose costs, with its change from the one before it; its normal equations are filled."""
    at = n - first
    cost = assemble(n, at, space, handles, body, pull, work)
    x, centre = body.x[n], body.centre[n]
    for i in range(x.shape[0]):
        off = x[i] - centre[i]
        change = off - (body.x[n - 1, i] - body.centre[n - 1, i] if n > first else work.before[i])
        cost += pull.prior * off * off
        if n > first or linked:
            cost += pull.smooth * change * change
    work.cost[1, at] = cost
    return cost


@inline
def solve_band(first: int, last: int, linked: bool, body: BodyArrays, pull: Pull, work: Work) -> None:
    """Fill the step of every pose."""
    size, smooth = body.x.shape[1], pull.smooth
    for n in range(first, last):
        at = n - first
        matrix, step = work.inverse[at], work.step[at]
        neighbours = (1.0 if n > first or linked else 0.0) + (1.0 if n + 1 < last else 0.0)
        for i in range(size):
            off = body.x[n, i] - body.centre[n, i]
            push = -work.gradient[at, i] - pull.prior * off
            if n > first:
                push -= smooth * (off - (body.x[n - 1, i] - body.centre[n - 1, i]))
            elif linked:
                push -= smooth * (off - work.before[i])
            if n + 1 < last:
                push -= smooth * (off - (body.x[n + 1, i] - body.centre[n + 1, i]))
            step[i] = push
            for m in range(size):
                matrix[i, m] = work.normal[at, i, m]
            matrix[i, i] += work.damping[at] * work.normal[at, i, i] + pull.prior + neighbours * smooth + _LEAST
        if n > first and smooth > 0.0:
            before, step_before = work.inverse[at - 1], work.step[at - 1]
            for i in range(size):
                for m in range(size):
                    matrix[i, m] -= smooth * smooth * before[i, m]
                    step[m] += smooth * before[i, m] * step_before[i]
        invert(matrix)
    for n in range(last - 1, first - 1, -1):
        at = n - first
        step, push = work.step[at], work.rows[0]
        for i in range(size):
            push[i] = step[i] + (smooth * work.step[at + 1, i] if n + 1 < last else 0.0)
            step[i] = 0.0
        for m in range(size):
            for i in range(size):
                step[i] += work.inverse[at, m, i] * push[m]


@part
def invert(a: Floats) -> None:
    """Invert a symmetric, positive matrix in its place, by elimination of one unknown after the other."""
    size = a.shape[0]
    for p in range(size):
        pivot = 1.0 / a[p, p]
        a[p, p] = 1.0
        for m in range(size):
            a[p, m] *= pivot
        for i in range(size):
            if i != p:
                share = a[i, p]
                a[i, p] = 0.0
                for m in range(size):
                    a[i, m] -= share * a[p, m]
