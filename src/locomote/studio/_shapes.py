"""Simple meshes for the stage: disks, soles, rings, blocks, strips, the lines of the floor."""

from __future__ import annotations

import math

import numpy as np

from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

Mesh = tuple[FloatArray, IntArray]  # vertices (V, 3) and triangles (T, 3)


def disk(radius: float, corners: int = 24) -> Mesh:
    """A flat disk that faces up."""
    turn = np.arange(corners) * math.tau / corners
    rim = radius * np.column_stack([np.sin(turn), np.zeros(corners), np.cos(turn)])
    k = np.arange(corners)
    triangles = np.column_stack([np.full(corners, corners), k, (k + 1) % corners])
    return np.vstack([rim, np.zeros(3)]), triangles


def sole(half_width: float, half_length: float) -> Mesh:
    """The outline of a shoe: narrow in the middle and at the heel, broad at the ball; its toes point ahead."""
    vertices, triangles = disk(1.0, 28)
    along = vertices[:, 2]
    waist = 0.78 + 0.22 * np.tanh(3.0 * (along - 0.05)) - 0.14 * np.exp(-((along + 0.1) ** 2) / 0.08)
    size = np.column_stack([half_width * waist, np.ones(len(along)), np.full(len(along), half_length)])
    return vertices * size, triangles


def ring(inner: float, outer: float, corners: int = 48) -> Mesh:
    """A flat ring that faces up."""
    turn = np.arange(corners) * math.tau / corners
    rim = np.column_stack([np.sin(turn), np.zeros(corners), np.cos(turn)])
    k = np.arange(corners)
    after = (k + 1) % corners
    triangles = np.vstack(
        [np.column_stack([k, corners + k, corners + after]), np.column_stack([k, corners + after, after])]
    )
    return np.vstack([inner * rim, outer * rim]), triangles


def prism(outline: FloatArray, height: float) -> Mesh:
    """A convex outline ``(V, 2)`` raised from the floor: walls and a roof, every face with corners of its own."""
    count = len(outline)
    base = np.column_stack([outline[:, 0], np.zeros(count), outline[:, 1]])
    if np.cross(base[1] - base[0], base[2] - base[0])[1] < 0.0:
        base = base[::-1]
    top = base + np.array([0.0, height, 0.0])
    after = np.roll(np.arange(count), -1)
    walls = np.stack([base, base[after], top[after], top], axis=1).reshape(-1, 3)
    first = 4 * np.arange(count)
    faces = np.vstack([np.column_stack([first, first + 1, first + 2]), np.column_stack([first, first + 2, first + 3])])
    roof = np.column_stack([np.zeros(count - 2, dtype=int), np.arange(1, count - 1), np.arange(2, count)])
    return np.vstack([walls, top]), np.vstack([faces, roof + len(walls)])


def ribbon(points: FloatArray, half_width: float) -> Mesh:
    """A flat strip along points ``(P, 3)``."""
    along = np.gradient(points, axis=0)
    side = np.column_stack([along[:, 2], np.zeros(len(points)), -along[:, 0]])
    side *= half_width / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-9)
    k, n = np.arange(len(points) - 1), len(points)
    triangles = np.vstack([np.column_stack([k, k + 1, n + k]), np.column_stack([k + 1, n + k + 1, n + k])])
    return np.vstack([points - side, points + side]), triangles


def grid(reach: int, half_width: float) -> Mesh:
    """Lines on the floor a metre apart, so far to all sides."""
    at = np.arange(-reach, reach + 1, dtype=np.float64)
    strip = np.array([[-half_width, -reach], [half_width, -reach], [half_width, reach], [-half_width, reach]])
    along_z = np.stack([at[:, None] + strip[:, 0], np.broadcast_to(strip[:, 1], (len(at), 4))], axis=-1)
    both = np.concatenate([along_z, along_z[..., ::-1]]).reshape(-1, 2)
    first = 4 * np.arange(2 * len(at))
    faces = np.vstack([np.column_stack([first, first + 2, first + 1]), np.column_stack([first, first + 3, first + 2])])
    return np.column_stack([both[:, 0], np.zeros(len(both)), both[:, 1]]), faces
