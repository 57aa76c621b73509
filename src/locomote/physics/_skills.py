"""What a simulated animal does instead of going: skills by name, and what it is to lie where it fell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from locomote.errors import LocomoteError
from locomote.physics._driving import Driver
from locomote.physics._kernels import animal_model as am
from locomote.physics._kernels.animal_model import Asked, make_asked

SLACK = (0.1, 0.15, 0.0, 0.0)  # of the gains of neck, spine, legs and frames of who has fallen
LEAST_SLACK = 0.3  # s


class Skill(Protocol):
    """Leads one animal in place of its driver, until it is done. It does not count as fallen meanwhile."""

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Fill ``driver.simulation.asked`` and ``driver.now`` for the next ``dt`` seconds; False when done."""


SKILLS: dict[str, Callable[..., Skill]] = {}  # by name: what makes one, from the options of the call


def make_skill(name: str, options: dict[str, Any]) -> Skill:
    """A skill by its name."""
    if name not in SKILLS:
        raise LocomoteError(f"{name}: no such skill; the skills are: {', '.join(SKILLS) or 'none so far'}")
    return SKILLS[name](**options)


class Limp:
    """Nothing holds it up any more: it falls as a body, and lies."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Joints with hardly any strength, as long as it is down."""
        sim, asked = driver.simulation, driver.simulation.asked
        self.seconds += dt
        if self.seconds > LEAST_SLACK and not sim.fallen:
            asked.yaw[:2] = sim.heading
            return False
        asked.speed[:], asked.yaw[2] = 0.0, 0.0
        asked.stiff[:] = SLACK
        asked.frames[:] = 0.0
        asked.legs[:, 0], asked.legs[:, 1:] = am.STANDS, 0.0
        return True


def let_go(asked: Asked) -> None:
    """Take back all that a skill asked for, but not where it heads and what the ground is like."""
    plain = make_asked()
    for mine, new in ((asked.frames, plain.frames), (asked.legs, plain.legs), (asked.stiff, plain.stiff)):
        mine[:] = new
    asked.bend[:] = 0.0
