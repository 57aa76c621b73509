"""Foot plans through a world: footholds on a grid of what is level, firm and free."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human_skeleton import BALL_AHEAD_OF_ANKLE, HEEL_BEHIND_ANKLE, TOE_LENGTH, hip_height
from locomote.rotations import FloatArray
from locomote.steps._foothold_search import Blocked, Places, best_way
from locomote.steps._plan import FootPlan

if TYPE_CHECKING:
    from locomote.world import Ground, Obstacles

STEEPEST = math.radians(30.0)
SLOPE_COST = 0.5  # of the steepest; a step that is quite wrong costs 1
UNEVEN, BALL = 0.03, 0.08  # m that the ground may be off a plane, so far around the ball of a foot
SHIFTS = 4  # places a cell and axis, of which a foothold near an edge is the most level
LOW = 0.3  # leg lengths: lower obstacles and lower ground are stepped over, others are gone round
FOOT = 0.12  # m from the ball of a foot to what it must not touch
BODY = 0.28  # m from the middle of the body to what is not stepped over
CRAMPED = 0.06  # what it costs that a fifth of the heel or the toes has no room
TOE_ROOM = 0.04  # m before the tips of the toes: with less a foot cannot leave
SMALLEST, MOST_CELLS = 0.04, 60_000


def plan_across(
    start: rot.ArrayLike | FootPlan,
    goal: rot.ArrayLike,
    *,
    ground: Ground | None = None,
    obstacles: Obstacles | None = None,
    leg_length: float = 0.9,
    cell: float = 0.1,
    around: float = 2.0,
) -> FootPlan:
    """The plan of the most comfortable way over a ground and past obstacles as they stand, to a stance at the goal.

    Feet stand on places of a grid: not on what is steep, not over an edge, not on an obstacle. Low obstacles are
    stepped over, others gone round.

    Parameters
    ----------
    start : (2,) m as (x, z), or a plan, which then goes on
    goal : (2,) m, as (x, z)
    ground, obstacles : a level floor and nothing without them
    leg_length : m
    cell : m, of the grid
    around : m, that the grid reaches beyond start and goal
    """
    if not SMALLEST <= cell <= 1.0:
        raise LocomoteError(f"cell: expected {SMALLEST:g} to 1 m, got {cell!r}")
    if not (math.isfinite(around) and around >= 0.0):
        raise LocomoteError(f"around: expected metres of at least 0, got {around!r}")
    if not (math.isfinite(leg_length) and leg_length > 0.0):
        raise LocomoteError(f"leg_length: expected metres above 0, got {leg_length!r}")
    end = _place("goal", goal, ground)
    begin = start if isinstance(start, FootPlan) else _place("start", start, ground)
    first = begin.places[-2:].mean(axis=0) if isinstance(begin, FootPlan) else begin
    grid = _grid(first[[0, 2]], end[[0, 2]], cell, around)
    heights, free, cost = _footing(grid, ground, cell)
    blocks: list[Blocked] = []
    if ground is not None and np.ptp(heights) > LOW * leg_length:
        free &= _beside(grid, ground) <= heights + LOW * leg_length
        blocks.append(_blocked_by_ground(ground, LOW * leg_length))
    if obstacles is not None and len(obstacles):
        tall = obstacles.copy()
        for one in list(tall):
            if tall.height(one) < LOW * leg_length:
                tall.remove(one)
        free &= obstacles.distances(grid) > FOOT
        free &= tall.distances(grid) > BODY
        if len(tall):
            blocks.append(_blocked_by(tall))
    points = np.insert(grid[free], 1, heights[free], axis=1)
    if not len(points):
        raise LocomoteError("no free place for a foot between start and goal")
    room = None if ground is None else _room_on(ground, leg_length)
    places = Places(points, cost[free], lambda _: "a foothold", room)
    return best_way(places, begin, end, leg_length, (lambda a, b: _any(blocks, a, b)) if blocks else None)


def _place(name: str, value: rot.ArrayLike, ground: Ground | None) -> FloatArray:
    point = np.asarray(value, dtype=np.float64)
    if point.shape not in ((2,), (3,)) or not np.all(np.isfinite(point)):
        raise LocomoteError(f"{name}: expected a place (x, z), got {value!r}")
    spot = point[[0, -1]]
    return np.array([spot[0], 0.0 if ground is None else float(ground.heights(spot)), spot[1]])


def _grid(start: FloatArray, goal: FloatArray, cell: float, around: float) -> FloatArray:
    """Places ``(R, C, 2)`` about start and goal."""
    low = np.floor((np.minimum(start, goal) - around) / cell)
    high = np.ceil((np.maximum(start, goal) + around) / cell)
    columns, rows = (high - low + 1).tolist()
    if columns * rows > MOST_CELLS:
        raise LocomoteError(
            f"cell: {columns * rows:.0f} cells of {cell:g} m between start and goal, expected at most "
            f"{MOST_CELLS}; choose larger ones"
        )
    x, z = (cell * np.arange(a, b + 1) for a, b in zip(low, high, strict=True))
    return np.stack(np.meshgrid(x, z), axis=-1)


def _footing(
    grid: FloatArray, ground: Ground | None, cell: float
) -> tuple[FloatArray, npt.NDArray[np.bool_], FloatArray]:
    """Heights, where a foot can stand, and what it costs there; places at edges are shifted within their cells."""
    if ground is None:
        return np.zeros(grid.shape[:2]), np.ones(grid.shape[:2], dtype=bool), np.zeros(grid.shape[:2])
    slopes, off = _unevenness(grid, ground)
    edge = off > UNEVEN
    here, best = grid[edge], off[edge]
    at = cell * (np.arange(SHIFTS) / SHIFTS - 0.5)
    for shift in np.stack(np.meshgrid(at, at), axis=-1).reshape(-1, 2):
        moved = here + shift
        found = _unevenness(moved, ground)[1]
        grid[edge] = np.where((found < best)[:, None], moved, grid[edge])
        best = np.minimum(found, best)
    slopes[edge], off[edge] = _unevenness(grid[edge], ground)
    return ground.heights(grid), (slopes <= STEEPEST) & (off <= UNEVEN), SLOPE_COST * (slopes / STEEPEST) ** 2


def _unevenness(points: FloatArray, ground: Ground) -> tuple[FloatArray, FloatArray]:
    """Slopes (rad), and metres by which the ground under a ball leaves a plane."""
    heights, normals = ground.heights(points), ground.normal(points)
    off = np.zeros(heights.shape)
    for dx, dz in _ring(BALL):
        plane = heights - (normals[..., 0] * dx + normals[..., 2] * dz) / normals[..., 1]
        off = np.maximum(off, np.abs(ground.heights(points + np.array([dx, dz])) - plane))
    return np.arccos(np.clip(normals[..., 1], -1.0, 1.0)), off


def _beside(grid: FloatArray, ground: Ground) -> FloatArray:
    """The highest ground that a body over a place would touch."""
    rings = [ground.heights(grid + way) for radius in (0.5 * BODY, BODY) for way in _ring(radius)]
    out: FloatArray = np.max(rings, axis=0)
    return out


def _room_on(ground: Ground, leg_length: float) -> Callable[[FloatArray, FloatArray], FloatArray]:
    """What it costs that heel or toes of a foot are in higher ground: the face of a step behind or before it."""
    size = hip_height(leg_length)
    heel, toes = -size * (BALL_AHEAD_OF_ANKLE + HEEL_BEHIND_ANKLE), size * TOE_LENGTH + TOE_ROOM

    def room(points: FloatArray, headings: FloatArray) -> FloatArray:
        ahead = np.stack([np.sin(headings), np.cos(headings)], axis=1)
        out = np.zeros(len(points))
        for end in (heel, toes):
            for share in (0.4, 0.55, 0.7, 0.85, 1.0):
                higher = ground.heights(points[:, [0, 2]] + share * end * ahead) > points[:, 1] + UNEVEN
                out += CRAMPED * higher
        return out

    return room


def _ring(radius: float) -> Sequence[tuple[float, float]]:
    turns = math.tau * np.arange(8) / 8.0
    return [(radius * math.sin(turn), radius * math.cos(turn)) for turn in turns]


def _any(blocks: Sequence[Blocked], a: FloatArray, b: FloatArray) -> npt.NDArray[np.bool_]:
    out = np.zeros(len(a), dtype=bool)
    for blocked in blocks:
        out |= blocked(a, b)
    return out


def _blocked_by_ground(ground: Ground, low: float) -> Blocked:
    """Whether ground between two feet is higher than either by more than one steps over."""

    def blocked(a: FloatArray, b: FloatArray) -> npt.NDArray[np.bool_]:
        # What is nearer to a foot than that was looked at where the foot stands.
        x, z = b[:, 0] - a[:, 0], b[:, 2] - a[:, 2]
        far = np.flatnonzero(x * x + z * z > (2.0 * BODY) ** 2)
        here, way = a[far][:, [0, 2]], np.stack([x[far], z[far]], axis=1)
        most = np.maximum(a[far, 1], b[far, 1]) + low
        out = np.zeros(len(a), dtype=bool)
        out[far] = (ground.heights(here + 0.4 * way) > most) | (ground.heights(here + 0.6 * way) > most)
        return out

    return blocked


def _blocked_by(tall: Obstacles) -> Blocked:
    """Whether a body that goes from foot to foot would touch an obstacle."""

    def blocked(a: FloatArray, b: FloatArray) -> npt.NDArray[np.bool_]:
        out = np.zeros(len(a), dtype=bool)
        for share in (0.25, 0.5, 0.75):
            out |= tall.distances(a + share * (b - a)) < 0.8 * BODY
        return out

    return blocked
