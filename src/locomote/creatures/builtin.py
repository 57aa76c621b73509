"""Creatures that come with the package: made of numbers alone, each with a skeleton, limits and a skin."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from locomote.creatures import arthropods, mammals, others
from locomote.creatures.morphology import Morphology
from locomote.errors import LocomoteError

CREATURES: dict[str, Callable[[], Morphology]] = {
    "spider": arthropods.spider,
    "ant": arthropods.ant,
    "crab": arthropods.crab,
    "centipede": arthropods.centipede,
    "wolf": mammals.wolf,
    "horse": mammals.horse,
    "lizard": others.lizard,
    "bird": others.bird,
    "robot": others.robot,
}
NAMES = tuple(CREATURES)


@cache
def build(name: str) -> Morphology:
    """A built-in creature by its name; made once."""
    if name not in CREATURES:
        raise LocomoteError(f"no creature {name!r}; the built-in ones are: {', '.join(CREATURES)}")
    return CREATURES[name]()
