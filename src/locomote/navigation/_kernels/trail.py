"""A trail: the few places over which one gets round what is in the way."""

from __future__ import annotations

from typing import Annotated

from locomote.math.records import Record
from locomote.math.vector import Floats

MOST_POINTS = 8
GOES_ON, WAITS, COVERED = range(3)  # at the last place: on to the goal; no way to it; nor room there


class Trail(Record):
    """Places that lead to a goal, towards it, or as near to it as one can get."""

    count: int  # places, 0 for no trail
    next: int  # of them
    waits: int  # GOES_ON, WAITS or COVERED
    left: float  # m of the way over them that were left, the least that counted as progress
    idle: float  # s since then
    places: Annotated[Floats, 8, 2]  # (x, z)
