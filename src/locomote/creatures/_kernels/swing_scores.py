"""What a footprint and a way to it are worth: numbers from 0 to 1, of which the product counts."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.creatures._kernels.swing_scratch import WayPlace
from locomote.math._compile import inline, part
from locomote.math.records import Records
from locomote.math.vector import Floats, Vector
from locomote.world._kernels.map_layout import CORNER, EDGE, GROWN, LEG, NO_STAND
from locomote.world._kernels.map_outline import Bytes

TURNING = 0.15  # cost of a radian of turning
LIFTING = 0.5  # cost of a leg's length of height beyond the step height
BEYOND = 0.06  # of a leg: what must be free beyond its foot for it not to cross another
LATE = 0.5  # of the reach: a footprint so far out of reach at the end of the stance is worth next to nothing


@inline
def distance_score(x: float, z: float, preferred: Vector, fixed_distance: float) -> float:
    """1 at the preferred footprint, 0 from a distance on."""
    dx, dz = x - preferred[0], z - preferred[2]
    return max(1.0 - math.sqrt(dx * dx + dz * dz) / fixed_distance, 0.0)


@inline
def neighbour_score(row: int, column: int, elev: Floats, flags: Bytes, level: float) -> float:
    """The share of free cells among the eight around: those that may be stepped on, as high to within ``level``."""
    free = 8
    for r in range(max(row - 1, 0), min(row + 2, elev.shape[0])):
        for c in range(max(column - 1, 0), min(column + 2, elev.shape[1])):
            if flags[r, c] & (NO_STAND | GROWN | LEG) != 0 or abs(elev[r, c] - elev[row, column]) > level:
                free -= 1
    if flags[row, column] & (NO_STAND | GROWN | LEG) != 0:
        free += 1  # the cell itself is not one of its neighbours
    return free / 8.0


@inline
def edge_score(flag: int, edge: float) -> float:
    """Less than 1 at the edges of things."""
    return edge if flag & (EDGE | CORNER) != 0 else 1.0


@inline
def reach_score(target: Vector, hip: Vector, hip_late: Vector, reach: float) -> float:
    """0 out of reach at touch-down; less than 1 out of reach at the end of the stance."""
    dx, dy, dz = target[0] - hip[0], target[1] - hip[1], target[2] - hip[2]
    if dx * dx + dy * dy + dz * dz > reach * reach:
        return 0.0
    dx, dy, dz = target[0] - hip_late[0], target[1] - hip_late[1], target[2] - hip_late[2]
    beyond = math.sqrt(dx * dx + dy * dy + dz * dz) - reach
    return 1.0 if beyond <= 0.0 else max(1.0 - beyond / (LATE * reach), 0.05)


@inline
def aim_score(target: Vector, hip: Vector, at_rest: Vector, aim: float) -> float:
    """0 where the leg would have to turn too far from its direction at rest, by the cosine of the angle."""
    dx, dy, dz = target[0] - hip[0], target[1] - hip[1], target[2] - hip[2]
    along = dx * at_rest[0] + dy * at_rest[1] + dz * at_rest[2]
    return 1.0 if along >= aim * math.sqrt(dx * dx + dy * dy + dz * dz) else 0.0


class LegLines(NamedTuple):
    """All legs in the plan (x, z), straight or by their joints; a leg whose first number is NaN is left out."""

    landing: Floats  # (F, J, 2) from hip to foot, when the foot that swings comes down
    parting: Floats  # (F, 3, 2) hip, foot, and the hip of the one that swings, when the first of the two lifts again


@inline
def would_cross(hip: Vector, x: float, z: float, legs: LegLines, own: int) -> bool:
    """Whether a leg to a footprint (x, z) would cross another one when it comes down, or before one of them lifts."""
    if legs_cross(hip, x, z, legs.landing, own):
        return True
    for leg in range(legs.parting.shape[0]):
        line = legs.parting[leg]
        if leg != own and not math.isnan(line[0, 0]):
            ends = line[0, 0], line[0, 1], line[1, 0], line[1, 1]
            if _lines_cross(line[2, 0], line[2, 1], x, z, ends):
                return True
    return False


@part
def legs_cross(hip: Vector, x: float, z: float, legs: Floats, own: int) -> bool:
    """Whether a leg from its hip to a footprint (x, z) would cross another one in the plan."""
    for leg in range(legs.shape[0]):
        if leg == own or math.isnan(legs[leg, 0, 0]):
            continue
        for joint in range(1, legs.shape[1]):
            ends = legs[leg, joint - 1, 0], legs[leg, joint - 1, 1], legs[leg, joint, 0], legs[leg, joint, 1]
            if _lines_cross(hip[0], hip[2], x, z, ends):
                return True
    return False


@inline
def _lines_cross(from_x: float, from_z: float, x: float, z: float, ends: tuple[float, float, float, float]) -> bool:
    """Whether two legs cross or nearly so, one to (x, z) and one between ``ends`` (x, z, x, z)."""
    ax, az, bx, bz = ends
    x, z = x + BEYOND * (x - from_x), z + BEYOND * (z - from_z)
    bx, bz = bx + BEYOND * (bx - ax), bz + BEYOND * (bz - az)
    side_a = (x - from_x) * (az - from_z) - (z - from_z) * (ax - from_x)
    side_b = (x - from_x) * (bz - from_z) - (z - from_z) * (bx - from_x)
    if side_a * side_b >= 0.0:
        return False
    side_from = (bx - ax) * (from_z - az) - (bz - az) * (from_x - ax)
    side_to = (bx - ax) * (z - az) - (bz - az) * (x - ax)
    return side_from * side_to < 0.0


@inline
def plan_score(ways: Records, count: int) -> float:
    """How direct a path through places in the plan is: its detour and its turning."""
    if count == 2:
        return 1.0
    du, dv = ways[count - 1].u - ways[0].u, ways[count - 1].v - ways[0].v
    straight, length, turning = math.sqrt(du * du + dv * dv), 0.0, 0.0
    last_u, last_v = 0.0, 0.0
    for k in range(1, count):
        a: WayPlace = ways[k - 1]
        b: WayPlace = ways[k]
        u, v = b.u - a.u, b.v - a.v
        length += math.sqrt(u * u + v * v)
        if k > 1:
            turning += abs(math.atan2(last_u * v - last_v * u, last_u * u + last_v * v))
        last_u, last_v = u, v
    return min(straight / max(length, 1e-12), 1.0) * math.exp(-TURNING * turning)


@inline
def lift_score(plain: float, length: float, lift: float, step_height: float, reach: float) -> float:
    """How little a curve costs against a plain step over the same path: its length and how high it goes."""
    return min(plain / max(length, 1e-12), 1.0) * math.exp(-LIFTING * max(lift - step_height, 0.0) / reach)
