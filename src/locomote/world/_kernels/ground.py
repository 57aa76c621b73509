"""The ground at a place: a level or rastered base, and flat pieces on it that may slope, move and turn."""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints
from locomote.world._kernels.ground_layout import (
    BASE,
    COLUMNS,
    HALF_LENGTH,
    HALF_WIDTH,
    SLOPE_X,
    SLOPE_Z,
    TURN,
    VX,
    VY,
    VZ,
    YAW,
    Terrain,
    X,
    Y,
    Z,
)

__all__ = [
    "BASE",
    "COLUMNS",
    "HALF_LENGTH",
    "HALF_WIDTH",
    "SLOPE_X",
    "SLOPE_Z",
    "TURN",
    "VX",
    "VY",
    "VZ",
    "YAW",
    "Terrain",
    "X",
    "Y",
    "Z",
    "base_height",
    "base_slope",
    "height",
    "heights",
    "slope",
    "slopes",
]


@part
def height(x: float, z: float, ahead: float, terrain: Terrain) -> tuple[float, int]:
    """Height of the ground at a place, ``ahead`` seconds from now, and the piece that gives it (-1: the base).

    It is the highest of the base and the pieces that cover the place; of equally high ones the last.
    """
    pieces = terrain.pieces
    best, which = base_height(x, z, terrain.grid, terrain.frame), BASE
    for p in range(pieces.shape[0]):
        dx = x - pieces[p, X] - ahead * pieces[p, VX]
        dz = z - pieces[p, Z] - ahead * pieces[p, VZ]
        half_width, half_length = pieces[p, HALF_WIDTH], pieces[p, HALF_LENGTH]
        # Most pieces are far away: their circle is left out before the turn is worked out.
        if dx * dx + dz * dz > half_width * half_width + half_length * half_length:
            continue
        yaw = pieces[p, YAW] + ahead * pieces[p, TURN]
        sine, cosine = math.sin(yaw), math.cos(yaw)
        local_x, local_z = cosine * dx - sine * dz, sine * dx + cosine * dz
        if not (abs(local_x) <= half_width and abs(local_z) <= half_length):
            continue
        top = pieces[p, Y] + ahead * pieces[p, VY]
        top += pieces[p, SLOPE_X] * local_x + pieces[p, SLOPE_Z] * local_z
        if top >= best:
            best, which = top, p
    return best, which


@inline
def slope(x: float, z: float, ahead: float, which: int, terrain: Terrain) -> tuple[float, float]:
    """How fast the height of a piece, or of the base, grows along the world's x and z at a place."""
    if which == BASE:
        return base_slope(x, z, terrain.grid, terrain.frame)
    pieces = terrain.pieces
    yaw = pieces[which, YAW] + ahead * pieces[which, TURN]
    sine, cosine = math.sin(yaw), math.cos(yaw)
    across, along = pieces[which, SLOPE_X], pieces[which, SLOPE_Z]
    return cosine * across + sine * along, cosine * along - sine * across


@kernel
def heights(points_xz: Floats, ahead: float, terrain: Terrain, out: Floats, which: Ints) -> None:
    """Fill ``out (N,)`` and ``which (N,)`` with the height at each of ``points_xz (N, 2)`` and its piece."""
    for n in range(points_xz.shape[0]):
        out[n], which[n] = height(points_xz[n, 0], points_xz[n, 1], ahead, terrain)


@kernel
def slopes(points_xz: Floats, ahead: float, terrain: Terrain, out: Floats) -> None:
    """Fill ``out (N, 2)`` with how fast the height grows along x and z at each of ``points_xz (N, 2)``."""
    for n in range(points_xz.shape[0]):
        x, z = points_xz[n, 0], points_xz[n, 1]
        which = height(x, z, ahead, terrain)[1]
        out[n, 0], out[n, 1] = slope(x, z, ahead, which, terrain)


@inline
def base_height(x: float, z: float, grid: Floats, frame: Floats) -> float:
    """Height of the base alone."""
    rows, columns = grid.shape
    if rows == 1 and columns == 1:
        level: float = grid[0, 0]
        return level
    c, u = _cell((x - frame[0]) / frame[2], columns)
    r, v = _cell((z - frame[1]) / frame[2], rows)
    across, along = min(c + 1, columns - 1), min(r + 1, rows - 1)
    near = (1.0 - u) * grid[r, c] + u * grid[r, across]
    far = (1.0 - u) * grid[along, c] + u * grid[along, across]
    between: float = (1.0 - v) * near + v * far
    return between


@inline
def base_slope(x: float, z: float, grid: Floats, frame: Floats) -> tuple[float, float]:
    """How fast the height of the base alone grows along x and z."""
    rows, columns = grid.shape
    if rows == 1 and columns == 1:
        return 0.0, 0.0
    at_x, at_z = (x - frame[0]) / frame[2], (z - frame[1]) / frame[2]
    c, u = _cell(at_x, columns)
    r, v = _cell(at_z, rows)
    across, along = min(c + 1, columns - 1), min(r + 1, rows - 1)
    slope_x, slope_z = 0.0, 0.0
    if 0.0 <= at_x <= columns - 1:  # beyond the edges the height is held
        slope_x = (1.0 - v) * (grid[r, across] - grid[r, c]) + v * (grid[along, across] - grid[along, c])
    if 0.0 <= at_z <= rows - 1:
        slope_z = (1.0 - u) * (grid[along, c] - grid[r, c]) + u * (grid[along, across] - grid[r, across])
    return slope_x / frame[2], slope_z / frame[2]


@inline
def _cell(at: float, count: int) -> tuple[int, float]:
    """The cell of a place in cells, and how far into it; the last cell ends at ``count - 1``."""
    if not at > 0.0:  # also where the place is not a number
        return 0, 0.0
    last = max(count - 2, 0)
    index = int(min(at, float(last)))
    return index, min(at - index, 1.0)
