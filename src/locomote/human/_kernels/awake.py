"""Whether there is anything to look at: most crowds walk on as they are told, and load nothing of what looks ahead."""

from __future__ import annotations

from locomote.human._kernels.state import FREE, NEUTRAL, NO_JUMP, People, Walker, Way
from locomote.math._compile import kernel
from locomote.math.records import Records


@kernel
def is_anyone_busy(people: People, ways: Records) -> bool:
    """Whether anyone has a goal, keeps out of the way of others or jumps."""
    for n in range(ways.shape[0]):
        row: Walker = people.walkers[n]
        way: Way = ways[n]
        if way.mode != FREE or way.heeds or way.state != NEUTRAL or row.jump.state != NO_JUMP:
            return True
    return False
