"""The pose of one frame at a time, for walkers that are live."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from locomote.math._compile import prepared
from locomote.rotations import FloatArray
from locomote.steps._blending import WalkerBody, body


def live_pose(rows: FloatArray, person: WalkerBody) -> tuple[FloatArray, FloatArray]:
    """Root position ``(1, 3)`` and rotations ``(1, J, 4)`` of a frame.

    The body sinks, in ``rows`` too, where an eased pose would pull a foot from its place.
    """
    frame = np.ascontiguousarray(rows[:, None])
    roots, rotations = np.empty((1, 3)), np.empty((1, len(person.skeleton), 4))
    sink, turn = _kernels()
    sink(frame, person.measures)
    turn(frame, person.measures, roots, rotations)
    return roots, rotations


@lru_cache(maxsize=1)
def _kernels() -> tuple[Callable[..., None], Callable[..., None]]:
    """What lowers the pelvis and what turns rows into joint angles, for one frame of any body.

    Prepared: to look at the measures of a body anew in every frame would cost a sixth of it.
    """
    from locomote.steps._kernels.blend import ROWS
    from locomote.steps._kernels.pose import pose_frames, sink_to_reach

    measures = body(1.0).measures  # those of other bodies are of the same kinds
    frame, roots, rotations = np.empty((ROWS, 1)), np.empty((1, 3)), np.empty((1, 1, 4))
    return prepared(sink_to_reach, frame, measures), prepared(pose_frames, frame, measures, roots, rotations)
