"""Shapes on a floor, seen by a camera, as a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

from locomote.draw import palette
from locomote.draw.camera import Camera
from locomote.draw.figure import Shapes
from locomote.rotations import FloatArray

STILL, MOVING = 3, 2  # rays a pixel in each direction, for stills and for films
_LIGHT = (-0.34, 0.84, 0.42)  # towards the light: to the right of the picture, up, and towards the camera
_SHADOW_CELLS = 128  # of the shadow map along its shorter side
_SHADOW_MOST = 1024  # of the shadow map along its longer side
_NEAR_SHADOW, _FAR_SHADOW = 0.05, 0.45  # of the body's size: heights over which sharp and soft shadows fade
_MISS = np.float32(1e30)

Floats32 = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Ground:
    """The floor of a picture."""

    plane: FloatArray  # (3,) height, slope along x, slope along z
    focus: FloatArray  # (2, 2) the segment of the floor, as (x, z), around which it is visible
    reach: float  # metres from the focus at which it has faded away
    cell: float  # metres between grid lines
    surface: float = 1.0  # alpha of the floor itself
    lines: float = 0.9  # alpha of the grid


def render(
    shapes: Shapes,
    ground: Ground,
    camera: Camera,
    size: float,
    background: palette.Colour | None = palette.PAPER,
    samples: int = STILL,
) -> Image.Image:
    """The picture of shapes on the ground; ``size`` is that of one body and sets the softness of its shadow.

    Without a background the picture is transparent (RGBA).
    """
    from locomote.kernels.raster_floor import compose

    light = _light(camera)
    floor = _floor(shapes, ground, camera, size, light)
    body, left, top = _bodies(shapes, ground, camera, size, light, samples)
    out = np.empty((camera.height, camera.width, 4 if background is None else 3), dtype=np.uint8)
    compose(floor, body, left, top, np.array(background or palette.PAPER) / 255.0, out)
    return Image.fromarray(out)


def _light(camera: Camera) -> FloatArray:
    """The direction to the light, which stands beside the camera."""
    right = camera.axes[0] / np.linalg.norm(camera.axes[0])
    up = np.array([0.0, 1.0, 0.0])
    light = _LIGHT[0] * right + _LIGHT[1] * up + _LIGHT[2] * np.cross(right, up)
    unit: FloatArray = light / np.linalg.norm(light)
    return unit


def cast(shapes: Shapes, camera: Camera, samples: int) -> tuple[Floats32, Floats32, npt.NDArray[np.int32]]:
    """Depth, normals and index of the shape that each ray meets; depth is 1e30 where it meets none."""
    from locomote.kernels.raster import cast_capsules

    shape = (camera.height * samples, camera.width * samples)
    depth = np.full(shape, _MISS, dtype=np.float32)
    normals = np.empty((*shape, 3), dtype=np.float32)
    which = np.empty(shape, dtype=np.int32)
    cast_capsules(
        np.ascontiguousarray(shapes.ends),
        np.ascontiguousarray(shapes.radii),
        np.ascontiguousarray(shapes.flat_axes),
        np.ascontiguousarray(shapes.flats),
        camera.eye,
        camera.axes,
        camera.inverse,
        camera.perspective,
        1.0 / samples,
        depth,
        normals,
        which,
    )
    return depth, normals, which


def _bodies(
    shapes: Shapes, ground: Ground, camera: Camera, size: float, light: FloatArray, samples: int
) -> tuple[Floats32, int, int]:
    """The bodies alone, in the part of the picture that they fill, and its left upper corner."""
    from locomote.kernels.raster import shade

    left, top, right, bottom = _filled(shapes, camera)
    if left >= right or top >= bottom:
        return np.zeros((0, 0, 4), dtype=np.float32), 0, 0
    # The same rays, counted from the corner of the filled part.
    shift = left * camera.axes[0] + top * camera.axes[1]
    eye, axes = camera.eye.copy(), camera.axes.copy()
    if camera.perspective:
        axes[2] += shift
    else:
        eye += shift
    window = Camera(eye, axes, camera.perspective, right - left, bottom - top)
    depth, normals, which = cast(shapes, window, samples)
    part = np.empty((bottom - top, right - left, 4), dtype=np.float32)
    sunk = np.array([0.012 * size, 0.35])
    shade(
        depth,
        normals,
        which,
        np.ascontiguousarray(shapes.colours),
        eye,
        axes,
        camera.perspective,
        samples,
        light,
        ground.plane,
        sunk,
        0.02 * size,
        part,
    )
    return part, left, top


def _filled(shapes: Shapes, camera: Camera) -> tuple[int, int, int, int]:
    """The pixels ``(left, top, right, bottom)`` outside of which no shape appears."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    points = shapes.ends[:, :, None] + shapes.radii[:, :, None, None] * corners
    pixels = camera.pixels(points).reshape(-1, 2)
    low, high = np.floor(pixels.min(axis=0)), np.ceil(pixels.max(axis=0)) + 1
    return (
        int(max(low[0], 0)),
        int(max(low[1], 0)),
        int(min(high[0], camera.width)),
        int(min(high[1], camera.height)),
    )


