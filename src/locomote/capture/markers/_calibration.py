"""Where markers sit on a body, and how long its bones are: from a trial with known poses, or from markers alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.capture.markers._solving import LEAST, BodyArrays, Solved, Springs, seen_by, solve
from locomote.capture.markers._subject import Subject
from locomote.capture.markers._tables import Attached
from locomote.errors import LocomoteError
from locomote.formats.opensim import Markers
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

FRAMES = 40  # of a trial that a body is found from, spread over it
NOISE = 0.006  # of the body's size: how far a marker of stiffness 1 strays from its bone
_ALONG, _ACROSS = 0.07, 0.0025  # doubt of a bone: of its length, and of the body's size to its sides
_SCALE_DOUBT = 0.3  # of the logarithm of the size
_SCALINGS, _FITTINGS = 6, 6  # rounds
_SOFTEST = 0.01  # stiffness that is measured is not less


class Calibrated(NamedTuple):
    """A body fitted to somebody's markers."""

    subject: Subject
    attached: Attached
    scale: float  # of the body, against the one it began with
    rms: float  # m, over all markers and the frames looked at; weighted by stiffness


def attach(markers: Markers, motion: Motion, attached: Attached, measured: bool = False) -> Attached:
    """The places of markers on a body by a trial whose poses are known; not to be judged on that same trial.

    Parameters
    ----------
    markers
        Of the trial. Both are aligned by time.
    motion
        Its poses; begins at time 0 of the markers' first frame, or says when in ``notes``.
    attached
        Which joint carries which marker; what it says of places is not looked at.
    measured
        Whether springs get the stiffness by which their markers strayed; otherwise it is kept.
    """
    kept, seen = seen_by(markers, attached)
    times = markers.times - start_time(motion)
    inside = (times >= -0.5 / motion.fps) & (times <= motion.duration + 0.5 / motion.fps)
    if not inside.any():
        raise LocomoteError("markers and poses share no time: nothing to attach by")
    places, turns = motion.sampled(times[inside] * motion.fps).world()
    local = rot.rotate(rot.inverse(turns[:, kept.joints]), seen[inside] - places[:, kept.joints])
    there = np.array(np.isfinite(local[..., 0]).any(axis=0))
    if not there.all():
        kept, local = (
            kept.without([n for n, ok in zip(kept.names, there.tolist(), strict=True) if not ok]),
            local[:, there],
        )
    points = np.nanmean(local, axis=0)
    strayed = np.sqrt(np.nanmean(np.sum((local - points) ** 2, axis=-1), axis=0))
    if measured:
        size = Subject(motion.skeleton).size()
        kept = replace(kept, stiffness=np.maximum(1.0 / (1.0 + (strayed / (NOISE * size)) ** 2), _SOFTEST))
    return replace(kept, points=points, doubts=strayed)


def start_time(motion: Motion) -> float:
    """The time of the first frame, s, where a reader of joint coordinates told it."""
    for note in motion.notes:
        if note.startswith("the first frame is at "):
            return float(note.split()[5])
    return 0.0


def calibrate(
    markers: Markers, subject: Subject, attached: Attached, lengths: bool = True, frames: int = FRAMES
) -> Calibrated:
    """Fit a body to somebody's markers: its size, the lengths of its bones, where the markers sit.

    What the table doubts moves, what it knows stays: markers on bony places hold the body, those on soft ones follow.

    Parameters
    ----------
    markers
        Of any trial; one in which all joints bend tells most.
    subject
        The body to begin with.
    attached
        Where the markers sit on it, and how far that is doubted.
    lengths
        Whether bones and markers are fitted too, or only the size of the whole body.
    frames
        Looked at, spread over the trial.
    """
    kept, seen = seen_by(markers, attached)
    count = np.sum(np.isfinite(seen[..., 0]), axis=1)
    good = np.flatnonzero(count >= max(LEAST, 0.8 * float(count.max())))
    if not len(good):
        raise LocomoteError(f"no frame has {LEAST} known markers at once: nothing to calibrate by")
    rows = good[np.unique(np.linspace(0, len(good) - 1, frames).astype(int))]
    there = np.array(np.isfinite(seen[rows, :, 0]).any(axis=0))
    kept = kept.without([name for name, ok in zip(kept.names, there.tolist(), strict=True) if not ok])
    few = Markers(kept.names, seen[rows][:, there], np.arange(len(rows)) / 100.0, 100.0)
    body = _Fit(subject, kept, few)
    for _ in range(_SCALINGS):
        body = body.rescaled()
    begun = body
    for _ in range(_FITTINGS if lengths else 0):
        body = body.refitted(begun)
    scale = body.subject.size() / subject.size() if not lengths else begun.subject.size() / subject.size()
    weights = body.weights * np.isfinite(few.positions[..., 0])
    miss = np.nan_to_num(body.solved().error)
    rms = float(np.sqrt(np.sum(weights * miss**2) / np.sum(weights)))
    return Calibrated(body.subject, body.attached, scale, rms)


