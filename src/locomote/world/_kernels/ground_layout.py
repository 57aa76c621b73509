"""The columns in which pieces of ground are kept, known to those who fill them without compiling anything.

A piece covers a rectangle of the plan about (X, Z), turned by YAW about +Y: local x within HALF_WIDTH, local z, which
points along (sin yaw, 0, cos yaw), within HALF_LENGTH. Its top is the plane Y + SLOPE_X * local x + SLOPE_Z * local z.
VX, VY, VZ (m/s) and TURN (rad/s) are its motion.
"""

from __future__ import annotations

from typing import NamedTuple

from locomote.rotations import FloatArray

COLUMNS = 12
X, Y, Z, YAW, HALF_WIDTH, HALF_LENGTH, SLOPE_X, SLOPE_Z, VX, VY, VZ, TURN = range(COLUMNS)
BASE = -1  # stands for the base where the index of a piece is asked for


class Terrain(NamedTuple):
    """The ground as arrays."""

    pieces: FloatArray  # (P, 12) in the columns of `ground_layout`
    grid: (
        FloatArray  # (R, C) m, heights of the base, rows along z, linear between, held beyond; one cell is a level base
    )
    frame: FloatArray  # (3,) m, x and z of ``grid[0, 0]``, and the side of a cell
