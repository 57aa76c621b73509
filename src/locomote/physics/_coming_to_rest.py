"""Who is told to sit or to lie while it goes comes to rest first, its feet side by side and its weight on both."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.physics._simulation import Simulation
from locomote.physics._skills import Skill

FROM_REST = ("sit", "lie")  # skills that begin where it stands
SQUARE, WIDE = 0.05, 0.15  # m that the feet of a pair may be off each other, and farther apart than at rest
STEADY = 0.12  # m/s of its frames below which a foot can be lifted
UNEVEN = 0.4  # of its weight that one side carries more than the other then, at most
STEPS_FOR = 4.0  # s after which feet that are off stay so
STANDS_FOR = 1.0  # s of standing after which it begins, however unsteadily


class Awaited:
    """A skill that is begun as soon as an animal stands as it should."""

    def __init__(self, name: str, skill: Skill) -> None:
        self.name, self.skill = name, skill
        self.waited, self.stood = 0.0, 0.0  # s since it was told, and since it stands

    def is_square(self, simulation: Simulation) -> bool:
        """Whether it need not step any more: its feet are side by side, or it has tried for long."""
        pairs = simulation.feet[::2] - simulation.feet[1::2]
        apart = rot.rotate(rot.from_yaw(-simulation.heading), pairs)
        wider = apart[:, 0] - (simulation.body.hips[::2, 0] - simulation.body.hips[1::2, 0])
        off = max(float(np.abs(apart[:, 2]).max()), float(-wider.min()), SQUARE / WIDE * float(wider.max()))
        return self.waited > STEPS_FOR or off < SQUARE

    def is_due(self, simulation: Simulation, stands: bool, dt: float) -> bool:
        """Whether it is to begin now, ``dt`` s later than it was asked last; ``stands`` says that it has come to."""
        self.waited += dt
        self.stood = self.stood + dt if stands else 0.0
        loads = simulation.views.touch
        even = abs(float(loads[::2].sum() - loads[1::2].sum())) <= UNEVEN * float(loads.sum())
        steady = even and float(np.abs(simulation.state.speeds).max()) < STEADY
        return stands and self.is_square(simulation) and (steady or self.stood > STANDS_FOR)
