"""Shapes on a floor or on the ground, among obstacles, seen by a camera, as a picture."""

from __future__ import annotations

import numpy as np
from PIL import Image

from locomote.draw import _palette as palette
from locomote.draw._backdrop import Backdrop, light_of
from locomote.draw._camera import Camera
from locomote.draw._casting import cast
from locomote.draw._floor import floor_layer
from locomote.draw._kernels.bundles import Floats32
from locomote.draw._props import obstacle_layer
from locomote.draw._shapes import Shapes
from locomote.draw._solid import Relief, conceal, cut_plane, ground_layer
from locomote.rotations import FloatArray

STILL, MOVING = 3, 2  # rays a pixel in each direction, for stills and for films
_SUNK = 0.012  # of the body's size: what lies deeper in the ground is seen through it
_THROUGH = 0.35  # alpha of what is seen through the ground


def render(
    shapes: Shapes,
    backdrop: Backdrop,
    camera: Camera,
    size: float,
    background: palette.Colour | None = palette.PAPER,
    samples: int = STILL,
) -> Image.Image:
    """The picture of shapes on the ground; ``size`` is that of one body and sets the softness of its shadow.

    Without a background the picture is transparent (RGBA).
    """
    from locomote.draw._kernels.raster_floor import compose

    light = light_of(camera)
    relief = None
    if backdrop.ground is None:
        layer = floor_layer(shapes, backdrop, camera, size, light)
    else:
        layer, relief = ground_layer(shapes, backdrop.ground, backdrop, camera, size, light, samples)
    before = None
    if backdrop.obstacles is not None and len(backdrop.obstacles):
        under = None if relief is None else relief.depth
        cut = cut_plane(backdrop.cut, camera)
        props, before = obstacle_layer(backdrop.obstacles, backdrop, cut, under, camera, light, samples)
        layer = props + (1.0 - props[..., 3:]) * layer
    body, left, top = _bodies(shapes, backdrop, relief, before, camera, size, light, samples)
    out = np.empty((camera.height, camera.width, 4 if background is None else 3), dtype=np.uint8)
    compose(layer, body, left, top, np.array(background or palette.PAPER) / 255.0, out)
    return Image.fromarray(out)


def _bodies(
    shapes: Shapes,
    backdrop: Backdrop,
    relief: Relief | None,
    before: Floats32 | None,
    camera: Camera,
    size: float,
    light: FloatArray,
    samples: int,
) -> tuple[Floats32, int, int]:
    """The bodies alone, in the part of the picture that they fill, and its left upper corner.

    ``before`` is the depth of obstacles, which hide what is farther away.
    """
    from locomote.draw._kernels.raster import HIDDEN, shade, sink_into_plane

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
    hits = cast(shapes.nearer(camera.eye, camera.axes[2], camera.perspective), window, samples)
    rays = window.rays(samples)
    seen = np.empty(hits.depth.shape, dtype=np.int8)
    if relief is None:
        sink_into_plane(hits.depth, rays, backdrop.plane, _SUNK * size, seen)
    else:
        conceal(relief, hits.depth, rays, (left * samples, top * samples), _SUNK * size, seen)
    if before is not None:
        rows, columns = (slice(samples * a, samples * b) for a, b in ((top, bottom), (left, right)))
        seen[before[rows, columns] < hits.depth] = HIDDEN
    part = np.empty((bottom - top, right - left, 4), dtype=np.float32)
    shade(hits, shapes.paints, rays, light, seen, _THROUGH, 0.02 * size, part)
    return part, left, top


def _filled(shapes: Shapes, camera: Camera) -> tuple[int, int, int, int]:
    """The pixels ``(left, top, right, bottom)`` outside of which no shape appears."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    points = shapes.points[:, None] + shapes.around[:, None, None] * corners
    pixels = camera.pixels(points).reshape(-1, 2)
    low, high = np.floor(pixels.min(axis=0)), np.ceil(pixels.max(axis=0)) + 1
    return (
        int(max(low[0], 0)),
        int(max(low[1], 0)),
        int(min(high[0], camera.width)),
        int(min(high[1], camera.height)),
    )
