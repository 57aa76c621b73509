"""Toes that bend up instead of going through the floor: recorded ones are noise, and would lift the whole leg."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._legs import smooth_cover
from locomote.cleaning._pose import with_world_rotations
from locomote.contacts import Floor
from locomote.motion import Motion
from locomote.retargeting._feet import touch_heights
from locomote.retargeting._ground import GroundFit
from locomote.retargeting._transfer import Side, bends_toes
from locomote.rotations import FloatArray

SPREAD = 0.04  # s; how long before and after toes begin to bend
UP: FloatArray = np.array([0.0, 1.0, 0.0])


def with_bent_toes(motion: Motion, side: Side, ground: GroundFit, floor: Floor, points: FloatArray) -> Motion:
    """The motion with toes turned up where they go through the floor and the balls of their feet do not.

    ``points (F, L, 3, 3)`` are heel, ball and toe of every foot.
    """
    positions, world = motion.world()
    new: dict[int, FloatArray] = {}
    for i, leg in enumerate(side.roles.legs):
        if leg.ball == leg.ankle or not bends_toes(side, leg):
            continue
        heights = floor.heights(points[:, i]) - touch_heights(side, ground, leg)
        ball, toe = heights[:, 1], heights[:, 2]
        lift = np.maximum(np.minimum(ball, 0.0) - toe, 0.0)
        line = points[:, i, 2] - positions[:, leg.ball]
        length = np.maximum(np.linalg.norm(line, axis=1), 1e-9)
        slope = line[:, 1] / length
        angle = np.arcsin(np.clip(slope + lift / length, -1.0, 1.0)) - np.arcsin(np.clip(slope, -1.0, 1.0))
        angle = smooth_cover(angle, motion.fps, SPREAD)
        across = np.cross(line, UP)
        axis = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)
        new[leg.ball] = rot.multiply(rot.exp(axis * angle[:, None]), world[:, leg.ball])
    return with_world_rotations(motion, new)
