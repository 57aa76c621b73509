"""The ground under a motion, frame by frame, and where its feet touch it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.contacts import Contacts, detect_points, foot_points
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.world import Ground, Obstacles

GroundOrTimes = Ground | Callable[[float], Ground] | None  # as it stands, or at a time in seconds
ObstaclesOrTimes = Obstacles | Callable[[float], Obstacles] | None

_UP = np.array([0.0, 1.0, 0.0])


def ground_at(ground: Ground | Callable[[float], Ground], time: float) -> Ground:
    """The ground at a time."""
    found = ground if isinstance(ground, Ground) else ground(time)
    if not isinstance(found, Ground):
        raise LocomoteError(f"ground: expected a Ground, or a function from seconds to a Ground, got {found!r}")
    return found


def obstacles_at(obstacles: ObstaclesOrTimes, time: float) -> Obstacles | None:
    """The obstacles at a time, if there are any."""
    if obstacles is None:
        return None
    found = obstacles if isinstance(obstacles, Obstacles) else obstacles(time)
    if not isinstance(found, Obstacles):
        raise LocomoteError(f"obstacles: expected Obstacles, or a function from seconds to them, got {found!r}")
    return found


class Footing:
    """The ground in every frame of a motion."""

    def __init__(self, ground: Ground | Callable[[float], Ground], motion: Motion) -> None:
        self.stands = isinstance(ground, Ground)
        self.fps = motion.fps
        times = motion.times[:1] if self.stands else motion.times
        self._grounds = [ground_at(ground, float(time)) for time in times]

    def at(self, frame: int) -> Ground:
        """The ground in one frame."""
        return self._grounds[0 if self.stands else frame]

    def heights(self, points: FloatArray) -> FloatArray:
        """The height of the ground under points ``(F, ..., 3)``."""
        return self._each(Ground.heights, points)

    def normals(self, points: FloatArray) -> FloatArray:
        """The direction square to the ground under points ``(F, ..., 3)``."""
        return self._each(Ground.normal, points)

    def carried(self, points: FloatArray) -> FloatArray:
        """How far the ground under points ``(F, ..., 3)`` has gone since the first frame, along x and z."""
        if self.stands:
            return np.zeros(points.shape)
        moves = self._each(Ground.velocity, points) * np.array([1.0, 0.0, 1.0])
        way = np.cumsum(0.5 * (moves[1:] + moves[:-1]), axis=0) / self.fps
        return np.concatenate([np.zeros((1, *points.shape[1:])), way])

    def _each(self, ask: Callable[[Ground, FloatArray], FloatArray], points: FloatArray) -> FloatArray:
        if self.stands:
            return ask(self._grounds[0], points)
        return np.stack([ask(ground, p) for ground, p in zip(self._grounds, points, strict=True)])


def feet_on(motion: Motion, footing: Footing) -> FloatArray:
    """Heel, ball and toe of every leg, ``(F, L, 3, 3)``, the heel level with the ball along the ground."""
    root = motion.joint_positions()[:, motion.skeleton.roles.root]
    tilt = rot.between(footing.normals(root), _UP)
    carried = footing.carried(root)
    turns = motion.rotations.copy()
    turns[:, 0] = rot.multiply(tilt, turns[:, 0])
    places = rot.rotate(tilt, motion.root_positions - carried)
    moved = motion.translations
    if moved is not None:
        moved = moved.copy()
        moved[:, 0] = places
    level = replace(motion, root_positions=places, rotations=turns, translations=moved, body=None)
    back = rot.inverse(tilt)[:, None, None]
    out: FloatArray = rot.rotate(back, foot_points(level)) + carried[:, None, None]
    return out


def contacts_on(motion: Motion, feet: FloatArray, footing: Footing) -> Contacts:
    """The contacts of feet ``(F, L, 3, 3)`` with the ground: found as if it were level and at rest."""
    level = feet - footing.carried(feet[:, :, 1])[:, :, None]
    # Heels and toes that stick out over the edge of a step are as high as they are over the step itself.
    under = footing.heights(feet)
    level[..., 1] = feet[..., 1] - np.maximum(under, under[:, :, 1:2])
    skeleton = motion.skeleton
    found = detect_points(level, motion.fps, legs=skeleton.roles.legs, leg_length=skeleton.leg_length())
    return replace(found, points=feet)
