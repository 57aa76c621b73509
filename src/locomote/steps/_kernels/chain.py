"""A chain of steps: from places for the feet to recorded steps with weights, foot yaws and times."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats, Ints, wrapped
from locomote.steps._kernels.blend import StepRecords
from locomote.steps._kernels.choose import EXACT, FEATURES, TIME, YAW, StepWishes, choose
from locomote.steps._kernels.locate import StepSpace

TOGETHER = 0.02 / 0.9  # hip heights between the feet below which the line between them says nothing
MOST_YAW = math.radians(45.0)  # by which a foot is turned from its natural yaw for the sake of the plan
FREE_YAW = math.radians(15.0)  # by which a foot whose yaw is free points elsewhere than the body might face
UNSURE = math.radians(60.0)  # beyond which the guess where the body faces is not believed
OPPOSITE = math.radians(100.0)  # between feet, from which on the rotations of two steps have no mean
SLOWEST, FASTEST = 1.4, 0.7  # of its natural duration, which a step may take for the sake of the plan
STEADY = 0.5  # of the rhythm of a step that the next one keeps
SHORTEST = 1.0 / 60.0  # s, of a double stance
HALF = 0.5


class ChainPlants(NamedTuple):
    """What is asked for: the plants of all chains, one after the other; each chain begins with two that stand."""

    firsts: Ints  # (K + 1,) the first plant of each chain, and the number of plants
    sides: Ints  # (P,) 0 left, 1 right
    places: Floats  # (P, 3) m, the ball of the foot
    yaws: Floats  # (P,) rad, NaN: free
    facings: Floats  # (P,) rad, where the body might face there; NaN: unknown
    times: Floats  # (P,) s since the beginning, NaN: free
    known_yaws: Floats  # (P,) rad, of feet that already stand so; NaN: not known
    ready: Floats  # (P,) s, before which a foot does not leave
    frozen: Ints  # (P,) 1 for steps that are already chosen


class ChosenSteps(NamedTuple):
    """What is chosen: for every plant the step that leads to it. The first two of a chain have none."""

    corners: Ints  # (P, 4)
    weights: Floats  # (P, 4) of places
    turns: Floats  # (P, 4) of rotations
    supports: Ints  # (P,) the plant on which the other foot stands
    starts: Ints  # (P,) the plant from which the foot comes
    places: Floats  # (P, 3) m, where the feet really come down
    frames: Floats  # (P,) rad, yaw of the supporting frame
    foot_yaws: Floats  # (P,) rad, of the feet on the plants
    stances: Floats  # (P,) s, double stance before the swing
    lifts: Floats  # (P,) s, when the foot leaves
    lands: Floats  # (P,) s, when it comes down
    finals: Floats  # (P,) s, double stance after it, if the chain ends here
    off: Floats  # (P,) hip heights outside the hull, 0 inside


@kernel
def choose_steps(
    plants: ChainPlants,
    steps: StepSpace,
    clips: StepRecords,
    wishes: StepWishes,
    size: float,
    tempo: float,
    out: ChosenSteps,
) -> None:
    """Choose the steps of all chains for bodies of hip height ``size`` (m), ``tempo`` times as slow as recorded."""
    count = steps.features.shape[0]
    work, query, now = np.empty(count), np.empty(FEATURES), np.empty(3)
    usual = np.zeros(3)
    for n in range(count):
        for k in range(3):
            usual[k] += clips.durations[n, k] / count
    # Yaws of a plant: landed on, stood on, left.
    natural = np.full((plants.sides.shape[0], 3), np.nan)
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
            support, start = latest[1 - side], latest[side]
            out.supports[p], out.starts[p] = support, start
            _frame(p, side, support, start, plants, natural, size, out)
            before = p - 1 if p > first + 2 else -1
            if plants.frozen[p] == 0:
                _ask(p, side, support, start, before, plants, natural, usual, now, size, tempo, out, query)
                at, out.off[p] = choose(query, at, steps, wishes, work, out.corners[p], out.turns[p], out.weights[p])
            _realise(p, side, support, start, steps, clips, wishes, size, natural, now, out)
            latest[side] = p
            if plants.frozen[p] == 0:
                _time(p, before, plants, usual, now, tempo, wishes.rhythm, out)
            if not math.isnan(plants.known_yaws[p]):
                natural[p, 0] = plants.known_yaws[p]
        for p in range(first, last):
            out.foot_yaws[p] = _foot_yaw(natural[p], plants.yaws[p], plants.facings[p], plants.known_yaws[p])


@kernel
def guess_facings(firsts: Ints, sides: Ints, places: Floats, sure: float, toe_out: float, out: Floats) -> None:
    """Fill ``out (P,)``: where feet might point, a little outwards of square to the line between feet around them.

    The line goes from a plant to the nearest point between those of the other foot before and after it: forwards,
    backwards and aside it lies across the body. Feet on one line say nothing: there the nearest plant that says
    something counts, and without any the way from first to last.
    """
    across = np.empty((sides.shape[0], 2))
    for chain in range(firsts.shape[0] - 1):
        first, last = firsts[chain], firsts[chain + 1]
        for i in range(first, last):
            _across(i, first, last, sides, places, across[i])
        latest = -1
        for i in range(first, last):
            before, after = max(i - 1, first), min(i + 1, last - 1)
            x = across[before, 0] + 2.0 * across[i, 0] + across[after, 0]
            z = across[before, 1] + 2.0 * across[i, 1] + across[after, 1]
            out[i] = math.nan
            if math.sqrt(x * x + z * z) > 4.0 * sure:
                out[i] = math.atan2(z, -x)  # up x right
                for k in range(latest + 1 if latest >= 0 else first, i):
                    near = latest if latest >= 0 and k - latest <= i - k else i
                    out[k] = out[near]
                latest = i
        if latest >= 0:
            out[latest:last] = out[latest]
        else:
            x, z = places[last - 1, 0] - places[first, 0], places[last - 1, 2] - places[first, 2]
            if math.sqrt(x * x + z * z) > sure:
                out[first:last] = math.atan2(x, z)
        for i in range(first, last):
            out[i] += toe_out if sides[i] == 0 else -toe_out


@inline
def _across(i: int, first: int, last: int, sides: Ints, places: Floats, out: Floats) -> None:
    """From left to right at a plant, along the ground."""
    a = b = c = -1  # plants of the other foot: before, after, and one more where one of these is missing
    for k in range(i - 1, first - 1, -1):
        if sides[k] != sides[i]:
            if a < 0:
                a = k
            else:
                c = k
                break
    for k in range(i + 1, last):
        if sides[k] != sides[i]:
            if b < 0:
                b = k
                if a >= 0:
                    break
            else:
                c = k
                break
    here = b if a < 0 else a
    ax, az = places[here, 0], places[here, 2]
    if a >= 0 and b >= 0:
        bx, bz = places[b, 0], places[b, 2]
    elif c >= 0:
        # The stride on the other side of it is taken to be the same.
        bx, bz = 2.0 * ax - places[c, 0], 2.0 * az - places[c, 2]
    else:
        bx, bz = ax, az
    x, z = bx - ax, bz - az
    along = ((places[i, 0] - ax) * x + (places[i, 2] - az) * z) / max(x * x + z * z, 1e-9)
    along = min(max(along, 0.0), 1.0)
    sign = 1.0 if sides[i] == 0 else -1.0
    out[0], out[1] = sign * (ax + along * x - places[i, 0]), sign * (az + along * z - places[i, 2])


@inline
def _time(
    p: int,
    before: int,
    plants: ChainPlants,
    usual: Floats,
    now: Floats,
    tempo: float,
    rhythm: float,
    out: ChosenSteps,
) -> None:
    """When the foot leaves and lands. The double stance is shared with the step before."""
    stance = tempo * now[0] if before < 0 else 0.5 * (tempo * now[0] + out.finals[before])
    swing = tempo * now[1]
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
def _frame(
    p: int,
    side: int,
    support: int,
    start: int,
    plants: ChainPlants,
    natural: Floats,
    size: float,
    out: ChosenSteps,
) -> None:
    """The yaw of the supporting frame, whose x axis goes through both feet, to the right of the body."""
    x = out.places[start, 0] - out.places[support, 0]
    z = out.places[start, 2] - out.places[support, 2]
    if math.sqrt(x * x + z * z) < TOGETHER * size:
        yaw = _known(support, plants, natural)
        x, z = -math.cos(yaw), math.sin(yaw)
    elif side == 0:
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
def _ask(
    p: int,
    side: int,
    support: int,
    start: int,
    before: int,
    plants: ChainPlants,
    natural: Floats,
    usual: Floats,
    last: Floats,
    size: float,
    tempo: float,
    out: ChosenSteps,
    query: Floats,
) -> None:
    """Fill the query of a step, as one of the right foot."""
    turn, sign = out.frames[p], 1.0 if side == 1 else -1.0
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
    wanted = (plants.times[p] - out.lands[p - 1]) / tempo
    if math.isfinite(wanted):
        share = usual[1] / (usual[0] + usual[1])
        query[TIME], query[TIME + 1] = (1.0 - share) * wanted, share * wanted


@inline
def _realise(
    p: int,
    side: int,
    support: int,
    start: int,
    steps: StepSpace,
    clips: StepRecords,
    wishes: StepWishes,
    size: float,
    natural: Floats,
    durations: Floats,
    out: ChosenSteps,
) -> None:
    """What the chosen steps make of it: yaws of the feet, durations, and in the nearest mode another place."""
    corners, weights, turns = out.corners[p], out.weights[p], out.turns[p]
    most = 0
    for k in range(1, 4):
        if turns[k] > turns[most]:
            most = k
    _drop_opposite(most, corners, turns, clips)
    turn, sign = out.frames[p], 1.0 if side == 1 else -1.0
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
