"""A stretch of a crowd's life as a motion of one of its characters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human.importing import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.samples.proportions import hip_height, human_skeleton

if TYPE_CHECKING:
    from locomote.human.crowd import Crowd

LONGEST = 36000.0  # s


def check_seconds(seconds: float, fps: float) -> None:
    """Refuse a stretch of time or a rate that cannot be played."""
    if not (math.isfinite(seconds) and 0.0 <= seconds <= LONGEST):
        raise LocomoteError(f"seconds {seconds}: expected 0 to {LONGEST:g}")
    if not (math.isfinite(fps) and fps > 0.0):
        raise LocomoteError(f"fps {fps}: expected frames a second, more than 0")


def record(crowd: Crowd, seconds: float, fps: float, who: int) -> Motion:
    """The motion of character ``who``, the present pose first, then one after each step of the crowd."""
    check_seconds(seconds, fps)
    if not -len(crowd) <= who < len(crowd):
        raise LocomoteError(f"who {who}: the crowd has characters 0 to {len(crowd) - 1}")
    frames = math.floor(seconds * fps + 1e-6) + 1
    roots, legs = np.empty((frames, 3)), np.empty(frames)
    turns = np.empty((frames, len(COMMON), 4))
    for frame in range(frames):
        if frame > 0:
            crowd.ground.advance(1.0 / fps)
            crowd.obstacles.advance(1.0 / fps)
        poses = crowd.poses if frame == 0 else crowd.step(1.0 / fps)
        roots[frame], turns[frame], legs[frame] = (
            poses.root_positions[who],
            poses.rotations[who],
            crowd.leg_lengths[who],
        )
    return character_motion(fps, roots, turns, legs)


def character_motion(fps: float, roots: FloatArray, turns: FloatArray, legs: FloatArray) -> Motion:
    """Kept frames of one character as a motion: ``roots (F, 3)``, ``turns (F, J, 4)``, leg lengths ``(F,)``."""
    moved = None
    if np.ptp(legs) > 0.0:  # a body that grows: the bones of every frame are its own
        moved = hip_height(1.0) * legs[:, None, None] * COMMON.offsets
        moved[:, 0] = roots
    return Motion(human_skeleton(float(legs[0])), fps, roots, rot.continuous(turns), moved)
