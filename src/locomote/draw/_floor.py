"""A plane floor with a grid and the shadows of bodies."""

from __future__ import annotations

import numpy as np

from locomote.draw import _palette as palette
from locomote.draw._backdrop import Backdrop
from locomote.draw._camera import Camera
from locomote.draw._casting import cast
from locomote.draw._kernels.bundles import Fading, Floats32, Floor, Shadow
from locomote.draw._shapes import Shapes
from locomote.rotations import FloatArray

SHADOW_CELLS = 128  # of the shadow map along its shorter side
SHADOW_MOST = 1024  # of the shadow map along its longer side
_NEAR_SHADOW, _FAR_SHADOW = 0.05, 0.45  # of the body's size: heights over which sharp and soft shadows fade


def floor_layer(shapes: Shapes, backdrop: Backdrop, camera: Camera, size: float, light: FloatArray) -> Floats32:
    """The floor as colour and alpha of every pixel, the colour already multiplied by its alpha."""
    from locomote.draw._kernels.raster_floor import cast_floor

    out = np.empty((camera.height, camera.width, 4), dtype=np.float32)
    colours = np.array([palette.FLOOR, palette.GRID, palette.SHADOW]) / 255.0
    strengths = np.array([backdrop.surface, backdrop.lines, 0.85])
    floor = Floor(backdrop.plane, backdrop.cell, 0.004 * size, strengths, colours)
    fading = Fading(np.ascontiguousarray(backdrop.focus), np.array([0.35 * backdrop.reach, backdrop.reach]))
    cast_floor(camera.rays(1), floor, _shadow(shapes, backdrop, size, light), fading, out)
    return out


def _shadow(shapes: Shapes, backdrop: Backdrop, size: float, light: FloatArray) -> Shadow:
    """How dark each spot of the floor is: sharp under what touches it, faint and soft under what is high."""
    points = shapes.points
    height, slope_x, slope_z = backdrop.plane
    over = points[:, 1] - (height + slope_x * points[:, 0] + slope_z * points[:, 2])
    cast_to = points - np.maximum(over, 0.0)[:, None] * light / light[1]
    margin = float(shapes.around.max()) + 0.15 * size
    low = np.minimum(points, cast_to)[:, [0, 2]].min(axis=0) - margin
    high = np.maximum(points, cast_to)[:, [0, 2]].max(axis=0) + margin
    span = high - low
    cell = max(float(span.min()) / SHADOW_CELLS, float(span.max()) / SHADOW_MOST)
    columns, rows = (max(2, int(np.ceil(s / cell))) for s in span)
    corner = np.array([low[0], height + slope_x * low[0] + slope_z * low[1], low[1]])
    axes = np.array([[cell, cell * slope_x, 0.0], [0.0, cell * slope_z, cell], light])
    depth = cast(shapes, Camera(corner, axes, False, columns, rows), 1).depth
    up = np.maximum(depth * np.float32(light[1]), 0.0) / np.float32(size)
    frame = np.array([low[0], low[1], columns * cell, rows * cell])
    return Shadow(darkness(up, size / cell), frame)


def darkness(up: Floats32, size: float) -> Floats32:
    """How dark shadows are whose bodies are ``up`` sizes above them; the size is given in cells of the map."""
    from scipy.ndimage import gaussian_filter

    sharp = gaussian_filter(np.exp(-up / np.float32(_NEAR_SHADOW)), 0.012 * size, truncate=2.5)
    soft = gaussian_filter(np.exp(-up / np.float32(_FAR_SHADOW)), 0.055 * size, truncate=2.5)
    dark = 1.0 - (1.0 - 0.55 * sharp) * (1.0 - 0.38 * soft)
    out: Floats32 = dark.astype(np.float32)
    return out
