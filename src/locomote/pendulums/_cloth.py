"""A hanging cloth made of pendulums: columns that are pulled swing, and carry the rows to both sides of them."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.pendulums._springs import Spring
from locomote.pendulums._state import Pendulums
from locomote.pendulums._tree import Tree
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

CALM = 0.71  # damping from which a bar in thick air passes no shake on larger than it came
WAKE = 2.0  # a column swings on for at least this many times its spring's settling time after a pull
STILL = 1e-3  # rad; and until nothing in it leans by more
SOFTNESS = 1.0  # spacings added to the distance from a column before its say falls with the square
HALF_SAY = 0.02  # rad; a column that leans by this much at most has half its say: none joins or leaves with a jerk
GATHERINGS = 8  # rounds
_SETTLING = 3.0  # about this over damping times rate is a spring's settling time


class Cloth:
    """A rectangle of ``rows`` by ``columns`` vertices hanging from a line along +X through ``top``.

    Row 0 is the first below the line. Every column of vertices is a vertical chain; while it swings, every vertex of
    it carries two horizontal chains that say where the others of its row would be. A vertex is the mean of what the
    swinging columns say, nearer ones counting more. Nothing is simulated while nothing swings.

    Parameters
    ----------
    rows, columns : of vertices
    spacing : m
    top : (3,) m, where the line begins
    spring : of all pendulums
    """

    def __init__(
        self,
        rows: int,
        columns: int,
        spacing: float = 0.05,
        top: rot.ArrayLike = (0.0, 0.0, 0.0),
        spring: Spring | None = None,
    ) -> None:
        if rows < 1 or columns < 1 or not spacing > 0.0:
            raise LocomoteError(f"a cloth needs rows, columns and a spacing, got {rows}, {columns} and {spacing}")
        self.rows, self.columns, self.spacing = rows, columns, float(spacing)
        self.spring = spring or Spring.settling(0.3, 0.8)
        if self.spring.damping < CALM:
            raise LocomoteError(
                f"a cloth's spring needs a damping of {CALM} or more, got {self.spring.damping}: "
                "waves would grow from bar to bar"
            )
        x, y = np.meshgrid(np.arange(columns), -np.arange(1, rows + 1))
        flat = np.stack([x, y, np.zeros_like(x)], axis=-1) * self.spacing
        self.rest: FloatArray = np.asarray(top, dtype=np.float64) + flat  # (R, C, 3)
        line = self.rest[:1] + np.array([0.0, self.spacing, 0.0])
        self._hung = np.concatenate([line, self.rest])
        self.vertices: FloatArray = self._hung[1:]  # (R, C, 3)
        self._said = np.zeros((rows, columns, 4))
        self._orders: dict[int, IntArray] = {}
        self._swinging: dict[int, Pendulums] = {}
        self._awake: dict[int, float] = {}  # s until a column may sleep
        self._pulls: dict[int, FloatArray] = {}

    @property
    def swinging(self) -> list[int]:
        """The columns that are simulated now."""
        return sorted(self._swinging)

    @property
    def pendulums(self) -> int:
        """How many pendulums are simulated now."""
        return len(self._swinging) * self.rows * self.columns

    def pull(self, row: int, column: int, displacement: rot.ArrayLike) -> None:
        """Displace a vertex at the next step.

        Parameters
        ----------
        row, column, displacement : of the vertex, and (3,) m
        """
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise LocomoteError(f"no vertex {row}, {column} in a cloth of {self.rows} rows, {self.columns} columns")
        pulls = self._pulls.setdefault(column, np.zeros((1, self.rows * self.columns, 3)))
        pulls[0, row] += np.asarray(displacement, dtype=np.float64)

    def step(self, dt: float) -> FloatArray:
        """Bring the cloth on by ``dt``; its vertices."""
        from locomote.pendulums._kernels.cloth import hear_column, settle_cloth

        for column in self._pulls:
            if column not in self._swinging:
                self._swinging[column] = self._hang(column)
            self._awake[column] = WAKE * _SETTLING / (self.spring.damping * self.spring.rate)
        self._said[:] = 0.0
        for column in self.swinging:
            chain = self._swinging[column]
            chain.step(dt, pushes=self._pulls.get(column))
            self._awake[column] -= dt
            order = self._orders[column]
            leaning = hear_column(column, order, chain.rows, SOFTNESS, HALF_SAY, self._said)
            if self._awake[column] < 0.0 and leaning < STILL:
                del self._swinging[column], self._awake[column]
        self._pulls.clear()
        rounds = GATHERINGS if self._swinging else 0
        settle_cloth(self._said, self.rest, self.spacing, rounds, self._hung)
        return self.vertices

    def _hang(self, column: int) -> Pendulums:
        """The chains of one column, at rest: its vertices first, then each row to the right and to the left."""
        order = self._orders[column] = self._order(column)
        parents = np.full(order.size, -1)
        anchors, bars = np.zeros((order.size, 3)), np.zeros((order.size, 3))
        for r in range(self.rows):
            for q in range(self.columns):
                b = order[r, q]
                if q == column:
                    bars[b] = 0.0, -1.0, 0.0
                    parents[b] = order[r - 1, q] if r > 0 else -1
                else:
                    towards = 1 if q > column else -1
                    bars[b] = towards, 0.0, 0.0
                    parents[b] = order[r, q - towards]
                anchors[b] = self.rest[r, q] - self.spacing * bars[b]
        tree = Tree.build(parents, self.spacing, self.spring, drag=1.0, inherit=0.0)
        frames = rot.between(np.broadcast_to([0.0, 1.0, 0.0], bars.shape), bars)
        return Pendulums(tree, anchors[None], frames[None], merge="mean")

    def _order(self, column: int) -> IntArray:
        """Which pendulum of a column's tree ends at each vertex, ``(R, C)``: fathers have the smaller numbers."""
        away = np.abs(np.arange(self.columns) - column)
        nearest = np.argsort(away, kind="stable")
        rank = np.empty(self.columns, dtype=np.int64)
        rank[nearest] = np.arange(self.columns)
        order: IntArray = rank[None, :] * self.rows + np.arange(self.rows)[:, None]
        return order
