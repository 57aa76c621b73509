"""Handles: points, frames and looks of a body, and what is asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.ik._chains import joint_index
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import Skeleton

if TYPE_CHECKING:
    from locomote.spaces._kernels.bundles import HandleArrays

LEVER = 0.2  # m; a rotation or a look that misses by one radian counts as a point that misses by so much
KINDS = ("position", "rotation", "look_at")  # in the order of the kernel's numbers


@dataclass(frozen=True, eq=False)
class Handle:
    """Something of a body that is held: a point at a place, a joint in a rotation, or a look at a place.

    One of ``position``, ``rotation`` and ``look_at`` is given, once for all poses or one for each.

    Parameters
    ----------
    joint
        That is held, by name or number.
    position
        Where its point shall be in the world, (3,) or (N, 3), m.
    rotation
        How it shall be turned in the world, (4,) or (N, 4), w x y z.
    look_at
        What ``axis`` shall point at, a place in the world, (3,) or (N, 3), m.
    point
        The point, or where the look comes from, (3,) in the frame of the joint, m.
    axis
        What looks, (3,) in the frame of the joint, of any length.
    weight
        Against the other handles, one or (N,); 0 lets go.
    """

    joint: str | int
    position: ArrayLike | None = None
    rotation: ArrayLike | None = None
    look_at: ArrayLike | None = None
    point: ArrayLike = (0.0, 0.0, 0.0)
    axis: ArrayLike = (0.0, 0.0, 1.0)
    weight: ArrayLike = 1.0

    def __post_init__(self) -> None:
        given = [kind for kind in KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            raise LocomoteError(
                f"handle on {self.joint}: expected one of {', '.join(KINDS)}, got {' and '.join(given) or 'none'}"
            )

    @cached_property
    def kind(self) -> str:
        """Which of "position", "rotation" and "look_at" is asked."""
        return next(kind for kind in KINDS if getattr(self, kind) is not None)

    def fill(self, targets: FloatArray, weights: FloatArray) -> None:
        """Fill what is asked in N poses, and how much it counts.

        Parameters
        ----------
        targets, weights : (N, 4), places leave the last number; (N,) in units of a miss of 1 m
        """
        width = 4 if self.kind == "rotation" else 3
        asked = self._numbers(self.kind, getattr(self, self.kind), len(targets), (width,))
        targets[:, :width] = rot.normalize(asked) if width == 4 else asked
        weights[:] = self._numbers("weight", self.weight, len(targets), ())
        if weights.min() < 0.0:
            raise LocomoteError(f"handle on {self.joint}, weight {weights.min():g}: expected 0 or more")
        if self.kind != "position":
            weights *= LEVER

    def _numbers(self, what: str, values: ArrayLike | None, count: int, shape: tuple[int, ...]) -> FloatArray:
        try:
            array = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError):
            raise LocomoteError(f"handle on {self.joint}, {what}: expected numbers") from None
        if array.shape not in (shape, (1, *shape), (count, *shape)):
            raise LocomoteError(
                f"handle on {self.joint}, {what}: shape {array.shape}, expected {shape} or {(count, *shape)}"
            )
        if not np.isfinite(array).all():
            raise LocomoteError(f"handle on {self.joint}, {what}: some numbers are not finite")
        return array


def number_of_poses(handles: Sequence[Handle]) -> int:
    """How many poses handles are told for: 1 unless one of them has more targets."""
    return max((len(np.atleast_2d(np.asarray(getattr(h, h.kind), dtype=np.float64))) for h in handles), default=1)


def handle_arrays(skeleton: Skeleton, handles: Sequence[Handle], count: int) -> HandleArrays:
    """Handles as the kernel takes them."""
    from locomote.spaces._kernels.bundles import HandleArrays

    if not handles:
        raise LocomoteError("handles: expected at least one")
    joints = [joint_index(skeleton, h.joint) for h in handles]
    axes, points = np.empty((len(handles), 3)), np.empty((len(handles), 3))
    targets, weights = np.zeros((count, len(handles), 4)), np.empty((count, len(handles)))
    for i, handle in enumerate(handles):
        handle.fill(targets[:, i], weights[:, i])
        axes[i], points[i] = (
            handle._numbers("axis", handle.axis, 1, (3,)),
            handle._numbers("point", handle.point, 1, (3,)),
        )
    lengths = np.linalg.norm(axes, axis=1, keepdims=True)
    if np.any(lengths == 0.0):
        raise LocomoteError(f"handle on {handles[int(np.argmin(lengths))].joint}, axis: has no direction")
    moved = sorted({a for j in joints for a in skeleton.ancestors(j)} - {0})
    return HandleArrays(
        np.array([KINDS.index(h.kind) for h in handles]),
        np.array(joints),
        points,
        axes / lengths,
        targets,
        weights,
        np.array(moved, dtype=np.int64),
    )
