"""The common thing in one line: a person walks or jumps, a creature goes. The verbs of the command line do the same."""

from locomote.quick._creatures import creature
from locomote.quick._people import jump, walk

__all__ = ["creature", "jump", "walk"]
