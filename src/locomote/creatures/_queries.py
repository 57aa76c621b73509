"""What one can ask the creatures of a crowd: where they are, what their feet do and why."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.creatures._creature import Creature
from locomote.creatures._kernels.state import REASONS, STANDING
from locomote.math.records import Records
from locomote.rotations import FloatArray

BoolArray = npt.NDArray[np.bool_]


class CreatureQueries:
    """The state of a crowd of creatures, to be read; `Crowd` has all of this."""

    creature: Creature
    _rows: Records
    _gait_rows: Records
    _feet: Records

    @property
    def positions(self) -> FloatArray:
        """Where the middles of the bodies are, ``(N, 3)``; a copy."""
        return _stacked(self._rows, "x", "y", "z")

    @property
    def headings(self) -> FloatArray:
        """Where they face, ``(N,)`` radians from -pi to pi."""
        return np.array(self._rows["yaw"])

    @property
    def speeds(self) -> FloatArray:
        """How fast they are now, ``(N,)`` m/s; backwards below 0."""
        out: FloatArray = self._rows["speed"] * self._rows["held"]
        return out

    @property
    def tilts(self) -> FloatArray:
        """Pitch (nose up) and roll (left side up) of the bodies, ``(N, 2)`` radians."""
        return _stacked(self._rows, "pitch", "roll")

    @property
    def phases(self) -> FloatArray:
        """Where in the gait cycle they are, ``(N,)`` from 0 to 1."""
        return np.array(self._gait_rows["needle"])

    @property
    def periods(self) -> FloatArray:
        """Seconds that a gait cycle takes, ``(N,)``."""
        return np.array(self._gait_rows["period"])

    @property
    def gaits(self) -> list[str]:
        """The names of the gaits that are gone."""
        names = [gait.name for gait in self.creature.gaits.gaits]
        return [names[index] for index in self._gait_rows["current"]]

    @property
    def feet(self) -> FloatArray:
        """Where the feet are, ``(N, F, 3)``; a copy."""
        return _stacked(self._feet, "x", "y", "z")

    @property
    def planted(self) -> BoolArray:
        """Which feet stand, ``(N, F)``."""
        out: BoolArray = self._feet["state"] == STANDING
        return out

    @property
    def footholds(self) -> FloatArray:
        """Where the feet stand, or will when they land, ``(N, F, 3)``."""
        goals = _stacked(self._feet, "goal_x", "goal_y", "goal_z")
        return np.where(self.planted[..., None], self.feet, goals)

    @property
    def preferred(self) -> FloatArray:
        """The footholds that the last steps would have taken on open ground, ``(N, F, 3)``."""
        return _stacked(self._feet, "wish_x", "wish_y", "wish_z")

    @property
    def reasons(self) -> npt.NDArray[np.str_]:
        """Why each foot was planned last, ``(N, F)``: one of `locomote.creatures._kernels.state.REASONS`."""
        out: npt.NDArray[np.str_] = np.array(REASONS)[self._feet["why"]]
        return out

    @property
    def blocked(self) -> BoolArray:
        """Which feet found no way, ``(N, F)``; creatures stop when that is half of their feet."""
        return np.array(self._feet["lost"])

    @property
    def counts(self) -> dict[str, int]:
        """What was done since the beginning: plans made, footholds weighed, legs posed."""
        names = {"plans": "plans", "couples": "couples", "legs": "reached"}
        return {name: int(self._rows[field].sum()) for name, field in names.items()}

    @property
    def spacing(self) -> FloatArray:
        """Where the feet have their places under the bodies, ``(N, F, 2)``: x to the left and z ahead, metres."""
        return _stacked(self._feet, "spacing_x", "spacing_z")


def _stacked(rows: Records, *names: str) -> FloatArray:
    """Some fields of rows side by side along a last axis; a copy."""
    return np.stack([rows[name] for name in names], axis=-1)
