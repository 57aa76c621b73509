"""Silhouettes as distances from their outlines, and outlines as places with the way out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.capture.cages._fields import signed_distances
from locomote.draw._camera import Camera
from locomote.rotations import FloatArray

if TYPE_CHECKING:
    from locomote.capture._kernels.outlines import Outlines

Mask = npt.NDArray[np.bool_]

SAMPLES = 150  # of an outline
_AROUND = 24  # pixels around a silhouette to which distances are told; beyond them they are estimated
_SPAN = 2  # pixels to each side over which the way out is told


class Outline(NamedTuple):
    """One silhouette; pixels, the middle of the first one at (0.5, 0.5)."""

    corner: tuple[int, int]  # column and row of the first pixel of the field
    field: npt.NDArray[np.float32]  # (H, W) distance from the outline, negative inside
    spots: FloatArray  # (S, 2) of the outline
    normals: FloatArray  # (S, 2) outwards

    def at(self, spots: FloatArray) -> FloatArray:
        """Distances from the outline at ``(P, 2)`` pixels, about."""
        off = np.floor(spots).astype(np.int64) - self.corner
        x, y = (np.clip(off[:, k], 0, self.field.shape[1 - k] - 1) for k in range(2))
        return np.asarray(self.field[y, x] + np.abs(off[:, 0] - x) + np.abs(off[:, 1] - y), dtype=np.float64)


def majority(mask: Mask, reach: int) -> Mask:
    """Every pixel as most of those around it: where cameras agree, ragged edges would shave a hull from all sides."""
    from scipy.ndimage import uniform_filter

    if reach < 1:
        return mask
    out = np.zeros_like(mask)
    box = _box(mask, reach)
    out[box] = uniform_filter(mask[box].astype(np.float32), 2 * reach + 1) > 0.5
    return out


def outline_of(mask: Mask, smooth: int) -> Outline | None:
    """The outline of a silhouette in a picture; None where nothing is left of it."""
    box = _box(mask, _AROUND)
    part = majority(mask[box], smooth) if mask.any() else mask[box]
    if not part.any() or part.all() or min(part.shape) < 2:
        return None
    away = signed_distances(part)
    y, x = np.nonzero((away < 0.0) & (away > -1.0))
    top, left = box[0].start, box[1].start
    # Where a body leaves the picture is no outline.
    inner = (y + top > 0) & (y + top < mask.shape[0] - 1) & (x + left > 0) & (x + left < mask.shape[1] - 1)
    chosen = np.flatnonzero(inner)
    if len(chosen):
        chosen = chosen[np.unique(np.linspace(0, len(chosen) - 1, SAMPLES).astype(int))]
    y, x = y[chosen], x[chosen]
    high, wide = away.shape
    right = away[y, np.minimum(x + _SPAN, wide - 1)] - away[y, np.maximum(x - _SPAN, 0)]
    down = away[np.minimum(y + _SPAN, high - 1), x] - away[np.maximum(y - _SPAN, 0), x]
    normals = np.stack([right, down], axis=1).astype(np.float64)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    spots = np.stack([x + left + 0.5, y + top + 0.5], axis=1) - normals * away[y, x, None]
    return Outline((left, top), away, spots, normals)


def gathered(outlines: Sequence[Outline], cameras: Sequence[Camera]) -> Outlines:
    """The outlines of several cameras for kernels."""
    from locomote.capture._kernels.outlines import Outlines

    sizes = np.array([one.field.shape[::-1] for one in outlines], dtype=np.int64)
    fields = np.zeros((len(outlines), sizes[:, 1].max(), sizes[:, 0].max()), dtype=np.float32)
    for field, one in zip(fields, outlines, strict=True):
        field[: one.field.shape[0], : one.field.shape[1]] = one.field
    return Outlines(
        lenses_of(cameras),
        np.array([np.linalg.norm(one.axes[0]) for one in cameras]),
        np.array([not one.perspective for one in cameras]),
        np.array([one.corner for one in outlines], dtype=np.int64),
        sizes,
        fields,
        np.repeat(np.arange(len(outlines)), [len(one.spots) for one in outlines]),
        np.concatenate([one.spots for one in outlines]),
        np.concatenate([one.normals for one in outlines]),
    )


def lenses_of(cameras: Sequence[Camera]) -> FloatArray:
    """Eyes and inverse axes of cameras for kernels, ``(C, 4, 3)``."""
    return np.ascontiguousarray([np.concatenate([one.eye[None], one.inverse]) for one in cameras], dtype=np.float64)


def _box(mask: Mask, around: int) -> tuple[slice, slice]:
    """Where a picture is not empty, and some pixels around it."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return np.s_[0:1, 0:1]
    return np.s_[
        max(rows[0] - around, 0) : rows[-1] + around + 1, max(columns[0] - around, 0) : columns[-1] + around + 1
    ]