def _floor(shapes: Shapes, ground: Ground, camera: Camera, size: float, light: FloatArray) -> Floats32:
    from locomote.kernels.raster_floor import cast_floor

    shadow, frame = _shadow(shapes, ground, size, light)
    out = np.empty((camera.height, camera.width, 4), dtype=np.float32)
    colours = np.array([palette.FLOOR, palette.GRID, palette.SHADOW]) / 255.0
    cast_floor(
        camera.eye,
        camera.axes,
        camera.perspective,
        ground.plane,
        ground.cell,
        0.004 * size,
        ground.focus,
        np.array([0.35 * ground.reach, ground.reach]),
        np.array([ground.surface, ground.lines, 0.85]),
        shadow,
        frame,
        colours,
        out,
    )
    return out


def _shadow(shapes: Shapes, ground: Ground, size: float, light: FloatArray) -> tuple[Floats32, FloatArray]:
    """How dark each spot of the floor is: sharp under what touches it, faint and soft under what is high."""
    from scipy.ndimage import gaussian_filter

    points = shapes.ends.reshape(-1, 3)
    height, slope_x, slope_z = ground.plane
    over = points[:, 1] - (height + slope_x * points[:, 0] + slope_z * points[:, 2])
    cast_to = points - np.maximum(over, 0.0)[:, None] * light / light[1]
    margin = float(shapes.radii.max()) + 0.15 * size
    low = np.minimum(points, cast_to)[:, [0, 2]].min(axis=0) - margin
    high = np.maximum(points, cast_to)[:, [0, 2]].max(axis=0) + margin
    span = high - low
    cell = max(float(span.min()) / _SHADOW_CELLS, float(span.max()) / _SHADOW_MOST)
    columns, rows = (max(2, int(np.ceil(s / cell))) for s in span)
    corner = np.array([low[0], height + slope_x * low[0] + slope_z * low[1], low[1]])
    axes = np.array([[cell, cell * slope_x, 0.0], [0.0, cell * slope_z, cell], light])
    depth = cast(shapes, Camera(corner, axes, False, columns, rows), 1)[0]
    up = np.maximum(depth * np.float32(light[1]), 0.0) / np.float32(size)
    sharp = gaussian_filter(np.exp(-up / np.float32(_NEAR_SHADOW)), 0.012 * size / cell, truncate=2.5)
    soft = gaussian_filter(np.exp(-up / np.float32(_FAR_SHADOW)), 0.055 * size / cell, truncate=2.5)
    dark = 1.0 - (1.0 - 0.55 * sharp) * (1.0 - 0.38 * soft)
    frame = np.array([low[0], low[1], columns * cell, rows * cell])
    return dark.astype(np.float32), frame
