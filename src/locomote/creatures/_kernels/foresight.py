"""What comes at a foot that stands: how soon the box of the foot meets a thing that moves against it."""

from __future__ import annotations

import math

from locomote.math._compile import inline, part
from locomote.math.vector import Pair, Vector
from locomote.world._kernels.map_cells import tiles_within
from locomote.world._kernels.map_growth import FootBox, lip_of, rise_within
from locomote.world._kernels.map_layout import (
    CORNERS,
    FLAT,
    LOW,
    NO_PAGE,
    PEAK,
    RADIUS,
    MapArrays,
    X,
    Z,
)
from locomote.world._kernels.map_outline import top_at
from locomote.world._kernels.map_reading import cell_of, velocity_at

SOON_MET = 0.3  # s before something would run into a standing foot, in which it steps away
NEAR = 0.4  # m round a foot in which things are looked for that come at it
_RISES = 0.5  # m by which a thing may rise with the ground before it meets a foot
_CREEPS = 1e-3  # m/s; a thing that moves no faster against a foot stays where it is


@part
def met_within(seconds: float, place: Vector, support: int, foot: FootBox, maps: MapArrays) -> bool:
    """Whether a thing meets a foot that stands at a place within a time, if all go on as they do.

    What it stands on, the thing in the slot ``support``, moves the foot along and is never met.
    """
    x, y, z = place
    own_x, own_z = velocity_at(support, x, z, maps)
    own_rise = rise_within(seconds, support, maps)
    row, column = cell_of(x - NEAR, z - NEAR, maps)
    last_row, last_column = cell_of(x + NEAR, z + NEAR, maps)
    low, high, left, right = tiles_within(row, column, last_row, last_column, maps)
    size = math.sqrt(foot.half_width * foot.half_width + foot.half_length * foot.half_length)
    way = math.sin(foot.yaw), math.cos(foot.yaw)
    for tile_row in range(low, high + 1):
        for tile_column in range(left, right + 1):
            entry = maps.heads[tile_row, tile_column]
            while entry != NO_PAGE:
                s = int(maps.links[entry, 0])
                entry = maps.links[entry, 1]
                thing = maps.things[s]
                if s == support or thing[FLAT] != 0.0 or thing[PEAK] <= y - _RISES:
                    continue
                vx, vz = velocity_at(s, x, z, maps)
                vx, vz = vx - own_x, vz - own_z
                dx, dz = x - thing[X], z - thing[Z]
                near = thing[RADIUS] + size + seconds * math.sqrt(vx * vx + vz * vz)
                if dx * dx + dz * dz > near * near:
                    continue
                top = min(max(top_at(x, z, s, maps.things), thing[LOW]), thing[PEAK])
                rise = max(rise_within(seconds, s, maps) - own_rise, 0.0)
                if top + rise <= y + lip_of(s, maps.things):
                    continue
                # What stays beside a foot that stands is left there, unless it is over it.
                wide = 1.0 if seconds == 0.0 or vx * vx + vz * vz > _CREEPS * _CREEPS else 0.0
                if _meets(s, seconds, (x, z), (vx, vz), way, (wide * foot.half_width, wide * foot.half_length), maps):
                    return True
    return False


@inline
def _meets(s: int, seconds: float, place: Pair, velocity: Pair, way: Pair, half: Pair, maps: MapArrays) -> bool:
    """Whether a thing with a velocity (seen from the foot) meets the box of a foot that points along (sine, cosine).

    The lines of the outline, moved out by the box, are crossed one after the other.
    """
    count = int(maps.things[s, CORNERS])
    outline = maps.thing_corners[s]
    enter, leave = 0.0, seconds
    ax, az = outline[count - 1, 0], outline[count - 1, 1]
    for k in range(count):
        bx, bz = outline[k, 0], outline[k, 1]
        out_x, out_z = az - bz, bx - ax  # square to the line, outwards
        wide = half[0] * abs(out_x * way[1] - out_z * way[0])
        wide += half[1] * abs(out_x * way[0] + out_z * way[1])
        off = out_x * (place[0] - ax) + out_z * (place[1] - az) - wide
        nears = out_x * velocity[0] + out_z * velocity[1]
        if abs(nears) <= _CREEPS * (abs(out_x) + abs(out_z)):
            if off > 0.0:
                return False
        elif nears > 0.0:
            enter = max(enter, off / nears)
        else:
            leave = min(leave, off / nears)
        if enter > leave:
            return False
        ax, az = bx, bz
    return True
