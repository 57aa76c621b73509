"""Levenberg and Marquardt's search for poses that hold their handles, all poses of a sequence at once.

Each pose has a small system of its own; that neighbours shall differ little couples them to a band of blocks, which is
solved from front to back and back again, exactly. A single pose is a sequence of one.
"""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel, part
from locomote.math.band import FIRST_DAMPING, adapt, solve_band
from locomote.math.vector import Ints, copy_into
from locomote.spaces._kernels.bundles import BodyArrays, HandleArrays, Pull, SpaceArrays, Work
from locomote.spaces._kernels.normal_equations import assemble

_MARCHING = 1  # rounds for a pose that begins where the one before it ended


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
        work.damping[at] = FIRST_DAMPING
    total, made, taken_back, settled = math.inf, 0, False, False
    while True:  # one place where poses are looked at: it is most of what there is to compile
        new = 0.0
        for n in range(first, last):
            new += _cost(n, first, linked, space, handles, body, pull, work)
        settled = settled or (made > 0 and not taken_back and abs(total - new) <= pull.tolerance * total)
        if made > 0 and not taken_back:
            adapt(last - first, work.cost, work.damping)
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
        find_step(first, last, linked, body, pull, work)
        for n in range(first, last):
            for i in range(size):
                body.x[n, i] += work.step[n - first, i]
            body.rounds[n] += 1
        made += 1


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
def find_step(first: int, last: int, linked: bool, body: BodyArrays, pull: Pull, work: Work) -> None:
    """Fill the step of every pose."""
    size, smooth = body.x.shape[1], pull.smooth
    for i in range(size):
        work.own[i], work.smooth[i] = pull.prior, smooth
    for n in range(first, last):
        at = n - first
        for i in range(size):
            off = body.x[n, i] - body.centre[n, i]
            push = -work.gradient[at, i] - pull.prior * off
            if n > first:
                push -= smooth * (off - (body.x[n - 1, i] - body.centre[n - 1, i]))
            elif linked:
                push -= smooth * (off - work.before[i])
            if n + 1 < last:
                push -= smooth * (off - (body.x[n + 1, i] - body.centre[n + 1, i]))
            work.step[at, i] = push
    solve_band(
        last - first, linked, work.normal, work.damping, work.own, work.smooth, work.inverse, work.step, work.rows[0]
    )
