"""Chosen steps played one after the other: frames in which no standing foot moves."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.kernels._compile import inline, kernel, part
from locomote.kernels.step_blend import (
    BALL,
    FEET,
    FOOT_ROWS,
    JOINTS,
    KNEE,
    PITCH,
    ROLL,
    ROOT,
    ROWS,
    TOES,
    YAW,
    Clips,
    blend,
    mirror,
    place,
)
from locomote.kernels.step_chain import Chosen, Plants
from locomote.kernels.vector import Floats, Ints, Vector, smooth_step

WINDOW = 0.6  # of a swing over which a foot turns from its natural yaw to that of its plants
EDGE = 0.25  # of a swing at either end, over which toes and roll become those of a standing foot
GAP_FADE = 0.5  # of a swing over which its ball leaves the plant for the recorded course
ROLL_DOWN = 0.5  # of a double stance in which a foot that lands on its heel comes down
MOST_KNEE = 0.6  # rad, by which a knee follows its foot
CLEARANCE = 0.02  # hip heights that a swinging foot keeps from the ground in mid-swing
EARLY = 0.6  # of a swing in which a foot rises to a higher place, or before whose end it does not sink to a lower one
RISE_BUMP = 0.3  # of the difference in height by which it goes higher still on the way


class Sole(NamedTuple):
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


@kernel
def make_frames(
    plants: Plants,
    chosen: Chosen,
    clips: Clips,
    sole: Sole,
    size: float,
    fps: float,
    upper: int,
    frame_firsts: Ints,
    out: Floats,
    stands: Ints,
) -> None:
    """Fill ``out (ROWS, F)`` with the frames of all chains, ``stands (2, F)`` with the plants under the feet or -1."""
    count = clips.sheets.shape[2]
    sheets = np.empty((2, ROWS, count))
    for chain in range(plants.firsts.shape[0] - 1):
        first, last = plants.firsts[chain] + 2, plants.firsts[chain + 1]
        begin, end = frame_firsts[chain], frame_firsts[chain + 1]
        done = begin
        for p in range(first, last):
            sheet = sheets[p % 2]
            _make_sheet(p, p == first, plants, chosen, clips, sole, size, upper, sheet)
            until = chosen.lands[p]
            stop = end
            if p + 1 < last:
                stop = min(end, begin + math.ceil(until * fps - 1e-9))
            _play(
                p, done, stop, begin, p > first, p + 1 == last,
                plants, chosen, clips, sole, fps, sheets[(p + 1) % 2], sheet, out, stands,
            )  # fmt: skip
            done = stop


@part
def _make_sheet(
    p: int,
    is_first: bool,
    plants: Plants,
    chosen: Chosen,
    clips: Clips,
    sole: Sole,
    size: float,
    upper: int,
    sheet: Floats,
) -> None:
    """The step to plant ``p`` in the world, its feet fitted to the plants."""
    blend(chosen.corners[p], chosen.weights[p], chosen.turns[p], clips, upper, sheet)
    side = plants.sides[p]
    if side == 0:
        mirror(clips, sheet)
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
def _fit_standing(is_first: bool, yaw: float, clips: Clips, foot: Floats) -> None:
    for t in range(foot.shape[1]):
        _turn_to(foot, t, yaw, 1.0)
        down = 0.0 if is_first else 1.0 - smooth_step(t / (ROLL_DOWN * clips.lift))
        _stand(foot, t, down)


@part
def _fit_swinging(p: int, start: int, chosen: Chosen, clips: Clips, foot: Floats) -> None:
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


@part
def _fit_swing_course(
    p: int, start: int, chosen: Chosen, clips: Clips, sole: Sole, size: float, foot: Floats
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
    for t in range(lift, land + 1):
        u = (t - lift) / (land - lift)
        leaving, coming = 1.0 - smooth_step(u / GAP_FADE), smooth_step((u - 1.0 + GAP_FADE) / GAP_FADE)
        for d in range(3):
            foot[BALL + d, t] += leaving * gaps[0, d] + coming * gaps[1, d]
        # The heights of `place` rise evenly; a foot rises early and sinks late.
        share_at = smooth_step(u / EARLY) if climb > 0.0 else smooth_step((u - 1.0 + EARLY) / EARLY)
        arch = 16.0 * (u * (1.0 - u)) ** 2
        height = old[1] + share_at * climb
        foot[BALL + 1, t] += (share_at - smooth_step(u)) * climb + RISE_BUMP * abs(climb) * arch
        pitch, toes = foot[PITCH, t], foot[TOES, t]
        low = min(sole.heel * math.sin(pitch), -sole.toes * math.sin(pitch + toes))
        low = foot[BALL + 1, t] + min(low, 0.0) - height
        room = arch * CLEARANCE * size
        if low < room:
            foot[BALL + 1, t] += room - low


@part
def _play(
    p: int,
    begin: int,
    end: int,
    zero: int,
    has_before: bool,
    is_last: bool,
    plants: Plants,
    chosen: Chosen,
    clips: Clips,
    sole: Sole,
    fps: float,
    before: Floats,
    sheet: Floats,
    out: Floats,
    stands: Ints,
) -> None:
    """The frames from the landing before to that on plant ``p``: first the double stance, shared by two steps."""
    count = end - begin
    if count <= 0:
        return
    samples = sheet.shape[1]
    at, rest = np.empty(count, dtype=np.int64), np.empty(count)
    old, old_rest, share = np.empty(count, dtype=np.int64), np.empty(count), np.empty(count)
    began = chosen.lifts[p] - chosen.stances[p]
    final = samples - 1 - clips.land
    for n in range(count):
        time = (begin + n - zero) / fps
        share[n] = 1.0
        old[n], old_rest[n] = 0, 0.0
        if time < chosen.lifts[p]:
            part_done = (time - began) / chosen.stances[p]
            s = clips.lift * part_done
            if has_before:
                share[n] = smooth_step(part_done)
                old_s = clips.land + final * part_done
                old[n] = min(int(old_s), samples - 2)
                old_rest[n] = old_s - old[n]
        elif time < chosen.lands[p] or not is_last:
            part_done = (time - chosen.lifts[p]) / (chosen.lands[p] - chosen.lifts[p])
            s = clips.lift + (clips.land - clips.lift) * part_done
        else:
            s = clips.land + final * min((time - chosen.lands[p]) / chosen.finals[p], 1.0)
        at[n] = min(max(int(s), 0), samples - 2)
        rest[n] = s - at[n]
    mixed = 0  # frames at the beginning that are shared
    while mixed < count and share[mixed] < 1.0:
        mixed += 1
    _play_turns(begin, count, mixed, at, rest, old, old_rest, share, before, sheet, out)
    for r in range(ROOT, FEET):
        for n in range(count):
            out[r, begin + n] = _sample(sheet[r], at[n], rest[n])
        for n in range(mixed):
            was = _sample(before[r], old[n], old_rest[n])
            out[r, begin + n] = was + share[n] * (out[r, begin + n] - was)
    for r in range(FEET, ROWS):
        row, to = sheet[r], out[r]
        for n in range(count):
            to[begin + n] = row[at[n]] + rest[n] * (row[at[n] + 1] - row[at[n]])
        row = before[r]
        angle = (r - FEET) % FOOT_ROWS == YAW
        for n in range(mixed):
            was = row[old[n]] + old_rest[n] * (row[old[n] + 1] - row[old[n]])
            if angle:
                was += 2.0 * math.pi * math.floor((to[begin + n] - was) / (2.0 * math.pi) + 0.5)
            to[begin + n] = was + share[n] * (to[begin + n] - was)
    _pin_feet(p, begin, end, zero, fps, plants, chosen, sole, out, stands)


@inline
def _sample(row: Floats, i: int, u: float) -> float:
    """A row between samples ``i`` and ``i + 1``, its slope without a break: the pelvis shows every one."""
    a, b = row[i], row[i + 1]
    before = row[i - 1] if i > 0 else 2.0 * a - b
    after = row[i + 2] if i + 2 < row.shape[0] else 2.0 * b - a
    out: float = a + 0.5 * u * (
        b - before + u * (2.0 * before - 5.0 * a + 4.0 * b - after + u * (3.0 * (a - b) + after - before))
    )
    return out


@part
def _play_turns(
    begin: int,
    count: int,
    mixed: int,
    at: Ints,
    rest: Floats,
    old: Ints,
    old_rest: Floats,
    share: Floats,
    before: Floats,
    sheet: Floats,
    out: Floats,
) -> None:
    """The same of the quaternions."""
    for j in range(JOINTS):
        r = 4 * j
        for c in range(4):
            row, to = sheet[r + c], out[r + c]
            if j == 0:
                for n in range(count):
                    to[begin + n] = _sample(row, at[n], rest[n])
                continue
            for n in range(count):
                to[begin + n] = row[at[n]] + rest[n] * (row[at[n] + 1] - row[at[n]])
        was = np.empty(4)
        for n in range(mixed):
            near = 0.0
            for c in range(4):
                row = before[r + c]
                if j == 0:
                    was[c] = _sample(row, old[n], old_rest[n])
                else:
                    was[c] = row[old[n]] + old_rest[n] * (row[old[n] + 1] - row[old[n]])
                near += was[c] * out[r + c, begin + n]
            sign = -1.0 if near < 0.0 else 1.0
            for c in range(4):
                new = out[r + c, begin + n]
                out[r + c, begin + n] = sign * was[c] + share[n] * (new - sign * was[c])
        w, x, y, z = out[r], out[r + 1], out[r + 2], out[r + 3]
        for n in range(begin, begin + count):
            size = 1.0 / math.sqrt(w[n] * w[n] + x[n] * x[n] + y[n] * y[n] + z[n] * z[n])
            w[n], x[n], y[n], z[n] = w[n] * size, x[n] * size, y[n] * size, z[n] * size


@part
def _pin_feet(
    p: int,
    begin: int,
    end: int,
    zero: int,
    fps: float,
    plants: Plants,
    chosen: Chosen,
    sole: Sole,
    out: Floats,
    stands: Ints,
) -> None:
    """The balls of standing feet on their plants, exactly."""
    side = plants.sides[p]
    for n in range(begin, end):
        time = (n - zero) / fps
        for foot in range(2):
            plant = chosen.supports[p]
            if foot == side:
                plant = chosen.starts[p] if time < chosen.lifts[p] else p
                if chosen.lifts[p] <= time < chosen.lands[p]:
                    plant = -1
            stands[foot, n] = plant
            if plant >= 0:
                r = FEET + FOOT_ROWS * foot
                yaw = chosen.foot_yaws[plant]
                out[r + YAW, n] = yaw
                on = chosen.places[plant]
                ball = rolled_ball(on[0], on[1], on[2], yaw, out[r + PITCH, n], sole.heel)
                out[r, n], out[r + 1, n], out[r + 2, n] = ball
