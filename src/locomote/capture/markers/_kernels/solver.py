"""Levenberg and Marquardt's search for the poses of markers, all frames of a clip at once, or one after the other."""

from __future__ import annotations

import math

from locomote.capture.markers._kernels.bundles import Found, Joints, MarkerArrays, Memory, Pulls
from locomote.capture.markers._kernels.springs import assemble, turn_between
from locomote.ik._clamp import clamp_rotation
from locomote.math._compile import inline, kernel, part
from locomote.math.band import FIRST_DAMPING, adapt, solve_band
from locomote.math.quaternion import exp, multiply, normalize, quaternion, store
from locomote.math.vector import Floats, copy_into, vector


@kernel
def solve_frames(
    first: int,
    last: int,
    linked: bool,
    joints: Joints,
    springs: MarkerArrays,
    pulls: Pulls,
    found: Found,
    memory: Memory,
) -> None:
    """Find the poses of frames ``first`` to ``last``; ``linked``: the first is held to ``found.before``.

    One frame after the other first, each from where the one before it ended; then all of them together.
    """
    for n in range(first, last):
        follows = linked or n > first
        if follows:
            copy_into(found.roots[n], found.before_root[0])
            for j in range(joints.kinds.shape[0]):
                if joints.kinds[j] > 0:
                    copy_into(found.turns[n, j], found.before[0, j])
        rounds = pulls.march if follows else pulls.rounds
        _search(n, n + 1, follows, rounds, joints, springs, pulls, found, memory)
        if n + 1 < last:
            copy_into(found.before_root[0], found.roots[n])
            _copy_turns(found.before[0], found.turns[n])
    if last - first > 1:
        if linked:
            copy_into(found.before_root[0], found.roots[first - 1])
            _copy_turns(found.before[0], found.turns[first - 1])
        _search(first, last, linked, pulls.rounds, joints, springs, pulls, found, memory)
    for n in range(first, last):
        for k in range(joints.limited.shape[0]):
            j = joints.limited[k]
            store(found.turns[n, j], clamp_rotation(quaternion(found.turns[n, j]), joints.limits[j]))


@part
def _search(
    first: int,
    last: int,
    linked: bool,
    rounds: int,
    joints: Joints,
    springs: MarkerArrays,
    pulls: Pulls,
    found: Found,
    memory: Memory,
) -> None:
    """The search over frames ``first`` to ``last``."""
    count = last - first
    for at in range(count):
        memory.damping[at] = FIRST_DAMPING
    total, made, taken_back, settled = math.inf, 0, False, False
    while True:
        new = 0.0
        for n in range(first, last):
            new += _cost(n, n - first, n > first or linked, first, joints, springs, pulls, found, memory)
        settled = settled or (made > 0 and not taken_back and abs(total - new) <= pulls.tolerance * total)
        if made > 0 and not taken_back:
            adapt(count, memory.cost, memory.damping)
            if new > total:
                for n in range(first, last):
                    copy_into(found.roots[n], memory.kept_roots[n - first])
                    _copy_turns(found.turns[n], memory.kept[n - first])
                taken_back = True
                continue
        total, taken_back = new, False
        for at in range(count):
            memory.cost[0, at] = memory.cost[1, at]
        if settled or made == rounds:
            break
        _find_steps(count, linked, pulls, memory)
        for n in range(first, last):
            copy_into(memory.kept_roots[n - first], found.roots[n])
            _copy_turns(memory.kept[n - first], found.turns[n])
            _take_step(n, memory.step[n - first], pulls.cap, joints, found)
            found.rounds[n] += 1
        made += 1


@inline
def _cost(
    n: int,
    at: int,
    follows: bool,
    first: int,
    joints: Joints,
    springs: MarkerArrays,
    pulls: Pulls,
    found: Found,
    memory: Memory,
) -> float:
    """What one pose costs, with its change from the one before it; its normal equations are filled."""
    cost = assemble(n, at, joints, springs, pulls, found, memory)
    off, change = memory.row, memory.change[at]
    off[:], change[:] = 0.0, 0.0
    for j in range(joints.kinds.shape[0]):
        if joints.kinds[j] > 0:
            turn = quaternion(found.turns[n, j])
            if j > 0:
                turn_between(joints, j, quaternion(found.usual[j]), turn, off)
            if follows:
                last = found.turns[n - 1, j] if n > first else found.before[0, j]
                turn_between(joints, j, quaternion(last), turn, change)
    if follows:
        for a in range(3):
            change[a] = found.roots[n, a] - (found.roots[n - 1, a] if n > first else found.before_root[0, a])
    gradient = memory.gradient[at]
    for i in range(off.shape[0]):
        cost += pulls.prior[i] * off[i] * off[i] + pulls.smooth[i] * change[i] * change[i]
        gradient[i] += pulls.prior[i] * off[i]
    memory.cost[1, at] = cost
    return cost


@inline
def _find_steps(count: int, linked: bool, pulls: Pulls, memory: Memory) -> None:
    step, smooth = memory.step, pulls.smooth
    for at in range(count):
        for i in range(smooth.shape[0]):
            step[at, i] = -memory.gradient[at, i] - smooth[i] * memory.change[at, i]
            if at + 1 < count:
                step[at, i] += smooth[i] * memory.change[at + 1, i]
    solve_band(count, linked, memory.normal, memory.damping, pulls.prior, smooth, memory.inverse, step, memory.row)


@inline
def _take_step(n: int, step: Floats, cap: float, joints: Joints, found: Found) -> None:
    """Change one pose; no joint turns further than ``cap`` rad."""
    widest = 0.0
    for i in range(3, step.shape[0]):
        widest = max(widest, abs(step[i]))
    share = min(1.0, cap / max(widest, 1e-300))
    for a in range(3):
        found.roots[n, a] += share * step[a]
    for j in range(joints.kinds.shape[0]):
        first = joints.first[j]
        turn = 0.0, 0.0, 0.0
        if joints.kinds[j] == 1:
            x, y, z = vector(joints.axes[j])
            angle = share * step[first]
            turn = angle * x, angle * y, angle * z
        elif joints.kinds[j] == 3:
            turn = share * step[first], share * step[first + 1], share * step[first + 2]
        if joints.kinds[j] > 0:
            store(found.turns[n, j], normalize(multiply(quaternion(found.turns[n, j]), exp(turn))))


@inline
def _copy_turns(target: Floats, source: Floats) -> None:
    for j in range(source.shape[0]):
        copy_into(target[j], source[j])
