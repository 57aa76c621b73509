"""Frames of chained steps made smooth above the feet: pelvis, upper body, knees, and legs that are never too short."""

from __future__ import annotations

import math

import numpy as np

from locomote.math._compile import inline, maker, part
from locomote.math.quaternion import quaternion, rotate
from locomote.math.vector import Floats
from locomote.steps._kernels.blend import FEET, FOOT_ROWS, JOINTS, KNEE, PITCH, ROOT, TOES, turn_factor, turn_parts
from locomote.steps._kernels.layout import (
    BodyMeasures,
    MadeWalks,
    PlayedChains,
    PlayManner,
    PlayScratch,
)
from locomote.steps._kernels.pose import ANKLE, LIMB_ROWS, find_limbs

STRETCH = 0.995  # of its length to which a leg may be stretched
LEAVING, ON_TOES = 0.05, math.radians(50.0)  # by which a leg is shorter with the heel so far raised
MOST_RAISED = math.radians(25.0)  # by which a heel is raised more for that
SINK_SPREAD = 0.15  # s, of the curve by which the body sinks and comes up again
CUT = 3.0  # of that spread, where the curve ends
FLAT = math.radians(10.0)  # of a raised heel, from which on it is wholly filtered
TINY = 1e-12  # keeps directions defined that do not exist
AT_ONCE = 4  # weights of the filter
MOST_ASIDE = 0.9  # of a leg, between pelvis and ankle along the ground
ROUNDS = 4  # of moving the pelvis sideways between feet that are far apart


@part
def smooth_chain(
    chain: int, played: PlayedChains, body: BodyMeasures, manner: PlayManner, scratch: PlayScratch, made: MadeWalks
) -> None:
    """Filter upper body and knees, and sink where a leg would not reach.

    The chain is in the first columns of ``made.frames``. ``scratch.limbs`` is filled (see `find_limbs`), and so are the
    columns of the chain in ``made.sinks``.
    """
    fps, frames, limbs = manner.fps, made.frames, scratch.limbs
    at = played.frame_firsts[chain]
    count = played.frame_firsts[chain + 1] - at
    if manner.filters:
        gait = made.gait[at : at + count]
        _filter_turns(manner.mask, gait, frames)
        for foot in range(2):
            _filter_knee(manner.mask, gait, frames[FEET + FOOT_ROWS * foot + KNEE])
            _raise_heel(foot, body, manner.mask, gait, frames)
    find_limbs(count, body, frames, limbs)
    _sink(count, at, body.thigh + body.shank, fps, frames, limbs, made.sinks)


@maker
def _filter_turns(mask: Floats, gait: Floats, frames: Floats) -> None:
    """The mask on rotations, by the turns from frame to frame: the same in any frame of reference.

    The ``gait`` needs none: it would only blunt it.
    """
    count = gait.shape[0]
    pad = mask.shape[0] + AT_ONCE
    steps = np.zeros((3, count + 2 * pad))
    sums, work = np.empty((3, count)), np.empty((5, count))
    a, b, c = sums[0], sums[1], sums[2]
    # Each loop writes one row and reads few: only so do they run in lanes.
    for j in range(1, JOINTS):
        w, x = frames[4 * j, :count], frames[4 * j + 1, :count]
        y, z = frames[4 * j + 2, :count], frames[4 * j + 3, :count]
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
            row, to = steps[axis], sums[axis]
            _load(work[1 + axis], count - 1, row[pad:])
            for t in range(count):
                to[t] = 0.0
            _weigh(count, pad, mask, row, to)
            for t in range(count):
                to[t] *= 1.0 - gait[t]
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
        _load(i, count, w)
        _load(k, count, x)
        _load(m, count, y)


@maker
def _filter_row(count: int, mask: Floats, row: Floats) -> None:
    """The mask on a row of numbers."""
    pad = mask.shape[0] + AT_ONCE
    steps = np.zeros(count + 2 * pad)
    now, after, to = row[: count - 1], row[1:count], steps[pad : pad + count - 1]
    for t in range(count - 1):
        to[t] = after[t] - now[t]
    _weigh(count, pad, mask, steps, row[:count])


@maker
def _filter_knee(mask: Floats, gait: Floats, row: Floats) -> None:
    count = gait.shape[0]
    was = np.empty(count)
    _load(row, count, was)
    _filter_row(count, mask, row)
    for t in range(count):
        row[t] += gait[t] * (was[t] - row[t])


@maker
def _raise_heel(foot: int, body: BodyMeasures, mask: Floats, gait: Floats, frames: Floats) -> None:
    """Raise a heel that is up already where its leg is straight, and evenly: out of a straight leg a knee snaps.

    What toes do in the world stays, and so does a foot that is flat, also on a slope, or on its heel. The foot is taken
    to point where the pelvis does, so that its yaw does not change its pitch. The ``gait`` raises its heels itself.
    """
    count = gait.shape[0]
    rows = frames[FEET + FOOT_ROWS * foot : FEET + FOOT_ROWS * (foot + 1)]
    pitch, toes = rows[PITCH], rows[TOES]
    longest, back, high = STRETCH * (body.thigh + body.shank), body.sole.ankle, body.sole.ankle_height
    hip = body.hips[foot, 0], body.hips[foot, 1], body.hips[foot, 2]
    even = np.empty(count)
    for t in range(count):
        even[t] = max(pitch[t], 0.0)
        if toes[t] >= 0.0 or pitch[t] <= 0.0:
            continue
        turn = quaternion(frames[:4, t])
        on, to = rotate(turn, (0.0, 0.0, 1.0)), rotate(turn, hip)
        flat = 1.0 / math.sqrt(on[0] * on[0] + on[2] * on[2] + TINY)
        c, s = math.cos(pitch[t]), math.sin(pitch[t])
        along, up = high * s - back * c, high * c + back * s  # from the ball to the ankle
        x = frames[ROOT, t] + to[0] - rows[0, t] - along * flat * on[0]
        y = frames[ROOT + 1, t] + to[1] - rows[1, t] - up
        z = frames[ROOT + 2, t] + to[2] - rows[2, t] - along * flat * on[2]
        reach = math.sqrt(x * x + y * y + z * z)
        excess = reach - longest * (1.0 - LEAVING * min(pitch[t] / ON_TOES, 1.0))
        if excess > 0.0:
            # The ankle turns about the ball of the foot: so much nearer to the hip for each radian.
            nearer = ((x * on[0] + z * on[2]) * flat * up - y * along) / reach
            even[t] += min(excess / max(nearer, 0.5 * high), MOST_RAISED)
    _filter_row(count, mask, even)
    for t in range(count):
        share = min(max(min(pitch[t], -toes[t]), 0.0) / FLAT, 1.0)
        change = (1.0 - gait[t]) * share * (even[t] - pitch[t])
        pitch[t] += change
        toes[t] -= change


