"""The course of the pelvis made anew wherever the pace of recorded steps changes, without a break in its velocity."""

from __future__ import annotations

import math

from locomote.math._compile import inline, part
from locomote.math.quaternion import conjugate, exp, log, multiply, quaternion
from locomote.math.vector import Floats
from locomote.steps._kernels.blend import ROOT
from locomote.steps._kernels.layout import PlayedChains, PlayManner

ROOT_MARGIN = 0.13  # s before and after a double stance in which the course of the pelvis is made anew
LEAST_WINDOW = 0.3  # s of that course, at least


@part
def fit_pelvis(chain: int, played: PlayedChains, manner: PlayManner, frames: Floats) -> None:
    """Fit the pelvis wherever the pace of time changes: in double stances, at the first lift and the last landing."""
    if not manner.fit_root:
        return
    chosen, fps = played.chosen, manner.fps
    first, last = played.plants.firsts[chain] + 2, played.plants.firsts[chain + 1] - 1
    count = played.frame_firsts[chain + 1] - played.frame_firsts[chain]
    for p in range(first, last + 2):
        if p == first:
            start = stop = chosen.lifts[p]
        elif p > last:
            start = stop = chosen.lands[last]
        else:
            start, stop = chosen.lands[p - 1], chosen.lifts[p]
        least = 0.5 * (LEAST_WINDOW - stop + start)
        margin = max(ROOT_MARGIN, least)
        start, stop = start - margin, stop + margin
        if p > first:
            start = max(start, 0.5 * (chosen.lifts[p - 1] + chosen.lands[p - 1]))
        if p <= last:
            stop = min(stop, 0.5 * (chosen.lifts[p] + chosen.lands[p]))
        a, b = max(math.floor(start * fps), 0), min(math.ceil(stop * fps), count - 1)
        _fit_root(a, b, max(a - 1, 0), min(b + 1, count - 1), frames)


@part
def _fit_root(a: int, b: int, before: int, after: int, frames: Floats) -> None:
    """A cubic course of the pelvis from frame ``a`` to ``b``; ``before`` and ``after`` tell the speeds there."""
    count = b - a
    if count < 4:
        return
    for r in range(ROOT, ROOT + 3):
        row = frames[r]
        p0, p3 = row[a], row[b]
        v0 = (row[a + 1] - row[before]) * count / (a + 1 - before)
        v3 = (row[after] - row[b - 1]) * count / (after + 1 - b)
        for n in range(1, count):
            row[a + n] = _hermite(n / count, v0, p3 - p0, v3) + p0
    turns = frames[:4]
    q0, q3 = quaternion(turns[:, a]), quaternion(turns[:, b])
    whole = log(multiply(conjugate(q0), q3))
    first = log(multiply(conjugate(quaternion(turns[:, before])), quaternion(turns[:, a + 1])))
    last = log(multiply(conjugate(quaternion(turns[:, b - 1])), quaternion(turns[:, after])))
    first_rate, last_rate = count / (a + 1 - before), count / (after + 1 - b)
    for n in range(1, count):
        u = n / count
        turn = exp(
            (
                _hermite(u, first_rate * first[0], whole[0], last_rate * last[0]),
                _hermite(u, first_rate * first[1], whole[1], last_rate * last[1]),
                _hermite(u, first_rate * first[2], whole[2], last_rate * last[2]),
            )
        )
        q = multiply(q0, turn)
        for c in range(4):
            turns[c, a + n] = q[c]


@inline
def _hermite(u: float, v0: float, d: float, v1: float) -> float:
    """The cubic from 0 to ``d`` with slopes ``v0`` and ``v1``."""
    return v0 * u * (1.0 - u) * (1.0 - u) + d * u * u * (3.0 - 2.0 * u) - v1 * u * u * (1.0 - u)
