"""A floor seen by a camera, with a grid and shadows, and the layers of a picture laid over one another."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from locomote.draw._kernels.bundles import Fading, Floats, Floats32, Floor, Rays, Shadow
from locomote.draw._kernels.raster import ray, smooth
from locomote.math._compile import inline, kernel

Bytes = npt.NDArray[np.uint8]


@kernel
def cast_floor(rays: Rays, floor: Floor, shadow: Shadow, fading: Fading, out: Floats32) -> None:
    """Draw a floor into ``out (H, W, 4)``, colour already multiplied by its alpha; one ray a pixel tells enough."""
    plane, cell, line_width = floor.plane, floor.cell, floor.line_width
    strengths, colours = floor.strengths, floor.colours
    height, width = out.shape[:2]
    for row in range(height):
        seen, right_x, right_z = _meet_floor(0.5, row + 0.5, rays, plane)
        for column in range(width):
            for i in range(4):
                out[row, column, i] = 0.0
            met, x, z = seen, right_x, right_z
            seen, right_x, right_z = _meet_floor(column + 1.5, row + 0.5, rays, plane)
            if not met:
                continue
            visible = visibility(x, z, fading)
            if visible <= 0.0:
                continue
            # The neighbours to the right and below tell how much floor the pixel covers.
            _, below_x, below_z = _meet_floor(column + 0.5, row + 1.5, rays, plane)
            wide = max(abs(right_x - x), abs(below_x - x), 1e-9)
            deep = max(abs(right_z - z), abs(below_z - z), 1e-9)
            line = max(grid_line(x, cell, line_width, wide), grid_line(z, cell, line_width, deep))
            dark = shadow_at(x, z, shadow)
            surface, line, dark = strengths[0] * visible, strengths[1] * visible * line, strengths[2] * dark
            alpha = 1.0 - (1.0 - surface) * (1.0 - line) * (1.0 - dark)
            for i in range(3):
                value = colours[0, i] * surface
                value += line * (colours[1, i] - value)
                value += dark * (colours[2, i] - value)
                out[row, column, i] = value
            out[row, column, 3] = alpha


@kernel
def compose(floor: Floats32, body: Floats32, left: int, top: int, paper: Floats, out: Bytes) -> None:
    """Lay ``body``, whose corner is at ``(left, top)``, over ``floor`` and both over ``paper``, into ``out``.

    ``out (H, W, 3)`` is opaque; ``out (H, W, 4)`` keeps the alpha, and the paper is not seen.
    """
    height, width, channels = out.shape
    rows, columns = body.shape[:2]
    opaque = channels == 3
    for row in range(height):
        for column in range(width):
            r, c = row - top, column - left
            inside = 0 <= r < rows and 0 <= c < columns
            over = body[r, c, 3] if inside else np.float32(0.0)
            alpha = over + (1.0 - over) * floor[row, column, 3]
            for i in range(3):
                value = (1.0 - over) * floor[row, column, i] + (body[r, c, i] if inside else np.float32(0.0))
                value = value + (1.0 - alpha) * paper[i] if opaque else value / max(alpha, 1e-6)
                out[row, column, i] = int(255.0 * min(1.0, max(0.0, value)) + 0.5)
            if not opaque:
                out[row, column, 3] = int(255.0 * min(1.0, alpha) + 0.5)


@inline
def _meet_floor(x: float, y: float, rays: Rays, plane: Floats) -> tuple[bool, float, float]:
    """Whether the ray of a pixel meets the floor, and at which x and z."""
    (ox, oy, oz), (dx, dy, dz) = ray(x, y, rays)
    falling = dy - plane[1] * dx - plane[2] * dz
    if falling >= -1e-12:  # level with the floor or upwards
        return False, 0.0, 0.0
    t = (plane[0] + plane[1] * ox + plane[2] * oz - oy) / falling
    return t > 0.0, ox + t * dx, oz + t * dz


@inline
def visibility(x: float, z: float, fading: Fading) -> float:
    """How much of a floor point is seen, 0 to 1."""
    focus, limits = fading.focus, fading.limits
    sx, sz = focus[1, 0] - focus[0, 0], focus[1, 1] - focus[0, 1]
    size = max(sx * sx + sz * sz, 1e-12)
    t = min(1.0, max(0.0, ((x - focus[0, 0]) * sx + (z - focus[0, 1]) * sz) / size))
    dx, dz = x - focus[0, 0] - t * sx, z - focus[0, 1] - t * sz
    off = math.sqrt(dx * dx + dz * dz)
    return 1.0 - smooth((off - limits[0]) / (limits[1] - limits[0]))


@inline
def grid_line(value: float, cell: float, line_width: float, footprint: float) -> float:
    """How much of a pixel of the size ``footprint`` is covered by lines at the multiples of ``cell``."""
    off = abs(value - math.floor(value / cell + 0.5) * cell)
    width = max(line_width, footprint)  # never thinner than a pixel, else far lines break up
    covered = min(1.0, max(0.0, (0.5 * (width + footprint) - off) / footprint))
    return covered * min(1.0, 0.25 * cell / footprint)


@inline
def shadow_at(x: float, z: float, shadow: Shadow) -> float:
    """The shadow at a floor point, linear between the cells of the map."""
    cells, frame = shadow.dark, shadow.frame
    rows, columns = cells.shape
    u = (x - frame[0]) / frame[2] * columns - 0.5
    v = (z - frame[1]) / frame[3] * rows - 0.5
    c, r = math.floor(u), math.floor(v)
    if c < 0 or r < 0 or c >= columns - 1 or r >= rows - 1:
        return 0.0
    u, v = u - c, v - r
    upper = (1.0 - u) * cells[r, c] + u * cells[r, c + 1]
    lower = (1.0 - u) * cells[r + 1, c] + u * cells[r + 1, c + 1]
    dark: float = (1.0 - v) * upper + v * lower
    return dark
