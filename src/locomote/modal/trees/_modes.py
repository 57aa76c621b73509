"""The lowest natural vibrations of a tree, by sparse shift and invert, polished once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import linalg, sparse
from scipy.sparse import linalg as sparse_linalg

from locomote.errors import LocomoteError
from locomote.modal.trees._beams import Beams, Material
from locomote.rotations import FloatArray


class TreeModes(NamedTuple):
    """Modes of unit modal mass, the slowest first."""

    rates: FloatArray  # (M,) rad/s
    shapes: FloatArray  # (M, N, 6) m and rad, with the root, which does not move
    residual: float  # the largest of ‖Kφ - ω²Mφ‖ over ‖Kφ‖


def modes_of(beams: Beams, count: int, material: Material) -> TreeModes:
    """The lowest ``count`` modes of a clamped tree."""
    free = 6 * (len(beams.nodes) - 1)
    if not 1 <= count <= free // 2:
        raise LocomoteError(f"modes {count}: a tree of {len(beams.nodes)} nodes has 1 to {free // 2}")
    stiff, mass = beams.matrices(material)
    # No pivots are needed where all is positive, and what is nearly a tree fills in little.
    solver = sparse_linalg.splu(
        stiff, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
    )
    inverse = sparse_linalg.LinearOperator(stiff.shape, matvec=solver.solve, dtype=np.float64)
    first = np.random.default_rng(0).standard_normal(free)  # the same start, the same bits
    _, vectors = sparse_linalg.eigsh(stiff, count, M=mass, sigma=0.0, OPinv=inverse, v0=first)
    squares, vectors = _polished(beams, material, mass, solver, vectors)
    force = beams.forces(material, vectors)
    left = force - (mass @ vectors) * squares
    residual = float(np.max(np.linalg.norm(left, axis=0) / np.linalg.norm(force, axis=0)))
    shapes = np.zeros((count, len(beams.nodes), 6))
    shapes[:, 1:] = vectors.T.reshape(count, -1, 6)
    return TreeModes(np.sqrt(squares), shapes, residual)


def _polished(
    beams: Beams, material: Material, mass: sparse.csc_array, solver: sparse_linalg.SuperLU, vectors: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """One inverse iteration of all modes together, the best modes in what they span, and what is left of errors gone.

    Errors are of quick motions along branches, which few digits of a displacement say; forces are worked out element by
    element, and what corrects a mode is added last, so that it is rounded once.
    """
    moved = solver.solve(np.asarray(mass @ vectors))
    moved /= np.linalg.norm(moved, axis=0)
    squares, mix = linalg.eigh(moved.T @ beams.forces(material, moved), moved.T @ (mass @ moved))
    out = moved @ mix
    largest = np.take_along_axis(out, np.argmax(np.abs(out), axis=0)[None], axis=0)
    out *= np.where(largest < 0.0, -1.0, 1.0)
    load, force = np.asarray(mass @ out), beams.forces(material, out)
    squares = np.einsum("im,im->m", out, force) / np.einsum("im,im->m", out, load)
    return squares, out + solver.solve(load * squares - force)
