"""A crowd's life frame by frame, kept as one motion for each of its characters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from locomote.human.crowd import Crowd
from locomote.human.recording import character_motion
from locomote.motion import Motion
from locomote.rotations import FloatArray


class Takes:
    """Collects the poses of a crowd: call `keep` for every frame, then `motions`."""

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
            character_motion(self.fps, roots[:, n], turns[:, n], legs[:, n]) for n in range(len(self.crowd))
        ]


def record_all(
    crowd: Crowd, seconds: float, fps: float = 60.0, before: Callable[[float], None] | None = None
) -> list[Motion]:
    """Step a crowd for so long; the motions of all its characters. ``before`` is called ahead of every step."""
    takes = Takes(crowd, fps)
    takes.keep()
    for frame in range(int(np.floor(seconds * fps + 1e-6))):
        if before is not None:
            before(frame / fps)
        crowd.ground.advance(1.0 / fps)
        crowd.obstacles.advance(1.0 / fps)
        crowd.step(1.0 / fps)
        takes.keep()
    return takes.motions()
