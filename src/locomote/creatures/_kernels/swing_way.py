"""One way of a foot to one footprint: straight on over everything, or round all that is higher than a level."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.creatures._kernels.swing_curve import (
    RAMP,
    SAMPLES,
    covers,
    draw_profile,
    lift_over,
    smooth_path,
    space_again,
    space_evenly,
    upper_hull,
)
from locomote.creatures._kernels.swing_grid import (
    HEIGHT,
    MOST_CELLS,
    NUMBER,
    GridWindow,
    Ints32,
    cross_path,
    reduce_trail,
    way_back,
)
from locomote.creatures._kernels.swing_scores import LIFTING, lift_score, plan_score
from locomote.math._compile import inline, maker, part
from locomote.math.vector import Floats, Vector
from locomote.world._kernels.map_layout import GROWN

ATTEMPTS = 5  # to find a smooth path that touches nothing; the last is not smoothed

# Rows of the whole numbers of the scratch: the waves of the levels, the last of them over everything, and lists.
MOST_LEVELS = 16
QUEUE, FREE, TAKEN = MOST_LEVELS, MOST_LEVELS + 1, MOST_LEVELS + 2

# Rows of its other numbers: the places of a path, the points of a curve, of a smooth path, the cells it crosses, its
# hull, its profile, and the candidates.
WAYS, TRIAL, PATH, CROSSED, HULL, PROFILE, HEAP = 0, 128, 192, 1216, 3264, 7424, 8448


class SwingRequest(NamedTuple):
    """What a foot that swings is to do; all in metres and the world's axes."""

    start: Vector  # where the foot is
    velocity: Vector  # m/s of the foot now; zeros for a foot that leaves the ground
    preferred: Vector  # where it would best come down
    hip: Vector  # where its hip will be at touch-down
    hip_late: Vector  # where its hip will be at the end of the stance after it
    reach: float  # length of the stretched leg
    room: float  # how wide is searched: the reach, or twice as much where nothing was found
    fixed_distance: float  # footprints further from the preferred one are worth nothing
    step_height: float  # how high a foot is lifted over level ground
    clearance: float  # kept over all that is passed
    slice: float  # steps in which going round is tried against going over; 0: always over
    slices_up: float  # highest thing that is stepped over, seen from the start and the target
    extra_couples: int  # tried after the first that is possible
    edge: float  # worth of a footprint at the edge of a thing, against 1
    leg: int  # row of ``legs`` that is its own
    relax: bool  # where nothing is found: also too near to things, then anywhere in reach
    at_rest: Vector = (
        0.0,
        -1.0,
        0.0,
    )  # direction from the hip to the foot at rest, as the body stands at touch-down
    aim: float = -1.0  # cosine of the angle from it that the leg may have
    passed: int = 0  # bits of the legs that are not in the way yet, though they must not be crossed
    peak: float = 0.5  # share of the way after which a level step is highest


class SwingScratch(NamedTuple):
    """Room to work in, made once by `make_scratch` for each thread."""

    whole: Ints32  # (MOST_LEVELS + 3, MOST_CELLS)
    real: Floats  # (HEAP + MOST_CELLS, 4)


@maker
def make_scratch() -> SwingScratch:
    """New room to work in."""
    return SwingScratch(np.empty((TAKEN + 1, MOST_CELLS), np.int32), np.empty((HEAP + MOST_CELLS, 4)))


