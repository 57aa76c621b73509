"""The skills of a simulated animal by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from locomote.errors import LocomoteError
from locomote.physics._getting_up import Rise
from locomote.physics._postures import LieDown, Sit
from locomote.physics._skills import Skill

SKILLS: dict[str, Callable[..., Skill]] = {"sit": Sit, "lie": LieDown, "stand": Rise}  # made with the call's options


def make_skill(name: str, options: dict[str, Any]) -> Skill:
    """A skill by its name."""
    if name not in SKILLS:
        raise LocomoteError(f"{name}: no such skill; the skills are: {', '.join(SKILLS)}")
    return SKILLS[name](**options)
