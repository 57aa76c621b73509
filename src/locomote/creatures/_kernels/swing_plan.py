"""The best couple of a footprint and a way to it: where a foot that swings shall stand, and how it gets there."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.creatures._kernels.swing_lines import NONE
from locomote.creatures._kernels.swing_scores import (
    LegLines,
    aim_score,
    distance_score,
    edge_score,
    neighbour_score,
    reach_score,
    would_cross,
)
from locomote.creatures._kernels.swing_scratch import (
    MOST_LEVELS,
    MOST_SIDE,
    SAMPLES,
    Candidate,
    PathPoint,
    SwingScratch,
)
from locomote.creatures._kernels.swing_wave import flood, open_cells, padded
from locomote.creatures._kernels.swing_way import SwingRequest, draw_way
from locomote.creatures._kernels.swing_window import GridWindow, MapWindow, inside, look, paint_legs
from locomote.math._compile import inline, kernel, part
from locomote.math.records import Records
from locomote.math.vector import Floats, Vector
from locomote.world._kernels.map_layout import CORNER, EDGE, GROWN, LEG, MET, NO_STAND, SWEPT

# How a plan came about: a good footprint; one too near to something low; any in reach; none.
PLANNED, NEAR_SIDES, ANYWHERE, NOTHING = range(4)
SOON_LEFT = 0.25  # worth of a footprint over which something drives while the foot stands


class Footprint(NamedTuple):
    """Where a foot may come down."""

    place: Vector  # m
    number: int  # flat number of its cell
    worth: float  # 0 to 1, whatever the way to it


@part
def best_way(
    request: SwingRequest,
    window: GridWindow,
    footprint: Footprint,
    best: float,
    flooded: int,
    scratch: SwingScratch,
    curve: Floats,
) -> tuple[float, int, int]:
    """(best score, levels flooded, couples tried) over all ways to one footprint.

    Fills ``curve`` where one is better.
    """
    goal, number, worth = footprint
    levels = min(math.ceil(request.slices_up / request.slice) + 1, MOST_LEVELS - 1)
    dx, dz = goal[0] - request.start[0], goal[2] - request.start[2]
    straight = math.sqrt(dx * dx + dz * dz)
    tried, top, seen, high = 0, 0.0, False, True
    waves, too_high = scratch.waves, scratch.too_high
    # First straight on over everything, then round what is higher than each level, last round the legs alone.
    for k in range(-1, levels + 1):
        level, wave = request.start[1] + k * request.slice, k
        if k == levels:
            wave = MOST_LEVELS - 1
        if k == -1 or k == levels:
            level = math.inf
        if k >= 0:
            # Levels at which the straight way is free give the same as going over everything; and nothing is left to
            # gain once the best is worth as much as the footprint alone.
            if (seen and top <= level) or not high or worth <= best:
                break
            if flooded == 0:
                open_cells(window, scratch.free)
            if flooded & (1 << wave) == 0:
                too_high[wave], _ = flood(level, window, scratch.free, waves[wave], scratch.queue)
                flooded |= 1 << wave
            high = too_high[wave] > 0
            same = 0 < k < levels and too_high[k] == too_high[k - 1]
            # A path of some length takes at most so many moves; one that cannot win is not drawn.
            moves = waves[wave, padded(number, window.elev.shape[1])] - 1
            most = min(1.0, math.sqrt(2.0) * straight / max((moves - 1) * window.cell, 1e-12))
            if same or moves < 0 or worth * most <= best:
                continue
        score, passed = draw_way(request, window, level, wave, goal, number, best / worth, scratch)
        tried += 1
        if k == -1:
            top, seen = passed, passed > -math.inf
        if worth * score > best:
            best = worth * score
            for j in range(SAMPLES):
                point: PathPoint = scratch.trial[j]
                curve[j, 0] = window.x_low + window.cell * point.u
                curve[j, 1] = point.height
                curve[j, 2] = window.z_low + window.cell * point.v
    return best, flooded, tried


@part
def candidate(
    request: SwingRequest, window: GridWindow, row: int, column: int, own: int, rung: int
) -> tuple[float, Vector]:
    """(worth, place) of a footprint in a cell; of the ``own`` cell of the preferred one it is that place itself.

    Where the cell is not all the same it is its middle, of which the flags tell.
    """
    elev, flags = window.elev, window.flags
    flag, number = int(flags[row, column]), row * elev.shape[1] + column
    goal = (
        window.x_low + (column + 0.5) * window.cell,
        elev[row, column],
        window.z_low + (row + 0.5) * window.cell,
    )
    if number == own and flag & (GROWN | EDGE | CORNER) == 0:
        goal = request.preferred
    if flag & (NO_STAND | LEG | MET) != 0 or (flag & GROWN != 0 and rung == PLANNED):
        return 0.0, goal
    if rung == NEAR_SIDES and flag & GROWN != 0 and elev[row, column] > request.preferred[1] + request.step_height:
        return 0.0, goal
    far = request.fixed_distance if rung != ANYWHERE else 2.0 * (request.reach + request.room)
    worth = distance_score(goal[0], goal[2], request.preferred, far)
    if worth > 0.0:
        worth *= reach_score(goal, request.hip, request.hip_late, request.reach)
        worth *= aim_score(goal, request.hip, request.at_rest, request.aim)
    if worth > 0.0:
        worth *= edge_score(flag, request.edge)
        level = max(request.step_height, window.cell)
        free = neighbour_score(row, column, elev, flags, level)
        worth *= free if rung == PLANNED else 0.1 + 0.9 * free
        worth *= SOON_LEFT if flag & SWEPT != 0 else 1.0
    return worth, goal


@inline
def _sift_up(heap: Records, worth: float, number: int, count: int) -> int:
    """Add a candidate to a heap."""
    k = count
    while k > 0 and heap[(k - 1) // 2].worth < worth:
        heap[k] = heap[(k - 1) // 2]
        k = (k - 1) // 2
    heap[k].worth, heap[k].number = worth, number
    return count + 1


@inline
def _sift_down(heap: Records, count: int) -> int:
    """Take the first of a heap away."""
    count -= 1
    last: Candidate = heap[count]
    k = 0
    while 2 * k + 1 < count:
        child = 2 * k + 1
        if child + 1 < count and heap[child + 1].worth > heap[child].worth:
            child += 1
        if heap[child].worth <= last.worth:
            break
        heap[k] = heap[child]
        k = child
    heap[k] = heap[count]
    return count


@part
def best_couple(
    request: SwingRequest,
    window: GridWindow,
    legs: LegLines,
    rung: int,
    scratch: SwingScratch,
    curve: Floats,
    target: Floats,
) -> tuple[float, int]:
    """(score, couples tried) of the best couple of a footprint and a way; the score is 0 where there is none."""
    rows, columns = window.elev.shape
    cell, aim = window.cell, request.preferred
    row, column = (
        math.floor((aim[2] - window.z_low) / cell),
        math.floor((aim[0] - window.x_low) / cell),
    )
    best, tried, own, done = 0.0, 0, -1, -1
    flooded = NONE
    if 0 <= row < rows and 0 <= column < columns:
        own = row * columns + column
        worth, goal = candidate(request, window, row, column, own, rung)
        # Nothing beats a perfect footprint, so it is the first to be tried, before any other is looked at.
        if worth >= 1.0 and not would_cross(request.hip, goal[0], goal[2], legs, request.leg):
            footprint = Footprint(goal, own, worth)
            best, flooded, tried = best_way(request, window, footprint, best, flooded, scratch, curve)
            done = own
            if best > 0.0:
                target[0], target[1], target[2] = goal
            if best >= 1.0:
                return best, tried
    far = request.fixed_distance if rung != ANYWHERE else 2.0 * (request.reach + request.room)
    wide = min(int(far / cell) + 1, 2 * rows + 2 * columns)
    heap, count = scratch.candidates, 0
    for r in range(max(row - wide, 0), min(row + wide + 1, rows)):
        for c in range(max(column - wide, 0), min(column + wide + 1, columns)):
            number = r * columns + c
            if number == done or not inside(r, c, window):
                continue
            worth, goal = candidate(request, window, r, c, own, rung)
            # The last rung takes legs that cross rather than none.
            if rung == ANYWHERE and worth > 0.0 and would_cross(request.hip, goal[0], goal[2], legs, request.leg):
                worth *= 0.1
            if worth > best:
                count = _sift_up(heap, worth, number, count)
    while count > 0 and heap[0].worth > best:
        worth, number = heap[0].worth, heap[0].number
        count = _sift_down(heap, count)
        _, goal = candidate(request, window, number // columns, number % columns, own, rung)
        if rung != ANYWHERE and would_cross(request.hip, goal[0], goal[2], legs, request.leg):
            continue
        footprint = Footprint(goal, number, worth)
        score, flooded, more = best_way(request, window, footprint, best, flooded, scratch, curve)
        tried += more
        if score > best:
            best = score
            target[0], target[1], target[2] = goal
    return best, tried


@part
def plan_swing(
    request: SwingRequest, seen: MapWindow, legs: LegLines, scratch: SwingScratch, curve: Floats, target: Floats
) -> tuple[float, int, int]:
    """Fill ``curve (SAMPLES, 3)`` and ``target (3)`` with the best step; (its score, couples tried, how it came about).

    Of ``legs`` others than the own are marked in the flags of the map, as they will stand at touch-down. With
    `NOTHING` curve and target are as before.
    """
    (rows, columns), cell = seen.elev.shape, seen.cell
    row = math.floor((request.start[2] - seen.z_low) / cell)
    column = math.floor((request.start[0] - seen.x_low) / cell)
    if not (0 <= row < rows <= MOST_SIDE and 0 <= column < columns <= MOST_SIDE):
        return 0.0, 0, NOTHING
    window = look(request.start, request.preferred, request.room, seen)
    paint_legs(legs.landing, request.leg, request.passed, window)
    tried = 0
    for rung in range(PLANNED, NOTHING if request.relax else NEAR_SIDES):
        score, more = best_couple(request, window, legs, rung, scratch, curve, target)
        tried += more
        if score > 0.0:
            return score, tried, rung
    return 0.0, tried, NOTHING


@kernel
def plan_once(
    request: SwingRequest, seen: MapWindow, legs: LegLines, scratch: Records, curve: Floats, target: Floats
) -> tuple[float, int, int]:
    """`plan_swing` for callers outside of kernels; ``scratch (1,)``."""
    return plan_swing(request, seen, legs, scratch[0], curve, target)
