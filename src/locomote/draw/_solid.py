"""The ground of a picture as solids: what of it a camera sees, its shadows, and what it hides of bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from locomote.draw import _palette as palette
from locomote.draw._backdrop import Backdrop
from locomote.draw._camera import Camera
from locomote.draw._casting import cast
from locomote.draw._floor import SHADOW_CELLS, SHADOW_MOST, darkness
from locomote.draw._kernels.bundles import Faces, Fading, Floats32, Rays, Shadow, Solids, Surface
from locomote.draw._shapes import Shapes
from locomote.rotations import FloatArray
from locomote.world import Ground

_MOST_CELLS = 400  # of a raster along a side of the visible part; a finer one is drawn with cells left out
_UNDER_A_STEP = 0.25  # of the body's size: a body so far below the edge of a step still darkens it
_FAR = np.float32(1e30)


@dataclass(frozen=True, eq=False)
class Relief:
    """How far away the ground is for every sample of a picture."""

    ground: Ground
    depth: Floats32


def ground_layer(
    shapes: Shapes,
    ground: Ground,
    backdrop: Backdrop,
    camera: Camera,
    size: float,
    light: FloatArray,
    samples: int,
) -> tuple[Floats32, Relief]:
    """The ground as colour and alpha of every pixel, the colour already multiplied by its alpha, and its relief."""
    from locomote.draw._kernels.raster_surface import shade_ground

    solids = Solids(ground.arrays, ground.thickness, ground.floating.astype(np.int32), ground.corners)
    faces = _cast_ground(solids, backdrop, camera, samples)
    out = np.empty((camera.height, camera.width, 4), dtype=np.float32)
    inks = (palette.FLOOR, palette.GRID, palette.SHADOW, palette.WALL, palette.SECTION, palette.EDGE)
    surface = Surface(backdrop.cell, size, np.array(inks) / 255.0)
    shadow = _shadow(shapes, ground, size, light)
    fading = Fading(np.ascontiguousarray(backdrop.focus), np.array([0.35 * backdrop.reach, backdrop.reach]))
    shade_ground(faces, camera.rays(samples), solids, surface, light, shadow, fading, out)
    return out, Relief(ground, faces.depth)


def conceal(
    relief: Relief,
    depth: Floats32,
    window: Rays,
    corner: tuple[int, int],
    tolerance: float,
    seen: npt.NDArray[np.int8],
) -> None:
    """Say of every sample of a window, whose corner is a sample of the picture, what the ground leaves of bodies."""
    from locomote.draw._kernels.raster_ground import sink_into_ground

    sink_into_ground(depth, relief.depth, *corner, window, relief.ground.arrays, tolerance, seen)


def _cast_ground(solids: Solids, backdrop: Backdrop, camera: Camera, samples: int) -> Faces:
    from locomote.draw._kernels.raster_ground import cast_base, cast_pieces, cast_terrain

    terrain = solids.terrain
    shape = (camera.height * samples, camera.width * samples)
    faces = Faces(np.empty(shape, dtype=np.float32), np.empty(shape, dtype=np.int32))
    rays, cut = camera.rays(samples), cut_plane(backdrop.cut, camera)
    cast_base(terrain, rays, cut, faces)
    if terrain.grid.size > 1:
        cast_terrain(_terrain(terrain.grid, terrain.frame, backdrop), rays, cut, faces)
    cast_pieces(solids, rays, cut, faces)
    return faces


def cut_plane(place: FloatArray | None, camera: Camera) -> FloatArray:
    """The upright plane ``(4,)`` through a place that faces the camera; zeros, which cut nothing, from above."""
    if place is None:
        return np.zeros(4)
    ahead = camera.axes[2] + 0.5 * (camera.width * camera.axes[0] + camera.height * camera.axes[1])
    level = (ahead if camera.perspective else camera.axes[2]) * np.array([1.0, 0.0, 1.0])
    length = float(np.linalg.norm(level))
    if length < 1e-6:
        return np.zeros(4)
    normal = level / length
    return np.array([*normal, float(normal @ place)])


def _terrain(grid: FloatArray, frame: FloatArray, backdrop: Backdrop) -> FloatArray:
    """Triangles ``(T, 3, 3)`` of a raster where it is visible, held beyond its edges."""
    low = np.floor((backdrop.focus.min(axis=0) - backdrop.reach - frame[:2]) / frame[2]).astype(int)
    high = np.ceil((backdrop.focus.max(axis=0) + backdrop.reach - frame[:2]) / frame[2]).astype(int)
    stride = int(max(1, -(-int((high - low).max()) // _MOST_CELLS)))
    columns, rows = (np.arange(a, b + stride, stride) for a, b in zip(low, high, strict=True))
    heights = grid[np.ix_(np.clip(rows, 0, grid.shape[0] - 1), np.clip(columns, 0, grid.shape[1] - 1))]
    x, z = np.meshgrid(frame[0] + frame[2] * columns, frame[1] + frame[2] * rows)
    nodes = np.stack([x, heights, z], axis=-1)
    a, b, c, d = nodes[:-1, :-1], nodes[1:, :-1], nodes[1:, 1:], nodes[:-1, 1:]
    return np.stack([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)]).reshape(-1, 3, 3)


def _shadow(shapes: Shapes, ground: Ground, size: float, light: FloatArray) -> Shadow:
    """How dark each place of the plan is."""
    points = shapes.points
    per_height = light[[0, 2]] / light[1]  # how far to the side a ray to the light goes for a metre up
    over = np.maximum(ground.height_above(points), 0.0) + 0.2 * size  # the shadow may fall on a lower step
    cast_to = points[:, [0, 2]] - over[:, None] * per_height
    margin = float(shapes.around.max()) + 0.15 * size
    low = np.minimum(points[:, [0, 2]], cast_to).min(axis=0) - margin
    high = np.maximum(points[:, [0, 2]], cast_to).max(axis=0) + margin
    span = high - low
    cell = max(float(span.min()) / SHADOW_CELLS, float(span.max()) / SHADOW_MOST)
    columns, rows = (max(2, int(np.ceil(s / cell))) for s in span)
    x, z = np.meshgrid(low[0] + (np.arange(columns) + 0.5) * cell, low[1] + (np.arange(rows) + 0.5) * cell)
    heights = ground.heights(np.stack([x, z], axis=-1))
    # Bodies are seen from below, along the light, from a level plane; every place of the ground looks up its ray there.
    lowest = float(heights.min())
    at_x, at_z = x - (heights - lowest) * per_height[0], z - (heights - lowest) * per_height[1]
    corner = np.array([at_x.min(), lowest, at_z.min()])
    wide, deep = int((at_x.max() - corner[0]) / cell) + 2, int((at_z.max() - corner[2]) / cell) + 2
    axes = np.array([[cell, 0.0, 0.0], [0.0, 0.0, cell], light])
    first = cast(shapes, Camera(corner, axes, False, wide, deep), 1).depth
    found = first[((at_z - corner[2]) / cell).astype(int), ((at_x - corner[0]) / cell).astype(int)]
    up = (found * light[1] - (heights - lowest)) / size
    up = np.where((found >= _FAR) | (up < -_UNDER_A_STEP), _FAR, np.maximum(up, 0.0)).astype(np.float32)
    return Shadow(darkness(up, size / cell), np.array([low[0], low[1], columns * cell, rows * cell]))
