"""Perspective cameras at chosen places: what films, silhouettes, visual hulls and triangulation are made with.

The camera itself is the one that pictures are drawn with: an eye and, as rows of `axes`, one pixel to the right, one
pixel down and the ray through the upper left corner.
"""

from __future__ import annotations

import numpy as np

from locomote.draw._camera import Camera
from locomote.errors import LocomoteError
from locomote.rotations import ArrayLike

_UP = np.array([0.0, 1.0, 0.0])


def camera_at(
    eye: ArrayLike, target: ArrayLike, size: tuple[int, int] = (400, 400), opening: float = np.radians(40.0)
) -> Camera:
    """A perspective camera at a place that looks at another one, upright.

    Parameters
    ----------
    eye
        Where the camera is, ``(3,)``, m.
    target
        What is in the middle of its pictures, ``(3,)``, m; not straight above or below it.
    size
        Width and height of a picture, pixels.
    opening
        Angle between its upper and its lower edge, rad.
    """
    at, aim = np.asarray(eye, dtype=np.float64), np.asarray(target, dtype=np.float64)
    if at.shape != (3,) or aim.shape != (3,) or not (np.isfinite(at).all() and np.isfinite(aim).all()):
        raise LocomoteError("a camera: expected a finite place (x, y, z) for eye and target")
    if not 0.0 < opening < np.pi or min(size) < 1:
        raise LocomoteError(f"a camera of {size} pixels, opening {opening:g} rad: expected pixels, and 0 to pi")
    look = aim - at
    aside = np.cross(look, _UP)
    if np.linalg.norm(aside) <= 1e-9 * np.linalg.norm(look):
        raise LocomoteError("a camera that looks straight up or down: move its eye or its target a little aside")
    look, right = look / np.linalg.norm(look), aside / np.linalg.norm(aside)
    up = np.cross(right, look)
    width, height = size
    lens = 2.0 * np.tan(0.5 * opening) / height
    corner = 0.5 * lens * (height * up - width * right)
    return Camera(at, np.array([lens * right, -lens * up, look + corner]), True, width, height)


def camera_ring(
    count: int,
    radius: float = 4.0,
    height: float = 1.6,
    target: ArrayLike = (0.0, 0.9, 0.0),
    size: tuple[int, int] = (400, 400),
    opening: float = np.radians(40.0),
) -> list[Camera]:
    """Cameras evenly around a place, as in a capture studio.

    Parameters
    ----------
    count
        How many.
    radius
        Level distance of the eyes from the target, m.
    height
        Height of the eyes over the floor, m.
    target
        What all of them look at, ``(3,)``, m.
    size
        Width and height of their pictures, pixels.
    opening
        Angle between upper and lower edge of a picture, rad.
    """
    if count < 1:
        raise LocomoteError(f"a ring of {count} cameras: expected 1 or more")
    middle = np.asarray(target, dtype=np.float64)
    around = 2.0 * np.pi * (np.arange(count) + 0.5) / count
    level = middle[[0, 2]] + radius * np.stack([np.sin(around), np.cos(around)], axis=1)
    return [camera_at((x, height, z), middle, size, opening) for x, z in level]
