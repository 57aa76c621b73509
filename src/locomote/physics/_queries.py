"""What can be asked about somebody who balances: where it is, on what it stands, and which forces act."""

from __future__ import annotations

from locomote import rotations as rot
from locomote.physics._engine import Engine
from locomote.physics._reactions import Reactions, explained
from locomote.physics._stance import SIDES, Stance
from locomote.rotations import FloatArray


class BalanceQueries:
    """Places, momentum and forces of the last step."""

    _engine: Engine
    _stance: Stance
    _time: float
    _reactions: Reactions | None

    @property
    def time(self) -> float:
        """Seconds since it was made."""
        return self._time

    @property
    def centre_of_mass(self) -> FloatArray:
        """Where it was before the last step, (3,) m."""
        return self._engine.body.work.centre.copy()

    @property
    def angular_momentum(self) -> FloatArray:
        """About the centre of mass, (3,) kg m2/s, of the last step."""
        return self._engine.angular_momentum()

    @property
    def reactions(self) -> Reactions:
        """Which points touch the ground, forces there, and what helps from outside, in the last step."""
        if self._reactions is None:
            self._reactions = explained(self._engine)
        return self._reactions

    @property
    def contact_forces(self) -> FloatArray:
        """Of the ground on the body, (P, 3) N, one for each point that touches it.

        In the "helped" mode they are those in the cones of friction that explain the motion best.
        """
        return self.reactions.forces

    @property
    def contact_places(self) -> FloatArray:
        """Where those forces act, (P, 3) m."""
        touch, work = self._engine.touch, self._engine.body.work
        which = self.reactions.points
        bodies = touch.bodies[which]
        arms = rot.rotate(work.rotations[bodies], touch.points[which])
        places: FloatArray = work.places[bodies] + arms
        return places

    @property
    def helper_force(self) -> FloatArray:
        """What pushes the hips from outside, (3,) N: what neither the ground nor pushes explain."""
        return self.reactions.helper[3:]

    @property
    def support(self) -> tuple[str, ...]:
        """The feet that stand: "left", "right"."""
        return tuple(SIDES[foot] for foot in self._stance.standing)
