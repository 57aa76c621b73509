"""Points that go along with a cage: Green coordinates, computed once, and what they make of a cage that moves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import IntArray

INSIDE = 1e-6  # how far the coordinates of a point inside may be from a sum of 1; outside they sum to 0
_FLAT = 1e-9  # area of a face over the square of the cage's size


@dataclass(frozen=True, eq=False)
class Binding:
    """Points bound to a closed cage; made by `bind`."""

    vertices: FloatArray  # (V, 3) of the cage when they were bound, m
    faces: IntArray  # (F, 3), facing outwards
    phi: FloatArray  # (P, V)
    psi: FloatArray  # (P, F)

    @property
    def inside(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which points lie inside of the cage, ``(P,)``; only those go along with it."""
        return np.asarray(np.abs(self.phi.sum(axis=1) - 1.0) < INSIDE)

    @cached_property
    def rest(self) -> FloatArray:
        """What the stretch of faces is measured against, see `_kernels.cage_shape.Cage`, ``(F, 4)``."""
        return rest_of(self.vertices, self.faces)

    @cached_property
    def layers(self) -> FloatArray:
        """``phi`` and ``psi`` side by side, ``(P, V + F)``."""
        return np.ascontiguousarray(np.concatenate([self.phi, self.psi], axis=1))

    def posed(self, vertices: ArrayLike) -> FloatArray:
        """Where the points are when the cage has moved, ``(..., P, 3)`` m.

        Parameters
        ----------
        vertices : (..., V, 3) m, of the cage
        """
        from locomote.capture._kernels.cage_shape import stretch_normals

        moved = np.asarray(vertices, dtype=np.float64)
        count = len(self.vertices)
        if moved.shape[-2:] != (count, 3) or not np.isfinite(moved).all():
            raise LocomoteError(f"cage vertices: shape {moved.shape}, expected finite numbers (..., {count}, 3)")
        flat = moved.reshape(-1, count, 3)
        out = np.empty((len(flat), len(self.phi), 3))
        layers = np.empty((count + len(self.faces), 3))
        for f, own in enumerate(flat):
            layers[:count] = own
            stretch_normals(layers, self.faces, self.rest, count)
            out[f] = self.layers @ layers
        return out.reshape(*moved.shape[:-2], len(self.phi), 3)


def bind(points: ArrayLike, vertices: ArrayLike, faces: ArrayLike) -> Binding:
    """Green coordinates of points in a closed cage.

    Where the cage is moved by a similarity, points are moved by the same one; where it is bent, they go along smoothly
    and keep their shape. Only points inside go along: `Binding.inside` tells which those are.

    Parameters
    ----------
    points : (P, 3) m
    vertices : (V, 3) m, of the cage; it must not cut through itself here
    faces : (F, 3) its triangles, facing outwards
    """
    from locomote.capture._kernels.green import face_frames, green

    p = np.ascontiguousarray(points, dtype=np.float64)
    v = np.array(vertices, dtype=np.float64)
    f = np.array(faces, dtype=np.int64)
    for what, values in (("points", p), ("cage vertices", v)):
        if values.ndim != 2 or values.shape[1] != 3 or not np.isfinite(values).all():
            raise LocomoteError(f"{what}: shape {values.shape}, expected finite numbers (N, 3)")
    check_closed(v, f)
    frames = np.empty((len(f), 8, 3))
    face_frames(v, f, frames)
    phi, psi = np.empty((len(p), len(v))), np.empty((len(p), len(f)))
    green(p, v, f, frames, np.empty((3, 3)), phi, psi)
    return Binding(v, f, phi, psi)


def check_closed(vertices: FloatArray, faces: IntArray, what: str = "the cage") -> None:
    """Refuse what is no closed surface that faces outwards (CAG-03)."""
    if faces.ndim != 2 or faces.shape[1] != 3 or not len(faces):
        raise LocomoteError(f"{what}: faces of shape {faces.shape}, expected (F, 3)")
    if faces.min() < 0 or faces.max() >= len(vertices):
        raise LocomoteError(f"{what}: a face names vertex {int(faces.max())}, and there are {len(vertices)}")
    sides = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    forth, back = (sides[:, cut] @ np.array([len(vertices), 1]) for cut in ((0, 1), (1, 0)))
    if len(np.unique(forth)) < len(forth) or len(np.setdiff1d(forth, back)):
        raise LocomoteError(f"{what}: not closed, every edge must belong to two triangles that face alike")
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    if np.einsum("ij,ij->", a - vertices.mean(axis=0), across) <= 0.0:
        raise LocomoteError(f"{what}: its triangles face inwards, turn them round")
    size = float(np.max(np.ptp(vertices, axis=0)))
    flat = np.flatnonzero(np.linalg.norm(across, axis=1) < _FLAT * size * size)
    if len(flat):
        raise LocomoteError(f"{what}: triangle {int(flat[0])} has no area")


def rest_of(vertices: FloatArray, faces: IntArray) -> FloatArray:
    """Squares and product of two edges of every face, and the root of 8 times its area, ``(F, 4)``."""
    u, w = vertices[faces[:, 1]] - vertices[faces[:, 0]], vertices[faces[:, 2]] - vertices[faces[:, 0]]
    area = 0.5 * np.linalg.norm(np.cross(u, w), axis=1)
    rows = [np.sum(u * u, axis=1), np.sum(w * w, axis=1), np.sum(u * w, axis=1), np.sqrt(8.0) * area]
    return np.ascontiguousarray(np.stack(rows, axis=1))