class _Slopes(NamedTuple):
    """A body in a few frames, and how its markers move as it does."""

    points: FloatArray  # (F, M, 3) m, the markers on it
    pose: FloatArray  # (F, M, 3, n) with each unknown of the pose
    places: FloatArray  # (F, J, 3) m, its joints
    turns: FloatArray  # (F, J, 3, 3)


@dataclass(frozen=True, eq=False)
class _Fit:
    """A body, the markers on it, and what was seen of them in a few frames that do not follow one another."""

    subject: Subject
    attached: Attached
    seen: Markers

    @property
    def weights(self) -> FloatArray:
        """Of the markers, 1/m²."""
        size: FloatArray = (NOISE * self.subject.size()) ** -2.0 * self.attached.stiffness
        return size

    def solved(self, stiffness: FloatArray | None = None) -> Solved:
        one = self.attached if stiffness is None else replace(self.attached, stiffness=stiffness)
        return solve(self.seen, self.subject, one, Springs(smooth=1e-7))

    def rescaled(self) -> _Fit:
        """One step of the size; places that are doubted count for less."""
        noise = NOISE * self.subject.size()
        weights = 1.0 / (noise**2 / np.maximum(self.attached.stiffness, 1e-6) + self.attached.doubts**2)
        motion = self.solved(weights * noise**2).motion
        slopes = self._slopes(motion)
        growth = (slopes.points - slopes.places[:, :1])[..., None]  # the body grows out of its root
        change = _eliminated(self.seen.positions, slopes, growth, weights, np.array([[_SCALE_DOUBT**-2.0]]))
        factor = float(np.exp(np.clip(change[0], -0.2, 0.2)))
        attached = replace(self.attached, points=factor * self.attached.points, doubts=factor * self.attached.doubts)
        return _Fit(self.subject.scaled(factor), attached, self.seen)

    def refitted(self, begun: _Fit) -> _Fit:
        """One step of bones and places, which are drawn to those begun with."""
        skeleton, attached = self.subject.skeleton, self.attached
        joints = _bones(self.subject, attached)
        slopes = self._slopes(self.solved().motion)
        turns = slopes.turns
        carried = _carried(skeleton, attached.joints)  # (M, J)
        frames, count = slopes.points.shape[:2]
        body = np.zeros((frames, count, 3, len(joints) + count, 3))
        for k, joint in enumerate(joints):
            body[:, :, :, k][:, carried[:, joint]] = turns[:, None, skeleton.parents[joint]]
        for m in range(count):
            body[:, m, :, len(joints) + m] = turns[:, attached.joints[m]]
        flat = body.reshape(frames, count, 3, -1)
        prior, off = self._prior(begun, joints)
        change = _eliminated(self.seen.positions, slopes, flat, self.weights, prior, off).reshape(-1, 3)
        offsets = np.array(skeleton.offsets)
        offsets[joints] += change[: len(joints)]
        fitted = replace(skeleton, offsets=offsets)
        moved = replace(attached, points=attached.points + change[len(joints) :])
        return _Fit(self.subject.with_skeleton(fitted), moved, self.seen)

    def _prior(self, begun: _Fit, joints: list[int]) -> tuple[FloatArray, FloatArray]:
        """How body parameters are held ``(P, P)``, and how far they are ``(P,)`` from what was begun with."""
        size = begun.subject.size()
        offsets = begun.subject.skeleton.offsets
        count = len(self.attached)
        blocks = []
        for joint in joints:
            length = float(np.linalg.norm(offsets[joint]))
            along = offsets[joint] / max(length, 1e-9)
            firm = np.eye(3) * (_ACROSS * size) ** -2.0
            blocks.append(firm + np.outer(along, along) * (max(_ALONG * length, _ACROSS * size) ** -2.0 - firm[0, 0]))
        blocks += [np.eye(3) * max(float(doubt), 1e-4 * size) ** -2.0 for doubt in begun.attached.doubts]
        shared = np.eye(len(joints) + count)
        for m, far in enumerate(self.attached.beside.tolist()):
            if far in joints:  # a marker beside the far end of a bone goes along when the bone grows
                shared[len(joints) + m, joints.index(far)] = -1.0
        apart = np.kron(shared, np.eye(3))
        firm = np.zeros((3 * len(blocks), 3 * len(blocks)))
        for k, block in enumerate(blocks):
            firm[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = block
        here = np.concatenate([self.subject.skeleton.offsets[joints], self.attached.points])
        there = np.concatenate([offsets[joints], begun.attached.points])
        return apart.T @ firm @ apart, (here - there).ravel()

    def _slopes(self, motion: Motion) -> _Slopes:
        places, world = motion.world()
        joints = BodyArrays.of(self.subject, self.attached).joints
        on = self.attached.joints
        points = places[:, on] + rot.rotate(world[:, on], self.attached.points)
        pose = np.zeros((*points.shape, len(joints.owners)))
        pose[..., :3] = np.eye(3)
        carried = _carried(self.subject.skeleton, on)
        for j in range(len(joints.parents)):
            first = int(joints.first[j])
            own = carried[:, j]
            axes = joints.axes[j : j + 1] if joints.kinds[j] == 1 else np.eye(3)[: joints.kinds[j]]
            for k, axis in enumerate(axes):
                way = rot.rotate(world[:, j], axis)[:, None]
                pose[..., first + k][:, own] = np.cross(way, points[:, own] - places[:, j, None])
        return _Slopes(points, pose, places, rot.to_matrix(world))


def _carried(skeleton: Skeleton, on: IntArray) -> FloatArray:
    carries = np.eye(len(skeleton), dtype=bool)  # [j, a]: a is j, or above it
    for j in range(1, len(skeleton)):
        carries[j] |= carries[skeleton.parents[j]]
    return carries[on]


def _bones(subject: Subject, attached: Attached) -> list[int]:
    """The joints whose places on their parents markers tell: below them and on what they hang there are some."""
    skeleton = subject.skeleton
    carried = _carried(skeleton, attached.joints)
    out = []
    for j in range(1, len(skeleton)):
        if carried[:, j].any() and subject.kind(j) and np.linalg.norm(skeleton.offsets[j]) > 1e-6:
            out.append(j)
    return out


def _eliminated(
    seen: FloatArray,
    slopes: _Slopes,
    body: FloatArray,
    weights: FloatArray,
    prior: FloatArray,
    off: FloatArray | None = None,
) -> FloatArray:
    """The step of body parameters ``(P,)``; a pose depends on its own frame and the body alone, and is eliminated.

    All frames together say no more of the body than one: skin slides alike in all of them.
    """
    frames = len(seen)
    there = np.isfinite(seen)
    miss = np.where(there, seen - slopes.points, 0.0).reshape(frames, -1)
    trusted = (weights[:, None] * there).reshape(frames, -1) / frames
    a = slopes.pose.reshape(frames, miss.shape[1], -1)
    b = body.reshape(frames, miss.shape[1], -1)
    across = np.swapaxes(a * trusted[..., None], 1, 2)
    own = across @ a
    own += 1e-6 * np.trace(own, axis1=1, axis2=2)[:, None, None] / own.shape[1] * np.eye(own.shape[1])
    mixed = across @ b
    pull = (across @ miss[..., None])[..., 0]
    solved = np.linalg.solve(own, np.concatenate([mixed, pull[..., None]], axis=2))
    flat = b.reshape(miss.size, -1)
    left = flat.T @ (flat * trusted.reshape(-1, 1)) + prior - np.tensordot(mixed, solved[..., :-1], ((0, 1), (0, 1)))
    right = flat.T @ (trusted * miss).ravel() - np.tensordot(mixed, solved[..., -1], ((0, 1), (0, 1)))
    if off is not None:
        right -= prior @ off
    out: FloatArray = np.linalg.solve(left, right)
    return out
