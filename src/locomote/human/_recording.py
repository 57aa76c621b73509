"""A stretch of a crowd's life as motions of its characters."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast, overload

import numpy as np

from locomote import rotations as rot
from locomote._arguments import Who, rows_of
from locomote.errors import LocomoteError
from locomote.human_skeleton import COMMON, COMMON_PROPORTIONS, Proportions, bone_offsets, hip_height, human_skeleton
from locomote.motion import SHOWN, SHOWN_FPS, Motion, show_together
from locomote.rotations import FloatArray

if TYPE_CHECKING:
    from locomote.human._crowd import Crowd

LONGEST = 36000.0  # s


def check_seconds(seconds: float, fps: float) -> None:
    """Refuse a stretch of time or a rate that cannot be played."""
    if not (math.isfinite(seconds) and 0.0 <= seconds <= LONGEST):
        raise LocomoteError(f"seconds {seconds}: expected 0 to {LONGEST:g}")
    if not (math.isfinite(fps) and fps > 0.0):
        raise LocomoteError(f"fps {fps}: expected frames a second, more than 0")


class Recordings:
    """What records the people of a crowd; `Crowd` has all of this."""

    @overload
    def record(self, seconds: float, fps: float = 60.0, who: int = 0) -> Motion: ...

    @overload
    def record(self, seconds: float, fps: float = 60.0, *, who: Sequence[int] | slice | None) -> list[Motion]: ...

    def record(
        self, seconds: float, fps: float = 60.0, who: int | Sequence[int] | slice | None = 0
    ) -> Motion | list[Motion]:
        """Step the whole crowd for so long and give the motion of one character, or those of several.

        With labels of feet, phase and speed: `record_labelled`.

        Parameters
        ----------
        seconds, fps : how long, and steps and frames a second
        who : one; or several, as indices or a slice, and `None` for all, which gives a list
        """
        crowd = cast("Crowd", self)
        if isinstance(who, (int, np.integer)) and not isinstance(who, bool):
            if not -len(crowd) <= who < len(crowd):
                raise LocomoteError(f"who {who}: the crowd has characters 0 to {len(crowd) - 1}")
            return record(crowd, seconds, fps, [int(who) % len(crowd)])[0]
        return record(crowd, seconds, fps, who)

    def show(
        self,
        seconds: float = 5.0,
        path: str | os.PathLike[str] | None = None,
        who: Sequence[int] | slice | None = None,
    ) -> None:
        """Step the crowd and play what its people did: in the notebook or the browser, or as a page of its own.

        Parameters
        ----------
        seconds : how long
        path : .html file to write in place of that
        who : indices or a slice; the first 30 unless given
        """
        show_together(self.record(seconds, SHOWN_FPS, who=slice(SHOWN) if who is None else who), path)


def record(crowd: Crowd, seconds: float, fps: float, who: Who) -> list[Motion]:
    """The motions of the people meant by ``who``: the present pose first, then one after each step of the crowd."""
    check_seconds(seconds, fps)
    rows = rows_of(who, len(crowd))
    frames = math.floor(seconds * fps + 1e-6) + 1
    roots, legs = np.empty((frames, len(rows), 3)), np.empty((frames, len(rows)))
    turns = np.empty((frames, len(rows), len(COMMON), 4))
    for frame in range(frames):
        if frame > 0:
            crowd.ground.advance(1.0 / fps)
            crowd.obstacles.advance(1.0 / fps)
        poses = crowd.poses if frame == 0 else crowd.step(1.0 / fps)
        roots[frame], turns[frame] = poses.root_positions[rows], poses.rotations[rows]
        legs[frame] = crowd.leg_lengths[rows]
    return [
        character_motion(fps, roots[:, n], turns[:, n], legs[:, n], crowd.proportions[row])
        for n, row in enumerate(rows)
    ]


def character_motion(
    fps: float,
    roots: FloatArray,
    turns: FloatArray,
    legs: FloatArray,
    proportions: Proportions = COMMON_PROPORTIONS,
) -> Motion:
    """Kept frames of one character as a motion: ``roots (F, 3)``, ``turns (F, J, 4)``, leg lengths ``(F,)``."""
    moved = None
    if np.ptp(legs) > 0.0:  # a body that grows: the bones of every frame are its own
        moved = hip_height(1.0) * legs[:, None, None] * bone_offsets(proportions)
        moved[:, 0] = roots
    return Motion(human_skeleton(float(legs[0]), proportions), fps, roots, rot.continuous(turns), moved)


class Recorder:
    """Collects the poses of a crowd: call `keep` for every frame, then `motions`.

    Parameters
    ----------
    crowd : whose poses
    fps : frames a second of the motions
    """

    def __init__(self, crowd: Crowd, fps: float) -> None:
        self.crowd, self.fps = crowd, fps
        self._roots: list[FloatArray] = []
        self._turns: list[FloatArray] = []
        self._legs: list[FloatArray] = []

    def __len__(self) -> int:
        return len(self._roots)

    def keep(self) -> None:
        """Keep the present poses."""
        poses = self.crowd.poses
        self._roots.append(poses.root_positions.copy())
        self._turns.append(poses.rotations.copy())
        self._legs.append(self.crowd.leg_lengths)

    def motions(self) -> list[Motion]:
        """What was kept, one motion a character."""
        roots, turns, legs = np.array(self._roots), np.array(self._turns), np.array(self._legs)
        return [
            character_motion(self.fps, roots[:, n], turns[:, n], legs[:, n], own)
            for n, own in enumerate(self.crowd.proportions)
        ]


def record_all(
    crowd: Crowd, seconds: float, fps: float = 60.0, before: Callable[[float], None] | None = None
) -> list[Motion]:
    """Step a crowd for so long; the motions of all its characters.

    Parameters
    ----------
    crowd : it is stepped
    seconds, fps : how long, and steps and frames a second
    before : called with the time (s) ahead of every step
    """
    recorder = Recorder(crowd, fps)
    recorder.keep()
    for frame in range(int(np.floor(seconds * fps + 1e-6))):
        if before is not None:
            before(frame / fps)
        crowd.ground.advance(1.0 / fps)
        crowd.obstacles.advance(1.0 / fps)
        crowd.step(1.0 / fps)
        recorder.keep()
    return recorder.motions()
