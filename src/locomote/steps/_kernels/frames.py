"""Chosen steps played one after the other: frames in which no standing foot moves."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline, maker, part
from locomote.math.vector import Floats, Ints, Vector, smooth_step
from locomote.steps._kernels.blend import (
    BALL,
    FEET,
    FOOT_ROWS,
    JOINTS,
    KNEE,
    PITCH,
    ROLL,
    ROOT,
    TOES,
    YAW,
    StepRecords,
    blend,
    place,
)
from locomote.steps._kernels.chain import ChainPlants, ChosenSteps

WINDOW = 0.6  # of a swing over which a foot turns from its natural yaw to that of its plants
EDGE = 0.25  # of a swing at either end, over which toes and roll become those of a standing foot
GAP_FADE = 0.5  # of a swing over which its ball leaves the plant for the recorded course
ROLL_DOWN = 0.5  # of a double stance in which a foot that lands on its heel comes down
MOST_KNEE = 0.6  # rad, by which a knee follows its foot
CLEARANCE = 0.02  # hip heights that a swinging foot keeps from the ground in mid-swing
EARLY = 0.6  # of a swing in which a foot rises to a higher place, or before whose end it does not sink to a lower one
RISE_BUMP, SINK_BUMP = (
    0.3,
    0.08,
)  # of the difference in height by which it goes higher still on its way up or down

Indices = npt.NDArray[np.uint32]


class SoleShape(NamedTuple):
    """The foot of a body, m: the joint at the ankle, heel and ball are in one vertical plane."""

    ankle_height: float
    heel: float  # from the ball back to the heel
    ankle: float  # from the ball back to the ankle
    toes: float  # from the ball to the tip


@inline
def rolled_ball(x: float, y: float, z: float, yaw: float, pitch: float, heel: float) -> Vector:
    """Where the ball of a foot is that stands on a place: on it, or, with raised toes, turned up about the heel."""
    if pitch >= 0.0:
        return x, y, z
    back = heel * (math.cos(pitch) - 1.0)
    return x + back * math.sin(yaw), y - heel * math.sin(pitch), z + back * math.cos(yaw)


@part
def make_chain(
    chain: int,
    count: int,
    at: int,
    plants: ChainPlants,
    chosen: ChosenSteps,
    clips: StepRecords,
    sole: SoleShape,
    size: float,
    fps: float,
    upper: int,
    sheets: Floats,
    out: Floats,
    stands: Ints,
) -> None:
    """Fill the first ``count`` columns of ``out (ROWS, F)`` with the frames of a chain.

    ``stands (2, F)`` takes from column ``at`` on the plants under the feet, or -1; ``sheets (2, ROWS, T)`` is for work.
    """
    first, last = plants.firsts[chain] + 2, plants.firsts[chain + 1]
    done = 0
    for p in range(first, last):
        sheet = sheets[p % 2]
        _make_sheet(p, p == first, plants, chosen, clips, sole, size, upper, sheet)
        stop = count
        if p + 1 < last:
            stop = min(count, math.ceil(chosen.lands[p] * fps - 1e-9))
        if stop > done:
            _play(
                p, done, stop, p > first, p + 1 == last, chosen, clips, fps, sheets[(p + 1) % 2], sheet, out
            )  # fmt: skip
            _pin_feet(p, done, stop, at, fps, plants, chosen, sole, out, stands)
            done = stop


@part
def _make_sheet(
    p: int,
    is_first: bool,
    plants: ChainPlants,
    chosen: ChosenSteps,
    clips: StepRecords,
    sole: SoleShape,
    size: float,
    upper: int,
    sheet: Floats,
) -> None:
    """The step to plant ``p`` in the world, its feet fitted to the plants."""
    side = plants.sides[p]
    blend(chosen.corners[p], chosen.weights[p], chosen.turns[p], clips, upper, side == 0, sheet)
    support, start = chosen.supports[p], chosen.starts[p]
    place(
        sheet, clips, side, chosen.frames[p], size,
        chosen.places[support], chosen.places[start], chosen.places[p],
    )  # fmt: skip
    standing = sheet[FEET + FOOT_ROWS * (1 - side) : FEET + FOOT_ROWS * (2 - side)]
    swinging = sheet[FEET + FOOT_ROWS * side : FEET + FOOT_ROWS * (1 + side)]
    _fit_standing(is_first, chosen.foot_yaws[support], clips, standing)
    _fit_swinging(p, start, chosen, clips, swinging)
    _fit_swing_course(p, start, chosen, clips, sole, size, swinging)


@inline
def _turn_to(foot: Floats, t: int, yaw: float, weight: float) -> None:
    """Turn a foot about the vertical through its ball; the knee goes with it."""
    off = yaw - foot[YAW, t]
    off = weight * (off - 2.0 * math.pi * math.floor(off / (2.0 * math.pi) + 0.5))
    foot[YAW, t] += off
    foot[KNEE, t] -= min(max(off, -MOST_KNEE), MOST_KNEE)


@inline
def _stand(foot: Floats, t: int, toes_up: float) -> None:
    """Sole and toes of a standing foot on the ground; a share ``toes_up`` of what it stands on its heel is left."""
    foot[ROLL, t] = 0.0
    if foot[PITCH, t] < 0.0:
        foot[PITCH, t] *= toes_up
        foot[TOES, t] = min(toes_up * foot[TOES, t], -foot[PITCH, t])  # tips not below the ball
    else:
        foot[TOES, t] = -foot[PITCH, t]


@part
def _fit_standing(is_first: bool, yaw: float, clips: StepRecords, foot: Floats) -> None:
    for t in range(foot.shape[1]):
        _turn_to(foot, t, yaw, 1.0)
        down = 0.0 if is_first else 1.0 - smooth_step(t / (ROLL_DOWN * clips.lift))
        _stand(foot, t, down)


@part
def _fit_swinging(p: int, start: int, chosen: ChosenSteps, clips: StepRecords, foot: Floats) -> None:
    count = foot.shape[1]
    swing = clips.land - clips.lift
    for t in range(count):
        u = (t - clips.lift) / swing
        if t <= clips.lift:
            _turn_to(foot, t, chosen.foot_yaws[start], 1.0)
            _stand(foot, t, 0.0)
        elif t >= clips.land:
            _turn_to(foot, t, chosen.foot_yaws[p], 1.0)
            _stand(foot, t, 1.0 - smooth_step((t - clips.land) / (ROLL_DOWN * (count - 1 - clips.land))))
        else:
            _turn_to(foot, t, chosen.foot_yaws[start], 1.0 - smooth_step(u / WINDOW))
            _turn_to(foot, t, chosen.foot_yaws[p], smooth_step((u - 1.0 + WINDOW) / WINDOW))
            leaving, coming = 1.0 - smooth_step(u / EDGE), smooth_step((u - 1.0 + EDGE) / EDGE)
            pitch, toes = foot[PITCH, t], foot[TOES, t]
            flat = -pitch if pitch > 0.0 else min(toes, -pitch)
            foot[ROLL, t] *= (1.0 - leaving) * (1.0 - coming)
            foot[TOES, t] = toes + leaving * (-max(pitch, 0.0) - toes) + coming * (flat - toes)
            if pitch < 0.0:
                foot[PITCH, t] *= 1.0 - leaving


@maker
def _fit_swing_course(
    p: int, start: int, chosen: ChosenSteps, clips: StepRecords, sole: SoleShape, size: float, foot: Floats
) -> None:
    """The ball leaves its plant and comes to the next one, over the ground on the way."""
    lift, land = clips.lift, clips.land
    old, new = chosen.places[start], chosen.places[p]
    goal = rolled_ball(new[0], new[1], new[2], chosen.foot_yaws[p], foot[PITCH, land], sole.heel)
    gaps = np.empty((2, 3))
    for d in range(3):
        gaps[0, d] = old[d] - foot[BALL + d, lift]
        gaps[1, d] = goal[d] - foot[BALL + d, land]
    climb = new[1] - old[1]
    bump = max(RISE_BUMP * climb, -SINK_BUMP * climb)
    for t in range(lift, land + 1):
        u = (t - lift) / (land - lift)
        leaving, coming = 1.0 - smooth_step(u / GAP_FADE), smooth_step((u - 1.0 + GAP_FADE) / GAP_FADE)
        for d in range(3):
            foot[BALL + d, t] += leaving * gaps[0, d] + coming * gaps[1, d]
        # The heights of `place` rise evenly; a foot rises early and sinks late.
        share_at = smooth_step(u / EARLY) if climb > 0.0 else smooth_step((u - 1.0 + EARLY) / EARLY)
        arch = 16.0 * (u * (1.0 - u)) ** 2
        height = old[1] + share_at * climb
        foot[BALL + 1, t] += (share_at - smooth_step(u)) * climb + bump * arch
        pitch, toes = foot[PITCH, t], foot[TOES, t]
        low = min(sole.heel * math.sin(pitch), -sole.toes * math.sin(pitch + toes))
        low = foot[BALL + 1, t] + min(low, 0.0) - height
        room = arch * CLEARANCE * size
        if low < room:
            foot[BALL + 1, t] += room - low


@maker
def _play(
    p: int,
    begin: int,
    end: int,
    has_before: bool,
    is_last: bool,
    chosen: ChosenSteps,
    clips: StepRecords,
    fps: float,
    before: Floats,
    sheet: Floats,
    out: Floats,
) -> None:
    """The frames from the landing before to that on plant ``p``: first the double stance, shared by two steps."""
    count = end - begin
    samples = sheet.shape[1]
    # Whole numbers without a sign: an index that might be negative costs more than what is done with it.
    at, rest = np.empty(count, dtype=np.uint32), np.empty(count)
    old, old_rest, share = np.empty(count, dtype=np.uint32), np.empty(count), np.empty(count)
    began = chosen.lifts[p] - chosen.stances[p]
    final = samples - 1 - clips.land
    mixed = 0  # frames at the beginning that are shared
    for n in range(count):
        time = (begin + n) / fps
        if time < chosen.lifts[p]:
            part_done = (time - began) / chosen.stances[p]
            s = clips.lift * part_done
            if has_before:
                share[n] = smooth_step(part_done)
                old_s = clips.land + final * part_done
                old[n] = min(max(int(old_s), 0), samples - 2)
                old_rest[n] = old_s - old[n]
                mixed = n + 1
        elif time < chosen.lands[p] or not is_last:
            part_done = (time - chosen.lifts[p]) / (chosen.lands[p] - chosen.lifts[p])
            s = clips.lift + (clips.land - clips.lift) * part_done
        else:
            s = clips.land + final * min((time - chosen.lands[p]) / chosen.finals[p], 1.0)
        at[n] = min(max(int(s), 0), samples - 2)
        rest[n] = s - at[n]
    was = np.empty((4, mixed))
    for j in range(JOINTS):
        for c in range(4):
            r = 4 * j + c
            if j == 0:
                _sample(sheet[r], at, rest, count, out[r, begin:end])
                _sample(before[r], old, old_rest, mixed, was[c])
            else:
                _between(sheet[r], at, rest, count, out[r, begin:end])
                _between(before[r], old, old_rest, mixed, was[c])
        _mix_turns(j, begin, mixed, share, was, out)
        _unit_turns(j, begin, end, out)
    for r in range(ROOT, sheet.shape[0]):
        now = out[r, begin:end]
        if r < FEET:
            _sample(sheet[r], at, rest, count, now)
            _sample(before[r], old, old_rest, mixed, was[0])
        else:
            _between(sheet[r], at, rest, count, now)
            _between(before[r], old, old_rest, mixed, was[0])
        if r >= FEET and (r - FEET) % FOOT_ROWS == YAW:
            for n in range(mixed):
                was[0, n] += 2.0 * math.pi * math.floor((now[n] - was[0, n]) / (2.0 * math.pi) + 0.5)
        for n in range(mixed):
            now[n] = was[0, n] + share[n] * (now[n] - was[0, n])


@part
def _between(row: Floats, at: Indices, rest: Floats, count: int, out: Floats) -> None:
    """Values of a row between its samples."""
    after = row[1:]
    for n in range(count):
        out[n] = row[at[n]] + rest[n] * (after[at[n]] - row[at[n]])


@part
def _sample(row: Floats, at: Indices, rest: Floats, count: int, out: Floats) -> None:
    """The same with a slope that has no break: the pelvis shows every one."""
    for n in range(count):
        i, u = int(at[n]), rest[n]
        a, b = row[i], row[i + 1]
        before = row[i - 1] if i > 0 else 2.0 * a - b
        after = row[i + 2] if i + 2 < row.shape[0] else 2.0 * b - a
        out[n] = a + 0.5 * u * (
            b - before + u * (2.0 * before - 5.0 * a + 4.0 * b - after + u * (3.0 * (a - b) + after - before))
        )


@part
def _mix_turns(j: int, begin: int, mixed: int, share: Floats, was: Floats, out: Floats) -> None:
    """The quaternions of a joint in a double stance: from those that were to those that come."""
    for n in range(mixed):
        near = 0.0
        for c in range(4):
            near += was[c, n] * out[4 * j + c, begin + n]
        sign = -1.0 if near < 0.0 else 1.0
        for c in range(4):
            old = sign * was[c, n]
            out[4 * j + c, begin + n] = old + share[n] * (out[4 * j + c, begin + n] - old)


@part
def _unit_turns(j: int, begin: int, end: int, out: Floats) -> None:
    w, x = out[4 * j, begin:end], out[4 * j + 1, begin:end]
    y, z = out[4 * j + 2, begin:end], out[4 * j + 3, begin:end]
    for n in range(end - begin):
        size = 1.0 / math.sqrt(w[n] * w[n] + x[n] * x[n] + y[n] * y[n] + z[n] * z[n])
        w[n], x[n], y[n], z[n] = w[n] * size, x[n] * size, y[n] * size, z[n] * size


@part
def _pin_feet(
    p: int,
    begin: int,
    end: int,
    at: int,
    fps: float,
    plants: ChainPlants,
    chosen: ChosenSteps,
    sole: SoleShape,
    out: Floats,
    stands: Ints,
) -> None:
    """The balls of standing feet on their plants, exactly."""
    side = plants.sides[p]
    for n in range(begin, end):
        time = n / fps
        for foot in range(2):
            plant = chosen.supports[p]
            if foot == side:
                plant = chosen.starts[p] if time < chosen.lifts[p] else p
                if chosen.lifts[p] <= time < chosen.lands[p]:
                    plant = -1
            stands[foot, at + n] = plant
            if plant >= 0:
                r = FEET + FOOT_ROWS * foot
                yaw = chosen.foot_yaws[plant]
                out[r + YAW, n] = yaw
                on = chosen.places[plant]
                ball = rolled_ball(on[0], on[1], on[2], yaw, out[r + PITCH, n], sole.heel)
                out[r, n], out[r + 1, n], out[r + 2, n] = ball
