"""Long mixed clips by several spaces: one for each behaviour, handed over smoothly (PGA-18)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray
from locomote.spaces import _statistics as statistics
from locomote.spaces._pose_space import PoseSpace

LEAST_SECONDS = 2.0  # of a behaviour: a cycle of most
STRIDE_SECONDS = 0.25  # how finely cuts are sought
OVERLAP_SECONDS = 0.25  # in which one space hands over to the next
GAIN = 4.0  # nats a frame: how much likelier the shorter part must be by itself for a cut
LOOKED_AT = 12  # directions of the whole clip in which behaviours are told apart
BLUR = 0.1  # rad: poses nearer to each other count as the same


@dataclass(frozen=True, eq=False)
class SegmentedSpace:
    """Spaces of the behaviours of one clip, one after the other."""

    spaces: tuple[PoseSpace, ...]
    cuts: tuple[int, ...]  # frames at which a behaviour gives way to the next, between 0 and the clip's length
    frames: int
    overlap: int  # frames in which two spaces are blended

    @classmethod
    def fit(cls, motion: Motion, k: int = 12) -> SegmentedSpace:
        """Find the behaviours of a clip and a space for each.

        Parameters
        ----------
        motion : long and mixed
        k : directions of every space
        """
        motion = checked_motion(motion, "SegmentedSpace.fit")
        cuts = find_cuts(motion)
        overlap = max(round(OVERLAP_SECONDS * motion.fps), 1)
        ends = [0, *cuts, len(motion)]
        parts = [motion[max(a - overlap, 0) : min(b + overlap, len(motion))] for a, b in pairwise(ends)]
        return cls(tuple(PoseSpace.fit(part, k) for part in parts), tuple(cuts), len(motion), overlap)

    def spans(self) -> list[tuple[int, int]]:
        """The frames of every space, those in which it is blended with another among them."""
        half = self.overlap // 2
        ends = [0, *self.cuts, self.frames]
        return [(max(a - half, 0), min(b + self.overlap - half, self.frames)) for a, b in pairwise(ends)]

    def coordinates(self, motion: Motion) -> list[FloatArray]:
        """Coordinates of the frames of every space, ``(n, k)`` each.

        Parameters
        ----------
        motion : the clip, or another of its length
        """
        self._check(motion)
        return [space.coordinates(motion[a:b]) for space, (a, b) in zip(self.spaces, self.spans(), strict=True)]

    def motion(self, coordinates: Sequence[FloatArray], like: Motion) -> Motion:
        """The clip of its coordinates; where spaces meet, its joints turn from one's pose into the other's.

        Parameters
        ----------
        coordinates : of every space, as `coordinates` gives them
        like : whose root, frame rate and name it has
        """
        self._check(like)
        turns = like.rotations.copy()
        before = 0  # frames that are there already
        for space, x, (a, b) in zip(self.spaces, coordinates, self.spans(), strict=True):
            mine = space.motion(x, like[a:b]).rotations
            shared = max(before - a, 0)
            if shared:
                t = np.arange(1, shared + 1) / (shared + 1)
                ease = t * t * t * (10.0 + t * (6.0 * t - 15.0))  # at rest at both ends, also its acceleration
                mine[:shared] = rot.slerp(turns[a:before], mine[:shared], ease[:, None])
            turns[a:b] = mine
            before = b
        return Motion(like.skeleton, like.fps, like.root_positions, turns, name=like.name)

    def _check(self, motion: Motion) -> None:
        if len(motion) != self.frames:
            raise LocomoteError(f"{motion.name}: {len(motion)} frames, expected the {self.frames} of the clip")


def find_cuts(motion: Motion, gain: float = GAIN) -> list[int]:
    """Frames at which what a clip does changes: where two normal distributions of poses tell it better than one.

    The clip is cut where that gains most, and its parts again, as long as a cut pays. The error of a reconstruction by
    few directions tells behaviours apart much less: a dance's directions nearly have a walk.

    Parameters
    ----------
    motion : long and mixed
    gain : nats a frame that a cut is worth, of the shorter part
    """
    if len(motion) < 2:
        return []
    stride = max(round(STRIDE_SECONDS * motion.fps), 1)
    joints = statistics.captured_joints(motion.skeleton)
    space = PoseSpace.fit(motion, min(LOOKED_AT, 3 * len(joints), len(motion) - 1))
    sums = _Sums(space.coordinates(motion), stride)
    least = round(LEAST_SECONDS / STRIDE_SECONDS)
    cuts: list[int] = []
    waiting = [(0, len(sums.counts) - 1)]
    while waiting:
        a, b = waiting.pop()
        tried = range(a + least, b - least + 1)
        if len(tried) == 0:
            continue
        gains = sums.nats(a, b) - np.array([sums.nats(a, t) + sums.nats(t, b) for t in tried])
        best = int(np.argmax(gains))
        cut = tried[best]
        if gains[best] > gain * min(sums.frames(a, cut), sums.frames(cut, b)):
            cuts.append(int(sums.counts[cut]))
            waiting += [(a, cut), (cut, b)]
    return sorted(cuts)


class _Sums:
    """Sums over the rows of a clip up to each of its grid points, from which the spread of any part is told.

    Parameters
    ----------
    rows : (F, n)
    stride : frames between grid points
    """

    def __init__(self, rows: FloatArray, stride: int) -> None:
        self.counts = np.append(np.arange(0, max(len(rows) - stride, 0) + 1, stride), len(rows))
        starts = self.counts[:-1]
        squares = np.add.reduceat(rows[:, :, None] * rows[:, None, :], starts, axis=0)
        self._squares = np.concatenate([np.zeros((1, *squares.shape[1:])), np.cumsum(squares, axis=0)])
        sums = np.add.reduceat(rows, starts, axis=0)
        self._sums = np.concatenate([np.zeros((1, sums.shape[1])), np.cumsum(sums, axis=0)])

    def frames(self, a: int, b: int) -> int:
        """From grid point ``a`` to ``b``."""
        return int(self.counts[b] - self.counts[a])

    def nats(self, a: int, b: int) -> float:
        """What the rows from grid point ``a`` to ``b`` cost to tell by their own normal distribution."""
        frames = self.frames(a, b)
        mean = (self._sums[b] - self._sums[a]) / frames
        spread = (self._squares[b] - self._squares[a]) / frames - np.outer(mean, mean)
        return float(0.5 * frames * np.linalg.slogdet(spread + BLUR**2 * np.eye(len(spread)))[1])
