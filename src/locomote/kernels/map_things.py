"""The table of things that the grid maps show: obstacles and pieces of the ground where they are now."""

from __future__ import annotations

import math

from locomote.kernels import ground_layout as ground
from locomote.kernels import map_layout as thing
from locomote.kernels import obstacle_layout as obstacle
from locomote.kernels._compile import inline, kernel
from locomote.kernels.ground import height
from locomote.kernels.map_outline import Bytes
from locomote.kernels.vector import Floats, Ints

_FLAT_BELOW = 1e-9  # m: what is not higher lies on the base like a skin


@kernel
def place_obstacles(
    table: Floats,
    corners: Floats,
    slots: Ints,
    ground_moved: bool,
    pieces: Floats,
    grid: Floats,
    ground_frame: Floats,
    footings: Floats,
    things: Floats,
    thing_corners: Floats,
    changed: Bytes,
    bounds: Floats,
) -> bool:
    """Write every obstacle into its slot, mark those that changed, and tell whether any did.

    ``footings (S, 3)`` remember the place of a middle and the height of the ground there, which is asked for again only
    if either moved. ``bounds``, the lowest and highest x and z, are widened by what changed.
    """
    any_changed = False
    for o in range(table.shape[0]):
        s = slots[o]
        row, new = things[s], table[o]
        x, z = new[obstacle.X], new[obstacle.Z]
        if ground_moved or changed[s] or x != footings[s, 0] or z != footings[s, 1]:
            footings[s, 0], footings[s, 1] = x, z
            footings[s, 2] = height(x, z, 0.0, pieces, grid, ground_frame)[0]
        moves = 0.0
        if new[obstacle.VX] != 0.0 or new[obstacle.VZ] != 0.0 or new[obstacle.TURN] != 0.0:
            moves = 1.0
        if new[obstacle.RISE] != 0.0:
            moves = 1.0
        y = footings[s, 2] + new[obstacle.LIFT] + new[obstacle.HEIGHT]
        flat = 1.0 if new[obstacle.HEIGHT] + new[obstacle.LIFT] < _FLAT_BELOW else 0.0
        row[thing.VX], row[thing.VY] = new[obstacle.VX], new[obstacle.RISE]
        row[thing.VZ], row[thing.TURN] = new[obstacle.VZ], new[obstacle.TURN]
        if not changed[s]:
            same = x == row[thing.X] and y == row[thing.Y] and z == row[thing.Z]
            same = same and new[obstacle.YAW] == row[thing.YAW] and new[obstacle.SAFE] == row[thing.SAFE]
            same = same and new[obstacle.RADIUS] == row[thing.RADIUS] and moves == row[thing.MOVES]
            if same and flat == row[thing.FLAT]:
                continue
        any_changed, changed[s] = True, 1
        row[thing.X], row[thing.Y], row[thing.Z], row[thing.YAW] = x, y, z, new[obstacle.YAW]
        row[thing.SLOPE_X], row[thing.SLOPE_Z], row[thing.SAFE] = 0.0, 0.0, new[obstacle.SAFE]
        row[thing.CORNERS], row[thing.RADIUS] = new[obstacle.CORNERS], new[obstacle.RADIUS]
        row[thing.LOW], row[thing.PEAK], row[thing.FLAT], row[thing.MOVES] = y, y, flat, moves
        for k in range(int(row[thing.CORNERS])):
            thing_corners[s, k, 0], thing_corners[s, k, 1] = corners[o, k, 0], corners[o, k, 1]
            _widen(corners[o, k, 0], corners[o, k, 1], bounds)
    return any_changed


@kernel
def place_pieces(
    pieces: Floats, slots: Ints, things: Floats, thing_corners: Floats, changed: Bytes, bounds: Floats
) -> bool:
    """Write every piece of the ground into its slot, as `place_obstacles` does for obstacles."""
    any_changed = False
    for p in range(pieces.shape[0]):
        s = slots[p]
        row, new = things[s], pieces[p]
        moves = 0.0
        if new[ground.VX] != 0.0 or new[ground.VY] != 0.0 or new[ground.VZ] != 0.0 or new[ground.TURN] != 0.0:
            moves = 1.0
        row[thing.VX], row[thing.VY] = new[ground.VX], new[ground.VY]
        row[thing.VZ], row[thing.TURN] = new[ground.VZ], new[ground.TURN]
        if not changed[s]:
            same = new[ground.X] == row[thing.X] and new[ground.Y] == row[thing.Y]
            same = same and new[ground.Z] == row[thing.Z] and new[ground.YAW] == row[thing.YAW]
            if same and moves == row[thing.MOVES]:
                continue
        any_changed, changed[s] = True, 1
        row[thing.X], row[thing.Y], row[thing.Z] = new[ground.X], new[ground.Y], new[ground.Z]
        row[thing.YAW], row[thing.MOVES], row[thing.SAFE], row[thing.FLAT] = new[ground.YAW], moves, 1.0, 0.0
        row[thing.SLOPE_X], row[thing.SLOPE_Z] = new[ground.SLOPE_X], new[ground.SLOPE_Z]
        width, length = new[ground.HALF_WIDTH], new[ground.HALF_LENGTH]
        row[thing.CORNERS], row[thing.RADIUS] = 4.0, math.sqrt(width * width + length * length)
        slack = abs(row[thing.SLOPE_X]) * width + abs(row[thing.SLOPE_Z]) * length
        row[thing.LOW], row[thing.PEAK] = row[thing.Y] - slack, row[thing.Y] + slack
        sine, cosine = math.sin(row[thing.YAW]), math.cos(row[thing.YAW])
        for k in range(4):
            local_x = -width if k < 2 else width
            local_z = -length if k == 0 or k == 3 else length
            x = row[thing.X] + cosine * local_x + sine * local_z
            z = row[thing.Z] + cosine * local_z - sine * local_x
            thing_corners[s, k, 0], thing_corners[s, k, 1] = x, z
            _widen(x, z, bounds)
    return any_changed


@inline
def _widen(x: float, z: float, bounds: Floats) -> None:
    bounds[0], bounds[1] = min(bounds[0], x), min(bounds[1], z)
    bounds[2], bounds[3] = max(bounds[2], x), max(bounds[3], z)
