"""A step fitted to its plants: standing feet lie flat, the swinging one leaves its place and comes to the next."""

from __future__ import annotations

import math

import numpy as np

from locomote.math._compile import inline, maker, part
from locomote.math.vector import Floats, Vector, smooth_step
from locomote.steps._kernels.blend import (
    BALL,
    FEET,
    FOOT_ROWS,
    KNEE,
    PITCH,
    ROLL,
    TOES,
    YAW,
    StepRecords,
    blend,
    place,
)
from locomote.steps._kernels.layout import BodyMeasures, ChosenSteps, PlayedChains, SoleShape, steepness

WINDOW = 0.6  # of a swing over which a foot turns from its natural yaw to that of its plants
EDGE = 0.25  # of a swing at either end, over which toes and roll become those of a standing foot
GAP_FADE = 0.5  # of a swing over which its ball leaves the plant for the recorded course
OFF, OFF_LESS = 0.4, 0.5  # of a swing in which a foot sets off, and by how much less than recorded: out of full rest
ROLL_DOWN = 0.5  # of a double stance in which a foot that lands on its heel comes down
MOST_KNEE = 0.6  # rad, by which a knee follows its foot
CLEARANCE = 0.02  # hip heights that a swinging foot keeps from the ground in mid-swing
EARLY = 0.7  # of a swing in which a foot rises to a higher place, or before whose end it does not sink to a lower one
AHEAD = 0.75  # of a swing in which a foot gets over a lower place, or after whose rest it sets off for a higher one
TINY = 1e-9  # m2
RISE_BUMP, SINK_BUMP = 0.15, 0.05  # of the difference in height by which it goes higher still on its way up or down


@inline
def rolled_ball(x: float, y: float, z: float, yaw: float, pitch: float, heel: float) -> Vector:
    """Where the ball of a foot is that stands on a place: on it, or, with raised toes, turned up about the heel."""
    if pitch >= 0.0:
        return x, y, z
    back = heel * (math.cos(pitch) - 1.0)
    return x + back * math.sin(yaw), y - heel * math.sin(pitch), z + back * math.cos(yaw)


@part
def make_sheet(p: int, is_first: bool, played: PlayedChains, body: BodyMeasures, upper: int, sheet: Floats) -> None:
    """The step to plant ``p`` in the world, its feet fitted to the plants; for ``upper`` see `blend`."""
    chosen, clips, size = played.chosen, played.clips, body.size
    side = played.plants.sides[p]
    blend(chosen.corners[p], chosen.weights[p], chosen.turns[p], clips, upper, side == 0, sheet)
    support, start = chosen.supports[p], chosen.starts[p]
    place(
        sheet, clips, side, chosen.frames[p], size,
        chosen.places[support], chosen.places[start], chosen.places[p],
    )  # fmt: skip
    standing = sheet[FEET + FOOT_ROWS * (1 - side) : FEET + FOOT_ROWS * (2 - side)]
    swinging = sheet[FEET + FOOT_ROWS * side : FEET + FOOT_ROWS * (1 + side)]
    if support >= played.plants.firsts[0] + 2 and chosen.starts[support] >= 0:
        _land_flat(chosen.places[support, 1] - chosen.places[chosen.starts[support], 1], size, 0, standing)
    _land_flat(chosen.places[p, 1] - chosen.places[start, 1], size, clips.lift, swinging)
    _fit_standing(is_first, chosen.foot_yaws[support], clips, standing)
    _fit_swinging(p, start, chosen, clips, swinging)
    _fit_swing_course(p, start, chosen, clips, body.sole, size, swinging)


@part
def _land_flat(climb: float, size: float, begin: int, foot: Floats) -> None:
    """Take the heel strike out of a step down, or up: there one comes down on the ball of the foot."""
    left = 1.0 - steepness(climb, size)
    for t in range(begin, foot.shape[1]):
        if foot[PITCH, t] < 0.0:
            foot[PITCH, t] *= left
            foot[TOES, t] *= left


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
    steep = steepness(climb, size)
    way_x, way_z = new[0] - old[0], new[2] - old[2]
    square = max(way_x * way_x + way_z * way_z, TINY)
    bump = max(RISE_BUMP * climb, -SINK_BUMP * climb)
    for t in range(lift, land + 1):
        u = (t - lift) / (land - lift)
        leaving, coming = 1.0 - smooth_step(u / GAP_FADE), smooth_step((u - 1.0 + GAP_FADE) / GAP_FADE)
        for d in range(3):
            foot[BALL + d, t] += leaving * gaps[0, d] + coming * gaps[1, d]
        rest = 1.0 - OFF_LESS * max(1.0 - u / OFF, 0.0) ** 2
        for d in (0, 2):
            foot[BALL + d, t] = old[d] + rest * (foot[BALL + d, t] - old[d])
        # Up the face of a step before going on, and beyond the edge of one before going down.
        on = smooth_step((u - 1.0 + AHEAD) / AHEAD) if climb > 0.0 else smooth_step(u / AHEAD)
        on -= ((foot[BALL, t] - old[0]) * way_x + (foot[BALL + 2, t] - old[2]) * way_z) / square
        foot[BALL, t] += steep * on * way_x
        foot[BALL + 2, t] += steep * on * way_z
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
