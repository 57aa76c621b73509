"""Crowds stepped by several threads: their rows in pieces, one piece a thread; kernels release the interpreter's lock.

A row never depends on the piece that it is in, so results are the same for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

import numpy as np

from locomote.errors import LocomoteError

LEAST_ROWS = 2  # of a piece

T = TypeVar("T")
R = TypeVar("R")


class Threads:
    """A number of threads, started when they are first needed."""

    def __init__(self, count: int) -> None:
        if not (isinstance(count, (int, np.integer)) and count >= 1):
            raise LocomoteError(f"threads {count}: expected 1 or more")
        self.count = int(count)
        self._pool: ThreadPoolExecutor | None = None

    def pieces(self, rows: int) -> list[tuple[int, int]]:
        """The first row of every piece, and the one behind its last."""
        count = self.count if rows >= LEAST_ROWS * self.count else 1
        return list(pairwise(rows * n // count for n in range(count + 1)))

    def run(self, task: Callable[[T], R], pieces: Iterable[T]) -> list[R]:
        """What a task gives for every piece, all of them at once."""
        pieces = list(pieces)
        if len(pieces) == 1:
            return [task(pieces[0])]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.count)
        return list(self._pool.map(task, pieces))
