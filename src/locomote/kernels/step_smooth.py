"""Frames of chained steps made smooth above the feet: pelvis, upper body, knees, and legs that are never too short."""

from __future__ import annotations

import math

import numpy as np

from locomote.kernels._compile import inline, kernel, part
from locomote.kernels.quaternion import conjugate, exp, log, multiply, quaternion, rotate
from locomote.kernels.step_blend import (
    FEET,
    FOOT_ROWS,
    JOINTS,
    KNEE,
    PITCH,
    ROLL,
    ROOT,
    YAW,
    turn_factor,
    turn_parts,
)
from locomote.kernels.step_chain import Chosen, Plants
from locomote.kernels.step_frames import Sole
from locomote.kernels.step_pose import foot_turn
from locomote.kernels.vector import Floats, Ints, Vector

ROOT_MARGIN = 0.13  # s before and after a double stance in which the course of the pelvis is made anew
LEAST_WINDOW = 0.3  # s of that course, at least
STRETCH = 0.995  # of its length to which a leg may be stretched
SINK_SPREAD = 0.15  # s, of the curve by which the body sinks and comes up again
CUT = 3.0  # of that spread, where the curve ends
MOST_ASIDE = 0.9  # of a leg, between pelvis and ankle along the ground
ROUNDS = 4  # of moving the pelvis sideways between feet that are far apart


@kernel
def smooth_frames(
    plants: Plants,
    chosen: Chosen,
    hips: Floats,
    leg: float,
    sole: Sole,
    fps: float,
    frame_firsts: Ints,
    mask: Floats,
    fit_root: bool,
    filters: bool,
    frames: Floats,
    sinks: Floats,
) -> None:
    """Fit the pelvis over double stances, filter upper body and knees, and sink where a leg would not reach.

    ``hips (2, 3)`` are the hip joints in the frame of the pelvis, ``leg`` the length of a leg; ``mask`` are sums of the
    filter's weights beyond 0, 1, 2, ... frames; ``sinks (2, F)`` takes what was needed and what was done.
    """
    for chain in range(plants.firsts.shape[0] - 1):
        begin, end = frame_firsts[chain], frame_firsts[chain + 1]
        if fit_root:
            _fit_chain(
                plants.firsts[chain] + 2, plants.firsts[chain + 1] - 1, begin, end, fps, chosen, frames
            )
        if filters:
            _filter_turns(begin, end, mask, frames)
            for foot in range(2):
                _filter_row(begin, end, mask, frames[FEET + FOOT_ROWS * foot + KNEE])
        _sink(begin, end, hips, leg, sole, fps, frames, sinks)


@part
def _fit_chain(
    first: int, last: int, begin: int, end: int, fps: float, chosen: Chosen, frames: Floats
) -> None:
    """Fit the pelvis wherever the pace of time changes: in double stances, at the first lift and the last landing."""
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
        a = max(begin + math.floor(start * fps), begin)
        b = min(begin + math.ceil(stop * fps), end - 1)
        _fit_root(a, b, max(a - 1, begin), min(b + 1, end - 1), frames)


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


@part
def _filter_turns(begin: int, end: int, mask: Floats, frames: Floats) -> None:
    """The mask on rotations, by the turns from frame to frame: the same in any frame of reference."""
    count = end - begin
    reach = mask.shape[0]
    steps = np.zeros((3, count + 2 * reach))
    sums, work = np.empty((3, count)), np.empty((5, count))
    a, b, c = sums[0], sums[1], sums[2]
    # Each loop writes one row and reads few: only so do they run in lanes.
    for j in range(1, JOINTS):
        w, x = frames[4 * j, begin:end], frames[4 * j + 1, begin:end]
        y, z = frames[4 * j + 2, begin:end], frames[4 * j + 3, begin:end]
        # The next frame as slices: an index that might be negative keeps a loop from running in lanes.
        w1, x1, y1, z1 = w[1:], x[1:], y[1:], z[1:]
        f, i, k, m = work[0], work[1], work[2], work[3]
        for t in range(count - 1):
            f[t] = turn_factor(w[t] * w1[t] + x[t] * x1[t] + y[t] * y1[t] + z[t] * z1[t])
        for t in range(count - 1):
            i[t] = f[t] * (w[t] * x1[t] - x[t] * w1[t] - y[t] * z1[t] + z[t] * y1[t])
        for t in range(count - 1):
            k[t] = f[t] * (w[t] * y1[t] + x[t] * z1[t] - y[t] * w1[t] - z[t] * x1[t])
        for t in range(count - 1):
            m[t] = f[t] * (w[t] * z1[t] - x[t] * y1[t] + y[t] * x1[t] - z[t] * w1[t])
        for axis in range(3):
            steps[axis, reach : reach + count - 1] = work[1 + axis, : count - 1]
            row, to = steps[axis], sums[axis]
            to[:] = 0.0
            for n in range(reach):
                weight = mask[n]
                after, before = row[reach + n : reach + n + count], row[reach - 1 - n : reach - 1 - n + count]
                for t in range(count):
                    to[t] += weight * (after[t] - before[t])
        g = work[4]
        for t in range(count):
            g[t] = a[t] * a[t] + b[t] * b[t] + c[t] * c[t]
        for t in range(count):
            f[t], g[t] = turn_parts(g[t])
        for t in range(count):
            i[t] = w[t] * f[t] - g[t] * (x[t] * a[t] + y[t] * b[t] + z[t] * c[t])
        for t in range(count):
            k[t] = x[t] * f[t] + g[t] * (w[t] * a[t] + y[t] * c[t] - z[t] * b[t])
        for t in range(count):
            m[t] = y[t] * f[t] + g[t] * (w[t] * b[t] - x[t] * c[t] + z[t] * a[t])
        for t in range(count):
            z[t] = z[t] * f[t] + g[t] * (w[t] * c[t] + x[t] * b[t] - y[t] * a[t])
        w[:], x[:], y[:] = i, k, m


