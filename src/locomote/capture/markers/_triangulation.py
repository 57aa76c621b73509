"""Places from several views, and when enough cameras see an animal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.capture.markers._gaps import runs
from locomote.capture.markers._views import View
from locomote.errors import LocomoteError
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import IntArray

LEAST_VIEWS = 6  # that must see an animal for its hull to be one
_ROUNDS = 4


class Triangulated(NamedTuple):
    """Points found from views."""

    points: FloatArray  # (..., 3) m; NaN where fewer views than asked saw them
    error: FloatArray  # (...) root mean square of the reprojection, pixels
    views: IntArray  # (...) how many saw them


class Usable(NamedTuple):
    """When an animal can be reconstructed."""

    cameras: IntArray  # (F,) that see all of it
    seconds: float  # in which enough do
    stretches: list[tuple[int, int]]  # first frame, and the one after the last


def triangulate(
    views: Sequence[View], pixels: ArrayLike, weights: ArrayLike | None = None, least: int = 2
) -> Triangulated:
    """Places of points from where several cameras see them: a linear start, then the least reprojection error.

    Parameters
    ----------
    views
        V cameras.
    pixels
        (V, ..., 2) where they see the points; NaN where they do not.
    weights
        (V,) of the cameras, against one another.
    least
        Views that a point needs, 2 or more.
    """
    seen = np.asarray(pixels, dtype=np.float64)
    if len(views) < 2:
        raise LocomoteError(f"{len(views)} view: depth needs two cameras or more")
    if seen.ndim < 2 or seen.shape[0] != len(views) or seen.shape[-1] != 2:
        raise LocomoteError(f"pixels: expected ({len(views)} views, …, 2), got {seen.shape}")
    if least < 2:
        raise LocomoteError(f"least {least}: expected 2 views or more")
    shape = seen.shape[1:-1]
    flat = seen.reshape(len(views), -1, 2)
    there = np.array(np.isfinite(flat).all(axis=2))
    trust = np.ones(len(views)) if weights is None else np.asarray(weights, dtype=np.float64)
    if trust.shape != (len(views),) or not np.all(trust > 0.0):
        raise LocomoteError("weights: expected one above 0 for each view")
    good = there.sum(axis=0) >= least
    share = np.where(there, trust[:, None], 0.0)[:, good]
    points = np.full((flat.shape[1], 3), np.nan)
    error = np.full(flat.shape[1], np.nan)
    if good.any():
        found = _linear(views, flat[:, good], share)
        for _ in range(_ROUNDS):
            found = found + _step(views, flat[:, good], share, found)
        points[good] = found
        off = np.stack([view.pixels(found) for view in views]) - flat[:, good]
        square = np.sum(np.where(there[:, good, None], off, 0.0) ** 2, axis=(0, 2))
        error[good] = np.sqrt(square / np.maximum(there[:, good].sum(axis=0), 1))
    return Triangulated(points.reshape(*shape, 3), error.reshape(shape), there.sum(axis=0).reshape(shape))


def usable(views: Sequence[View], surface: FloatArray, fps: float, least: int = LEAST_VIEWS) -> Usable:
    """When enough cameras see all of an animal at once.

    Parameters
    ----------
    views
        The cameras.
    surface
        (F, V, 3) m, points all over its skin.
    fps
        Frames a second.
    least
        Cameras that must see it whole.
    """
    whole = np.array([np.all(view.sees(surface), axis=1) for view in views])
    cameras = whole.sum(axis=0)
    enough = np.array(cameras >= least)
    return Usable(cameras, float(enough.sum()) / fps, runs(enough))


def _linear(views: Sequence[View], pixels: FloatArray, share: FloatArray) -> FloatArray:
    """Points ``(N, 3)`` nearest to their rays, each row by its share."""
    rows, right = [], []
    for view, seen, weight in zip(views, pixels, share, strict=True):
        axes = rot.to_matrix(view.rotation)
        x, y = np.nan_to_num(view.rays(seen)).T
        for value, axis in ((x, 0), (y, 1)):
            across = axes[axis] - value[:, None] * axes[2]
            rows.append(np.sqrt(weight)[:, None] * across)
            right.append(np.sqrt(weight) * (across @ view.eye))
    a, b = np.stack(rows, axis=1), np.stack(right, axis=1)
    return np.asarray(np.stack([np.linalg.lstsq(m, v, rcond=None)[0] for m, v in zip(a, b, strict=True)]))


def _step(views: Sequence[View], pixels: FloatArray, share: FloatArray, points: FloatArray) -> FloatArray:
    """One step of Gauss and Newton; slopes are differences over a small part of the distance."""
    normal, pull = np.zeros((len(points), 3, 3)), np.zeros((len(points), 3))
    for view, seen, weight in zip(views, pixels, share, strict=True):
        h = 1e-5 * np.linalg.norm(points - view.eye, axis=1).mean()
        here = view.pixels(points)
        slope = np.stack([(view.pixels(points + h * axis) - here) / h for axis in np.eye(3)], axis=-1)
        slope, off = np.nan_to_num(slope), np.nan_to_num(seen - here)
        trusted = np.where(weight > 0.0, weight, 0.0)
        normal += np.einsum("n,nia,nib->nab", trusted, slope, slope)
        pull += np.einsum("n,nia,ni->na", trusted, slope, off)
    trace = np.trace(normal, axis1=1, axis2=2)[:, None, None]
    return np.asarray(np.linalg.solve(normal + 1e-12 * trace * np.eye(3), pull[..., None])[..., 0])
