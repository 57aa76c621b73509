"""Small quadratic programmes, one after the other: ProxQP, each begun at the solution of the last."""

from __future__ import annotations

from typing import Any

import numpy as np

from locomote.errors import LocomoteError, MissingExtra
from locomote.rotations import FloatArray

ACCURACY = 1e-7  # of rows, m/s
ROUNDS, INNER_ROUNDS = 100, 60
_PADDING = 8  # rows by which programmes differ in size: each size has a solver of its own
FAR = 1e20  # no bound


class Programme:
    """Solves ``min 1/2 v H v + g v`` with ``E v = e`` and ``A v >= a``."""

    def __init__(self, size: int, lowest: FloatArray | None = None) -> None:
        try:
            from proxsuite import proxqp
        except ImportError:
            raise MissingExtra("proxsuite", "physics", "balance in a pose space") from None
        self._proxqp: Any = proxqp
        self._size = size
        self._lowest = lowest
        self._solvers: dict[tuple[int, int], Any] = {}
        self._last: tuple[int, int] | None = None
        self.multipliers = np.zeros(0)  # of the inequalities, in the last solution

    def solve(
        self,
        matrix: FloatArray,
        gradient: FloatArray,
        equal: FloatArray,
        level: FloatArray,
        above: FloatArray,
        least: FloatArray,
    ) -> FloatArray:
        """The solution; where rows contradict each other, one that misses them by as little as possible.

        Parameters
        ----------
        matrix, gradient : (n, n) and (n,), the matrix positive
        equal, level : (e, n) and (e,) equalities
        above, least : (a, n) and (a,) inequalities
        """
        rows = -(-len(above) // _PADDING) * _PADDING
        key = len(equal), rows
        if rows > len(above):
            above = np.concatenate([above, np.zeros((rows - len(above), self._size))])
            least = np.concatenate([least, np.full(rows - len(least), -FAR)])
        bounds = [] if self._lowest is None else [self._lowest, np.full(self._size, FAR)]
        given = matrix, gradient, equal, level, above, least, np.full(rows, FAR), *bounds
        solver = self._solved(key, given)
        if not np.isfinite(solver.results.x).all():
            del self._solvers[key]  # what it remembers may be the trouble
            solver = self._solved(key, given)
        out: FloatArray = solver.results.x
        if not np.isfinite(out).all():
            raise LocomoteError(
                "no velocities obey contacts and joint limits: the step is too long or the body is stuck"
            )
        self.multipliers = solver.results.z
        return out

    def _solved(self, key: tuple[int, int], given: tuple[FloatArray, ...]) -> Any:
        solver, start = self._solvers.get(key), self._proxqp.InitialGuess
        again = key == self._last and solver is not None
        if solver is None:
            solver = self._solvers[key] = self._made(*key)
            begin = solver.init
        else:
            begin = solver.update
        again = again and solver.results.info.status == self._proxqp.PROXQP_SOLVED
        solver.settings.initial_guess = (
            start.WARM_START_WITH_PREVIOUS_RESULT if again else start.EQUALITY_CONSTRAINED_INITIAL_GUESS
        )
        self._last = key
        begin(*given)
        solver.solve()
        return solver

    def _made(self, equal: int, rows: int) -> Any:
        dense = self._proxqp.dense
        solver = dense.QP(self._size, equal, rows, self._lowest is not None)
        solver.settings.eps_abs = ACCURACY
        solver.settings.eps_rel = 0.0
        solver.settings.max_iter, solver.settings.max_iter_in = ROUNDS, INNER_ROUNDS
        solver.settings.primal_infeasibility_solving = True
        return solver