@part
def _filter_row(begin: int, end: int, mask: Floats, row: Floats) -> None:
    """The mask on a row of numbers."""
    count = end - begin
    steps = np.zeros(count + 2 * mask.shape[0])
    reach = mask.shape[0]
    for t in range(count - 1):
        steps[reach + t] = row[begin + t + 1] - row[begin + t]
    for k in range(reach):
        weight = mask[k]
        for t in range(count):
            row[begin + t] += weight * (steps[reach + t + k] - steps[reach + t - 1 - k])


@inline
def _ankle_below(n: int, foot: int, hips: Floats, sole: Sole, frames: Floats) -> Vector:
    """The ankle of a frame less the offset of its hip from the pelvis, so that it compares with the pelvis."""
    r = FEET + FOOT_ROWS * foot
    turn = foot_turn(frames[r + YAW, n], frames[r + PITCH, n], frames[r + ROLL, n])
    up = rotate(turn, (0.0, sole.ankle_height, -sole.ankle))
    hip = rotate(
        (frames[0, n], frames[1, n], frames[2, n], frames[3, n]),
        (hips[foot, 0], hips[foot, 1], hips[foot, 2]),
    )
    return frames[r, n] + up[0] - hip[0], frames[r + 1, n] + up[1] - hip[1], frames[r + 2, n] + up[2] - hip[2]


@part
def _sink(
    begin: int,
    end: int,
    hips: Floats,
    leg: float,
    sole: Sole,
    fps: float,
    frames: Floats,
    sinks: Floats,
) -> None:
    """Lower the pelvis where a leg is too short, and smoothly around; first bring it between feet far apart."""
    longest = STRETCH * leg
    count = end - begin
    needed, shifts, ankles = np.zeros(count), np.zeros((2, count)), np.empty((count, 2, 3))
    some, aside = False, False
    for t in range(count):
        n = begin + t
        x, z = frames[ROOT, n], frames[ROOT + 2, n]
        for foot in range(2):
            ankles[t, foot, 0], ankles[t, foot, 1], ankles[t, foot, 2] = _ankle_below(
                n, foot, hips, sole, frames
            )
        far = False
        for foot in range(2):
            dx, dz = x - ankles[t, foot, 0], z - ankles[t, foot, 2]
            far = far or dx * dx + dz * dz > (MOST_ASIDE * longest) ** 2
        if far:
            aside = True
            shifts[0, t], shifts[1, t] = _between_feet(x, z, MOST_ASIDE * longest, ankles[t])
    if aside:
        for c in range(2):
            _spread(shifts[c], fps, True)
            for t in range(count):
                frames[ROOT + 2 * c, begin + t] += shifts[c, t]
    for t in range(count):
        n = begin + t
        x, y, z = frames[ROOT, n], frames[ROOT + 1, n], frames[ROOT + 2, n]
        for foot in range(2):
            across = (x - ankles[t, foot, 0]) ** 2 + (z - ankles[t, foot, 2]) ** 2
            rise = math.sqrt(max(longest * longest - across, 0.0))
            needed[t] = max(needed[t], y - ankles[t, foot, 1] - rise)
        some = some or needed[t] > 0.0
        sinks[0, n] = -needed[t]
    if some:
        _spread(needed, fps, False)
        for t in range(count):
            frames[ROOT + 1, begin + t] -= needed[t]
    for t in range(count):
        sinks[1, begin + t] = -needed[t]


@part
def _between_feet(x: float, z: float, most: float, ankles: Floats) -> tuple[float, float]:
    """By how much the pelvis must go aside to be within reach of both ankles."""
    to_x, to_z = x, z
    for _ in range(ROUNDS):
        for foot in range(2):
            dx, dz = to_x - ankles[foot, 0], to_z - ankles[foot, 2]
            far = math.sqrt(dx * dx + dz * dz)
            if far > most:
                to_x -= dx * (1.0 - most / far)
                to_z -= dz * (1.0 - most / far)
    return to_x - x, to_z - z


@part
def _spread(values: Floats, fps: float, signed: bool) -> None:
    """A smooth curve never nearer to 0 than the values: the highest of bell curves over them, rounded off."""
    count = values.shape[0]
    wide = int(CUT * SINK_SPREAD * fps) + 1
    half = max(int(0.5 * SINK_SPREAD * fps), 1)
    bells = np.empty(wide + 1)
    floor = math.exp(-0.5 * CUT * CUT)
    for k in range(wide + 1):
        bells[k] = max(math.exp(-0.5 * (k / (SINK_SPREAD * fps)) ** 2) - floor, 0.0) / (1.0 - floor)
    highest, lowest = np.zeros(count + 2 * half), np.zeros(count + 2 * half)
    for t in range(count):
        v = values[t]
        if v == 0.0:
            continue
        # Flat over the width of the rounding, so that the mean is nowhere nearer to 0 than the value.
        for n in range(max(t - wide - half, -half), min(t + wide + half, count + half - 1) + 1):
            k = max(abs(n - t) - half, 0)
            if v > 0.0:
                highest[half + n] = max(highest[half + n], v * bells[k])
            elif signed:
                lowest[half + n] = min(lowest[half + n], v * bells[k])
    total = 0.0
    for k in range(-half, half + 1):
        total += half + 1 - abs(k)
    for t in range(count):
        mean = 0.0
        for k in range(-half, half + 1):
            mean += (half + 1 - abs(k)) * (highest[half + t + k] + lowest[half + t + k])
        values[t] = mean / total
