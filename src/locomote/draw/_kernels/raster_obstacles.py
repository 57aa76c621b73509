"""Ray casting and shading of obstacles: upright prisms, and flat patches that are painted on the ground.

Faces are numbers: NOTHING, or ``32 obstacle + side``, where sides are the numbers of the corners at which walls end,
TOP, BOTTOM, OPENED (cut open before the camera, see `raster_ground`) and WATER.
"""

from __future__ import annotations

import math

import numpy as np

from locomote.draw._kernels.bundles import Fading, Floats, Floats32, Ints32, Prisms, Props, Rays
from locomote.draw._kernels.raster import MISS, ray
from locomote.draw._kernels.raster_floor import visibility
from locomote.draw._kernels.raster_ground import ray_start, window
from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Vector
from locomote.world._kernels.obstacle_layout import CORNERS, HEIGHT, MOST_CORNERS
from locomote.world._kernels.obstacles import distance

NOTHING = -1
TOP, BOTTOM, OPENED, WATER = range(MOST_CORNERS, MOST_CORNERS + 4)
BLOCK, PATCH, SHORE, EDGE, SHADOW, SECTION = range(6)  # rows of the colours
_WATER_ALPHA, _SHORE_ALPHA, _EDGE_ALPHA, _SHADOW_ALPHA = 0.66, 0.95, 0.8, 0.26
_SAME_WALL = math.cos(math.radians(30.0))  # walls that turn by less have no edge between them


@kernel
def plane_depth(rays: Rays, plane: Floats, depth: Floats32) -> None:
    """Fill ``depth`` with that of a floor ``(height, slope along x, slope along z)``."""
    step = 1.0 / rays.samples
    for row in range(depth.shape[0]):
        for column in range(depth.shape[1]):
            (px, py, pz), (dx, dy, dz) = ray((column + 0.5) * step, (row + 0.5) * step, rays)
            falling = dy - plane[1] * dx - plane[2] * dz
            depth[row, column] = MISS
            if falling < -1e-12:
                depth[row, column] = (plane[0] + plane[1] * px + plane[2] * pz - py) / falling


@kernel
def cast_obstacles(prisms: Prisms, rays: Rays, cut: Floats, light: Floats, ground: Floats32, props: Props) -> None:
    """Fill the props, over the depth of the ``ground``."""
    table, corners, spans = prisms.table, prisms.corners, prisms.spans
    depth, face, dark = props.depth, props.face, props.dark
    step = 1.0 / rays.samples
    depth[:] = MISS
    face[:] = NOTHING
    dark[:] = 0
    hull = np.empty((3 * MOST_CORNERS, 3))
    for flat in (False, True):  # patches and shadows lie on what the prisms leave of the ground
        for o in range(table.shape[0]):
            count, low, high = int(table[o, CORNERS]), spans[o, 0], spans[o, 1]
            is_patch = table[o, HEIGHT] <= 0.0
            if is_patch and not flat:
                continue
            points = 0
            for k in range(count):
                for up in (low, high):
                    hull[points, 0], hull[points, 1], hull[points, 2] = corners[o, k, 0], up, corners[o, k, 1]
                    points += 1
                if flat and not is_patch:
                    shift = (high - low) / light[1]
                    hull[points, 0], hull[points, 1] = corners[o, k, 0] - shift * light[0], low
                    hull[points, 2] = corners[o, k, 1] - shift * light[2]
                    points += 1
            left, right, top, bottom = window(hull[:points], rays, depth)
            for row in range(top, bottom):
                for column in range(left, right):
                    start, way = ray((column + 0.5) * step, (row + 0.5) * step, rays)
                    near = ground[row, column]
                    if not flat:
                        begin = ray_start(start[0], start[2], way[0], way[2], cut)
                        enter, leave, side = _through_prism(start, way, o, count, low, high, corners)
                        if enter >= leave or leave <= begin:
                            continue
                        if enter < begin:
                            enter, side = begin, OPENED
                        if enter <= near and enter < depth[row, column]:
                            depth[row, column], face[row, column] = enter, 32 * o + side
                        continue
                    if depth[row, column] < MISS or near >= MISS:
                        continue
                    x, y, z = start[0] + near * way[0], start[1] + near * way[1], start[2] + near * way[2]
                    if is_patch:
                        if distance(x, z, o, table, corners)[0] <= 0.0:
                            face[row, column] = 32 * o + WATER
                        continue
                    to_light = (light[0], light[1], light[2])
                    enter, leave, _ = _through_prism((x, y, z), to_light, o, count, low, high, corners)
                    if enter < leave and leave > 0.0:
                        dark[row, column] = 1