@part
def _weigh(count: int, pad: int, mask: Floats, steps: Floats, to: Floats) -> None:
    """Add to each of ``count`` values what the steps after it are weighted, less those before it.

    ``steps`` begins and ends with ``pad`` zeros. Four weights at a time: the sums are read and written less often.
    """
    reach = mask.shape[0]
    for n in range(0, reach, AT_ONCE):
        m0, m1 = mask[n], mask[n + 1] if n + 1 < reach else 0.0
        m2, m3 = mask[n + 2] if n + 2 < reach else 0.0, mask[n + 3] if n + 3 < reach else 0.0
        after, before = steps[pad + n :], steps[pad - n - AT_ONCE :]
        for t in range(count):
            to[t] += (
                m0 * (after[t] - before[t + 3])
                + m1 * (after[t + 1] - before[t + 2])
                + m2 * (after[t + 2] - before[t + 1])
                + m3 * (after[t + 3] - before[t])
            )


@part
def _load(values: Floats, count: int, to: Floats) -> None:
    for t in range(count):
        to[t] = values[t]


@maker
def _sink(count: int, at: int, leg: float, fps: float, frames: Floats, limbs: Floats, sinks: Floats) -> None:
    """Lower the pelvis where a leg is too short, and smoothly around; first bring it between feet far apart."""
    longest = STRETCH * leg
    x, y, z = frames[ROOT, :count], frames[ROOT + 1, :count], frames[ROOT + 2, :count]
    lx, ly, lz = limbs[ANKLE, :count], limbs[ANKLE + 1, :count], limbs[ANKLE + 2, :count]
    right = LIMB_ROWS + ANKLE
    rx, ry, rz = limbs[right, :count], limbs[right + 1, :count], limbs[right + 2, :count]
    most = MOST_ASIDE * longest
    if _far(x, z, lx, lz) > most * most or _far(x, z, rx, rz) > most * most:
        shifts = np.zeros((2, count))
        for t in range(count):
            shifts[0, t], shifts[1, t] = _between_feet(x[t], z[t], most, lx[t], lz[t], rx[t], rz[t])
        _spread(shifts[0], fps, True)
        _spread(shifts[1], fps, True)
        for t in range(count):
            x[t] += shifts[0, t]
            z[t] += shifts[1, t]
    needed, some = np.zeros(count), 0.0
    _short(x, y, z, lx, ly, lz, longest, needed)
    _short(x, y, z, rx, ry, rz, longest, needed)
    for t in range(count):
        some = max(some, needed[t])
        sinks[0, at + t] = -needed[t]
    if some > 0.0:
        _spread(needed, fps, False)
        for t in range(count):
            y[t] -= needed[t]
    for t in range(count):
        sinks[1, at + t] = -needed[t]


@inline
def _far(x: Floats, z: Floats, to_x: Floats, to_z: Floats) -> float:
    """The square of the longest way along the ground."""
    out = 0.0
    for t in range(x.shape[0]):
        dx, dz = x[t] - to_x[t], z[t] - to_z[t]
        out = max(out, dx * dx + dz * dz)
    return out


@part
def _short(x: Floats, y: Floats, z: Floats, ax: Floats, ay: Floats, az: Floats, longest: float, needed: Floats) -> None:
    """By how much the pelvis is too high for a leg to reach its ankle; the higher of that and what is there."""
    for t in range(needed.shape[0]):
        dx, dz = x[t] - ax[t], z[t] - az[t]
        rise = math.sqrt(max(longest * longest - dx * dx - dz * dz, 0.0))
        needed[t] = max(needed[t], y[t] - ay[t] - rise)


@inline
def _between_feet(
    x: float, z: float, most: float, left_x: float, left_z: float, right_x: float, right_z: float
) -> tuple[float, float]:
    """By how much the pelvis must go aside to be within reach of both ankles."""
    to_x, to_z = x, z
    for _ in range(ROUNDS):
        to_x, to_z = _nearer(to_x, to_z, left_x, left_z, most)
        to_x, to_z = _nearer(to_x, to_z, right_x, right_z, most)
    return to_x - x, to_z - z


@inline
def _nearer(x: float, z: float, to_x: float, to_z: float, most: float) -> tuple[float, float]:
    dx, dz = x - to_x, z - to_z
    far = math.sqrt(dx * dx + dz * dz)
    back = 1.0 - most / far if far > most else 0.0
    return x - dx * back, z - dz * back


@maker
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
