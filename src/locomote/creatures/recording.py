"""A stretch of a crowd's life as motions of its creatures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.motion import Motion

if TYPE_CHECKING:
    from locomote.creatures.crowd import Crowd

LONGEST = 36000.0  # s


def record(crowd: Crowd, seconds: float, fps: float, who: int) -> Motion:
    """The motion of one creature, the present pose first, then one after each step of the crowd."""
    return record_all(crowd, seconds, fps, [who])[0]


def record_all(crowd: Crowd, seconds: float, fps: float, who: Sequence[int]) -> list[Motion]:
    """The motions of several creatures of a crowd at once; the world moves along."""
    if not (math.isfinite(seconds) and 0.0 <= seconds <= LONGEST):
        raise LocomoteError(f"seconds {seconds}: expected 0 to {LONGEST:g}")
    if not (math.isfinite(fps) and fps > 0.0):
        raise LocomoteError(f"fps {fps}: expected frames a second, more than 0")
    for each in who:
        if not -len(crowd) <= each < len(crowd):
            raise LocomoteError(f"who {each}: the crowd has creatures 0 to {len(crowd) - 1}")
    frames = math.floor(seconds * fps + 1e-6) + 1
    morphology = crowd.creature.morphology
    chosen = list(who)
    roots = np.empty((frames, len(chosen), 3))
    turns = np.empty((frames, len(chosen), len(morphology.skeleton), 4))
    for frame in range(frames):
        if frame > 0:
            crowd.maps.ground.advance(1.0 / fps)
            crowd.maps.obstacles.advance(1.0 / fps)
            crowd.step(1.0 / fps)
        roots[frame], turns[frame] = crowd.poses.root_positions[chosen], crowd.poses.rotations[chosen]
    return [
        Motion(
            morphology.skeleton,
            fps,
            roots[:, k],
            rot.continuous(turns[:, k]),
            name=morphology.name,
            body=morphology.body,
        )
        for k in range(len(chosen))
    ]
