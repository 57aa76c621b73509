"""What a body with its legs can cross: the grid maps, looked at in larger cells."""

from __future__ import annotations

import math

import numpy as np

from locomote.math._compile import inline, kernel, maker, part
from locomote.math.vector import Floats
from locomote.navigation._kernels.path_state import MATTER, NARROW, STAND, STEEP, Bounds, Survey
from locomote.world._kernels.ground import base_height
from locomote.world._kernels.map_cells import is_bare, read_cell
from locomote.world._kernels.map_layout import (
    BASE,
    CELL,
    NO_STAND,
    SLOPE_X,
    SLOPE_Z,
    MapArrays,
)

NEARNESS = 2.0  # half widths within which what is in the way makes a way dearer
DIAGONAL = math.sqrt(2.0)


@kernel
def survey(maps: MapArrays, group: int, bounds: Bounds, out: Survey) -> int:
    """Fill a survey whose cells are groups of ``group`` x ``group`` cells of the maps; how many areas there are."""
    _read(maps, group, bounds, out)
    _narrow(bounds, out)
    _steep(bounds, out)
    _keep_clear(bounds, out)
    for r in range(out.kind.shape[0]):
        for c in range(out.kind.shape[1]):
            free = out.kind[r, c] <= NARROW and out.clear[r, c] >= bounds.half_width
            out.open[r, c] = 1 if free else 0
    return _areas(bounds, out)


@inline
def passes(level: float, thing: int, level1: float, thing1: int, distance: float, bounds: Bounds) -> bool:
    """Whether legs can take the difference of height between two cells."""
    least = bounds.step if thing + thing1 > 0 else bounds.rough
    return abs(level1 - level) <= max(least, bounds.slope * distance)


@part
def _read(maps: MapArrays, group: int, bounds: Bounds, out: Survey) -> None:
    """Levels and kinds of the cells, as far as each can be judged by itself."""
    cell = maps.frame[CELL]
    first_row, first_column = int(out.frame[0]) * group, int(out.frame[1]) * group
    for i in range(out.kind.shape[0]):
        for j in range(out.kind.shape[1]):
            level, thing, matter = -math.inf, 0, False
            for a in range(group):
                row = first_row + i * group + a
                for b in range(group):
                    column = first_column + j * group + b
                    x, z = (column + 0.5) * cell, (row + 0.5) * cell
                    if is_bare(row, column, maps):
                        level = max(level, base_height(x, z, maps.grid, maps.ground_frame))
                        continue
                    top, owner, bits, peak = read_cell(row, column, maps)
                    # What is thinner than a cell may miss the middles of all that it touches.
                    if peak > top + bounds.step:
                        matter = True
                    if bits & NO_STAND != 0:
                        base = base_height(x, z, maps.grid, maps.ground_frame)
                        matter = matter or top - base > bounds.over
                        continue
                    if owner != BASE:
                        steep = math.hypot(maps.things[owner, SLOPE_X], maps.things[owner, SLOPE_Z])
                        matter = matter or steep > bounds.slope
                    if top > level:
                        level, thing = top, (1 if owner != BASE else 0)
            out.level[i, j], out.thing[i, j] = level, thing
            out.kind[i, j] = MATTER if matter else (STAND if level > -math.inf else NARROW)


@maker
def _narrow(bounds: Bounds, out: Survey) -> None:
    """Cells without a foothold take the level of the nearest one; where legs cannot step over they are matter."""
    rows, columns = out.kind.shape
    away, core = out.clear, np.empty((rows, columns))  # `clear` is filled later
    some = False
    for r in range(rows):
        for c in range(columns):
            none = out.level[r, c] == -math.inf
            some = some or none
            away[r, c] = math.inf if none else 0.0
    if not some:
        return
    _spread(away, out.level, out.frame[2])
    deep = 0.5 * (bounds.gap + out.frame[2])
    for r in range(rows):
        for c in range(columns):
            core[r, c] = 0.0 if away[r, c] > deep else math.inf
    _spread(core, out.level, out.frame[2])
    for r in range(rows):
        for c in range(columns):
            if out.kind[r, c] == NARROW and core[r, c] <= deep:
                out.kind[r, c] = MATTER
            if out.level[r, c] == -math.inf:
                out.level[r, c] = 0.0  # nothing to stand on anywhere


