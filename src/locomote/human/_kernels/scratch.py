"""Memory that a step of people works in; whoever calls makes it once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.human._kernels.cycle_pose import PoseBuffers
from locomote.human._kernels.legs import AIM_COLUMNS
from locomote.human._kernels.model import Model
from locomote.human._kernels.state import Walker
from locomote.math.records import Records, zeros
from locomote.math.vector import Floats, Floats32


class Scratch(NamedTuple):
    """A walker that looks ahead, its pose, and the aims of its legs."""

    walkers: Records  # (1,) `Walker`
    weights: Floats  # (2, K)
    cached: Floats32
    frame: PoseBuffers
    aims: Floats  # (L, AIM_COLUMNS)
    world: Floats  # (J, 4) world rotations of the walker itself


def make_scratch(model: Model) -> Scratch:
    """Scratch for a crowd of any size."""
    width, joints = model.joints.shape[1], len(model.masses)
    frame = PoseBuffers(
        np.empty(3 * width, np.float32),
        np.empty((4, width), np.float32),
        np.empty((joints, 4)),
        np.empty((joints, 4)),
        np.empty((joints, 3)),
    )
    cached = np.empty(model.basis.shape[0] + 4 * 3 * width, np.float32)
    weights, aims = np.empty((2, len(model.styles))), np.empty((len(model.legs), AIM_COLUMNS))
    return Scratch(zeros(Walker, 1), weights, cached, frame, aims, np.empty((joints, 4)))
