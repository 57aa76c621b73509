"""The skills of a simulated animal by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from locomote.errors import LocomoteError
from locomote.physics._getting_up import Rise
from locomote.physics._leap_book import LeapBook
from locomote.physics._leap_model import LeapModel
from locomote.physics._leaps import Leap
from locomote.physics._postures import LieDown, Sit
from locomote.physics._skills import Skill


def leap(height: float | None = None, distance: float | None = None, speed: float = 0.0, smooth: bool = False) -> Leap:
    """The known leap that comes nearest to a height and a distance, m, out of a trot or a stand, m/s.

    Where ``smooth`` is set and both are given, one between the known ones.
    """
    book = LeapBook.default().at(speed)
    book.check(height, distance)
    if smooth and height is not None and distance is not None:
        return Leap(LeapModel.of(book, speed).launch(height, distance))
    return Leap(book.nearest(height, distance).launch)


# By name: what makes one, from the options of the call.
SKILLS: dict[str, Callable[..., Skill]] = {"sit": Sit, "lie": LieDown, "stand": Rise, "leap": leap}


def make_skill(name: str, options: dict[str, Any]) -> Skill:
    """A skill by its name."""
    if name not in SKILLS:
        raise LocomoteError(f"{name}: no such skill; the skills are: {', '.join(SKILLS)}")
    return SKILLS[name](**options)
