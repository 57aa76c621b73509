"""One way of a foot to one footprint: straight on over everything, or round all that is higher than a level."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.creatures._kernels.swing_lines import GridLine, cross_path, reduce_trail
from locomote.creatures._kernels.swing_profile import (
    RAMP,
    Passing,
    StepHeights,
    covers,
    draw_profile,
    lift_over,
    smooth_path,
    space_again,
    space_evenly,
    upper_hull,
)
from locomote.creatures._kernels.swing_scores import LIFTING, lift_score, plan_score
from locomote.creatures._kernels.swing_scratch import SAMPLES, CrossedCell, SwingScratch
from locomote.creatures._kernels.swing_wave import way_back
from locomote.creatures._kernels.swing_window import GridWindow
from locomote.math._compile import inline, part
from locomote.math.records import Records
from locomote.math.vector import Pair, Vector
from locomote.world._kernels.map_layout import GROWN

ATTEMPTS = 5  # to find a smooth path that touches nothing; the last is not smoothed


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
    slice: float  # steps in which going round is tried against going over
    slices_up: float  # highest thing that is stepped over, seen from the start and the target
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


class FirstMove(NamedTuple):
    """How a foot moves where a way begins; all zeros where it rests."""

    u: float  # its direction in the plan
    v: float
    way: float  # its direction over the way and the height
    height: float


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
) -> Pair:
    """Draw a way to the place ``goal`` in the cell ``number``; (its worth, the top of what it passes over).

    With ``wave`` -1 it goes straight on, else by the wave of that row round what is higher than the level. The curve
    is the trial of the scratch. The worth is 0 where there is no way, or surely none worth more than enough; the top is
    -inf where a line in the plan is not free.
    """
    ways, path, crossed, trial = scratch.ways, scratch.path, scratch.crossed, scratch.trial
    start, cell = request.start, window.cell
    count, direct = _route(request, window, level, wave, goal, number, enough, scratch)
    if count < 2:
        return 0.0, -math.inf
    first = _first_move(request.velocity)
    high = max(start[1], goal[1])
    apex, depth = _apex(request, window, goal)
    heights = StepHeights(start[1], apex, goal[1], request.peak)
    passing = Passing(window.start, number, request.clearance, RAMP * cell)
    for k in range(count):
        ways[k].bend = 1.0
    for attempt in range(ATTEMPTS):
        places = smooth_path(ways, count, first.u, first.v, cell, path)
        cells, at = cross_path(path, places, level, window, crossed)
        if places == 0 or (cells < 0 and places == 2):
            return 0.0, -math.inf
        if cells < 0:
            span = path[at].span
            _stiffen(ways, span, span + 2, attempt)
            continue
        top = _top_of(crossed, cells, passing)
        if top > high + request.slices_up or direct * _most(top - high, request) <= enough:
            return 0.0, top
        points, plain = _rise(heights, first, depth, path[places - 1].way, cells, passing, scratch)
        if points == 0:
            return 0.0, top
        space_evenly(scratch.profile, points, path, places, trial)
        if places > 2:
            # The lines between the points cut the bends of the path.
            cells, _ = cross_path(trial, SAMPLES, level, window, crossed)
            if cells < 0:
                _stiffen(ways, 0, count, attempt)
                continue
        # Points that were lifted lie further apart.
        if lift_over(trial, crossed, cells, passing):
            space_again(trial, scratch.lengths, scratch.spare)
            lift_over(trial, crossed, cells, passing)
        lift = 0.0
        for k in range(SAMPLES):
            lift = max(lift, trial[k].height - high)
        length = scratch.profile[points - 1].length
        return direct * lift_score(plain, length, lift, step_height(request), request.reach), top
    return 0.0, -math.inf


@inline
def _route(
    request: SwingRequest,
    window: GridWindow,
    level: float,
    wave: int,
    goal: Vector,
    number: int,
    enough: float,
    scratch: SwingScratch,
) -> tuple[int, float]:
    """Fill the ways of the scratch with the places of a path; (how many, how direct it is), fewer than 2 for none."""
    start, cell, ways = request.start, window.cell, scratch.ways
    u0, v0 = (start[0] - window.x_low) / cell, (start[2] - window.z_low) / cell
    u1, v1 = (goal[0] - window.x_low) / cell, (goal[2] - window.z_low) / cell
    if wave < 0:
        ways[0].u, ways[0].v, ways[1].u, ways[1].v = u0, v0, u1, v1
        return 2, 1.0
    trail = scratch.queue
    count = way_back(number, window.elev.shape[1], scratch.waves[wave], trail)
    count = reduce_trail(trail, count, GridLine(u0, v0, u1, v1), level, window, scratch.crossed, ways)
    if count < 2:
        return 0, 0.0
    direct = plan_score(ways, count)
    return (count, direct) if direct > enough else (0, 0.0)


@inline
def _top_of(crossed: Records, cells: int, passing: Passing) -> float:
    """The top of what a path passes over."""
    top = -math.inf
    for k in range(cells):
        cell: CrossedCell = crossed[k]
        if cell.number != passing.start and cell.number != passing.target:
            top = max(top, cell.height)
    return top


@inline
def _rise(
    heights: StepHeights,
    first: FirstMove,
    depth: float,
    total: float,
    cells: int,
    passing: Passing,
    scratch: SwingScratch,
) -> tuple[int, float]:
    """Draw a plain step, or where it meets something one over the hull of all that is crossed; (points, plain length).

    It is the profile of the scratch; 0 points are too many.
    """
    crossed, hull, profile = scratch.crossed, scratch.hull, scratch.profile
    plain, points = 0.0, 0
    for over in range(2):
        corners = upper_hull(heights, total, crossed, cells * over, passing, hull)
        points = draw_profile(hull, corners, first.way, first.height, depth, profile)
        if points == 0:
            break
        if over == 0:
            plain = profile[points - 1].length
            if covers(profile, points, crossed, cells, passing):
                break
    return points, plain


@inline
def _most(lift: float, request: SwingRequest) -> float:
    """The most that a way which passes over something so high may be worth."""
    return math.exp(-LIFTING * max(lift - step_height(request), 0.0) / request.reach)


@inline
def step_height(request: SwingRequest) -> float:
    """How high a plain step is: high enough to keep the clearance."""
    return max(request.step_height, 1.5 * request.clearance)


@inline
def _first_move(velocity: Vector) -> FirstMove:
    """How a foot moves that has a velocity."""
    level = math.sqrt(velocity[0] * velocity[0] + velocity[2] * velocity[2])
    speed = math.sqrt(level * level + velocity[1] * velocity[1])
    if speed < 1e-6:
        return FirstMove(0.0, 0.0, 0.0, 0.0)
    if level < 0.05 * speed:
        return FirstMove(0.0, 0.0, level / speed, velocity[1] / speed)
    return FirstMove(velocity[0] / level, velocity[2] / level, level / speed, velocity[1] / speed)


@inline
def _apex(request: SwingRequest, window: GridWindow, goal: Vector) -> Pair:
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
def _stiffen(ways: Records, first: int, last: int, attempt: int) -> None:
    """Let a path bend less at some of its places; in the end it goes straight from place to place."""
    if attempt < ATTEMPTS - 2:
        for k in range(first, last):
            ways[k].bend *= 0.5
    else:
        for k in range(ways.shape[0]):
            ways[k].bend = 0.0
