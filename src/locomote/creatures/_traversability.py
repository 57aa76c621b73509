"""What the bodies of a kind of creature can cross, surveyed where ways are sought and kept as long as it holds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from locomote.creatures._creature import Creature
from locomote.navigation._kernels.path_state import Bounds, Survey, blank_survey
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.world import Maps
from locomote.world._kernels.map_layout import CELL, FIRST_COLUMN, FIRST_ROW, TILE

FEET_ROOM = 0.75  # of the spread of the feet at rest, for which there must be room beside the body
TURNING_ROOM = 0.2  # of the half length of the body, as a margin
STEP = 0.6  # hip heights that legs step up onto things
ROUGH = 0.3  # hip heights between neighbouring cells of the ground itself
STEEPEST = math.tan(math.radians(40.0))  # rise over run, for any legs
CROUCH = 0.7  # hip heights to which a hip is let down to reach further
FINEST = 2  # cells of the maps along a cell of a survey, at least
FRESH = 0.2  # s for which a survey serves although something changed
NEAR_WAY = 2.0  # half widths about a way within which changes matter to it
MOST_CELLS = 150_000  # of a survey for all who may seek a way next


def bounds_of(creature: Creature, cell: float) -> Bounds:
    """What a creature can pass, by its body and the reach of its legs."""
    morphology = creature.morphology
    half_width, half_length = morphology.box
    feet = morphology.rest_feet - morphology.centre
    hip, reach = morphology.hip_height, float(np.mean(morphology.reaches))
    room = max(half_width, FEET_ROOM * float(np.mean(np.abs(feet[:, 0]))))
    aside = math.sqrt(max(reach**2 - (CROUCH * hip) ** 2, 0.0))
    return Bounds(
        half_width=room + TURNING_ROOM * half_length + 0.5 * cell,
        step=STEP * hip,
        rough=ROUGH * hip,
        slope=min(0.9 * aside / hip, STEEPEST),
        baseline=hip,
        over=min(creature.height - creature.trunk.belly, STEP * hip),
        gap=0.6 * aside,
    )


def radius_of(creature: Creature) -> float:
    """The circle in the plan that others keep out of: of the whole trunk, and of most of the feet."""
    feet = creature.morphology.rest_feet - creature.morphology.centre
    return max(math.hypot(*creature.morphology.box), FEET_ROOM * float(np.mean(np.abs(feet[:, 0]))))


class Surveys:
    """The latest survey, and how far it holds."""

    def __init__(self, creature: Creature, maps: Maps) -> None:
        self._maps = maps
        self.bounds = bounds_of(creature, maps.cell)
        self._group = max(FINEST, round(self.bounds.half_width / (3.0 * maps.cell)))
        self.side = self._group * maps.cell  # m, of a cell
        self.latest: Survey = blank_survey(0, 0, 1, 1, self.side)
        self.moment = -1  # the clock of the maps at the latest survey
        self.age = math.inf  # s since
        self.interest: FloatArray = np.zeros((0, 2))  # places of all who may seek a way next

    @property
    def clock(self) -> int:
        """How often the maps have changed."""
        return int(self._maps.arrays.clock[0])

    def around(self, places: FloatArray, margin: int) -> Survey:
        """A survey that holds places ``(P, 2)`` with so many cells about them."""
        from locomote.navigation._kernels.traversability import survey

        low, high = self._window(places, margin)
        had_low = self.latest.frame[:2].astype(int)
        had_high = had_low + self.latest.kind.shape
        if np.all(had_low <= low) and np.all(high <= had_high) and self._holds(had_low, had_high):
            return self.latest
        all_low, all_high = self._window(np.concatenate([places, self.interest]), margin)
        if np.prod((all_high - all_low).astype(float)) <= MOST_CELLS:
            low, high = all_low, all_high
        rows, columns = (high - low).tolist()
        fresh = blank_survey(int(low[0]), int(low[1]), rows, columns, self.side)
        survey(self._maps.arrays, self._group, self.bounds, fresh)
        self.latest, self.moment, self.age = fresh, self.clock, 0.0
        return fresh

    def _window(self, places: FloatArray, margin: int) -> tuple[IntArray, IntArray]:
        """First row and column, and those after the last, of a window of cells."""
        cells = np.floor(places[:, ::-1] / self.side).astype(np.int64)
        return cells.min(axis=0) - margin, cells.max(axis=0) + margin + 1

    def _holds(self, low: IntArray, high: IntArray) -> bool:
        if self.moment < 0:
            return False
        if self.age < FRESH or self.clock <= self.moment:
            return True
        (top, left), (bottom, right) = (np.maximum(self._tiles(self.side * end[::-1]), 0) for end in (low, high))
        tiles = self._maps.arrays.versions[top : bottom + 1, left : right + 1]
        return not (tiles > self.moment).any()

    def changed_along(self, moment: int, way: FloatArray) -> bool:
        """Whether anything changed since a moment near a way ``(P, 2)``."""
        if self.clock <= moment:
            return False
        spacing = 0.5 * TILE * self._maps.cell
        lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(way, axis=0).T))])
        along = np.arange(0.0, lengths[-1] + spacing, spacing)
        places = np.column_stack([np.interp(along, lengths, way[:, axis]) for axis in range(2)])
        room = NEAR_WAY * self.bounds.half_width
        around = room * np.array([(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0), (0.0, 0.0)])
        rows, columns = self._tiles((places[:, None] + around).reshape(-1, 2)).T
        versions = self._maps.arrays.versions
        drawn = (rows >= 0) & (columns >= 0) & (rows < versions.shape[0]) & (columns < versions.shape[1])
        return bool((versions[rows[drawn], columns[drawn]] > moment).any())

    def _tiles(self, places: npt.NDArray[np.floating[Any]]) -> IntArray:
        """The tiles of the maps (row, column) in which places (x, z) lie; beyond the maps they are out of range."""
        frame = self._maps.arrays.frame
        cells = np.floor(places[..., ::-1] / frame[CELL]) - frame[[FIRST_ROW, FIRST_COLUMN]]
        out: IntArray = (cells // TILE).astype(np.int64)
        return out
