"""What is seen of a frame, as something to which points of a body can be fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from locomote.capture.cages._fields import Field
from locomote.capture.cages._settings import Settings
from locomote.rotations import FloatArray

if TYPE_CHECKING:
    from locomote.capture._kernels.outlines import Outlines

REACH = 0.3  # m in a picture: an outline further from all points of the body is none of it


class Evidence(Protocol):
    """What is seen of a frame."""

    def pair(self, points: FloatArray) -> None:
        """Settle which points belong to what, from where they are by now, ``(P, 3)`` m."""

    def energy(self, points: FloatArray, settings: Settings, slopes: FloatArray, bends: FloatArray) -> float:
        """The cost of points ``(P, 3)``, m; by the points its slopes ``(P, 3)`` and bends ``(P, 6)`` are left."""


class InField:
    """The surface of a mesh or of a hull, by its field of distances: every point should be on it."""

    def __init__(self, field: Field) -> None:
        self.field = field

    def pair(self, points: FloatArray) -> None:
        """Nothing: the field knows the nearest place of every point."""

    def energy(self, points: FloatArray, settings: Settings, slopes: FloatArray, bends: FloatArray) -> float:
        """The mean cost of the distances."""
        from locomote.capture._kernels.volumes import field_energy

        field, soft, inside = self.field, settings.soft, settings.inside
        return float(field_energy(points, field.values, field.origin, field.voxel, soft, inside, slopes, bends))


class InOutlines:
    """Silhouettes: no point may be outside of one, and at every place of an outline there has to be one.

    Unlike the surface of their hull, which is larger than the body the fewer cameras there are, this is never wrong.
    """

    def __init__(self, outlines: Outlines) -> None:
        self.outlines = outlines
        self.nearest = np.full(len(outlines.owners), -1)
        self._spot = np.empty(3)

    def pair(self, points: FloatArray) -> None:
        """The nearest point to every place of the outlines."""
        from locomote.capture._kernels.outlines import nearest_to_outlines

        nearest_to_outlines(points, self.outlines, REACH, np.empty((len(points), 3)), self.nearest)

    def energy(self, points: FloatArray, settings: Settings, slopes: FloatArray, bends: FloatArray) -> float:
        """The mean cost of points outside, and of places of the outlines away from their points."""
        from locomote.capture._kernels.outlines import outline_energy

        soft, cover = settings.soft, settings.cover
        return float(outline_energy(points, self.outlines, self.nearest, soft, cover, self._spot, slopes, bends))
