"""One frame of many walking people: parameters, phase, heading and pose, in one pass over packed arrays.

A character is one row of ``state`` (float64, the columns below) and one row of ``cache`` (float32): the factors of the
``P`` parts of the motion space, a plain pose to be added, and three control points around the present phase. A pose is
three planes (x, y, z) of ``width`` numbers: the rotation vector of joint j is column j, the position of the root is
column J, the rest is padding.

The model comes as

- ``basis (P, (S + 2) 3 width)``: the control points of every part's quadratic spline over the cycle; the last one
  stands before them, too, and the first one after them;
- ``curve (2, 3, m)``: walk and run as functions 1, s, sqrt(s) of the speed;
- ``styles (K, 2, 2 m + 2 + 2 T)``: offset, slope, slowest and fastest speed, T frequencies, their integral;
- ``stands (K, 3 width)``: standing poses;
- ``numbers``: centre speeds (2), slowest speeds (2), exponent, the phase that is nearest to standing (so is the one
  half a cycle later), fastest speeds (2), then the T speeds of the frequencies;
- ``joints (11, width)``: centres (4), offsets (3), parent, hinge axis (1 to 3, 0 for none), the sign of its bend, the
  tangent of half its widest bend.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from locomote.kernels._compile import inline, kernel
from locomote.kernels.cycle_pose import add_parts, joint_rotations, place, sample
from locomote.kernels.vector import Floats

Floats32: TypeAlias = npt.NDArray[np.float32]

# Columns of the state. A ramp takes three: value, target, seconds left.
X, Y, Z, YAW, CYCLES = 0, 1, 2, 3, 4
SPEED, TURN, RUN, LEG = 5, 8, 11, 14  # ramps: m/s, rad/s, 0 walk to 1 run, m
STYLE_LEFT = 17  # s until the style weights arrive
STEERING = 18  # 1: turn to the heading below in the seconds left of TURN
HEADING = 19
AUTO = 20  # 1: the speed decides between walk and run
FREE_STOP = 21  # 1: the time to stop may be changed so that the feet come together
STRIDE_SPEED = 22  # m/s at which the legs move: follows the speed, and is not 0 while turning on the spot
FREQUENCY = 23  # cycles/s
STALE = 24  # 1: the row of the cache is out of date
HELD = 25  # which control points the cache has (see `cycle_pose.sample`), negative for none
WEIGHTS = 26  # K style weights, then their K targets

SLOWEST, EXPONENT, REST, FASTEST, GRID = 2, 4, 5, 6, 8  # places in `numbers`

INSTANT = 1e-9  # s that rounding may leave of a ramp
GRAVITY = 9.81  # m/s^2
LEG_SHARE = 0.925  # of the hip height, from hip to ankle
REFERENCE_HIP_HEIGHT = 0.9  # m, of the body whose speeds the model knows
RUN_ABOVE = 0.55  # Froude numbers v^2 / (g hip height) between which the gait is kept
WALK_BELOW = 0.45
GAIT_CHANGE = 0.3  # cycles that a change of gait takes
BEGIN_RUN = 0.26  # phase, and half a cycle later, from which a walk may become a run
BEGIN_WALK = 0.34  # and a run a walk
BEGIN_WINDOW = 0.12  # cycles for which it still may
AT_ONCE_BELOW = 1.0  # m/s, at which there is no step worth waiting for
MARCH = 0.2  # m: stride speed for each rad/s of turning on the spot
MOST_MARCH = 0.3  # m/s
MARCH_HURRY = 0.8  # more of the frequency when turning on the spot: short quick steps
EAGERNESS = 2.0  # sqrt(m/s)/s, how fast the root of the stride speed may change: legs do not jump
MOST_HURRY = 1.5  # of the frequency, while the stride speed is behind the speed
STOP_STEERING = (0.75, 1.35)  # bounds of the factor on the frequency that brings the feet together at a stop
OVER_REST = 0.05  # cycles past the phase nearest to standing that do not matter
BANK = 0.5  # of the angle at which gravity and turning balance


@kernel
def step(
    dt: float,
    state: Floats,
    cache: Floats32,
    basis: Floats32,
    curve: Floats,
    styles: Floats,
    stands: Floats32,
    numbers: Floats,
    joints: Floats32,
    roots: Floats,
    rotations: Floats,
    positions: Floats,
) -> int:
    """Advance all characters by ``dt`` and fill ``roots``, ``rotations``, ``positions``; returns how many changed."""
    width = joints.shape[1]
    pose = np.empty(3 * width, np.float32)
    turns = np.empty((4, width), np.float32)
    world = np.empty((rotations.shape[1], 4))
    changed = 0
    for n in range(state.shape[0]):
        row = state[n]
        speed = _ramp(row, SPEED, dt)
        if _parameters(row, dt, styles.shape[0]):
            refresh(row, cache[n, : basis.shape[0] + 3 * width], curve, styles, stands, numbers)
            changed += 1
        turn = _turn(row, dt)
        _travel(row, speed * dt, turn)
        _count(row, dt, styles, numbers)
        phase = row[CYCLES] - math.floor(row[CYCLES])
        row[HELD] = sample(phase, int(row[HELD]), cache[n], basis, pose)
        joint_rotations(pose, joints, turns)
        lean = -BANK * math.atan(row[SPEED] * row[TURN] / GRAVITY)
        ground = row[X], row[Y], row[Z]
        height = row[LEG] / LEG_SHARE
        place(ground, row[YAW], lean, height, pose, turns, joints, world, rotations[n], positions[n])
        root, hips = roots[n], positions[n, 0]
        root[0], root[1], root[2] = hips[0], hips[1], hips[2]
    return changed


@kernel
def units(cache: Floats32, samples: Floats32, out: Floats32) -> None:
    """Fill ``out (N, S, 3 width)`` with all poses of the cycles whose factors are in ``cache``.

    ``samples (P, S * 3 width)`` are the parts of the motion space themselves, not the control points of ``basis``.
    """
    parts, size = samples.shape[0], out.shape[2]
    for n in range(cache.shape[0]):
        still = cache[n, parts : parts + size]
        for s in range(out.shape[1]):
            out[n, s] = still
        add_parts(cache[n, :parts], samples, 0, out[n].reshape(samples.shape[1]))


@kernel
def refresh_rows(
    state: Floats, cache: Floats32, curve: Floats, styles: Floats, stands: Floats32, numbers: Floats
) -> None:
    """Bring the factors and frequencies of all characters up to date."""
    end = cache.shape[1] - 3 * stands.shape[1]
    for n in range(state.shape[0]):
        refresh(state[n], cache[n, :end], curve, styles, stands, numbers)


@inline
def _ramp(row: Floats, at: int, dt: float) -> float:
    """Move a parameter along its ramp and return its mean over the step."""
    value: float = row[at]
    target: float = row[at + 1]
    left: float = row[at + 2]
    if left <= 0.0 or dt == 0.0:
        return value
    if left <= dt + INSTANT:
        row[at], row[at + 2] = target, 0.0
        return (0.5 * (value + target) * left + target * (dt - left)) / dt
    new = value + (target - value) * dt / left
    row[at], row[at + 2] = new, left - dt
    return 0.5 * (value + new)


@inline
def _parameters(row: Floats, dt: float, count: int) -> bool:
    """Move gait, size, style and stride speed along; returns whether the motion is another one now."""
    changed = bool(row[STALE] > 0.0 or row[RUN + 2] > 0.0 or row[LEG + 2] > 0.0 or row[STYLE_LEFT] > 0.0)
    row[STALE] = 0.0
    if row[AUTO] > 0.0:
        froude = row[SPEED] * row[SPEED] * LEG_SHARE / (GRAVITY * row[LEG])
        wanted = row[RUN + 1]
        if froude > RUN_ABOVE:
            wanted = 1.0
        elif froude < WALK_BELOW:
            wanted = 0.0
        if wanted != row[RUN + 1] and _may_change(row, wanted, dt):
            row[RUN + 1] = wanted
            row[RUN + 2] = GAIT_CHANGE / max(row[FREQUENCY], 0.5)
    _ramp(row, RUN, dt)
    _ramp(row, LEG, dt)
    if row[STYLE_LEFT] > 0.0:
        share = min(1.0, dt / row[STYLE_LEFT])
        for k in range(WEIGHTS, WEIGHTS + count):
            row[k] += share * (row[k + count] - row[k])
        row[STYLE_LEFT] = max(0.0, row[STYLE_LEFT] - dt)
    wanted = max(row[SPEED], min(MOST_MARCH, MARCH * abs(row[TURN])))
    if wanted != row[STRIDE_SPEED]:
        root, reach = math.sqrt(row[STRIDE_SPEED]), EAGERNESS * dt
        off = math.sqrt(wanted) - root
        row[STRIDE_SPEED] = wanted if abs(off) <= reach else (root + math.copysign(reach, off)) ** 2
        changed = True
    return changed


@inline
def _may_change(row: Floats, wanted: float, dt: float) -> bool:
    """Whether this is a moment of the step at which a change of gait drags the feet least."""
    begin = BEGIN_RUN if wanted > 0.0 else BEGIN_WALK
    halves = 2.0 * (row[CYCLES] - begin)
    since = 0.5 * (halves - math.floor(halves))
    at_once = row[STRIDE_SPEED] < AT_ONCE_BELOW or dt * row[FREQUENCY] > BEGIN_WINDOW
    return bool(at_once or since < BEGIN_WINDOW)


@inline
def _turn(row: Floats, dt: float) -> float:
    """How far the character turns in this step."""
    if row[STEERING] == 0.0:
        return dt * _ramp(row, TURN, dt)
    # The cubic that starts at the present turn rate and arrives at the heading with none.
    left: float = row[TURN + 2]
    way: float = row[HEADING] - row[YAW]
    if left <= dt + INSTANT:
        row[TURN], row[TURN + 1], row[TURN + 2], row[STEERING] = 0.0, 0.0, 0.0, 0.0
        return way
    t = dt / left
    rate: float = row[TURN] * left
    row[TURN] = (rate + t * (6.0 * way - 4.0 * rate + t * (3.0 * rate - 6.0 * way))) / left
    row[TURN + 2] = left - dt
    return t * (rate + t * (3.0 * way - 2.0 * rate + t * (rate - 2.0 * way)))


@inline
def _travel(row: Floats, way: float, turn: float) -> None:
    """Go ``way`` metres along an arc that turns by ``turn``."""
    half = 0.5 * turn
    chord = way * (1.0 - half * half / 6.0 if abs(half) < 1e-4 else math.sin(half) / half)
    row[X] += chord * math.sin(row[YAW] + half)
    row[Z] += chord * math.cos(row[YAW] + half)
    row[YAW] += turn


@inline
def _count(row: Floats, dt: float, styles: Floats, numbers: Floats) -> None:
    """Advance the count of cycles; it never goes back."""
    rest = numbers[REST]
    if row[STRIDE_SPEED] == 0.0:
        # Standing shows no phase: wait in the one nearest to it, or a little later.
        halves = math.ceil(2.0 * (row[CYCLES] - rest - OVER_REST))
        row[CYCLES] = max(row[CYCLES], 0.5 * halves + rest)
        return
    wanted = max(row[SPEED], min(MOST_MARCH, MARCH * abs(row[TURN])))
    way = dt * row[FREQUENCY] * min(MOST_HURRY, wanted / row[STRIDE_SPEED])
    if wanted > row[SPEED]:
        way *= 1.0 + MARCH_HURRY * (1.0 - row[SPEED] / wanted)
    if row[SPEED + 1] == 0.0 and row[SPEED + 2] > 0.0 and row[RUN + 2] <= 0.0 and row[TURN] == 0.0:
        # Stopping: end in the phase nearest to standing.
        ahead = row[SPEED + 2] * _mean_frequency(row, styles, numbers)
        if ahead > 0.02:
            end = math.floor(2.0 * (row[CYCLES] + ahead - rest) + 0.5) / 2.0 + rest
            if end <= row[CYCLES]:
                end += 0.5
            factor = (end - row[CYCLES]) / ahead
            if row[FREE_STOP] > 0.0:
                row[FREE_STOP] = 0.0
                row[SPEED + 2] *= min(2.0, max(0.5, factor))
            else:
                way *= min(STOP_STEERING[1], max(STOP_STEERING[0], factor))
    row[CYCLES] += way


@inline
def _mean_frequency(row: Floats, styles: Floats, numbers: Floats) -> float:
    """The mean frequency over the speeds from 0 to the present one."""
    slow = math.sqrt(LEG_SHARE * REFERENCE_HIP_HEIGHT / row[LEG])
    speed: float = row[SPEED] * slow / REFERENCE_HIP_HEIGHT
    if speed < 1e-9:
        return 0.0
    cell, t = _cell(speed, numbers)
    count = numbers.shape[0] - GRID
    width = numbers[GRID + cell + 1] - numbers[GRID + cell]
    total = 0.0
    for k in range(styles.shape[0]):
        weight = row[WEIGHTS + k]
        if weight == 0.0:
            continue
        for g in range(2):
            share = row[RUN] if g == 1 else 1.0 - row[RUN]
            frequency = styles[k, g, styles.shape[2] - 2 * count : styles.shape[2] - count]
            area = styles[k, g, styles.shape[2] - count + cell]
            low, high = frequency[cell], frequency[cell + 1]
            total += weight * share * (area + width * t * (low + 0.5 * t * (high - low)))
    return slow * total / speed


@inline
def _cell(speed: float, numbers: Floats) -> tuple[int, float]:
    """The interval of the table of frequencies that holds a speed, and the place in it; the ends hold on."""
    last = numbers.shape[0] - GRID - 2
    low, high = 0, last
    while low < high:
        middle = (low + high + 1) // 2
        if numbers[GRID + middle] <= speed:
            low = middle
        else:
            high = middle - 1
    start, stop = numbers[GRID + low], numbers[GRID + low + 1]
    return low, min(1.0, max(0.0, (speed - start) / (stop - start)))


@inline
def refresh(
    row: Floats, factors: Floats32, curve: Floats, styles: Floats, stands: Floats32, numbers: Floats
) -> None:
    """The factors of one character's motion and its frequency, from its parameters."""
    components = curve.shape[2]
    parts = factors.shape[0] - stands.shape[1]
    # Bodies of different size move alike at the same Froude number.
    slow = math.sqrt(LEG_SHARE * REFERENCE_HIP_HEIGHT / row[LEG])
    speed = row[STRIDE_SPEED] * slow
    factors[:] = 0.0
    frequency = present = 0.0
    for g in range(2):
        share = row[RUN] if g == 1 else 1.0 - row[RUN]
        if share <= 0.0:
            continue
        slowest = numbers[SLOWEST + g]
        amount = share * min(1.0, speed / slowest) ** numbers[EXPONENT]
        present += amount
        s = max(min(speed, numbers[FASTEST + g]), slowest)  # beyond the fastest speed the gait is not known
        cell, t = _cell(min(speed, numbers[FASTEST + g]) / REFERENCE_HIP_HEIGHT, numbers)
        at = 2 * components + 2 + cell
        root = math.sqrt(s)
        for i in range(components):
            factors[1 + i] += amount * (curve[g, 0, i] + s * curve[g, 1, i] + root * curve[g, 2, i])
        for k in range(styles.shape[0]):
            weight = row[WEIGHTS + k]
            if weight == 0.0:
                continue
            style = styles[k, g]
            held = min(style[2 * components + 1], max(style[2 * components], s)) - numbers[g]
            offset, slope = style[:components], style[components : 2 * components]
            for i in range(components):
                factors[1 + i] += amount * weight * (offset[i] + held * slope[i])
            frequency += share * weight * (style[at] + t * (style[at + 1] - style[at]))
    factors[0] = present
    row[FREQUENCY] = slow * frequency
    row[HELD] = -1.0
    if present < 1.0:
        still = factors[parts:]
        for k in range(styles.shape[0]):
            amount32 = np.float32((1.0 - present) * row[WEIGHTS + k])
            if amount32 != 0.0:
                stand = stands[k]
                for c in range(stands.shape[1]):
                    still[c] += amount32 * stand[c]
