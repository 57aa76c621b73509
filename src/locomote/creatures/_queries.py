"""What one can ask the creatures of a crowd: where they are, what their feet do and why."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.creatures._creature import Creature
from locomote.creatures._kernels import gait_layout as g
from locomote.creatures._kernels import layout as c
from locomote.rotations import FloatArray

BoolArray = npt.NDArray[np.bool_]


class CreatureQueries:
    """The state of a crowd of creatures, to be read; `Crowd` has all of this."""

    creature: Creature
    _rows: FloatArray
    _gait_rows: FloatArray
    _feet: FloatArray

    @property
    def positions(self) -> FloatArray:
        """Where the middles of the bodies are, ``(N, 3)``; a copy."""
        return self._rows[:, [c.X, c.Y, c.Z]]

    @property
    def headings(self) -> FloatArray:
        """Where they face, ``(N,)`` radians from -pi to pi."""
        return self._rows[:, c.YAW].copy()

    @property
    def speeds(self) -> FloatArray:
        """How fast they are now, ``(N,)`` m/s; backwards below 0."""
        return self._rows[:, c.SPEED] * self._rows[:, c.HELD]

    @property
    def tilts(self) -> FloatArray:
        """Pitch (nose up) and roll (left side up) of the bodies, ``(N, 2)`` radians."""
        return self._rows[:, [c.PITCH, c.ROLL]]

    @property
    def phases(self) -> FloatArray:
        """Where in the gait cycle they are, ``(N,)`` from 0 to 1."""
        return self._gait_rows[:, g.NEEDLE].copy()

    @property
    def periods(self) -> FloatArray:
        """Seconds that a gait cycle takes, ``(N,)``."""
        return self._gait_rows[:, g.PERIOD].copy()

    @property
    def gaits(self) -> list[str]:
        """The names of the gaits that are gone."""
        names = [gait.name for gait in self.creature.gaits.gaits]
        return [names[int(index)] for index in self._gait_rows[:, g.GAIT]]

    @property
    def feet(self) -> FloatArray:
        """Where the feet are, ``(N, F, 3)``; a copy."""
        return self._feet[:, :, c.FOOT_X : c.FOOT_Z + 1].copy()

    @property
    def planted(self) -> BoolArray:
        """Which feet stand, ``(N, F)``."""
        out: BoolArray = self._feet[:, :, c.STATE] == c.STANDING
        return out

    @property
    def footholds(self) -> FloatArray:
        """Where the feet stand, or will when they land, ``(N, F, 3)``."""
        goals = self._feet[:, :, c.GOAL_X : c.GOAL_Z + 1]
        return np.where(self.planted[..., None], self.feet, goals)

    @property
    def preferred(self) -> FloatArray:
        """The footholds that the last steps would have taken on open ground, ``(N, F, 3)``."""
        return self._feet[:, :, c.WISH_X : c.WISH_Z + 1].copy()

    @property
    def reasons(self) -> npt.NDArray[np.str_]:
        """Why each foot was planned last, ``(N, F)``: one of `locomote.creatures._kernels.layout.REASONS`."""
        out: npt.NDArray[np.str_] = np.array(c.REASONS)[self._feet[:, :, c.WHY].astype(int)]
        return out

    @property
    def blocked(self) -> BoolArray:
        """Which feet found no way, ``(N, F)``; creatures stop when that is half of their feet."""
        out: BoolArray = self._feet[:, :, c.LOST] > 0.0
        return out

    @property
    def counts(self) -> dict[str, int]:
        """What was done since the beginning: plans made, footholds weighed, legs posed."""
        sums = self._rows[:, [c.PLANS, c.COUPLES, c.REACHED]].sum(axis=0).astype(int).tolist()
        return dict(zip(("plans", "couples", "legs"), sums, strict=True))

    @property
    def spacing(self) -> FloatArray:
        """Where the feet have their places under the bodies, ``(N, F, 2)``: x to the left and z ahead, metres."""
        return self._feet[:, :, c.SPACING_X : c.SPACING_Z + 1].copy()
