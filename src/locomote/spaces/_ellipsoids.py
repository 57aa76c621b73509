"""The smallest ellipsoids that enclose what was recorded of each joint: how far it may turn."""

from __future__ import annotations

import numpy as np

from locomote.rotations import FloatArray

TOLERANCE = 1e-3  # of the squared radii at which the search ends
MARGIN = 1.1  # of the radii: one who was recorded had not gone to the end of every range
LEAST = 0.05  # rad; half the thickness of an ellipsoid at least, so that a hinge leaves some play
MOST_ROUNDS = 10_000
DIRECTIONS = 400  # in which the points farthest out are looked at


def joint_ellipsoids(tangents: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Centres ``(J, 3)`` and matrices ``(J, 3, 3)`` for rotation vectors ``(N, J, 3)`` about the mean, rad.

    A vector ``w`` is within the limits of joint ``j`` where ``(w - centre) @ matrix @ (w - centre) <= 1``.
    """
    joints = tangents.shape[1]
    centres, matrices = np.empty((joints, 3)), np.empty((joints, 3, 3))
    play = LEAST * np.concatenate([np.eye(3), -np.eye(3)])
    for j in range(joints):
        points = tangents[:, j]
        core = np.concatenate([_outermost(points), points.mean(axis=0) + play])
        centres[j], matrix = enclosing_ellipsoid(core)
        off = points - centres[j]
        matrices[j] = matrix / (MARGIN**2 * max(1.0, float(np.max(np.sum(off @ matrix * off, axis=1)))))
    return centres, matrices


def enclosing_ellipsoid(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Centre ``(3,)`` and matrix ``(3, 3)`` of the smallest ellipsoid around points ``(N, 3)`` that span the space."""
    from locomote.spaces._kernels.ellipsoid import enclose

    centre, matrix = np.empty(3), np.empty((3, 3))
    enclose(np.ascontiguousarray(points), TOLERANCE, MOST_ROUNDS, np.empty(len(points)), centre, matrix)
    return centre, matrix


def _outermost(points: FloatArray) -> FloatArray:
    """The points farthest out in directions all around, seen in their own axes."""
    off = points - points.mean(axis=0)
    values, axes = np.linalg.eigh(off.T @ off / len(off))
    flat = off @ axes / np.sqrt(np.maximum(values, LEAST**2))
    # A spiral on the sphere spreads directions evenly.
    steps = np.arange(DIRECTIONS) + 0.5
    height, around = 1.0 - 2.0 * steps / DIRECTIONS, np.pi * (1.0 + 5.0**0.5) * steps
    ring = np.sqrt(1.0 - height**2)
    ways = np.stack([ring * np.cos(around), ring * np.sin(around), height])
    out: FloatArray = points[np.unique(np.argmax(flat @ ways, axis=0))]
    return out
