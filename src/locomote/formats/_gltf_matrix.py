"""The 4x4 matrices of glTF nodes: put together from their parts and taken apart again."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.rotations import FloatArray


def join_matrix(translation: FloatArray, rotation: FloatArray, scale: FloatArray) -> FloatArray:
    """The matrices ``(..., 4, 4)`` that scale, then turn, then shift."""
    turned = rot.to_matrix(rotation) * scale[..., None, :]
    shape = np.broadcast_shapes(turned.shape[:-2], translation.shape[:-1])
    out = np.zeros((*shape, 4, 4))
    out[..., :3, :3] = turned
    out[..., :3, 3] = translation
    out[..., 3, 3] = 1.0
    return out


def split_matrix(matrix: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Translation, rotation and scale of matrices ``(..., 4, 4)``; a mirror is a negative first scale."""
    linear = matrix[..., :3, :3]
    scale = np.linalg.norm(linear, axis=-2)
    mirrored = np.linalg.det(linear) < 0.0
    scale[..., 0] = np.where(mirrored, -scale[..., 0], scale[..., 0])
    return matrix[..., :3, 3].copy(), world_rotation(linear), scale


def world_rotation(linear: FloatArray) -> FloatArray:
    """The rotations nearest to matrices ``(..., 3, 3)``; of a mirrored one the first axis is turned round."""
    length = np.linalg.norm(linear, axis=-2, keepdims=True)
    unit = linear / np.where(length > 0.0, length, 1.0)
    unit[..., 0] *= np.where(np.linalg.det(unit) < 0.0, -1.0, 1.0)[..., None]
    # Columns that are not square to each other (shear, or a scale of zero) need the polar decomposition.
    skew = np.abs(np.swapaxes(unit, -1, -2) @ unit - np.eye(3)).max(axis=(-2, -1)) > 1e-9
    if np.any(skew) and np.all(np.isfinite(unit)):
        left, _, right = np.linalg.svd(unit[skew])
        left[..., 2] *= np.sign(np.linalg.det(left @ right))[..., None]
        unit[skew] = left @ right
    return rot.from_matrix(unit)
