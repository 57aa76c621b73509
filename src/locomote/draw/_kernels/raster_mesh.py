"""Triangles with smooth normals in the depth, normal and index buffers of `locomote.draw._kernels.raster`."""

from __future__ import annotations

import math

import numpy as np

from locomote.draw._kernels.bundles import Floats, Hits, Ints, Rays, Triangles
from locomote.draw._kernels.raster import NEAR, ray
from locomote.math._compile import inline, kernel
from locomote.math.vector import Vector, cross, subtract, vector

_SEAM = -1e-9  # share of a corner at which a ray still meets a triangle: no ray slips between two neighbours
_THINNEST = 1e-12  # square pixels; what covers less is seen edge on and fills nothing


@kernel
def cast_triangles(mesh: Triangles, first: int, rays: Rays, hits: Hits) -> None:
    """Draw a mesh; ``which`` counts its triangles from ``first``. What is nearer already stays.

    Both faces are drawn, and normals point to the side that is seen.
    """
    vertices, triangles, corner_normals, shading = mesh.vertices, mesh.corners, mesh.normals, mesh.shading
    eye, inverse, perspective = rays.eye, rays.inverse, rays.perspective
    depth, normals, which = hits.depth, hits.normals, hits.which
    step = 1.0 / rays.samples
    height, width = depth.shape
    seen = np.empty((vertices.shape[0], 3))  # (x, y, depth) from the camera; in perspective x and y times the depth
    for v in range(vertices.shape[0]):
        qx, qy, qz = vertices[v, 0] - eye[0], vertices[v, 1] - eye[1], vertices[v, 2] - eye[2]
        for i in range(3):
            seen[v, i] = inverse[i, 0] * qx + inverse[i, 1] * qy + inverse[i, 2] * qz
    at = np.empty((3, 3))  # the corners as homogeneous pixels
    share = np.empty((3, 3))  # rows: a linear function of the pixel, in proportion to the share of a corner
    for t in range(triangles.shape[0]):
        left, right, top, bottom = 1e9, -1e9, 1e9, -1e9
        for k in range(3):
            v = triangles[t, k]
            at[k, 0], at[k, 1] = seen[v, 0], seen[v, 1]
            at[k, 2] = seen[v, 2] if perspective else 1.0
            if at[k, 2] < NEAR:  # partly behind the eye: it may appear anywhere
                left, right, top, bottom = -1e9, 1e9, -1e9, 1e9
            else:
                x, y = at[k, 0] / at[k, 2], at[k, 1] / at[k, 2]
                left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
        # Only samples whose middle lies between the outermost corners can be met.
        begin, end = max(0, math.floor(left / step - 0.5)), min(width, math.ceil(right / step - 0.5) + 1)
        over, under = max(0, math.floor(top / step - 0.5)), min(height, math.ceil(bottom / step - 0.5) + 1)
        if begin >= end or over >= under:
            continue
        for k in range(3):
            a, b = (k + 1) % 3, (k + 2) % 3
            share[k, 0] = at[a, 1] * at[b, 2] - at[a, 2] * at[b, 1]
            share[k, 1] = at[a, 2] * at[b, 0] - at[a, 0] * at[b, 2]
            share[k, 2] = at[a, 0] * at[b, 1] - at[a, 1] * at[b, 0]
        nx, ny, nz = _across(vertices, triangles, t)
        for row in range(over, under):
            y = (row + 0.5) * step
            for column in range(begin, end):
                x = (column + 0.5) * step
                s0 = share[0, 0] * x + share[0, 1] * y + share[0, 2]
                s1 = share[1, 0] * x + share[1, 1] * y + share[1, 2]
                s2 = share[2, 0] * x + share[2, 1] * y + share[2, 2]
                whole = s0 + s1 + s2
                if abs(whole) < _THINNEST:
                    continue
                s0, s1, s2 = s0 / whole, s1 / whole, s2 / whole
                if s0 < _SEAM or s1 < _SEAM or s2 < _SEAM:
                    continue
                i, j, k = triangles[t, 0], triangles[t, 1], triangles[t, 2]
                found = s0 * seen[i, 2] + s1 * seen[j, 2] + s2 * seen[k, 2]
                if found >= depth[row, column] or (perspective and found < NEAR):
                    continue
                _, (dx, dy, dz) = ray(x, y, rays)
                side = -1.0 if nx * dx + ny * dy + nz * dz > 0.0 else 1.0
                i, j, k = shading[t, 0], shading[t, 1], shading[t, 2]
                mx = s0 * corner_normals[i, 0] + s1 * corner_normals[j, 0] + s2 * corner_normals[k, 0]
                my = s0 * corner_normals[i, 1] + s1 * corner_normals[j, 1] + s2 * corner_normals[k, 1]
                mz = s0 * corner_normals[i, 2] + s1 * corner_normals[j, 2] + s2 * corner_normals[k, 2]
                size = math.sqrt(mx * mx + my * my + mz * mz)
                if size < 1e-9:
                    mx, my, mz = nx, ny, nz
                    size = math.sqrt(mx * mx + my * my + mz * mz)
                depth[row, column] = found
                which[row, column] = first + t
                normals[row, column, 0] = side * mx / size
                normals[row, column, 1] = side * my / size
                normals[row, column, 2] = side * mz / size


@inline
def _across(vertices: Floats, triangles: Ints, t: int) -> Vector:
    """Square to a triangle, on the side from which its corners run against the clock."""
    corner = vector(vertices[triangles[t, 0]])
    first = subtract(vector(vertices[triangles[t, 1]]), corner)
    return cross(first, subtract(vector(vertices[triangles[t, 2]]), corner))
