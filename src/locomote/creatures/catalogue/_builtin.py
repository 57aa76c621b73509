"""Creatures that come with the package: made of numbers alone, each with a skeleton, limits and a skin."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from locomote.creatures._morphology import Morphology
from locomote.creatures.catalogue import _arthropods as arthropods
from locomote.creatures.catalogue import _dog, _frog, _rodents
from locomote.creatures.catalogue import _lizard_bird_robot as lizard_bird_robot
from locomote.creatures.catalogue import _mammals as mammals
from locomote.errors import LocomoteError

CREATURES: dict[str, Callable[[], Morphology]] = {
    "spider": arthropods.spider,
    "ant": arthropods.ant,
    "crab": arthropods.crab,
    "centipede": arthropods.centipede,
    "wolf": mammals.wolf,
    "dog": _dog.dog,
    "horse": mammals.horse,
    "lizard": lizard_bird_robot.lizard,
    "frog": _frog.frog,
    "bird": lizard_bird_robot.bird,
    "rat": _rodents.rat,
    "mouse": _rodents.mouse,
    "robot": lizard_bird_robot.robot,
}
NAMES = tuple(CREATURES)


@cache
def build(name: str) -> Morphology:
    """A built-in creature by its name; made once."""
    if name not in CREATURES:
        raise LocomoteError(f"no creature {name!r}; the built-in ones are: {', '.join(CREATURES)}")
    return CREATURES[name]()
