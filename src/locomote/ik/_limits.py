"""How far joints may turn from their rest rotations: a cone of swing and a range of twist about one axis."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton


@dataclass(frozen=True)
class JointLimit:
    """How far one joint may turn from rest: a cone of swing and a range of twist about one axis. Free by default.

    A local rotation is ``rest * swing * twist``: first the twist about the axis, then the swing that leans the axis.

    Parameters
    ----------
    axis
        In the joint's own frame, of any length: along the bone for a ball joint, across it for a hinge.
    swing
        The widest angle between the axis and its place at rest, 0 to pi rad. 0 makes a hinge.
    twist
        The least and the greatest angle about the axis, within -pi to pi rad.
    rest
        The local rotation (w, x, y, z) from which both are counted; the skeleton's rest rotation without one.

    Examples
    --------
    >>> elbow = JointLimit.hinge((0, 1, 0), 0.0, 2.6)
    >>> shoulder = JointLimit(axis=(1, 0, 0), swing=1.9, twist=(-1.0, 1.0))
    """

    axis: tuple[float, float, float] = (0.0, 1.0, 0.0)
    swing: float = math.pi
    twist: tuple[float, float] = (-math.pi, math.pi)
    rest: tuple[float, float, float, float] | None = None

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the class is frozen; this is its constructor
        set_field(self, "axis", _unit("axis", self.axis, 3))
        if self.rest is not None:
            set_field(self, "rest", _unit("rest", self.rest, 4))
        if not 0.0 <= self.swing <= math.pi:
            raise LocomoteError(f"joint limit, swing {self.swing}: expected an angle from 0 to pi rad")
        low, high = self.twist
        if not -math.pi <= low <= high <= math.pi:
            raise LocomoteError(f"joint limit, twist {low} to {high}: expected a range within -pi to pi rad")

    @classmethod
    def hinge(cls, axis: tuple[float, float, float], low: float, high: float) -> JointLimit:
        """A joint that turns about one axis alone.

        Parameters
        ----------
        axis : (3,), in the frame of the joint
        low, high : rad
        """
        return cls(axis, 0.0, (low, high))


def limits_for(skeleton: Skeleton, joints: Sequence[int], limits: Mapping[str, JointLimit] | None) -> JointLimits:
    """The limits of some joints, by name; a joint that is not named is free."""
    named = {skeleton.index(name): limit for name, limit in (limits or {}).items()}
    rows = [named.get(joint, JointLimit()) for joint in joints]
    return JointLimits(
        np.array([skeleton.rest_rotations[j] if r.rest is None else r.rest for j, r in zip(joints, rows, strict=True)]),
        np.array([row.axis for row in rows]),
        np.array([row.swing for row in rows]),
        np.array([row.twist for row in rows]),
    )


@dataclass(frozen=True, eq=False)
class JointLimits:
    """Limits of joints ``(..., K)``: a local rotation is ``rest * swing * twist``, the twist about ``axes``.

    A hinge is a joint whose swing is 0: it turns about its axis alone.
    """

    rest: FloatArray  # (..., K, 4) local rotations from which the limits are counted
    axes: FloatArray  # (..., K, 3) unit vectors in the joint's own frame
    swing: FloatArray  # (..., K) the widest angle between the axis and its place at rest, 0 to pi
    twist: FloatArray  # (..., K, 2) the least and greatest angle about the axis, within -pi to pi

    def __post_init__(self) -> None:
        joints = np.shape(self.rest)[:-1]
        for name, shape in (
            ("rest", (*joints, 4)),
            ("axes", (*joints, 3)),
            ("swing", joints),
            ("twist", (*joints, 2)),
        ):
            values = np.array(getattr(self, name), dtype=np.float64)
            if values.shape != shape or not np.all(np.isfinite(values)):
                raise LocomoteError(f"limits of joints, {name}: expected finite numbers of shape {shape}")
            values.setflags(write=False)
            object.__setattr__(self, name, values)

    def __len__(self) -> int:
        return len(self.rest)

    def __getitem__(self, rows: int | slice | Sequence[int]) -> JointLimits:
        """Those of some joints, by their places on the first axis."""
        at = rows if isinstance(rows, int | slice) else list(rows)
        return JointLimits(self.rest[at], self.axes[at], self.swing[at], self.twist[at])

    def packed(self) -> FloatArray:
        """One row of ten numbers for each joint, as the kernels take them: rest, axis, swing, twist."""
        return np.concatenate([self.rest, self.axes, self.swing[..., None], self.twist], axis=-1)


def _unit(what: str, values: Sequence[float], width: int) -> tuple[float, ...]:
    array = np.asarray(values, dtype=np.float64)
    length = float(np.linalg.norm(array))
    if array.shape != (width,) or not (math.isfinite(length) and length > 0.0):
        raise LocomoteError(f"joint limit, {what} {values}: expected {width} numbers that are not all 0")
    return tuple(float(value) for value in array / length)