@kernel
def shade_obstacles(
    props: Props,
    ground: Floats32,
    rays: Rays,
    light: Floats,
    prisms: Prisms,
    fading: Fading,
    colours: Floats,
    out: Floats32,
) -> None:
    """Turn ``samples x samples`` rays a pixel into ``out (H, W, 4)``, colour already multiplied by its alpha.

    ``ground`` is the depth of the ground. ``colours (6, 3)`` are in the order of the names above.
    """
    depth, face, dark, samples = props.depth, props.face, props.dark, rays.samples
    table, corners = prisms.table, prisms.corners
    rows, columns = out.shape[:2]
    weight = 1.0 / (samples * samples)
    for row in range(rows):
        for column in range(columns):
            for i in range(4):
                out[row, column, i] = 0.0
            for k in range(samples * samples):
                r, c = row * samples + k // samples, column * samples + k % samples
                kind = face[r, c]
                if kind == NOTHING and dark[r, c] == 0:
                    continue
                near = depth[r, c] if depth[r, c] < MISS else ground[r, c]
                (px, _, pz), (dx, _, dz) = ray((c + 0.5) / samples, (r + 0.5) / samples, rays)
                visible = visibility(px + near * dx, pz + near * dz, fading)
                side = kind % 32 if kind != NOTHING else -1
                reach = samples if side == WATER else (samples + 1) // 2  # a shore is a pixel wide, an edge less
                edge = side >= 0 and _at_edge(r, c, reach, face, table, corners)
                paint, tone, alpha, line, line_alpha = BLOCK, 1.0, 1.0, EDGE, _EDGE_ALPHA
                shade = 0.0
                if side == WATER:
                    paint, line, line_alpha, alpha = PATCH, SHORE, _SHORE_ALPHA, _WATER_ALPHA
                    shade = _SHADOW_ALPHA * dark[r, c]
                elif side == OPENED:
                    paint = SECTION
                elif side == -1:
                    paint, alpha = SHADOW, _SHADOW_ALPHA
                else:
                    nx, ny, nz = _normal(kind, table, corners)
                    lit = nx * light[0] + ny * light[1] + nz * light[2]
                    tone = 0.62 + 0.38 * min(1.2, max(0.0, lit / light[1]))
                if edge:
                    alpha = max(alpha, line_alpha)
                alpha *= visible * weight
                for i in range(3):
                    value = min(1.0, colours[paint, i] * tone)
                    value += shade * (colours[SHADOW, i] - value)
                    if edge:
                        value += line_alpha * (colours[line, i] - value)
                    out[row, column, i] += alpha * value
                out[row, column, 3] += alpha


@part
def _through_prism(
    start: Vector, way: Vector, o: int, count: int, low: float, high: float, corners: Floats
) -> tuple[float, float, int]:
    """From which to which depth a ray is inside a prism, and the side at which it enters."""
    enter, leave, side = -MISS, MISS, TOP
    if abs(way[1]) < 1e-12:
        if not low <= start[1] <= high:
            return MISS, -MISS, side
    else:
        first, last = (low - start[1]) / way[1], (high - start[1]) / way[1]
        if way[1] > 0.0:
            enter, leave, side = first, last, BOTTOM
        else:
            enter, leave = last, first
    ax, az = corners[o, count - 1, 0], corners[o, count - 1, 1]
    for k in range(count):
        bx, bz = corners[o, k, 0], corners[o, k, 1]
        nx, nz = az - bz, bx - ax
        towards = nx * way[0] + nz * way[2]
        before = nx * (start[0] - ax) + nz * (start[2] - az)
        if abs(towards) < 1e-14:
            if before > 0.0:
                return MISS, -MISS, side
        elif towards < 0.0:
            if -before / towards > enter:
                enter, side = -before / towards, k
        else:
            leave = min(leave, -before / towards)
        ax, az = bx, bz
    return enter, leave, side


@inline
def _normal(kind: int, table: Floats, corners: Floats) -> Vector:
    """The direction square to a face, outwards."""
    o, side = kind // 32, kind % 32
    if side >= MOST_CORNERS:
        return 0.0, -1.0 if side == BOTTOM else 1.0, 0.0
    before = side - 1 if side > 0 else int(table[o, CORNERS]) - 1
    ex, ez = corners[o, side, 0] - corners[o, before, 0], corners[o, side, 1] - corners[o, before, 1]
    length = math.sqrt(ex * ex + ez * ez)
    return -ez / length, 0.0, ex / length


@inline
def _at_edge(r: int, c: int, reach: int, face: Ints32, table: Floats, corners: Floats) -> bool:
    """Whether another face, or nothing, begins within ``reach`` samples."""
    rows, columns = face.shape
    kind = face[r, c]
    for k in range(4):
        row = r + (reach if k == 0 else -reach if k == 1 else 0)
        column = c + (reach if k == 2 else -reach if k == 3 else 0)
        if not (0 <= row < rows and 0 <= column < columns):
            continue
        other = face[row, column]
        if other == kind:
            continue
        walls = kind % 32 < MOST_CORNERS and other % 32 < MOST_CORNERS
        if other == NOTHING or other // 32 != kind // 32 or not walls:
            return True
        nx, _, nz = _normal(kind, table, corners)
        mx, _, mz = _normal(other, table, corners)
        if nx * mx + nz * mz < _SAME_WALL:
            return True
    return False
