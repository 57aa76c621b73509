"""The seam of a loop: velocities that are the same, told from the frames before it and from those after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.clips._clip import BoolArray, Clip
from locomote.clips._standing import Tip
from locomote.motion import Motion
from locomote.rotations import FloatArray

# Over the frames from -3 to 3: the velocity (m a frame) told by the seam and the three frames after it, less that
# told by it and the three before. Both are exact for what goes as a cubic.
JUMP = np.array([2.0, -9.0, 18.0, -22.0, 18.0, -9.0, 2.0]) / 6.0
LEAST = 3  # frames on either side of the seam that this takes, and
REACH = 6  # that may change
EVEN = 4e-3  # of how far the fastest point goes in a frame: the jump that may stay
ROUNDS = 8
SMOOTH = 1.0  # how much second differences of the change count beside the change
TURNING = 0.1  # how much a radian counts beside the places of points, of how far these are from one another
STANDS = 3.0  # how much a foot that stands counts beside a jump
SLACK = 1e-4  # of the mean: bones keep their lengths, and so not every jump can be taken away to the last


def with_even_seam(clip: Clip, planted: BoolArray, tips: Sequence[Tip]) -> Clip:
    """The loop with a small and smooth change, some frames about its seam, by which velocities go on evenly there.

    A cycle of a quick creature has ten or twenty frames; at whichever of them a loop begins, some foot comes down or
    leaves. ``planted (F, L)`` tells which feet stand: they stay where they are.
    """
    motion, frames = clip.motion, len(clip.motion) - 1
    reach = min(REACH, (frames - 1) // 2)
    if reach < LEAST:
        return clip
    at = np.arange(-reach, reach + 1) % frames
    jump = np.pad(JUMP, reach - LEAST)
    points = _Points(motion, tips)
    even = EVEN * np.linalg.norm(np.diff(points.places(motion), axis=0), axis=-1).max()
    near = _with(motion, motion.root_positions[at], motion.rotations[at], at)
    for _ in range(ROUNDS):
        off = np.tensordot(jump, points.places(near), 1)
        if np.linalg.norm(off, axis=-1).max() < even:
            break
        near = _evened(near, points, jump, off, planted[at])
    roots, turns = motion.root_positions.copy(), motion.rotations.copy()
    roots[at], turns[at] = near.root_positions, near.rotations
    roots[-1], turns[-1] = roots[0], turns[0]
    return replace(clip, motion=_with(motion, roots, rot.continuous(turns), np.arange(frames + 1)))


class _Points:
    """The joints of a body and the ends of its legs, and how they move with the pose."""

    def __init__(self, motion: Motion, tips: Sequence[Tip]) -> None:
        skeleton, self.tips = motion.skeleton, tips
        self.joints, self.parents = len(skeleton), skeleton.parents
        above = [skeleton.ancestors(joint)[1:] for joint in range(self.joints)]
        above += [skeleton.ancestors(tip.joints[-1]) for tip in tips]
        self.point = np.repeat(np.arange(len(above)), [len(one) for one in above])
        self.above = np.array([joint for one in above for joint in one], dtype=np.int64)

    def places(self, motion: Motion) -> FloatArray:
        """Where they are ``(F, P, 3)``, m."""
        return self._world(motion)[0]

    def slopes(self, motion: Motion) -> FloatArray:
        """By place of the root and turning of each joint in its parent's frame ``(F, P, 3, 3 + 3 J)``."""
        places, turns = self._world(motion)
        axes = np.swapaxes(rot.to_matrix(turns), -1, -2)[:, self.parents]
        axes[:, self.parents < 0] = np.eye(3)
        arms = places[:, self.point] - places[:, self.above]
        out = np.zeros((len(places), 1 + self.joints, 3, places.shape[1], 3))
        out[:, 0] = np.eye(3)[:, None]
        # Indices apart from one another come first in what is assigned to.
        out[:, 1 + self.above, :, self.point] = np.moveaxis(np.cross(axes[:, self.above], arms[:, :, None]), 1, 0)
        return np.moveaxis(out, (1, 2), (3, 4)).reshape(*places.shape, -1)

    def _world(self, motion: Motion) -> tuple[FloatArray, FloatArray]:
        positions, turns = motion.world()
        last = [tip.joints[-1] for tip in self.tips]
        offsets = np.array([tip.point for tip in self.tips]).reshape(-1, 3)
        return np.concatenate([positions, positions[:, last] + rot.rotate(turns[:, last], offsets)], axis=1), turns


def _evened(near: Motion, points: _Points, jump: FloatArray, off: FloatArray, planted: BoolArray) -> Motion:
    """One step towards frames whose jump is ``off`` less: of all changes that do it the smallest and smoothest."""
    slopes = points.slopes(near)
    frames, count, _, free = slopes.shape
    flat = slopes.reshape(-1, free)
    size = float(np.ptp(points.places(near), axis=(0, 1)).max())
    # In units of these, along the pose and along time, the size of a change is the sum of its squares.
    across = np.linalg.inv(np.linalg.cholesky(flat.T @ flat / frames + (TURNING * size) ** 2 * np.eye(free))).T
    second = np.diff(np.eye(frames + 4)[:, 2:-2], n=2, axis=0)
    along = np.linalg.inv(np.linalg.cholesky(np.eye(frames) + SMOOTH * second.T @ second))
    moves = (flat @ across).reshape(frames, count, 3, free)
    wanted = np.einsum("k,gk,kpcf->pcgf", jump, along, moves, optimize=True)
    k, leg = np.nonzero(planted)
    still = STANDS * along.T[k][:, None, :, None] * moves[k, points.joints + leg][:, :, None]
    system = np.concatenate([wanted.reshape(-1, frames * free), still.reshape(-1, frames * free)])
    sides = np.zeros(len(system))
    sides[: off.size] = -off.ravel()
    square = system @ system.T
    square += SLACK * np.trace(square) / len(square) * np.eye(len(square))
    change = along.T @ (system.T @ np.linalg.solve(square, sides)).reshape(frames, free) @ across.T
    turns = rot.multiply(rot.exp(change[:, 3:].reshape(frames, -1, 3)), near.rotations)
    return _with(near, near.root_positions + change[:, :3], turns, np.arange(frames))


def _with(motion: Motion, roots: FloatArray, turns: FloatArray, frames: np.typing.NDArray[np.int64]) -> Motion:
    """Other poses, on joints that slide as in the given frames of a motion."""
    moved = None
    if motion.translations is not None:
        moved = motion.translations[frames]
        moved[:, 0] = roots
    return replace(motion, root_positions=roots, rotations=turns, translations=moved)
