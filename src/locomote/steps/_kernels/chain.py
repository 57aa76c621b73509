"""A chain of steps: from places for the feet to recorded steps with weights, foot yaws and times."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats, Ints, wrapped
from locomote.steps._kernels.blend import StepRecords
from locomote.steps._kernels.choose import EXACT, FEATURES, TIME, YAW, StepWishes, choose
from locomote.steps._kernels.layout import BodyMeasures, ChainPlants, ChosenSteps, steepness
from locomote.steps._kernels.locate import StepSpace

TOGETHER = 0.02 / 0.9  # hip heights between the feet below which the line between them says nothing
MOST_YAW = math.radians(45.0)  # by which a foot is turned from its natural yaw for the sake of the plan
FREE_YAW = math.radians(15.0)  # by which a foot whose yaw is free points elsewhere than the body might face
UNSURE = math.radians(60.0)  # beyond which the guess where the body faces is not believed
OPPOSITE = math.radians(100.0)  # between feet, from which on the rotations of two steps have no mean
SLOWEST, FASTEST = 1.4, 0.7  # of its natural duration, which a step may take for the sake of the plan
STEADY = 0.5  # of the rhythm of a step that the next one keeps
STAIR_SWING = 0.68  # of a step on stairs, at least: as short as the way is, the foot goes up or down twice a tread
SHORTEST = 1.0 / 60.0  # s, of a double stance
HALF = 0.5


class ChainScratch(NamedTuple):
    """Room to work on chains, and what one step tells the next."""

    costs: Floats  # (N,) for the choice among N recorded steps
    query: Floats  # (FEATURES,) of the step that is chosen
    now: Floats  # (3,) s at the recorded tempo, parts of the step that was chosen last
    usual: Floats  # (3,) s, the same on average over all recorded steps
    natural: Floats  # (P, 3) rad, yaws of the feet on the plants: landed on, stood on, left


@kernel
def choose_steps(
    plants: ChainPlants,
    steps: StepSpace,
    clips: StepRecords,
    wishes: StepWishes,
    body: BodyMeasures,
    out: ChosenSteps,
) -> None:
    """Choose the steps of all chains for bodies of these measures."""
    count = steps.features.shape[0]
    usual = np.zeros(3)
    for n in range(count):
        for k in range(3):
            usual[k] += clips.durations[n, k] / count
    natural = np.full((plants.sides.shape[0], 3), np.nan)
    scratch = ChainScratch(np.empty(count), np.empty(FEATURES), np.empty(3), usual, natural)
    at = 0
    for chain in range(plants.firsts.shape[0] - 1):
        first, last = plants.firsts[chain], plants.firsts[chain + 1]
        latest = np.empty(2, dtype=np.int64)
        for p in range(first, last):
            out.places[p] = plants.places[p]
            side = plants.sides[p]
            if p < first + 2:
                latest[side] = p
                out.lands[p] = out.lifts[p] = out.off[p] = 0.0
                natural[p, 0] = plants.known_yaws[p]
                continue
            out.supports[p], out.starts[p] = latest[1 - side], latest[side]
            _frame(p, plants, natural, body.size, out)
            before = p - 1 if p > first + 2 else -1
            if plants.frozen[p] == 0:
                _ask(p, before, plants, body, scratch, out)
                at, out.off[p] = choose(
                    scratch.query, at, steps, wishes, scratch.costs, out.corners[p], out.turns[p], out.weights[p]
                )
            _realise(p, plants, steps, clips, wishes, body.size, scratch, out)
            latest[side] = p
            if plants.frozen[p] == 0:
                _time(p, before, plants, body, wishes.rhythm, scratch, out)
            if not math.isnan(plants.known_yaws[p]):
                natural[p, 0] = plants.known_yaws[p]
        for p in range(first, last):
            out.foot_yaws[p] = _foot_yaw(natural[p], plants.yaws[p], plants.facings[p], plants.known_yaws[p])


@inline
def _time(
    p: int,
    before: int,
    plants: ChainPlants,
    body: BodyMeasures,
    rhythm: float,
    scratch: ChainScratch,
    out: ChosenSteps,
) -> None:
    """When the foot leaves and lands. The double stance is shared with the step before."""
    now, usual, tempo = scratch.now, scratch.usual, body.tempo
    stance = tempo * now[0] if before < 0 else 0.5 * (tempo * now[0] + out.finals[before])
    swing = tempo * now[1]
    steep = steepness(out.places[p, 1] - out.places[out.starts[p], 1], body.size)
    longer = max(steep * (STAIR_SWING * (stance + swing) - swing), 0.0)
    stance, swing = stance - longer, swing + longer
    wanted = plants.times[p] - out.lands[p - 1]
    if math.isfinite(wanted):
        factor = min(max(wanted / (stance + swing), FASTEST), SLOWEST)
    else:
        longer = (stance + swing) / (tempo * (usual[0] + usual[1])) - 1.0
        factor = (1.0 + rhythm * math.tanh(longer / rhythm)) / (1.0 + longer)
    out.stances[p] = max(stance * factor, SHORTEST, plants.ready[p] - out.lands[p - 1])
    out.lifts[p] = out.lands[p - 1] + out.stances[p]
    out.lands[p] = out.lifts[p] + swing * factor
    out.finals[p] = max(tempo * now[2], SHORTEST)


@inline
def _frame(p: int, plants: ChainPlants, natural: Floats, size: float, out: ChosenSteps) -> None:
    """The yaw of the supporting frame, whose x axis goes through both feet, to the right of the body."""
    support, start = out.supports[p], out.starts[p]
    x = out.places[start, 0] - out.places[support, 0]
    z = out.places[start, 2] - out.places[support, 2]
    if math.sqrt(x * x + z * z) < TOGETHER * size:
        yaw = _known(support, plants, natural)
        x, z = -math.cos(yaw), math.sin(yaw)
    elif plants.sides[p] == 0:
        x, z = -x, -z
    out.frames[p] = math.atan2(-z, x)


@inline
def _known(p: int, plants: ChainPlants, natural: Floats) -> float:
    """How the foot on a plant is turned, as far as it is known or asked for; else as the body faces; or 0."""
    yaw = plants.yaws[p]
    if math.isnan(yaw):
        yaw = natural[p, 0]
    if math.isnan(yaw):
        yaw = plants.facings[p]
    return 0.0 if math.isnan(yaw) else yaw


@inline
def _ask(p: int, before: int, plants: ChainPlants, body: BodyMeasures, scratch: ChainScratch, out: ChosenSteps) -> None:
    """Fill the query of a step, as one of the right foot."""
    query, last, usual, natural = scratch.query, scratch.now, scratch.usual, scratch.natural
    support, start, size = out.supports[p], out.starts[p], body.size
    turn, sign = out.frames[p], 1.0 if plants.sides[p] == 1 else -1.0
    s, c = math.sin(turn), math.cos(turn)
    x, z = plants.places[p, 0] - out.places[support, 0], plants.places[p, 2] - out.places[support, 2]
    wide_x = out.places[start, 0] - out.places[support, 0]
    wide_z = out.places[start, 2] - out.places[support, 2]
    query[0] = math.sqrt(wide_x * wide_x + wide_z * wide_z) / size
    query[1] = sign * (c * x - s * z) / size
    query[2] = (s * x + c * z) / size
    for k in range(3):
        plant = support if k == 0 else (start if k == 1 else p)
        yaw = plants.yaws[plant]
        if math.isnan(yaw):
            yaw = natural[plant, 0]
        if math.isnan(yaw):
            yaw = plants.facings[plant]
        query[YAW + k] = sign * (yaw - turn)
    for k in range(3):
        query[TIME + k] = usual[k] if before < 0 else STEADY * last[k] + (1.0 - STEADY) * usual[k]
    wanted = (plants.times[p] - out.lands[p - 1]) / body.tempo
    if math.isfinite(wanted):
        share = usual[1] / (usual[0] + usual[1])
        query[TIME], query[TIME + 1] = (1.0 - share) * wanted, share * wanted


@inline
def _realise(
    p: int,
    plants: ChainPlants,
    steps: StepSpace,
    clips: StepRecords,
    wishes: StepWishes,
    size: float,
    scratch: ChainScratch,
    out: ChosenSteps,
) -> None:
    """What the chosen steps make of it: yaws of the feet, durations, and in the nearest mode another place."""
    durations, natural = scratch.now, scratch.natural
    support, start = out.supports[p], out.starts[p]
    corners, weights, turns = out.corners[p], out.weights[p], out.turns[p]
    most = 0
    for k in range(1, 4):
        if turns[k] > turns[most]:
            most = k
    _drop_opposite(most, corners, turns, clips)
    turn, sign = out.frames[p], 1.0 if plants.sides[p] == 1 else -1.0
    for k in range(3):
        durations[k] = 0.0
        base, yaw = clips.yaws[corners[most], k], 0.0
        least, largest = math.inf, 0.0
        for i in range(4):
            durations[k] += weights[i] * clips.durations[corners[i], k]
            yaw += turns[i] * wrapped(clips.yaws[corners[i], k] - base)
            if turns[i] > 0.0:
                least = min(least, clips.durations[corners[i], k])
                largest = max(largest, clips.durations[corners[i], k])
        durations[k] = min(max(durations[k], HALF * least), largest / HALF)  # extrapolated weights go far
        plant = support if k == 0 else (start if k == 1 else p)
        which = 1 if k == 0 else (2 if k == 1 else 0)
        natural[plant, which] = wrapped(turn + sign * (base + yaw))
    if out.off[p] > 0.0 and wishes.outside < EXACT:
        x = z = 0.0
        for i in range(4):
            x += weights[i] * steps.features[corners[i], 1]
            z += weights[i] * steps.features[corners[i], 2]
        x, z = sign * x * size, z * size
        s, c = math.sin(turn), math.cos(turn)
        out.places[p, 0] = out.places[support, 0] + c * x + s * z
        out.places[p, 2] = out.places[support, 2] - s * x + c * z


@inline
def _drop_opposite(most: int, corners: Ints, turns: Floats, clips: StepRecords) -> None:
    """Leave out of the mean of rotations the steps that face another way than the heaviest; places keep them."""
    total = 0.0
    for i in range(4):
        for k in range(3):
            if abs(wrapped(clips.yaws[corners[i], k] - clips.yaws[corners[most], k])) > OPPOSITE:
                turns[i] = 0.0
        total += turns[i]
    for i in range(4):
        turns[i] /= total


@inline
def _foot_yaw(natural: Floats, asked: float, facing: float, known: float) -> float:
    """The yaw of a foot on its plant: between that with which it comes and leaves, near to what is asked for."""
    if not math.isnan(known):
        return known
    come, stand, leave = natural[0], natural[1], natural[2]
    a = come if not math.isnan(come) else stand
    b = leave if not math.isnan(leave) else stand
    if math.isnan(a):
        a = b
    if math.isnan(b):
        b = a
    if math.isnan(a):
        return 0.0 if math.isnan(asked) else asked
    yaw: float = a + 0.5 * wrapped(b - a)
    if not math.isnan(asked):
        yaw += min(max(wrapped(asked - yaw), -MOST_YAW), MOST_YAW)
    elif not math.isnan(facing):
        off = wrapped(yaw - facing)
        if abs(off) < UNSURE:
            yaw = facing + FREE_YAW * math.tanh(off / FREE_YAW)
    return yaw
