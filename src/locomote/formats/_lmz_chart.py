"""The channels of a body: numbers that tell its pose, in which equal changes move its points about equally far.

A `Chart` is all that is needed to go from numbers to poses and back: mean rotations, the metric of point displacement
on the body's own bones, and a basis that turns the channels into ones that are less alike.

The channels of a frame: the root's place (3); for every joint three, which are yaw and tilt for the root and a rotation
vector about the mean for the others; four more, a quaternion, for joints that turn too far for that, whose three stay
0; three more for joints that move against their parents.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.formats._lmz_pose import displacement, pose_rows, undo_triangle
from locomote.math.fk import forward_kinematics
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

SHELL = 0.03  # m: how far around a joint its rotation is looked at; less for small bodies
_SMALL_BODY = 30.0  # shells in the length of the longest chain
_MOST_TILT = 2.4  # rad; a body upside down has no yaw
_WIDEST = 5.0  # rad; unwrapped rotation vectors lose their sense at a whole turn
_MOVES = 1e-6  # m; a joint that strays further from its offset is taken to move
# A basis was fitted about one pose; in others joints up and down a limb do not make up for each other as they do there.
_LOOSE = 0.5  # of the metric's diagonal, added to it
_PLACE_WEIGHT = 1.2  # of the root's place, beside the metric thus enlarged
_MEAN_STEP = np.pi / 127  # rad: how finely mean rotations are kept
_LONGEST_MEAN = 126  # steps
APART = 4  # channels of the root's place and yaw, which no basis mixes with others


class Basis(NamedTuple):
    """What many clips of one kind of body share."""

    names: tuple[str, ...]  # of the joints
    means: FloatArray  # (J, 4)
    turn: FloatArray  # (N, N), N = 3 J - 1: rows are what goes together, the strongest first


@dataclass(frozen=True, eq=False)
class Chart:
    """How poses of a skeleton are written as numbers."""

    skeleton: Skeleton
    means: FloatArray  # (J, 4)
    wide: IntArray  # (W,) joints that are told by a quaternion
    moving: IntArray  # (T,) joints that move against their parents
    turn: FloatArray | None = None  # (N, N), N = 3 J - 1: of a Basis, or of the clip's own chains of joints
    shared: bool = False  # whether it is that of a Basis, which goes with the whole metric

    @property
    def width(self) -> int:
        """How many numbers a pose has."""
        return 3 + 3 * len(self.skeleton) + 4 * len(self.wide) + 3 * len(self.moving)

    @cached_property
    def shell(self) -> float:
        """How far around a joint its rotation is looked at, m."""
        return min(SHELL, _longest(self.skeleton) / _SMALL_BODY) or SHELL

    @cached_property
    def kinds(self) -> IntArray:
        """For every joint, where its quaternion is in the channels, or -1."""
        kinds = np.full(len(self.skeleton), -1, dtype=np.int64)
        kinds[self.wide] = 3 + 3 * len(self.skeleton) + 4 * np.arange(len(self.wide))
        return kinds

    @cached_property
    def matrix(self) -> FloatArray:
        """What each number moves: numbers times this are channels, ``(D, D)``."""
        mixed = np.eye(self.width)
        if self.turn is not None:
            inside = slice(APART, APART + len(self.turn))
            mixed[inside, inside] = self.turn
        undo_triangle(self._metric, mixed)
        return mixed

    @cached_property
    def _metric(self) -> FloatArray:
        """The lower triangle ``(D, D)`` that turns channels into metres: channels times this."""
        joints = len(self.skeleton)
        inner, levers, shares = _displacement(self)
        out = np.eye(self.width)
        turns = slice(3, 3 + 3 * joints)
        if not self.shared:
            np.fill_diagonal(out[turns, turns], np.repeat(levers, 3))
            out[3, 3] = np.sqrt(inner[0, 0])
        else:
            inner[0, 1:] = inner[1:, 0] = 0.0  # yaw stays apart
            out[turns, turns] = np.linalg.cholesky(inner + _LOOSE * np.diag(np.diag(inner)))
            out[0, 0] = out[1, 1] = out[2, 2] = _PLACE_WEIGHT
        at = 3 + 3 * joints
        extra = np.concatenate([np.repeat(2.0 * levers[self.wide], 4), np.repeat(np.sqrt(shares[self.moving]), 3)])
        np.fill_diagonal(out[at:, at:], extra)
        return out

    def channels(self, motion: Motion) -> FloatArray:
        """The channels of every frame, ``(F, D)``, continuous over time."""
        out = np.zeros((len(motion), self.width))
        out[:, :3] = motion.root_positions
        for j in range(len(self.skeleton)):
            q = motion.rotations[:, j]
            if self.kinds[j] >= 0:
                out[:, self.kinds[j] : self.kinds[j] + 4] = rot.continuous(q)
            elif j == 0:
                out[:, 3:6] = _yaw_and_tilt(q, self.means[0])
            else:
                vectors = rot.log(rot.multiply(rot.inverse(self.means[j]), q))
                out[:, 3 + 3 * j : 6 + 3 * j] = _unwrapped(vectors)
        if len(self.moving) and motion.translations is not None:
            moved = motion.translations[:, self.moving] - self.skeleton.offsets[self.moving]
            out[:, self.width - 3 * len(self.moving) :] = moved.reshape(len(motion), -1)
        return out

    def numbers(self, motion: Motion) -> FloatArray:
        """The frames of a motion as numbers, ``(F, D)``, metres."""
        return np.ascontiguousarray(np.linalg.solve(self.matrix.T, self.channels(motion).T).T)

    def poses(self, rows: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray | None]:
        """Root positions ``(F, 3)``, rotations ``(F, J, 4)`` and, if any joint moves, translations ``(F, J, 3)``."""
        roots, turns = np.empty((len(rows), 3)), np.empty((len(rows), len(self.skeleton), 4))
        used = int(np.flatnonzero(np.any(rows != 0.0, axis=0)).max(initial=-1)) + 1
        moved = np.empty((len(rows), 3 * len(self.moving)))
        pose_rows(rows, used, self.matrix, self.kinds, self.means, np.empty((2, self.width)), roots, turns, moved)
        if len(self.moving) == 0:
            return roots, turns, None
        translations = np.broadcast_to(self.skeleton.offsets, (len(rows), len(self.skeleton), 3)).copy()
        translations[:, 0] = roots
        translations[:, self.moving] += moved.reshape(len(rows), -1, 3)
        return roots, turns, translations


def fit_chart(motion: Motion, basis: Basis | None = None) -> Chart:
    """The chart for one clip; without a basis about its own mean pose."""
    skeleton = motion.skeleton
    means, turn = (mean_pose(motion.rotations), None) if basis is None else (basis.means, basis.turn)
    none = np.zeros(0, dtype=np.int64)
    moving = none
    if motion.translations is not None:
        strays = np.max(np.abs(motion.translations[:, 1:] - skeleton.offsets[1:]), axis=(0, 2), initial=0.0)
        moving = 1 + np.flatnonzero(strays > _MOVES)
    channels = Chart(skeleton, means, none, none).channels(motion)
    turned = np.linalg.norm(channels[:, 3:].reshape(len(motion), -1, 3), axis=2).max(axis=0)
    wide = np.flatnonzero(turned[1:] > _WIDEST) + 1
    if np.linalg.norm(channels[:, 4:6], axis=1).max() > _MOST_TILT:
        wide = np.concatenate([[0], wide])
    return Chart(skeleton, means, wide, moving, turn, basis is not None)


def mean_pose(rotations: FloatArray) -> FloatArray:
    """The mean of rotations ``(F, J, 4)`` as it comes back from a file; of the root only its tilt."""
    means = rot.mean(rotations)
    means[0] = rot.swing_twist(rot.mean(_without_yaw(rotations[:, 0])), (0.0, 1.0, 0.0))[0]
    return means_of(bytes_of(means))


def bytes_of(means: FloatArray) -> bytes:
    """Mean rotations in three bytes each; those near half a turn, where vectors jump, a little short of it."""
    vectors: FloatArray = rot.log(means)
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    told = np.rint(vectors / _MEAN_STEP)
    # By what is kept, not by what was asked for: what comes back must be kept as the same bytes again.
    far = np.sum(told**2, axis=-1, keepdims=True) > _LONGEST_MEAN**2
    shorter = np.rint(vectors * (_LONGEST_MEAN - 1.0) / np.maximum(lengths, _MEAN_STEP))
    return bytes(np.where(far, shorter, told).astype(np.int8).tobytes())


def means_of(data: bytes) -> FloatArray:
    """Mean rotations of three bytes each."""
    return rot.exp(np.frombuffer(data, dtype=np.int8).reshape(-1, 3) * _MEAN_STEP)


def _without_yaw(q: FloatArray) -> FloatArray:
    yaw = 2.0 * np.arctan2(q[:, 2], q[:, 0])
    return rot.multiply(rot.inverse(rot.from_yaw(yaw)), q)


def _yaw_and_tilt(q: FloatArray, mean: FloatArray) -> FloatArray:
    turned = rot.continuous(rot.multiply(q, rot.inverse(mean)))
    yaw = np.unwrap(2.0 * np.arctan2(turned[:, 2], turned[:, 0]))
    tilt = rot.log(rot.multiply(rot.inverse(rot.from_yaw(yaw)), turned))
    return np.stack([yaw, tilt[:, 0], tilt[:, 2]], axis=1)


def _unwrapped(vectors: FloatArray) -> FloatArray:
    """Rotation vectors without jumps at half a turn: of those of its rotation each is the nearest to the one before."""
    out = vectors.copy()
    jumps = np.flatnonzero(np.linalg.norm(np.diff(vectors, axis=0), axis=1) > 2.0)
    if len(jumps) == 0:
        return out
    for t in range(int(jumps[0]) + 1, len(out)):
        length = np.linalg.norm(vectors[t])
        if length > 1e-9:
            axis = vectors[t] / length
            turns = np.rint((out[t - 1] @ axis - length) / (2.0 * np.pi))
            out[t] = vectors[t] + 2.0 * np.pi * turns * axis
    return out


def _longest(skeleton: Skeleton) -> float:
    lengths = np.zeros(len(skeleton))
    for j in range(1, len(skeleton)):
        lengths[j] = lengths[skeleton.parents[j]] + np.linalg.norm(skeleton.offsets[j])
    ends = lengths[skeleton.end_parents] + np.linalg.norm(skeleton.end_offsets, axis=1)
    return float(max(lengths.max(), ends.max(initial=0.0)))


def _displacement(chart: Chart) -> tuple[FloatArray, FloatArray, FloatArray]:
    """How far the body's points move, in the mean pose.

    The mean square over all points as a matrix ``(3 J, 3 J)`` over the rotation channels; the lever ``(J,)`` of each
    joint in metres; and the share ``(J,)`` of all points that hang on it.
    """
    skeleton, joints = chart.skeleton, len(chart.skeleton)
    places, turns = np.empty((1, joints, 3)), np.empty((1, joints, 4))
    forward_kinematics(skeleton.parents, skeleton.offsets[None], np.zeros((1, 3)), chart.means[None], places, turns)
    places, turns, axes = places[0], turns[0], rot.to_matrix(turns[0])
    ends = skeleton.end_parents
    shells = [places + chart.shell * axes[:, :, k] for k in range(3)]
    points = np.concatenate([places, *shells, places[ends] + rot.rotate(turns[ends], skeleton.end_offsets)])
    owners = np.concatenate([np.tile(np.arange(joints), 4), ends])
    axes[0] = np.eye(3)[:, [1, 0, 2]]  # the root's channels are yaw, then tilt, in the world
    inner = np.zeros((3 * joints, 3 * joints))
    displacement(skeleton.parents, places, axes, points, owners, inner)
    inner = np.tril(inner / len(points))  # a joint comes after those above it
    inner += np.tril(inner, -1).T
    counts = np.bincount(owners, minlength=joints)
    for j in range(joints - 1, 0, -1):
        counts[skeleton.parents[j]] += counts[j]
    levers = np.sqrt(np.diag(inner).reshape(joints, 3).mean(axis=1))
    return inner, levers, counts / len(points)
