"""How far joints may turn from their rest rotations: a cone of swing and a range of twist about one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray


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
