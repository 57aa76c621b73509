"""Cameras: where a picture is taken from, with parallel or perspective rays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from locomote.draw._kernels.bundles import Rays
from locomote.errors import LocomoteError
from locomote.rotations import ArrayLike, FloatArray

# Where the camera stands as seen from the body, degrees: from straight ahead (positive to its left), and up.
# From the side the body goes from left to right.
VIEWS: dict[str, tuple[float, float]] = {
    "side": (-90.0, 7.0),
    "front": (0.0, 7.0),
    "three-quarter": (-48.0, 16.0),
    "top": (-90.0, 90.0),
    "back": (180.0, 7.0),
    "rear-quarter": (-132.0, 20.0),
    "high": (-48.0, 32.0),
}
# How far in front of a body the ground is cut open, of the body's size, so that it does not hide what walks on it.
CUTS: dict[str, float] = {
    "side": 0.3,
    "front": 0.45,
    "three-quarter": 0.8,
    "top": 0.0,
    "back": 0.45,
    "rear-quarter": 0.8,
    "high": 1.2,
}
_LENS = np.radians(20.0)  # vertical opening of a perspective camera: a long lens, little distortion


@dataclass(frozen=True, eq=False)
class Camera:
    """Rays through the pixels of a picture; `rays` says how they run."""

    eye: FloatArray  # (3,)
    axes: FloatArray  # (3, 3) rows: one pixel right, one pixel down, forward
    perspective: bool
    width: int
    height: int

    @cached_property
    def inverse(self) -> FloatArray:
        """From an offset from the eye to ``(x, y, depth)``; in perspective x and y are times the depth."""
        out: FloatArray = np.ascontiguousarray(np.linalg.inv(self.axes.T))
        return out

    def rays(self, samples: int) -> Rays:
        """The camera for the kernels, with ``samples x samples`` rays a pixel."""
        return Rays(self.eye, self.axes, self.inverse, self.perspective, samples)

    def pixels(self, points: ArrayLike) -> FloatArray:
        """Where points ``(..., 3)`` appear, as ``(..., 2)`` pixels from the upper left corner."""
        q = (np.asarray(points, dtype=np.float64) - self.eye) @ self.inverse.T
        return q[..., :2] / q[..., 2:] if self.perspective else q[..., :2]


def check_view(view: str, uneven: bool = False) -> str:
    """The view, if there is such a one; over uneven ground three quarters are seen from higher up.

    From three quarters at the usual height the sight would run along the treads of stairs that lead upwards.
    """
    if view not in VIEWS:
        raise LocomoteError(f"view {view!r}: expected one of {', '.join(VIEWS)}")
    return "high" if uneven and view == "three-quarter" else view


def cut_place(view: str, yaw: float, spots: FloatArray, size: float) -> FloatArray:
    """The place ``(3,)`` at which ground is cut open before bodies of a size at spots ``(N, 3)``."""
    azimuth = np.radians(VIEWS[view][0]) + yaw
    towards = np.array([np.sin(azimuth), 0.0, np.cos(azimuth)])
    nearest = spots[int(np.argmax(spots @ towards))]
    out: FloatArray = nearest + CUTS[view] * size * towards
    return out


def fitting_scale(
    aside: FloatArray,
    towards: FloatArray,
    size: tuple[int, int],
    margins: tuple[float, float],
    perspective: bool,
) -> float:
    """The least metres a pixel at which points fit between the margins, in pixels, of a picture.

    Points lie ``aside (P, 2)`` metres across and up from its middle, and ``towards (P,)`` metres nearer to the camera,
    where perspective shows them larger: by that they may reach into the margins half way.
    """
    whole, margin = np.array(size, dtype=np.float64), np.array(margins)
    flat = np.max(2.0 * np.abs(aside) / np.maximum(whole - 2.0 * margin, 1.0))
    if not perspective:
        return float(flat)
    # A camera for s metres a pixel stands s * depth away, so that a point a aside appears at a / (s - towards / depth).
    depth = 0.5 * size[1] / np.tan(0.5 * _LENS)
    deep = np.max(2.0 * np.abs(aside) / np.maximum(whole - margin, 1.0), axis=1) + towards / depth
    return float(max(flat, np.max(deep)))


def camera(
    view: str,
    centre: ArrayLike,
    yaw: float,
    size: tuple[int, int],
    metres_per_pixel: float,
    perspective: bool = False,
) -> Camera:
    """A camera that shows ``centre`` in the middle of the picture, for a body that faces ``yaw``.

    ``metres_per_pixel`` holds at the distance of ``centre``.
    """
    azimuth, elevation = (np.radians(a) for a in VIEWS[check_view(view)])
    sine, cosine = np.sin(azimuth + yaw), np.cos(azimuth + yaw)
    right = np.array([cosine, 0.0, -sine])
    look = -np.array([sine * np.cos(elevation), np.sin(elevation), cosine * np.cos(elevation)])
    up = np.cross(right, look)
    width, height = size
    corner = 0.5 * (height * up - width * right)
    middle = np.asarray(centre, dtype=np.float64)
    distance = 0.5 * height * metres_per_pixel / np.tan(0.5 * _LENS)
    if perspective:
        lens = 2.0 * np.tan(0.5 * _LENS) / height
        axes = np.array([lens * right, -lens * up, look + lens * corner])
        return Camera(middle - distance * look, axes, True, width, height)
    axes = np.array([metres_per_pixel * right, -metres_per_pixel * up, look])
    return Camera(middle - 4.0 * distance * look + metres_per_pixel * corner, axes, False, width, height)
