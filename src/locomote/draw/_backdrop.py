"""What stands around the bodies of a picture: the floor or the ground that they walk on, and obstacles on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote.draw._camera import Camera
from locomote.rotations import FloatArray
from locomote.world import Ground, Obstacles

_LIGHT = (-0.34, 0.84, 0.42)  # towards the light: to the right of the picture, up, and towards the camera


@dataclass(frozen=True, eq=False)
class Backdrop:
    """The floor of a picture, or the ground in its place."""

    plane: FloatArray  # (3,) height, slope along x, slope along z
    focus: FloatArray  # (2, 2) the segment of the floor, as (x, z), around which it is visible
    reach: float  # metres from the focus at which it has faded away
    cell: float  # metres between grid lines
    surface: float = 1.0  # alpha of the floor itself
    lines: float = 0.9  # alpha of the grid
    ground: Ground | None = None  # takes the place of the plane
    cut: FloatArray | None = None  # (3,) a place: ground that lies before it, seen from the camera, is cut away
    obstacles: Obstacles | None = None


def light_of(camera: Camera) -> FloatArray:
    """The direction to the light, which stands beside the camera."""
    right = camera.axes[0] / np.linalg.norm(camera.axes[0])
    up = np.array([0.0, 1.0, 0.0])
    light = _LIGHT[0] * right + _LIGHT[1] * up + _LIGHT[2] * np.cross(right, up)
    unit: FloatArray = light / np.linalg.norm(light)
    return unit
