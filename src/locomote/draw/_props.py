"""The obstacles of a picture: what of them a camera sees, their shadows, and how far away they are."""

from __future__ import annotations

import numpy as np

from locomote.draw import _palette as palette
from locomote.draw._backdrop import Backdrop
from locomote.draw._camera import Camera
from locomote.draw._kernels.bundles import Fading, Floats32, Prisms, Props
from locomote.rotations import FloatArray
from locomote.world import Obstacles
from locomote.world._kernels.obstacle_layout import CORNERS, HEIGHT, LIFT, RADIUS, X, Z

_BURIED = 0.01  # m that obstacles reach into the ground, so that no gap shows
_FADE = np.array([0.85, 1.15])  # of the reach of the floor: they fade later than it, since they hide what is behind


def obstacle_layer(
    obstacles: Obstacles,
    backdrop: Backdrop,
    cut: FloatArray,
    ground_depth: Floats32 | None,
    camera: Camera,
    light: FloatArray,
    samples: int,
) -> tuple[Floats32, Floats32]:
    """Obstacles and their shadows as colour and alpha of every pixel, and the depth of every sample.

    The colour is already multiplied by its alpha. ``ground_depth`` is that of the ground; none means the plane of the
    backdrop. Flat obstacles have no depth: they hide nothing.
    """
    from locomote.draw._kernels.raster_obstacles import cast_obstacles, plane_depth, shade_obstacles

    shape = (camera.height * samples, camera.width * samples)
    rays = camera.rays(samples)
    if ground_depth is None:
        ground_depth = np.empty(shape, dtype=np.float32)
        plane_depth(rays, backdrop.plane, ground_depth)
    prisms = _visible(obstacles, backdrop)
    props = Props(np.empty(shape, dtype=np.float32), np.empty(shape, dtype=np.int32), np.empty(shape, dtype=np.int8))
    cast_obstacles(prisms, rays, cut, light, ground_depth, props)
    out = np.empty((camera.height, camera.width, 4), dtype=np.float32)
    opened = palette.mixed(palette.BLOCK, palette.SECTION, 0.5)
    inks = (palette.BLOCK, palette.WATER, palette.SHORE, palette.EDGE, palette.SHADOW, opened)
    fading = Fading(np.ascontiguousarray(backdrop.focus), _FADE * backdrop.reach)
    shade_obstacles(props, ground_depth, rays, light, prisms, fading, np.array(inks) / 255.0, out)
    return out, props.depth


def _visible(obstacles: Obstacles, backdrop: Backdrop) -> Prisms:
    """The obstacles that are not out of sight."""
    table, corners = obstacles.arrays[:2]
    a, b = backdrop.focus
    share = np.clip(((table[:, [X, Z]] - a) @ (b - a)) / max(float((b - a) @ (b - a)), 1e-12), 0.0, 1.0)
    off = np.linalg.norm(table[:, [X, Z]] - a - share[:, None] * (b - a), axis=1)
    near = off < _FADE[1] * backdrop.reach + table[:, RADIUS]
    table, corners = table[near], corners[near]
    used = np.arange(corners.shape[1]) < table[:, CORNERS, None]
    under = np.where(used, _heights(corners, backdrop), np.nan)
    middle = _heights(table[:, [X, Z]], backdrop)
    low = np.fmin(np.fmin.reduce(under, axis=1), middle) - _BURIED
    low = np.where(table[:, LIFT] > 0.0, middle + table[:, LIFT], low)
    top = middle + table[:, LIFT] + table[:, HEIGHT]
    high = np.where(table[:, HEIGHT] > 0.0, top, np.fmax.reduce(under, axis=1))
    return Prisms(table, corners, np.stack([low, np.fmax(high, low)], axis=1))


def _heights(places: FloatArray, backdrop: Backdrop) -> FloatArray:
    """The height of the ground, or of the plane, at places ``(..., 2)``."""
    if backdrop.ground is not None:
        return backdrop.ground.heights(places)
    out: FloatArray = backdrop.plane[0] + places @ backdrop.plane[1:]
    return out
