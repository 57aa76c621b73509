"""How long the shortest free way between places among obstacles is, by a grid over a whole square."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from locomote.world import Obstacles

CELL = 0.25  # m
ROOM = 0.4  # m to either side of the middle of a body: its radius and a hand's breadth
REACH = 0.5  # m between a place and a cell that belongs to it
OUTSIDE = 4.0  # m round the square that are free as well


class FreeWays:
    """The square as it is now, as a graph of cells in which a body has room."""

    def __init__(self, obstacles: Obstacles, side: float) -> None:
        line = np.arange(-OUTSIDE, side + OUTSIDE, CELL)
        self.places = np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)
        free = (obstacles.distances(self.places) > ROOM).reshape(len(line), len(line))
        cells = np.arange(free.size).reshape(free.shape)
        pairs, lengths = [], []
        for dx, dz in ((1, 0), (0, 1), (1, 1), (1, -1)):
            here = (slice(0, len(line) - dx), slice(max(0, -dz), len(line) - max(0, dz)))
            there = (slice(dx, len(line)), slice(max(0, dz), len(line) - max(0, -dz)))
            both = free[here] & free[there]
            pairs.append(np.stack([cells[here][both], cells[there][both]]))
            lengths.append(np.full(both.sum(), CELL * np.hypot(dx, dz)))
        rows, columns = np.concatenate(pairs, axis=1)
        self.graph = csr_array((np.concatenate(lengths), (rows, columns)), shape=(free.size, free.size))
        self.free = np.where(free.ravel(), 0.0, np.inf)

    def lengths(self, goal: np.ndarray, places: np.ndarray) -> np.ndarray:
        """The ways from places ``(K, 2)`` to a goal, m; infinite where there is none."""
        off = np.hypot(*(self.places - goal).T) + self.free
        start = int(off.argmin())
        if off[start] > REACH:
            return np.full(len(places), np.inf)
        ways = dijkstra(self.graph, directed=False, indices=start)
        near = [np.hypot(*(self.places - place).T) for place in places]
        return np.array([np.where(far < REACH, ways + far, np.inf).min() for far in near])
