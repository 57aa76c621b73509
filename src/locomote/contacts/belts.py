"""A treadmill under a motion: how fast its belt goes, told by the feet that stand on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from locomote.contacts.feet import ADULT_LEG, velocities
from locomote.motion import Motion
from locomote.rotations import FloatArray

_LOW_SHARE = 5.0  # per cent of the heights of a ball: where it touches
_LOW = 0.015  # m over that a foot stands
_SLOWEST = 0.3  # m/s; feet that go slower rest
_AGREES = 0.2  # of the belt's speed: how far standing feet may differ from it,
_LEAST_AGREEING = 0.6  # and how many of their frames do not
_STAYS = 0.25  # of the way of the belt, by which somebody who runs on it may drift


def belt_velocity(points: FloatArray, fps: float, leg_length: float) -> FloatArray:
    """The velocity ``(3,)`` m/s of the ground under feet ``(F, L, 3, 3)``; zero where they rest on it or leave.

    A treadmill is where all feet, while they are lowest, go one way at one speed, and none gets anywhere.
    """
    size = leg_length / ADULT_LEG
    balls = points[:, :, 1]
    still = np.zeros(3)
    if balls.shape[1] == 0 or len(balls) < fps:
        return still
    low = balls[..., 1] < np.percentile(balls[..., 1], _LOW_SHARE, axis=0) + _LOW * size
    level = velocities(balls, fps) * (1.0, 0.0, 1.0)
    belt: FloatArray = np.median(level[low], axis=0)
    speed = float(np.linalg.norm(belt))
    if speed < _SLOWEST * np.sqrt(size):
        return still
    agrees = np.linalg.norm(level - belt, axis=-1) < _AGREES * speed
    if any(np.mean(agrees[low[:, i], i]) < _LEAST_AGREEING for i in range(balls.shape[1])):
        return still
    middle = np.mean(balls, axis=1) * (1.0, 0.0, 1.0)
    half = max(1, len(middle) // 2)
    way = np.linalg.norm(np.mean(middle[half:], axis=0) - np.mean(middle[:half], axis=0))
    return still if way > _STAYS * speed * half / fps else belt


def travelling(motion: Motion, belt: npt.ArrayLike) -> Motion:
    """What somebody on a belt does, over ground that rests.

    Parameters
    ----------
    motion : on the belt
    belt : (3,) m/s, the velocity of the belt
    """
    way = motion.times[:, None] * np.asarray(belt, dtype=np.float64)
    places = motion.root_positions - way
    moved = motion.translations
    if moved is not None:
        moved = moved.copy()
        moved[:, 0] = places
    return replace(motion, root_positions=places, translations=moved)
