"""The Delaunay tetrahedra between points, and which of them holds a place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

FEWEST_POINTS = 5
FLAT = 1e-12  # six times the volume below which a tetrahedron is flat and holds nothing
INSIDE = 1e-9  # a weight that is less negative is that of a place on a face
MOST_MOVES = 400  # from one tetrahedron to the next on the way to a place

_REFINEMENTS = 2
_CHUNK = 64  # places that are compared with all tetrahedra at once


@dataclass(frozen=True, eq=False)
class Tetrahedra:
    """Points, and the tetrahedra between them."""

    points: FloatArray  # (N, 3)
    simplices: IntArray  # (S, 4)
    neighbours: IntArray  # (S, 4) across from each corner, -1 outside

    @staticmethod
    def of(points: FloatArray) -> Tetrahedra:
        """The Delaunay tetrahedra of points ``(N, 3)``."""
        from scipy.spatial import Delaunay, QhullError  # slow to import

        if len(points) < FEWEST_POINTS:
            raise LocomoteError(f"{len(points)} steps span no space: expected at least {FEWEST_POINTS}")
        try:
            found = Delaunay(points)
        except QhullError:
            raise LocomoteError(
                f"{len(points)} steps span no space: expected steps of different widths and lengths"
            ) from None
        return Tetrahedra(points, found.simplices.astype(np.int64), found.neighbors.astype(np.int64))

    @cached_property
    def transforms(self) -> FloatArray:
        """``(S, 4, 3)``: rows 0 to 2 turn ``q - row 3`` into the weights of the first three corners; 0 if flat."""
        corners = self.points[self.simplices]
        # Written out: the threads of a linear algebra library cost far more than these few numbers.
        a, b, c = (corners[:, k] - corners[:, 3] for k in range(3))
        rows = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=1)
        volume = np.sum(a * rows[:, 0], axis=1)[:, None, None]
        full = np.abs(volume) > FLAT
        rows = np.where(full, rows / np.where(full, volume, 1.0), 0.0)
        return np.concatenate([rows, corners[:, 3:]], axis=1)

    @cached_property
    def is_flat(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Which tetrahedra ``(S,)`` hold nothing."""
        out: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = ~np.any(self.transforms[:, :3], axis=(1, 2))
        return out

    def around(self) -> list[IntArray]:
        """For every point those that share a tetrahedron with it."""
        pairs = np.concatenate([self.simplices[:, [i, j]] for i in range(4) for j in range(4) if i != j])
        pairs = np.unique(pairs, axis=0)
        edges = np.searchsorted(pairs[:, 0], np.arange(len(self.points) + 1))
        return [pairs[a:b, 1] for a, b in pairwise(edges)]

    def locate(self, places: FloatArray) -> tuple[IntArray, FloatArray]:
        """The tetrahedron ``(Q,)`` of every place ``(Q, 3)``, -1 outside, and the weights ``(Q, 4)`` of its corners."""
        simplex = self._walked(places)
        weights = self.weights(simplex, places)
        weights[simplex < 0] = 0.0
        return simplex, weights

    def weights(self, simplex: IntArray, places: FloatArray) -> FloatArray:
        """The weights ``(Q, 4)`` of the corners that make up places, refined: tetrahedra may be very flat."""
        turn, origin = self.transforms[simplex, :3], self.transforms[simplex, 3]
        corners = self.points[self.simplices[simplex]]
        first = _turned(turn, places - origin)
        for _ in range(_REFINEMENTS):
            made = np.einsum("qc,qcj->qj", _all_four(first), corners)
            first = first + _turned(turn, places - made)
        return _all_four(first)

    def _walked(self, places: FloatArray) -> IntArray:
        """Go from a tetrahedron at the nearest point towards each place, through the face most in the way."""
        from scipy.spatial import cKDTree

        holder = np.zeros(len(self.points), dtype=np.int64)
        holder[self.simplices] = np.arange(len(self.simplices))[:, None]
        at: IntArray = holder[cKDTree(self.points).query(places)[1]]
        open_ = np.arange(len(places))
        for _ in range(MOST_MOVES):
            here = at[open_]
            turn, origin = self.transforms[here, :3], self.transforms[here, 3]
            weights = _all_four(_turned(turn, places[open_] - origin))
            worst = weights.argmin(axis=1)
            going = (weights.min(axis=1) < -INSIDE) & ~self.is_flat[here]
            open_ = open_[going]
            if len(open_) == 0:
                break
            after = self.neighbours[here[going], worst[going]]
            at[open_] = after
            open_ = open_[after >= 0]
        # The walk ends in a flat tetrahedron, or nowhere, only where points lie on one sphere.
        lost = np.union1d(open_, np.flatnonzero((at >= 0) & self.is_flat[at]))
        for first in range(0, len(lost), _CHUNK):
            some = lost[first : first + _CHUNK]
            away = places[some, None] - self.transforms[None, :, 3]
            every = np.einsum("sij,qsj->qsi", self.transforms[:, :3], away)
            least = np.where(self.is_flat, -np.inf, _all_four(every).min(axis=2))
            at[some] = np.where(least.max(axis=1) < -INSIDE, -1, least.argmax(axis=1))
        return at


def _turned(turn: FloatArray, v: FloatArray) -> FloatArray:
    out: FloatArray = np.einsum("qij,qj->qi", turn, v)
    return out


def _all_four(first: FloatArray) -> FloatArray:
    return np.concatenate([first, 1.0 - first.sum(axis=-1, keepdims=True)], axis=-1)
