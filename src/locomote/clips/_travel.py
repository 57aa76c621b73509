"""The way of a body over the ground apart from how it moves: root motion taken out of a clip, and put back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray

CALM = 0.35  # s; the swaying of a body that lasts no longer is part of its motion, not of its way


@dataclass(frozen=True, eq=False)
class Travel:
    """Where a body is on the ground and where it faces, frame by frame."""

    places: FloatArray  # (F, 3) m, level
    yaws: FloatArray  # (F,) rad

    def __len__(self) -> int:
        return len(self.yaws)

    def __getitem__(self, frames: slice) -> Travel:
        return Travel(self.places[frames], self.yaws[frames])

    @property
    def turns(self) -> FloatArray:
        """The same as rotations ``(F, 4)``."""
        return rot.from_yaw(self.yaws)

    def from_start(self) -> Travel:
        """The same way begun at the origin and facing +Z."""
        back = rot.from_yaw(-float(self.yaws[0]))
        return Travel(rot.rotate(back, self.places - self.places[0]), self.yaws - self.yaws[0])

    def scaled(self, factor: float) -> Travel:
        """The way of a larger or smaller body."""
        return Travel(factor * self.places, self.yaws)

    def turned(self, yaw: float) -> Travel:
        """The way of a body that faces elsewhere at the start, turned to the left by ``yaw`` (rad)."""
        return Travel(rot.rotate(rot.from_yaw(yaw), self.places), self.yaws)

    def taken_out(self, motion: Motion) -> Motion:
        """A motion that goes this way, in place: at the origin, facing +Z."""
        self._check(motion)
        back = rot.from_yaw(-self.yaws)
        return motion.moved(back, -rot.rotate(back, self.places))

    def put_back(self, motion: Motion) -> Motion:
        """A motion in place that goes this way."""
        self._check(motion)
        return motion.moved(self.turns, self.places)

    def _check(self, motion: Motion) -> None:
        if len(self) != len(motion):
            raise LocomoteError(f"travel: {len(self)} frames for a motion of {len(motion)} frames")


def travel_of(motion: Motion) -> Travel:
    """The way of any motion: that of its pelvis over the ground and its facing, without what sways within a step.

    Parameters
    ----------
    motion : of a body whose roles say where it faces at rest
    """
    motion = checked_motion(motion, "travel_of")
    roles = motion.skeleton.roles
    positions, turns = motion.world()
    since = rot.multiply(turns[:, roles.root], rot.inverse(motion.skeleton.rest_pose()[1][roles.root]))
    ahead = rot.rotate(since, np.asarray(roles.forward))
    yaws = np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 2]))
    places = positions[:, roles.root] * [1.0, 0.0, 1.0]
    if len(motion) > 1:
        calm = CALM * motion.fps
        # Beyond both ends the way goes on as it began and ended.
        places, yaws = (
            gaussian_filter1d(_going_on(values, 4 * int(calm) + 1), calm, axis=0)[4 * int(calm) + 1 :][: len(motion)]
            for values in (places, yaws)
        )
    return Travel(places, yaws)


def _going_on(values: FloatArray, frames: int) -> FloatArray:
    """Values with so many frames before and after, mirrored through the ends."""
    last = len(values) - 1
    ahead = np.arange(1, frames + 1)
    before, after = (2.0 * values[end] - values[np.clip(at, 0, last)] for end, at in ((0, ahead), (-1, last - ahead)))
    return np.concatenate([before[::-1], values, after])
