"""The table of things that the grid maps show: obstacles and pieces of the ground where they are now."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats, Ints
from locomote.world._kernels import ground_layout as ground
from locomote.world._kernels import map_layout as thing
from locomote.world._kernels import obstacle_layout as obstacle
from locomote.world._kernels.ground import Terrain, height
from locomote.world._kernels.map_outline import Bytes

_FLAT_BELOW = 1e-9  # m: what is not higher lies on the base like a skin


class ThingRows(NamedTuple):
    """What is kept of the thing in every slot."""

    things: Floats  # (S, THING_COLUMNS)
    corners: Floats  # (S, MOST_CORNERS, 2)
    footings: Floats  # (S, 3) x and z of a middle, and the height of the ground there (m)
    changed: Bytes  # (S,)


@kernel
def place_obstacles(
    table: Floats,
    corners: Floats,
    slots: Ints,
    which: Ints,
    ground_moved: bool,
    terrain: Terrain,
    rows: ThingRows,
    bounds: Floats,
) -> bool:
    """Write obstacles, those of some rows, into their slots, mark those that changed, and tell whether any did.

    The height of the ground is asked for again only where it or the obstacle moved. ``bounds``, the lowest and highest
    x and z, are widened by what changed.
    """
    things, footings, changed = rows.things, rows.footings, rows.changed
    any_changed = False
    for k in range(which.shape[0]):
        o = which[k]
        s = slots[o]
        x, z = table[o, obstacle.X], table[o, obstacle.Z]
        if ground_moved or changed[s] or x != footings[s, 0] or z != footings[s, 1]:
            footings[s, 0], footings[s, 1] = x, z
            footings[s, 2] = height(x, z, 0.0, terrain)[0]
        moves = 0.0
        if table[o, obstacle.VX] != 0.0 or table[o, obstacle.VZ] != 0.0 or table[o, obstacle.TURN] != 0.0:
            moves = 1.0
        if table[o, obstacle.RISE] != 0.0:
            moves = 1.0
        y = footings[s, 2] + table[o, obstacle.LIFT] + table[o, obstacle.HEIGHT]
        flat = 1.0 if table[o, obstacle.HEIGHT] + table[o, obstacle.LIFT] < _FLAT_BELOW else 0.0
        things[s, thing.VX], things[s, thing.VY] = table[o, obstacle.VX], table[o, obstacle.RISE]
        things[s, thing.VZ], things[s, thing.TURN] = table[o, obstacle.VZ], table[o, obstacle.TURN]
        if not changed[s]:
            same = x == things[s, thing.X] and y == things[s, thing.Y] and z == things[s, thing.Z]
            same = (
                same
                and table[o, obstacle.YAW] == things[s, thing.YAW]
                and table[o, obstacle.SAFE] == things[s, thing.SAFE]
            )
            same = same and table[o, obstacle.RADIUS] == things[s, thing.RADIUS] and moves == things[s, thing.MOVES]
            if same and flat == things[s, thing.FLAT]:
                continue
        any_changed, changed[s] = True, 1
        things[s, thing.X], things[s, thing.Y], things[s, thing.Z], things[s, thing.YAW] = (
            x,
            y,
            z,
            table[o, obstacle.YAW],
        )
        things[s, thing.SLOPE_X], things[s, thing.SLOPE_Z], things[s, thing.SAFE] = (
            0.0,
            0.0,
            table[o, obstacle.SAFE],
        )
        things[s, thing.CORNERS], things[s, thing.RADIUS] = (
            table[o, obstacle.CORNERS],
            table[o, obstacle.RADIUS],
        )
        things[s, thing.LOW], things[s, thing.PEAK], things[s, thing.FLAT], things[s, thing.MOVES] = (
            y,
            y,
            flat,
            moves,
        )
        things[s, thing.PIECE] = 0.0
        for c in range(int(things[s, thing.CORNERS])):
            rows.corners[s, c, 0], rows.corners[s, c, 1] = corners[o, c, 0], corners[o, c, 1]
            _widen(corners[o, c, 0], corners[o, c, 1], bounds)
    return any_changed


@kernel
def place_pieces(pieces: Floats, slots: Ints, rows: ThingRows, bounds: Floats) -> bool:
    """Write every piece of the ground into its slot, as `place_obstacles` does for obstacles."""
    things, changed = rows.things, rows.changed
    any_changed = False
    for p in range(pieces.shape[0]):
        s = slots[p]
        moves = 0.0
        if (
            pieces[p, ground.VX] != 0.0
            or pieces[p, ground.VY] != 0.0
            or pieces[p, ground.VZ] != 0.0
            or pieces[p, ground.TURN] != 0.0
        ):
            moves = 1.0
        things[s, thing.VX], things[s, thing.VY] = pieces[p, ground.VX], pieces[p, ground.VY]
        things[s, thing.VZ], things[s, thing.TURN] = pieces[p, ground.VZ], pieces[p, ground.TURN]
        if not changed[s]:
            same = pieces[p, ground.X] == things[s, thing.X] and pieces[p, ground.Y] == things[s, thing.Y]
            same = same and pieces[p, ground.Z] == things[s, thing.Z] and pieces[p, ground.YAW] == things[s, thing.YAW]
            if same and moves == things[s, thing.MOVES]:
                continue
        any_changed, changed[s] = True, 1
        things[s, thing.X], things[s, thing.Y], things[s, thing.Z] = (
            pieces[p, ground.X],
            pieces[p, ground.Y],
            pieces[p, ground.Z],
        )
        things[s, thing.YAW], things[s, thing.MOVES], things[s, thing.SAFE], things[s, thing.FLAT] = (
            pieces[p, ground.YAW],
            moves,
            1.0,
            0.0,
        )
        things[s, thing.SLOPE_X], things[s, thing.SLOPE_Z] = (
            pieces[p, ground.SLOPE_X],
            pieces[p, ground.SLOPE_Z],
        )
        things[s, thing.PIECE] = 1.0
        width, length = pieces[p, ground.HALF_WIDTH], pieces[p, ground.HALF_LENGTH]
        things[s, thing.CORNERS], things[s, thing.RADIUS] = 4.0, math.sqrt(width * width + length * length)
        slack = abs(things[s, thing.SLOPE_X]) * width + abs(things[s, thing.SLOPE_Z]) * length
        things[s, thing.LOW], things[s, thing.PEAK] = things[s, thing.Y] - slack, things[s, thing.Y] + slack
        sine, cosine = math.sin(things[s, thing.YAW]), math.cos(things[s, thing.YAW])
        for k in range(4):
            local_x = -width if k < 2 else width
            local_z = -length if k == 0 or k == 3 else length
            x = things[s, thing.X] + cosine * local_x + sine * local_z
            z = things[s, thing.Z] + cosine * local_z - sine * local_x
            rows.corners[s, k, 0], rows.corners[s, k, 1] = x, z
            _widen(x, z, bounds)
    return any_changed


@inline
def _widen(x: float, z: float, bounds: Floats) -> None:
    bounds[0], bounds[1] = min(bounds[0], x), min(bounds[1], z)
    bounds[2], bounds[3] = max(bounds[2], x), max(bounds[3], z)
