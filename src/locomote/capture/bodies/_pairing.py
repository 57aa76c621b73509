"""Which point belongs to which: closest points both ways between a template and a mesh (ANA-02)."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from locomote.body import vertex_normals
from locomote.capture._meshes import Mesh
from locomote.capture.bodies._articulated import Pairs
from locomote.capture.bodies._kernels.closest import DEEP, build_tree, closest_points
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

FACING = 0.5  # cosine of the angle between two normals that belong together, at least
OUTLYING = 3.0  # times the median distance: what is farther does not belong together


class Triangles:
    """Triangles to which closest points are asked for."""

    def __init__(self, vertices: FloatArray, faces: IntArray) -> None:
        self.vertices, self.faces = np.ascontiguousarray(vertices), np.ascontiguousarray(faces)
        corners = self.vertices[self.faces]
        count = len(faces)
        self._order, self._spans = np.empty(count, dtype=np.int64), np.zeros((2 * count, 3), dtype=np.int64)
        self._boxes = np.empty((2 * count, 6))
        low, high = corners.min(axis=1), corners.max(axis=1)
        build_tree(corners.mean(axis=1), low, high, self._order, self._spans, self._boxes)

    def closest(self, points: FloatArray) -> tuple[IntArray, FloatArray]:
        """The nearest triangle of each of ``points (P, 3)``, and the weights ``(P, 3)`` of its corners."""
        nearest, weights = np.empty(len(points), dtype=np.int64), np.empty((len(points), 3))
        waiting = np.empty(DEEP, dtype=np.int64)
        closest_points(
            np.ascontiguousarray(points), self.vertices, self.faces, self._order, self._spans, self._boxes,
            waiting, nearest, weights,
        )  # fmt: skip
        return nearest, weights


class Target:
    """The mesh to which a template is fitted, ready to be asked."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh, self.normals = mesh, mesh.normals
        self.areas = vertex_areas(mesh.vertices, mesh.faces)
        self.triangles = Triangles(mesh.vertices, mesh.faces)
        self.tree = cKDTree(mesh.vertices)


def vertex_areas(vertices: FloatArray, faces: IntArray) -> FloatArray:
    """A third of the triangles around each vertex, m^2."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    third = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 6.0
    return np.asarray(np.bincount(faces.ravel(), np.repeat(third, 3), len(vertices)), dtype=np.float64)


def pair_up(
    vertices: FloatArray,
    faces: IntArray,
    target: Target,
    reach: float,
    mine: IntArray,
    theirs: IntArray,
    exact: bool = True,
) -> tuple[Pairs, Pairs]:
    """Pairs from some vertices of the template, and from some of the target.

    Parameters
    ----------
    vertices, faces : of the template as it is now, m
    target : where it shall go
    reach : m; pairs farther apart than that count ever less, outliers of `OUTLYING` times the median not at all
    mine, theirs : the vertices of template and target that are asked
    exact : closest points of triangles; without it, closest vertices
    """
    normals, areas = vertex_normals(vertices, faces), vertex_areas(vertices, faces)
    asked, faced = vertices[mine], normals[mine]
    if exact:
        found, weights = target.triangles.closest(asked)
        corners = target.mesh.faces[found]
        goals = np.einsum("pk,pki->pi", weights, target.mesh.vertices[corners])
        goal_normals = _unit(np.einsum("pk,pki->pi", weights, target.normals[corners]))
    else:
        found = np.asarray(target.tree.query(asked)[1], dtype=np.int64)
        goals, goal_normals = target.mesh.vertices[found], target.normals[found]
    trust = _trust(goals - asked, np.sum(goal_normals * faced, axis=1), reach) * areas[mine]
    out = Pairs.of_vertices(mine, goals, _unit(goal_normals + faced), trust)

    points, faced = target.mesh.vertices[theirs], target.normals[theirs]
    if exact:
        found, weights = Triangles(vertices, faces).closest(points)
        corners = faces[found]
        off = points - np.einsum("pk,pki->pi", weights, vertices[corners])
        own = _unit(np.einsum("pk,pki->pi", weights, normals[corners]))
    else:
        found = np.asarray(cKDTree(vertices).query(points)[1], dtype=np.int64)
        corners = np.repeat(found[:, None], 3, axis=1)
        weights = np.tile([1.0, 0.0, 0.0], (len(points), 1))
        off, own = points - vertices[found], normals[found]
    trust = _trust(off, np.sum(own * faced, axis=1), reach) * target.areas[theirs]
    return out, Pairs(corners, weights, points, _unit(faced + own), trust)


def _trust(off: FloatArray, facing: FloatArray, reach: float) -> FloatArray:
    """1 for pairs that are near, less for those that are far, 0 for those that face elsewhere."""
    far = np.linalg.norm(off, axis=1)
    median = float(np.median(far)) if len(far) else 0.0
    trust = 1.0 / (1.0 + (far / reach) ** 2) ** 2
    trust[(facing < FACING) | (far > max(OUTLYING * median, 2.0 * reach))] = 0.0
    return np.asarray(trust)


def _unit(v: FloatArray) -> FloatArray:
    size = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.asarray(v / np.where(size > 0.0, size, 1.0))
