"""Chosen steps played one after the other: frames in which no standing foot moves."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.math._compile import maker, part
from locomote.math.vector import Floats, smooth_step
from locomote.steps._kernels.blend import FEET, FOOT_ROWS, JOINTS, PITCH, ROOT, YAW, StepRecords
from locomote.steps._kernels.fit import make_sheet, rolled_ball
from locomote.steps._kernels.layout import (
    BodyMeasures,
    ChosenSteps,
    MadeWalks,
    PlayedChains,
    PlayManner,
    PlayScratch,
)

Indices = npt.NDArray[np.uint32]


class Stretch(NamedTuple):
    """The frames of a chain from one landing to the next."""

    plant: int  # on which the foot comes down
    begin: int  # the first frame
    end: int  # and that after the last one
    is_first: bool  # no step goes before
    is_last: bool  # and none comes after


@part
def make_chain(
    chain: int, played: PlayedChains, body: BodyMeasures, manner: PlayManner, scratch: PlayScratch, made: MadeWalks
) -> None:
    """Fill the first columns of ``made.frames`` with the frames of a chain, and its columns of ``made.stands``."""
    chosen, clips, fps, sheets = played.chosen, played.clips, manner.fps, scratch.sheets
    at = played.frame_firsts[chain]
    count = played.frame_firsts[chain + 1] - at
    first, last = played.plants.firsts[chain] + 2, played.plants.firsts[chain + 1]
    done = 0
    for p in range(first, last):
        sheet = sheets[p % 2]
        make_sheet(p, p == first, played, body, manner.upper, sheet)
        stop = count
        if p + 1 < last:
            stop = min(count, math.ceil(chosen.lands[p] * fps - 1e-9))
        if stop > done:
            stretch = Stretch(p, done, stop, p == first, p + 1 == last)
            _play(stretch, chosen, clips, fps, sheets[(p + 1) % 2], sheet, made.frames)
            _pin_feet(stretch, at, fps, played, body.sole.heel, made)
            done = stop


@maker
def _play(
    stretch: Stretch,
    chosen: ChosenSteps,
    clips: StepRecords,
    fps: float,
    before: Floats,
    sheet: Floats,
    out: Floats,
) -> None:
    """The frames of a stretch: first the double stance, shared by two steps, whose sheets are given."""
    p, begin, end = stretch.plant, stretch.begin, stretch.end
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
            if not stretch.is_first:
                share[n] = smooth_step(part_done)
                old_s = clips.land + final * part_done
                old[n] = min(max(int(old_s), 0), samples - 2)
                old_rest[n] = old_s - old[n]
                mixed = n + 1
        elif time < chosen.lands[p] or not stretch.is_last:
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
def _pin_feet(stretch: Stretch, at: int, fps: float, played: PlayedChains, heel: float, made: MadeWalks) -> None:
    """The balls of standing feet on their plants, exactly; the chain begins with frame ``at`` of all."""
    p, chosen, out, stands = stretch.plant, played.chosen, made.frames, made.stands
    side = played.plants.sides[p]
    for n in range(stretch.begin, stretch.end):
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
                ball = rolled_ball(on[0], on[1], on[2], yaw, out[r + PITCH, n], heel)
                out[r, n], out[r + 1, n], out[r + 2, n] = ball
