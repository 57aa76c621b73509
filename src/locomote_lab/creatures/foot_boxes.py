"""Feet as boxes among obstacles, judged by their outlines alone: which box overlaps the side of which obstacle.

The maps of the engine are not asked. A foot is a box about its place, turned as the body was when it came down, or as
the body is while it swings; an obstacle is its outline and its top. Boxes that lie on a top do not overlap it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from locomote.creatures._crowd import Crowd
from locomote.rotations import FloatArray
from locomote.world._kernels import obstacle_layout as layout

NOTED = 1e-3  # m by which a box must be inside of an obstacle, in the plan and in height


@dataclass(frozen=True)
class Overlap:
    """A foot inside of an obstacle."""

    creature: int
    foot: int
    obstacle: int  # its id
    moves: bool  # the obstacle
    deep: float  # m in the plan, that is how far they would have to be moved apart
    below: float  # m from the top of the obstacle down to the foot


class FootBoxes:
    """Looks at a crowd: call `look` after every step; counts what it saw."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.boxes: FloatArray = np.array([leg.foot_box for leg in crowd.creature.morphology.legs])
        self._yaws = np.repeat(crowd.headings[:, None], len(self.boxes), axis=1)
        self._stood = crowd.planted
        self.feet = self.still = self.moving = 0  # feet of all frames; those in obstacles that stand still, that move

    def look(self) -> list[Overlap]:
        """The overlaps of the present frame."""
        stands, now = self.crowd.planted, np.repeat(self.crowd.headings[:, None], len(self.boxes), axis=1)
        self._yaws = np.where(stands & self._stood, self._yaws, now)
        self._stood = stands
        found = self._overlaps()
        self.feet += stands.size
        met = {(each.creature, each.foot): each.moves for each in sorted(found, key=lambda each: each.moves)}
        self.moving += sum(met.values())
        self.still += len(met) - sum(met.values())
        return found

    def _overlaps(self) -> list[Overlap]:
        arrays, ground = self.crowd.maps.obstacles.arrays, self.crowd.maps.ground
        table, feet = arrays.table, self.crowd.feet.reshape(-1, 3)
        if len(table) == 0:
            return []
        tops = ground.heights(table[:, [layout.X, layout.Z]]) + table[:, layout.LIFT] + table[:, layout.HEIGHT]
        corners = _corners(np.tile(self.boxes, (len(self.crowd), 1)), self._yaws.ravel()) + feet[:, None, [0, 2]]
        moves = np.any(table[:, [layout.VX, layout.VZ, layout.TURN, layout.RISE]] != 0.0, axis=1)
        places, reach = feet[:, [0, 2]], float(table[:, layout.RADIUS].max() + np.hypot(*self.boxes.T).max())
        near: Any = cKDTree(table[:, [layout.X, layout.Z]]).query_ball_point(places, reach)
        found, legs = [], len(self.boxes)
        for foot, rows in enumerate(near):
            for k in rows:
                below = float(tops[k] - feet[foot, 1])
                if below <= NOTED:
                    continue
                deep = depth(corners[foot], arrays.corners[k, : int(table[k, layout.CORNERS])])
                if deep > NOTED:
                    found.append(Overlap(*divmod(foot, legs), int(arrays.ids[k]), bool(moves[k]), deep, below))
        return found


def _corners(halves: FloatArray, yaws: FloatArray) -> FloatArray:
    """Corners ``(N, 4, 2)`` as (x, z) of boxes ``(N, 2)`` of half widths and lengths, about their middles."""
    x, z = halves[:, :1] * [-1, -1, 1, 1], halves[:, 1:] * [-1, 1, 1, -1]
    sine, cosine = np.sin(yaws)[:, None], np.cos(yaws)[:, None]
    return np.stack([cosine * x + sine * z, cosine * z - sine * x], axis=-1)


def depth(a: FloatArray, b: FloatArray) -> float:
    """How far two convex outlines ``(V, 2)`` overlap: the least way that parts them; 0 or less where they do not."""
    least = np.inf
    for outline in (a, b):
        edges = np.roll(outline, -1, axis=0) - outline
        sizes = np.hypot(edges[:, 0], edges[:, 1])
        across = np.stack([edges[:, 1], -edges[:, 0]], axis=1)[sizes > 0.0] / sizes[sizes > 0.0, None]
        first, second = a @ across.T, b @ across.T
        ways = np.minimum(first.max(axis=0) - second.min(axis=0), second.max(axis=0) - first.min(axis=0))
        least = min(least, float(ways.min()))
    return least
