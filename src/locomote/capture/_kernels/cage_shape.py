"""A cage of rigid quads: its corners and faces from the state of the quads, and how they change with that state.

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
_DIFFERENCE = 1.5e-8  # m, about the root of what numbers are rounded to
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
    before: Floats  # (V + F, 3) as they were before a small step
    turn: Floats  # (3, 3)


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
def _shape(pelvis: Floats, state: Floats, cage: Cage, work: CageWork) -> None:
    places, turns, layers, scratch = work.places, work.turns, work.layers, work.turn
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


@kernel
def shape_cage(pelvis: Floats, state: Floats, cage: Cage, work: CageWork) -> None:
    """Quads, corners and stretched normals of a state: ``pelvis (6,)``, ``state (6 (Q - 1),)``."""
    _shape(pelvis, state, cage, work)


@kernel
def slope_cage(
    pelvis: Floats, state: Floats, ways: Floats, cage: Cage, work: CageWork, tried: Floats, out: Floats
) -> None:
    """How corners and stretched normals change with the pelvis and along ``ways (N, D)`` of the state.

    By small steps, ``out (V + F, 3, 6 + N)``; ``tried (6 + D,)`` is scratch.
    """
    _shape(pelvis, state, cage, work)
    work.before[:] = work.layers
    for k in range(6 + ways.shape[0]):
        for i in range(6):
            tried[i] = pelvis[i]
        for i in range(state.shape[0]):
            tried[6 + i] = state[i] if k < 6 else state[i] + _DIFFERENCE * ways[k - 6, i]
        if k < 6:
            tried[k] += _DIFFERENCE
        _shape(tried[:6], tried[6:], cage, work)
        for row in range(out.shape[0]):
            for i in range(3):
                out[row, i, k] = (work.layers[row, i] - work.before[row, i]) / _DIFFERENCE
    work.layers[:] = work.before


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
