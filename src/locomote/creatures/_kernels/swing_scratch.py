"""Room in which one step of a foot is sought; nothing of it is kept."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np
import numpy.typing as npt

from locomote.math._compile import maker
from locomote.math.records import Record, Records, dtype_of
from locomote.math.vector import Floats

Ints32: TypeAlias = npt.NDArray[np.int32]

SAMPLES = 33  # points of a curve
MOST_SIDE = 128  # cells of the sides of a window
MOST_CELLS = (MOST_SIDE + 2) * (MOST_SIDE + 2)  # of a window with a border
MOST_LEVELS = 16  # heights up to which things are passed over; the last is over everything


class WayPlace(Record):
    """A place of a path in the plan."""

    u: float  # cells
    v: float
    bend: float  # how much it may bend the path, 0 to 1


class PathPoint(Record):
    """A point of a smooth path, or of a curve over it."""

    u: float  # cells
    v: float
    way: float  # m along the path
    height: float  # m, of a curve
    span: int  # of a path: after how many of its places


class CrossedCell(Record):
    """A cell that a path crosses."""

    enter: float  # m along the path
    leave: float
    height: float  # m
    number: int  # flat number of the cell in its window


class HullPoint(Record):
    """A corner of the upper hull of what has to be passed."""

    way: float  # m
    height: float  # m


class ProfilePoint(Record):
    """A point of a profile over a path."""

    way: float  # m
    height: float  # m
    length: float  # m of the profile so far


class Candidate(Record):
    """A footprint that is still to be tried."""

    worth: float  # 0 to 1
    number: int  # flat number of its cell


class SwingScratch(Record):
    """The room; one row of it for each thread."""

    waves: Annotated[Ints32, MOST_LEVELS, MOST_CELLS]  # moves from the start, for each level
    too_high: Annotated[Ints32, MOST_LEVELS]  # cells that are higher than each level
    free: Annotated[Ints32, MOST_CELLS]
    queue: Annotated[Ints32, MOST_CELLS]
    candidates: Annotated[Records, Candidate, MOST_CELLS]  # a heap, the best first
    ways: Annotated[Records, WayPlace, 128]
    path: Annotated[Records, PathPoint, 1024]
    crossed: Annotated[Records, CrossedCell, 2048]
    hull: Annotated[Records, HullPoint, 4160]
    profile: Annotated[Records, ProfilePoint, 1024]
    trial: Annotated[Records, PathPoint, SAMPLES]  # the curve that was drawn last
    spare: Annotated[Records, PathPoint, SAMPLES]
    lengths: Annotated[Floats, SAMPLES]  # m along the lines between the points of a curve


_ROOM = dtype_of(SwingScratch)


@maker
def make_swing_scratch() -> Records:
    """New room to work in, ``(1,)``."""
    return np.empty(1, _ROOM)
