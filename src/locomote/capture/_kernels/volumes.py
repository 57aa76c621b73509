"""Volumes on a grid: what cameras leave of it, what a mesh fills, and what points pay in a field of distances."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline, kernel

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

_NEAR = 1e-3  # depth in front of a perspective eye below which nothing is seen
_SIDES = 3  # of six from which a voxel must be seen to be outside of a mesh; through a hole it is seen from two


@kernel
def carve(
    origin: Floats, voxel: float, lenses: Floats, kinds: Ints, masks: Bools, used: Bools, least: int, out: Bytes
) -> None:
    """Mark in ``out (X, Y, Z)`` the voxels whose middle every camera that sees it has in its silhouette.

    ``lenses (C, 4, 3)`` are an eye and the rows of the inverse of its axes, ``kinds (C, 3)`` width, height and whether
    it is perspective, ``masks (C, H, W)`` the silhouettes, ``used (C,)`` which of them count, ``least``
    how many must have a voxel in their pictures at all.
    """
    cameras = lenses.shape[0]
    for i in range(out.shape[0]):
        x = origin[0] + voxel * i
        for j in range(out.shape[1]):
            y = origin[1] + voxel * j
            for k in range(out.shape[2]):
                z = origin[2] + voxel * k
                seen, inside = 0, True
                for c in range(cameras):
                    if not used[c]:
                        continue
                    dx, dy, dz = x - lenses[c, 0, 0], y - lenses[c, 0, 1], z - lenses[c, 0, 2]
                    px = lenses[c, 1, 0] * dx + lenses[c, 1, 1] * dy + lenses[c, 1, 2] * dz
                    py = lenses[c, 2, 0] * dx + lenses[c, 2, 1] * dy + lenses[c, 2, 2] * dz
                    if kinds[c, 2] == 1:
                        depth = lenses[c, 3, 0] * dx + lenses[c, 3, 1] * dy + lenses[c, 3, 2] * dz
                        if depth < _NEAR:
                            continue
                        px, py = px / depth, py / depth
                    if px < 0.0 or py < 0.0 or px >= kinds[c, 0] or py >= kinds[c, 1]:
                        continue
                    seen += 1
                    if not masks[c, int(py), int(px)]:
                        inside = False
                        break
                out[i, j, k] = 1 if inside and seen >= least else 0


@kernel
def fill_mesh(
    vertices: Floats, faces: Ints, origin: Floats, voxel: float, low: Floats, high: Floats, out: Bytes
) -> None:
    """Mark in ``out (X, Y, Z)`` the voxels that are not seen from enough of the six sides of the grid.

    It does not matter how triangles face, how many share an edge, or whether pieces overlap, and small holes do not
    leak. ``low`` and ``high (3, N, N)`` are scratch, N the most voxels of an axis.
    """
    low[:], high[:] = 1e30, -1e30
    for axis in range(3):
        _columns(vertices, faces, origin, voxel, axis, low, high)
    for i in range(out.shape[0]):
        x = origin[0] + voxel * i
        for j in range(out.shape[1]):
            y = origin[1] + voxel * j
            for k in range(out.shape[2]):
                z = origin[2] + voxel * k
                sides = (
                    int(x < low[0, j, k])
                    + int(x > high[0, j, k])
                    + int(y < low[1, k, i])
                    + int(y > high[1, k, i])
                    + int(z < low[2, i, j])
                    + int(z > high[2, i, j])
                )
                out[i, j, k] = 1 if sides < _SIDES else 0


@inline
def _columns(vertices: Floats, faces: Ints, origin: Floats, voxel: float, axis: int, low: Floats, high: Floats) -> None:
    """Where a mesh is first and last met along the columns of one axis."""
    n = low.shape[1]
    one, two = (axis + 1) % 3, (axis + 2) % 3
    for f in range(faces.shape[0]):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        ax, ay = (vertices[a, one] - origin[one]) / voxel, (vertices[a, two] - origin[two]) / voxel
        bx, by = (vertices[b, one] - origin[one]) / voxel, (vertices[b, two] - origin[two]) / voxel
        cx, cy = (vertices[c, one] - origin[one]) / voxel, (vertices[c, two] - origin[two]) / voxel
        whole = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if whole == 0.0:
            continue
        for i in range(max(0, math.ceil(min(ax, bx, cx))), min(n - 1, math.floor(max(ax, bx, cx))) + 1):
            for j in range(max(0, math.ceil(min(ay, by, cy))), min(n - 1, math.floor(max(ay, by, cy))) + 1):
                u = ((bx - i) * (cy - j) - (by - j) * (cx - i)) / whole
                v = ((cx - i) * (ay - j) - (cy - j) * (ax - i)) / whole
                if u < 0.0 or v < 0.0 or u + v > 1.0:
                    continue
                at = u * vertices[a, axis] + v * vertices[b, axis] + (1.0 - u - v) * vertices[c, axis]
                low[axis, i, j] = min(low[axis, i, j], at)
                high[axis, i, j] = max(high[axis, i, j], at)


@kernel
def field_at(points: Floats, field: Singles, origin: Floats, voxel: float, values: Floats, slopes: Floats) -> None:
    """Distances ``values (P,)`` at ``points (P, 3)``, between voxels too, and how they change, ``slopes (P, 3)``.

    Beyond the grid the way back to it is added.
    """
    for p in range(points.shape[0]):
        values[p] = _sample(points, p, field, origin, voxel, slopes)


@kernel
def field_energy(
    points: Floats,
    field: Singles,
    origin: Floats,
    voxel: float,
    soft: float,
    inside: float,
    slopes: Floats,
    bends: Floats,
) -> float:
    """The mean Huber cost of distances at points, ``inside`` times as much within.

    Up to ``soft`` metres the cost is half the square over ``soft``, beyond it the distance less half of ``soft``.
    By the points are its slopes ``(P, 3)`` and, as Gauss and Newton have them, its bends ``(P, 6)``: xx, yy, zz, xy,
    xz, yz.
    """
    count = points.shape[0]
    total = 0.0
    for p in range(count):
        value = _sample(points, p, field, origin, voxel, slopes)
        weight = inside if value < 0.0 else 1.0
        away = abs(value)
        if away < soft:
            total += weight * 0.5 * value * value / soft
            weight /= soft
        else:
            total += weight * (away - 0.5 * soft)
            weight /= away
        weight /= count
        x, y, z = slopes[p, 0], slopes[p, 1], slopes[p, 2]
        bends[p, 0], bends[p, 1], bends[p, 2] = weight * x * x, weight * y * y, weight * z * z
        bends[p, 3], bends[p, 4], bends[p, 5] = weight * x * y, weight * x * z, weight * y * z
        for i in range(3):
            slopes[p, i] *= weight * value
    return float(total / count)


@inline
def _sample(points: Floats, p: int, field: Singles, origin: Floats, voxel: float, slopes: Floats) -> float:
    x, y, z = (
        (points[p, 0] - origin[0]) / voxel,
        (points[p, 1] - origin[1]) / voxel,
        (points[p, 2] - origin[2]) / voxel,
    )
    cx = min(max(x, 0.0), field.shape[0] - 1.000001)
    cy = min(max(y, 0.0), field.shape[1] - 1.000001)
    cz = min(max(z, 0.0), field.shape[2] - 1.000001)
    i, j, k = int(cx), int(cy), int(cz)
    u, v, w = cx - i, cy - j, cz - k
    a00 = field[i, j, k] * (1.0 - w) + field[i, j, k + 1] * w
    a01 = field[i, j + 1, k] * (1.0 - w) + field[i, j + 1, k + 1] * w
    a10 = field[i + 1, j, k] * (1.0 - w) + field[i + 1, j, k + 1] * w
    a11 = field[i + 1, j + 1, k] * (1.0 - w) + field[i + 1, j + 1, k + 1] * w
    a0, a1 = a00 * (1.0 - v) + a01 * v, a10 * (1.0 - v) + a11 * v
    d00 = field[i, j, k + 1] - field[i, j, k]
    d01 = field[i, j + 1, k + 1] - field[i, j + 1, k]
    d10 = field[i + 1, j, k + 1] - field[i + 1, j, k]
    d11 = field[i + 1, j + 1, k + 1] - field[i + 1, j + 1, k]
    slopes[p, 0] = (a1 - a0) / voxel
    slopes[p, 1] = ((a01 - a00) * (1.0 - u) + (a11 - a10) * u) / voxel
    slopes[p, 2] = ((d00 * (1.0 - v) + d01 * v) * (1.0 - u) + (d10 * (1.0 - v) + d11 * v) * u) / voxel
    value = a0 * (1.0 - u) + a1 * u
    ox, oy, oz = (x - cx) * voxel, (y - cy) * voxel, (z - cz) * voxel
    away = math.sqrt(ox * ox + oy * oy + oz * oz)
    if away > 1e-5 * voxel:
        slopes[p, 0] = ox / away if ox != 0.0 else slopes[p, 0]
        slopes[p, 1] = oy / away if oy != 0.0 else slopes[p, 1]
        slopes[p, 2] = oz / away if oz != 0.0 else slopes[p, 2]
        value += away
    return float(value)