@part
def _spread(away: Floats, level: Floats, side: float) -> None:
    """Distances from where ``away`` is 0, by two sweeps over the cells; levels that are missing go with them."""
    rows, columns = away.shape
    for sweep in range(2):
        for m in range(rows * columns):
            n = m if sweep == 0 else rows * columns - 1 - m
            r, c = n // columns, n % columns
            turn = -1 if sweep == 0 else 1
            for dr, dc in ((0, turn), (turn, -1), (turn, 0), (turn, 1)):
                if not (0 <= r + dr < rows and 0 <= c + dc < columns):
                    continue
                far = away[r + dr, c + dc] + side * (DIAGONAL if dr != 0 and dc != 0 else 1.0)
                if far < away[r, c]:
                    away[r, c] = far
                    if level[r + dr, c + dc] > -math.inf and level[r, c] == -math.inf:
                        level[r, c] = level[r + dr, c + dc]


@inline
def _is_ground(kind: int) -> bool:
    return kind in (STAND, STEEP)


@part
def _steep(bounds: Bounds, out: Survey) -> None:
    """Ground that is too steep over the length of a step or two."""
    kind, thing, level, side = out.kind, out.thing, out.level, out.frame[2]
    rows, columns = kind.shape
    reach = max(1, round(0.5 * bounds.baseline / side))
    for r in range(rows):
        for c in range(columns):
            if kind[r, c] != STAND or thing[r, c] != 0:
                continue
            square = 0.0
            for axis in range(2):
                dr, dc = (reach, 0) if axis == 0 else (0, reach)
                low_r, low_c, high_r, high_c = r - dr, c - dc, r + dr, c + dc
                # Across the rim of the window and of things the slope is that of the other side.
                if low_r < 0 or low_c < 0 or not _is_ground(kind[low_r, low_c]) or thing[low_r, low_c] != 0:
                    low_r, low_c = r, c
                if (
                    high_r >= rows
                    or high_c >= columns
                    or not _is_ground(kind[high_r, high_c])
                    or thing[high_r, high_c] != 0
                ):
                    high_r, high_c = r, c
                run = side * (high_r - low_r + high_c - low_c)
                if run > 0.0:
                    rise = (level[high_r, high_c] - level[low_r, low_c]) / run
                    square += rise * rise
            if square > bounds.slope * bounds.slope:
                kind[r, c] = STEEP


@part
def _keep_clear(bounds: Bounds, out: Survey) -> None:
    """Distances to matter, and to steps up or down that are too high."""
    kind, thing, level, clear = out.kind, out.thing, out.level, out.clear
    rows, columns = kind.shape
    side, far = out.frame[2], NEARNESS * bounds.half_width
    reach = math.ceil(far / side)
    for r in range(rows):
        for c in range(columns):
            clear[r, c] = 0.0 if kind[r, c] == MATTER else far
    for r in range(rows):
        for c in range(columns):
            solid, rim = kind[r, c] == MATTER, False
            for i in range(max(r - 1, 0), min(r + 2, rows)):
                for j in range(max(c - 1, 0), min(c + 2, columns)):
                    if kind[i, j] == MATTER or (level[i, j] == level[r, c] and not solid):
                        continue
                    distance = side * (DIAGONAL if i != r and j != c else 1.0)
                    if solid or not passes(level[r, c], thing[r, c], level[i, j], thing[i, j], distance, bounds):
                        rim = True
            if not rim:
                continue
            for i in range(max(r - reach, 0), min(r + reach + 1, rows)):
                for j in range(max(c - reach, 0), min(c + reach + 1, columns)):
                    distance = side * math.sqrt(float((i - r) * (i - r) + (j - c) * (j - c)))
                    if distance < clear[i, j] and (
                        solid or not passes(level[r, c], thing[r, c], level[i, j], thing[i, j], distance, bounds)
                    ):
                        clear[i, j] = distance


@maker
def _areas(bounds: Bounds, out: Survey) -> int:
    """Number the areas of cells that can be reached from each other."""
    opened, area, level, thing = out.open, out.area, out.level, out.thing
    rows, columns = opened.shape
    side = out.frame[2]
    area[:] = 0
    out.outward[:] = 0
    queue = np.empty((rows * columns, 2), np.int32)
    count = 0
    for row in range(rows):
        for column in range(columns):
            if opened[row, column] == 0 or area[row, column] != 0:
                continue
            count += 1
            area[row, column] = count
            queue[0, 0], queue[0, 1] = row, column
            head, tail = 0, 1
            while head < tail:
                r, c = queue[head, 0], queue[head, 1]
                head += 1
                if r == 0 or c == 0 or r == rows - 1 or c == columns - 1:
                    out.outward[count] = 1
                for turn in range(4):
                    i, j = r + (turn & 1) * (turn - 2), c + (1 - (turn & 1)) * (turn - 1)
                    if not (0 <= i < rows and 0 <= j < columns) or opened[i, j] == 0 or area[i, j] != 0:
                        continue
                    if passes(level[r, c], thing[r, c], level[i, j], thing[i, j], side, bounds):
                        area[i, j] = count
                        queue[tail, 0], queue[tail, 1] = i, j
                        tail += 1
    return count
