"""A cage of rigid quads: its corners and faces from the state of the quads, and slopes back to that state.

The state of quad 0, the pelvis, is a shift and a rotation vector from where a fit began, in the world. That of every
other quad is its place and a rotation vector from its mean rotation, in the frame of the pelvis. Places are metres;
rotation vectors are told in metres as well, radians times `lever`, so that all numbers of a state are of one size.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline, kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_SMALL = 1e-6  # rad, below which series are as good
_FLAT = 1e-30  # m2; a face as small has no normal


class Cage(NamedTuple):
    """What no frame changes."""

    lever: float  # m
    means: Floats  # (Q, 3, 3) of the quads in the frame of the pelvis; [0] is not used
    owners: Ints  # (V,) the quad that carries a corner
    corners: Floats  # (V, 3) in the frames of their quads
    faces: Ints  # (F, 3)
    rest: Floats  # (F, 4) |u|2, |w|2, u.w of two edges at rest, and sqrt(8) times the area


class CageWork(NamedTuple):
    """What a fit works in; `begin` is where the pelvis began: its place and the rows of its rotation."""

    begin: Floats  # (4, 3)
    places: Floats  # (Q, 3) world
    turns: Floats  # (Q, 3, 3) world
    layers: Floats  # (V + F, 3) corners, and normals of faces times how much they have been stretched
    pulls: Floats  # (V + F, 3) slopes of an energy by them
    forces: Floats  # (Q, 6) slopes by shift and turn of each quad, world


@inline
def _turn_of(x: float, y: float, z: float, out: Floats) -> None:
    """The matrix of a rotation vector, rad."""
    angle = math.sqrt(x * x + y * y + z * z)
    if angle < _SMALL:
        a, b = 1.0, 0.5
    else:
        a, b = math.sin(angle) / angle, (1.0 - math.cos(angle)) / (angle * angle)
    out[0, 0], out[1, 1], out[2, 2] = 1.0 - b * (y * y + z * z), 1.0 - b * (x * x + z * z), 1.0 - b * (x * x + y * y)
    out[0, 1], out[1, 0] = b * x * y - a * z, b * x * y + a * z
    out[0, 2], out[2, 0] = b * x * z + a * y, b * x * z - a * y
    out[1, 2], out[2, 1] = b * y * z - a * x, b * y * z + a * x


@inline
def _pulled_back(x: float, y: float, z: float, tx: float, ty: float, tz: float, out: Floats, at: int) -> None:
    """The slope by a rotation vector of what has the slope t by a turn after it: the left Jacobian, transposed."""
    angle = math.sqrt(x * x + y * y + z * z)
    if angle < _SMALL:
        b, c = 0.5, 1.0 / 6.0
    else:
        b = (1.0 - math.cos(angle)) / (angle * angle)
        c = (angle - math.sin(angle)) / (angle * angle * angle)
    # (1 + b [r] + c [r][r]) transposed: the second term changes its sign.
    vx, vy, vz = y * tz - z * ty, z * tx - x * tz, x * ty - y * tx
    out[at] = tx - b * vx + c * (y * vz - z * vy)
    out[at + 1] = ty - b * vy + c * (z * vx - x * vz)
    out[at + 2] = tz - b * vz + c * (x * vy - y * vx)


@kernel
def shape_cage(pelvis: Floats, state: Floats, cage: Cage, work: CageWork, scratch: Floats) -> None:
    """Quads, corners and stretched normals of a state: ``pelvis (6,)``, ``state (6 (Q - 1),)``, ``scratch (3, 3)``."""
    places, turns, layers = work.places, work.turns, work.layers
    count = places.shape[0]
    _turn_of(pelvis[3] / cage.lever, pelvis[4] / cage.lever, pelvis[5] / cage.lever, scratch)
    for i in range(3):
        places[0, i] = work.begin[0, i] + pelvis[i]
        for j in range(3):
            turns[0, i, j] = (
                scratch[i, 0] * work.begin[1, j] + scratch[i, 1] * work.begin[2, j] + scratch[i, 2] * work.begin[3, j]
            )
    for q in range(1, count):
        at = 6 * (q - 1)
        _turn_of(state[at + 3] / cage.lever, state[at + 4] / cage.lever, state[at + 5] / cage.lever, scratch)
        for i in range(3):
            places[q, i] = (
                places[0, i]
                + turns[0, i, 0] * state[at]
                + turns[0, i, 1] * state[at + 1]
                + turns[0, i, 2] * state[at + 2]
            )
            for j in range(3):
                value = 0.0
                for k in range(3):
                    inner = (
                        scratch[k, 0] * cage.means[q, 0, j]
                        + scratch[k, 1] * cage.means[q, 1, j]
                        + scratch[k, 2] * cage.means[q, 2, j]
                    )
                    value += turns[0, i, k] * inner
                turns[q, i, j] = value
    corners = cage.owners.shape[0]
    for v in range(corners):
        q = cage.owners[v]
        for i in range(3):
            layers[v, i] = (
                places[q, i]
                + turns[q, i, 0] * cage.corners[v, 0]
                + turns[q, i, 1] * cage.corners[v, 1]
                + turns[q, i, 2] * cage.corners[v, 2]
            )
    stretched_normals(layers, cage.faces, cage.rest, corners)


@inline
def stretched_normals(layers: Floats, faces: Ints, rest: Floats, first: int) -> None:
    """Rows from ``first`` on: the unit normal of each face times its stretch, from the corners above (CAG-02)."""
    for f in range(faces.shape[0]):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        ux, uy, uz = layers[b, 0] - layers[a, 0], layers[b, 1] - layers[a, 1], layers[b, 2] - layers[a, 2]
        wx, wy, wz = layers[c, 0] - layers[a, 0], layers[c, 1] - layers[a, 1], layers[c, 2] - layers[a, 2]
        nx, ny, nz = uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx
        size = math.sqrt(max(nx * nx + ny * ny + nz * nz, _FLAT * _FLAT))
        uu, ww = ux * ux + uy * uy + uz * uz, wx * wx + wy * wy + wz * wz
        uw = ux * wx + uy * wy + uz * wz
        square = uu * rest[f, 1] - 2.0 * uw * rest[f, 2] + ww * rest[f, 0]
        stretch = math.sqrt(max(square, 0.0)) / (rest[f, 3] * size)
        layers[first + f, 0], layers[first + f, 1], layers[first + f, 2] = stretch * nx, stretch * ny, stretch * nz


@kernel
def stretch_normals(layers: Floats, faces: Ints, rest: Floats, first: int) -> None:
    """`stretched_normals` for a cage whose corners are given."""
    stretched_normals(layers, faces, rest, first)


@kernel
def pull_cage(pelvis: Floats, state: Floats, cage: Cage, work: CageWork, by_pelvis: Floats, by_state: Floats) -> None:
    """From slopes by corners and stretched normals, `work.pulls`, to those by the state that `shape_cage` was given."""
    _pull_faces(cage, work.layers, work.pulls)
    forces, turns, places = work.forces, work.turns, work.places
    forces[:] = 0.0
    for v in range(cage.owners.shape[0]):
        q = cage.owners[v]
        rx, ry, rz = (
            work.layers[v, 0] - places[q, 0],
            work.layers[v, 1] - places[q, 1],
            work.layers[v, 2] - places[q, 2],
        )
        gx, gy, gz = work.pulls[v, 0], work.pulls[v, 1], work.pulls[v, 2]
        forces[q, 0] += gx
        forces[q, 1] += gy
        forces[q, 2] += gz
        forces[q, 3] += ry * gz - rz * gy
        forces[q, 4] += rz * gx - rx * gz
        forces[q, 5] += rx * gy - ry * gx
    lever = cage.lever
    for q in range(1, places.shape[0]):
        at = 6 * (q - 1)
        ox, oy, oz = places[q, 0] - places[0, 0], places[q, 1] - places[0, 1], places[q, 2] - places[0, 2]
        fx, fy, fz = forces[q, 0], forces[q, 1], forces[q, 2]
        tx, ty, tz = forces[q, 3], forces[q, 4], forces[q, 5]
        forces[0, 0] += fx
        forces[0, 1] += fy
        forces[0, 2] += fz
        forces[0, 3] += tx + oy * fz - oz * fy
        forces[0, 4] += ty + oz * fx - ox * fz
        forces[0, 5] += tz + ox * fy - oy * fx
        for i in range(3):
            by_state[at + i] = turns[0, 0, i] * fx + turns[0, 1, i] * fy + turns[0, 2, i] * fz
        _pulled_back(
            state[at + 3] / lever,
            state[at + 4] / lever,
            state[at + 5] / lever,
            turns[0, 0, 0] * tx + turns[0, 1, 0] * ty + turns[0, 2, 0] * tz,
            turns[0, 0, 1] * tx + turns[0, 1, 1] * ty + turns[0, 2, 1] * tz,
            turns[0, 0, 2] * tx + turns[0, 1, 2] * ty + turns[0, 2, 2] * tz,
            by_state,
            at + 3,
        )
        for i in range(3):
            by_state[at + 3 + i] /= lever
    for i in range(3):
        by_pelvis[i] = forces[0, i]
    _pulled_back(
        pelvis[3] / lever, pelvis[4] / lever, pelvis[5] / lever, forces[0, 3], forces[0, 4], forces[0, 5], by_pelvis, 3
    )
    for i in range(3):
        by_pelvis[3 + i] /= lever


@inline
def _pull_faces(cage: Cage, layers: Floats, pulls: Floats) -> None:
    """Add to the slopes by corners what comes through the stretched normals."""
    first = cage.owners.shape[0]
    for f in range(cage.faces.shape[0]):
        a, b, c = cage.faces[f, 0], cage.faces[f, 1], cage.faces[f, 2]
        ux, uy, uz = layers[b, 0] - layers[a, 0], layers[b, 1] - layers[a, 1], layers[b, 2] - layers[a, 2]
        wx, wy, wz = layers[c, 0] - layers[a, 0], layers[c, 1] - layers[a, 1], layers[c, 2] - layers[a, 2]
        nx, ny, nz = uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx
        size = math.sqrt(max(nx * nx + ny * ny + nz * nz, _FLAT * _FLAT))
        nx, ny, nz = nx / size, ny / size, nz / size
        uu0, ww0, uw0, scale = cage.rest[f, 0], cage.rest[f, 1], cage.rest[f, 2], cage.rest[f, 3]
        uu, ww = ux * ux + uy * uy + uz * uz, wx * wx + wy * wy + wz * wz
        uw = ux * wx + uy * wy + uz * wz
        root = math.sqrt(max(uu * ww0 - 2.0 * uw * uw0 + ww * uu0, _FLAT))
        gx, gy, gz = pulls[first + f, 0], pulls[first + f, 1], pulls[first + f, 2]
        along = gx * nx + gy * ny + gz * nz
        # By the cross product of the edges, then by the edges themselves; the stretch depends on their products.
        turn = root / (scale * size)
        hx, hy, hz = turn * (gx - along * nx), turn * (gy - along * ny), turn * (gz - along * nz)
        by = along / (scale * root)
        dux = wy * hz - wz * hy + by * (ww0 * ux - uw0 * wx)
        duy = wz * hx - wx * hz + by * (ww0 * uy - uw0 * wy)
        duz = wx * hy - wy * hx + by * (ww0 * uz - uw0 * wz)
        dwx = hy * uz - hz * uy + by * (uu0 * wx - uw0 * ux)
        dwy = hz * ux - hx * uz + by * (uu0 * wy - uw0 * uy)
        dwz = hx * uy - hy * ux + by * (uu0 * wz - uw0 * uz)
        pulls[b, 0] += dux
        pulls[b, 1] += duy
        pulls[b, 2] += duz
        pulls[c, 0] += dwx
        pulls[c, 1] += dwy
        pulls[c, 2] += dwz
        pulls[a, 0] -= dux + dwx
        pulls[a, 1] -= duy + dwy
        pulls[a, 2] -= duz + dwz
