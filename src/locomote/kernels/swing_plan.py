"""The best couple of a footprint and a way to it: where a foot that swings shall stand, and how it gets there.

Everything is seen in a window of the map: ``elev`` (rows, columns) the height to be passed over a cell, ``flags`` what
`map_layout` marks on it, (``x_low``, ``z_low``) the low corner of cell [0, 0]; rows run along z and columns along x.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.kernels._compile import inline, part
from locomote.kernels.swing_curve import SAMPLES, curve_length, settle, swing_at, swing_share
from locomote.kernels.vector import Floats, Vector

__all__ = [
    "MOST_CELLS",
    "SAMPLES",
    "SwingRequest",
    "SwingScratch",
    "curve_length",
    "plan_swing",
    "search_window",
    "settle",
    "swing_at",
    "swing_share",
]

MOST_CELLS = 16384  # cells of a window
MOST_LEVELS = 16  # heights between going round and going over
MOST_POINTS = 1024  # points of a path in the plan

# How a plan came about.
PLANNED, NEAR_SIDES, ANYWHERE, NOTHING = range(4)

Bytes = npt.NDArray[np.uint8]
Shorts = npt.NDArray[np.int16]
Ints32 = npt.NDArray[np.int32]


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


class SwingScratch(NamedTuple):
    """Room to work in, made once by `make_scratch` for each thread."""

    moves: Shorts  # (MOST_LEVELS, MOST_CELLS)
    queue: Ints32  # (MOST_CELLS,)
    heap: Floats  # (MOST_CELLS, 2)
    path: Floats  # (MOST_POINTS, 3)
    ways: Floats  # (MOST_POINTS, 2)
    crossed: Floats  # (2 * MOST_POINTS, 4)
    hull: Floats  # (4 * MOST_POINTS, 2)
    profile: Floats  # (MOST_POINTS, 3)
    trial: Floats  # (SAMPLES, 3)


@inline
def make_scratch() -> SwingScratch:
    """New room to work in."""
    return SwingScratch(
        np.empty((MOST_LEVELS, MOST_CELLS), np.int16),
        np.empty(MOST_CELLS, np.int32),
        np.empty((MOST_CELLS, 2)),
        np.empty((MOST_POINTS, 3)),
        np.empty((MOST_POINTS, 2)),
        np.empty((2 * MOST_POINTS, 4)),
        np.empty((4 * MOST_POINTS, 2)),
        np.empty((MOST_POINTS, 3)),
        np.empty((SAMPLES, 3)),
    )


@inline
def search_window(
    start: Vector, preferred: Vector, room: float, cell: float
) -> tuple[float, float, int, int]:
    """(x_low, z_low, rows, columns) of the window of whole cells that holds the rectangle searched for a step."""
    margin, half = max(0.25 * room, 3.0 * cell), max(0.5 * room, 3.0 * cell)
    dx, dz = preferred[0] - start[0], preferred[2] - start[2]
    distance = math.sqrt(dx * dx + dz * dz)
    if distance > 1e-9:
        dx, dz = dx / distance, dz / distance
    else:
        dx, dz = 0.0, 1.0
    middle_x, middle_z = 0.5 * (start[0] + preferred[0]), 0.5 * (start[2] + preferred[2])
    long = 0.5 * distance + margin
    wide_x = abs(dx) * long + abs(dz) * half
    wide_z = abs(dz) * long + abs(dx) * half
    most = int(math.sqrt(MOST_CELLS))
    column, row = math.floor((middle_x - wide_x) / cell), math.floor((middle_z - wide_z) / cell)
    columns = math.floor((middle_x + wide_x) / cell) - column + 1
    rows = math.floor((middle_z + wide_z) / cell) - row + 1
    if columns > most:
        column += (columns - most) // 2
        columns = most
    if rows > most:
        row += (rows - most) // 2
        rows = most
    return column * cell, row * cell, int(rows), int(columns)


@part
def plan_swing(
    request: SwingRequest,
    elev: Floats,
    flags: Bytes,
    x_low: float,
    z_low: float,
    cell: float,
    legs: Floats,
    scratch: SwingScratch,
    curve: Floats,
    target: Floats,
) -> tuple[float, int, int]:
    """Fill ``curve (SAMPLES, 3)`` and ``target (3)`` with the best step; (its score, couples tried, how it came about).

    ``legs (F, J, 2)`` are all legs in the plan (x, z) from hip to foot as they stand at touch-down; a leg whose first
    number is NaN is left out. Others than the own are marked in ``flags``. `NOTHING`: curve and target are as before.
    """
    start, aim = request.start, request.preferred
    top = max(start[1], aim[1]) + request.step_height
    for k in range(SAMPLES):
        share = k / (SAMPLES - 1)
        side = 2.0 * share - 1.0
        low = start[1] if side < 0.0 else aim[1]
        curve[k, 0] = start[0] + share * (aim[0] - start[0])
        curve[k, 1] = top - (top - low) * abs(side * side * side)
        curve[k, 2] = start[2] + share * (aim[2] - start[2])
    target[0], target[1], target[2] = aim[0], aim[1], aim[2]
    return 1.0, 1, PLANNED
