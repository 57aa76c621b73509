"""Films of animals whose gait is known, for the tests of gaits from video."""

from __future__ import annotations

from functools import cache

import numpy as np

import locomote as lm
from locomote.capture import stage, video
from locomote.rotations import FloatArray

FPS = 30.0
FINE = 120.0
SPEEDS = {"walk": 1.2, "trot": 2.4, "gallop": 5.0}


def walked(creature: str = "wolf", gait: str = "walk", seconds: float = 2.5, fps: float = FPS) -> lm.Motion:
    """A creature that has got into its gait, every stride like the last."""
    return _walked(creature, gait, seconds).resampled(fps)


@cache
def _walked(creature: str, gait: str, seconds: float) -> lm.Motion:
    speed = SPEEDS[gait] * (1.4 if creature == "horse" else 1.0)
    crowd = lm.creatures.Crowd(creature, 1, speed=speed, gait=gait)
    crowd.liven(vary=0.0)
    crowd.record(2.0, FINE)
    return crowd.record(seconds, FINE)


@cache
def filmed(creature: str = "wolf", gait: str = "walk", seconds: float = 2.5, fps: float = FPS) -> FloatArray:
    """Its silhouettes from the side."""
    motion = walked(creature, gait, seconds, fps)
    return np.asarray(stage.silhouettes(motion, stage.cameras_beside(motion, (160, 120))), dtype=np.float64)


@cache
def watched(creature: str = "wolf", gait: str = "walk") -> video.Rhythm:
    """What the silhouettes say, told whether the gait is symmetric."""
    return video.watch(filmed(creature, gait), FPS, symmetric=gait != "gallop")


def overlap(found: FloatArray, true: FloatArray) -> FloatArray:
    """Intersection over union of masks, one number a frame."""
    both, either = (found > 0.5) & (true > 0.5), (found > 0.5) | (true > 0.5)
    return np.asarray(both.sum(axis=(1, 2)) / either.sum(axis=(1, 2)))
