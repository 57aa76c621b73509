"""Trees far away: fewer modes and fewer nodes, faded out before they are left out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.modal.trees._species import Species
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray


@dataclass(frozen=True)
class Detail:
    """What is moved of a tree at which distance; each level has fewer modes and fewer nodes than the one before."""

    distances: tuple[float, ...] = (30.0, 80.0)  # m from which the next level holds
    modes: tuple[int, ...] = (25, 12, 5)
    nodes: tuple[float, ...] = (1.0, 0.25, 0.06)  # shares of all, the thickest
    fade: float = 0.3  # of each distance, before it, over which what is left out next fades

    def __post_init__(self) -> None:
        levels = len(self.distances) + 1
        if len(self.modes) != levels or len(self.nodes) != levels:
            raise LocomoteError(f"detail: {levels - 1} distances need {levels} numbers of modes and shares of nodes")
        falling = np.diff(self.modes) <= 0, np.diff(self.nodes) <= 0.0, np.diff(self.distances) > 0.0
        if not all(np.all(each) for each in falling) or min(self.modes) < 1 or not 0.0 < self.nodes[-1] <= 1.0:
            raise LocomoteError("detail: distances must grow, modes (1 or more) and nodes (above 0, at most 1) fall")
        if self.nodes[0] > 1.0 or (self.distances and self.distances[0] <= 0.0) or not 0.0 < self.fade <= 1.0:
            raise LocomoteError("detail: shares of nodes and the fade lie above 0 and at most at 1, distances above 0")


class Level(NamedTuple):
    """Trees of one level: which they are, and what is moved of them."""

    trees: IntArray  # (R,)
    modes: int
    nodes: int
    first_mode: int  # from which modes fade
    first_node: int  # from which nodes fade
    shares: FloatArray  # (R,) what is left of these


def levels_of(species: Species, detail: Detail | None, distances: FloatArray) -> list[Level]:
    """The levels of trees at ``distances (K,)`` m; without detail all are one."""
    count, modes = len(species), len(species.rates)
    if detail is None:
        return [Level(np.arange(len(distances)), modes, count, modes, count, np.ones(len(distances)))]
    which = np.searchsorted(np.array(detail.distances), distances, side="right")
    kept = [max(2, math.ceil(share * count)) for share in detail.nodes] + [count]
    found = [min(number, modes) for number in detail.modes] + [modes]
    out = []
    for level in np.unique(which):
        trees = np.flatnonzero(which == level)
        shares, last = np.ones(len(trees)), level == len(detail.distances)
        if not last:
            end = detail.distances[level]
            along = np.clip((distances[trees] - (1.0 - detail.fade) * end) / (detail.fade * end), 0.0, 1.0)
            shares = 1.0 - along * along * (3.0 - 2.0 * along)
        next_modes, next_nodes = (found[level], kept[level]) if last else (found[level + 1], kept[level + 1])
        out.append(Level(trees, found[level], kept[level], next_modes, next_nodes, shares))
    return out


def carriers(species: Species, count: int) -> IntArray:
    """The node of the first ``count`` that carries every node ``(N,)``: itself, or the nearest on the way down."""
    out = np.arange(len(species))
    for n in range(count, len(species)):
        out[n] = out[species.parents[n]]
    return out
