"""Green coordinates of points in a closed cage of triangles, in closed form.

For a triangle with corners v_l, seen from a point p: d_l = v_l - p, r_l = |d_l|, h = d_l . n, its solid angle Om, and
for its edges (length L_l, direction e_l, outward m_l = e_l x n) the logarithms x_l of (r_l + r_l+1 + L_l) over
(r_l + r_l+1 - L_l). Then its single layer is psi = (sum (d_l . m_l) x_l - h Om) / 4 pi, and the double layer, weighed
by the corners' own coordinates, phi_l = (lambda_l Om - h g_l . sum m_k x_k) / 4 pi with g_l the gradient of such a
coordinate (CAG-01).
Nothing is divided by what vanishes on a face, beside an edge or in its plane.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline, kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_NONE = 1e-300  # m; a point on an edge is as near as that
_SHARE = 1.0 / (4.0 * math.pi)


@inline
def _dot(a: Floats, i: int, b: Floats, j: int) -> float:
    return float(a[i, 0] * b[j, 0] + a[i, 1] * b[j, 1] + a[i, 2] * b[j, 2])


@kernel
def green(
    points: Floats, vertices: Floats, faces: Ints, frames: Floats, scratch: Floats, phi: Floats, psi: Floats
) -> None:
    """Coordinates of ``points (P, 3)`` by ``vertices (V, 3)`` and ``faces (F, 3)``: ``phi (P, V)``, ``psi (P, F)``.

    ``frames (F, 8, 3)`` is what `face_frames` makes of them; ``scratch`` is ``(3, 3)``.
    """
    d = scratch
    for p in range(points.shape[0]):
        for v in range(vertices.shape[0]):
            phi[p, v] = 0.0
        for f in range(faces.shape[0]):
            for k in range(3):
                for i in range(3):
                    d[k, i] = vertices[faces[f, k], i] - points[p, i]
            own = frames[f]
            r0, r1, r2 = math.sqrt(_dot(d, 0, d, 0)), math.sqrt(_dot(d, 1, d, 1)), math.sqrt(_dot(d, 2, d, 2))
            h = _dot(d, 0, own, 0)
            volume = (
                d[0, 0] * (d[1, 1] * d[2, 2] - d[1, 2] * d[2, 1])
                + d[0, 1] * (d[1, 2] * d[2, 0] - d[1, 0] * d[2, 2])
                + d[0, 2] * (d[1, 0] * d[2, 1] - d[1, 1] * d[2, 0])
            )
            beside = r0 * r1 * r2 + _dot(d, 0, d, 1) * r2 + _dot(d, 1, d, 2) * r0 + _dot(d, 2, d, 0) * r1
            angle = 2.0 * math.atan2(volume, beside)
            x0 = math.log((r0 + r1 + own[7, 0]) / max(r0 + r1 - own[7, 0], _NONE))
            x1 = math.log((r1 + r2 + own[7, 1]) / max(r1 + r2 - own[7, 1], _NONE))
            x2 = math.log((r2 + r0 + own[7, 2]) / max(r2 + r0 - own[7, 2], _NONE))
            psi[p, f] = _SHARE * (
                _dot(d, 0, own, 1) * x0 + _dot(d, 1, own, 2) * x1 + _dot(d, 2, own, 3) * x2 - h * angle
            )
            for k in range(3):
                g = 4 + k
                after = (k + 1) % 3
                # The corner's own coordinate where the point stands over the plane: it falls to 0 on the far edge.
                level = -(_dot(d, after, own, g) - h * _dot(own, 0, own, g))
                along = x0 * _dot(own, 1, own, g) + x1 * _dot(own, 2, own, g) + x2 * _dot(own, 3, own, g)
                phi[p, faces[f, k]] += _SHARE * (level * angle - h * along)


@kernel
def face_frames(vertices: Floats, faces: Ints, out: Floats) -> None:
    """What is the same for all points, ``out (F, 8, 3)``: n; m of three edges; g of three corners; edge lengths."""
    for f in range(faces.shape[0]):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        ux, uy, uz = vertices[b, 0] - vertices[a, 0], vertices[b, 1] - vertices[a, 1], vertices[b, 2] - vertices[a, 2]
        wx, wy, wz = vertices[c, 0] - vertices[a, 0], vertices[c, 1] - vertices[a, 1], vertices[c, 2] - vertices[a, 2]
        nx, ny, nz = uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx
        twice = math.sqrt(nx * nx + ny * ny + nz * nz)
        nx, ny, nz = nx / twice, ny / twice, nz / twice
        out[f, 0, 0], out[f, 0, 1], out[f, 0, 2] = nx, ny, nz
        for k in range(3):
            i, j = faces[f, k], faces[f, (k + 1) % 3]
            ex, ey, ez = (
                vertices[j, 0] - vertices[i, 0],
                vertices[j, 1] - vertices[i, 1],
                vertices[j, 2] - vertices[i, 2],
            )
            length = math.sqrt(ex * ex + ey * ey + ez * ez)
            mx, my, mz = (ey * nz - ez * ny), (ez * nx - ex * nz), (ex * ny - ey * nx)
            out[f, 7, k] = length
            out[f, 1 + k, 0], out[f, 1 + k, 1], out[f, 1 + k, 2] = mx / length, my / length, mz / length
            g = 4 + (k + 2) % 3  # the corner that is not on this edge
            out[f, g, 0], out[f, g, 1], out[f, g, 2] = -mx / twice, -my / twice, -mz / twice
