"""Slots: the rows in which the things of the grid maps are kept, each its own as long as the thing exists."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.world._kernels.map_layout import ALIVE, MOST_CORNERS, THING_COLUMNS

_ROOM = 16  # things for which there is room at first


class Slots:
    """Which slot every obstacle and every piece of the ground has, and the table of things."""

    def __init__(self) -> None:
        self.of_obstacles: IntArray = np.zeros(0, dtype=np.int64)  # of every row of the obstacles
        self.of_pieces: IntArray = np.zeros(0, dtype=np.int64)
        self.count = 0  # slots that were ever used
        self.things: FloatArray = np.zeros((_ROOM, THING_COLUMNS))
        self.corners: FloatArray = np.zeros((_ROOM, MOST_CORNERS, 2))
        self.footings: FloatArray = np.full((_ROOM, 3), np.nan)
        self.changed: npt.NDArray[np.uint8] = np.zeros(_ROOM, dtype=np.uint8)
        self.drawn: npt.NDArray[np.uint8] = np.zeros(_ROOM, dtype=np.uint8)
        self.cells: IntArray = _nowhere(_ROOM)
        self.goal: IntArray = _nowhere(_ROOM)  # cells in which a thing that changed is to be drawn
        self.tiles: IntArray = _nowhere(_ROOM)
        self._ids: IntArray = np.zeros(0, dtype=np.int64)
        self._slots: dict[int, int] = {}  # of obstacles, by id
        self._free: list[int] = []
        self._generation = 0

    def match(self, ids: IntArray, pieces: int) -> bool:
        """Give slots to obstacles and pieces that are new, and take those of others back; whether any was."""
        for _ in range(len(self.of_pieces), pieces):
            self.of_pieces = np.append(self.of_pieces, self._take())
        if np.array_equal(ids, self._ids):
            return False
        now = set(ids.tolist())
        gone = [each for each in self._slots if each not in now]
        for each in gone:
            slot = self._slots.pop(each)
            self.things[slot, ALIVE], self.changed[slot] = 0.0, 1
            self._free.append(slot)
        for each in ids.tolist():
            if each not in self._slots:
                self._slots[each] = self._take()
        self._ids = ids.copy()
        self.of_obstacles = np.array([self._slots[each] for each in ids.tolist()], dtype=np.int64)
        return bool(gone)

    def of_obstacle(self, obstacle: int) -> int:
        """The slot of an obstacle."""
        if obstacle not in self._slots:
            raise LocomoteError(f"obstacle {obstacle!r}: the maps do not know it; update them after adding it")
        return self._slots[obstacle]

    def of_piece(self, piece: int) -> int:
        """The slot of a piece of the ground."""
        if not 0 <= piece < len(self.of_pieces):
            raise LocomoteError(f"piece {piece}: the maps know {len(self.of_pieces)} pieces, counted from 0")
        return int(self.of_pieces[piece])

    def obstacle_in(self, slot: int) -> int | None:
        """The id of the obstacle in a slot, if it holds one."""
        rows = np.flatnonzero(self.of_obstacles == slot)
        return int(self._ids[rows[0]]) if len(rows) else None

    def _take(self) -> int:
        if self._free:
            slot = self._free.pop()
        else:
            slot, self.count = self.count, self.count + 1
            if slot == len(self.things):
                self._make_room()
        self._generation += 1
        self.things[slot, ALIVE], self.changed[slot] = self._generation, 1
        return slot

    def _make_room(self) -> None:
        more = len(self.things)
        self.things = np.concatenate([self.things, np.zeros_like(self.things)])
        self.corners = np.concatenate([self.corners, np.zeros_like(self.corners)])
        self.footings = np.concatenate([self.footings, np.full((more, 3), np.nan)])
        self.changed = np.concatenate([self.changed, np.zeros_like(self.changed)])
        self.drawn = np.concatenate([self.drawn, np.zeros_like(self.drawn)])
        self.cells = np.concatenate([self.cells, _nowhere(more)])
        self.goal = np.concatenate([self.goal, _nowhere(more)])
        self.tiles = np.concatenate([self.tiles, _nowhere(more)])


def _nowhere(count: int) -> IntArray:
    """First and last row and column of things that touch nothing."""
    return np.tile(np.array([0, -1, 0, -1], dtype=np.int64), (count, 1))
