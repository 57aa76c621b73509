"""How the ways of bodies are kept, known to those who fill them without compiling anything.

A way is a row beside that of the creature, and a list of places; what bodies may cross is surveyed in square cells,
each a group of cells of the grid maps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.math.records import Record


class PathState(Record):
    """How far a creature is on its way."""

    going: bool  # it has a goal; else it goes as it was told
    state: int  # see STATES
    cruise: float  # m/s
    next: int  # the first of the places that it was told which it has not passed yet
    before: int  # the same when the way was made
    goal_yaw: float  # rad; NaN: any
    points: int  # places of the way
    segment: int  # the place of the way that was passed last
    partial: bool  # the way ends before the last place that was told
    left: float  # m of the way that are left
    off: float  # m beside the way
    moment: int  # reading of the clock of the maps that the way was made from
    look: float  # s until the creature looks whether its way still holds
    best: float  # m left when it last got on
    stalled: float  # s since then


STATES = ("free", "going", "giving way", "waiting", "no way", "arrived")
AT_EASE, ON_WAY, GIVING_WAY, WAITING, NO_WAY, ARRIVED = range(6)

# What a cell of a survey is.
STAND, NARROW, STEEP, MATTER = range(4)  # NARROW: nothing to stand on, but little enough to be stepped over

# What came of a search.
FOUND, NEARBY, CLOSED, BEYOND = range(4)  # BEYOND: no way within the window, but perhaps outside of it


class Bounds(NamedTuple):
    """What a body with its legs can pass, metres."""

    half_width: float  # free on either side, with a margin
    step: float  # up or down from thing to thing
    rough: float  # the same within the ground itself
    slope: float  # rise over run
    baseline: float  # over which slopes of the ground are measured
    over: float  # height of a thing that must not be stepped on, to be passed over
    gap: float  # width without a foothold


class Survey(NamedTuple):
    """What bodies may cross; R x C cells."""

    frame: npt.NDArray[np.float64]  # (3,) row and column of the first cell, side of a cell (m)
    level: npt.NDArray[np.float64]  # (R, C) m
    kind: npt.NDArray[np.uint8]
    thing: npt.NDArray[np.uint8]  # 1: the level is that of a thing
    clear: npt.NDArray[np.float64]  # m to the nearest that is in the way, as far as twice the half width
    open: npt.NDArray[np.uint8]  # 1: a body may be here
    area: npt.NDArray[np.int32]  # cells of the same number can be reached from each other; 0 for none
    outward: npt.NDArray[np.uint8]  # for each area: 1 if it touches the rim of the window


def blank_survey(row: int, column: int, rows: int, columns: int, side: float) -> Survey:
    """Room for a survey."""
    shape = rows, columns
    kind, thing, opened = (np.zeros(shape, np.uint8) for _ in range(3))
    return Survey(
        frame=np.array([float(row), float(column), side]),
        level=np.zeros(shape),
        kind=kind,
        thing=thing,
        clear=np.zeros(shape),
        open=opened,
        area=np.zeros(shape, np.int32),
        outward=np.zeros(rows * columns // 2 + 2, np.uint8),
    )
