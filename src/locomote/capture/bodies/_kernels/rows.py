"""Least squares over the places, turns and sizes of bones: what points of a skinned body have to say."""

from __future__ import annotations

from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats, Ints

UNKNOWNS = 9  # of a bone: turn, shift, logarithms of the size along three axes
CARRIERS = 12  # bones that carry one point of a triangle, at most: four for each corner


@kernel
def skin_points(vertices: Floats, joints: Ints, weights: Floats, linear: Floats, places: Floats, out: Floats) -> None:
    """Where vertices of the bind pose are: the weighted mean of ``places[b] + linear[b] @ vertex``, ``out (V, 3)``.

    ``linear (B, 3, 3)`` and ``places (B, 3)`` take a point of the bind pose along with each bone.
    """
    for v in range(vertices.shape[0]):
        x, y, z = vertices[v, 0], vertices[v, 1], vertices[v, 2]
        out[v, 0], out[v, 1], out[v, 2] = 0.0, 0.0, 0.0
        for k in range(joints.shape[1]):
            share, b = weights[v, k], joints[v, k]
            if share == 0.0:
                continue
            for i in range(3):
                moved = places[b, i] + linear[b, i, 0] * x + linear[b, i, 1] * y + linear[b, i, 2] * z
                out[v, i] += share * moved


@kernel
def gather(
    vertices: Floats,
    joints: Ints,
    weights: Floats,
    linear: Floats,
    centres: Floats,
    stretch: Floats,
    corners: Ints,
    shares: Floats,
    errors: Floats,
    normals: Floats,
    trust: Floats,
    sideways: float,
    matrix: Floats,
    right: Floats,
    carriers: Ints,
    slopes: Floats,
) -> None:
    """Add the normal equations of points that shall go by ``-errors (P, 3)`` to ``matrix (N, N)`` and ``right (N,)``.

    What two unknowns have in common is added once, at one side of the diagonal or the other.

    A point is ``shares (P, 3)`` of the vertices ``corners (P, 3)``. An error counts by ``trust (P,)`` along its normal
    ``normals (P, 3)``, and by ``sideways`` of that in every direction. ``linear (B, 3, 3)`` holds rotations and sizes
    of the bones, ``centres (B, 3)`` what they turn about in the bind pose, ``stretch (B, 3, 3, 3)`` what a growth
    along each of a bone's axes makes of `linear`. ``carriers (CARRIERS,)`` and ``slopes (3, 9 CARRIERS)`` are memory.
    """
    for p in range(corners.shape[0]):
        if trust[p] <= 0.0:
            continue
        found = 0
        for corner in range(3):
            v, part = corners[p, corner], shares[p, corner]
            if part == 0.0:
                continue
            for k in range(joints.shape[1]):
                share, b = part * weights[v, k], joints[v, k]
                if share == 0.0:
                    continue
                at = 0
                while at < found and carriers[at] != b:
                    at += 1
                if at == found:
                    carriers[at] = b
                    found += 1
                    slopes[:, UNKNOWNS * at : UNKNOWNS * (at + 1)] = 0.0
                _slope(vertices[v], share, linear[b], centres[b], stretch[b], slopes, UNKNOWNS * at)
        across = trust[p] * sideways
        nx, ny, nz = normals[p, 0], normals[p, 1], normals[p, 2]
        normal_error = trust[p] * (nx * errors[p, 0] + ny * errors[p, 1] + nz * errors[p, 2])
        ex, ey, ez = across * errors[p, 0], across * errors[p, 1], across * errors[p, 2]
        for i in range(UNKNOWNS * found):
            row = UNKNOWNS * carriers[i // UNKNOWNS] + i % UNKNOWNS
            sx, sy, sz = slopes[0, i], slopes[1, i], slopes[2, i]
            along = nx * sx + ny * sy + nz * sz
            right[row] -= along * normal_error + sx * ex + sy * ey + sz * ez
            wx, wy, wz = across * sx, across * sy, across * sz
            along *= trust[p]
            wx, wy, wz = wx + along * nx, wy + along * ny, wz + along * nz
            for j in range(i + 1):
                column = UNKNOWNS * carriers[j // UNKNOWNS] + j % UNKNOWNS
                matrix[row, column] += wx * slopes[0, j] + wy * slopes[1, j] + wz * slopes[2, j]


@inline
def _slope(
    vertex: Floats, share: float, linear: Floats, centre: Floats, stretch: Floats, slopes: Floats, at: int
) -> None:
    """Add how a vertex moves with a bone that carries a share of it: turned in the world, shifted, grown."""
    x, y, z = vertex[0] - centre[0], vertex[1] - centre[1], vertex[2] - centre[2]
    ux = share * (linear[0, 0] * x + linear[0, 1] * y + linear[0, 2] * z)
    uy = share * (linear[1, 0] * x + linear[1, 1] * y + linear[1, 2] * z)
    uz = share * (linear[2, 0] * x + linear[2, 1] * y + linear[2, 2] * z)
    slopes[1, at] -= uz
    slopes[2, at] += uy
    slopes[0, at + 1] += uz
    slopes[2, at + 1] -= ux
    slopes[0, at + 2] -= uy
    slopes[1, at + 2] += ux
    for i in range(3):
        slopes[i, at + 3 + i] += share
        for k in range(3):
            grown = stretch[k, i, 0] * x + stretch[k, i, 1] * y + stretch[k, i, 2] * z
            slopes[i, at + 6 + k] += share * grown
