"""A stretch of a crowd's life as motions of its creatures."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray

if TYPE_CHECKING:
    from locomote.creatures._crowd import Crowd

LONGEST = 36000.0  # s

Hook = Callable[[float], None]  # takes the time in seconds


def record(crowd: Crowd, seconds: float, fps: float, who: int) -> Motion:
    """The motion of one creature, the present pose first, then one after each step of the crowd."""
    return record_all(crowd, seconds, fps, [who])[0]


def record_all(
    crowd: Crowd, seconds: float, fps: float, who: Sequence[int] | None = None, after: Hook | None = None
) -> list[Motion]:
    """The motions of several creatures of a crowd at once, or of all; the world moves along.

    Parameters
    ----------
    crowd : it is stepped
    seconds, fps : how long, and steps and frames a second
    who : their indices; all without them
    after : called with the time (s) when a frame is done
    """
    chosen = list(range(len(crowd))) if who is None else list(who)
    for each in chosen:
        if not -len(crowd) <= each < len(crowd):
            raise LocomoteError(f"who {each}: the crowd has creatures 0 to {len(crowd) - 1}")
    return _play([(crowd, chosen)], seconds, fps, after)[0]


def record_together(
    crowds: Sequence[Crowd], seconds: float, fps: float, after: Hook | None = None
) -> list[list[Motion]]:
    """The motions of all creatures of several crowds, which may share a world; it moves along.

    Parameters
    ----------
    crowds : they are stepped one after the other
    seconds, fps : how long, and steps and frames a second
    after : called with the time (s) when a frame is done, so that new commands act from the next one on
    """
    return _play([(crowd, list(range(len(crowd)))) for crowd in crowds], seconds, fps, after)


def _play(cast: list[tuple[Crowd, list[int]]], seconds: float, fps: float, after: Hook | None) -> list[list[Motion]]:
    if not (math.isfinite(seconds) and 0.0 <= seconds <= LONGEST):
        raise LocomoteError(f"seconds {seconds}: expected 0 to {LONGEST:g}")
    if not (math.isfinite(fps) and fps > 0.0):
        raise LocomoteError(f"fps {fps}: expected frames a second, more than 0")
    frames = math.floor(seconds * fps + 1e-6) + 1
    grounds = {id(crowd.maps.ground): crowd.maps.ground for crowd, _ in cast}
    obstacles = {id(crowd.maps.obstacles): crowd.maps.obstacles for crowd, _ in cast}
    roots = [np.empty((frames, len(who), 3)) for _, who in cast]
    turns = [np.empty((frames, len(who), len(crowd.poses.skeleton), 4)) for crowd, who in cast]
    for frame in range(frames):
        if frame > 0:
            for ground in grounds.values():
                ground.advance(1.0 / fps)
            for things in obstacles.values():
                things.advance(1.0 / fps)
            for crowd, _ in cast:
                crowd.step(1.0 / fps)
            if after is not None:
                after(frame / fps)
        for k, (crowd, who) in enumerate(cast):
            roots[k][frame], turns[k][frame] = crowd.poses.root_positions[who], crowd.poses.rotations[who]
    return [
        [creature_motion(crowd, fps, roots[k][:, n], turns[k][:, n]) for n in range(len(who))]
        for k, (crowd, who) in enumerate(cast)
    ]


def creature_motion(crowd: Crowd, fps: float, roots: FloatArray, turns: FloatArray) -> Motion:
    """Kept frames of one creature as a motion: ``roots (F, 3)``, ``turns (F, J, 4)``."""
    morphology = crowd.creature.morphology
    return Motion(morphology.skeleton, fps, roots, rot.continuous(turns), name=morphology.name, body=morphology.body)
