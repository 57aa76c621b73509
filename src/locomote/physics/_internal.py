"""Steps in which nothing moves the root but contact forces: velocities and forces are found together.

Without the demand that a contact either stays or carries nothing, forces are unknowns like others and the programme
stays convex: the root rows of the equations of motion are equalities, every force lies in its cone of friction.
"""

from __future__ import annotations

import numpy as np

from locomote.physics._engine import Engine
from locomote.physics._kernels.contact_rows import WAYS
from locomote.physics._kernels.reduced_dynamics import ROOT
from locomote.physics._qp import FAR, Programme
from locomote.physics._reactions import Reactions, along_edges, edges, touching
from locomote.rotations import FloatArray

_UNIT = 100.0  # N, of the unknown forces: as large as velocities
_EVEN = 1e-3  # J for the square of one unit: forces are shared out


class Internal:
    """Solves steps of an engine with forces in the cones of friction as the only ones from outside."""

    def __init__(self) -> None:
        self._programmes: dict[int, Programme] = {}
        self.reactions = Reactions(np.zeros(0, dtype=np.int64), np.zeros((0, 3)), np.zeros(ROOT))

    def solve(self, engine: Engine, h: float, equal: int) -> FloatArray:
        """Velocities ``(N,)`` of the next step."""
        bounds, system, work = engine.bounds, engine.system, engine.body.work
        n, above, points = engine.reduced.unknowns, int(system.counts[1]), touching(engine)
        forces = WAYS * len(points)
        size = n + forces
        pulls = edges(engine, points)
        matrix, gradient = np.zeros((size, size)), np.zeros(size)
        matrix[:n, :n], gradient[:n] = system.matrix, system.gradient
        matrix[range(n, size), range(n, size)] = _EVEN
        rows, level = np.zeros((equal + ROOT, size)), np.empty(equal + ROOT)
        rows[:equal, :n], level[:equal] = bounds.equal[:equal], bounds.level[:equal]
        # Of momentum: a row of 70 kg counts no more than one of metres.
        scale = 1.0 / engine.reduced.total
        rows[equal:, :n], rows[equal:, n:] = scale * work.matrix[:ROOT], -scale * h * _UNIT * pulls[:, :ROOT].T
        level[equal:] = scale * work.right[:ROOT]
        least = np.zeros((above, size))
        least[:, :n] = bounds.above[:above]
        programme = self._programmes.get(forces)
        if programme is None:
            lowest = np.concatenate([np.full(n, -FAR), np.zeros(forces)])
            programme = self._programmes[forces] = Programme(size, lowest)
        found = programme.solve(matrix, gradient, rows, level, least, bounds.least[:above])
        sizes = np.maximum(found[n:], 0.0) * _UNIT
        left = (work.matrix[:ROOT] @ found[:n] - work.right[:ROOT]) / h - sizes @ pulls[:, :ROOT]
        self.reactions = Reactions(points, along_edges(engine, points, sizes), left)
        out: FloatArray = found[:n].copy()
        return out
