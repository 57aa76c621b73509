"""What one can ask the people of a crowd: where they are, how they go, what their feet do."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.human._kernels.drive import CLIMB, TURN_SLOWING
from locomote.human._kernels.state import PLANTED, SWINGING, People
from locomote.motion import Poses
from locomote.rotations import FloatArray

BoolArray = npt.NDArray[np.bool_]

# rad of heel or forefoot off the ground, 4 mm at the ball, within which a point still touches it. Feet roll softly:
# without it one foot of many walkers would be "on its heel" through half of its stance by a hair, and the other not.
TOUCHES = 0.02


class HumanQueries:
    """The state of a crowd of people, to be read; `Crowd` has all of this."""

    _poses: Poses

    @property
    def _people(self) -> People:
        raise NotImplementedError

    @property
    def positions(self) -> FloatArray:
        """Where the characters are on the ground, ``(N, 3)``; a copy."""
        walkers = self._people.walkers
        return np.stack([walkers["x"], walkers["y"], walkers["z"]], axis=1)

    @property
    def headings(self) -> FloatArray:
        """Where they face, ``(N,)`` radians from -pi to pi."""
        yaw = self._people.walkers["yaw"]
        out: FloatArray = np.arctan2(np.sin(yaw), np.cos(yaw))
        return out

    @property
    def speeds(self) -> FloatArray:
        """How fast they are now, ``(N,)`` m/s; on steep ground, or as they turn to a heading, slower than told."""
        walkers = self._people.walkers
        speed = walkers["speed"]["value"]
        turning = TURN_SLOWING * walkers["steering"] * walkers["turn"]["value"] ** 2
        out: FloatArray = speed / np.sqrt(1.0 + (speed * walkers["steep"] / CLIMB) ** 2) / (1.0 + turning)
        return out

    @property
    def turn_rates(self) -> FloatArray:
        """How fast they turn now, ``(N,)`` rad/s."""
        return self._people.walkers["turn"]["value"].copy()

    @property
    def cycles(self) -> FloatArray:
        """Gait cycles done, ``(N,)``; never goes back. A whole number is a strike of the right heel."""
        return self._people.walkers["cycles"].copy()

    @property
    def phases(self) -> FloatArray:
        """Where in the cycle they are, ``(N,)`` from 0 to 1."""
        out: FloatArray = self.cycles % 1.0
        return out

    @property
    def frequencies(self) -> FloatArray:
        """Cycles a second, ``(N,)``."""
        return self._people.walkers["frequency"].copy()

    @property
    def gaits(self) -> FloatArray:
        """The share of running, ``(N,)`` from 0 (walk) to 1 (run)."""
        return self._people.walkers["run"]["value"].copy()

    @property
    def leg_lengths(self) -> FloatArray:
        """Hip to ankle, ``(N,)`` metres."""
        return self._people.walkers["leg"]["value"].copy()

    @property
    def styles(self) -> FloatArray:
        """Style weights ``(N, K)``."""
        return self._people.weights[:, 0].copy()

    @property
    def poses(self) -> Poses:
        """The poses of the last step."""
        return self._poses

    @property
    def planted(self) -> BoolArray:
        """Which points of the feet do not move, ``(N, 2, 3)``: left and right; heel, ball, tip of the toes.

        A foot that is a hair off its ball turns about its heel. What touches the ground tells `touching`.
        """
        return self._down(0.0)

    @property
    def touching(self) -> BoolArray:
        """Which points of the feet touch the ground, or nearly do, ``(N, 2, 3)``: as `planted`."""
        return self._down(TOUCHES)

    def _down(self, margin: float) -> BoolArray:
        feet = self._people.feet
        standing, pitch, toes = feet["state"] == PLANTED, feet["pitch"], feet["toe_pitch"]
        toe_down = standing & (pitch <= margin)
        return np.stack([standing & (pitch >= -margin), toe_down & (toes >= -margin), toe_down], -1)

    @property
    def footholds(self) -> FloatArray:
        """Where the balls of the feet stand, or will when they land, ``(N, 2, 3)``: left and right."""
        return self._people.feet["goal"].copy()

    @property
    def landings(self) -> FloatArray:
        """Seconds until the feet land as things are, ``(N, 2)``; 0 for one that stands."""
        feet = self._people.feet
        out: FloatArray = np.where(feet["state"] == SWINGING, feet["duration"] - feet["elapsed"], 0.0)
        return out
