"""What one can ask simulated dogs: where they are, how fast, on which feet."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.physics._animal_build import NAMES
from locomote.physics._one_dog import FALLEN, GOING, STANDING, OneDog
from locomote.physics._repertoire import SKILLS
from locomote.rotations import FloatArray

BoolArray = npt.NDArray[np.bool_]


class DogQueries:
    """The state of simulated dogs, to be read; `Dog` has all of this."""

    foot_names: tuple[str, ...] = NAMES
    _dogs: list[OneDog]

    @property
    def possible_states(self) -> tuple[str, ...]:
        """All that `states` may say."""
        return (GOING, STANDING, FALLEN, *SKILLS)

    @property
    def positions(self) -> FloatArray:
        """The middle between hips and shoulders, ``(N, 3)`` m."""
        return np.array([dog.simulation.frames.mean(axis=0) for dog in self._dogs])

    @property
    def headings(self) -> FloatArray:
        """Where they face, ``(N,)`` radians from -pi to pi."""
        return np.array([dog.simulation.heading for dog in self._dogs])

    @property
    def speeds(self) -> FloatArray:
        """How fast they go ahead, ``(N,)`` m/s; backwards below 0."""
        return np.array([dog.simulation.speed for dog in self._dogs])

    @property
    def heights(self) -> FloatArray:
        """Of hips and shoulders above the ground, ``(N, 2)`` m."""
        return np.array([dog.simulation.heights for dog in self._dogs])

    @property
    def tilts(self) -> FloatArray:
        """How far hips or shoulders are from upright, the larger of the two, ``(N,)`` radians."""
        return np.array([dog.simulation.tilt for dog in self._dogs])

    @property
    def phases(self) -> FloatArray:
        """Where in the stride they are, ``(N,)`` from 0 to 1."""
        return np.array([dog.simulation.state.clock[0] for dog in self._dogs])

    @property
    def gaits(self) -> list[str]:
        """The names of the gaits that are gone."""
        return [dog.driver.gait for dog in self._dogs]

    @property
    def states(self) -> list[str]:
        """What each is about: "going", "standing", "fallen", or a skill by name."""
        return [dog.about for dog in self._dogs]

    @property
    def fallen(self) -> BoolArray:
        """Who is down without having been told to, ``(N,)``."""
        return np.array([dog.fallen for dog in self._dogs])

    @property
    def falls(self) -> npt.NDArray[np.int64]:
        """How often each fell since it was made, ``(N,)``; who falls gets up by itself."""
        return np.array([dog.falls for dog in self._dogs])

    @property
    def failures(self) -> npt.NDArray[np.int64]:
        """How often each was put back, because its simulation came apart or it fell out of the world, ``(N,)``."""
        return np.array([dog.failures for dog in self._dogs])

    @property
    def feet(self) -> FloatArray:
        """Where the points are that feet stand on, ``(N, 4, 3)`` m: left and right in front, then behind."""
        return np.array([dog.simulation.feet for dog in self._dogs])

    @property
    def loads(self) -> FloatArray:
        """How hard each foot presses on the ground, ``(N, 4)`` N."""
        return np.array([dog.simulation.views.touch for dog in self._dogs])

    @property
    def planted(self) -> BoolArray:
        """Which feet touch the ground, ``(N, 4)``."""
        return self.loads > 0.0