@part
def draw_way(
    request: SwingRequest,
    window: GridWindow,
    level: float,
    wave: int,
    goal: Vector,
    number: int,
    enough: float,
    scratch: SwingScratch,
) -> tuple[float, float]:
    """Draw a way to the place ``goal`` in the cell ``number``; (its worth, the top of what it passes over).

    With ``wave`` -1 it goes straight on, else by the wave of that row round what is higher than the level. The curve
    is in the rows from TRIAL on as (u, height, v, way). The worth is 0 where there is no way, or surely none worth more
    than enough; the top is -inf where a line in the plan is not free.
    """
    ways, path, crossed = scratch.real[WAYS:TRIAL], scratch.real[PATH:CROSSED], scratch.real[CROSSED:HULL]
    hull, profile = scratch.real[HULL:PROFILE], scratch.real[PROFILE:HEAP]
    trial = scratch.real[TRIAL : TRIAL + SAMPLES]
    start, cell = request.start, window.cell
    u0, v0 = (start[0] - window.x_low) / cell, (start[2] - window.z_low) / cell
    u1, v1 = (goal[0] - window.x_low) / cell, (goal[2] - window.z_low) / cell
    ways[0, 0], ways[0, 1], ways[1, 0], ways[1, 1] = u0, v0, u1, v1
    count, direct = 2, 1.0
    if wave >= 0:
        trail = scratch.whole[QUEUE]
        count = way_back(number, window.elev.shape[1], scratch.whole[wave], trail)
        count = reduce_trail(trail, count, u0, v0, u1, v1, level, window, crossed, ways)
        if count < 2:
            return 0.0, -math.inf
        direct = plan_score(ways, count)
        if direct <= enough:
            return 0.0, -math.inf
    first_u, first_v, first_s, first_y = _first_direction(request.velocity)
    high, ramp = max(start[1], goal[1]), RAMP * cell
    apex, depth = _apex(request, window, goal)
    for k in range(count):
        ways[k, 2] = 1.0
    for attempt in range(ATTEMPTS):
        places = smooth_path(ways, count, first_u, first_v, cell, path)
        cells, at = cross_path(path, places, level, window, crossed)
        if places == 0 or (cells < 0 and places == 2):
            return 0.0, -math.inf
        if cells < 0:
            span = int(path[at, 1])
            _stiffen(ways, span, span + 2, attempt)
            continue
        top = -math.inf
        for k in range(cells):
            if crossed[k, NUMBER] != window.start and crossed[k, NUMBER] != number:
                top = max(top, crossed[k, HEIGHT])
        if top > high + request.slices_up or direct * _most(top - high, request) <= enough:
            return 0.0, top
        # First a plain step; where it meets something, over the hull of all that is crossed.
        total, plain, points = path[places - 1, 3], 0.0, 0
        for over in range(2):
            corners = upper_hull(
                start[1],
                apex,
                goal[1],
                total,
                crossed,
                cells * over,
                window.start,
                number,
                request.clearance,
                ramp,
                request.peak,
                hull,
            )
            points = draw_profile(hull, corners, first_s, first_y, depth, profile)
            if points == 0:
                return 0.0, top
            if over == 0:
                plain = profile[points - 1, 2]
                if covers(profile, points, crossed, cells, window.start, number, request.clearance, ramp):
                    break
        space_evenly(profile, points, path, places, trial)
        if places > 2:
            # The lines between the points cut the bends of the path.
            cells, _ = cross_path(trial, SAMPLES, level, window, crossed)
            if cells < 0:
                _stiffen(ways, 0, count, attempt)
                continue
        # Points that were lifted lie further apart.
        if lift_over(trial, crossed, cells, window.start, number, request.clearance, ramp):
            space_again(trial, hull)
            lift_over(trial, crossed, cells, window.start, number, request.clearance, ramp)
        lift = 0.0
        for k in range(SAMPLES):
            lift = max(lift, trial[k, 1] - high)
        length = profile[points - 1, 2]
        return direct * lift_score(plain, length, lift, step_height(request), request.reach), top
    return 0.0, -math.inf


@inline
def _most(lift: float, request: SwingRequest) -> float:
    """The most that a way which passes over something so high may be worth."""
    return math.exp(-LIFTING * max(lift - step_height(request), 0.0) / request.reach)


@inline
def step_height(request: SwingRequest) -> float:
    """How high a plain step is: high enough to keep the clearance."""
    return max(request.step_height, 1.5 * request.clearance)


@inline
def _first_direction(velocity: Vector) -> tuple[float, float, float, float]:
    """The direction of a foot that moves: in the plan (u, v), and over the way and the height; zeros where it rests."""
    level = math.sqrt(velocity[0] * velocity[0] + velocity[2] * velocity[2])
    speed = math.sqrt(level * level + velocity[1] * velocity[1])
    if speed < 1e-6:
        return 0.0, 0.0, 0.0, 0.0
    if level < 0.05 * speed:
        return 0.0, 0.0, level / speed, velocity[1] / speed
    return velocity[0] / level, velocity[2] / level, level / speed, velocity[1] / speed


@inline
def _apex(request: SwingRequest, window: GridWindow, goal: Vector) -> tuple[float, float]:
    """How high the middle of a plain step is, and how far a foot that sinks at the start may go on sinking."""
    start, velocity = request.start, request.velocity
    if velocity[0] == 0.0 and velocity[1] == 0.0 and velocity[2] == 0.0:
        return max(start[1], goal[1]) + step_height(request), 0.0
    # A foot in the air is lifted over the ground it left, not over where it is by now; once it sinks it goes on so.
    columns = window.elev.shape[1]
    row, column = window.start // columns, window.start % columns
    ground = window.elev[row, column]
    if ground > start[1] or window.flags[row, column] & GROWN != 0:
        ground = min(goal[1], start[1])
    depth = 0.5 * (start[1] - ground)
    if velocity[1] <= 0.0:
        return min(start[1], goal[1]), depth
    return max(ground, goal[1]) + step_height(request), depth


@inline
def _stiffen(ways: Floats, first: int, last: int, attempt: int) -> None:
    """Let a path bend less at some of its places; in the end it goes straight from place to place."""
    if attempt < ATTEMPTS - 2:
        for k in range(first, last):
            ways[k, 2] *= 0.5
    else:
        ways[:, 2] = 0.0
