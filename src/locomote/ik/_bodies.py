"""Bodies that reach: the arrays of a motion or of poses, and what the solvers hand back."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.motion import Motion, Poses
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import IntArray, Skeleton

Body = TypeVar("Body", bound=Motion | Poses)


class Solution(NamedTuple, Generic[Body]):
    """Bodies that reached for their goals.

    ``error`` and ``success`` have one value for each frame or character, ``(N,)``; where there were several goals,
    ``(N, G)``.
    """

    pose: Body  # what was given, with its joints turned; all else is the same
    error: FloatArray  # distance from tip to goal, m
    steps: IntArray  # (N,) rounds that were made
    success: npt.NDArray[np.bool_]  # the error is within the tolerance

    @property
    def rotations(self) -> FloatArray:
        """Local rotations of all joints, ``(N, J, 4)``."""
        return self.pose.rotations


class Arrays(NamedTuple):
    """N poses as the kernels take them, in units of the skeleton: a larger character is seen from further away."""

    skeleton: Skeleton
    roots: FloatArray  # (N, 3) over `scales`
    rotations: FloatArray  # (N, J, 4)
    offsets: FloatArray  # (1 or N, J, 3) of the joints in their parents' frames
    scales: FloatArray  # (N,) metres of the world in one of the skeleton

    def __len__(self) -> int:
        return len(self.roots)

    def world(self) -> tuple[FloatArray, FloatArray]:
        """Positions ``(N, J, 3)`` over `scales`, and rotations ``(N, J, 4)``, of the joints in the world."""
        from locomote.math.fk import forward_kinematics  # imports Numba: only when somebody reaches

        positions, turns = np.empty((len(self), len(self.skeleton), 3)), np.empty(self.rotations.shape)
        forward_kinematics(self.skeleton.parents, self.offsets, self.roots, self.rotations, positions, turns)
        return positions, turns

    def goals(self, what: str, places: ArrayLike) -> FloatArray:
        """World positions ``(N, 3)`` over `scales`, from one or one for each pose."""
        return vectors(what, places, len(self)) / self.scales[:, None]


def arrays_of(body: Motion | Poses) -> Arrays:
    """What a motion or poses consist of."""
    if not isinstance(body, Motion | Poses):
        raise LocomoteError(
            f"expected a Motion or Poses, got {type(body).__name__}; the rest pose of a skeleton is "
            "Poses(skeleton, skeleton.offsets[:1], skeleton.rest_rotations[None])"
        )
    skeleton, count = body.skeleton, len(body)
    offsets, scales = skeleton.offsets[None], np.ones(count)
    if isinstance(body, Motion):
        offsets = offsets if body.translations is None else body.translations
    else:
        offsets = offsets if body.offsets is None else body.offsets
        scales = scales if body.scales is None else np.array(body.scales, dtype=np.float64)
    roots = np.ascontiguousarray(body.root_positions, dtype=np.float64) / scales[:, None]
    return Arrays(skeleton, roots, np.array(body.rotations, dtype=np.float64, order="C"), offsets, scales)


def with_rotations(body: Body, rotations: FloatArray) -> Body:
    """The same bodies with their joints turned; signs are chosen so that little is said to change."""
    same_half = np.sum(rotations * body.rotations, axis=-1, keepdims=True) >= 0.0
    rotations = np.where(same_half, rotations, -rotations)
    if isinstance(body, Poses):  # whoever made the poses may overwrite them, so nothing is shared
        kept = replace(body, known_positions=None).copy()
        return cast(Body, replace(kept, rotations=rotations))
    return cast(Body, replace(body, rotations=rotations))


def vectors(what: str, values: ArrayLike, count: int, width: int = 3) -> FloatArray:
    """Finite numbers ``(N, width)``, from one row or one for each pose."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise LocomoteError(f"{what}: expected numbers of shape ({width},) or ({count}, {width})") from None
    if array.shape not in ((width,), (1, width), (count, width)):
        raise LocomoteError(f"{what}: shape {array.shape}, expected ({width},) or ({count}, {width})")
    if not np.all(np.isfinite(array)):
        row = int(np.argwhere(~np.isfinite(np.atleast_2d(array)))[0][0])
        raise LocomoteError(f"{what}: row {row} is not finite")
    return np.array(np.broadcast_to(array, (count, width)), order="C")


def positive(what: str, value: float) -> float:
    """A finite number above 0."""
    if not (np.isfinite(value) and value > 0.0):
        raise LocomoteError(f"{what} {value}: expected a number above 0")
    return float(value)
